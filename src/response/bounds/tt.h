/* TT: tasks of known phases, all orders in which their jobs can reach the engines over a hyperperiod.
 *
 * Requires: a workload of one context without time slices, every segment a chain on one stream, tasks that share a stream of one segment;
 *           periodic tasks with offsets; no stops.
 * Provides: for each segment of a task, together with its others, the time from nominal release to completion, or why there is none. The
 *           last segment of a task answers for all of them.
 * Source:   [TT], [TT-STEADY] (TT-1 is the case in which only one order is possible).
 * Fails:    too many jobs or states, an unending backlog: no bound.
 */
#ifndef RESPONSE_BOUNDS_TT_H
#define RESPONSE_BOUNDS_TT_H

#include "explore/explore.h"
#include "response/context_operations.h"

/* What the exploration says of every job, for whoever explains it. */
struct tt_job {
	int segment;
	int64_t release, complete; /* nominal; the latest */
	int first, last;           /* its operations, by the exploration's numbers */
};

struct tt_basis {
	struct tt_job *jobs;
	int count;
	int *worst; /* [segment]: the job that responds latest; NO_ID: not the last segment of its task */
	const struct explore *explore;
	const struct classes *classes;
	bool blocks; /* are followed one by one */
};

/* The operation of the task set, and its job, that a number of the exploration stands for. */
int tt_operation(const struct tt_basis *basis, int number, const struct tt_job **job);

#endif
