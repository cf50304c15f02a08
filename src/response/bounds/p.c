/* P: the context as one serial server of kernel makespans, copies and drain waste: [P]. */
#include "response/bounds/bound.h"

#include "model/rules.h"
#include "response/segment_cost.h"
#include "response/serial_server.h"

void p_applies(struct applicability *a)
{
	applicable_need_hosts(a, a->context);
	applicable_need_order(a, a->context);
}

static void add_segment(struct serial_problem *problem, int index)
{
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	const int parts = SEGMENT_DEPENDENCIES | SEGMENT_TRANSFERS | SEGMENT_KERNELS | SEGMENT_DILATED;
	struct cost cost = w->once != NULL ? segment_cost_once(w, segment) : segment_cost_of(w, segment, parts);
	item->cost = serial_server_take(problem, &cost, &item->cost_step);
	item->lost = w->once != NULL ? (struct gaps_lost){0} : segment_cost_gaps(w, segment, parts);
}

static void build(struct serial_problem *problem, const struct workload *w, int context)
{
	serial_server_start(problem, w, 1);
	problem->serial.groups[0] = serial_server_plain_group(w->runlist->contexts[context].name);
	problem->serial.group_count = 1;
	serial_server_add_context(problem, context, add_segment);
}

static bool charges_once(const struct workload *w)
{
	return w->runlist->context_count == 1 && !w->runlist->sliced;
}

void p_compute(struct bounding *b, int context)
{
	static const struct serial_bound p = {BOUND_P, RULE_P, RULE_P, RULE_P_PART, false, build, charges_once};
	(void)context; /* all of them, as they may rest on one another */
	serial_server_compute(b->work, &p, b->answers[BOUND_P]);
}

void p_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	serial_server_terms(response, BOUND_P, segment, value, terms);
}
