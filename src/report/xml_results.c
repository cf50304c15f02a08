/* The XML report's results: every task, stream and chain exactly once, with every bound's value or the reason why it has none. */
#include "report/xml_parts.h"

static void add_bound(struct xml_report *x, int bound, const struct bound_value *value)
{
	bool has_value = !checked_is_none(value->value);
	xml_begin(&x->xml, "bound");
	xml_attribute(&x->xml, "name", bound_kinds[bound].name);
	xml_integer(&x->xml, "value", value->value);
	xml_step_attribute(x, "step", has_value ? value->step : STEP_ABSENT);
	xml_attribute(&x->xml, "reason", has_value ? NULL : value->reason);
	if (has_value)
		xml_assumption_list(x, value->assumptions);
	xml_end(&x->xml);
}

static void add_result_attributes(struct xml_report *x, const struct response_of *result)
{
	bool has_value = !checked_is_none(result->response);
	xml_attribute(&x->xml, "verdict", verdict_names[result->verdict]);
	xml_integer(&x->xml, "response", result->response);
	xml_integer(&x->xml, "deadline", result->deadline);
	xml_integer(&x->xml, "slack", checked_sub(result->deadline, result->response));
	xml_attribute(&x->xml, "bound", result->winner >= 0 ? bound_kinds[result->winner].name : NULL);
	xml_step_attribute(x, "step", has_value ? result->step : STEP_ABSENT);
	if (has_value)
		xml_assumption_list(x, result->assumptions);
}

static void add_bounds(struct xml_report *x, const struct response_of *result)
{
	for (int i = 0; i < BOUND_COUNT; i++)
		add_bound(x, i, &result->bounds[i]);
	xml_element(&x->xml, "advice", result->advice);
}

static void add_operation(struct xml_report *x, int index)
{
	const struct taskset *set = x->report->set;
	const struct operation *operation = &set->operations[index];
	const struct inflated *inflated = &x->report->inflation->operations[index];
	bool runs = operation->kind != OPERATION_WAIT && operation->kind != OPERATION_RECORD;
	xml_begin(&x->xml, "operation");
	xml_attribute(&x->xml, "id", operation->id);
	xml_attribute(&x->xml, "kind", operation_names[operation->kind]);
	xml_attribute(&x->xml, "stream", operation->stream == NO_ID ? NULL : set->streams[operation->stream].id);
	if (runs) {
		xml_integer(&x->xml, "wcet", operation->wcet);
		xml_integer(&x->xml, "inflated", inflated->wcet);
		xml_rational(&x->xml, "factor", inflated->factor);
		xml_attribute(&x->xml, "reason", inflated->reason);
		xml_step_attribute(x, "step", checked_is_none(inflated->wcet) ? STEP_ABSENT : inflated->step);
	}
	xml_end(&x->xml);
	x->operations++;
}

static void add_task(struct xml_report *x, int index)
{
	const struct task *task = &x->report->set->tasks[index];
	const struct response_of *result = &x->report->response->tasks[index];
	xml_begin(&x->xml, "task");
	xml_attribute(&x->xml, "id", task->id);
	xml_integer(&x->xml, "line", task->line > 0 ? task->line : NONE);
	xml_attribute(&x->xml, "requirement", task->requirement);
	xml_attribute(&x->xml, "best-effort", task->best_effort ? "true" : NULL);
	add_result_attributes(x, result);
	add_bounds(x, result);
	for (int i = 0; i < task->operation_count; i++)
		add_operation(x, task->first_operation + i);
	xml_end(&x->xml);
	x->tasks++;
}

static void add_stream(struct xml_report *x, int index)
{
	const struct taskset *set = x->report->set;
	const struct response_of *result = &x->report->response->streams[index];
	xml_begin(&x->xml, "stream");
	xml_attribute(&x->xml, "id", set->streams[index].id);
	xml_attribute(&x->xml, "application", set->applications[set->streams[index].application].id);
	const struct partition *partition = taskset_partition(set, index);
	xml_attribute(&x->xml, "partition", partition != NULL ? partition->id : NULL);
	xml_integer(&x->xml, "sms", partition != NULL ? partition->size : NONE);
	add_result_attributes(x, result);
	add_bounds(x, result);
	xml_end(&x->xml);
	x->streams++;
}

