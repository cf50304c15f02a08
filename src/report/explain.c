/* From the response down to the inputs. */
#include "report/explain.h"

#include "base/checked.h"
#include "model/program.h"
#include "model/rules.h"
#include "base/duration_text.h"
#include "report/explain_terms.h"
#include "report/number_origin.h"
#include "report/remedies.h"
#include "report/slack_text.h"
#include "report/text_reason.h"
#include "report/text_write.h"
#include "report/xml_parts.h"
#include "response/start_delays.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_PARTS 3 /* of those that a response is made of */
#define STEPS_TITLE "Where the numbers come from: [step] what it is, value, equation, inputs"
#define MOST_STEPS 400 /* of all tasks; in longer derivations only those of the task and the platform are listed */

const struct step *explain_step(const struct explanation *e, int step)
{
	return derivation_get(e->derivation, step);
}

bool explain_is_late(const struct explanation *e)
{
	return start_delays_exist(e->report->platform);
}

int64_t explain_value(const struct explanation *e, int step)
{
	return step == STEP_ABSENT ? 0 : explain_step(e, step)->value.num;
}

void explain_line(const struct explanation *e, int indent, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *text = arena_format_list(e->arena, format, arguments);
	va_end(arguments);
	text_paragraph(e->output, arena_format(e->arena, "%*s", indent, ""), indent + 6, text);
}

static const char *time_text(int64_t ns, char text[DURATION_TEXT])
{
	return duration_text(ns, ROUND_NEVER, text);
}

/* ---- the bounds */

/* A task that is proven although a bound under conditions is less has the least of the others. */
static const char *among(const struct explanation *e)
{
	for (int i = 0; i < BOUND_COUNT; i++)
		if (bound_from_nominal((enum bound)i, e->task, e->result->bounds[i].value) < e->result->response)
			return " without conditions";
	return "";
}

static void add_bounds(const struct explanation *e)
{
	text_heading(e->output, "Bounds, from the actual release; TT from the nominal one", e->colour);
	for (int i = 0; i < BOUND_COUNT; i++) {
		const struct bound_value *bound = &e->result->bounds[i];
		char text[DURATION_TEXT];
		char first[32], value[128];
		snprintf(first, sizeof first, "  %-7s ", bound_kinds[i].name);
		bool winner = i == e->result->winner;
		snprintf(value, sizeof value, "%s = %" PRId64 " ns%s%s", time_text(bound->value, text), bound->value,
			winner ? ", the least" : "", winner ? among(e) : "");
		if (checked_is_none(bound->value))
			text_reason(e->output, e->result->bounds, i);
		else
			text_paragraph(e->output, first, 10, value);
	}
}

/* ---- of the task itself */

static bool is_own(const struct explanation *e, const char *about)
{
	size_t length = strlen(e->task->id);
	return about != NULL && strncmp(about, "task:", 5) == 0 && strncmp(about + 5, e->task->id, length) == 0 &&
	       (about[5 + length] == '\0' || about[5 + length] == '/' || about[5 + length] == '@');
}

/* ---- the least bound */

void explain_equation(const struct explanation *e, int step)
{
	const struct rule_kind *rule = &rule_kinds[explain_step(e, step)->rule];
	explain_line(e, 2, "[%d] %s of %s = %" PRId64 " ns: %s", e->numbers[step], rule->name,
		explain_step(e, step)->about == NULL ? "" : explain_step(e, step)->about, explain_value(e, step), rule->equation);
	explain_line(e, 6, "(%s)", rule->source);
}

/* The bound of one of the task's segments. */
static void add_segment(struct explanation *e, int step, int segment)
{
	int64_t shared = e->shares != NULL ? e->shares->sum : 0;
	int first = e->shares != NULL ? e->shares->count : 0;
	explain_equation(e, step);
	e->value = explain_value(e, step);
	explain_bound(e, segment);
	if (e->shares != NULL)
		shares_fill(e->shares, first, e->value - (e->shares->sum - shared), "what is before it on its stream, and events");
}

