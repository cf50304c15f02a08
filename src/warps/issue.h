/* The warps of several blocks on the units of one SM with sub-partitions, cycle by cycle.
 *
 * Requires: for each class its unit, whether each sub-partition has one, for how many cycles an instruction keeps it, and after how many
 *           the warp may issue again; blocks in the order in which they come, each with its warps' instructions.
 * Provides: of each block when it began and when its last warp could issue again. At most `places` blocks are there at once; the next one
 *           begins when one has ended, `gap` cycles later. The i-th warp of a block goes to sub-partition (first + i) mod partitions. A
 *           sub-partition issues one instruction a cycle. Of the warps that are ready and whose unit is free the policy says who issues:
 *           the one of the oldest block, the one that has been ready longest, or the one that issued last as long as it can, and then one
 * of the youngest block. A barrier holds a warp until all of its block that have not ended wait. Source:   seed 001, IV; [WCET-BESIDE]; the
 * H200 serves older blocks first, and goes on with a warp that never stalls (doc/silicon.md). Fails:    false: longer than `most` cycles.
 */
#ifndef WARPS_ISSUE_H
#define WARPS_ISSUE_H

#include "warps/warps.h"

#define ISSUE_PARTITIONS 4

enum issue_policy { ISSUE_OLDEST, ISSUE_LONGEST_READY, ISSUE_GREEDY };

struct issue_class {
	int unit; /* below WARP_UNITS */
	bool partition;
	int occupancy, latency;
};

struct issue_block {
	const struct warp_trace *warps;
	const struct issue_class *classes; /* CLASS_COUNT of them */
	int warp_count, first;             /* first: the sub-partition of warp 0 */
	int gap;
	long begin, end; /* the outcome */
};

struct issue_machine {
	int partitions, places;
	enum issue_policy policy;
	long most;
};

bool issue_run(const struct issue_machine *machine, struct issue_block *blocks, int count, struct arena *arena);

#endif
