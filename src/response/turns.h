/* What else takes turns on the execution engine, or shares copy engines, and what each can want.
 *
 * Requires: the serial bounds VOL-P, P and P-GPU of every context; for who may rest on them, H's of every segment.
 * Provides: the entries of the runlist with the demand of their jobs: makespans and drain waste, or volumes for bounds that rest on no
 *           order; copies on engines that contexts share. A job is there for as long as its context's least serial bound says, or H of its
 *           segment; an entry of a context for which neither says it, or where makespans cannot be added up, may want every turn.
 * Source:   [TURNS].
 * Fails:    a number that is not known: a reason for each context that needs it.
 */
#ifndef RESPONSE_TURNS_H
#define RESPONSE_TURNS_H

#include "response/workload.h"
#include "response/supply.h"

struct turns {
	struct entries entries;
	int engines;                       /* of copies: numbers from 0 up to this */
	const struct bound_answer **bound; /* [context]: how long its jobs are there; NULL: nobody says */
	int step;                          /* STEP_ABSENT: contexts have nothing to share */
	uint64_t assumptions;
};

/* answers: [bound][context]. */
const struct turns *turns_build(const struct workload *workload, bool volume, struct bound_answer *const *answers);

/* By makespans, with the bounds of segments, too; the serial ones' turns where H says of no segment that its jobs are gone earlier. */
const struct turns *turns_shorten(const struct workload *workload, const struct turns *serial, struct bound_answer *const *answers);

/* The two supplies of a context; the reason why there is none, or NULL. */
const char *turns_supply(
	const struct workload *workload, const struct turns *turns, int context, struct supply *kernels, struct supply *copies);

#endif