/* Segments and host segments in sequence ([SEGMENTS]); a serial bound is the same for all of them. */
static void add_winner(struct explanation *e)
{
	int root = e->result->bounds[e->result->winner].step, segment = -1, last = STEP_ABSENT;
	char title[80];
	snprintf(title, sizeof title, "How %s comes about", bound_kinds[e->result->winner].name);
	text_heading(e->output, title, e->colour);
	const struct step_input *inputs = derivation_inputs(e->derivation, root);
	struct listing terms = listing_of(e);
	explain_equation(e, root);
	for (int i = 0; i < explain_step(e, root)->input_count; i++) {
		int step = inputs[i].step;
		bool bound = strcmp(inputs[i].role, "P") == 0;
		if (strcmp(inputs[i].role, "also") == 0) /* other contexts' bounds, found together with this one */
			continue;
		listing_add(&terms, explain_value(e, step), "%s%s, %s", inputs[i].role, terms_step(e, step),
			explain_step(e, step)->about == NULL ? "" : explain_step(e, step)->about);
		if (bound)
			segment = explain_next_segment(e, segment + 1);
		if (bound && (step != last || e->shares != NULL))
			add_segment(e, step, segment);
		if (explain_step(e, step)->rule == RULE_HOST_RESPONSE)
			explain_host(e, step);
		else if (explain_step(e, step)->rule == RULE_RESERVED_RESPONSE)
			explain_reserved(e, step);
		else if (!bound && e->shares != NULL)
			shares_add_as(e->shares, SHARE_HOST, "", explain_value(e, step), terms_name(explain_step(e, step)->about));
		last = bound ? step : last;
	}
	if (terms.count > 1) {
		explain_line(e, 2, "Segments and host segments, one after another:");
		listing_print(&terms, 4, "the bound");
	}
}

/* The parts of the response by whose they are, the greatest first, each with its greatest term. */
static void add_dominant(const struct explanation *e, int task)
{
	const struct shares shares = report_shares(e->arena, e->report, task);
	const struct shares parts = shares_parts(&shares);
	const char *text = "What dominates";
	char part_text[DURATION_TEXT], all_text[DURATION_TEXT], most_text[DURATION_TEXT];
	time_text(e->result->response, all_text);
	for (int i = 0; i < parts.count && i < MOST_PARTS; i++) {
		const struct share *part = &parts.items[i], *most = shares_greatest(&shares, part);
		text = arena_format(e->arena, "%s%s%s, with %s of %s", text, i == 0 ? ": " : "; then ", shares_name(e->arena, part),
			time_text(part->value, part_text), all_text);
		if (most->value < part->value)
			text = arena_format(e->arena, "%s, %s of it by %s", text, time_text(most->value, most_text), most->what);
		else if (strcmp(most->what, "") != 0)
			text = arena_format(e->arena, "%s: %s", text, most->what);
	}
	explain_line(e, 2, "%s.", text);
}

/* ---- where the numbers come from */

static void reach(struct explanation *e, int step)
{
	if (step == STEP_ABSENT || e->reached[step])
		return;
	e->reached[step] = true;
	e->reached_count++;
	const struct step_input *inputs = derivation_inputs(e->derivation, step);
	for (int i = 0; i < explain_step(e, step)->input_count; i++)
		reach(e, inputs[i].step);
}

static void add_inputs(const struct explanation *e, int index, struct output *text)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, index);
	for (int i = 0; i < explain_step(e, index)->input_count; i++) {
		struct rational value = explain_step(e, inputs[i].step)->value;
		output_print(text, "%s %s = [%d] %" PRId64, i > 0 ? "," : ";", inputs[i].role, e->numbers[inputs[i].step], value.num);
		if (value.den != 1)
			output_print(text, "/%" PRId64, value.den);
	}
}

static void add_given(const struct explanation *e, const struct step *step, struct output *text)
{
	struct place place = about_find(e->report, step->about);
	if (place.file != NULL)
		output_print(text, ", %s:%ld", place.file, place.line);
	if (place.origin != NULL)
		output_print(text, ", origin %s", place.origin);
	if (place.source != NULL)
		output_print(text, ", %s", place.source);
	if (place.declared_by != NULL)
		output_print(text, ", declared by %s", place.declared_by);
}

/* The kernel that a step is about. NULL: none, or its blocks are not known. */
static const struct occupancy *occupancy_of(const struct explanation *e, const char *about)
{
	const struct taskset *set = e->report->set;
	for (int i = 0; i < set->task_count && about != NULL; i++)
		for (int j = 0; j < set->tasks[i].operation_count; j++) {
			int operation = set->tasks[i].first_operation + j;
			const char *name = arena_format(e->arena, "task:%s/op:%s", set->tasks[i].id, set->operations[operation].id);
			if (strcmp(name, about) == 0)
				return e->report->map->kernels[operation].sized ? &e->report->map->kernels[operation].occupancy : NULL;
		}
	return NULL;
}

