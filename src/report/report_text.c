/* The text table: what was proven, what was not and why, and what it rests on. */
#include "model/program.h"
#include "base/duration_text.h"
#include "report/report.h"
#include "report/slack_text.h"
#include "report/text_reason.h"
#include "report/text_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_LEAST 8
#define NAME_MOST 22 /* with narrow numbers and the other columns this is 80; longer names get their own line */
#define NAME_WIDE 15 /* the longest beside wide numbers */

static const enum text_style verdict_styles[] = {[VERDICT_PROVEN] = STYLE_GOOD,
	[VERDICT_CONDITIONAL] = STYLE_DOUBTFUL,
	[VERDICT_NOT_PROVEN] = STYLE_BAD,
	[VERDICT_NO_BOUND] = STYLE_DOUBTFUL};

struct text {
	struct output *output;
	const struct report *report;
	bool colour;
	bool rounded;                 /* a rounded time was printed */
	int name_width, number_width; /* columns */
};

static void add_conditions(struct output *output, const char *before, uint64_t conditional)
{
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (conditional >> i & 1) {
			output_print(output, "%s%s", before, assumption_kinds[i].id);
			before = ", ";
		}
}

/* The verdict says nothing of them, and that is said beside it. */
static void add_left_out(struct text *t)
{
	struct arena *arena = arena_create();
	const char *list = report_left_out(arena, t->report, ", ");
	if (list != NULL)
		output_print(t->output, ", without a bound for %s (best effort)", list);
	arena_destroy(arena);
}

/* " 0-13 16-29 33" */
static void add_members(struct output *line, const struct partition *partition)
{
	for (int sm = 0; sm < 64 * PARTITION_WORDS; sm++) {
		int first = sm;
		while (sm < 64 * PARTITION_WORDS && (partition->members[sm / 64] >> (sm % 64) & 1) != 0)
			sm++;
		if (sm > first)
			output_print(line, sm - first == 1 ? " %d" : " %d-%d", first, sm - 1);
	}
}

static void add_partitions(struct text *t)
{
	const struct taskset *set = t->report->set;
	for (int i = 0; i < set->partition_count; i++) {
		const struct partition *partition = &set->partitions[i];
		struct output line = {0};
		output_print(&line, "%s: %s, %lld SMs", partition->id, partition_names[partition->kind], (long long)partition->size);
		if (partition->members != NULL)
			output_add(&line, ",");
		if (partition->members != NULL)
			add_members(&line, partition);
		const char *before = "; streams ";
		for (int s = 0; s < set->stream_count; s++) {
			if (taskset_partition(set, s) != partition)
				continue;
			output_print(&line, "%s%s", before, set->streams[s].id);
			before = ", ";
		}
		text_paragraph(t->output, i == 0 ? "partitions " : "           ", 13, line.text);
		output_finish(&line);
	}
}

/* A verdict about numbers that are not the file's says so. */
static void add_changes(struct text *t)
{
	const char *label = "what if    ";
	for (int i = 0; i < t->report->argument_count; i++) {
		const char *argument = t->report->arguments[i];
		if (strncmp(argument, "--set=", 6) != 0 && strncmp(argument, "--scale=", 8) != 0)
			continue;
		text_paragraph(t->output, label, 11, argument);
		label = "           ";
	}
}

static void add_header(struct text *t)
{
	const struct report *report = t->report;
	text_paragraph(t->output, "task set   ", 11, report->set->id);
	text_paragraph(t->output, "file       ", 11, report->set->path);
	if (report->set->title != NULL)
		text_paragraph(t->output, "           ", 11, report->set->title);
	text_paragraph(t->output, "platform   ", 11, report->platform->id);
	text_paragraph(t->output, "           ", 11, report->platform->name);
	add_partitions(t);
	add_changes(t);
	output_add(t->output, "verdict    ");
	text_cell(t->output, verdict_names[report->response->worst], 0, verdict_styles[report->response->worst], t->colour);
	add_conditions(t->output,
		"; what is marked * holds only if these do: ", platform_conditions(t->report->platform, report_assumptions(report)));
	add_left_out(t);
	output_add(t->output, "\n");
}

static int wider(int width, const char *name)
{
	int columns = text_columns(name);
	return columns > width && columns <= NAME_MOST ? columns : width;
}

