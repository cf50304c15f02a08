/* The XML report's derivation: the steps that results rest on, in order, and the rules that these steps use. */
#include "model/rules.h"
#include "report/number_origin.h"
#include "report/xml_parts.h"

#include <stdio.h>

static void mark(struct xml_report *x, int step)
{
	if (step != STEP_ABSENT)
		x->numbers[step] = 1;
}

static void mark_result(struct xml_report *x, const struct response_of *result)
{
	if (!checked_is_none(result->response))
		mark(x, result->step);
	for (int i = 0; i < BOUND_COUNT; i++)
		if (!checked_is_none(result->bounds[i].value))
			mark(x, result->bounds[i].step);
}

static void mark_roots(struct xml_report *x)
{
	const struct report *report = x->report;
	for (int i = 0; i < report->set->task_count; i++)
		mark_result(x, &report->response->tasks[i]);
	for (int i = 0; i < report->set->stream_count; i++)
		mark_result(x, &report->response->streams[i]);
	for (int i = 0; i < report->set->end_to_end_count; i++)
		if (!checked_is_none(report->response->end_to_end[i].response))
			mark(x, report->response->end_to_end[i].step);
	for (int i = 0; i < report->set->operation_count; i++)
		if (!checked_is_none(report->inflation->operations[i].wcet))
			mark(x, report->inflation->operations[i].step);
}

/* Inputs stand before the step they enter, so one pass from the end marks all that is reachable. */
void xml_number_steps(struct xml_report *x, struct arena *arena)
{
	const struct derivation *derivation = x->report->derivation;
	x->numbers = arena_allocate(arena, (size_t)derivation->count + 1, sizeof *x->numbers);
	mark_roots(x);
	for (int i = derivation->count - 1; i >= 0; i--)
		for (int j = 0; x->numbers[i] && j < derivation_input_count(derivation, i); j++)
			mark(x, derivation_inputs(derivation, i)[j].step);
	for (int i = 0, number = 0; i < derivation->count; i++)
		if (x->numbers[i])
			x->numbers[i] = ++number;
}

void xml_step_attribute(struct xml_report *x, const char *name, int step)
{
	char text[16];
	if (step == STEP_ABSENT)
		return;
	snprintf(text, sizeof text, "s%d", x->numbers[step]);
	xml_attribute(&x->xml, name, text);
}

static void add_rule(struct xml_report *x, const struct rule_kind *rule)
{
	xml_begin(&x->xml, "rule");
	xml_attribute(&x->xml, "name", rule->name);
	xml_attribute(&x->xml, "unit", rule->unit == STEP_UNIT_ANY ? NULL : step_unit_name(rule->unit));
	xml_attribute(&x->xml, "cites", rule->source);
	xml_text(&x->xml, rule->equation);
	xml_end(&x->xml);
}

void xml_add_rules(struct xml_report *x)
{
	const struct derivation *derivation = x->report->derivation;
	bool used[RULE_COUNT] = {false};
	for (int i = 0; i < derivation->count; i++)
		used[derivation_rule(derivation, i)] |= x->numbers[i] > 0;
	xml_begin(&x->xml, "rules");
	for (int i = 0; i < RULE_COUNT; i++)
		if (used[i])
			add_rule(x, &rule_kinds[i]);
	xml_end(&x->xml);
}

/* Where a given number stands in the inputs, and who vouches for it. */
static void add_place(struct xml_report *x, struct place place)
{
	char line[32] = "";
	struct output at = {0};
	if (place.line > 0)
		snprintf(line, sizeof line, ":%ld", place.line);
	if (place.file != NULL) {
		output_print(&at, "%s%s", place.file, line);
		xml_attribute(&x->xml, "at", at.text);
	}
	xml_attribute(&x->xml, "origin", place.origin);
	xml_attribute(&x->xml, "source", place.source);
	xml_attribute(&x->xml, "declared-by", place.declared_by);
	output_finish(&at);
}

static void add_step(struct xml_report *x, int index)
{
	const struct derivation *derivation = x->report->derivation;
	const struct step *step = derivation_get(derivation, index);
	const struct rule_kind *rule = &rule_kinds[step->rule];
	xml_begin(&x->xml, "step");
	xml_step_attribute(x, "id", index);
	xml_attribute(&x->xml, "rule", rule->name);
	xml_attribute(&x->xml, "about", step->about);
	xml_rational(&x->xml, "value", step->value);
	struct place place = step->input_count == 0 ? about_find(x->report, step->about) : (struct place){0};
	xml_attribute(&x->xml, "unit", rule->unit == STEP_UNIT_ANY ? place.unit : step_unit_name(rule->unit));
	add_place(x, place);
	for (int i = 0; i < step->input_count; i++) {
		const struct step_input *input = &derivation_inputs(derivation, index)[i];
		xml_begin(&x->xml, "from");
		xml_attribute(&x->xml, "role", input->role);
		xml_step_attribute(x, "step", input->step);
		xml_end(&x->xml);
	}
	xml_end(&x->xml);
}

void xml_add_derivation(struct xml_report *x)
{
	xml_begin(&x->xml, "derivation");
	for (int i = 0; i < x->report->derivation->count; i++)
		if (x->numbers[i])
			add_step(x, i);
	xml_end(&x->xml);
}
