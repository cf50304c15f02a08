/* The warps of one block on the units of an SM, cycle by cycle.
 *
 * Requires: for each class the units that take it, for how many cycles an instruction keeps its unit, and after how many the warp may
 *           issue again; for each warp its instructions in order.
 * Provides: the cycle in which the last warp may issue again. Warps are asked in turn, beginning after the one that issued last (loose
 *           round robin); one that is not ready is passed over; at most `slots` instructions a cycle. With a turn above 0 the warps go
 *           in rounds: one instruction or pair each, the last one waited for, and a round begins `turn` cycles after the units are free and
 *           `depth` cycles have passed since the one before began. A barrier holds a warp until all that have not ended wait at one.
 * Source:   seed 001, IV (loose round robin); seed 002, 5 and 7 (rounds of 16 cycles and 2 between them).
 * Fails:    -1: longer than `most` cycles.
 */
#ifndef WARPS_WARPS_H
#define WARPS_WARPS_H

#include "base/memory.h"
#include "model/program.h"

#include <stdint.h>

#define WARP_UNITS 8

struct warp_class {
	uint32_t units; /* bit i: unit i takes it; the highest free one is taken */
	int occupancy, latency;
};

struct warp_machine {
	struct warp_class classes[CLASS_COUNT];
	int slots;       /* instructions a cycle */
	int turn, depth; /* turn 0: no rounds */
	long most;
};

struct warp_trace {
	const int *classes; /* an enum instruction_class each */
	int count;
	bool pairs;   /* each second instruction needs nothing of the one before it: it may issue in the same round, at once */
	long *starts; /* the cycle of the first instruction is put there; NULL: nowhere */
};

long warps_run(const struct warp_machine *machine, const struct warp_trace *traces, int warps, struct arena *arena);

#endif
