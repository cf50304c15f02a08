/* A launch sequence placed: which SM gets each block, by which rule, and what else the rule would have allowed.
 *
 * Requires: a validated platform and task set whose kernels are of scope block; an arena.
 * Provides: for every kernel of the set, launched at once in the order of the file, each block's SM, begin and end, the rule that put it
 *           there and the SMs that the rule leaves open besides. Kernels of a stream follow one another, the head of the queue of the
 *           highest priority places its blocks first, blocks last their WCET; copies and host segments take no time. A prediction of
 *           where, not a bound: nothing here is charged to anybody.
 * Source:   [D-RULES] (D1-D7), [MOST-ROOM], [HOPPER].
 * Fails:    launch_plan_make returns NULL and says why: a kernel that fits no SM, of scope grid, or too many blocks to show.
 */
#ifndef SIMULATE_LAUNCH_PLAN_H
#define SIMULATE_LAUNCH_PLAN_H

#include "base/output.h"
#include "placement/placement.h"
#include "model/taskset.h"

#define PLAN_BLOCKS_MOST 100000

struct planned_block {
	int operation;      /* of the set */
	int64_t block;      /* linear index */
	int64_t begin, end; /* ns */
	int sm, slot;
	enum decision decision;
	int first_alternative, alternative_count; /* in plan->alternatives */
};

struct launch_plan {
	const struct platform *platform;
	const struct taskset *set;
	struct sm_limits limits;
	struct planned_block *blocks; /* in the order in which they were placed */
	int block_count, block_capacity;
	int *alternatives; /* SM ids */
	int alternative_count, alternative_capacity;
	int64_t end; /* of the last block */
};

/* policy: NULL for the platform's. */
struct launch_plan *launch_plan_make(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct policy *policy, const char **reason, int *operation);

void launch_plan_write_csv(const struct launch_plan *plan, struct output *output);
void launch_plan_write_text(const struct launch_plan *plan, struct output *output);
void launch_plan_write_svg(
	const struct launch_plan *plan, struct output *output); /* SMs as rows by GPC, blocks as bars, tasks as colours */
void launch_plan_draw(const struct launch_plan *plan, int most, struct output *output); /* the same of the first `most` blocks */

#endif
