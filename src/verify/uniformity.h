/* Which branches keep a warp's threads, or a block's, together. Private to the verification.
 *
 * Provides: of each block 2 where all threads of a block that come to its end go the same way, 1 where those of a warp do that execute it
 *           together, else 0; 2 where there is one way on. What may differ is spread from where it comes from to all that use it.
 * Fails:    NULL beyond UNIFORMITY_ROUNDS rounds. */
#ifndef VERIFY_UNIFORMITY_H
#define VERIFY_UNIFORMITY_H

#include "verify/program_graph.h"

#define UNIFORMITY_ROUNDS 60

/* meets(context, block): the nearest block that all ways from it pass, or their number. */
typedef int (*uniformity_meets)(void *context, int block);

struct uniformity_apart {
	const struct cells *others;   /* of a block: uniform cells that another part of the warp may write meanwhile */
	const struct cells *gathered; /* of an instruction: cells in which threads that meet there may differ */
	const bool *parted;           /* of a block: threads of a warp may come to it apart */
};

const int *uniformity_read(
	struct arena *arena, const struct code *code, uniformity_meets meets, void *context, struct uniformity_apart *apart);
bool uniformity_only_ends(const struct code *code, int block); /* all ways but one lead to the end */

#endif
