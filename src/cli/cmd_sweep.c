/* gpubound sweep: one analysis a point of a space of what ifs and of random task sets, a row each. */
#include "base/hash.h"
#include "base/workers.h"
#include "cli/assume.h"
#include "cli/interrupt.h"
#include "cli/space_draws.h"
#include "cli/table_part.h"
#include "config.h"
#include "input/change.h"
#include "pipeline.h"
#include "response/analysis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_POINTS 10000000
#define BATCH 256
#define LINE_EVERY 10 /* seconds */

const struct option options_sweep[] = {
	{"output", 'o', "FILE", "write the table there instead of to standard output", true},
	{"set", 0, "TARGET=VALUES", "VALUE,VALUE,... or FROM:TO:STEP of what analyze --set takes; may be repeated", false, true},
	{"scale", 0, "TARGET=FACTORS", "the same of analyze --scale; may be repeated", false, true},
	{"draw", 0, "N", "N random task sets at each utilisation, with the design of this one", false},
	{"utilization", 0, "VALUES", "of the tasks drawn, together, on the GPU (default 0.1:1:0.1)", false},
	{"periods", 0, "FROM:TO[:STEP]", "of the tasks drawn, their logarithms uniform (default 10ms:1s)", false},
	{"share", 0, "FROM:TO", "least and greatest utilisation of one task (default 0:1)", false},
	{"generator", 0, "uunifast|dirichlet", "of utilisations: draw and discard, or rescale", false},
	{"seed", 's', "NUMBER", "of all that is drawn (default 1)", false},
	{"point", 0, "NUMBER", "write the task set of that point instead of the table", true},
	PART_OPTIONS,
	{"jobs", 'j', "NUMBER", "threads; they change nothing but the time (default: the processors)", true},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the task set's", false},
	{"assume", 'a', "ID", "rely on an assumption that the model does not grant; may be repeated", false, true},
	OPTIONS_END,
};

struct sweeping {
	const struct arguments *arguments;
	struct pipeline stated;
	struct pipeline_options options;
	struct points points;
	struct draws draws; /* each at each point of these */
	int64_t count;      /* of all points */
	struct table_part part;
	char **texts; /* of the rows of a batch */
	char space[HASH_TEXT];
	int64_t begin, next, end; /* rows of the batch */
	int threads;
};

/* What a thread has read last: points that differ in what is drawn alone have it in common. */
struct stated_point {
	struct input_kept *kept;
	bool there, read;
	int64_t point;
	struct pipeline pipeline;
};

/* ---- rows */

static void add_head(struct output *output, const struct sweeping *sweeping)
{
	output_add(output, "space,point,points");
	for (int i = 0; i < sweeping->points.axis_count; i++) {
		const struct axis *axis = &sweeping->points.axes[i];
		char *name = arena_format(sweeping->arguments->arena, "%s %s", axis->option, axis->target);
		output_add(output, ",");
		output_add_csv(output, name);
	}
	output_add(output, sweeping->draws.sets > 0 ? ",utilization,set,verdict" : ",verdict");
	for (int i = 0; i < sweeping->stated.set->task_count; i++)
		output_print(output, ",%s_ns", sweeping->stated.set->tasks[i].id);
	output_add(output, "\n");
}

/* The task set of a point as its text has it. */
static void read_point(const struct sweeping *sweeping, struct stated_point *stated, int64_t point)
{
	struct pipeline_options options = sweeping->options;
	if (stated->there && stated->point == point)
		return;
	if (stated->there)
		pipeline_finish(&stated->pipeline);
	pipeline_init_in(&stated->pipeline, &sweeping->stated.folders);
	options.wishes.changes = points_changes(stated->pipeline.arena, &sweeping->points, point);
	options.wishes.change_count = sweeping->points.axis_count;
	options.wishes.kept = stated->kept;
	stated->read = pipeline_run(&stated->pipeline, sweeping->arguments->operands[0], &options);
	stated->there = true;
	stated->point = point;
}

