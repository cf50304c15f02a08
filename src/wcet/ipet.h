/* The costliest path by implicit path enumeration.
 *
 * Requires: a flow, its loops, its divergence; a weight for each execution of a block and for each event of the divergence stack.
 * Provides: an upper bound on the weight of every execution by one warp, with the multipliers that certify it: the solver's, or those of the
 *           closed form where these prove less, as where the solver fails; where the linear program's
 *           answer has whole counts that reach the bound, those counts, which are then a worst path.
 * Source:   Li and Malik, DAC 1995: maximise the sum of weight * count under flow conservation, loop bounds relative to entries, and
 *           facts. Rows: an edge's flow f; a block's arrivals = its departures; cut edges of a loop <= bound * entries, and where it
 *           is known how often it comes back in all turns of the loop around it, <= that * entries of that one: [NESTED-TURNS]. A
 *           fork's departures are each at most, and together at most groups times, its arrivals, and where they meet the warp arrives
 *           as often as at the fork. [LP-CERTIFICATE] (certificate).
 * Fails:    value NONE: beyond 64 bits; infeasible: the solver claims that the facts leave no path.
 */
#ifndef WCET_IPET_H
#define WCET_IPET_H

#include "wcet/divergence.h"
#include "lp/lp.h"

struct ipet_weights {
	const int64_t *block; /* of each block; >= 0 */
	int64_t divergence;   /* a group splits off */
	int64_t split;        /* a fork, or a loop with a divergent exit, is entered */
};

struct ipet_result {
	int64_t value;  /* of the linear program, certified */
	int64_t closed; /* in closed form; NONE: there is none */
	struct lp lp;
	struct lp_dual dual; /* lp_certify(lp, dual) is the value */
	enum lp_status status;
	int first_loop;              /* the row of loop 0; one a loop, in the order of loops.h; then those of nests, in the program's */
	const int64_t *block_counts; /* a worst path, or NULL */
	const int64_t *edge_counts;
};

struct ipet_result ipet_solve(const struct flow *flow, const struct loops *loops, const struct divergence *divergence,
	const struct ipet_weights *weights, bool with_facts, const struct lp_limits *limits);

#endif
