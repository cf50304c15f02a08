/* What one operation costs a serial server.
 *
 * Requires: map and inflation.
 * Provides: for each operation: which engine it uses; for work on the execution engine its makespan alone, its drain waste, the longest
 *           time one of its blocks is resident and the block time of all blocks but the last; for copies their time on the engine.
 *           Each with its derivation, or the reason why there is none.
 * Source:   [KW] (6.1), [WAVES], [DRAIN], [BROKEN-OFF], [TWO-OCCUPANCIES], [VOLUME]; [SCOPE-GRID], [START-DELAYS].
 * Fails:    NONE and a reason.
 */
#ifndef RESPONSE_OPERATION_COST_H
#define RESPONSE_OPERATION_COST_H

#include "interference/inflation.h"

enum place { PLACE_NOWHERE, PLACE_EXECUTION, PLACE_COPY }; /* nowhere: host, wait, record */

struct cost {
	int64_t value; /* ns; NONE: none */
	const char *reason;
	int step;
	uint64_t assumptions;
};

struct operation_cost {
	const char *name; /* "task:T/op:O" */
	enum place place;
	int engine;  /* of a copy; ENGINE_NONE: any of them */
	int context; /* its domain; NO_ID for host segments */
	int level;
	bool grid;              /* its WCET is the whole grid's */
	bool whole;             /* of its makespan nobody knows when the last block has come */
	int host_step;          /* of a host segment on a core: the step of its response; else STEP_ABSENT */
	int64_t turns;          /* operations of a sequence, each of which may end its context's turn; else 1 */
	struct cost dependency; /* o_dep */
	struct cost makespan;   /* M: alone on the GPU, launch and dispatch included */
	struct cost waste;      /* max(W, o_blk); 0 where no lower level exists */
	struct cost block;      /* C^: a block, from its first instruction to its end */
	struct cost residence;  /* of a sequence: of its longest kernel; else from the instant at which it could be assigned to its end: C^,
				   and what A-ORDER adds where it is in use */
	struct cost tail;       /* a block from its assignment to its end: C^, and sigma where blocks begin late */
	struct cost volume;     /* all blocks, for as long as they keep others from their SMs, but for one tail */
	struct cost dispatch;   /* o_launch + N o_blk, and one o_blk more where levels differ; where blocks begin late what is waited when a
				 * kernel comes to the head, too. The makespan is without these two */
	struct cost transfer;   /* copies: o_copy + C^ */
};

struct costs {
	struct operation_cost *operations; /* in the task set's order */
	const struct domains *domains;     /* what contexts are here: [context] */
	int context_count;
	bool hosts;                           /* some task has a host segment, or a call that returns late: applicable_has_host */
	int parameter_steps[PARAMETER_COUNT]; /* given steps of the platform's parameters, STEP_ABSENT where unknown */
	int *partition_steps;                 /* [partition]: given steps of their sizes */
	struct cost stop;                     /* what one stop costs; without value where none is declared */
	int stop_breaks;                      /* dispatches that take time which one stop may break off, one a context */
	struct cost zero;
};

struct costs *costs_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct inflation *inflation, struct derivation *derivation);

/* A parameter of the platform; without it the reason names the line to declare. */
struct cost cost_parameter(const struct platform *platform, const struct costs *costs, enum parameter which);

/* The step of the fewest that a kernel of the context has. */
int cost_sms_step(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context);

/* A number of the input as a step; what it is about as derivation_named takes it. */
int cost_given(struct derivation *derivation, int64_t value, const char *format, const char *first, const char *second);

/* The step of how long a host segment takes; task: "task:T". */
int cost_host(const struct costs *costs, const struct taskset *set, int operation, struct derivation *derivation, const char *task);

/* Sums and the first reason found; the step adds up its inputs under `rule`. */
struct cost cost_sum(struct derivation *derivation, int rule, const char *about, const struct cost *parts, int count);
struct cost cost_none(const char *reason);

#endif
