/* gpubound falsify: hunts for runs that exceed a bound. */
#include "base/file.h"
#include "base/plant.h"
#include "cli/interrupt.h"
#include "cli/arguments.h"
#include "cli/assume.h"
#include "cli/falsify_exhaustive.h"
#include "cli/falsify_part.h"
#include "cli/table_part.h"
#include "falsify/shrink.h"
#include "falsify/silicon.h"
#include "falsify/table.h"
#include "write/write.h"
#include "pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const struct option options_falsify[] = {
	{"seed", 's', "NUMBER", "of all that is drawn (default 1)", false},
	{"systems", 'n', "NUMBER", "systems drawn, or hunts of the given one (default 1000)", false},
	{"first", 0, "NUMBER", "number of the first system (default 0)", false},
	{"runs", 'r', "NUMBER", "simulated runs of each system (default 24)", false},
	{"threads", 't', "NUMBER", "they change nothing but the time (default: the processors)", true},
	{"exhaustive", 0, NULL, "small systems, each against its exact worst case", false},
	{"without", 0, "NAME", "leave a bound out of the least one, or an item of the analysis; may be repeated", false},
	{"plot", 0, "FILE", "write how far the bounds are from the worst cases, as SVG", true},
	{"go-on", 0, NULL, "do not end with the first violation", false},
	{"no-shrink", 0, NULL, "show a counterexample as it was found", false},
	{"keep", 'k', "FOLDER", "write a counterexample's task set and platform there", true},
	{"platform", 'm', "MODEL", "the platform model of the task set or the trace", false},
	{"trace", 0, "FILE", "hold recorded blocks against VOL and P; may be repeated", false},
	{"assume", 'a', "ID", "rely on an assumption that nobody vouches for; may be repeated", false},
	{"format", 'f', "text|csv", "as a table for readers, or as CSV with a header line", true},
	{"output", 'o', "FILE", "write the campaign there as rows for gpubound merge, instead of a table", true},
	PART_OPTIONS,
	{"plant", 0, "NAME", "weaken the analysis (testing builds only)", false},
	OPTIONS_END,
};

#define KEPT_SET "counterexample.xml" /* in the folder of --keep */
#define KEPT_PLATFORM "counterexample-platform.xml"
#define SHRINK_HUNTS 1500
#define SHRINK_RUNS 120

struct run {
	const struct arguments *arguments;
	struct campaign_options options;
	struct campaign campaign;
	struct pipeline pipeline; /* of a given task set */
	struct falsify_given given;
	struct timespec start;
	double shown; /* seconds at the last line of progress */
	bool terminal;
};

/* ---- progress, on standard error */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static int64_t best_ratio(const struct campaign *campaign)
{
	int64_t best = 0;
	for (int i = 0; i < BOUND_COUNT; i++)
		if (campaign->bounds[i].allowed > 0)
			best = checked_max(best, checked_mul_div_floor(campaign->bounds[i].observed, 1000, campaign->bounds[i].allowed));
	return best;
}

#define LINE_EVERY 10.0 /* seconds, where standard error is no terminal */

static void show_progress(void *context, int64_t systems, const struct campaign *campaign)
{
	struct run *run = context;
	double passed = seconds_since(&run->start);
	if (!run->terminal && passed - run->shown < LINE_EVERY)
		return;
	double left = systems > 0 ? passed * (double)(run->options.systems - systems) / (double)systems : 0;
	int64_t best = best_ratio(campaign);
	run->shown = passed;
	fprintf(stderr, "%s%" PRId64 " of %" PRId64 " systems, %.0f runs/s, best ratio %" PRId64 ".%03" PRId64 ", %.0f s left%s",
		run->terminal ? "\r" : "", systems, run->options.systems, (double)campaign->runs / (passed > 0 ? passed : 1), best / 1000,
		best % 1000, left, run->terminal ? "   " : "\n");
}

/* ---- options */

static bool read_numbers(struct run *run)
{
	const struct arguments *arguments = run->arguments;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t seed = 1, systems = 1000, first = 0, runs = 24, threads = processors > 0 ? processors : 1;
	if (!arguments_integer(arguments, "seed", 0, INT64_MAX - 1, &seed) ||
		!arguments_integer(arguments, "systems", 1, INT64_MAX / 4, &systems) ||
		!arguments_integer(arguments, "first", 0, INT64_MAX / 4, &first) ||
		!arguments_integer(arguments, "runs", 1, 1000000, &runs) || !arguments_integer(arguments, "threads", 1, 1024, &threads))
		return false;
	run->options = (struct campaign_options){.seed = (uint64_t)seed,
		.first = first,
		.systems = systems,
		.runs = (int)runs,
		.threads = (int)threads,
		.go_on = arguments_has(arguments, "go-on"),
		.stop = &interrupted,
		.progress = arguments_has(arguments, "quiet") ? NULL : show_progress,
		.context = run};
	return true;
}

