/* What each chain of tasks hands on in a run: registers and queues, and how old what comes out is.
 *
 * Requires: releases and completions of jobs as they happen; a job is known by an index that no other job has while it is there.
 * Provides: for each chain the longest reaction and the greatest age, full and reduced, and the most that each of its queues held. A job
 *           reads as it is released or as it is complete, which is drawn; it writes when it is complete. It counts from when all tasks of
 *           the chain have been released until one is for the last time.
 * Source:   [CAUSE-EFFECT], [DATA-QUEUE].
 * Fails:    never.
 */
#ifndef SIMULATE_DATA_FLOW_H
#define SIMULATE_DATA_FLOW_H

#include "base/memory.h"
#include "model/taskset.h"

struct simulate_chain { /* the greatest that was seen; 0: nothing */
	int64_t reaction, reduced_reaction, age, reduced_age;
	int64_t *backlogs; /* by task of the chain: values in the queue before it */
};

struct data_flow;

/* chains: of the set, filled from then on. */
struct data_flow *data_flow_create(struct arena *arena, const struct taskset *set, uint64_t seed, struct simulate_chain *chains);
/* last: the task has no further job. */
void data_flow_release(struct data_flow *flow, int task, int job, int64_t now, bool last);
void data_flow_complete(struct data_flow *flow, int task, int job, int64_t now);

/* Of its kind: what its bound is of. */
int64_t simulate_chain_observed(const struct simulate_chain *seen, const struct end_to_end *chain);

#endif
