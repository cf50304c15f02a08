/* Whose threads may take their time between the operations that they issue.
 *
 * Requires: a validated task set.
 * Provides: before which operations a thread may take its time, so that those of a job come at instants of their own: up to its first host
 *           segment from its nominal release on and up to its actual one, and behind a host segment while that goes on, once its BCET has
 *           passed, or was executed on its core; and who may part what a job issues.
 * Source:   A-HOST: issue latency and its jitter are inside the release jitter; what a job issues to a stream is not parted there by what
 *           another one issues. On cores: A-CORE, [SUBMISSION].
 * Fails:    never.
 */
#ifndef SIMULATE_LINGERING_H
#define SIMULATE_LINGERING_H

#include "model/taskset.h"

/* By operation. None of tasks with work under a lock, whose threads take the time of their holds. Of a thread on a core, which cannot
 * hurry, none between two operations that are ordered by streams that another task uses, too. */
bool *lingering_find(struct arena *arena, const struct taskset *set);

/* [task][task]: do they use a stream both, or one the NULL stream and the other one beside it? What is issued amid the operations of such a
 * job would part them. */
bool *lingering_order(struct arena *arena, const struct taskset *set);

#endif
