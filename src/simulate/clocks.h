/* Which SMs share a clock, and so presumably a GPC, from the clocks that blocks read as they began.
 *
 * Requires: one reading an SM, of blocks that began at nearly the same time: closer, in cycles, than `tolerance`.
 * Provides: the group of each SM; groups are numbered by their lowest SM.
 * Source:   How the Fermi Thread Block Scheduler Works (seed 000), 7.1: clock64() differs from GPC to GPC and agrees inside one.
 * Fails:    clocks_group returns 0 where readings do not fall apart into groups: two of them are closer than the tolerance to a third, but
 *           not to one another.
 */
#ifndef SIMULATE_CLOCKS_H
#define SIMULATE_CLOCKS_H

#include "base/memory.h"

#include <stdint.h>

struct clock_reading {
	int sm;
	int64_t cycles;
};

/* gpc_of: by reading. The number of groups, or 0. */
int clocks_group(struct arena *arena, const struct clock_reading *readings, int count, int64_t tolerance, int *gpc_of);

#endif
