/* A search for great responses: a few runs of gpubound simulate, each by options that its command line has. */
#include "cli/worst_run.h"

#include "base/checked.h"
#include "cli/simulate_options.h"
#include "simulate/run_record.h"

#include <inttypes.h>
#include <string.h>

#define RUNS_MOST 24
#define EVENTS_OF_A_RUN 200000
#define EVENTS_OF_ALL 2000000
#define EVENTS_OF_SIMULATE 50000 /* its default where it draws */

/* What a page can show. */
#define STANDING_MOST 8000
#define OPERATIONS_MOST 2000
#define ROWS_MOST 24
#define PLOT 920 /* px, so that letters are read on the page */

/* Releases and times as bad as they come without breaking an assumption. */
static const char *const variations[][2] = {
	{NULL, NULL},
	{"--interference=full", NULL},
	{"--jitter=burst", "--interference=full"},
	{"--phases=drawn", "--interference=full"},
	{"--phases=drawn", "--jitter=burst"},
	{"--phases=drawn", "--jitter=extreme"},
};
#define WORDS_MOST 5 /* seed, a variation, limit, the task set */
#define VARIATIONS (int)(sizeof variations / sizeof *variations)

const char *worst_run_options(const struct worst_runs *worst, int run)
{
	const char *text = arena_format(worst->arena, "--seed=%d", 1 + run / VARIATIONS);
	for (int i = 0; i < 2 && variations[run % VARIATIONS][i] != NULL; i++)
		text = arena_format(worst->arena, "%s %s", text, variations[run % VARIATIONS][i]);
	return worst->long_run[run] ? arena_format(worst->arena, "%s --limit=%d", text, EVENTS_OF_A_RUN) : text;
}

static bool options_of(const struct worst_runs *worst, int run, struct simulate_options *options)
{
	struct arguments arguments;
	char *words[WORDS_MOST], *line = arena_copy(worst->arena, worst_run_options(worst, run));
	int count = 0;
	for (char *word = strtok(line, " "); word != NULL && count < WORDS_MOST - 1; word = strtok(NULL, " "))
		words[count++] = word;
	words[count++] = arena_copy(worst->arena, worst->set->path);
	if (!arguments_parse(&arguments, command_find("simulate"), count, words, worst->arena) ||
		!simulate_options_read(&arguments, worst->platform, worst->set, options))
		return false;
	options->most_events = EVENTS_OF_A_RUN;
	return true;
}

static void keep(struct worst_runs *worst, int run, const struct simulate_result *result)
{
	for (int t = 0; t < worst->set->task_count; t++) {
		const struct simulate_task *task = &result->tasks[t];
		if (task->completed == 0 || task->nominal_response <= worst->seen[t])
			continue;
		worst->seen[t] = task->nominal_response;
		worst->job_of[t] = task->worst_job;
		worst->run_of[t] = run;
	}
	worst->long_run[run] = result->events > EVENTS_OF_SIMULATE;
	worst->runs = run + 1;
}

bool worst_runs_try(struct worst_runs *worst)
{
	int64_t events = 0;
	size_t tasks = (size_t)worst->set->task_count + 1;
	worst->seen = arena_allocate(worst->arena, tasks, sizeof *worst->seen);
	worst->run_of = arena_allocate(worst->arena, tasks, sizeof *worst->run_of);
	worst->job_of = arena_allocate(worst->arena, tasks, sizeof *worst->job_of);
	worst->long_run = arena_allocate(worst->arena, RUNS_MOST, sizeof *worst->long_run);
	worst->refused_operation = NO_ID;
	for (int run = 0; run < RUNS_MOST && events < EVENTS_OF_ALL; run++) {
		struct simulate_options options;
		struct simulate_result result;
		struct arena *arena = arena_create();
		bool read = options_of(worst, run, &options);
		if (read && simulate_run(arena, worst->platform, worst->set, &options, &result) != SIMULATE_REFUSED) {
			keep(worst, run, &result);
			events = checked_add(events, result.events);
		} else {
			worst->reason = read ? arena_copy(worst->arena, result.refusal) : "no task has a period";
			worst->refused_operation = read ? result.refused_operation : NO_ID;
		}
		arena_destroy(arena);
		if (worst->reason != NULL)
			return false;
	}
	return true;
}

/* ---- the picture */

static int64_t release_of(const struct run_record *record, int task, int64_t job)
{
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (event.kind == EVENT_RELEASE && event.task == task && event.job == job)
			return event.nominal;
	}
	return 0;
}

/* Before `to` where too much would be drawn. */
static int64_t end_of_picture(const struct run_record *record, int64_t from, int64_t to)
{
	int begun = 0;
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (event.kind == EVENT_BEGIN && event.time >= from && ++begun > OPERATIONS_MOST)
			return checked_min(event.time, to);
	}
	return to;
}

void worst_run_draw(const struct worst_runs *worst, int task, int64_t bound, struct output *svg, int64_t *from, int64_t *to)
{
	struct simulate_options options;
	struct simulate_result result;
	struct run_record record;
	if (!options_of(worst, worst->run_of[task], &options))
		return;
	run_record_init(&record, worst->arena, worst->platform, worst->set, options.seed);
	options.observer = (struct observer){run_record_see, &record};
	simulate_run(worst->arena, worst->platform, worst->set, &options, &result);
	int64_t release = release_of(&record, task, worst->job_of[task]), deadline = worst->set->tasks[task].deadline;
	int64_t span = checked_max(worst->seen[task], bound == NONE ? 0 : bound);
	if (deadline != NONE && deadline <= checked_mul(span, 2))
		span = checked_max(span, deadline);
	record.from = checked_max(0, release - span / 16);
	record.to = end_of_picture(&record, record.from, checked_add(release, span + span / 8));
	record.marked = (struct record_mark){true, task, release, worst->seen[task], bound};
	record.blocks_most = STANDING_MOST;
	record.rows_most = ROWS_MOST;
	record.plot = PLOT;
	*from = record.from;
	*to = record.to;
	run_record_write_svg(&record, svg);
}
