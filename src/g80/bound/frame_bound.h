/* How long a frame can take on a G80-class part, in the worst case.
 *
 * Requires: a validated frame whose shaders have costs and whose pattern of tiles is known; the platform's numbers of fragments' hardware.
 * Provides: a bound of the time from the first primitive to the last written pixel, alone on the GPU, for all times of shaders and branches
 *           up to their WCETs, for all places of the slow fragments that are said to be anywhere, and whether batches wait for one another
 *           or not; and what it consists of.
 * Source:   [FRAMES]; seed 003 for the parts of the machine.
 * Fails:    a bound beyond 64 bits is NONE.
 */
#ifndef G80_BOUND_FRAME_BOUND_H
#define G80_BOUND_FRAME_BOUND_H

#include "base/memory.h"
#include "model/frame.h"

struct batch_bound {
	int64_t value;    /* ns */
	int64_t anywhere; /* ns of it for slow fragments that are anywhere */
	int64_t warps, windows;
};

struct frame_bound {
	int64_t value; /* ns; NONE: beyond 64 bits */
	struct batch_bound *batches;
	int64_t warps, superfragments, pixels;
};

struct frame_bound *frame_bound_compute(struct arena *arena, const struct frame *frame, const struct frame_hardware *hardware);

#endif
