/* FP: the context as a server with fixed priorities, each of whose tasks is one kernel.
 *
 * Requires: a workload of one context without time slices; A-HOL, A-WC, A-PRIO where there are levels.
 * Provides: for each segment the longest time from release to completion, over all jobs of a busy interval of its level, or why there is
 *           none. Releases count as they are: no jitter is inherited, as nothing is before a task's only kernel.
 * Source:   [FP], [FP-EQUALS], [UNI]; Davis, Burns, Bril, Lukkien, Real-Time Systems 35 (2007).
 * Fails:    a busy interval past the horizon, or a load of one or more of the levels that count: no bound.
 */
#ifndef RESPONSE_BOUNDS_FP_H
#define RESPONSE_BOUNDS_FP_H

#include "response/nonpreemptive_server.h"

/* What a job of a segment costs one of a level. */
struct fp_cost {
	int segment;                                                /* NO_ID: a stop */
	int64_t makespan, dependency, waste, again, broken, length; /* length: of a stop */
};

/* What a segment's value was found with, for whoever wants its terms. */
struct fp_basis {
	struct nonpreemptive level; /* ahead: its own jobs, then others in order; until: the rest, and stops */
	struct fp_cost *costs;      /* of these, in the same order */
	int count;
};

/* The parts of what a job costs, as its term has them. */
enum fp_part { FP_MAKESPAN, FP_DEPENDENCY, FP_WASTE, FP_AGAIN, FP_BROKEN, FP_PARTS };

#endif
