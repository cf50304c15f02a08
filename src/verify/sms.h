/* How many SMs kernels may use, said again from the inputs.
 *
 * Requires: the inputs of a report.
 * Provides: the SMs that the kernels of a stream, or of any stream of a context, may have blocks on: so far all of the chip; as a fact,
 *           the number that the platform states. NONE, or no fact, where it states none.
 * Source:   [MODEL].
 * Fails:    never.
 */
#ifndef VERIFY_SMS_H
#define VERIFY_SMS_H

#include "verify/work.h"

int64_t sms_of_stream(const struct check *check, int stream);
int64_t sms_of_context(const struct check *check, int context);
struct fact sms_fact_of_stream(const struct work *work, int stream);
struct fact sms_fact_of_context(const struct work *work, int context);

#endif
