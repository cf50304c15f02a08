/* The bounds of frames, drawn again.
 *
 * Requires: the frame that an operation names, validated.
 * Provides: the bound of each batch, by drawing every primitive tile by tile, superfragment by superfragment, into warps and windows; the
 *           fact of the operation's WCET with all numbers that it rests on.
 * Source:   seed 003, E1 to E4 and figure 4; [FRAMES].
 * Fails:    a bound beyond 64 bits is NONE.
 */
#ifndef VERIFY_FRAME_BOUND_H
#define VERIFY_FRAME_BOUND_H

#include "model/frame.h"
#include "verify/fact.h"

int64_t *frame_draw(struct arena *arena, const struct frame *frame); /* the bound of each batch */

struct fact frame_fact(struct check *check, const struct operation *operation, const char *about);

#endif