static void add_members(struct xml_report *x, const struct end_to_end *flow, const struct link_result *links)
{
	for (int i = 0; i < flow->task_count; i++) {
		const struct handover from = end_to_end_handover(flow, i);
		xml_begin(&x->xml, "member");
		xml_attribute(&x->xml, "task", x->report->set->tasks[flow->tasks[i]].id);
		xml_attribute(&x->xml, "via", from.via == HANDOVER_QUEUE ? handover_names[from.via] : NULL);
		xml_integer(&x->xml, "capacity", from.capacity);
		xml_integer(&x->xml, "take", from.take);
		xml_attribute(&x->xml, "overflow", from.overflow == OVERFLOW_NONE ? NULL : overflow_names[from.overflow]);
		if (links != NULL) {
			xml_integer(&x->xml, "backlog", links[i].backlog);
			xml_integer(&x->xml, "delay", links[i].delay);
			xml_integer(&x->xml, "wait", links[i].wait);
			xml_integer(&x->xml, "passed", links[i].passed > 0 ? links[i].passed : NONE);
			xml_integer(&x->xml, "response", links[i].response);
		}
		xml_end(&x->xml);
	}
}

static void add_end_to_end(struct xml_report *x, int index)
{
	const struct end_to_end *flow = &x->report->set->end_to_end[index];
	const struct end_to_end_result *result = &x->report->response->end_to_end[index];
	bool has_value = !checked_is_none(result->response);
	xml_begin(&x->xml, "chain");
	xml_attribute(&x->xml, "id", flow->id);
	xml_attribute(&x->xml, "kind", end_to_end_names[flow->kind]);
	xml_attribute(&x->xml, "reduced", flow->reduced ? "true" : NULL);
	xml_integer(&x->xml, "line", flow->line > 0 ? flow->line : NONE);
	xml_attribute(&x->xml, "requirement", flow->requirement);
	xml_attribute(&x->xml, "verdict", verdict_names[result->verdict]);
	xml_integer(&x->xml, "response", result->response);
	xml_integer(&x->xml, "deadline", flow->deadline);
	xml_integer(&x->xml, "slack", checked_sub(flow->deadline, result->response));
	xml_step_attribute(x, "step", has_value ? result->step : STEP_ABSENT);
	xml_assumption_list(x, result->assumptions);
	xml_attribute(&x->xml, "reason", has_value ? NULL : result->reason);
	add_members(x, flow, has_value ? result->links : NULL);
	xml_end(&x->xml);
	x->end_to_end++;
}

void xml_add_results(struct xml_report *x)
{
	xml_begin(&x->xml, "results");
	for (int i = 0; i < x->report->set->task_count; i++)
		add_task(x, i);
	for (int i = 0; i < x->report->set->stream_count; i++)
		add_stream(x, i);
	for (int i = 0; i < x->report->set->end_to_end_count; i++)
		add_end_to_end(x, i);
	xml_end(&x->xml);
}

void xml_add_slack(struct xml_report *x)
{
	if (!x->report->slack_in_report)
		return;
	xml_begin(&x->xml, "sensitivity");
	for (int i = 0; i < x->report->set->task_count; i++) {
		const struct slack *slack = &x->report->slack[i];
		xml_begin(&x->xml, "slack");
		xml_attribute(&x->xml, "task", x->report->set->tasks[i].id);
		xml_integer(&x->xml, "all-wcets", slack->all_wcets);
		xml_integer(&x->xml, "own-wcets", slack->own_wcets);
		xml_integer(&x->xml, "period", slack->period);
		xml_integer(&x->xml, "deadline", slack->deadline);
		xml_end(&x->xml);
	}
	xml_end(&x->xml);
}
