/* Reads traces and judges each configuration under every hypothesis about the carveout preference. */
#include "simulate/validate_traces.h"

#include "base/assert.h"
#include "base/json.h"

#include <string.h>

/* A file under way, and the experiment of it. */
struct running {
	struct arena *arena;
	char experiment[TRACE_NAME_MOST];
	struct judge judges[HYPOTHESES_MOST];
	struct counts counts[HYPOTHESES_MOST];
	int judge_count;
};

bool validate_init(struct validation *validation, struct arena *arena, struct diagnostics *diagnostics, const struct platform *platform,
	const struct validate_options *options)
{
	const char *missing;
	*validation = (struct validation){.arena = arena, .diagnostics = diagnostics, .options = *options};
	examiner_init(&validation->examiner, arena, diagnostics);
	validation->delays = options->delays ? arena_allocate(arena, 1, sizeof *validation->delays) : NULL;
	validation->promised =
		checked_add(platform_value(platform, PARAMETER_DISPATCH_DELAY), platform_value(platform, PARAMETER_DISPATCH_STALL));
	assert(options->hypothesis_count >= 1 && options->hypothesis_count <= HYPOTHESES_MOST);
	validation->least_registers = options->hypotheses[0].registers;
	for (int h = 1; h < options->hypothesis_count; h++)
		for (int v = 0; v < validation->least_registers.count; v++)
			validation->least_registers.of[v] =
				checked_min(validation->least_registers.of[v], options->hypotheses[h].registers.of[v]);
	if (sm_limits_read(&validation->limits, arena, platform, options->allocation, &missing))
		return true;
	diagnose(diagnostics, DIAGNOSTIC_PLATFORM_PLACEMENT, platform->path, platform->parameters[parameter_find(missing)].line,
		"'%s' is missing, or beyond what can be modelled", missing);
	return false;
}

/* One set of judges a file: what the policy keeps from kernel to kernel goes on from experiment to experiment. */
static void open_judges(const struct validation *validation, struct running *running)
{
	*running = (struct running){.arena = arena_create(), .judge_count = validation->options.hypothesis_count};
	for (int i = 0; i < running->judge_count; i++) {
		const struct hypothesis *hypothesis = &validation->options.hypotheses[i];
		judge_init(&running->judges[i], running->arena, &validation->limits, &hypothesis->registers, hypothesis->carveout);
		running->judges[i].promised = validation->promised;
		if (validation->delays != NULL)
			running->judges[i].delays = arena_allocate(running->arena, 1, sizeof(struct delays));
	}
}

/* The row of the experiment is that of the hypothesis under which most blocks are consistent; the default one among equals. */
static void finish(struct validation *validation, struct running *running, const char *path)
{
	int best = 0;
	if (running->counts[0].configurations == 0)
		return;
	for (int i = 1; i < running->judge_count; i++)
		if (running->counts[i].blocks_consistent > running->counts[best].blocks_consistent)
			best = i;
	validation->rows = arena_grow(
		validation->arena, validation->rows, &validation->row_capacity, validation->row_count + 1, sizeof *validation->rows);
	validation->rows[validation->row_count++] = (struct validate_row){.file = path,
		.experiment = arena_copy(validation->arena, running->experiment),
		.counts = running->counts[best],
		.hypothesis = &validation->options.hypotheses[best]};
	counts_add(&validation->total, &running->counts[best]);
	memset(running->counts, 0, sizeof running->counts);
	if (validation->delays == NULL)
		return;
	delays_add(validation->delays, running->judges[best].delays);
	for (int i = 0; i < running->judge_count; i++)
		memset(running->judges[i].delays, 0, sizeof *running->judges[i].delays);
}

static bool judge_one(struct validation *validation, struct running *running, const struct trace_configuration *trace)
{
	struct arena *arena = arena_create();
	struct trace_replay replay;
	trace_replay_init(&replay, arena, trace);
	bool possible = trace_replay_check(&replay, arena, &validation->limits, &validation->least_registers, validation->diagnostics);
	for (int i = 0; possible && i < running->judge_count; i++)
		judge_configuration(&running->judges[i], &replay, &running->counts[i]);
	arena_destroy(arena);
	return possible;
}

static bool judge_csv(struct validation *validation, struct trace_reader *reader, const char *path)
{
	struct running running;
	struct trace_configuration trace;
	enum trace_status status;
	open_judges(validation, &running);
	while ((status = trace_next(reader, &trace)) == TRACE_READ) {
		if (strcmp(running.experiment, trace.experiment) != 0)
			finish(validation, &running, path);
		strcpy(running.experiment, trace.experiment);
		if (!judge_one(validation, &running, &trace)) {
			status = TRACE_REFUSED;
			break;
		}
	}
	if (status == TRACE_END)
		finish(validation, &running, path);
	arena_destroy(running.arena);
	return status == TRACE_END;
}

static bool keep_result(struct validation *validation, struct trace_reader *reader, const char *path)
{
	struct arena *arena = arena_create();
	size_t length;
	const char *bytes = trace_read_all(reader, arena, JSON_BYTES, &length);
	bool fine = bytes != NULL && examiner_add(&validation->examiner, path, bytes, length);
	arena_destroy(arena);
	return fine;
}

bool validate_file(struct validation *validation, const char *path)
{
	struct trace_reader *reader = trace_open(validation->diagnostics, path);
	if (reader == NULL)
		return false;
	bool fine = trace_is_json(reader) ? keep_result(validation, reader, path) : judge_csv(validation, reader, path);
	trace_close(reader);
	return fine;
}

static bool judge_scenario(struct validation *validation, const struct examiner_scenario *scenario)
{
	struct running running;
	bool fine = true;
	open_judges(validation, &running);
	memcpy(running.experiment, scenario->name, sizeof scenario->name);
	for (int i = 0; fine && i < scenario->configuration_count; i++)
		fine = judge_one(validation, &running, &scenario->configurations[i]);
	if (fine)
		finish(validation, &running, scenario->path);
	arena_destroy(running.arena);
	return fine;
}

bool validate_scenarios(struct validation *validation)
{
	bool fine = true;
	for (int i = 0; fine && i < examiner_count(&validation->examiner); i++) {
		struct examiner_scenario scenario = examiner_scenario(&validation->examiner, i);
		fine = judge_scenario(validation, &scenario);
	}
	return fine;
}