static bool read_plant(const struct arguments *arguments)
{
	const char *name = arguments_value(arguments, "plant", NULL);
	if (name == NULL)
		return true;
#ifdef GPUBOUND_TESTING
	plant_set(plant_find(name));
	if (plant_find(name) >= 0)
		return true;
	usage_error(arguments->command, "there is no plant '%s'", name);
#else
	usage_error(arguments->command, "only testing builds can weaken the analysis");
#endif
	return false;
}

/* The given task set through the pipeline, so that its diagnostics are those of analyze. False: it is refused. */
static bool read_given(struct run *run)
{
	const struct arguments *arguments = run->arguments;
	struct pipeline_options options = {.wishes = {.platform = arguments_value(arguments, "platform", NULL)}};
	pipeline_init(&run->pipeline);
	if (arguments->operand_count == 0)
		return true;
	options.wishes.assume = arguments_values(arguments, "assume", &options.wishes.assume_count);
	bool read = pipeline_run(&run->pipeline, arguments->operands[0], &options);
	diagnostics_print(&run->pipeline.diagnostics, 0, read ? LEVEL_ERROR : arguments_level(arguments),
		arguments_colour(arguments, stderr), stderr);
	run->given = (struct falsify_given){run->pipeline.platform, run->pipeline.set};
	run->options.given = read ? &run->given : NULL;
	if (read)
		run->options.seen = arena_allocate(
			arguments->arena, (size_t)run->pipeline.set->task_count * BOUND_COUNT + 1, sizeof *run->options.seen);
	return read;
}

/* ---- a counterexample */

static bool keep(const struct run *run, const struct subject *of, const char *title, struct output *output)
{
	const char *folder = arguments_value(run->arguments, "keep", NULL);
	struct output platform = {0}, set = {0};
	bool written = true;
	write_platform(&platform, of->platform, NULL);
	write_taskset(&set, of->set, "./counterexample-platform.xml", title);
	if (folder == NULL) {
		output_print(output, "\ncounterexample.xml:\n%s\ncounterexample-platform.xml:\n%s", set.text, platform.text);
	} else {
		const char *path = arena_format(run->arguments->arena, "%s/" KEPT_SET, folder);
		const char *model = arena_format(run->arguments->arena, "%s/" KEPT_PLATFORM, folder);
		written = arguments_write(run->arguments, &platform, model) && arguments_write(run->arguments, &set, path);
		if (written)
			output_print(output, "written to %s: gpubound falsify %s\n", path, path);
	}
	output_finish(&platform);
	output_finish(&set);
	return written;
}

/* The violation with the lowest index, made small. False: it could not be written. */
static bool show_counterexample(struct run *run, struct output *output)
{
	struct arena *arena = arena_create();
	struct subject subject, small;
	struct hunt hunt;
	campaign_replay(arena, &run->options, run->campaign.violation, &subject, &hunt);
	output_print(output, "\nsystem %" PRId64 " of seed %" PRIu64 ": ", run->campaign.violation, run->options.seed);
	table_violation(output, &subject, &hunt.violation);
	if (!arguments_has(run->arguments, "no-shrink")) {
		struct shrink_options options = {
			run->options.seed, (int)checked_max(SHRINK_RUNS, run->options.runs), SHRINK_HUNTS, &interrupted};
		struct falsify_case best = shrink_case(arena, &subject, &hunt.violation, &options);
		subject_init(&small, arena, best.platform, best.set);
		output_add(output, "smaller: ");
		table_violation(output, &small, &hunt.violation);
		subject = small;
	}
	const char *title = arena_format(arena, "Exceeds its bound in stage %s (seed %" PRIu64 ", system %" PRId64 ")",
		stage_names[hunt.violation.stage], run->options.seed, run->campaign.violation);
	bool written = keep(run, &subject, title, output);
	arena_destroy(arena);
	return written;
}

static void add_early_end(struct output *output, bool csv)
{
	if (interrupted && !csv)
		output_add(output, "\nInterrupted: this is what there was until then.\n");
}

