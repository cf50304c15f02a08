/* gpubound analyze: task sets in, bounds and verdicts out. */
#include "cli/arguments.h"
#include "cli/assume.h"
#include "pipeline.h"

#include <errno.h>
#include <string.h>

#define LEAST_LIMIT 1
#define GREATEST_LIMIT 100000000

const struct option options_analyze[] = {
	{"output", 'o', "FILE", "write the XML report to FILE as well (- is standard output)", true},
	{"format", 'f', "text|csv|xml", "what to print on standard output; text is the default", true},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the task set's", false},
	{"limit", 0, "N", "iterations of the solver for each linear program (default 100000)", false},
	{"assume", 'a', "ID", "rely on an assumption that the model does not grant; may be repeated", false},
	OPTIONS_END,
};

/* One run of the command. Nothing is printed before all task sets were read: input that is refused leaves no output. */
struct analysis {
	const struct arguments *arguments;
	struct pipeline_options options;
	const char *format;   /* of standard output */
	struct output output; /* for standard output */
	struct output report; /* for --output */
	struct output summary;
	bool several, refused;
	int verdicts[3]; /* how many of each */
};

static int check_usage(const struct analysis *analysis)
{
	const struct arguments *arguments = analysis->arguments;
	if (!assume_check(arguments))
		return EXIT_USAGE;
	if (analysis->several && (arguments_has(arguments, "output") || strcmp(analysis->format, "xml") == 0))
		return usage_error(arguments->command, "a report holds one task set; several were given");
	return EXIT_FINE;
}

static void add_formats(struct analysis *analysis, const struct report *report)
{
	struct output *output = &analysis->output;
	bool first = output->length == 0;
	if (strcmp(analysis->format, "xml") == 0)
		report_xml(output, report);
	else if (strcmp(analysis->format, "text") == 0) {
		output_add(output, first ? "" : "\n");
		report_text(output, report, arguments_colour(analysis->arguments, stdout));
	} else {
		if (first)
			report_csv_header(output);
		report_csv(output, report);
	}
	if (arguments_has(analysis->arguments, "output"))
		report_xml(&analysis->report, report);
}

static void analyze_one(struct analysis *analysis, const char *path)
{
	struct pipeline pipeline;
	pipeline_init(&pipeline);
	bool accepted = pipeline_run(&pipeline, path, &analysis->options);
	diagnostics_print(
		&pipeline.diagnostics, 0, arguments_level(analysis->arguments), arguments_colour(analysis->arguments, stderr), stderr);
	analysis->refused |= !accepted;
	if (accepted) {
		int count;
		const char *const *words = arguments_recorded(analysis->arguments, &count);
		struct report report = pipeline_report(&pipeline, &analysis->options, words, count);
		add_formats(analysis, &report);
		output_print(&analysis->summary, "%-11s %s\n", verdict_names[pipeline.response->worst], path);
		analysis->verdicts[pipeline.response->worst]++;
	}
	pipeline_finish(&pipeline);
}

static void add_summary(struct analysis *analysis)
{
	output_add(&analysis->output, "\n");
	output_add(&analysis->output, analysis->summary.text);
	output_print(&analysis->output, "%d proven, %d not proven, %d no bound\n", analysis->verdicts[VERDICT_PROVEN],
		analysis->verdicts[VERDICT_NOT_PROVEN], analysis->verdicts[VERDICT_NO_BOUND]);
}

/* The report first: whoever sees the table may rely on the file. */
static bool write_all(const struct analysis *analysis)
{
	const char *path = arguments_value(analysis->arguments, "output", NULL);
	if (path != NULL && !output_write(&analysis->report, path)) {
		fprintf(stderr, "gpubound analyze: %s: %s\n", path, strerror(errno));
		return false;
	}
	bool reported = path != NULL && strcmp(path, "-") == 0; /* standard output has the report already */
	if (reported || output_write(&analysis->output, "-"))
		return true;
	fprintf(stderr, "gpubound analyze: standard output: %s\n", strerror(errno));
	return false;
}

static int verdict_status(const struct analysis *analysis)
{
	if (analysis->verdicts[VERDICT_NO_BOUND] > 0)
		return EXIT_NO_BOUND;
	return analysis->verdicts[VERDICT_NOT_PROVEN] > 0 ? EXIT_NEGATIVE : EXIT_FINE;
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
	if (analysis->several && strcmp(analysis->format, "text") == 0)
		add_summary(analysis);
	return write_all(analysis) ? verdict_status(analysis) : EXIT_USAGE;
}

int command_analyze(const struct arguments *arguments)
{
	int64_t limit = RESPONSE_SOLVER_ITERATIONS;
	if (!arguments_integer(arguments, "limit", LEAST_LIMIT, GREATEST_LIMIT, &limit))
		return EXIT_USAGE;
	struct analysis analysis = {.arguments = arguments, .several = arguments->operand_count > 1};
	analysis.format = arguments_value(arguments, "format", "text");
	analysis.options.platform = arguments_value(arguments, "platform", NULL);
	analysis.options.assume = arguments_values(arguments, "assume", &analysis.options.assume_count);
	analysis.options.solver_iterations = (int)limit;
	int status = run(&analysis);
	output_finish(&analysis.output);
	output_finish(&analysis.report);
	output_finish(&analysis.summary);
	return status;
}
