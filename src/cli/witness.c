/* The analysis as a witness: each report that is asked for is analysed for it. */
#include "cli/witness.h"

#include <stdlib.h>
#include <string.h>

static bool start(struct witness *witness, const struct verify_request *request)
{
	struct pipeline *pipeline = &witness->pipeline;
	pipeline_init(pipeline);
	pipeline->folders = *request->folders;
	const char **assume = arena_allocate(pipeline->arena, (size_t)request->argument_count + 1, sizeof *assume);
	const char **changes = arena_allocate(pipeline->arena, (size_t)request->argument_count + 1, sizeof *changes);
	witness->options = (struct pipeline_options){.wishes = {.platform = request->platform, .assume = assume, .changes = changes}};
	for (int i = 0; i < request->argument_count; i++) {
		const char *argument = request->arguments[i];
		if (strncmp(argument, "--assume=", 9) == 0 && assumption_find(argument + 9) >= 0)
			assume[witness->options.wishes.assume_count++] = arena_copy(pipeline->arena, argument + 9);
		if (input_is_change(argument))
			changes[witness->options.wishes.change_count++] = arena_copy(pipeline->arena, argument);
		if (strncmp(argument, "--limit=", 8) == 0)
			witness->options.solver_iterations = (int)strtol(argument + 8, NULL, 10);
	}
	return pipeline_run(pipeline, request->taskset, &witness->options);
}

/* The whole report again. */
static const char *repeat(struct arena *arena, const struct verify_request *request)
{
	struct witness witness = {.started = true};
	struct output text = {0};
	const char *copy = NULL;
	bool slack = false;
	if (start(&witness, request)) {
		for (int i = 0; i < request->argument_count; i++)
			slack = slack || strcmp(request->arguments[i], "--slack") == 0;
		if (slack)
			pipeline_slack(&witness.pipeline, &witness.options);
		struct report report = pipeline_report(&witness.pipeline, &witness.options, request->arguments, request->argument_count);
		report.slack_in_report = slack;
		report_xml(&text, &report);
		copy = arena_copy(arena, text.text);
		output_finish(&text);
	}
	pipeline_finish(&witness.pipeline);
	return copy;
}

const char *witness_testify(void *context, struct arena *arena, const struct verify_request *request)
{
	static const enum moved of[] = {[VERIFY_MOVED_ALL_WCETS] = MOVED_ALL_WCETS,
		[VERIFY_MOVED_OWN_WCETS] = MOVED_OWN_WCETS,
		[VERIFY_MOVED_PERIOD] = MOVED_PERIOD};
	struct witness *witness = context;
	if (request->moved == VERIFY_MOVED_NOTHING)
		return repeat(arena, request);
	const char **arguments = arena_allocate(arena, (size_t)request->argument_count + 2, sizeof *arguments);
	int count = 0;
	if (!witness->started)
		witness->failed = !start(witness, request);
	witness->started = true;
	if (witness->failed)
		return NULL;
	arguments[count++] = "analyze";
	for (int i = 0; i < request->argument_count; i++)
		arguments[count++] = request->arguments[i];
	arguments[count++] = request->taskset;
	return pipeline_moved(
		arena, &witness->pipeline, &witness->options, arguments, count, request->task, of[request->moved], request->by);
}

void witness_finish(struct witness *witness)
{
	if (witness->started)
		pipeline_finish(&witness->pipeline);
}
