/* Placement policies of no machine: the adversaries of a bound that holds for every placement.
 *
 * Requires: as placement/placement.h.
 * Provides: the first, the last, the tightest and a random SM of those with room.
 * Source:   [FALSIFIER].
 * Fails:    as placement/placement.h.
 */
#ifndef PLACEMENT_FIT_H
#define PLACEMENT_FIT_H

#include "placement/placement.h"
#include "base/random.h"

extern const struct policy policy_first, policy_last, policy_tightest, policy_random;

/* policy_random draws from here; to be called once after placement_init. */
void fit_draw_from(struct placer *placer, struct random *random);

#endif
