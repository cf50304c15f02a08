/* Reads of a thread's index that all threads of a warp have alike, as the verification finds them. Private to it.
 *
 * Provides: of each instruction the register, or -1: what it makes of that is one value in each warp, as the register holds SR_TID.X
 *           whatever the way there. */
#ifndef VERIFY_INDEX_COMPARED_H
#define VERIFY_INDEX_COMPARED_H

#include "base/memory.h"
#include "verify/program_graph.h"

int *index_compared_read(struct arena *arena, const struct code *code);

#endif
