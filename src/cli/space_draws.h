/* Random task sets as points of a sweep: so many at each utilisation.
 *
 * Requires: the options of a sweep.
 * Provides: what is drawn at a point, its seed a hash of that and of the number of the set: so a point is the same in a longer list of
 *           utilisations, and two designs of as many tasks get the same utilisations and periods.
 * Source:   gpubound-sweep(1), study/drawn_set.h.
 * Fails:    draws_read: a usage error.
 */
#ifndef CLI_SPACE_DRAWS_H
#define CLI_SPACE_DRAWS_H

#include "cli/space_points.h"
#include "study/drawn_set.h"

struct draws {
	int64_t sets;      /* at each utilisation; 0: nothing is drawn */
	struct axis loads; /* utilisations, as text */
	int64_t count;     /* of all draws; 1 where nothing is drawn */
	struct set_draw drawing;
	const char *rest; /* what a seed follows from besides the point: how, from where to where, --seed */
};

bool draws_read(const struct arguments *arguments, struct draws *draws);

const char *draws_load(const struct draws *draws, int64_t draw);
int64_t draws_number(const struct draws *draws, int64_t draw); /* of the set at its utilisation */
struct set_draw draws_drawing(const struct draws *draws, int64_t draw, int tasks);

#endif
