/* gpubound simulate: runs of the machine on a task set; tables, traces, timelines. */
#include "base/duration_text.h"
#include "cli/interrupt.h"
#include "cli/simulate_options.h"
#include "pipeline.h"
#include "report/text_write.h"
#include "simulate/data_flow.h"
#include "simulate/run_record.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_EVERY 10 /* seconds between lines of progress where standard error is no terminal */

/* All runs of the command. */
struct simulation {
	const struct arguments *arguments;
	struct diagnostics diagnostics;
	const struct platform *platform;
	const struct taskset *set;
	struct simulate_options options;
	int64_t runs, done;
	struct simulate_task *tasks; /* greatest over all runs, counts added */
	struct simulate_operation *operations;
	int64_t *chains; /* what was seen of each, of its kind */
	int64_t *late;   /* jobs by task */
	int64_t block_events, events, end;
	bool csv, ended_early;
	bool limited; /* a run, by its events or by the jobs that waited */
	bool swamped; /* by the jobs */
	bool taken;   /* standard output, by a file */
	struct output output;
	uint64_t seed;             /* of the run under way */
	struct run_record *record; /* of the first run; NULL: nobody wants it */
	int64_t from, to;          /* of the timeline */
	time_t start, shown;
};

/* ---- what is seen of a run */

static void add_optional(struct output *output, int64_t value)
{
	if (value == NONE)
		output_add(output, ",");
	else
		output_print(output, ",%" PRId64, value);
}

static void add_row(struct simulation *simulation, const struct event *event, int64_t deadline, bool late)
{
	struct output *output = &simulation->output;
	output_print(output, "%" PRIu64 ",", simulation->seed);
	output_add_csv(output, simulation->set->tasks[event->task].id);
	const int64_t numbers[] = {
		event->job, event->nominal, event->start, event->time, event->time - event->start, event->time - event->nominal};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		output_print(output, ",%" PRId64, numbers[i]);
	add_optional(output, deadline);
	output_print(output, ",%d\n", late);
}

static void see(void *context, const struct event *event)
{
	struct simulation *simulation = context;
	if (simulation->record != NULL && simulation->done == 0)
		run_record_see(simulation->record, event);
	if (event->kind != EVENT_COMPLETE)
		return;
	int64_t deadline = simulation->set->tasks[event->task].deadline;
	bool late = deadline != NONE && event->time - event->nominal > deadline;
	simulation->late[event->task] += late;
	if (simulation->csv)
		add_row(simulation, event, deadline, late);
}

/* ---- progress, where several runs take long */

static void show_progress(struct simulation *simulation)
{
	bool terminal = isatty(STDERR_FILENO);
	time_t now = time(NULL), passed = now - simulation->start;
	if (arguments_has(simulation->arguments, "quiet") || simulation->runs == 1 || simulation->done == 0 ||
		now - simulation->shown < (terminal ? 1 : LINE_EVERY))
		return;
	simulation->shown = now;
	int64_t rate = simulation->done / checked_max(passed, 1);
	fprintf(stderr, "%s%" PRId64 " of %" PRId64 " runs, %" PRId64 " runs/s, %" PRId64 " s left%s", terminal ? "\r" : "",
		simulation->done, simulation->runs, rate, (simulation->runs - simulation->done) * (int64_t)passed / simulation->done,
		terminal ? "   " : "\n");
}

static void end_progress(const struct simulation *simulation)
{
	if (simulation->shown > simulation->start && isatty(STDERR_FILENO))
		fprintf(stderr, "\n");
}

/* ---- the runs */

static void add_task(struct simulate_task *sum, const struct simulate_task *task)
{
	sum->released += task->released;
	sum->completed += task->completed;
	sum->response = checked_max(sum->response, task->response);
	sum->nominal_response = checked_max(sum->nominal_response, task->nominal_response);
}

static void add_operation(struct simulate_operation *sum, const struct simulate_operation *operation)
{
	sum->ended += operation->ended;
	sum->response = checked_max(sum->response, operation->response);
	sum->wait = checked_max(sum->wait, operation->wait);
	sum->longest = checked_max(sum->longest, operation->longest);
	sum->from_release = checked_max(sum->from_release, operation->from_release);
}

