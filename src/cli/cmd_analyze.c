/* gpubound analyze: task sets in, bounds and verdicts out. */
#include "base/suggest.h"
#include "cli/arguments.h"
#include "cli/assume.h"
#include "cli/changes.h"
#include "input/read_report.h"
#include "pipeline.h"
#include "render/compare.h"
#include "report/build_environment.h"
#include "report/explain.h"

#include <string.h>

#define LEAST_LIMIT 1
#define GREATEST_LIMIT 100000000

const struct option options_analyze[] = {
	{"output", 'o', "FILE", "write the XML report to FILE as well (- is standard output)", true},
	{"format", 'f', "text|csv|xml|mast|mast2", "what to print on standard output; text is the default", true},
	{"threads", 0, "FILE", "mast, mast2: what host segments take on their cores stands in this task set", false},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the task set's", false},
	{"limit", 0, "N", "iterations of the solver for each linear program (default 100000)", false},
	{"assume", 'a', "ID", "rely on an assumption that the model does not grant; may be repeated", false, true},
	{"pass-conditional", 0, NULL, "exit with 0, not 7, where some verdict is conditional and none is worse", true},
	{"set", 0, "TARGET=VALUE", "what if: take this value of TASK.ATTRIBUTE, or platform.NAME; may be repeated", false, true},
	{"scale", 0, "TARGET=FACTOR", "what if: that value times a factor, as kernel.wcet=1.2; may be repeated", false, true},
	{"slack", 0, NULL, "how far WCETs, periods and deadlines may move", false},
	{"explain", 0, "TASK", "print how the response of this task, or chain, comes about; may be repeated", true},
	{"compare", 0, "REPORT", "print what differs from an earlier report", true},
	OPTIONS_END,
};

/* One run of the command. Nothing is printed before all task sets were read: input that is refused leaves no output. */
struct analysis {
	const struct arguments *arguments;
	struct pipeline_options options;
	struct input_folders folders;
	const char *format;       /* of standard output */
	const char *const *words; /* of the command, as a report records them */
	int word_count;
	struct output output; /* for standard output */
	struct output report; /* for --output */
	struct output summary;
	bool several, refused;
	bool wrong;                  /* the command line, as what was read shows */
	int verdicts[VERDICT_COUNT]; /* how many of each */
};

static bool is_mast(const struct analysis *analysis)
{
	return strncmp(analysis->format, "mast", strlen("mast")) == 0; /* or mast2 */
}

static int check_usage(const struct analysis *analysis)
{
	const struct arguments *arguments = analysis->arguments;
	if (!assume_check(arguments))
		return EXIT_USAGE;
	if (!build_environment_has_usable_date())
		return usage_error(arguments->command, "SOURCE_DATE_EPOCH wants whole seconds since 1970, up to the year 9999");
	bool single = strcmp(analysis->format, "xml") == 0 || is_mast(analysis);
	if (analysis->several && (arguments_has(arguments, "output") || single))
		return usage_error(arguments->command, "a report, or a model of MAST, holds one task set; several were given");
	if (arguments_has(arguments, "threads") && !is_mast(analysis))
		return usage_error(arguments->command, "--threads is for --format=mast and mast2");
	bool reads = arguments_has(arguments, "explain") || arguments_has(arguments, "compare");
	if (reads && (analysis->several || strcmp(analysis->format, "text") != 0))
		return usage_error(arguments->command, "--explain and --compare print text, of one task set");
	return EXIT_FINE;
}

/* ---- for a reader: derivations, differences */

static int find_task(const struct taskset *set, const char *id)
{
	for (int i = 0; i < set->task_count; i++)
		if (strcmp(set->tasks[i].id, id) == 0)
			return i;
	return NO_ID;
}

static int find_chain(const struct taskset *set, const char *id)
{
	for (int i = 0; i < set->end_to_end_count; i++)
		if (strcmp(set->end_to_end[i].id, id) == 0)
			return i;
	return NO_ID;
}

/* A mistyped name is all that there is to say. */
static bool are_tasks(struct analysis *analysis, const struct taskset *set)
{
	int count;
	const char *const *tasks = arguments_values(analysis->arguments, "explain", &count);
	for (int i = 0; i < count; i++) {
		struct suggestion suggestion = suggest_for(tasks[i]);
		if (find_task(set, tasks[i]) != NO_ID || find_chain(set, tasks[i]) != NO_ID)
			continue;
		for (int t = 0; t < set->task_count; t++)
			suggest_offer(&suggestion, set->tasks[t].id);
		for (int c = 0; c < set->end_to_end_count; c++)
			suggest_offer(&suggestion, set->end_to_end[c].id);
		usage_error(analysis->arguments->command, "there is no task or chain '%s' in %s%s", tasks[i], set->path,
			suggest_hint(analysis->arguments->arena, suggestion.nearest, '\''));
		analysis->wrong = true;
		return false;
	}
	return true;
}

