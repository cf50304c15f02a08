/* The machine above the placement policies: streams, engines, runlist, stops, as events in integer nanoseconds.
 *
 * Requires: a validated platform and task set; a client that issues operations, says how long they take, and keeps its own timers.
 * Provides: machine_step, which takes the next event and everything that follows from it at that instant. Time passes on clocks, one
 *           for each half of the chip in each context, one for each context's dispatcher and one for the copies: freezing a context
 *           or a half stops a clock and touches no block.
 * Source:   [D-RULES] (D1-D14); [V0], [A-WC-G]; [HW-RULES].
 * Fails:    machine_create returns false where the machine cannot run the set, and says why.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "placement/fit.h"
#include "machine/heap.h"
#include "machine/switches.h"
#include "model/sm_set.h"

#define HALVES 2
#define LOOSE_MOST 4 /* so many times as long as its duration takes a block beside clients of whom nothing is said (context.loose) */
#define NEVER INT64_MAX

struct clock {
	int64_t reading, since; /* it showed `reading` at the real time `since` */
	bool runs;
};

static inline int64_t clock_read(const struct clock *clock, int64_t now)
{
	return clock->runs ? clock->reading + (now - clock->since) : clock->reading;
}

static inline int64_t clock_real(const struct clock *clock, int64_t reading) /* when it will show that; NEVER while it stands */
{
	return clock->runs && reading != NEVER ? clock->since + (reading - clock->reading) : NEVER;
}

/* ---- what operations are, resolved once */
enum work_kind { WORK_KERNEL, WORK_COPY, WORK_WAIT, WORK_RECORD, WORK_HOST };

struct work {
	enum work_kind kind;
	const struct operation *operation;
	int number;          /* of the operation in the set */
	int context, stream; /* NO_ID for host segments; context: the process */
	int unit;            /* kernels: who dispatches it, in machine.contexts */
	int hardware;        /* the hardware queue of its stream or graph; NO_ID: none */
	int task;
	int engine;               /* copies */
	enum direction direction; /* copies, and copies and memsets that run as kernels; else DIRECTION_COUNT */
	/* kernels, and what runs as one: */
	bool opaque; /* only its makespan is known: blocks are made up so that alone they take just that (machine/opaque.c) */
	int waves;   /* opaque: of so many */
	bool uneven; /* opaque: the first block takes as long as all */
	int64_t sms; /* how many its stream may use */
	struct shape shape;
	struct room room;
	int64_t grid[3], blocks, slots; /* slots: blocks that its SMs hold where they are idle */
	int configuration;              /* a number for what cache_drain compares; 0: any will do */
	int64_t block_overhead;
};

/* ---- what is under way */
enum progress { PROGRESS_QUEUED, PROGRESS_DEPENDS, PROGRESS_ENGINE }; /* in its stream; in its o_dep; engine-ready */

struct instance {
	const struct work *work;
	void *owner;       /* the client's */
	int64_t job;       /* likewise */
	int64_t number;    /* in order of issue */
	int64_t headed;    /* in the order in which instances came to the head of their streams */
	int index;         /* in machine.instances */
	int64_t waits_for; /* WORK_WAIT: so many records of the event must be complete */
	enum progress progress;
	int64_t ready, begun, dispatched; /* real times; -1: not yet */
	int64_t launch;                   /* the dispatcher's clock when it may dispatch; launch_at_head: what is left of o_launch */
	int64_t noticed;                  /* the dispatcher's clock until which lower levels are served as before (switches.delay) */
	bool unnoticed;                   /* it was not noticed at once */
	int64_t placed, ended;            /* blocks */
	int64_t span;                     /* opaque: its makespan alone */
	int64_t longest;                  /* residence of a block so far, in its own time */
	int64_t surveyed;                 /* the survey that has counted it, of those that machine/rates.c has made */
	struct dispatch *dispatch;        /* while it has blocks to place and one was tried */
	struct instance *after_in_stream, *after_in_queue, *before_in_queue, *after_in_hardware;
	/* An item of a stream is an operation or a graph; what is under way of a graph is its node: */
	struct instance *node;           /* a graph: the node under way, which is ... */
	struct instance *graph;          /* ... of it */
	struct instance *after_in_graph; /* the node that becomes so next */
	bool inner;                      /* a node behind another one */
	bool part, follows,
		last;        /* of a sequence, its span drawn as it was issued: behind another one; the others are no operation's end */
	int64_t gap;         /* a part that follows: so long after the one before */
	int64_t whole_ready; /* likewise: when the sequence was ready */
	bool queued;         /* an item: it takes its turn in its hardware queue */
};