static void add_result(struct simulation *simulation, const struct simulate_result *result)
{
	for (int t = 0; t < simulation->set->task_count; t++)
		add_task(&simulation->tasks[t], &result->tasks[t]);
	for (int i = 0; i < simulation->set->operation_count; i++)
		add_operation(&simulation->operations[i], &result->operations[i]);
	for (int i = 0; i < simulation->set->end_to_end_count; i++)
		simulation->chains[i] =
			checked_max(simulation->chains[i], simulate_chain_observed(&result->chains[i], &simulation->set->end_to_end[i]));
	simulation->block_events += result->block_events;
	simulation->events += result->events;
	simulation->end = checked_max(simulation->end, result->end);
	simulation->ended_early |= !result->drained;
	simulation->swamped |= result->swamped;
	simulation->limited |= result->swamped || (result->status == SIMULATE_LIMIT && result->events >= simulation->options.most_events);
}

static void refuse(struct simulation *simulation, const struct simulate_result *result)
{
	const struct operation *operation =
		result->refused_operation == NO_ID ? NULL : &simulation->set->operations[result->refused_operation];
	if (operation == NULL)
		diagnose(&simulation->diagnostics, DIAGNOSTIC_NOT_SIMULATED, simulation->set->path, 0, "the set cannot be run: %s",
			result->refusal);
	else
		diagnose(&simulation->diagnostics, DIAGNOSTIC_NOT_SIMULATED, simulation->set->path, operation->line,
			"operation '%s' cannot be run: %s", operation->id, result->refusal);
}

static bool run_one(struct simulation *simulation, uint64_t seed)
{
	struct arena *arena = arena_create();
	struct simulate_options options = simulation->options;
	struct simulate_result result;
	simulation->seed = options.seed = seed;
	options.observer = (struct observer){see, simulation};
	options.stop = &interrupted;
	bool ran = simulate_run(arena, simulation->platform, simulation->set, &options, &result) != SIMULATE_REFUSED;
	if (ran)
		add_result(simulation, &result);
	else
		refuse(simulation, &result);
	arena_destroy(arena);
	simulation->done += ran;
	return ran;
}

static bool run_all(struct simulation *simulation)
{
	simulation->start = simulation->shown = time(NULL);
	for (int64_t i = 0; i < simulation->runs && !interrupted; i++) {
		if (!run_one(simulation, simulation->options.seed + (uint64_t)i))
			return false;
		show_progress(simulation);
	}
	end_progress(simulation);
	simulation->ended_early |= interrupted != 0;
	return true;
}

/* ---- what is printed */

static const char *time_text(const struct simulation *simulation, int64_t ns)
{
	return duration_exact(simulation->arguments->arena, ns);
}

static int id_width(const struct simulation *simulation)
{
	size_t width = 9;
	for (int t = 0; t < simulation->set->task_count; t++)
		width = strlen(simulation->set->tasks[t].id) > width ? strlen(simulation->set->tasks[t].id) : width;
	for (int i = 0; i < simulation->set->end_to_end_count; i++)
		width = strlen(simulation->set->end_to_end[i].id) > width ? strlen(simulation->set->end_to_end[i].id) : width;
	for (int i = 0; arguments_has(simulation->arguments, "operations") && i < simulation->set->operation_count; i++)
		width = strlen(simulation->set->operations[i].id) > width ? strlen(simulation->set->operations[i].id) : width;
	return (int)width;
}

static void print_tasks(struct simulation *simulation, int width)
{
	struct output *output = &simulation->output;
	output_print(output, "\n%-*s  %6s  %13s  %13s  %13s  %5s\n", width, "task", "jobs", "response", "from nominal", "deadline", "late");
	for (int t = 0; t < simulation->set->task_count; t++) {
		const struct simulate_task *task = &simulation->tasks[t];
		output_print(output, "%-*s  %6" PRId64 "  %13s  %13s  %13s  %5" PRId64 "\n", width, simulation->set->tasks[t].id,
			task->completed, time_text(simulation, task->response), time_text(simulation, task->nominal_response),
			time_text(simulation, simulation->set->tasks[t].deadline), simulation->late[t]);
	}
}

