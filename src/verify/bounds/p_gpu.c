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

/* theta_int + (ceil(theta_int / min L) + 1 + k) max G; [P-GPU] */
static struct fact sliced_stop(const struct problem *problem, struct fact stop)
{
	struct check *check = problem->work->check;
	int64_t slice = NONE, gap = 0;
	for (int i = 0; i < problem->group_count; i++) {
		slice = problem->groups[i].sliced ? checked_min(slice, problem->groups[i].slice.value) : slice;
		gap = problem->groups[i].sliced ? checked_max(gap, problem->groups[i].gap.value) : gap;
	}
	if (checked_is_none(slice))
		return stop;
	int64_t turns = checked_add(checked_div_ceil(stop.value, slice), 1 + problem->work->redone);
	struct fact longer = fact_make(check, RULE_STOP_SLICED, "platform:stops", checked_add(stop.value, checked_mul(turns, gap)));
	fact_from(check, &longer, "theta_int", stop);
	for (int i = 0; i < problem->group_count; i++) {
		if (!problem->groups[i].sliced)
			continue;
		fact_from(check, &longer, "L", problem->groups[i].slice);
		fact_from(check, &longer, "G", problem->groups[i].gap);
	}
	return longer;
}

static bool charges_once(const struct work *work)
{
	return !work->sharing->parted;
}

struct claims claimed_p_gpu_hold(struct work *work, const struct turns *turns)
{
	static const struct serial_claim p_gpu = {
		CLAIMED_P_GPU, true, RULE_P_GPU_ONCE, RULE_P_GPU_PART, add_groups, add, add_slowing, sliced_stop, charges_once};
	(void)turns; /* they are found from the bounds of contexts, as this one */
	return serial_server_hold(work, &p_gpu);
}
