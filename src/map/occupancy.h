/* How many blocks of a kernel an SM holds.
 *
 * Requires: a kernel with threads given (scope block, or scope grid with resources); platform limits of its compute capability.
 * Provides: the demand in allocation units; blocks an SM by each resource and which one binds; Eq. 1's percentage per resource;
 *           two occupancies: the greatest (resources fungible: for C_K, lower bounds, residents) and the least that fragmentation
 *           leaves when kernels with other demands mix on the SM (for M_K).
 * Source:   hardware.md 6 (cuda_occupancy.h); theory.md 6.9 as theory-review.md V8-V10 mends it; RTAS'20 Eq. 1.
 * Fails:    a limit the platform does not state is NONE, and so is what depends on it; a kernel that fits nowhere has greatest == 0.
 */
#ifndef MAP_OCCUPANCY_H
#define MAP_OCCUPANCY_H

#include "base/memory.h"
#include "model/taskset.h"

enum resource { RESOURCE_WARPS, RESOURCE_BLOCKS, RESOURCE_REGISTERS, RESOURCE_SHARED, RESOURCE_COUNT };
extern const char *const resource_names[]; /* "warps", "blocks", "registers", "shared" */

struct demand { /* of one block, rounded up to allocation units */
	int64_t warps, warp_registers, shared; /* registers of one warp; bytes with the reserve */
};

struct occupancy {
	struct demand demand;
	int64_t limit[RESOURCE_COUNT]; /* blocks an SM by this resource alone; NONE: unknown */
	enum resource binding;         /* the least of them, the first on ties */
	int64_t greatest;              /* n^max; 0: fits nowhere; NONE: unknown */
	int64_t least;                 /* n^min, set by occupancy_fragment; equals greatest when nothing mixes */
	enum resource least_binding;
	struct rational used[RESOURCE_COUNT]; /* share of the SM that `greatest` blocks take of each resource, 0..1 */
};

struct demand occupancy_demand(const struct platform *platform, const struct kernel *kernel);
struct occupancy occupancy_compute(const struct platform *platform, const struct kernel *kernel);

/* Sets `least`: others are the demands of the kernels that may be resident with or before this one in its context. With
 * fungible == true (A-FRAG granted) or when no demand differs, least = greatest. */
void occupancy_fragment(const struct platform *platform, struct occupancy *occupancy, const struct demand *others, int other_count, bool fungible);

#endif
