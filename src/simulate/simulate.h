/* One run of the machine on a task set, from a seed.
 *
 * Requires: a validated platform and task set; an arena for the run (destroy it to free the run).
 * Provides: what happened: greatest responses by task and operation; every event to an observer as it happens. Event-driven, integer
 *           nanoseconds. The same arguments give the same run, bit for bit. No state outside the arena: runs in parallel threads are
 *           independent. Memory depends on what is outstanding at once, not on the length of the run.
 * Source:   [D-RULES] (D1-D14), [FALSIFIER], [TEN-TESTS].
 * Fails:    SIMULATE_REFUSED: the machine cannot run the set; result->refusal says why. SIMULATE_LIMIT: the limit of events or of jobs
 *           was hit, or it was stopped.
 *
 * What the run assumes of times, for whoever compares it with a bound:
 *   - every kernel, copy and memset becomes engine-ready overhead.dependency after it is at the head of its stream with its waits
 *     satisfied; wait, record and host segments cost nothing more.
 *   - overhead.launch is spent once a kernel instance, overhead.block once a block (again where a kernel of a higher level interrupts
 *     it), in the context's own time. Operations of scope grid and those that run as kernels without a grid of their own spend no
 *     overhead.block: it is inside their WCET.
 *   - a copy holds its engine for its duration; overhead.copy is inside durations->longest where that is given, and added where not.
 *   - a job's operations are issued at its release, those behind a host segment at the end of that. A host segment begins when all
 *     earlier operations of the job are complete.
 *   - a task with a core has one thread, which serves its jobs in turn; a host segment of it takes what was drawn of the core's time, as
 *     priorities and what may not be preempted leave it ([CORES]).
 *   - a wait waits for the last record of its event that was issued before it (CUDA's rule).
 */
#ifndef SIMULATE_SIMULATE_H
#define SIMULATE_SIMULATE_H

#include "machine/switches.h"
#include "model/taskset.h"

#include <signal.h>

/* ---- what is drawn: durations */
enum duration_mode {
	DURATIONS_WORST,     /* all WCET */
	DURATIONS_BEST,      /* all BCET */
	DURATIONS_UNIFORM,   /* each drawn from BCET to WCET */
	DURATIONS_TWO_POINT, /* each BCET or WCET */
	DURATIONS_FEW_SHORT, /* WCET but for one in ten, BCET */
	DURATIONS_CURVE,     /* C_K[r], r the blocks of this kernel on the SM when the block begins; WCET where there is no curve */
	DURATIONS_EXPLICIT,  /* the n-th block, copy or host segment to begin takes explicit[n % explicit_count], clamped to its interval */
};

struct duration_options {
	enum duration_mode mode;
	/* By operation of the set, or NULL: the greatest residence of one of its blocks, of the whole kernel (scope grid, memset on the
	 * execution engine), or of the copy on its engine. NULL: the isolated WCET, and for a copy overhead.copy more. */
	const int64_t *longest;
	const int64_t *explicit_ns;
	int explicit_count;
};

/* ---- what is drawn: releases. nominal = phase + jobs before * period + slack; actual = nominal + jitter */
enum phase_mode {
	PHASES_ALIGNED,  /* all tasks' first actual releases coincide; an offset in the set holds */
	PHASES_DRAWN,    /* from 0 to the period; an offset in the set holds */
	PHASES_EXPLICIT, /* phases[task] */
};
enum jitter_mode {
	JITTER_NONE,
	JITTER_BURST,    /* the first release as late as can be, all others as early as can be: the critical burst */
	JITTER_UNIFORM,  /* each drawn from 0 to the jitter */
	JITTER_EXTREME,  /* each 0 or the jitter */
	JITTER_EXPLICIT, /* jitters[task * jitter_count + job], 0 for later jobs; clamped to the task's jitter */
};

struct release_options {
	enum phase_mode phases;
	enum jitter_mode jitter;
	bool slack;  /* sporadic tasks (and arrival curves): releases further apart than they need be, by up to a period, drawn */
	bool adrift; /* offsets do not hold (no A-PHASES) */
	const int64_t *phases_ns, *jitters_ns;
	int jitter_count;
	int64_t jobs;    /* of each task; 0: as many as the horizon allows */
	int64_t horizon; /* ns: no nominal release at or after; 0: none. One of the two must be given */
};

/* ---- interference: the rate at which a block or a copy progresses, set anew whenever residency changes. Work is the duration drawn. */
enum interference_mode {
	INTERFERENCE_OFF,   /* durations are residences: give the inflated WCETs in durations.longest */
	INTERFERENCE_FULL,  /* slowed by the platform's factors for what is active; give isolated WCETs */
	INTERFERENCE_DRAWN, /* by a part of each factor, drawn for the run */
};