static int name_width(const struct taskset *set)
{
	int width = NAME_LEAST;
	for (int i = 0; i < set->task_count; i++)
		width = wider(width, set->tasks[i].id);
	for (int i = 0; i < set->stream_count; i++)
		width = wider(width, set->streams[i].id);
	for (int i = 0; i < set->end_to_end_count; i++)
		width = wider(width, set->end_to_end[i].id);
	return width;
}

static void add_time(struct text *t, int64_t time, enum rounding rounding)
{
	char text[DURATION_TEXT];
	duration_text(time, rounding, text);
	t->rounded |= strstr(text, DURATION_MARK) != NULL;
	output_add(t->output, " ");
	text_cell(t->output, text, 1 - t->number_width, STYLE_PLAIN, false);
}

/* bound: what follows the verdict, a name or a few words. */
static void add_row(struct text *t, const char *name, int64_t deadline, int64_t response, enum verdict verdict, const char *bound)
{
	if (text_columns(name) > t->name_width) {
		text_add(t->output, name);
		output_add(t->output, "\n");
		name = "";
	}
	text_cell(t->output, name, t->name_width, STYLE_PLAIN, false);
	add_time(t, deadline, ROUND_NEVER);
	add_time(t, response, ROUND_UP);
	add_time(t, checked_sub(deadline, response), ROUND_DOWN);
	output_add(t->output, "  ");
	text_cell(t->output, verdict_names[verdict], 11, verdict_styles[verdict], t->colour);
	output_print(t->output, "  %s\n", bound);
}

/* none: what stands where no bound won. */
static void add_result(struct text *t, const char *name, const struct response_of *result, const char *none)
{
	char bound[16];
	bool conditional = result->winner >= 0 && platform_conditions(t->report->platform, result->assumptions) != 0;
	snprintf(bound, sizeof bound, "%s%s", result->winner >= 0 ? bound_kinds[result->winner].name : none, conditional ? "*" : "");
	add_row(t, name, result->deadline, result->response, result->verdict, bound);
}

static void add_end_to_end(struct text *t, int index)
{
	const struct end_to_end *flow = &t->report->set->end_to_end[index];
	const struct end_to_end_result *result = &t->report->response->end_to_end[index];
	char kind[32];
	snprintf(kind, sizeof kind, "%s%s", flow->reduced ? "reduced " : "", end_to_end_names[flow->kind]);
	add_row(t, flow->id, flow->deadline, result->response, result->verdict, kind);
}

static void add_count(struct text *t, int64_t count)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRId64, count);
	output_add(t->output, " ");
	text_cell(t->output, count == NONE ? "-" : text, 1 - t->number_width, STYLE_PLAIN, false);
}

/* By the task that reads it; of a chain without a bound its reason says what there is to say. */
static void add_queues(struct text *t, int index, bool *head)
{
	const struct end_to_end *flow = &t->report->set->end_to_end[index];
	const struct end_to_end_result *result = &t->report->response->end_to_end[index];
	for (int i = 0; i < flow->task_count && result->response != NONE; i++) {
		struct handover from = end_to_end_handover(flow, i);
		if (from.via != HANDOVER_QUEUE)
			continue;
		char text[TEXT_WIDTH * 2];
		snprintf(text, sizeof text, "%-*s%*s%*s%*s  %s", t->name_width, "queue to", t->number_width, "capacity", t->number_width,
			"backlog", t->number_width, "delay", "of chain");
		if (!*head)
			text_heading(t->output, text, t->colour);
		*head = true;
		text_cell(t->output, t->report->set->tasks[flow->tasks[i]].id, t->name_width, STYLE_PLAIN, false);
		add_count(t, from.capacity);
		add_count(t, result->links[i].backlog);
		add_time(t, result->links[i].delay, ROUND_UP);
		output_add(t->output, "  ");
		text_add(t->output, flow->id);
		output_add(t->output, "\n");
	}
}

static void add_table_head(struct text *t, const char *what, const char *last)
{
	char text[TEXT_WIDTH * 2];
	snprintf(text, sizeof text, "%-*s%*s%*s%*s  %-11s  %s", t->name_width, what, t->number_width, "deadline", t->number_width,
		"response", t->number_width, "slack", "verdict", last);
	text_heading(t->output, text, t->colour);
}

