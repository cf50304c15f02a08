/* What no design can be better than.
 *
 * Requires: a task set, and that its designs change contexts, slices, streams, levels and locks alone, not what kernels take.
 * Provides: the least response that a task can have, and the most that all WCETs may grow by until some deadline is missed, in any design.
 * Source:   [DESIGN-LIMITS].
 * Fails:    NONE: nothing is known.
 */
#ifndef ADVISE_DESIGN_LIMITS_H
#define ADVISE_DESIGN_LIMITS_H

#include "model/taskset.h"

int64_t limit_response(const struct taskset *set, int task); /* ns */
int64_t limit_slack(const struct taskset *set);              /* thousandths */

#endif