static void print_operations(struct simulation *simulation, int width)
{
	struct output *output = &simulation->output;
	output_print(output, "\n%-*s  %6s  %13s  %13s  %13s\n", width, "operation", "times", "response", "waits", "longest block");
	for (int i = 0; i < simulation->set->operation_count; i++) {
		const struct simulate_operation *operation = &simulation->operations[i];
		enum operation_kind kind = simulation->set->operations[i].kind;
		if (kind == OPERATION_WAIT || kind == OPERATION_RECORD)
			continue;
		output_print(output, "%-*s  %6" PRId64 "  %13s  %13s  %13s\n", width, simulation->set->operations[i].id, operation->ended,
			time_text(simulation, operation->response), time_text(simulation, operation->wait),
			time_text(simulation, operation->longest));
	}
}

/* 0: the run was too short for anything to come out behind its beginning. */
static void print_chains(struct simulation *simulation, int width)
{
	struct output *output = &simulation->output;
	const struct taskset *set = simulation->set;
	if (set->end_to_end_count > 0)
		output_print(output, "\n%-*s  %-17s  %13s  %13s\n", width, "chain", "kind", "observed", "deadline");
	for (int i = 0; i < set->end_to_end_count; i++) {
		const struct end_to_end *chain = &set->end_to_end[i];
		output_print(output, "%-*s  %-8s%-9s  %13s  %13s\n", width, chain->id,
			chain->reduced ? "reduced" : end_to_end_names[chain->kind], chain->reduced ? end_to_end_names[chain->kind] : "",
			simulation->chains[i] > 0 ? time_text(simulation, simulation->chains[i]) : "-",
			time_text(simulation, chain->deadline));
	}
}

static const char *limit_text(const struct simulation *simulation)
{
	struct arena *arena = simulation->arguments->arena;
	if (simulation->swamped)
		return arena_format(
			arena, "more than %" PRId64 " jobs waited; --limit=EVENTS sets another limit", simulation->options.most_jobs);
	return arena_format(arena, "%" PRId64 " events are the limit; --limit=EVENTS sets another", simulation->options.most_events);
}

static void print_text(struct simulation *simulation)
{
	int64_t jobs = 0;
	for (int t = 0; t < simulation->set->task_count; t++)
		jobs += simulation->tasks[t].completed;
	text_paragraph(&simulation->output, "", 2,
		arena_format(simulation->arguments->arena,
			"%s on %s, seed %" PRIu64 ", %" PRId64 " run%s: %" PRId64 " job%s, %" PRId64 " block%s, until %s",
			simulation->set->id, simulation->platform->id, simulation->options.seed, simulation->done,
			simulation->done == 1 ? "" : "s", jobs, jobs == 1 ? "" : "s", simulation->block_events / 2,
			simulation->block_events / 2 == 1 ? "" : "s", time_text(simulation, simulation->end)));
	print_tasks(simulation, id_width(simulation));
	print_chains(simulation, id_width(simulation));
	if (arguments_has(simulation->arguments, "operations"))
		print_operations(simulation, id_width(simulation));
	if (simulation->ended_early)
		output_add(&simulation->output, "\nended before all jobs were complete");
	if (simulation->limited)
		output_print(&simulation->output, ": %s", limit_text(simulation));
	output_add(&simulation->output, simulation->ended_early ? "\n" : "");
}

static bool write_files(const struct simulation *simulation)
{
	static const struct {
		const char *option;
		void (*write)(const struct run_record *record, struct output *output);
	} files[] = {{"trace", run_record_write_trace}, {"chrome", run_record_write_chrome}, {"svg", run_record_write_svg}};
	bool written = true;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const char *path = arguments_value(simulation->arguments, files[i].option, NULL);
		struct output output = {0};
		if (path == NULL)
			continue;
		files[i].write(simulation->record, &output);
		written &= arguments_write(simulation->arguments, &output, path);
		output_finish(&output);
	}
	return written;
}

