/* What was measured of the tasks that may run beside a sequence.
 *
 * Provides: the greatest factor of its whole span, of each of them alone, of all together, and of what else was measured of them; without
 *           a step and 1 where there are none.
 * Source:   [COMPANY].
 * Fails:    no value where one of them, or all of them, were never measured, or its own task may be beside it.
 */
#ifndef VERIFY_COMPANY_H
#define VERIFY_COMPANY_H

#include "verify/fact.h"

struct factor company_measured(struct check *check, const char *about, int index);

#endif
