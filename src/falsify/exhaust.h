/* Small systems run in every way: the worst response of one job each, to see how tight the bounds are.
 *
 * Requires: a subject.
 * Provides: a hunt over all durations of all blocks, copies and host segments, in whole nanoseconds, all phases of 0 to 3 ns and a few
 *           orders of placement, for at most 3 streams of one context, 8 blocks, durations up to 4 ns.
 * Source:   [EXACT-WORST], [TEN-TESTS] 1.
 * Fails:    false, with nothing done, where the system is not that small.
 */
#ifndef FALSIFY_EXHAUST_H
#define FALSIFY_EXHAUST_H

#include "falsify/hunt.h"

#define EXHAUST_STREAMS 3
#define EXHAUST_BLOCKS 8
#define EXHAUST_LONGEST 4
#define EXHAUST_RUNS 60000

bool exhaust_run(struct hunt *hunt, const struct subject *subject);

#endif
