/* Whose threads may take their time between the operations that they issue.
 *
 * Requires: a validated task set.
 * Provides: of which tasks the operations of a job may come at instants of their own: up to its first host segment from its nominal release on and
 *           up to its actual one, and behind a host segment while that goes on, once its BCET has passed.
 * Source:   A-HOST: issue latency and its jitter are inside the release jitter; what a job issues to a stream is not parted there by what
 * another one issues. Fails:    never.
 */
#ifndef SIMULATE_LINGERING_H
#define SIMULATE_LINGERING_H

#include "model/taskset.h"

/* Not of tasks that share a stream or an event with others, or have the legacy default stream beside theirs, as other jobs could come
 * between; nor of those that begin with a host segment, a unit under a lock, or a core of their own, or that are part of a chain. */
bool task_may_linger(const struct taskset *set, const struct task *task);

#endif
