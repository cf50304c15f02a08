/* gpubound import: what other tools measured or configured in, a task set out. */
#include "base/suggest.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "import/import.h"
#include "input/input.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_EVERY 10 /* seconds between lines of progress where standard error is no terminal */

const struct option options_import[] = {
	{"output", 'o', "FILE", "write the task set to FILE; standard output is the default", true},
	{"platform", 'm', "MODEL", "the GPU: a name that gpubound models lists, or a path", false},
	{"platform-output", 0, "FILE", "write the platform model that the format implies to FILE (poet)", true},
	{"taskset", 0, "FILE", "the task set into which results are put (mast)", false},
	{"id", 0, "ID", "the id of the task set", false},
	{"by", 0, "WHO", "who answers for what is declared", false},
	{"declare", 'd', "NAME=VALUE", "declare a number of the platform; may be repeated", false},
	{"period", 'p', "TIME", "of tasks for which nothing else says it", false},
	{"deadline", 0, "TIME", "of tasks for which nothing else says it", false},
	{"map", 0, "FILE", "CSV with what only you know: task,stream,kernel,period,deadline,...", false},
	{"margin", 0, "PERCENT", "add this to measured maxima; 20% is the default", false},
	{"jobs", 'j', "N", "each file has N jobs of each stream; 1 is the default", false},
	{"after", 0, "TIME", "leave out what a recording's program did in its first TIME, as preparations", false},
	{"registers", 0, "N", "registers a thread, where nothing says it", false},
	{"architecture", 0, "sm_XY", "which code of compiler output counts", false},
	{"device", 0, "DEVICE", "which GPU of a trace counts, as the trace names it", false},
	{"trust-profiler", 0, NULL, "take ncu's durations: clocks and caches were not controlled", false},
	OPTIONS_END,
};

struct import_run {
	const struct arguments *arguments;
	struct import_options options;
	struct import_source *sources;
	struct output taskset, platform;
	time_t start, shown;
};

/* ---- progress, on long files */

static void show_progress(void *context, int64_t rows)
{
	struct import_run *run = context;
	bool terminal = isatty(STDERR_FILENO);
	time_t now = time(NULL);
	if (arguments_has(run->arguments, "quiet") || now - run->shown < (terminal ? 1 : LINE_EVERY))
		return;
	run->shown = now;
	fprintf(stderr, "%s%" PRId64 " rows, %" PRId64 " rows/s%s", terminal ? "\r" : "", rows,
		rows / checked_max((int64_t)(now - run->start), 1), terminal ? "   " : "\n");
}

static void end_progress(const struct import_run *run)
{
	if (run->shown > run->start && isatty(STDERR_FILENO))
		fprintf(stderr, "\n");
}

/* ---- the command line */

static bool list_formats(const struct import_run *run, const char *word)
{
	struct output list = {0};
	struct suggestion suggestion = suggest_for(word);
	for (const struct import_format *format = import_formats; format->name != NULL; format++) {
		output_print(&list, " %s", format->name);
		suggest_offer(&suggestion, format->name);
	}
	const char *hint = suggest_hint(run->arguments->arena, suggestion.nearest, '\'');
	usage_error(run->arguments->command, "expected a format, not '%s'%s there are:%s", word, *hint != '\0' ? hint : ";", list.text);
	output_finish(&list);
	return false;
}

/* FORMAT FILE... [FORMAT FILE...]: a word that is a format's name begins the files of that format. */
static bool read_sources(struct import_run *run)
{
	const struct arguments *arguments = run->arguments;
	const struct import_format *format = NULL;
	run->sources = arena_allocate(arguments->arena, (size_t)arguments->operand_count, sizeof *run->sources);
	for (int i = 0; i < arguments->operand_count; i++) {
		const char *word = arguments->operands[i];
		const struct import_format *named = import_find_format(word);
		if (named == NULL && format == NULL)
			return list_formats(run, word);
		if (named == NULL)
			run->sources[run->options.source_count++] = (struct import_source){format, word};
		format = named != NULL ? named : format;
		if (named != NULL && (i + 1 == arguments->operand_count || import_find_format(arguments->operands[i + 1]) != NULL)) {
			usage_error(arguments->command, "expected a file behind '%s'; write ./%s for a file of that name", word, word);
			return false;
		}
	}
	run->options.sources = run->sources;
	return true;
}

/* Tables say all of a file: what would change it is not for them. */
static bool check_tables(const struct import_run *run)
{
	if (strcmp(run->options.sources[0].format->name, "csv") != 0)
		return true;
	for (const struct option *option = options_import; option->name != NULL; option++) {
		if (strcmp(option->name, "output") == 0 || !arguments_has(run->arguments, option->name))
			continue;
		usage_error(run->arguments->command, "option '--%s' is not for csv: change the tables", option->name);
		return false;
	}
	return true;
}

static bool check_sources(const struct import_run *run)
{
	const struct import_options *options = &run->options;
	for (int i = 0; i < options->source_count; i++) {
		const struct import_format *format = options->sources[i].format;
		bool same = i == 0 || options->sources[i - 1].format == format;
		if (same && (i == 0 || format->several))
			continue;
		if (same || format->alone || options->sources[i - 1].format->alone) {
			usage_error(run->arguments->command, "%s", same ? "this format takes one file" : "this format stands alone");
			return false;
		}
	}
	if (arguments_has(run->arguments, "platform-output") && strcmp(options->sources[0].format->name, "poet") != 0) {
		usage_error(run->arguments->command, "option '--platform-output' is for poet: other formats say nothing of the GPU");
		return false;
	}
	if (arguments_has(run->arguments, "taskset") != (strcmp(options->sources[0].format->name, "mast") == 0)) {
		usage_error(run->arguments->command,
			"mast wants --taskset, the task set whose model it has analysed, and no other format does");
		return false;
	}
	return check_tables(run);
}

