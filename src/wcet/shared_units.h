/* What blocks of a kernel, one after the other in one place, can keep of the units that an SM shares.
 *
 * Requires: the kernel's costs and program; whether its warps may split; the costs of the kernel whose warps wait for the units.
 * Provides: a share and a burst: in t cycles from the beginning of a block on, instructions longer than `than` keep units of the SM that may
 *           be waited for during at most share t + burst. A block of the program takes at least its instructions' least times (a
 *           latency is what one takes at most, which a hit in a cache does not), and one of them is passed in part; where warps
 *           split, an instruction each in its place.
 *           And the time of which all but such a part is known.
 * Source:   [WCET-BESIDE].
 * Fails:    no value where it does not fit, and the time is NONE where they may keep the units for ever.
 */
#ifndef WCET_SHARED_UNITS_H
#define WCET_SHARED_UNITS_H

#include "base/rational.h"
#include "wcet/instruction_costs.h"

struct shared_units {
	struct rational share;
	int64_t burst;
};

struct shared_units shared_units_find(const struct instruction_costs *costs, const struct program *program, bool splits,
	const struct instruction_costs *waiting, int64_t than);

/* The greatest t that is at most cycles + burst + share t. */
int64_t shared_units_add(int64_t cycles, const struct shared_units *supply);

#endif
