/* A random task set in the place of a stated one: other periods and execution times, the same design.
 *
 * Requires: a task set as it was read, of which drawn_fits says nothing; its map, which does not depend on what is drawn.
 * Provides: the set with drawn periods and times; and the same as changes of the stated set's text, so that it can be written down.
 *           Each task with work on the GPU has a period of its own, and of two of different levels the higher one has no longer period; its
 *           deadline changes with it. The times of its operations on the GPU have the proportions that are stated, and their sum is no more
 *           than its drawn utilisation of its period: of a kernel with times of blocks as many times that as it has waves alone.
 * Source:   study/utilisations.h.
 * Fails:    drawn_set: NULL where no utilisations were found.
 */
#ifndef STUDY_DRAWN_SET_H
#define STUDY_DRAWN_SET_H

#include "map/map.h"
#include "study/utilisations.h"

struct set_draw {
	enum shares_by by;
	int64_t total;       /* of all utilisations, in parts of SHARES_WHOLE */
	int64_t least, most; /* of one, likewise */
	int64_t period_least, period_most, period_step;
	uint64_t seed;
};

/* NULL, or why nothing can be drawn in its place. */
const char *drawn_fits(struct arena *arena, const struct taskset *set, const struct map *map);
int drawn_tasks(const struct taskset *set); /* how many have work on the GPU */

const struct taskset *drawn_set(struct arena *arena, const struct taskset *set, const struct map *map, const struct set_draw *drawing);

/* "--set=TARGET=VALUE", as input_wishes has them, for all that differs. */
const char *const *drawn_changes(struct arena *arena, const struct taskset *stated, const struct taskset *drawn, int *count);

#endif
