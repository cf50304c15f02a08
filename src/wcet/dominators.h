/* Which blocks every path passes.
 *
 * Requires: a flow.
 * Provides: of every node the nearest one that all paths from the entry to it pass (forwards), or that all paths from it to the end pass
 *           (backwards); nodes are the blocks and the end.
 * Source:   Cooper, Harvey and Kennedy, A simple, fast dominance algorithm, 2001.
 * Fails:    never.
 */
#ifndef WCET_DOMINATORS_H
#define WCET_DOMINATORS_H

#include "wcet/flow.h"

struct dominators {
	int root;
	int *nearest; /* the root's is itself */
	int *depth;   /* of the tree; the root's is 0 */
};

struct dominators dominators_find(const struct flow *flow, bool forwards);
bool dominators_hold(const struct dominators *tree, int above, int below); /* a node dominates itself */

#endif
