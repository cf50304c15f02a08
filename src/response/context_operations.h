/* The operations of one context as classes of arrivals at the engines.
 *
 * Requires: costs and segments of a context.
 * Provides: for each operation its cost in numbers, its arrival model with the jitter it has when it reaches its engine, and bounds on
 *           its engine response, as the holistic iteration knows them so far; the classes of each stream, dearest first. A segment that
 *           works on several streams is several chains, in the order in which its streams come first in it; events between them.
 * Source:   [H], [VOL-C], [V6], [V7], [EVENTS].
 */
#ifndef RESPONSE_CONTEXT_OPERATIONS_H
#define RESPONSE_CONTEXT_OPERATIONS_H

#include "response/dilation.h"
#include "response/segment.h"
#include "response/terms.h"

struct class
{
	int operation; /* of the task set */
	int chain, position;
	int stream, level; /* stream: its place among those of the context */
	enum place place;  /* PLACE_NOWHERE: costs its o_dep only */
	int engine;
	int64_t block;    /* how long a block is resident, for volumes from its assignment on; or a copy with o_copy */
	int64_t makespan; /* M */
	int64_t turns;    /* kernels: how often it may lose its turn inside, and once: operations of a sequence */
	int64_t high;     /* M + max(W, o_blk): what it costs lower levels */
	int64_t volume;   /* block time of all blocks but the last; volume + block is all of it */
	int64_t dispatch; /* o_launch + N o_blk, + o_blk where levels differ, + what is waited where blocks begin late */
	int64_t blocks;   /* N; NONE: unknown */
	bool grid;        /* nothing is known of its blocks but that C^ bounds them all together */
	int64_t dependency;
	int64_t least; /* no instance is done earlier after its arrival */
	int64_t early; /* no instance arrives at its engine earlier after its job's release */
	int64_t reach; /* nor later than this */
	int record;    /* of a wait: the class that records its event; else NO_ID */
	struct arrivals arrivals;
	int64_t response; /* from arrival at the engine to completion; 0: not known yet */
};

#define CLASS_ENGINES DIRECTION_COUNT

struct siblings {         /* the operations of a segment */
	int first, count; /* classes, chain by chain */
	bool *before;     /* [i * count + j]: the i-th is complete before the j-th of the same job begins; NULL: all are on one stream, or
			     nobody asks */
	bool apart;       /* operations of the segment's task are on several streams */
};

/* A wait in a chain: what stands behind it may begin when the event is complete, whatever is before it on the stream. */
struct hold {
	int position;
	int64_t *completion; /* from the event to the completion of the l-th operation of the chain, l > position */
};

/* What chains share whose operations are on the same engines in the same order, at the same level: what one job of others can cost them. */
struct shape {
	int64_t **one_job;              /* [chain]: of response/in_order.c */
	struct stream_charge **charges; /* [stream]: of response/window_lone.c */
	struct window_lone *all;        /* of all streams together; NULL: not yet */
	bool all_fit;
};

/* A chain: what a segment of a task has on one stream. */
struct chain_of_classes {
	int segment, stream; /* stream: its place among those of the context */
	int place;           /* of the segment among those of the context */
	int after;           /* another chain of the stream; NO_ID: none */
	int first, count;    /* classes */
	int64_t *completion; /* Z_l, l = 0 .. count: from the stream's head to the completion of the l-th operation, but for events */
	struct hold *holds;
	int hold_count;
	int64_t wait;               /* from release until everything before it on its stream is complete */
	int64_t *heads;             /* several_jobs_heads(); NULL: none is known */
	int64_t heads_known;        /* engines.c: they hold until more values are raised than these; 0: they are not known */
	int64_t response;           /* R: from release to the completion of the last one */
	const char *open;           /* why nothing bounds it, nor how often its operations come; NULL: it has values, as yet */
	int64_t lone;               /* in windows up to this no operation of another stream comes twice; 0: nothing is known */
	int64_t once, once_known;   /* window_lone_length(); it holds as heads_known says of heads */
	struct window_known *known; /* what response/window.c knows of the runs; NULL for long chains, and before window_keep */
	struct shape *shape;        /* the same of response/in_order.c and response/window_lone.c */
	struct arrivals arrivals;
};

/* What one stream has, each operation once. */
struct sums {
	int64_t *makespans; /* [n]: of its n dearest kernels */
	int64_t high, dearest_high, volume, dispatch;
	int64_t *copies[CLASS_ENGINES]; /* [engine as in `engines`][n]: of its n dearest copies there */
	int64_t kernel_beside,
		copy_beside[CLASS_ENGINES]; /* of each other stream the dearest kernel of this one's level, the dearest copy there */
};

/* How long a segment's jobs are there, by the responses of the last round: [ONE-JOB]. */
struct presence {
	int task;
	int64_t response; /* of the segment */
	bool one_job;     /* no job of its task is released while one before it has segments that are not complete */
};

struct classes {
	struct arena *arena;
	struct class *items;
	int count;
	struct chain_of_classes *chains; /* the context's segments, in their order */
	int chain_count;
	struct siblings *siblings; /* [place of a segment] */
	struct presence *presence; /* [place of a segment] */
	int segment_count;         /* of them */
	const char *several;       /* some segment works on several streams, or waits for events; NULL: none does */
	int stream_count;          /* of the context; streams without operations are none */
	int *chain_of;             /* [stream]: one of its chains; NO_ID: it has none */
	int **of_stream;           /* [stream]: its kernels, dearest M first; lengths in of_stream_count */
	int *of_stream_count;
	int **copies; /* [stream]: its copies, dearest first */
	int *copies_count;
	int engines[CLASS_ENGINES], engine_count; /* copies are on these */
	struct sums *sums;                        /* [stream] */
	bool parted;                              /* some kernel is a sequence that may lose its turn inside: no busy window is one */
	int highest_level;                        /* of any kernel */
	int64_t lower_block[64];                  /* [level]: C_low + o_blk, the longest block of any lower level; 0 without */
};

#define CLASS_LEVELS 64
#define CLASS_KNOWN 64 /* operations up to which a chain keeps the windows of its runs */

/* For bounds that use makespans. reason: why the context cannot be treated so, NULL when it can. */
struct classes *classes_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	const struct segments *segments, const struct runlist *runlist, int context, const char **reason, uint64_t *assumptions);

/* Built, and nothing has been found for them yet. */
struct classes_built {
	const struct classes *classes; /* NULL: not yet */
	const char *reason;
	uint64_t assumptions;
};

struct workload;

/* Those of a context for all bounds that use makespans. */
const struct classes_built *classes_by_makespan(const struct workload *w, int context);

/* The same to find values for. */
struct classes *classes_again(const struct classes *built);

/* To find values for by a bound that uses no makespans, and does not rest on what they rest on. */
struct classes *classes_by_volume(const struct workload *w, int context, const char **reason, uint64_t *assumptions);

int classes_engine(const struct classes *classes, int engine); /* its place in `engines` */
int classes_level(const struct classes *classes, int stream);  /* of its kernels; CLASS_LEVELS: it has none */

struct term classes_lower(const struct classes *classes, int level); /* what lower_block is */

int64_t class_total(const struct class *class); /* N C^ */
/* How many are at the engine at some time of a closed window: those that come, and one that came before, within its response. */
int64_t class_there(const struct class *class, int64_t window);
int64_t class_there_of(const struct class *class, int64_t window, int64_t come); /* where it is known how many come */
int64_t class_last(const struct class *class); /* what is left after the dispatch of the last block is part of this much */

#endif
