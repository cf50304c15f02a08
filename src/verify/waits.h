/* How long a warp that nobody keeps is in a block, as the verification sees it. Private to the verification.
 *
 * Provides: of each block the time from the issue of its first instruction until all it has begun is there, by the longest way from each
 *           instruction to the end. What constants, sectors and further passes add is not in it. parted: of a block, threads of a warp may
 *           come to it apart. And how many instructions of a class in a block may have the lesser occupancy of their cost.
 * Source:   [WCET-WAITS], [WCET-SPACED]. */
#ifndef VERIFY_WAITS_H
#define VERIFY_WAITS_H

#include "verify/program_graph.h"

const int64_t *waits_read(struct arena *arena, const struct code *code, const struct class_cost *costs, const bool *parted);
int64_t waits_spaced(const struct code *code, const struct class_cost *costs, const bool *parted, int block, int class);

#endif