static int hunt(struct run *run)
{
	struct output output = {0};
	clock_gettime(CLOCK_MONOTONIC, &run->start);
	run->terminal = isatty(STDERR_FILENO);
	interrupt_begin();
	campaign_run(&run->campaign, &run->options);
	fputs(run->terminal && run->shown > 0 ? "\n" : "", stderr);
	bool csv = strcmp(arguments_value(run->arguments, "format", "text"), "csv") == 0, written = true;
	(csv ? table_csv : table_text)(&output, &run->campaign, &run->options);
	if (run->options.given != NULL && !csv)
		table_tasks(&output, run->pipeline.set, run->pipeline.response, run->options.seen);
	if (run->campaign.violation >= 0 && !csv)
		written = show_counterexample(run, &output);
	add_early_end(&output, csv);
	fwrite(output.text, 1, output.length, stdout);
	output_finish(&output);
	interrupt_end();
	if (!written)
		return EXIT_USAGE;
	return run->campaign.violation >= 0 ? EXIT_NEGATIVE : interrupted ? EXIT_NO_BOUND : EXIT_FINE;
}

/* ---- recorded traces */

static int check_trace(const struct arguments *arguments, const struct platform *platform, const char *path, struct output *output)
{
	struct diagnostics diagnostics;
	struct silicon silicon;
	diagnostics_init(&diagnostics, arguments->arena);
	bool whole = silicon_check(&silicon, output, &diagnostics, path, platform);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (!whole)
		return EXIT_INVALID;
	silicon_summarise(output, path, &silicon);
	return silicon.above_volume > 0 ? EXIT_NEGATIVE : EXIT_FINE;
}

static int check_traces(const struct arguments *arguments)
{
	int count, status = EXIT_FINE;
	const char *const *paths = arguments_values(arguments, "trace", &count), *model = arguments_value(arguments, "platform", NULL);
	if (model == NULL || arguments->operand_count > 0 || falsify_is_part(arguments))
		return usage_error(arguments->command, "a trace needs --platform, and no task set, shard or output");
	struct diagnostics diagnostics;
	struct output output = {0};
	struct input_folders folders = input_find_folders(arguments->arena);
	diagnostics_init(&diagnostics, arguments->arena);
	const struct platform *platform = input_read_platform(arguments->arena, &diagnostics, &folders, model);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	for (int i = 0; i < count && platform != NULL; i++) {
		int of = check_trace(arguments, platform, paths[i], &output);
		status = of > status ? of : status;
	}
	fwrite(output.text != NULL ? output.text : "", 1, output.length, stdout);
	output_finish(&output);
	return platform == NULL ? EXIT_INVALID : status;
}

static int visit_all(struct run *run)
{
	const struct campaign_options *options = &run->options;
	struct yardstick_options yardstick = {.seed = options->seed,
		.first = options->first,
		.systems = options->systems,
		.threads = options->threads,
		.given = options->given,
		.stop = &interrupted};
	interrupt_begin();
	int status = falsify_exhaustively(run->arguments, &yardstick);
	interrupt_end();
	return status == EXIT_FINE && interrupted ? EXIT_NO_BOUND : status;
}

/* What is written hours later may be what is read now. */
static bool spares_inputs(const struct run *run)
{
	static const char *const names[] = {KEPT_SET, KEPT_PLATFORM};
	const char *folder = arguments_value(run->arguments, "keep", NULL);
	for (size_t i = 0; folder != NULL && i < sizeof names / sizeof *names; i++) {
		const char *path = arena_format(run->arguments->arena, "%s/%s", folder, names[i]);
		if (file_opened(&run->pipeline.diagnostics, path) == NULL)
			continue;
		usage_error(run->arguments->command, "--keep: %s was read; it is not written over", path);
		return false;
	}
	return arguments_spare_inputs(run->arguments, &run->pipeline.diagnostics);
}

int command_falsify(const struct arguments *arguments)
{
	struct run run = {.arguments = arguments};
	if (arguments_has(arguments, "trace"))
		return check_traces(arguments);
	if (!assume_check(arguments) || !read_numbers(&run) || !read_plant(arguments))
		return EXIT_USAGE;
	bool every = arguments_has(arguments, "exhaustive");
	if (!every && (arguments_has(arguments, "without") || arguments_has(arguments, "plot")))
		return usage_error(arguments->command, "--without and --plot go with --exhaustive");
	bool part = falsify_is_part(arguments);
	if (part && (every || arguments_has(arguments, "keep") || strcmp(arguments_value(arguments, "format", "text"), "csv") == 0))
		return usage_error(arguments->command, "--shard, --resume and -o go without --exhaustive, --keep and --format");
	int status = EXIT_INVALID;
	if (read_given(&run))
		status = !spares_inputs(&run) ? EXIT_USAGE
			 : part               ? falsify_part(arguments, &run.options, &run.pipeline)
			 : every              ? visit_all(&run)
					      : hunt(&run);
	pipeline_finish(&run.pipeline);
	return status;
}
