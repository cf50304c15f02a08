/* FP: the context as a server with fixed priorities, each of whose tasks is one kernel.
 *
 * Requires: a workload of one context without time slices; A-HOL, A-WC, A-PRIO where there are levels.
 * Provides: for each segment the longest time from release to completion, over all jobs of a busy interval of its level, or why there is
 *           none. Releases count as they are: no jitter is inherited, as nothing is before a task's only kernel.
 * Source:   theory.md 6.4, UNI; Davis, Burns, Bril, Lukkien, Real-Time Systems 35 (2007); doc/theory.md, fixed priorities.
 * Fails:    a busy interval past the horizon, or a load of one or more of the levels that count: no bound.
 */
#ifndef RESPONSE_PRIORITY_H
#define RESPONSE_PRIORITY_H

#include "response/busy.h"

/* result: one a segment. */
void priority_compute(const struct workload *workload, const struct map *map, struct busy *result);

#endif
