/* The steps of a WCET that follows from a frame.
 *
 * Requires: an operation whose frame has its bound (g80/bound/frame_kernels.h).
 * Provides: the step of the WCET: the sum of its batches' bounds, each a step that rests on the numbers of the fragment hardware and of the
 *           batch's shader.
 * Fails:    never.
 */
#ifndef INTERFERENCE_FRAME_STEPS_H
#define INTERFERENCE_FRAME_STEPS_H

#include "base/derivation.h"
#include "model/taskset.h"

int frame_steps_derive(struct arena *arena, struct derivation *derivation, const struct operation *operation, const char *about);

#endif
