/* Bounds on integer programs that are tighter than rounding down the linear one's.
 *
 * Requires: a program whose columns all have upper limits.
 * Provides: an upper bound on the maximum over integer points, by branch and bound: a node is closed only because its certified bound
 *           (certificate.h) is no more than a point that was checked, or because a row cannot hold within the limits of its columns, added
 *           up in integers. What is open when the nodes run out counts with its certified bound; a point is never taken for a bound.
 * Source:   [BRANCH] (b); Land and Doig, Econometrica 28, 1960.
 * Fails:    the value is NONE where lp_bound's is.
 */
#ifndef LP_BRANCH_H
#define LP_BRANCH_H

#include "lp/lp.h"

#include <stdbool.h>

struct lp_integer {
	int64_t value;  /* no integer point has more */
	int64_t best;   /* a checked point has this; -1: none was found with 0 or more */
	int64_t *point; /* column_count of them, with `best` */
	int64_t root;   /* the linear program's bound, rounded down */
	int nodes;
};

struct lp_integer lp_branch(const struct lp *lp, const struct lp_limits *limits, int most_nodes);

#endif
