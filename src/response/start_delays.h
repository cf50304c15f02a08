/* Order up to a start delay: when bounds rest on A-ORDER, when blocks may begin late, and whose blocks may begin beside others.
 *
 * Requires: a platform with its assumption register; the map.
 * Provides: whether A-ORDER stands in for A-HOL, A-PRIO and A-WC; whether costs have delays in them; whether a block of a kernel may come to
 *           an SM that holds another one.
 * Source:   [START-DELAYS], [VOLUME-LATE], [SPAN].
 * Fails:    never.
 */
#ifndef RESPONSE_START_DELAYS_H
#define RESPONSE_START_DELAYS_H

#include "map/map.h"

/* A-ORDER is granted, and not all of what says more: then costs have its delays in them, and bounds rest on it alone. */
bool start_delays_replace_order(const struct platform *platform);

/* Blocks may begin late: A-ORDER is in use, or the task set declares a delay or a stall, or the model states one and not all of what denies
 * them is granted. */
bool start_delays_exist(const struct platform *platform);

/* May another block, of its own kernel or of one that may be resident with it, be on the SM to which a block of it comes? Of work known by
 * its span: one of another stream on its SMs at all. */
bool start_delays_meet_company(const struct platform *platform, const struct taskset *set, const struct map *map, int operation);

#endif