struct queue {
	struct instance *first, *last;
};

struct block { /* a resident one, by SM and slot */
	struct instance *kernel;
	int64_t index;
	int64_t placed_at, start; /* the half's clock; real time, lateness included */
	int64_t left, seen;       /* interference: work left in 1/65536 ns when the clock showed `seen` */
	int64_t slowness;         /* likewise: in 1/65536 */
};

struct half {
	struct clock clock;
	struct heap ends; /* due.what: SM * BLOCKS_MOST + slot, and DUE_LEAVES */
};

static inline int64_t half_due(const struct half *half) /* real time of its next end */
{
	return half->ends.count == 0 ? NEVER : clock_real(&half->clock, half->ends.items[0].time);
}

enum step { STEP_NOTHING, STEP_LAUNCH, STEP_PLACE, STEP_HOLD }; /* hold: room is left unused for a while (switches.delay) */

/* What dispatches kernels to SMs: the primary context of a process, or a partition with SMs of its own. */
struct context {
	int number, process;
	int partition; /* 1 + its place in the task set; 0: the primary context */
	int64_t sms;
	bool loose; /* it breaks A-MPS-ORDER: switches.clients_pass */
	struct chip chip;
	struct placer placer;
	struct half halves[HALVES];
	struct block *blocks;
	struct queue *levels;
	int level_count;
	int waiting;       /* kernels in the levels */
	int gaps;          /* sequences between two of their parts */
	int begun;         /* sequences that have begun and are not complete */
	int partial;       /* kernels with a block placed that are not complete */
	int busy_sms;      /* that hold a block */
	int served;        /* PRIORITIES_REDRAWN: the level */
	int configuration; /* of the resident blocks; 0: any */
	/* the dispatcher: */
	struct clock clock;
	enum step step;
	struct instance *current;  /* whom the step is for */
	struct instance *released; /* whose hold is over: all of its blocks that fit are placed; NULL: nobody's */
	int64_t due;               /* on the clock: when the step is done */
	int64_t launch_due;        /* likewise: when the next waiting kernel may dispatch */
	bool settled;              /* until then it has nothing to do, unless something changes */
	/* DISPATCHER_LAZY with switches.delay, on the clock: until when nothing is asked of it, and [SM] when its last block ended */
	int64_t fresh;
	int64_t *vacated;
};

/* What takes turns as one: an application, or all of them where they are merged. Its dispatchers stand one behind another, the primary
 * context first, which heads every queue. */
struct process {
	int number;
	struct context *units;
	int count;
};

struct stream_state {
	int context, unit; /* the process; who dispatches its kernels */
	const struct stream *stream;
	struct instance *first, *last; /* items; the oldest is the one under way */
};

struct event_state {
	int64_t issued, complete; /* records */
};

struct copy_engine {
	struct queue queue;
	struct instance *current;
	int64_t end; /* on the copies' clock */
	int64_t placed_at;
	int64_t left, seen, slowness; /* as of a block */
};

/* The copies of one entry of the runlist: of one context where they take turns with kernels, else of all. */
struct copies {
	struct copy_engine *engines;
	struct clock clock;    /* of all of them */
	int waiting, underway; /* copies: in the queues; on the engines */
};

enum runlist_phase { RUNLIST_IDLE, RUNLIST_RUNNING, RUNLIST_LEAVING, RUNLIST_SWITCHING };

struct runlist {
	bool used;     /* there is somebody to share with */
	int *slots;    /* processes, or copies_slot(process) */
	int count, at; /* at: the slot that is loaded, or being loaded */
	enum runlist_phase phase;
	bool expired;      /* the slice is over */
	bool copies;       /* they are in it, an entry a context; else they have runlists of their own */
	int64_t left;      /* of a slice whose timer stands; NONE: it runs */
	int64_t slice_end; /* real time */
	uint32_t generation;
	int64_t *slices, switching; /* slices: by slot */
	const int64_t *levels;      /* by process, 0 is the highest; a higher one with work ends a lower one's slice; NULL: all equal */
	bool refills;               /* the slot that is loaded was not the last one, so that its sequences find cold caches */
	int64_t refill;             /* of each slice in which a sequence goes on, and of the switch before */
};