static bool read_margin(struct import_run *run)
{
	const char *text = arguments_value(run->arguments, "margin", "20%");
	size_t length = strlen(text);
	struct rational percent = RATIONAL_NONE;
	enum units_status status = UNITS_MALFORMED;
	if (length > 1 && text[length - 1] == '%')
		status = units_parse(
			arena_format(run->arguments->arena, "%.*s", (int)(length - 1), text), UNIT_FACTOR, RATIONAL_NONE, &percent);
	if (status == UNITS_OK && rational_compare(percent, rational_of(10000)) <= 0) {
		run->options.margin = rational_div(percent, rational_of(100));
		return true;
	}
	usage_error(run->arguments->command, "option '--margin' wants a percentage such as 20%%, not '%s'", text);
	return false;
}

static bool check_time(const struct import_run *run, const char *name, const char *text)
{
	struct rational value;
	if (text == NULL || (units_parse(text, UNIT_TIME, RATIONAL_NONE, &value) == UNITS_OK && value.num > 0))
		return true;
	usage_error(run->arguments->command, "option '--%s' wants a time with its unit, such as 33ms, not '%s'", name, text);
	return false;
}

static bool check_declarations(const struct import_run *run)
{
	for (int i = 0; i < run->options.declaration_count; i++) {
		const char *text = run->options.declarations[i];
		if (strchr(text, '=') != NULL && *text != '=')
			continue;
		usage_error(run->arguments->command, "option '--declare' wants NAME=VALUE, such as overhead.launch=10us, not '%s'", text);
		return false;
	}
	return true;
}

static bool read_options(struct import_run *run)
{
	const struct arguments *arguments = run->arguments;
	struct import_options *options = &run->options;
	options->id = arguments_value(arguments, "id", NULL);
	options->platform = arguments_value(arguments, "platform", arguments_value(arguments, "platform-output", NULL));
	options->by = arguments_value(arguments, "by", NULL);
	options->declarations = arguments_values(arguments, "declare", &options->declaration_count);
	options->taskset = arguments_value(arguments, "taskset", NULL);
	options->period = arguments_value(arguments, "period", NULL);
	options->deadline = arguments_value(arguments, "deadline", NULL);
	options->after = arguments_value(arguments, "after", NULL);
	options->mapping = arguments_value(arguments, "map", NULL);
	options->architecture = arguments_value(arguments, "architecture", NULL);
	options->device = arguments_value(arguments, "device", NULL);
	options->trust_profiler = arguments_has(arguments, "trust-profiler");
	options->jobs = options->registers = NONE;
	return arguments_integer(arguments, "jobs", 1, 100000000, &options->jobs) &&
	       arguments_integer(arguments, "registers", 1, 1000, &options->registers) && read_margin(run) &&
	       check_time(run, "period", options->period) && check_time(run, "deadline", options->deadline) &&
	       check_time(run, "after", options->after) && check_declarations(run) && read_sources(run) && check_sources(run);
}

/* The model against which the GPUs of recordings are held. A path holds from the output's folder on, and what is not there yet may be made
 * later; a name that no shipped model has is a mistake. False with a diagnostic. */
static bool read_model(struct import_run *run, struct diagnostics *diagnostics)
{
	const struct arguments *arguments = run->arguments;
	const char *name = arguments_value(arguments, "platform", NULL);
	if (name == NULL)
		return true;
	struct input_folders folders = input_find_folders(arguments->arena);
	const char *named = input_beside(arguments->arena, arguments_value(arguments, "output", "-"), name);
	const char *path = input_model_path(arguments->arena, &folders, named);
	if (path == NULL || (path == named && access(path, F_OK) != 0))
		return true;
	run->options.model = input_read_platform(arguments->arena, diagnostics, &folders, named);
	return run->options.model != NULL;
}

/* ---- output */

/* The platform first: the task set refers to it. */
static int write_all(const struct import_run *run)
{
	const char *platform = arguments_value(run->arguments, "platform-output", NULL);
	bool written = platform == NULL || arguments_write(run->arguments, &run->platform, platform);
	written = written && arguments_write(run->arguments, &run->taskset, arguments_value(run->arguments, "output", "-"));
	return written ? EXIT_FINE : EXIT_USAGE;
}

int command_import(const struct arguments *arguments)
{
	struct import_run run = {.arguments = arguments};
	struct diagnostics diagnostics;
	int status = EXIT_USAGE;
	diagnostics_init(&diagnostics, arguments->arena);
	if (read_options(&run)) {
		bool platform = arguments_has(arguments, "platform-output");
		run.start = run.shown = time(NULL);
		run.options.progress = show_progress;
		run.options.progress_context = &run;
		bool done = read_model(&run, &diagnostics) &&
			    import_run(arguments->arena, &diagnostics, &run.options, &run.taskset, platform ? &run.platform : NULL);
		end_progress(&run);
		diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
		status = !done ? EXIT_INVALID : arguments_spare_inputs(arguments, &diagnostics) ? write_all(&run) : EXIT_USAGE;
	}
	output_finish(&run.taskset);
	output_finish(&run.platform);
	return status;
}
