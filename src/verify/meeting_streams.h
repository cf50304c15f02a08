/* Sums over the streams whose work may be on the SMs together with that of a stream.
 *
 * Requires: a number of each stream, NONE: not known, below 0: it has none and does not count.
 * Provides: of each stream the sum of the numbers of those that it may meet; -1: none of them counts. One pass: a sum is that of all,
 *           less what does not meet it.
 * Fails:    a sum of what is not known, or beyond 64 bits, is NONE.
 */
#ifndef VERIFY_MEETING_STREAMS_H
#define VERIFY_MEETING_STREAMS_H

#include "verify/check.h"

/* on_one_sm: of those that it may meet there. */
int64_t *meeting_sums(struct check *check, const int64_t *of_stream, bool on_one_sm);

#endif