/* An entry holds channels of one context only (a channel has one address space: NVIDIA open-gpu-doc, dev_ram), so its copies have one of
 * their own. The function is its own inverse. */
static inline int copies_slot(int context)
{
	return -2 - context;
}

enum timer { TIMER_DEPENDENCY, TIMER_SLICE, TIMER_SWITCH, TIMER_STOP, TIMER_GO, TIMER_CLIENT };

/* What the machine tells its client. */
enum sight {
	SIGHT_ISSUE,
	SIGHT_READY,
	SIGHT_BEGIN,
	SIGHT_DISPATCH,
	SIGHT_END,
	SIGHT_BLOCK_BEGIN,
	SIGHT_BLOCK_END,
	SIGHT_SLICE_BEGIN,
	SIGHT_SLICE_END,
	SIGHT_STOP_BEGIN,
	SIGHT_STOP_END
};

struct machine;

struct client {
	void *context;
	/* How long this block, copy or opaque kernel takes: >= 1. residents: blocks of this kernel on the SM, itself included. */
	int64_t (*duration)(void *context, const struct instance *instance, int residents);
	void (*ended)(void *context, struct instance *instance); /* complete; the instance is gone afterwards */
	void (*timer)(void *context, int number);
	void (*see)(void *context, enum sight sight, const struct instance *instance, int place, const struct block *block); /* or NULL */
	unsigned unseen; /* a bit a sight: what it need not be told */
};

struct survey; /* machine/rates.c */
struct known;  /* likewise */

struct machine {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct switches switches;
	struct client client;
	struct sm_limits limits;
	struct random random;
	int64_t now;
	uint32_t ties;

	struct work *works;       /* by operation */
	struct context *contexts; /* all dispatchers, those of each process together */
	int context_count;
	struct process *processes;
	int process_count;
	struct process *active; /* whose clocks may run; NULL: none */
	struct stream_state *streams;
	struct queue *hardware; /* all processes' hardware queues, by `hardware` of works */
	struct event_state *events;
	struct copies *copies;
	int copies_count, engine_count; /* of each: engines */
	struct copies *copying;         /* whose turn it is; NULL: nobody's */
	struct runlist runlist;
	int *held; /* [process]: host segments under way that hold the GPU; of best-effort contexts they hold nothing */
	struct heap timers;

	struct instance **instances; /* by index */
	int instance_count, instance_capacity;
	struct instance *idle_instances;
	int64_t issued, headed;  /* instances so far: issued; come to the head of their stream */
	struct instance **ready; /* became so at this instant */
	int ready_count, ready_capacity;
	bool changed; /* a stream may go on */

	bool stopped_whole, stopped[HALVES];
	int64_t last_stop;

	int64_t overhead_launch, overhead_dependency;
	int grids;                    /* that may be resident */
	int busy_least;               /* g */
	bool steady;                  /* the dispatcher draws nothing: where nothing changed it decides the same again */
	bool rated;                   /* interference: durations are work */
	bool stale;                   /* rates want to be computed again */
	int shares[INTERFERER_COUNT]; /* percent of each factor */

	struct survey *surveys; /* by kernel with resident blocks, made anew whenever rates are set */
	int survey_count;
	int64_t surveys_made;
	struct known *known;

	int64_t block_events, taken;
};

struct refusal {
	const char *text;
	int operation; /* NO_ID: about none */
};

bool machine_create(struct machine *machine, struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct switches *switches, const struct client *client, uint64_t seed, struct refusal *refusal);

/* Durations are work, and blocks and copies progress as the platform's factors let them; percent: of each factor, INTERFERER_COUNT. */
void machine_rate(struct machine *machine, const int *percent);

/* An operation, not a host segment; or, where there are several nodes or the operation says so, a graph of this one and those behind it. */
void machine_issue(struct machine *machine, int operation, int nodes, int64_t job, void *owner);
void machine_timer(struct machine *machine, int64_t time, int number); /* client.timer(number) at `time` */
void machine_hold(struct machine *machine, int operation, int more);   /* a host segment begins, 1, or ends, -1, to hold the GPU */

/* Takes the events of the next instant, or one of them; false: nothing is to come. */
bool machine_step(struct machine *machine);

static inline int machine_half(const struct machine *machine, int sm) /* the half that it belongs to: the first or the second of all ids */
{
	return sm >= (machine->limits.sm_count + 1) / 2;
}

#endif
