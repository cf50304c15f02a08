/* How many SMs kernels may use, said again from the inputs.
 *
 * Requires: the inputs of a report.
 * Provides: the SMs that the kernels of a stream may have blocks on: those of its partition, else all of the chip; for a context the fewest
 *           that a stream with kernels has; as a fact, the number that the platform or the task set states. NONE, or no fact, where it
 *           states none.
 * Source:   [MODEL], [PARTITIONS].
 * Fails:    never.
 */
#ifndef VERIFY_USABLE_SMS_H
#define VERIFY_USABLE_SMS_H

#include "verify/operation_cost.h"

int64_t sms_of_stream(const struct check *check, int stream);
int64_t sms_of_context(const struct work *work, int context);
bool sms_are_partitions(const struct work *work, int context); /* not all of the chip */
struct fact sms_fact_of_stream(const struct work *work, int stream);
struct fact sms_fact_of_context(const struct work *work, int context);

#endif