/* A drawn one's analysis; NULL: none was found that keeps within the limits. */
static const struct response *analyze_drawn(
	struct arena *arena, const struct sweeping *sweeping, const struct pipeline *stated, int64_t draw)
{
	struct derivation derivation;
	struct diagnostics diagnostics;
	struct set_draw drawing = draws_drawing(&sweeping->draws, draw, drawn_tasks(stated->set));
	const struct taskset *set = drawn_set(arena, stated->set, stated->map, &drawing);
	if (set == NULL)
		return NULL;
	derivation_init_mute(&derivation);
	diagnostics_init(&diagnostics, arena);
	return analysis_compute(arena, stated->platform, set, stated->map, &derivation, RESPONSE_SOLVER_ITERATIONS, &diagnostics).response;
}

static void add_result(struct output *row, const struct sweeping *sweeping, const struct response *response, const char *without)
{
	output_print(row, ",%s", response != NULL ? verdict_names[response->worst] : without);
	for (int i = 0; i < sweeping->stated.set->task_count; i++) {
		int64_t value = response != NULL ? response->tasks[i].response : NONE;
		output_print(row, checked_is_none(value) ? "," : ",%" PRId64, value);
	}
	output_add(row, "\n");
}

static char *row_of(const struct sweeping *sweeping, struct stated_point *stated, int64_t number)
{
	struct output row = {0};
	int64_t point = number / sweeping->draws.count, draw = number % sweeping->draws.count;
	struct arena *arena = arena_create();
	read_point(sweeping, stated, point);
	output_print(&row, "%s,%" PRId64 ",%" PRId64, sweeping->space, number, sweeping->count);
	for (int i = 0; i < sweeping->points.axis_count; i++) {
		output_add(&row, ",");
		output_add_csv(&row, points_value(&sweeping->points, point, i));
	}
	if (sweeping->draws.sets > 0)
		output_print(&row, ",%s,%" PRId64, draws_load(&sweeping->draws, draw), draws_number(&sweeping->draws, draw));
	const struct response *response = !stated->read               ? NULL
					  : sweeping->draws.sets == 0 ? stated->pipeline.response
								      : analyze_drawn(arena, sweeping, &stated->pipeline, draw);
	add_result(&row, sweeping, response, stated->read ? "not-drawn" : "refused");
	char *text = memory_copy_string(row.text);
	output_finish(&row);
	arena_destroy(arena);
	return text;
}

/* ---- all of them */

static void work(void *context, int number)
{
	struct sweeping *sweeping = context;
	(void)number;
	struct stated_point stated = {.kept = input_kept_create(true)};
	for (int64_t row; (row = __atomic_fetch_add(&sweeping->next, 1, __ATOMIC_RELAXED)) < sweeping->end && !interrupted;)
		sweeping->texts[row - sweeping->begin] = row_of(sweeping, &stated, part_point(&sweeping->part, row));
	if (stated.there)
		pipeline_finish(&stated.pipeline);
	input_kept_destroy(stated.kept);
}

/* False: nothing more can be written, or a signal came. */
static bool run_batch(struct sweeping *sweeping, int64_t begin)
{
	char *texts[BATCH] = {NULL};
	sweeping->texts = texts;
	sweeping->begin = sweeping->next = begin;
	sweeping->end = checked_min(sweeping->part.rows, begin + BATCH);
	workers_run(sweeping->threads, work, sweeping);
	bool whole = true;
	for (int64_t i = 0; i < sweeping->end - begin; i++) {
		whole &= texts[i] != NULL;
		if (texts[i] != NULL)
			part_add(&sweeping->part, texts[i]);
		memory_free(texts[i]);
	}
	return part_keep(&sweeping->part) && whole;
}

/* False: not all rows are there. */
static bool run_all(struct sweeping *sweeping)
{
	struct timespec start, now;
	long said = 0;
	bool quiet = arguments_has(sweeping->arguments, "quiet");
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int64_t done = sweeping->part.done; done < sweeping->part.rows; done = sweeping->end) {
		if (!run_batch(sweeping, done))
			return false;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (quiet || now.tv_sec - start.tv_sec - said < LINE_EVERY)
			continue;
		said = now.tv_sec - start.tv_sec;
		fprintf(stderr, "%" PRId64 " of %" PRId64 " points\n", sweeping->end, sweeping->part.rows);
	}
	return true;
}