static void add_explanations(struct analysis *analysis, const struct pipeline *pipeline, const struct report *report)
{
	int count;
	const char *const *tasks = arguments_values(analysis->arguments, "explain", &count);
	for (int i = 0; i < count; i++) {
		int task = find_task(report->set, tasks[i]);
		if (task == NO_ID) {
			report_explain_chain(&analysis->output, report, find_chain(report->set, tasks[i]),
				arguments_colour(analysis->arguments, stdout));
			continue;
		}
		struct slack slack = pipeline_slack_of(pipeline, &analysis->options, task);
		report_explain(&analysis->output, report, task, &slack, arguments_colour(analysis->arguments, stdout));
	}
}

/* The new report is read as the old one was. */
static void add_differences(struct analysis *analysis, const struct report *report)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arena);
	struct report_file old;
	struct output text = {0};
	diagnostics_init(&diagnostics, arena);
	bool read = pipeline_write_xml(&diagnostics, &text, report) &&
		    input_read_report(arena, &diagnostics, &folders, arguments_value(analysis->arguments, "compare", NULL), &old);
	if (read)
		render_compare(&analysis->output, old.root,
			xml_read(arena, &diagnostics, "report", folders.schemas, "the new report", text.text, text.length));
	diagnostics_print(&diagnostics, 0, arguments_level(analysis->arguments), arguments_colour(analysis->arguments, stderr), stderr);
	analysis->refused |= !read;
	analysis->wrong |= read && !arguments_spare_inputs(analysis->arguments, &diagnostics);
	output_finish(&text);
	arena_destroy(arena);
}

static bool add_readings(struct analysis *analysis, const struct pipeline *pipeline, const struct report *report)
{
	bool explain = arguments_has(analysis->arguments, "explain"), compare = arguments_has(analysis->arguments, "compare");
	if (explain)
		add_explanations(analysis, pipeline, report);
	if (compare)
		add_differences(analysis, report);
	return explain || compare;
}

static void add_report(struct analysis *analysis, struct output *output, const struct report *report)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	analysis->refused |= !pipeline_write_xml(&diagnostics, output, report);
	diagnostics_print(&diagnostics, 0, arguments_level(analysis->arguments), arguments_colour(analysis->arguments, stderr), stderr);
	arena_destroy(arena);
}

/* The task set of --threads is read beside the one that is analysed. */
static void add_mast(struct analysis *analysis, const struct report *report)
{
	const char *path = arguments_value(analysis->arguments, "threads", NULL);
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arena);
	struct pipeline_problem problem = {0};
	struct report with_threads = *report;
	diagnostics_init(&diagnostics, arena);
	bool read = path == NULL || pipeline_read(arena, &diagnostics, &folders, path, NULL, &problem);
	with_threads.threads = problem.set;
	bool second = strcmp(analysis->format, "mast2") == 0;
	analysis->refused |= !read || !report_mast(&diagnostics, &analysis->output, &with_threads, second);
	diagnostics_print(&diagnostics, 0, arguments_level(analysis->arguments), arguments_colour(analysis->arguments, stderr), stderr);
	analysis->wrong |= !arguments_spare_inputs(analysis->arguments, &diagnostics);
	arena_destroy(arena);
}

static void add_formats(struct analysis *analysis, const struct pipeline *pipeline, const struct report *report)
{
	struct output *output = &analysis->output;
	bool first = output->length == 0;
	if (strcmp(analysis->format, "xml") == 0)
		add_report(analysis, output, report);
	else if (is_mast(analysis))
		add_mast(analysis, report);
	else if (strcmp(analysis->format, "text") == 0 && !add_readings(analysis, pipeline, report)) {
		output_add(output, first ? "" : "\n");
		report_text(output, report, arguments_colour(analysis->arguments, stdout));
	} else if (strcmp(analysis->format, "csv") == 0) {
		if (first)
			report_csv_header(output);
		report_csv(output, report);
	}
	if (arguments_has(analysis->arguments, "output"))
		add_report(analysis, &analysis->report, report);
}

/* What lacks facts is asked for piece by piece by messages, and at once by models --check. */
static void point_to_list(const struct analysis *analysis, const struct diagnostics *diagnostics)
{
	if (diagnostics_lacks(diagnostics, LEVEL_NOTE) > 1 && arguments_level(analysis->arguments) < LEVEL_ERROR)
		fprintf(stderr, "gpubound: gpubound models --check TASKSET lists all that is missing at once\n");
}

