/* P-GPU of a report: [P-GPU]. */
#include "verify/serial_server.h"

uint64_t claimed_p_gpu_needs(const struct work *work, int context, bool *applies)
{
	uint64_t needs = bounds_needs_of_hosts(work, NO_ID);
	(void)context; /* all of them */
	*applies = *applies && work->sliced;
	for (int i = 0; i < work->owner_count; i++)
		needs |= bounds_needs_of_order(work, i, applies);
	return needs;
}

static void add(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct item *item = serial_server_item(problem, index);
	item->cost = problem->weighed != NULL ? charged_once_cost(problem->weighed, part)
					      : bounds_cost(work, part, BOUNDS_DEPENDENCIES | (work->copies_sliced ? 0 : BOUNDS_TRANSFERS));
	item->work = bounds_cost(problem->weighed != NULL ? problem->weighed->apart : work, part, BOUNDS_KERNELS);
	item->kernels = serial_server_count(work, part, RUNS_ON_SMS);
	item->group = part->context;
	if (!work->copies_sliced || bounds_operations(work, part, RUNS_ON_COPY_ENGINE) == 0)
		return;
	item = serial_server_item(problem, index);
	item->work = bounds_cost(work, part, BOUNDS_TRANSFERS);
	item->kernels = serial_server_count(work, part, RUNS_ON_COPY_ENGINE);
	item->group = work->owner_count;
}

/* Charged once: what the copies of a segment may add to the time of each context's kernels. */
static void add_slowing(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct weighed *weighed = problem->weighed;
	const struct part *part = &work->parts[index];
	if (weighed == NULL || bounds_operations(work, part, RUNS_ON_COPY_ENGINE) == 0)
		return;
	for (int i = 0; i < work->owner_count; i++) {
		if (!work->owners[i].kernels)
			continue;
		struct item *item = serial_server_item(problem, index);
		item->work = charged_once_beside(weighed, part);
		item->group = i;
	}
}

static void add_groups(struct problem *problem)
{
	struct work *work = problem->work;
	for (int i = 0; i < work->owner_count; i++) {
		const struct owner *owner = &work->owners[i];
		problem->groups[problem->group_count++] =
			(struct group){.share = 1, .sliced = owner->kernels, .slice = owner->slice, .gap = owner->switch_gap};
	}
	problem->groups[problem->group_count++] = (struct group){
		.share = 1, .sliced = work->copies_sliced, .slice = work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE], .gap = work->theta};
}

static bool charges_once(const struct work *work)
{
	return !work->sharing->parted && work->check->set->company_count == 0;
}

struct claims claimed_p_gpu_hold(struct work *work, const struct turns *turns)
{
	static const struct serial_claim p_gpu = {CLAIMED_P_GPU, true, false, RULE_P_GPU_ONCE, RULE_P_GPU_PART, add_groups, add,
		add_slowing, serial_server_sliced_stop, charges_once};
	(void)turns; /* they are found from the bounds of contexts, as this one */
	return serial_server_hold(work, &p_gpu);
}
