/* gpubound sweep: one analysis a point of a space of what ifs, a row each. */
#include "base/hash.h"
#include "base/workers.h"
#include "cli/assume.h"
#include "cli/interrupt.h"
#include "cli/space_points.h"
#include "config.h"
#include "pipeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GREATEST_SHARD 1000000
#define BATCH 256
#define LINE_EVERY 10 /* seconds */

const struct option options_sweep[] = {
	{"output", 'o', "FILE", "write the table there instead of to standard output", true},
	{"set", 0, "TARGET=VALUES", "VALUE,VALUE,... or FROM:TO:STEP of what analyze --set takes; may be repeated", false, true},
	{"scale", 0, "TARGET=FACTORS", "the same of analyze --scale; may be repeated", false, true},
	{"shard", 0, "K/N", "the K-th of N parts, 1 to N, for gpubound merge", true},
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
	int64_t first, step; /* of the shard: every step-th point from the first on */
	int64_t rows;
	char **texts; /* [row]; NULL: not done */
	char space[HASH_TEXT];
	int64_t next, end;
	int threads;
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
	output_add(output, ",verdict");
	for (int i = 0; i < sweeping->stated.set->task_count; i++)
		output_print(output, ",%s_ns", sweeping->stated.set->tasks[i].id);
	output_add(output, "\n");
}

static char *row_of(const struct sweeping *sweeping, int64_t point)
{
	struct output row = {0};
	struct pipeline pipeline;
	struct pipeline_options options = sweeping->options;
	pipeline_init(&pipeline);
	options.wishes.changes = points_changes(pipeline.arena, &sweeping->points, point);
	options.wishes.change_count = sweeping->points.axis_count;
	bool read = pipeline_run(&pipeline, sweeping->arguments->operands[0], &options);
	output_print(&row, "%s,%" PRId64 ",%" PRId64, sweeping->space, point, sweeping->points.count);
	for (int i = 0; i < sweeping->points.axis_count; i++) {
		output_add(&row, ",");
		output_add_csv(&row, points_value(&sweeping->points, point, i));
	}
	output_print(&row, ",%s", read ? verdict_names[pipeline.response->worst] : "refused");
	for (int i = 0; i < sweeping->stated.set->task_count; i++) {
		int64_t response = read ? pipeline.response->tasks[i].response : NONE;
		output_print(&row, checked_is_none(response) ? "," : ",%" PRId64, response);
	}
	output_add(&row, "\n");
	char *text = memory_copy_string(row.text);
	output_finish(&row);
	pipeline_finish(&pipeline);
	return text;
}

/* ---- all of them */

static void work(void *context, int number)
{
	struct sweeping *sweeping = context;
	(void)number;
	for (int64_t row; (row = __atomic_fetch_add(&sweeping->next, 1, __ATOMIC_RELAXED)) < sweeping->end && !interrupted;)
		sweeping->texts[row] = row_of(sweeping, sweeping->first + row * sweeping->step);
}

static void run_all(struct sweeping *sweeping)
{
	struct timespec start, now;
	long said = 0;
	bool quiet = arguments_has(sweeping->arguments, "quiet");
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int64_t done = 0; done < sweeping->rows && !interrupted; done = sweeping->end) {
		sweeping->next = done;
		sweeping->end = checked_min(sweeping->rows, done + BATCH);
		workers_run(sweeping->threads, work, sweeping);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (quiet || now.tv_sec - start.tv_sec - said < LINE_EVERY)
			continue;
		said = now.tv_sec - start.tv_sec;
		fprintf(stderr, "%" PRId64 " of %" PRId64 " points\n", sweeping->end, sweeping->rows);
	}
}

/* ---- the command line */

/* K/N. */
static bool read_shard(struct sweeping *sweeping)
{
	const char *text = arguments_value(sweeping->arguments, "shard", "1/1");
	char *end;
	long long k = strtoll(text, &end, 10), n = *end == '/' ? strtoll(end + 1, &end, 10) : 0;
	if (*end != '\0' || k < 1 || n < 1 || k > n || n > GREATEST_SHARD) {
		usage_error(sweeping->arguments->command, "option '--shard' wants K/N with K from 1 to N, not '%s'", text);
		return false;
	}
	sweeping->first = k - 1;
	sweeping->step = n;
	sweeping->rows = sweeping->points.count >= k ? (sweeping->points.count - k) / n + 1 : 0;
	return true;
}

/* What the rows follow from: this version, the inputs, the command line. */
static void name_space(struct sweeping *sweeping)
{
	struct output text = {0};
	const struct pipeline *stated = &sweeping->stated;
	int count;
	const char *const *words = arguments_recorded(sweeping->arguments, &count);
	output_print(&text, "%s\n%s\n%s\n", GPUBOUND_VERSION, stated->set->hash, stated->platform->hash);
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
	struct output output = {0};
	bool whole = true;
	name_space(sweeping);
	sweeping->texts = arena_allocate(sweeping->arguments->arena, (size_t)sweeping->rows + 1, sizeof *sweeping->texts);
	interrupt_begin();
	run_all(sweeping);
	add_head(&output, sweeping);
	for (int64_t i = 0; i < sweeping->rows; i++) {
		whole &= sweeping->texts[i] != NULL;
		if (sweeping->texts[i] != NULL)
			output_add(&output, sweeping->texts[i]);
		memory_free(sweeping->texts[i]);
	}
	bool written = arguments_write(sweeping->arguments, &output, arguments_value(sweeping->arguments, "output", "-"));
	interrupt_end();
	output_finish(&output);
	return !written ? EXIT_USAGE : whole ? EXIT_FINE : EXIT_NO_BOUND;
}

/* A target that is not there is wrong at every point, and is said once. */
static bool hold_targets(const struct sweeping *sweeping)
{
	static const enum diagnostic_code wrong[] = {DIAGNOSTIC_CHANGE_TARGET, DIAGNOSTIC_CHANGE_VALUE, DIAGNOSTIC_SCHEMA_VIOLATION};
	struct pipeline first;
	struct pipeline_options options = sweeping->options;
	int count = 0;
	pipeline_init(&first);
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

int command_sweep(const struct arguments *arguments)
{
	struct sweeping sweeping = {.arguments = arguments};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t jobs = processors > 0 ? processors : 1;
	if (!assume_check(arguments) || !points_read(arguments, &sweeping.points) || !read_shard(&sweeping) ||
		!arguments_integer(arguments, "jobs", 1, 1024, &jobs))
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
	int status = !read || !hold_targets(&sweeping)                                  ? EXIT_INVALID
		     : !arguments_spare_inputs(arguments, &sweeping.stated.diagnostics) ? EXIT_USAGE
											: sweep(&sweeping);
	pipeline_finish(&sweeping.stated);
	return status;
}
