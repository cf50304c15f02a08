/* VOL-P of a report: [VOL-P]. */
#include "verify/serial_server.h"

uint64_t claimed_vol_p_needs(const struct work *work, int context, bool *applies)
{
	(void)applies;
	return bounds_needs_of_hosts(work, context) | ASSUMED(WC_G);
}

static void add(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct item *item = serial_server_item(problem, index);
	item->cost = bounds_cost(work, part, BOUNDS_DEPENDENCIES | BOUNDS_TRANSFERS | BOUNDS_DILATED);
	item->work = bounds_cost(work, part, BOUNDS_DISPATCHED);
	item->volume = bounds_cost(work, part, BOUNDS_VOLUMES);
	if (work->sliced)
		item->kernels = serial_server_count(work, part, RUNS_ON_SMS);
}

static void add_groups(struct problem *problem)
{
	struct work *work = problem->work;
	const struct owner *owner = &work->owners[problem->context];
	struct fact g = bounds_nonempty(work, problem->context);
	problem->groups[problem->group_count++] = (struct group){.g = g,
		.share = g.value,
		.grids = owner->grids,
		.sliced = work->sliced && owner->kernels,
		.round_up = work->sliced && owner->kernels,
		.slice = owner->slice,
		.gap = owner->kernel_gap};
}

struct claims claimed_vol_p_hold(struct work *work, const struct turns *turns)
{
	static const struct serial_claim vol_p = {
		.kind = CLAIMED_VOL_P, .rule_part = RULE_VOL_P_PART, .add_groups = add_groups, .add = add, .lengthen = serial_server_stop};
	(void)turns; /* they are found from the bounds of contexts, as this one */
	return serial_server_hold(work, &vol_p);
}
