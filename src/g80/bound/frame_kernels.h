/* The WCET of fragment work that is given by a frame.
 *
 * Requires: a frame as it was read.
 * Provides: the frame's bound on its hardware, one nanosecond at least, and that of each batch.
 * Source:   [FRAME-KERNEL], [FRAMES].
 * Fails:    a bound beyond 64 bits gives NONE.
 */
#ifndef G80_BOUND_FRAME_KERNELS_H
#define G80_BOUND_FRAME_KERNELS_H

#include "base/memory.h"
#include "model/frame.h"

int64_t frame_kernels_bound(struct arena *arena, const struct frame *frame, const int64_t **batches);

#endif
