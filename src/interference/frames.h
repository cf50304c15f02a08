/* The steps of a WCET that follows from a frame.
 *
 * Requires: an operation whose frame has its bound (kernel/frames.h).
 * Provides: the step of the WCET: the sum of its batches' bounds, each a step that rests on the numbers of the fragment hardware and of the
 *           batch's shader.
 * Fails:    never.
 */
#ifndef INTERFERENCE_FRAMES_H
#define INTERFERENCE_FRAMES_H

#include "base/derivation.h"
#include "model/taskset.h"

int frames_derive(struct arena *arena, struct derivation *derivation, const struct operation *operation, const char *about);

#endif
