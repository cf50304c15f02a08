/* How many blocks of other kernels may be beside one block: counted again.
 *
 * Requires: residents.
 * Provides: for a kernel that others may share an SM with: the most foreign blocks on the chip; on its SM the closed form, and where the
 *           platform's factors depend on that number the exact maximum over all kernels of other streams, found by trying.
 * Source:   [ENVIRONMENT].
 * Fails:    NONE is any number. most is NONE where nobody asks for it, or where there is too much to try.
 */
#ifndef VERIFY_REACHABLE_H
#define VERIFY_REACHABLE_H

#include "verify/resident.h"

struct neighbours {
	int64_t chip, closed, most;
	bool asked; /* the report has to say which of the two it uses */
};

struct besides { /* by stream, sums over those that it may meet of the most that one operation of each has */
	const int64_t *chip, *on_one_sm;
};

struct besides reachable_sum(struct check *check, const struct resident *residents);
struct neighbours reachable_find(struct check *check, const struct resident *residents, const struct besides *besides, int operation);

#endif
