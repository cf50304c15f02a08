/* Pictures of a report's own inputs. */
#include "cli/report_figures.h"

#include "cli/assume.h"
#include "cli/changes.h"
#include "cli/worst_run.h"
#include "pipeline.h"
#include "render/report_inputs.h"
#include "report/shares.h"
#include "report/streams_svg.h"
#include "write/xml_write.h"
#include "simulate/launch_plan.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PLACED_MOST 4000 /* what a page can show; the commands draw more */

struct draft {
	struct arena *arena;
	const struct report_file *report;
	const struct platform *platform;
	const struct taskset *set;
	const char *path, *model;
	const char *arguments; /* that name the inputs on a command line */
};

static const char *of_operation(const struct draft *draft, int operation, const char *reason)
{
	return operation == NO_ID ? reason : arena_format(draft->arena, "operation '%s': %s", draft->set->operations[operation].id, reason);
}

/* ---- what the report says of a task, in the order of the task set; NONE: nothing */

static const struct xml_element *result_of(const struct draft *draft, int task)
{
	const struct xml_element *result = render_first(element_child(draft->report->root, "results"), "task");
	while (result != NULL && strcmp(element_get(result, "id"), draft->set->tasks[task].id) != 0)
		result = render_next(result);
	return result;
}

static int64_t response_of(const struct draft *draft, int task)
{
	const struct xml_element *result = result_of(draft, task);
	const char *response = result == NULL ? NULL : element_get(result, "response");
	return response == NULL ? NONE : strtoll(response, NULL, 10);
}

/* ---- what responses are made of */

/* The options that the report's command line has of the analysis. */
static bool read_options(const struct draft *draft, struct arguments *arguments, struct pipeline_options *options)
{
	const struct xml_element *word = render_first(element_child(draft->report->root, "invocation"), "argument");
	int count = 0, most = element_count(element_child(draft->report->root, "invocation"), "argument");
	char **words = arena_allocate(draft->arena, (size_t)most + 1, sizeof *words);
	if (word == NULL || word->text == NULL || strcmp(word->text, "analyze") != 0)
		return false;
	while ((word = render_next(word)) != NULL)
		words[count++] = arena_copy(draft->arena, word->text == NULL ? "" : word->text);
	int64_t limit = 0;
	if (!arguments_parse(arguments, command_find("analyze"), count, words, draft->arena) || !assume_check(arguments) ||
		!arguments_integer(arguments, "limit", 0, INT_MAX, &limit))
		return false;
	options->wishes.assume = arguments_values(arguments, "assume", &options->wishes.assume_count);
	options->wishes.changes = changes_given(arguments, &options->wishes.change_count);
	options->solver_iterations = (int)limit;
	return true;
}

static bool is_as_reported(const struct draft *draft, const struct pipeline *pipeline)
{
	for (int t = 0; t < draft->set->task_count; t++)
		if (pipeline->response->tasks[t].response != response_of(draft, t))
			return false;
	return true;
}

static void draw_shares(const struct draft *draft, struct render_figure *figure)
{
	struct arguments arguments;
	struct pipeline pipeline;
	struct pipeline_options options = {.wishes = {.platform = draft->model}};
	*figure = (struct render_figure){
		.name = "shares", .command = arena_format(draft->arena, "gpubound analyze --explain=TASK %s", draft->arguments)};
	if (!read_options(draft, &arguments, &options)) {
		figure->reason = "the report does not say which command line of gpubound analyze wrote it";
		return;
	}
	pipeline_init(&pipeline);
	if (!pipeline_run(&pipeline, draft->path, &options) || !is_as_reported(draft, &pipeline)) {
		figure->reason = "this version of gpubound finds other numbers than those of the report";
	} else {
		struct report report = pipeline_report(&pipeline, &options, NULL, 0);
		report_shares_xml(&figure->svg, pipeline.arena, &report);
	}
	pipeline_finish(&pipeline);
}

/* ---- streams, placement */

static void draw_streams(const struct draft *draft, struct render_figure *figure)
{
	*figure = (struct render_figure){.name = "streams"};
	report_streams_svg(&figure->svg, draft->arena, draft->platform, draft->set);
}

static void draw_placement(const struct draft *draft, struct render_figure *figure)
{
	int operation;
	const char *reason;
	*figure = (struct render_figure){
		.name = "placement", .command = arena_format(draft->arena, "gpubound map %s --svg=placement.svg", draft->arguments)};
	const struct launch_plan *plan = launch_plan_make(draft->arena, draft->platform, draft->set, NULL, &reason, &operation);
	if (plan == NULL)
		figure->reason = of_operation(draft, operation, reason);
	else
		launch_plan_draw(plan, PLACED_MOST, &figure->svg);
}

/* ---- what was seen */

