/* The operations of a context at the engines, with the jitter and the response that a report claims for each.
 *
 * Requires: work of a context; what else takes turns; claims read from the report.
 * Provides: for these claims, held fixed: bounds on a run of operations (C.1), (V.3), on one operation (6.3), (6.4), (6.6), (7.1)-(7.3),
 *           and on what a stream's jobs wait for (8.1); which operations of a job are in order. Each is monotone in all claims, so claims
 *           that are nowhere below these values bound the truth.
 * Source:   [H], [SER-OPS], [SER-BW], [COV-OPS], [COPY-OPS], [STREAM], [VOL-C], [CHAIN], [EVENTS]; [JOINT], [STATED-WAY]; [V5], [V7],
 *           [V13].
 * Fails:    NONE past the horizon, or where one does not apply.
 */
#ifndef VERIFY_ENGINES_H
#define VERIFY_ENGINES_H

#include "verify/turns.h"

#define ENGINES_DELTAS 12

/* What one of the bounds is, besides: a row for each is in the file of its name. */
struct engines_claim {
	enum claimed kind;
	bool runs, local; /* runs of operations count; local bounds of one operation count */
	bool may_pass;    /* by A-FIT */
};

struct claims engines_hold(struct work *work, const struct engines_claim *of, const struct turns *turns);

struct class
{ /* an operation of a segment */
	int operation, part, line;
	int stream, level, engine;
	enum runs runs;
	int64_t dependency, block, makespan, high, volume, dispatch, blocks, least;
	struct arrivals_at arrivals; /* at its engine, with the claimed jitter */
	int64_t response;            /* claimed: from the stream's head, o_dep included */
	int64_t early, reach;        /* it is at its engine so long after its job's release at least; at most, by the claimed jitters */
	int record;                  /* of a wait: the class that records its event; NO_ID: it is none */
	bool grid;                   /* `block` bounds all of its blocks together */
};

struct line_of_classes { /* a segment on one stream */
	int part, first, count, stream;
	struct arrivals_at arrivals; /* of its releases, with the claimed jitter */
	int64_t *done;               /* Z_l: from the stream's head to the completion of l operations, but for events */
	int64_t **after; /* [position]: the same from an event on, for which the operation there waits; NULL: it waits for none */
	int64_t wait;    /* from release until all that is before it on the stream is complete */
	int64_t *jobs;   /* engines_jobs(); NONE: they say nothing */
};

struct cover { /* of (6.6): level 0, and the weights that the report claims */
	int64_t sms, deltas[ENGINES_DELTAS];
	int delta_count;
	int64_t *own;            /* [class]: weight of its own blocks while it waits */
	int64_t *resident;       /* [class]: most of its blocks on the chip */
	int64_t **weight;        /* [level][class]: while a kernel of that level waits; NULL: there is none */
	struct weights *claimed; /* [class] */
};

struct order {            /* of a segment's operations */
	int first, count; /* classes */
	bool *before; /* [i * count + j]: of one job, the i-th is complete before the j-th begins; NULL: one stream, or too many to ask */
};

struct weights;

struct waiting { /* (8.1) of a stream, but for what depends on who asks */
	bool known;
	int64_t at_first; /* the window begins with nothing in particular */
	int64_t *held;    /* [line of the stream]: it begins with a job of that line, held back by an event; 0: that one is never */
};

struct engines {
	struct work *work;
	enum claimed kind;
	struct class *classes;
	int count;
	int context;
	struct line_of_classes *lines; /* those of a segment one after the other */
	int line_count;
	struct listed streams;   /* of the context */
	struct lists lines_of;   /* [position in `streams`]: its lines */
	int *position;           /* [stream] in `streams` */
	struct order *orders;    /* [part] */
	int64_t *parts_within;   /* [part]: its claimed response */
	bool *alone;             /* [part]: its task's jobs never overlap, by the claimed responses of all of their parts: [ONE-JOB] */
	int **kernels, **copies; /* [stream]: its classes, dearest first; -1 ends */
	struct customer *ahead, *until; /* room for all classes, for one server at a time */
	struct waiting *waiting;        /* [position in `streams`]: what the stream's lines have in common */
	int levels;
	int64_t *high;                               /* [class]: of its classes */
	int64_t *lower;                              /* [level]: C_low + o_blk, 0 without a lower level */
	int64_t *served;                             /* [level]: in order, by a level that none is above, whoever asks; 0: not known yet */
	int64_t g, horizon, launch, dispatch, delay; /* delay: delta of A-ORDER */
	bool fifo;
	bool passing; /* A-FIT: every other stream's kernels may go before, and only COV counts that */
	struct service kernels_by, copies_by;
	struct cover *cover; /* NULL: COV does not apply */
};

/* Kernels of a stream of a higher level that are at the engine at some time of a closed window which begins when one of a lower level
 * comes: each costs `each[class]`, NULL: one. [WHO-WAS-THERE]. */
int64_t engines_above(const struct engines *engines, int stream, int64_t window, const int64_t *each);
/* Does a window bear its own right side? Then the run takes no longer. [STATED-WAY] */
bool engines_run_within(const struct engines *engines, const struct line_of_classes *line, int first, int last, int64_t window);
/* The least window that does. */
int64_t engines_run(const struct engines *engines, const struct line_of_classes *line, int first, int last);
/* The most that one other stream's copies and kernels of the same level can cost these operations, each meeting at most one of them, in
 * the order of the stream; NONE: no less than counting by engine says. [IN-ORDER]. */
int64_t engines_in_order(const struct engines *engines, const struct class *own, int count, int stream, int64_t window);
/* From a job's release until its first operations are complete, [how many], when all jobs of the stream since that was last without work
 * are one run; NONE: that says nothing. [SEVERAL-JOBS] */
void engines_jobs(const struct engines *engines, const struct line_of_classes *own, int64_t *done);
int64_t engines_kernel(const struct engines *engines, int class);
int64_t engines_copy(const struct engines *engines, int class);
int64_t engines_wait(const struct engines *engines, const struct line_of_classes *line);
int64_t engines_event(const struct engines *engines, const struct line_of_classes *line, int position); /* complete after release */

/* Which class waits for which, what is in order, the earliest arrivals. record_of: room for a class of each event. */
void engines_link(struct engines *engines, int *record_of);
/* Of one task whose jobs do not overlap, and of different parts: they are never there together. [ONE-JOB] */
bool engines_exclude(const struct engines *engines, int part, int other);
/* Instances of a class outstanding in a window that begins with the run from `first` and ends with `last`, when they are of the same
 * task; NONE: they are not, or it is all on one stream. */
int64_t engines_siblings(
	const struct engines *engines, const struct class *first, const struct class *last, const struct class *class, int64_t window);

struct cover *cover_make(const struct engines *engines); /* NULL: it does not apply */
/* The greatest delay of the dispatch of the last block, when higher levels arrive in a closed window; after_lower: it begins when no block
 * of a lower level is left. */
int64_t cover_at(const struct engines *engines, const struct class *own, int64_t window, bool after_lower);

#endif
