/* Kernels and copies that slow each other, charged once.
 *
 * Requires: work, and the same work as if engines did not slow each other.
 * Provides: what a job costs by what each operation takes alone, with weights y of kernels and z of copies, y / F + z / F' >= 1, where F and
 *           F' are the greatest factors of the two; what copies may add to the time of kernels beside them.
 * Source:   [ONCE].
 * Fails:    never; what is not known stays that.
 */
#ifndef VERIFY_ONCE_H
#define VERIFY_ONCE_H

#include "verify/bounds.h"

struct weighed {
	const struct work *apart;
	struct factor kernels, copies; /* y, z */
	struct factor beside;          /* F' (1 - 1 / F) */
	uint64_t assumptions;          /* of F and F' */
};

struct weighed weighed_corner(struct work *work, const struct work *apart, bool first); /* first: y = 1, else z = 1 */
struct fact weighed_cost(const struct weighed *weighed, const struct part *part);
struct fact weighed_beside(const struct weighed *weighed, const struct part *part);

#endif