static void add_limits(const struct explanation *e, const struct step *step, struct output *text)
{
	bool counts = step->rule == RULE_OCCUPANCY_LEAST || step->rule == RULE_OCCUPANCY_GREATEST;
	const struct occupancy *of = counts ? occupancy_of(e, step->about) : NULL;
	if (of == NULL)
		return;
	output_print(text, "; a block is %" PRId64 " warp%s", of->demand.warps, of->demand.warps == 1 ? "" : "s");
	if (!checked_is_none(of->demand.warp_registers))
		output_print(text, " of %" PRId64 " registers each", of->demand.warp_registers);
	if (!checked_is_none(of->demand.shared))
		output_print(text, " and %" PRId64 " B of shared memory", of->demand.shared);
	output_add(text, "; alone an SM holds");
	for (int i = 0; i < RESOURCE_COUNT; i++)
		if (!checked_is_none(of->limit[i]))
			output_print(text, "%s %" PRId64 " by its %s%s", i > 0 ? "," : "", of->limit[i], resource_names[i],
				i == RESOURCE_SHARED ? " memory" : "");
	if (step->rule == RULE_OCCUPANCY_LEAST && of->least < of->whole)
		output_print(text, "; what others leave: %" PRId64 ", by its %s", of->least, resource_names[of->least_binding]);
}

static void add_step(const struct explanation *e, int index)
{
	const struct step *step = explain_step(e, index);
	const struct rule_kind *rule = &rule_kinds[step->rule];
	struct output text = {0};
	char first[32];
	snprintf(first, sizeof first, "  [%d] ", e->numbers[index]);
	output_print(&text, "%s = %" PRId64, step->about == NULL ? rule->name : step->about, step->value.num);
	if (step->value.den != 1)
		output_print(&text, "/%" PRId64, step->value.den);
	if (rule->unit == STEP_UNIT_NS)
		output_add(&text, " ns");
	if (step->input_count == 0 && step->rule == RULE_GIVEN) {
		add_given(e, step, &text);
	} else {
		output_print(&text, ": %s: %s", rule->name, rule->equation);
		add_inputs(e, index, &text);
		add_limits(e, step, &text);
		output_print(&text, " (%s)", rule->source);
	}
	text_paragraph(e->output, first, 8, text.text);
	output_finish(&text);
}

static bool is_table(int rule)
{
	return rule == RULE_ENGINES || rule == RULE_CLAIM_JITTER || rule == RULE_CLAIM_RESPONSE || rule == RULE_CLAIM;
}

static bool is_shown(const struct explanation *e, int index)
{
	const struct step *step = explain_step(e, index);
	bool other = step->about != NULL && strncmp(step->about, "task:", 5) == 0 && !is_own(e, step->about);
	bool above = index == e->result->bounds[e->result->winner].step || step->rule == RULE_P || step->rule == RULE_VOL_P ||
		     step->rule == RULE_P_GPU || step->rule == RULE_P_GPU_ONCE;
	return e->reached[index] && !above && !is_table(step->rule) && (e->reached_count <= MOST_STEPS || !other);
}

static void add_steps(struct explanation *e)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, e->result->step);
	reach(e, e->result->bounds[e->result->winner].step);
	for (int i = 0; i < explain_step(e, e->result->step)->input_count; i++)
		if (strcmp(inputs[i].role, "Jr") == 0)
			reach(e, inputs[i].step);
	text_heading(e->output, STEPS_TITLE, e->colour);
	for (int i = e->derivation->count - 1; i >= 0; i--)
		if (is_shown(e, i))
			add_step(e, i);
	if (e->reached_count > MOST_STEPS)
		explain_line(e, 2, "%d steps in all; those of other tasks are in the report, and in --explain of these tasks.",
			e->reached_count);
}

/* ---- what it rests on */

static void add_assumptions(const struct explanation *e, uint64_t used)
{
	text_heading(e->output, "What it rests on", e->colour);
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (used >> i & 1)
			explain_line(e, 2, "%s, %s: %s", assumption_kinds[i].id,
				assumption_status_name(e->report->platform->assumptions[i].status), assumption_kinds[i].statement);
}

/* What the files of the programs say that bound this task's kernels. */
static void add_claims(const struct explanation *e)
{
	for (int i = e->task->first_operation; i < e->task->first_operation + e->task->operation_count; i++) {
		const struct program *program = e->report->set->operations[i].program;
		for (int k = 0; program != NULL && k < program->claim_count; k++) {
			const struct program_claim *claim = &program->claims[k];
			if (program_rests_on(program, claim))
				explain_line(e, 2, "program %s, %s%s%s: %s", program->id, claim->kind, claim->of[0] != '\0' ? " " : "",
					claim->of, claim->says);
		}
	}
}

/* ---- the whole */

