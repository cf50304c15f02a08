/* Whose threads may take their time between the operations that they issue.
 *
 * Requires: a validated task set.
 * Provides: before which operations a thread may take its time, so that those of a job come at instants of their own: up to its first host
 *           segment from its nominal release on and up to its actual one, and behind a host segment while that goes on, once its BCET has
 *           passed, or was executed on its core.
 * Source:   A-HOST: issue latency and its jitter are inside the release jitter; what a job issues to a stream is not parted there by what
 *           another one issues. On cores: A-CORE, [SUBMISSION].
 * Fails:    never.
 */
#ifndef SIMULATE_LINGERING_H
#define SIMULATE_LINGERING_H

#include "model/taskset.h"

/* By operation. None of tasks with work under a lock or one that holds the GPU. Where they share a stream with others, or others have work
 * on the NULL stream beside theirs, or they beside others', none that is between two of theirs that are ordered by their streams, as
 * others' jobs could come between. */
bool *lingering_find(struct arena *arena, const struct taskset *set);

#endif