/* What follows the verdict is longer than the name of a bound. */
static bool has_words(const struct taskset *set)
{
	bool any = set->end_to_end_count > 0;
	for (int i = 0; i < set->task_count; i++)
		any |= set->tasks[i].best_effort;
	return any;
}

static void add_tables(struct text *t)
{
	const struct report *report = t->report;
	t->name_width = name_width(report->set);
	t->number_width = t->name_width > NAME_WIDE || has_words(report->set) ? 12 : 15;
	add_table_head(t, "task", "bound");
	for (int i = 0; i < report->set->task_count; i++)
		add_result(
			t, report->set->tasks[i].id, &report->response->tasks[i], report->set->tasks[i].best_effort ? "best effort" : "-");
	if (report->set->stream_count > 0)
		add_table_head(t, "stream", "bound");
	for (int i = 0; i < report->set->stream_count; i++)
		add_result(t, report->set->streams[i].id, &report->response->streams[i], "-");
	if (report->set->end_to_end_count > 0)
		add_table_head(t, "chain", "kind");
	for (int i = 0; i < report->set->end_to_end_count; i++)
		add_end_to_end(t, i);
	bool head = false;
	for (int i = 0; i < report->set->end_to_end_count; i++)
		add_queues(t, i, &head);
	if (!t->rounded)
		return;
	output_add(t->output, "\n");
	text_paragraph(t->output, "~", 2, "rounded to the safe side: a response up, a slack down; --format=csv and the report are exact");
}

static void add_bound(struct text *t, const struct bound_value *bounds, int bound)
{
	const struct bound_value *value = &bounds[bound];
	char first[32], text[DURATION_TEXT];
	struct output words = {0};
	snprintf(first, sizeof first, "  %-8s", bound_kinds[bound].name);
	if (checked_is_none(value->value)) {
		text_reason(t->output, bounds, bound);
		return;
	}
	output_add(&words, duration_text(value->value, ROUND_NEVER, text));
	add_conditions(&words, ", if ", platform_conditions(t->report->platform, value->assumptions));
	text_paragraph(t->output, first, 10, words.text);
	output_finish(&words);
}

/* The first of the tasks before it of which the same is said, word by word; NO_ID: there is none. */
static int same_failure(const struct response_of *tasks, int task)
{
	for (int i = 0; i < task; i++) {
		bool same = tasks[i].verdict == tasks[task].verdict && tasks[i].advice != NULL && tasks[task].advice != NULL &&
			    strcmp(tasks[i].advice, tasks[task].advice) == 0;
		for (int bound = 0; bound < BOUND_COUNT && same; bound++)
			same = text_same_reason(&tasks[i].bounds[bound], &tasks[task].bounds[bound]);
		if (same)
			return i;
	}
	return NO_ID;
}

static void add_failure(struct text *t, int task)
{
	const struct response_of *result = &t->report->response->tasks[task];
	const char *name = t->report->set->tasks[task].id;
	int same = result->verdict == VERDICT_PROVEN ? NO_ID : same_failure(t->report->response->tasks, task);
	if (result->verdict == VERDICT_PROVEN)
		return;
	struct output title = {0};
	if (same != NO_ID) {
		output_print(&title, "task %s: %s, for the same reasons as task %s", name, verdict_names[result->verdict],
			t->report->set->tasks[same].id);
		text_heading(t->output, title.text, t->colour);
		output_finish(&title);
		return;
	}
	output_print(&title, "task %s: %s; bounds from the actual release%s:", name, verdict_names[result->verdict],
		result->bounds[BOUND_TT].value == NONE ? "" : ", TT from the nominal one");
	text_heading(t->output, title.text, t->colour);
	output_finish(&title);
	for (int i = 0; i < BOUND_COUNT; i++)
		add_bound(t, result->bounds, i);
	struct arena *arena = arena_create();
	if (result->advice != NULL)
		text_paragraph(t->output, "  advice  ", 10, text_advice(arena, result->bounds, result->advice));
	arena_destroy(arena);
}

static void add_end_to_end_failure(struct text *t, int index)
{
	struct output first = {0};
	const char *reason = t->report->response->end_to_end[index].reason;
	output_print(&first, "chain %s: ", t->report->set->end_to_end[index].id);
	if (reason != NULL) {
		output_add(t->output, "\n");
		text_paragraph(t->output, first.text, 10, reason);
	}
	output_finish(&first);
}

