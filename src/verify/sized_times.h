/* Which WCET by size counts, found again.
 *
 * Requires: the inputs of a report.
 * Provides: the operation's WCET, its origin and line by the SMs of its stream; whether any operation has that of fewer SMs.
 * Source:   [SIZES].
 * Fails:    no WCET where none is of so many SMs or fewer: such inputs are refused before.
 */
#ifndef VERIFY_SIZED_TIMES_H
#define VERIFY_SIZED_TIMES_H

#include "verify/check.h"

void sized_derive(const struct check *check, struct operation *operation);
bool sized_any_smaller(const struct check *check);

#endif
