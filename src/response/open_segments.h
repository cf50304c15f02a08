/* Segments without a value: nothing bounds how often their operations come.
 *
 * Requires: classes; what copies of other contexts can want.
 * Provides: marks a chain as one without a value: its operations may come in any number and as late as they like, one at a time (A-ONE);
 *           and says why, naming another one without a value that it rests on, if there is one. What rests on what: each on those of its
 *           stream, on earlier segments of its task and on those that record its events; kernels on kernels of higher levels, in a bound
 *           by volume on all; copies that are not served in order on the copies of their engine. Lower levels delay by one block, the
 *           same level by one operation of each stream for each own one, however often they come.
 * Source:   [OPEN].
 */
#ifndef RESPONSE_OPEN_SEGMENTS_H
#define RESPONSE_OPEN_SEGMENTS_H

#include "response/context_operations.h"
#include "response/supply.h"
#include "response/workload.h"

struct open_rules {
	const struct workload *w;
	struct classes *classes;
	bool volume, fifo_copies;
	const struct supply *copies;
};

/* otherwise: the reason where it rests on no other one without a value. */
void open_chain(const struct open_rules *rules, struct chain_of_classes *chain, const char *otherwise);

#endif