/* ---- the command line */

/* What the rows follow from: this version, the inputs, the command line. */
static void name_space(struct sweeping *sweeping)
{
	struct output text = {0};
	const struct pipeline *stated = &sweeping->stated;
	int count;
	const char *const *words = arguments_recorded(sweeping->arguments, &count);
	hash_bytes(stated->set->text, (size_t)stated->set->bytes, sweeping->space);
	output_print(&text, "%s\n%s\n%s\n", GPUBOUND_VERSION, sweeping->space, stated->platform->hash);
	for (int i = 0; i < stated->set->operation_count; i++) {
		const struct operation *operation = &stated->set->operations[i];
		output_print(&text, "%s%s\n", operation->program == NULL ? "" : operation->program->hash,
			operation->frame == NULL ? "" : operation->frame->hash);
	}
	for (int i = 0; i + 1 < count; i++) /* not where the file is */
		output_print(&text, "%s\n", words[i]);
	hash_bytes(text.text, text.length, sweeping->space);
	output_finish(&text);
}

static int sweep(struct sweeping *sweeping)
{
	struct output head = {0};
	name_space(sweeping);
	add_head(&head, sweeping);
	bool begun = part_begin(&sweeping->part, &sweeping->stated.diagnostics, head.text, sweeping->space);
	output_finish(&head);
	if (!begun) {
		part_drop(&sweeping->part);
		diagnostics_print(&sweeping->stated.diagnostics, 0, LEVEL_ERROR, arguments_colour(sweeping->arguments, stderr), stderr);
		return sweeping->stated.diagnostics.errors > 0 ? EXIT_INVALID : EXIT_USAGE;
	}
	interrupt_begin();
	bool whole = run_all(sweeping), written = part_end(&sweeping->part);
	interrupt_end();
	if (written && !whole && !arguments_has(sweeping->arguments, "quiet"))
		fprintf(stderr, "interrupted: not all of %" PRId64 " points are there%s\n", sweeping->part.rows,
			strcmp(sweeping->part.path, "-") == 0 ? "" : "; --resume goes on with the rest");
	return !written ? EXIT_USAGE : whole ? EXIT_FINE : EXIT_NO_BOUND;
}

/* ---- one point as a task set */

static const char *point_text(struct sweeping *sweeping, int64_t number, const char **reason)
{
	struct arena *arena = sweeping->arguments->arena;
	struct diagnostics *diagnostics = &sweeping->stated.diagnostics;
	struct stated_point stated = {.there = false};
	struct input_wishes wishes = {0};
	size_t length;
	const char *path = sweeping->arguments->operands[0], *bytes = input_read_file(arena, diagnostics, path, &length);
	read_point(sweeping, &stated, number / sweeping->draws.count);
	*reason = !stated.read || bytes == NULL ? "it is refused" : NULL;
	wishes.changes = points_changes(arena, &sweeping->points, number / sweeping->draws.count);
	wishes.change_count = sweeping->points.axis_count;
	struct changed_text text = {bytes, length, NULL};
	if (*reason == NULL)
		text = change_text(arena, diagnostics, path, &wishes, text);
	if (*reason == NULL && sweeping->draws.sets > 0) {
		const struct taskset *set = stated.pipeline.set;
		struct set_draw drawing = draws_drawing(&sweeping->draws, number % sweeping->draws.count, drawn_tasks(set));
		const struct taskset *drawn = drawn_set(arena, set, stated.pipeline.map, &drawing);
		*reason = drawn == NULL ? "no utilisations keep within the limits" : NULL;
		if (drawn != NULL)
			wishes.changes = drawn_changes(arena, set, drawn, &wishes.change_count);
		if (drawn != NULL)
			text = change_text(arena, diagnostics, path, &wishes, text);
	}
	pipeline_finish(&stated.pipeline);
	return *reason != NULL ? NULL : text.bytes;
}

