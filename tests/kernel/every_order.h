/* Every order in which the units of a small SM may serve warps: the longest that a block can take.
 *
 * Requires: places with the kernel each holds, one block after the other; of a kernel its warps a block and the ways that each of them may
 *           take; classes as in warps/issue.h; at most EVERY_WARPS warps in all. The block looked at is of the first place.
 * Provides: its greatest response over all of: which blocks began before it, up to `before` cycles, and which begin later, whenever there
 *           is room; in which sub-partition their first warp is; which way each warp goes; who of those that the policy does not tell
 *           apart issues first (warps of one block, or that are ready for the same time). A slot or unit that a ready warp wants is used.
 * Where so many other blocks are all that come, whoever is ready may issue first. Source:   [WCET]. Fails:    -1: more than `states`
 * states.
 */
#ifndef TESTS_KERNEL_EVERY_ORDER_H
#define TESTS_KERNEL_EVERY_ORDER_H

#include "warps/issue.h"

#define EVERY_WARPS 6
#define EVERY_PLACES 4
#define EVERY_UNITS 3
#define EVERY_PARTITIONS 2
#define EVERY_WAYS 3

struct every_kernel {
	const struct issue_class *classes;
	int warps, way_count;
	struct warp_trace ways[EVERY_WAYS];
};

struct every_system {
	int partitions, place_count, before;
	enum issue_policy policy;
	const struct every_kernel *places[EVERY_PLACES];
	size_t states;
	int others; /* blocks in all but its own; 0: without end */
};

long every_order(const struct every_system *system);

#endif
