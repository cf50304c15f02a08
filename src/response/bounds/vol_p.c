/* VOL-P: the context as one serial server, all blocks by their volume over the SMs that are never idle: [VOL-P]. */
#include "response/bounds/bound.h"

#include "model/rules.h"
#include "response/segment_cost.h"
#include "response/serial_server.h"

void vol_p_applies(struct applicability *a)
{
	applicable_need_hosts(a, a->context);
	applicable_need(a, ASSUMPTION_WC_G);
}

static void add_segment(struct serial_problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	const int parts = SEGMENT_DEPENDENCIES | SEGMENT_TRANSFERS | SEGMENT_DILATED;
	struct cost cost = segment_cost_of(w, segment, parts);
	struct cost work = segment_cost_of(w, segment, SEGMENT_DISPATCHED), volume = segment_cost_of(w, segment, SEGMENT_VOLUME);
	item->cost = serial_server_take(problem, &cost, &item->cost_step);
	item->work = serial_server_take(problem, &work, &item->work_step);
	item->volume = serial_server_take(problem, &volume, &item->volume_step);
	item->lost = segment_cost_gaps(w, segment, parts);
	if (w->runlist->sliced)
		serial_server_set_operations(w, item, segment_cost_count(w, segment, PLACE_EXECUTION), segment->name);
}

static void volume_group(struct serial_problem *problem, int context)
{
	const struct workload *w = problem->w;
	const struct context *of = &w->runlist->contexts[context];
	struct busy_interval_group *group = &problem->serial.groups[0];
	*group = serial_server_plain_group(of->name);
	group->g = applicable_nonempty_sms(w->platform, w->set, w->costs, context, &problem->assumptions);
	if (group->g == NONE) {
		problem->reason = "sm.count is not known";
		group->g = 1;
	}
	group->rest = applicable_rest(w->set, w->costs, context, group->g);
	group->g_step = derivation_named(w->derivation, RULE_NONEMPTY, rational_of(group->g), "application:%s", of->name, NULL);
	derivation_input(w->derivation, "m", cost_sms_step(w->platform, w->set, w->costs, context));
	derivation_input(w->derivation, "g", w->costs->parameter_steps[PARAMETER_DISPATCH_NONEMPTY]);
	if (w->runlist->sliced && of->kernels)
		serial_server_slice_group(problem, group, &of->slice, &of->kernel_gap, true);
	problem->serial.group_count = 1;
}

static void build(struct serial_problem *problem, const struct workload *w, int context)
{
	serial_server_start(problem, w, 1);
	volume_group(problem, context);
	serial_server_add_context(problem, context, add_segment);
}

void vol_p_compute(struct bounding *b, int context)
{
	static const struct serial_bound vol_p = {.bound = BOUND_VOL_P, .rule = RULE_VOL_P, .rule_part = RULE_VOL_P_PART, .build = build};
	(void)context; /* all of them, as they may rest on one another */
	serial_server_compute(b->work, &vol_p, b->answers[BOUND_VOL_P]);
}

void vol_p_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	serial_server_terms(response, BOUND_VOL_P, segment, value, terms);
}
