/* What the operations of one foreign stream can cost a run of own operations, as they come in the stream's order.
 *
 * Requires: classes with their jitters and responses of the last round; for all calls of the same classes the same kernels, copies.
 * Provides: the heaviest alignment of the run with the operations that the stream can have outstanding in a window of that length: an
 *           instance delays only if it is on the engine of an own operation as that arrives, and later own operations meet later
 *           instances; each counts once. NONE: nothing better than the number of own operations on each engine is known.
 * Source:   [IN-ORDER].
 */
#ifndef RESPONSE_IN_ORDER_H
#define RESPONSE_IN_ORDER_H

#include "response/context_operations.h"

#include "model/limits.h"

struct in_order_run { /* of one chain's operations */
	const struct classes *classes;
	const struct class *items;
	int count;
	bool kernels; /* foreign kernels of the run's level cost their makespans */
	bool copies;  /* foreign copies are served in order */
};

/* NONE where one of the chains has more than LIMIT_ALIGNED operations. */
int64_t in_order_charge(const struct in_order_run *run, int stream, int64_t window);

/* The same of every run first..last of a whole chain, [first * count + last], where no operation comes twice. table: zeroes. */
void in_order_charge_once(const struct in_order_run *chain, int stream, int64_t *table);

/* Who meets whom in it: terms that come to in_order_charge. */
void in_order_terms(const struct in_order_run *run, int stream, int64_t window, struct terms *terms);

#endif
