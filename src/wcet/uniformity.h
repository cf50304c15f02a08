/* Which branches of disassembled code split no warp, and which all warps of a block pass alike.
 *
 * Requires: a flow and its loops; instructions with what they read and write.
 * Provides: of each block with several ways on, how alike the threads are that come to its end: those that execute it together take one way
 *           (ALIKE_WARP), or all threads of a block do that come to it in the same turn of each loop around it (ALIKE_BLOCK). Found by
 *           assuming it of all branches and taking it back where a value that decides may differ, until nothing changes.
 * Source:   [UNIFORM].
 * Fails:    never: a branch of which nothing is known splits warps.
 */
#ifndef WCET_UNIFORMITY_H
#define WCET_UNIFORMITY_H

#include "wcet/loops.h"

enum alike { ALIKE_NOT, ALIKE_WARP, ALIKE_BLOCK };

struct uniformity {
	enum alike *branches; /* of a block; ALIKE_NOT where the program has no instructions */
	/* NULL likewise. Of a block: uniform cells that another part of a warp may write meanwhile; do threads of a warp come to it apart?
	 * Of an instruction: cells that threads which meet there may have written apart. */
	const struct cells *overwritten, *merged;
	const bool *split;
};

void uniformity_find(struct uniformity *uniformity, const struct flow *flow);
/* Is every way out of the loop decided alike by all warps of a block? */
bool uniformity_of_loop(const struct uniformity *uniformity, const struct flow *flow, const struct loops *loops, int loop);
/* Does it only end some threads: all ways on but one lead to the end? */
bool uniformity_is_exit(const struct flow *flow, int block);

#endif
