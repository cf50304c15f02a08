/* Kernels of which only the whole time is known, beside kernels of other streams.
 *
 * Requires: a map; costs, which may lack numbers.
 * Provides: the one of a context that is charged most beyond its time, whatever is declared; how many times that.
 * Source:   [SCOPE-GRID].
 * Fails:    never: NO_ID where there is none.
 */
#ifndef RESPONSE_WHOLE_KERNELS_H
#define RESPONSE_WHOLE_KERNELS_H

#include "map/map.h"
#include "response/operation_cost.h"

#define WHOLE_KERNELS_WORTH 2 /* times its time: what is charged more is worth a word */

struct whole_kernel {
	int operation; /* of the task set; NO_ID: none */
	int64_t times; /* its time, by the slots that others may leave it; rounded down */
};

struct whole_kernel whole_kernels_worst(
	const struct platform *platform, const struct taskset *set, const struct costs *costs, const struct map *map, int context);

#endif
