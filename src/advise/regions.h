/* Every plan of a space, in an order: regions, which are plans that agree in processes, MPS and lock, and the plans in each.
 *
 * Requires: a space.
 * Provides: walks through the regions of a space and through one region; whoever walks may leave out what lies below a place, and stop. The
 *           task set as it stands is in no region. All plans where they are few enough.
 * Source:   gpubound-advise(1).
 * Fails:    never.
 */
#ifndef ADVISE_REGIONS_H
#define ADVISE_REGIONS_H

#include "advise/space.h"

#define ALL_GIVEN ADVISE_GROUPS

struct walk {
	const struct space *space;
	void *context;
	/* Is anything wanted that begins as this plan does: with the processes of the first `groups` groups, and in a region with the
	 * slices of the first `slices` processes? NULL: all is. */
	bool (*enter)(void *context, const struct plan *plan, int groups, int slices);
	bool (*take)(void *context, const struct plan *plan); /* a plan, or a region by one of its plans; false: no more of them */
	bool stopped;
};

void regions_walk(struct walk *walk);
void region_walk(struct walk *walk, const struct plan *region);

/* All plans, the task set's own first; count: how many. NULL: they are more than `most`. */
struct plan *regions_list(const struct space *space, int most, int *count);

#endif