static void analyze_one(struct analysis *analysis, const char *path)
{
	struct pipeline pipeline;
	pipeline_init_in(&pipeline, &analysis->folders);
	bool accepted = pipeline_run(&pipeline, path, &analysis->options);
	if (accepted && !are_tasks(analysis, pipeline.set)) {
		pipeline_finish(&pipeline);
		return;
	}
	diagnostics_print(
		&pipeline.diagnostics, 0, arguments_level(analysis->arguments), arguments_colour(analysis->arguments, stderr), stderr);
	point_to_list(analysis, &pipeline.diagnostics);
	analysis->refused |= !accepted;
	analysis->wrong |= accepted && !arguments_spare_inputs(analysis->arguments, &pipeline.diagnostics);
	if (accepted && arguments_has(analysis->arguments, "slack"))
		pipeline_slack(&pipeline, &analysis->options);
	if (accepted) {
		struct report report = pipeline_report(&pipeline, &analysis->options, analysis->words, analysis->word_count);
		report.slack_in_report = arguments_has(analysis->arguments, "slack");
		add_formats(analysis, &pipeline, &report);
		const char *left_out = report_left_out(pipeline.arena, &report, ", ");
		output_print(&analysis->summary, "%-11s %s%s%s%s\n", verdict_names[pipeline.response->worst], path,
			analysis->options.wishes.change_count > 0 ? ", what if" : "", left_out != NULL ? ", without a bound for " : "",
			left_out != NULL ? left_out : "");
		analysis->verdicts[pipeline.response->worst]++;
	}
	pipeline_finish(&pipeline);
}

/* The verdict last: on a terminal the top of a long table is gone. */
static void add_summary(struct analysis *analysis)
{
	output_add(&analysis->output, "\n");
	output_add(&analysis->output, analysis->summary.text);
	if (!analysis->several)
		return;
	const int *counts = analysis->verdicts;
	output_print(&analysis->output, "%d proven, %d conditional, %d not proven, %d no bound\n", counts[VERDICT_PROVEN],
		counts[VERDICT_CONDITIONAL], counts[VERDICT_NOT_PROVEN], counts[VERDICT_NO_BOUND]);
}

/* The report first: whoever sees the table may rely on the file. */
static bool write_all(const struct analysis *analysis)
{
	const char *path = arguments_value(analysis->arguments, "output", NULL);
	if (path != NULL && !arguments_write(analysis->arguments, &analysis->report, path))
		return false;
	bool reported = path != NULL && strcmp(path, "-") == 0; /* standard output has the report already */
	return reported || arguments_write(analysis->arguments, &analysis->output, "-");
}

static int verdict_status(const struct analysis *analysis)
{
	if (analysis->verdicts[VERDICT_NO_BOUND] > 0)
		return EXIT_NO_BOUND;
	if (analysis->verdicts[VERDICT_NOT_PROVEN] > 0)
		return EXIT_NEGATIVE;
	bool passes = arguments_has(analysis->arguments, "pass-conditional");
	return analysis->verdicts[VERDICT_CONDITIONAL] > 0 && !passes ? EXIT_CONDITIONAL : EXIT_FINE;
}

static int run(struct analysis *analysis)
{
	int status = check_usage(analysis);
	if (status != EXIT_FINE)
		return status;
	for (int i = 0; i < analysis->arguments->operand_count; i++)
		analyze_one(analysis, analysis->arguments->operands[i]);
	if (analysis->refused)
		return EXIT_INVALID;
	if (analysis->wrong)
		return EXIT_USAGE;
	if (strcmp(analysis->format, "text") == 0 && !arguments_has(analysis->arguments, "explain") &&
		!arguments_has(analysis->arguments, "compare"))
		add_summary(analysis);
	return write_all(analysis) ? verdict_status(analysis) : EXIT_USAGE;
}

/* Does the output say how the results come about? */
static bool derives(const struct analysis *analysis)
{
	const struct arguments *arguments = analysis->arguments;
	bool derived = strcmp(analysis->format, "xml") == 0 || is_mast(analysis);
	return derived || arguments_has(arguments, "output") || arguments_has(arguments, "explain") || arguments_has(arguments, "compare");
}

int command_analyze(const struct arguments *arguments)
{
	int64_t limit = RESPONSE_SOLVER_ITERATIONS;
	if (!arguments_integer(arguments, "limit", LEAST_LIMIT, GREATEST_LIMIT, &limit))
		return EXIT_USAGE;
	struct analysis analysis = {
		.arguments = arguments, .several = arguments->operand_count > 1, .folders = input_find_folders(arguments->arena)};
	analysis.format = arguments_value(arguments, "format", "text");
	analysis.options.wishes.platform = arguments_value(arguments, "platform", NULL);
	analysis.options.wishes.assume = arguments_values(arguments, "assume", &analysis.options.wishes.assume_count);
	analysis.options.wishes.changes = changes_given(arguments, &analysis.options.wishes.change_count);
	analysis.words = arguments_recorded(arguments, &analysis.word_count);
	analysis.options.solver_iterations = (int)limit;
	analysis.options.results_only = !derives(&analysis);
	analysis.options.wishes.kept = analysis.several ? input_kept_create(false) : NULL;
	int status = run(&analysis);
	input_kept_destroy(analysis.options.wishes.kept);
	output_finish(&analysis.output);
	output_finish(&analysis.report);
	output_finish(&analysis.summary);
	return status;
}
