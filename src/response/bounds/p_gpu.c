/* P-GPU: all contexts as one serial server under a work-conserving runlist: [P-GPU]. */
#include "response/bounds/bound.h"

#include "base/plant.h"
#include "model/rules.h"
#include "response/segment_cost.h"
#include "response/serial_server.h"

void p_gpu_applies(struct applicability *a)
{
	applicable_need_hosts(a, NO_ID);
	for (int i = 0; i < a->runlist->context_count; i++)
		applicable_need_order(a, i);
	for (int i = 0; i < a->runlist->context_count; i++)
		applicable_need_partitions(a, i);
	if (!a->runlist->sliced && a->found.reason == NULL)
		a->found.reason = "a single context that shares nothing: P says the same";
}

/* Kernels in the group of their context; copies in another one where they serial_server_take turns with kernels, else as they are. */
static void add_segment(struct serial_problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	bool copies_sliced = w->runlist->copies_sliced;
	struct cost cost = w->once != NULL ? segment_cost_once(w, segment)
					   : segment_cost_of(w, segment, SEGMENT_DEPENDENCIES | (copies_sliced ? 0 : SEGMENT_TRANSFERS));
	struct cost work = w->once != NULL ? segment_cost_apart(w, segment, SEGMENT_KERNELS) : segment_cost_of(w, segment, SEGMENT_KERNELS);
	item->cost = serial_server_take(problem, &cost, &item->cost_step);
	item->work = serial_server_take(problem, &work, &item->work_step);
	item->group = segment->context;
	serial_server_set_operations(w, item, segment_cost_count(w, segment, PLACE_EXECUTION), segment->name);
	if (!copies_sliced || segment_cost_count(w, segment, PLACE_COPY) == 0)
		return;
	item = serial_server_add_item(problem, index);
	struct cost transfer = segment_cost_of(w, segment, SEGMENT_TRANSFERS);
	item->work = serial_server_take(problem, &transfer, &item->work_step);
	item->group = w->runlist->context_count;
	serial_server_set_operations(w, item, segment_cost_count(w, segment, PLACE_COPY), segment->name);
}

/* Charged once: kernels of each context serial_server_take longer by what these copies may slow them. */
static void add_slowing(struct serial_problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	for (int i = 0; i < w->runlist->context_count && w->once != NULL && segment_cost_count(w, segment, PLACE_COPY) > 0 &&
			!planted(PLANT_SLICED);
		i++) {
		if (!w->runlist->contexts[i].kernels)
			continue;
		struct busy_interval_item *item = serial_server_add_item(problem, index);
		struct cost copies = segment_cost_apart(w, segment, SEGMENT_TRANSFERS), slowed = copies;
		slowed.value = rational_scale_up(copies.value, w->once->beside);
		slowed.step = derivation_integer(w->derivation, RULE_ONCE_BESIDE, segment->name, slowed.value);
		derivation_input(w->derivation, "v", copies.step);
		derivation_input(w->derivation, "s", w->once->beside_step);
		item->work = serial_server_take(problem, &slowed, &item->work_step);
		item->group = i;
	}
}

static void add_groups(struct serial_problem *problem)
{
	const struct runlist *runlist = problem->w->runlist;
	for (int i = 0; i <= runlist->context_count; i++) {
		bool copies = i == runlist->context_count;
		struct busy_interval_group *group = &problem->serial.groups[i];
		*group = serial_server_plain_group(copies ? "copies" : runlist->contexts[i].name);
		group->gaps_only = problem->w->once != NULL;
		if (copies && runlist->copies_sliced)
			serial_server_slice_group(problem, group, &runlist->copy_slice, &runlist->theta, false);
		else if (!copies && runlist->contexts[i].kernels)
			serial_server_slice_group(problem, group, &runlist->contexts[i].slice, &runlist->contexts[i].switch_gap, false);
	}
	problem->serial.group_count = runlist->context_count + 1;
}

static void build(struct serial_problem *problem, const struct workload *w, int context)
{
	(void)context;
	serial_server_start(problem, w, w->runlist->context_count + 1);
	add_groups(problem);
	for (int i = 0; i < w->segments->count && problem->reason == NULL; i++)
		add_segment(problem, i);
	for (int i = 0; i < w->segments->count && problem->reason == NULL; i++)
		add_slowing(problem, i);
	serial_server_add_sliced_stops(problem);
}

static bool charges_once(const struct workload *w)
{
	(void)w;
	return true;
}

void p_gpu_compute(struct bounding *b, int context)
{
	static const struct serial_bound p_gpu = {BOUND_P_GPU, RULE_P_GPU, RULE_P_GPU_ONCE, RULE_P_GPU_PART, true, build, charges_once};
	(void)context; /* there is one interval, for all of them */
	serial_server_compute(b->work, &p_gpu, b->answers[BOUND_P_GPU]);
}

void p_gpu_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	serial_server_terms(response, BOUND_P_GPU, segment, value, terms);
}
