/* Which instructions a warp does not wait for but together with a later one, as the verification sees it. Private to the verification.
 *
 * Provides: of block b and class c at [b * CLASS_COUNT + c] how many are charged their issue only; by the first wait for each. parted: of a
 *           block, threads of a warp may come to it apart.
 * Source:   [WCET-WAITS]. */
#ifndef VERIFY_WAITS_H
#define VERIFY_WAITS_H

#include "verify/program_graph.h"

const int64_t *waits_read(struct arena *arena, const struct code *code, const bool *parted);

#endif
