/* Kernels that meet badly: which joins which on its SM, and which shuts which out of its SM.
 *
 * Requires: a map.
 * Provides: for each kernel how many others do so, and the first of them in the task set's order.
 * Source:   [SAME-SM], [MOST-ROOM] (room, with all resources); [HOPPER] P6, P7 (shared-memory configurations of Hopper).
 */
#ifndef MAP_PAIRS_H
#define MAP_PAIRS_H

#include "map/map.h"

struct tally {
	int count;
	const struct operation *first; /* NULL: none */
};

struct pairs {
	struct tally joins;       /* kernels whose SM its blocks join although others are idle */
	struct tally shut_out_by; /* kernels whose SMs it can not enter while they are busy */
	struct tally shuts_out;   /* kernels that can not enter its SMs */
	int64_t target;           /* bytes of shared memory an idle SM is configured to for it; NONE: no rule is known */
};

/* One an operation of the task set, in its order. */
struct pairs *pairs_count(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map);

void tally_add(struct tally *tally, const struct operation *operation);

#endif
