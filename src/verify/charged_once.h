/* Kernels and copies that slow each other, charged once.
 *
 * Requires: work, and the same work as if engines did not slow each other.
 * Provides: what a job costs by what each operation takes alone, with weights y of kernels and z of copies, y / F + z / F' >= 1, where F and
 *           F' are the greatest factors of the two; what copies may add to the time of kernels beside them.
 * Source:   [ONCE].
 * Fails:    weights that prove nothing are a difference; what is not known stays that.
 */
#ifndef VERIFY_CHARGED_ONCE_H
#define VERIFY_CHARGED_ONCE_H

#include "verify/claimed_bounds.h"

struct weighed {
	const struct work *apart;
	struct factor kernels, copies; /* y, z */
	struct factor beside;          /* F' (1 - 1 / F) */
	uint64_t assumptions;          /* of F and F' */
};

/* By the weights that the step of a segment's cost claims, which have to be valid. */
struct weighed charged_once_claimed(struct work *work, const struct work *apart, int cost);
struct fact charged_once_cost(const struct weighed *weighed, const struct part *part);
struct fact charged_once_beside(const struct weighed *weighed, const struct part *part);

#endif