/* A stream's response is the worst of its tasks': they say why. */
static void add_failures(struct text *t)
{
	const struct report *report = t->report;
	for (int i = 0; i < report->set->task_count; i++)
		add_failure(t, i);
	for (int i = 0; i < report->set->end_to_end_count; i++)
		add_end_to_end_failure(t, i);
}

static void add_assumption(struct text *t, int index)
{
	const struct assumption_state *state = &t->report->platform->assumptions[index];
	char first[64];
	snprintf(first, sizeof first, "  %-11s %-11s ", assumption_kinds[index].id, assumption_status_name(state->status));
	text_paragraph(t->output, first, 26, assumption_kinds[index].statement);
	text_paragraph(t->output, "                          discharged by", 26, assumption_kinds[index].discharge);
	if (state->declared_by != NULL)
		text_paragraph(t->output,
			state->status == STATUS_CONDITIONAL ? "                          relied on by"
							    : "                          vouched for by",
			26, state->declared_by);
}

static void add_assumptions(struct text *t)
{
	uint64_t used = report_assumptions(t->report);
	if (used == 0)
		return;
	text_heading(t->output, "The bounds rest on, and who discharges it:", t->colour);
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (used >> i & 1)
			add_assumption(t, i);
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const char *claim = taskset_discharges(t->report->set, (enum assumption)i);
		if (claim != NULL)
			output_print(t->output, "  %-11s discharged by %s: nobody has to vouch for it\n", assumption_kinds[i].id, claim);
	}
}

static void add_program_claims(struct text *t, const struct program *program)
{
	struct output head = {0};
	output_print(&head, "The bound of program %s rests on what nobody checked:", program->id);
	text_heading(t->output, head.text, t->colour);
	output_finish(&head);
	for (int i = 0; i < program->claim_count; i++) {
		const struct program_claim *claim = &program->claims[i];
		struct output first = {0};
		output_print(&first, "  %s%s%s: ", claim->kind, claim->of[0] != '\0' ? " " : "", claim->of);
		if (program_rests_on(program, claim))
			text_paragraph(t->output, first.text, 4, claim->says);
		output_finish(&first);
	}
}

/* Of each program that kernels name, once. */
static void add_claims(struct text *t)
{
	const struct taskset *set = t->report->set;
	for (int i = 0; i < set->operation_count; i++)
		if (taskset_new_program(set, i) != NULL)
			add_program_claims(t, set->operations[i].program);
}

/* How often each hazard was found; the diagnostics say where. */
static void add_hazards(struct text *t)
{
	bool any = false;
	for (int code = 0; code < DIAGNOSTIC_COUNT; code++) {
		int count = diagnostic_kinds[code].level == LEVEL_HAZARD ? diagnostics_count(t->report->diagnostics, code) : 0;
		char first[80];
		if (count == 0)
			continue;
		if (!any)
			text_heading(t->output, "Hazards, whether or not the bounds hold:", t->colour);
		any = true;
		snprintf(first, sizeof first, "  %4d  %-24s ", count, diagnostic_kinds[code].slug);
		text_paragraph(t->output, first, 33, diagnostic_kinds[code].meaning);
	}
}

static void add_open_channels(struct text *t)
{
	const struct channels *channels = t->report->channels;
	bool any = false;
	for (int i = 0; i < channels->count; i++) {
		if (channels->items[i].bounded)
			continue;
		if (!any)
			text_heading(t->output, "Interference channels that nothing bounds:", t->colour);
		any = true;
		struct output first = {0};
		output_print(&first, "  %-13s ", channels->items[i].id);
		text_paragraph(t->output, first.text, 16, channels->items[i].what);
		output_finish(&first);
	}
}

void report_text(struct output *output, const struct report *report, bool colour)
{
	struct text t = {.output = output, .report = report, .colour = colour};
	add_header(&t);
	add_tables(&t);
	add_failures(&t);
	add_assumptions(&t);
	add_claims(&t);
	add_hazards(&t);
	add_open_channels(&t);
	if (report->slack_in_report)
		slack_text(output, report, colour);
}
