/* Where an instruction makes of a thread's index in its block what all threads of a warp have alike.
 *
 * Requires: a flow of a program with instructions.
 * Provides: of each instruction the register of the index that it reads so: it compares it with a multiple of 32, or takes only bits that
 *           are above the lane's. NO_ID: none.
 * Source:   [UNIFORM].
 * Fails:    never.
 */
#ifndef WCET_THREAD_INDEX_H
#define WCET_THREAD_INDEX_H

#include "wcet/flow.h"

int *thread_index_find(const struct flow *flow);

#endif
