/* How long a warp that nobody keeps is in each block: less than its instructions' latencies, as it does not wait for each result.
 *
 * Requires: a program of a flow, and its uniformity; what its instructions cost; the scoreboards that they wait for and set, their stall
 *           counts.
 * Provides: of each block and class the cycles that its instructions take less than their latencies. None where threads of a warp may come
 *           apart.
 * Source:   [WCET-WAITS].
 * Fails:    never.
 */
#ifndef WCET_WAITS_H
#define WCET_WAITS_H

#include "wcet/instruction_costs.h"

void waits_find(struct program *program, const struct instruction_costs *costs, const struct uniformity *uniformity, struct arena *arena);

#endif
