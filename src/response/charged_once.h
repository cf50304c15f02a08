/* Kernels and copies that slow each other are charged once: as a delay or as what slows, whichever is worse.
 *
 * Requires: a map; the inflation with everything beside everything.
 * Provides: costs as if copy engines and the execution engine did not slow each other, and weights y of kernels and z of copies such that
 *           in a busy interval y (sum of kernels) + z (sum of copies) is no less than the time in which either is busy: the corners of
 *           y >= 1, z >= 1, y / F + z / F' >= 1. None where nothing is gained or something is not known.
 * Source:   [ONCE].
 */
#ifndef RESPONSE_CHARGED_ONCE_H
#define RESPONSE_CHARGED_ONCE_H

#include "response/operation_cost.h"

struct charged_once {
	const struct costs *costs;
	struct rational kernels, copies; /* y, z */
	struct rational beside;          /* F' (1 - 1 / F): by so much of v at most kernels take longer */
	int kernels_step, copies_step, beside_step;
	uint64_t assumptions; /* that the weights rest on */
};

#define ONCE_CORNERS 2

/* How many there are. */
int charged_once_find(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct inflation *inflation, struct derivation *derivation, struct charged_once corners[ONCE_CORNERS]);

#endif
