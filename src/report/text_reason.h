/* Why bounds have no value, for a reader.
 *
 * Requires: all bounds of one result.
 * Provides: a reason once, with the names of all bounds that have it, where the first of them stands.
 * Fails:    never.
 */
#ifndef REPORT_TEXT_REASON_H
#define REPORT_TEXT_REASON_H

#include "report/report.h"

bool text_same_reason(const struct bound_value *a, const struct bound_value *b); /* false where one has a value */
void text_reason(struct output *output, const struct bound_value *bounds, int bound);

/* An advice that repeats a bound's reason, with the bound's name in its place: the reason stands beside that. */
const char *text_advice(struct arena *arena, const struct bound_value *bounds, const char *advice);

#endif
