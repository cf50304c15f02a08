/* How long a host segment takes, with its derivation.
 *
 * Requires: the step of its WCET in `result`; of a thread on a core, what the analysis found out about it (core_times).
 * Provides: its time, the step, and what that rests on. On a core: the WCET and what delays it there.
 * Source:   [CORES], A-HOST-WCRT.
 * Fails:    NONE and a reason.
 */
#ifndef INTERFERENCE_HOST_RESPONSE_H
#define INTERFERENCE_HOST_RESPONSE_H

#include "interference/inflation.h"

void host_response_find(struct arena *arena, const struct taskset *set, int index, struct derivation *derivation, struct inflated *result);

#endif