/* ---- what an observer sees, in order of time */
enum event_kind {
	EVENT_RELEASE,  /* a job's actual release; `nominal` holds */
	EVENT_ISSUE,    /* an operation enters its stream */
	EVENT_READY,    /* it is engine-ready */
	EVENT_BEGIN,    /* a kernel's first block placed, a copy on its engine, a host segment begun */
	EVENT_DISPATCH, /* a kernel's last block placed */
	EVENT_END,      /* the operation is complete */
	EVENT_BLOCK_BEGIN,
	EVENT_BLOCK_END,
	EVENT_COMPLETE,    /* all operations of the job are complete */
	EVENT_SLICE_BEGIN, /* `application` may run on the execution engine; NO_ID: the copies of a shared runlist */
	EVENT_SLICE_END,
	EVENT_STOP_BEGIN, /* `sm`: 0 or 1, the half of the chip; NO_ID: all of it */
	EVENT_STOP_END,
};

struct event {
	int64_t time;
	enum event_kind kind;
	int application, task, operation; /* operation: of the set; NO_ID where it makes no sense */
	int64_t job;                      /* of the task, from 0 */
	int64_t instance;                 /* of an operation, from 0 in order of issue: its number */
	int64_t nominal;                  /* of events about jobs: the nominal release */
	int sm;                           /* blocks; copies: the engine */
	int slot;                         /* blocks: the SM's slot */
	int64_t block, blocks;            /* blocks: the linear index; of how many */
	int64_t threads;                  /* kernels: of a block; where the set does not say, of the blocks that were made up */
	int64_t start; /* blocks: when it began to run, which may be later than EVENT_BLOCK_BEGIN (lateness); jobs: the actual release */
};

struct observer {
	void (*see)(void *context, const struct event *event); /* NULL: nobody looks */
	void *context;
	unsigned unseen; /* a bit a kind of event: what it need not be told */
};

struct simulate_options {
	uint64_t seed;
	struct duration_options durations;
	struct release_options releases;
	enum interference_mode interference;
	struct switches switches;
	bool jobs_in_turn;   /* a job is issued when its task's job before is complete, if that is later than its release */
	bool one_by_one;     /* threads take their time between the operations that they issue, where they may (simulate/lingering.h) */
	bool late_hosts;     /* host segments on no core take up to three times as long as they are drawn (no A-HOST-WCRT) */
	bool kept_off;       /* segments on cores execute up to three times as long: something that is not said has the core (no A-CORE) */
	bool late_launches;  /* what a segment on a core issues is at the GPU later than `submission` says (no A-SUBMIT) */
	int64_t most_events; /* SIMULATE_LIMIT beyond; 0: no limit */
	int64_t most_jobs;   /* that are released and not complete; likewise */
	struct observer observer;
	const volatile sig_atomic_t *stop; /* NULL, or: the run ends with SIMULATE_LIMIT once this is not zero */
};

/* ---- what came out */
struct simulate_chain;

struct simulate_task {
	int64_t released, completed; /* jobs */
	int64_t response;            /* greatest, from the actual release; 0: none completed */
	int64_t nominal_response;    /* greatest, from the nominal release */
	int64_t worst_job;           /* whose nominal response that is */
};

struct simulate_operation {
	int64_t ended;        /* instances */
	int64_t response;     /* greatest from engine-ready to complete (host: begin to end) */
	int64_t wait;         /* greatest from engine-ready to last block placed, or to the copy's begin */
	int64_t longest;      /* greatest residence of a block, or of the copy on its engine */
	int64_t from_release; /* greatest from its job's nominal release to complete */
};

enum simulate_status { SIMULATE_DONE, SIMULATE_LIMIT, SIMULATE_REFUSED };

struct simulate_result {
	enum simulate_status status;
	struct simulate_task *tasks;           /* of the set */
	struct simulate_operation *operations; /* likewise */
	struct simulate_chain *chains;         /* likewise (data_flow.h) */
	int64_t end;                           /* the last event's time */
	int64_t block_events;                  /* blocks begun and ended */
	int64_t events;                        /* all that the loop took */
	bool drained;                          /* nothing was left when it ended */
	bool swamped;                          /* SIMULATE_LIMIT: more than most_jobs waited */
	const char *refusal;                   /* SIMULATE_REFUSED: why, for a reader */
	int refused_operation;                 /* NO_ID: it is not about one */
};

enum simulate_status simulate_run(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct simulate_options *options, struct simulate_result *result);

#endif
