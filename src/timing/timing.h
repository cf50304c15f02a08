/* How long operations run, alone: the task set with each operation's WCET, BCET and curve.
 *
 * Requires: a task set as it was read; its platform, with what the task set declares; their map.
 * Provides: a task set of its own, in which no execution time is missing, for all later stages; the one that was read stays as it is. A
 *           stated WCET is taken as it stands; of several by size that of the SMs that the operation has (timing/sizes.h). An operation
 *           that names a frame has the frame's bound and that of each batch. A kernel that names a program has C_K[r], and as its WCET C_K
 *           of as many blocks as an SM holds at most. A BCET is at most the WCET.
 * Source:   [SIZES], [FRAME-KERNEL], [FRAMES], [WCET], [INFLATION].
 * Fails:    with diagnostics: false; also where a curve that the task set states ends before the blocks that an SM may hold, and where none
 *           of an operation's WCETs by size is of its SMs or fewer. A bound beyond 64 bits leaves the WCET at NONE.
 */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "map/map.h"
#include "wcet/programs.h"

struct timing {
	const struct taskset *set;
	const struct programs *programs;
};

bool timing_find(struct arena *arena, const struct platform *platform, const struct taskset *stated, const struct map *map,
	struct diagnostics *diagnostics, struct timing *timing);

#endif
