/* The WCET of fragment work that is given by a frame.
 *
 * Requires: a task set whose operations have their frames.
 * Provides: the WCET of each operation that names a frame: the frame's bound on its hardware, one nanosecond at least, and that of each
 *           batch; its best case is at most that.
 * Source:   [FRAME-KERNEL], [FRAMES].
 * Fails:    a bound beyond 64 bits leaves the WCET at NONE.
 */
#ifndef KERNEL_FRAMES_H
#define KERNEL_FRAMES_H

#include "base/memory.h"
#include "model/taskset.h"

void frames_bound(struct arena *arena, struct taskset *set);

#endif
