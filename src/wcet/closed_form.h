/* The costliest path in closed form, loop by loop, with what proves it of the linear program.
 *
 * Requires: a flow, its loops, a weight for each execution of a block.
 * Provides: an upper bound on the weight of every execution of a program in which no warp splits, without a solver and without flow
 *           facts. A loop entered once costs bound times its costliest pass back to the header, and a pass out of it. Exact where
 *           loops are natural; where a loop has several entries each pass may begin at any of them. `spent` of a block, the greatest
 *           weight from the beginning to its end, and `turn` of a loop, its costliest pass back to the header, are multipliers of the
 *           linear program that prove the bound: [CLOSED-FORM].
 * Source:   the graph is acyclic once each loop is one node: longest paths in the order that loops.h gives.
 * Fails:    NONE: beyond 64 bits.
 */
#ifndef WCET_CLOSED_FORM_H
#define WCET_CLOSED_FORM_H

#include "wcet/loops.h"

struct closed_form {
	int64_t value;
	const int64_t *spent, *turn; /* of each block; of each loop */
};

struct closed_form closed_form(const struct flow *flow, const struct loops *loops, const int64_t *weights);

#endif
