/* P of a report: [P]. */
#include "verify/serial_server.h"

uint64_t claimed_p_needs(const struct work *work, int context, bool *applies)
{
	return bounds_needs_of_hosts(work, context) | bounds_needs_of_order(work, context, applies);
}

static void add(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct item *item = serial_server_item(problem, index);
	item->cost = problem->weighed != NULL
			     ? charged_once_cost(problem->weighed, part)
			     : bounds_cost(work, part, BOUNDS_DEPENDENCIES | BOUNDS_TRANSFERS | BOUNDS_KERNELS | BOUNDS_DILATED);
}

static void add_groups(struct problem *problem)
{
	problem->groups[problem->group_count++] = (struct group){.share = 1};
}

static bool charges_once(const struct work *work)
{
	return work->owner_count == 1 && !work->sliced && !work->sharing->parted;
}

struct claims claimed_p_hold(struct work *work, const struct turns *turns)
{
	static const struct serial_claim p = {.kind = CLAIMED_P,
		.rule_once = RULE_P,
		.rule_part = RULE_P_PART,
		.add_groups = add_groups,
		.add = add,
		.lengthen = serial_server_stop,
		.charges_once = charges_once};
	(void)turns; /* they are found from the bounds of contexts, as this one */
	return serial_server_hold(work, &p);
}