/* An advice that points to --explain is read there: without that clause. */
static const char *without_pointer(const struct explanation *e, const char *advice)
{
	const char *begin = strstr(advice, "; --explain"), *end = begin == NULL ? NULL : strchr(begin + 1, ';');
	return begin == NULL ? advice : arena_format(e->arena, "%.*s%s", (int)(begin - advice), advice, end == NULL ? "" : end);
}

static void add_head(const struct explanation *e)
{
	char response[DURATION_TEXT], deadline[DURATION_TEXT];
	struct output title = {0};
	output_print(&title, "Task %s: %s%s", e->task->id, verdict_names[e->result->verdict], e->task->best_effort ? ", best effort" : "");
	text_heading(e->output, title.text, e->colour);
	output_finish(&title);
	if (e->result->winner < 0)
		explain_line(e, 2, "no response, as no bound has a value; deadline %s", time_text(e->result->deadline, deadline));
	else
		explain_line(e, 2,
			"response %s from the nominal release: the least bound%s%s the release jitter of %" PRId64 " ns; deadline %s",
			time_text(e->result->response, response), among(e), e->result->winner == BOUND_TT ? ", which knows of" : " and",
			e->task->arrival.jitter, time_text(e->result->deadline, deadline));
	if (e->result->advice != NULL)
		explain_line(e, 2, "%s", without_pointer(e, text_advice(e->arena, e->result->bounds, e->result->advice)));
}

static struct explanation begin(struct arena *arena, const struct report *report, int task)
{
	struct xml_report numbered = {.report = report};
	xml_number_steps(&numbered, arena);
	return (struct explanation){.arena = arena,
		.report = report,
		.derivation = report->derivation,
		.result = &report->response->tasks[task],
		.task = &report->set->tasks[task],
		.numbers = numbered.numbers,
		.reached = arena_allocate(arena, (size_t)report->derivation->count + 1, sizeof(bool))};
}

void report_explain(struct output *output, const struct report *report, int task, const struct slack *slack, bool colour)
{
	struct arena *arena = arena_create();
	struct explanation e = begin(arena, report, task);
	e.output = output;
	e.colour = colour;
	add_head(&e);
	add_bounds(&e);
	if (e.result->winner >= 0)
		add_winner(&e);
	if (e.result->winner >= 0 && e.result->response > 0)
		add_dominant(&e, task);
	if (e.result->verdict != VERDICT_PROVEN)
		remedies_print(&e, task);
	slack_text_of(output, e.task->id, e.result->verdict, slack, platform_conditions(report->platform, ~(uint64_t)0) != 0, colour);
	if (e.result->winner >= 0) {
		add_assumptions(&e, e.result->assumptions);
		add_claims(&e);
		add_steps(&e);
	}
	arena_destroy(arena);
}

/* Its numbers are given ones, or responses: the steps of these are in what explains their tasks. */
static void add_chain_steps(struct explanation *e, int root)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, root);
	text_heading(e->output, STEPS_TITLE, e->colour);
	for (int i = 0; i < explain_step(e, root)->input_count; i++) {
		bool stage = explain_step(e, inputs[i].step)->rule == RULE_STAGE;
		const struct step_input *below = derivation_inputs(e->derivation, inputs[i].step);
		e->reached[inputs[i].step] = true;
		for (int k = 0; stage && k < explain_step(e, inputs[i].step)->input_count; k++)
			e->reached[below[k].step] = true;
	}
	for (int i = e->derivation->count - 1; i >= 0; i--)
		if (e->reached[i])
			add_step(e, i);
}

void report_explain_chain(struct output *output, const struct report *report, int chain, bool colour)
{
	struct arena *arena = arena_create();
	const struct end_to_end_result *result = &report->response->end_to_end[chain];
	struct explanation e = begin(arena, report, report->set->end_to_end[chain].tasks[0]);
	e.output = output;
	e.colour = colour;
	explain_chain(&e, chain);
	if (result->response != NONE) {
		add_assumptions(&e, result->assumptions);
		add_chain_steps(&e, result->step);
	}
	arena_destroy(arena);
}

struct shares report_shares(struct arena *arena, const struct report *report, int task)
{
	struct shares shares = {.arena = arena, .set = report->set, .task = &report->set->tasks[task]};
	struct explanation e = begin(arena, report, task);
	struct output unread = {0};
	e.output = &unread;
	e.shares = &shares;
	if (e.result->winner >= 0)
		add_winner(&e);
	output_finish(&unread);
	if (e.result->winner >= 0)
		shares_add_as(&shares, SHARE_JITTER, "", e.result->response - shares.sum, "of the release");
	return shares;
}
