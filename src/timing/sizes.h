/* Which WCET of those by size an operation has.
 *
 * Requires: a task set as it was read; its platform.
 * Provides: for an operation with WCETs by size, that of the number of SMs that its stream's kernels may use, one that says how these lie in
 *           GPCs before one that does not; where none is of so many, that of the next fewer, which rests on A-MORE-SMS. Origin and line are
 *           those of the WCET.
 * Source:   [SIZES].
 * Fails:    false, and no WCET, where there is none of so many SMs nor of fewer.
 */
#ifndef TIMING_SIZES_H
#define TIMING_SIZES_H

#include "base/memory.h"
#include "model/taskset.h"

bool sizes_take(const struct platform *platform, const struct taskset *set, struct operation *operation);

/* A task set of its own in which each operation that has WCETs by size has that of its SMs, or none; `set` itself where there are none. */
const struct taskset *sizes_take_all(struct arena *arena, const struct platform *platform, const struct taskset *set);

#endif
