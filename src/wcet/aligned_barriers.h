/* Do all warps of a block come to each barrier in the same turns of the loops around it?
 *
 * Requires: a flow, its loops and its uniformity.
 * Provides: true where every barrier stands on every path through the program, and around it only loops that are natural, declared or
 *           proved uniform, left from one block, and pass the barrier, or the loop with it, in every turn; or where no barrier stands
 *           between a branch that warps of a block may leave differently and the point where all its ways meet. Then the k-th arrival
 *           of every warp is at the same barrier in the same turn of each loop. True without barriers.
 * Source:   [WCET-LEAVING], [WCET-DETOURS].
 * Fails:    never; false is the safe answer.
 */
#ifndef WCET_ALIGNED_BARRIERS_H
#define WCET_ALIGNED_BARRIERS_H

#include "wcet/uniformity.h"

bool barriers_exist(const struct program *program);
bool barriers_aligned(const struct flow *flow, const struct loops *loops, const struct uniformity *uniformity);

#endif
