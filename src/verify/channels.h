/* The list of interference channels, derived again.
 *
 * Requires: residents.
 * Provides: every channel of the table, in its order, with whether it is bounded and by what, compared with the report's list.
 * Source:   AMC 20-193; [HW-RULES]; model/channels.def.
 * Fails:    by differences.
 */
#ifndef VERIFY_CHANNELS_H
#define VERIFY_CHANNELS_H

#include "verify/resident.h"

void channels_compare(struct check *check, const struct resident *residents);

#endif
