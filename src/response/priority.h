/* FP: the context as a server with fixed priorities, each of whose tasks is one kernel.
 *
 * Requires: a workload of one context without time slices; A-HOL, A-WC, A-PRIO where there are levels.
 * Provides: for each segment the longest time from release to completion, over all jobs of a busy interval of its level, or why there is
 *           none. Releases count as they are: no jitter is inherited, as nothing is before a task's only kernel.
 * Source:   [FP], [UNI]; Davis, Burns, Bril, Lukkien, Real-Time Systems 35 (2007).
 * Fails:    a busy interval past the horizon, or a load of one or more of the levels that count: no bound.
 */
#ifndef RESPONSE_PRIORITY_H
#define RESPONSE_PRIORITY_H

#include "response/busy.h"
#include "response/level.h"

/* What a job of a segment costs one of a level. */
struct priority_cost {
	int segment;                                                /* NO_ID: a stop */
	int64_t makespan, dependency, waste, again, broken, length; /* length: of a stop */
};

/* What a segment's value was found with, for whoever explains it. */
struct priority_basis {
	struct level level;          /* ahead: the segment's own jobs; until: of others, and stops */
	struct priority_cost *costs; /* of these, in the same order */
	int count;
};

/* result: one a segment. Returns one a segment; NULL where it does not apply. */
const struct priority_basis *priority_compute(const struct workload *workload, const struct map *map, struct busy *result);

#endif
