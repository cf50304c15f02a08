/* Threads on cores: by how much others delay a host segment, in a fixed point with the responses on the GPU.
 *
 * Requires: a map; a task set as it was read.
 * Provides: the task set with what was found out (core_times): for host segments of tasks with a core how much longer than its WCET one
 *           may take, for these tasks the response that the delays of others rest on.
 * Source:   [CORES], [SUSPENSION], [FIRST-VIOLATION].
 * Fails:    a task whose jobs may overlap, or that has no bound, has no delays, nor has any task that it may keep from its core; reasons
 * say why.
 */
#ifndef RESPONSE_CORES_H
#define RESPONSE_CORES_H

#include "map/map.h"

const struct taskset *cores_settle(
	struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map, int solver_iterations);

#endif
