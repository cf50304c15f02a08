/* Inflation and responses together: blocks that copies slow only while they run.
 *
 * Requires: a map; an empty derivation.
 * Provides: inflation and responses. Where the factor of a block is smaller while the copy engines are idle, and every task that copies
 *           beside it has a response, the block's WCET counts how long these copies run at most (5.2); responses follow from such WCETs and
 *           such WCETs from responses, until neither changes: what is derived confirms what it claims.
 * Source:   [COPIES-BESIDE].
 * Fails:    under time slices, or with stops, a block's residence on the time line is longer than its WCET: then, and where the rounds do
 *           not end, each block has its whole factor.
 */
#ifndef RESPONSE_ANALYSIS_H
#define RESPONSE_ANALYSIS_H

#include "response/response.h"

struct analysis {
	struct inflation *inflation;
	struct response *response;
};

/* diagnostics: may be NULL. */
struct analysis analysis_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics);

/* The same without some refinements: a sum of enum refinement. */
struct analysis analysis_compute_without(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics, int without);

/* The least e with e = ceil(C F') + ceil((1 - F'/F) min(e, B(e))), B(e) the time in which copies of other streams run in a window of this
 * length when each task's job responds within responses[task]; NONE: not less than `full`, or not known. */
int64_t analysis_beside_copies(const struct platform *platform, const struct taskset *set, const struct inflation *inflation, int operation,
	const int64_t *responses);

#endif
