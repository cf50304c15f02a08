/* Random utilisations and periods, as studies of schedulability draw them.
 *
 * Requires: a generator of random numbers; utilisations in parts of SHARES_WHOLE, times in ns.
 * Provides: utilisations that sum to no more than a total, less than a part a task below it, uniform over all that keep within least and
 *           most; periods whose logarithm is uniform. Integers only: the same numbers on any machine.
 * Source:   [DRAWN]. UUniFast: Bini and Buttazzo, Measuring the performance of schedulability tests, Real-Time Systems 30, 2005; discard:
 *           Davis and Burns, Priority assignment for global fixed priority pre-emptive scheduling, RTSS 2009. Dirichlet-rescale: Griffin,
 *           Bate, Davis, Generating utilization vectors for the systematic evaluation of schedulability tests, RTSS 2020. Periods:
 *           Emberson, Stafford, Davis, Techniques for the synthesis of multiprocessor tasksets, WATERS 2010.
 * Fails:    shares_draw: false where there are no such utilisations, or none was found in SHARES_TRIES draws.
 */
#ifndef STUDY_UTILISATIONS_H
#define STUDY_UTILISATIONS_H

#include "base/random.h"

#define SHARES_WHOLE INT64_C(1000000000) /* a utilisation of 1 */
#define SHARES_TRIES 10000
#define SHARES_MOST 1000 /* tasks */

enum shares_by { SHARES_UUNIFAST, SHARES_DIRICHLET };

bool shares_draw(struct random *random, enum shares_by by, int count, int64_t total, int64_t least, int64_t most, int64_t *shares);

/* least, least + step, ... up to most; 0 < least <= most < 2^61, step > 0 */
int64_t period_draw(struct random *random, int64_t least, int64_t most, int64_t step);

#endif