static int status_of(const struct simulation *simulation)
{
	if (simulation->ended_early)
		return EXIT_NO_BOUND;
	for (int t = 0; t < simulation->set->task_count; t++)
		if (simulation->late[t] > 0)
			return EXIT_NEGATIVE;
	return EXIT_FINE;
}

/* ---- the command */

static bool writes_files(const struct arguments *arguments)
{
	return arguments_has(arguments, "trace") || arguments_has(arguments, "chrome") || arguments_has(arguments, "svg");
}

static void open_books(struct simulation *simulation)
{
	struct arena *arena = simulation->arguments->arena;
	const struct taskset *set = simulation->set;
	simulation->tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *simulation->tasks);
	simulation->operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *simulation->operations);
	simulation->chains = arena_allocate(arena, (size_t)set->end_to_end_count + 1, sizeof *simulation->chains);
	simulation->late = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *simulation->late);
	simulation->csv = strcmp(arguments_value(simulation->arguments, "format", "text"), "csv") == 0;
	if (simulation->csv)
		output_add(&simulation->output,
			"seed,task,job,nominal_ns,release_ns,completion_ns,response_ns,nominal_response_ns,deadline_ns,late\n");
	if (writes_files(simulation->arguments)) {
		simulation->record = arena_allocate(arena, 1, sizeof *simulation->record);
		run_record_init(simulation->record, arena, simulation->platform, set, simulation->options.seed);
		simulation->record->from = simulation->from;
		simulation->record->to = simulation->to;
	}
}

static int simulate(struct simulation *simulation)
{
	open_books(simulation);
	interrupt_begin();
	bool ran = run_all(simulation);
	interrupt_end();
	if (!ran)
		return EXIT_INVALID;
	if (simulation->limited)
		diagnose(&simulation->diagnostics, DIAGNOSTIC_SIMULATION_LIMIT, simulation->set->path, 0,
			"a run ended before all jobs were complete: %s", limit_text(simulation));
	if (!simulation->csv)
		print_text(simulation);
	bool written = write_files(simulation) && (simulation->taken || arguments_write(simulation->arguments, &simulation->output, "-"));
	return written ? status_of(simulation) : EXIT_USAGE;
}

static bool read_set(struct simulation *simulation)
{
	const struct arguments *arguments = simulation->arguments;
	struct input_folders folders = input_find_folders(arguments->arena);
	struct input_wishes wishes = {.platform = arguments_value(arguments, "platform", NULL)};
	struct pipeline_problem problem;
	if (!pipeline_read(arguments->arena, &simulation->diagnostics, &folders, arguments->operands[0], &wishes, &problem))
		return false;
	simulation->platform = problem.platform;
	simulation->set = problem.set;
	return simulation->diagnostics.errors == 0;
}

int command_simulate(const struct arguments *arguments)
{
	struct simulation simulation = {.arguments = arguments, .runs = 1};
	int status = EXIT_INVALID;
	diagnostics_init(&simulation.diagnostics, arguments->arena);
	static const char *const files[] = {"trace", "chrome", "svg", NULL};
	if (!arguments_one_to_standard(arguments, files, &simulation.taken) ||
		!arguments_integer(arguments, "runs", 1, INT64_MAX / 1000000, &simulation.runs) ||
		!simulate_options_time(arguments, "from", &simulation.from) || !simulate_options_time(arguments, "to", &simulation.to))
		return EXIT_USAGE;
	bool read = read_set(&simulation);
	if (read && (!arguments_spare_inputs(arguments, &simulation.diagnostics) ||
			    !simulate_options_read(arguments, simulation.platform, simulation.set, &simulation.options)))
		return EXIT_USAGE;
	if (read)
		status = simulate(&simulation);
	diagnostics_print(&simulation.diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	output_finish(&simulation.output);
	return status;
}