static void write_seen(const struct draft *draft, const struct worst_runs *worst, struct output *output)
{
	struct xml xml = {.output = output};
	xml_begin(&xml, "seen");
	xml_attribute(&xml, "xmlns", "urn:gpubound:report:1");
	xml_integer(&xml, "runs", worst->runs);
	for (int t = 0; t < draft->set->task_count; t++) {
		if (worst->seen[t] == 0)
			continue;
		xml_begin(&xml, "response");
		xml_attribute(&xml, "task", draft->set->tasks[t].id);
		xml_integer(&xml, "ns", worst->seen[t]);
		xml_attribute(&xml, "options", worst_run_options(worst, worst->run_of[t]));
		xml_end(&xml);
	}
	xml_end(&xml);
}

/* Is a/b above c/d, of positive times below 2^62? */
static bool is_above(int64_t a, int64_t b, int64_t c, int64_t d)
{
	return checked_mul_div_floor(a, INT64_C(1000000), b) > checked_mul_div_floor(c, INT64_C(1000000), d);
}

/* The task whose bound is the greatest part of its deadline; without any deadline the first that was seen. NO_ID: none was. */
static int most_pressed(const struct draft *draft, const struct worst_runs *worst)
{
	int found = NO_ID, first = NO_ID;
	for (int t = 0; t < draft->set->task_count; t++) {
		int64_t bound = response_of(draft, t), deadline = draft->set->tasks[t].deadline;
		if (worst->seen[t] == 0)
			continue;
		first = first == NO_ID ? t : first;
		if (bound == NONE || deadline == NONE || deadline == 0)
			continue;
		if (found == NO_ID || is_above(bound, deadline, response_of(draft, found), draft->set->tasks[found].deadline))
			found = t;
	}
	return found == NO_ID ? first : found;
}

static void draw_worst(const struct draft *draft, struct render_figure *seen, struct render_figure *timeline)
{
	struct worst_runs worst = {.arena = draft->arena, .platform = draft->platform, .set = draft->set};
	*seen = (struct render_figure){.name = "seen", .command = arena_format(draft->arena, "gpubound simulate %s", draft->arguments)};
	*timeline = (struct render_figure){.name = "timeline", .command = seen->command};
	bool tried = worst_runs_try(&worst);
	int task = tried ? most_pressed(draft, &worst) : NO_ID;
	if (task == NO_ID) {
		seen->reason =
			tried ? "no job was complete in any of the runs" : of_operation(draft, worst.refused_operation, worst.reason);
		timeline->reason = seen->reason;
		return;
	}
	int64_t from, to;
	write_seen(draft, &worst, &seen->svg);
	worst_run_draw(&worst, task, response_of(draft, task), &timeline->svg, &from, &to);
	timeline->about = draft->set->tasks[task].id;
	timeline->command = arena_format(draft->arena, "%s %s --from=%" PRId64 "ns --to=%" PRId64 "ns --svg=timeline.svg", seen->command,
		worst_run_options(&worst, worst.run_of[task]), from, to);
}

/* ---- the inputs */

static bool check_inputs(const struct render_inputs *inputs)
{
	bool good = true;
	size_t length;
	for (const struct xml_element *input = render_inputs_find(inputs, NULL); input != NULL; input = render_next(input))
		good &= render_inputs_read(inputs, input, &length) != NULL;
	return good;
}

/* Warnings about the inputs are in the report already. */
static bool read_inputs(const struct render_inputs *inputs, struct draft *draft)
{
	const struct xml_element *set = render_inputs_find(inputs, "taskset"), *model = render_inputs_find(inputs, "platform");
	struct pipeline_problem problem;
	struct diagnostics again;
	if (!check_inputs(inputs))
		return false;
	diagnostics_init(&again, inputs->arena);
	const char *path = element_get(set, "path"), *name = element_get(model, "path");
	bool taken = pipeline_read(inputs->arena, &again, inputs->folders, path, &(struct input_wishes){.platform = name}, &problem);
	if (taken)
		*draft = (struct draft){inputs->arena, inputs->report, problem.platform, problem.set, path, name,
			arena_format(inputs->arena, "--platform=%s %s", name, path)};
	else
		diagnose(inputs->diagnostics, DIAGNOSTIC_BUNDLE_INPUT_CHANGED, path, 0, "expected a task set that this version takes");
	return taken;
}

bool report_figures_draw(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct render_figure figures[REPORT_FIGURES])
{
	const struct render_inputs inputs = {arena, diagnostics, folders, report};
	struct draft draft;
	if (!read_inputs(&inputs, &draft))
		return false;
	draw_shares(&draft, &figures[0]);
	draw_streams(&draft, &figures[1]);
	draw_worst(&draft, &figures[2], &figures[3]);
	draw_placement(&draft, &figures[4]);
	return true;
}

void report_figures_finish(struct render_figure figures[REPORT_FIGURES])
{
	for (int i = 0; i < REPORT_FIGURES; i++)
		output_finish(&figures[i].svg);
}
