/* What one block of a kernel takes of an SM, computed once a kernel.
 *
 * Requires: limits; a kernel whose threads are known.
 * Provides: the demand in allocation units, packed for the arithmetic of placement/sm.c; how many blocks an idle SM holds; the
 *           shared-memory configuration that the kernel gives an idle SM and the least one it needs of a busy SM.
 * Source:   [HW-OCCUPANCY]; [HOPPER] P3 to P7.
 * Fails:    shape_init returns false where a block fits on no SM.
 */
#ifndef PLACEMENT_SHAPE_H
#define PLACEMENT_SHAPE_H

#include "placement/sm_limits.h"
#include "model/taskset.h"

/* floor(n / divisor) for n < 2^16 as (n * reciprocal) >> 32; divisor 0 has reciprocal 0 and must not be asked. */
struct divisor {
	uint64_t reciprocal;
	int divisor;
};

static inline int divide(struct divisor by, int n)
{
	return (int)((uint64_t)n * by.reciprocal >> 32);
}

struct shape {
	int warps;                /* a block */
	struct divisor registers; /* units a warp; 0: not limited */
	struct divisor shared;    /* units a block, the reserve included; 0: none */
	int per_sm;               /* blocks that an idle SM holds, configured for this kernel */
	/* where the platform's SMs have a shared-memory configuration: */
	int target; /* what an idle SM gets from this kernel, in units */
	int need;   /* a busy SM must have at least this; 0: any */
	int most;   /* and at most this; UNLIMITED: any */
	/* placing from part p: lanes to take, and the part the next block starts on */
	uint64_t take_warps[PARTS_MOST], take_registers[PARTS_MOST];
	int next[PARTS_MOST];
	int period;                  /* after this many blocks every part has taken the same ... */
	struct divisor period_warps; /* ... number of warps */
};

bool shape_init(struct shape *shape, const struct sm_limits *limits, const struct kernel *kernel);

/* Would a busy SM of this configuration take a block, if it had room? */
static inline bool shape_admits(const struct shape *shape, int configuration)
{
	return configuration >= shape->need && configuration <= shape->most;
}

/* placement/configuration.c: sets target, need and most from the rest of the shape, and corrects per_sm to what the target holds. */
void configuration_set(struct shape *shape, const struct sm_limits *limits, const struct kernel *kernel);

#endif
