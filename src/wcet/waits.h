/* Which instructions a warp does not wait for but together with a later one.
 *
 * Requires: a flow and its uniformity; instructions with the scoreboards that they wait for and set.
 * Provides: the program with, of each block and class that has an issue time, how many instructions are charged that: those behind which
 *           another one of the class issues before the warp waits for any of both, as many as may be under way at most. None where
 *           threads of a warp may come apart.
 * Source:   [WCET-WAITS].
 * Fails:    never.
 */
#ifndef WCET_WAITS_H
#define WCET_WAITS_H

#include "wcet/uniformity.h"

const struct program *waits_find(const struct flow *flow, const struct uniformity *uniformity);

#endif