static int write_point(struct sweeping *sweeping, int64_t number)
{
	struct output output = {0};
	const char *reason, *text = point_text(sweeping, number, &reason);
	if (text == NULL) {
		fprintf(stderr, "gpubound: there is no task set at point %" PRId64 ": %s\n", number, reason);
		return EXIT_INVALID;
	}
	output_add(&output, text);
	bool written = arguments_write(sweeping->arguments, &output, sweeping->part.path);
	output_finish(&output);
	return written ? EXIT_FINE : EXIT_USAGE;
}

/* A target that is not there is wrong at every point, and is said once. */
static bool hold_targets(const struct sweeping *sweeping)
{
	static const enum diagnostic_code wrong[] = {DIAGNOSTIC_CHANGE_TARGET, DIAGNOSTIC_CHANGE_VALUE, DIAGNOSTIC_SCHEMA_VIOLATION};
	struct pipeline first;
	struct pipeline_options options = sweeping->options;
	int count = 0;
	pipeline_init_in(&first, &sweeping->stated.folders);
	options.wishes.changes = points_changes(first.arena, &sweeping->points, 0);
	options.wishes.change_count = sweeping->points.axis_count;
	if (!pipeline_run(&first, sweeping->arguments->operands[0], &options))
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
			count += diagnostics_count(&first.diagnostics, wrong[i]);
	if (count > 0)
		diagnostics_print(&first.diagnostics, 0, LEVEL_ERROR, arguments_colour(sweeping->arguments, stderr), stderr);
	pipeline_finish(&first);
	return count == 0;
}

/* Of what is drawn, too: a design that does not take it takes it at no point. */
static bool hold_draws(const struct sweeping *sweeping)
{
	const char *why =
		sweeping->draws.sets == 0 ? NULL : drawn_fits(sweeping->arguments->arena, sweeping->stated.set, sweeping->stated.map);
	if (why != NULL)
		fprintf(stderr, "gpubound: %s: expected a task set that can be drawn anew; %s\n", sweeping->arguments->operands[0], why);
	return why == NULL;
}

/* How many points there are, and which of them are wanted. */
static bool read_space(struct sweeping *sweeping)
{
	const struct arguments *arguments = sweeping->arguments;
	if (!points_read(arguments, &sweeping->points) || !draws_read(arguments, &sweeping->draws))
		return false;
	sweeping->count = checked_mul(sweeping->points.count, sweeping->draws.count);
	if (sweeping->count > MOST_POINTS) {
		usage_error(arguments->command, "these are more than %d points", MOST_POINTS);
		return false;
	}
	return part_read(&sweeping->part, arguments, sweeping->count);
}

int command_sweep(const struct arguments *arguments)
{
	struct sweeping sweeping = {.arguments = arguments};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t jobs = processors > 0 ? processors : 1, point = -1;
	if (!assume_check(arguments) || !read_space(&sweeping) || !arguments_integer(arguments, "jobs", 1, 1024, &jobs) ||
		!arguments_integer(arguments, "point", 0, sweeping.count - 1, &point))
		return EXIT_USAGE;
	if (strcmp(arguments->operands[0], "-") == 0)
		return usage_error(arguments->command, "a sweep reads its task set once a point: give a file");
	sweeping.threads = (int)jobs;
	sweeping.options.results_only = true;
	sweeping.options.wishes.platform = arguments_value(arguments, "platform", NULL);
	sweeping.options.wishes.assume = arguments_values(arguments, "assume", &sweeping.options.wishes.assume_count);
	pipeline_init(&sweeping.stated);
	bool read = pipeline_run(&sweeping.stated, arguments->operands[0], &sweeping.options);
	diagnostics_print(&sweeping.stated.diagnostics, 0, read ? LEVEL_ERROR : arguments_level(arguments),
		arguments_colour(arguments, stderr), stderr);
	int status = !read || !hold_targets(&sweeping) || !hold_draws(&sweeping)        ? EXIT_INVALID
		     : !arguments_spare_inputs(arguments, &sweeping.stated.diagnostics) ? EXIT_USAGE
		     : point >= 0                                                       ? write_point(&sweeping, point)
											: sweep(&sweeping);
	pipeline_finish(&sweeping.stated);
	return status;
}
