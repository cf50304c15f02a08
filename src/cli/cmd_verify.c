/* gpubound verify: is a report what follows from its inputs? */
#include "cli/arguments.h"
#include "pipeline.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

const struct option options_verify[] = {
	{"input", 'i', "FILE", "take this file for the input with its SHA-256; may be repeated", false},
	{"prose", 0, NULL, "compare all words too, which is done anyway", false},
	{"without-prose", 0, NULL, "only derive numbers again, leave the other words unchecked", false},
	OPTIONS_END,
};

static int status_of(enum verify_outcome outcome)
{
	static const int statuses[] = {[VERIFY_GOOD] = EXIT_FINE, [VERIFY_REFUSED] = EXIT_NEGATIVE, [VERIFY_NO_REPORT] = EXIT_INVALID};
	return statuses[outcome];
}

/* ---- who writes reports of moved inputs, for slack: the analysis, of which nothing is believed */

struct analyst {
	struct pipeline pipeline;
	struct pipeline_options options;
	bool started, failed;
};

static bool start(struct analyst *analyst, const struct verify_request *request)
{
	struct pipeline *pipeline = &analyst->pipeline;
	pipeline_init(pipeline);
	pipeline->folders = *request->folders;
	const char **assume = arena_allocate(pipeline->arena, (size_t)request->argument_count + 1, sizeof *assume);
	const char **changes = arena_allocate(pipeline->arena, (size_t)request->argument_count + 1, sizeof *changes);
	analyst->options = (struct pipeline_options){.wishes = {.platform = request->platform, .assume = assume, .changes = changes}};
	for (int i = 0; i < request->argument_count; i++) {
		const char *argument = request->arguments[i];
		if (strncmp(argument, "--assume=", 9) == 0 && assumption_find(argument + 9) >= 0)
			assume[analyst->options.wishes.assume_count++] = arena_copy(pipeline->arena, argument + 9);
		if (input_is_change(argument))
			changes[analyst->options.wishes.change_count++] = arena_copy(pipeline->arena, argument);
		if (strncmp(argument, "--limit=", 8) == 0)
			analyst->options.solver_iterations = (int)strtol(argument + 8, NULL, 10);
	}
	return pipeline_run(pipeline, request->taskset, &analyst->options);
}

/* The whole report again. */
static const char *repeat(struct arena *arena, const struct verify_request *request)
{
	struct analyst analyst = {.started = true};
	struct output text = {0};
	const char *copy = NULL;
	bool slack = false;
	if (start(&analyst, request)) {
		for (int i = 0; i < request->argument_count; i++)
			slack = slack || strcmp(request->arguments[i], "--slack") == 0;
		if (slack)
			pipeline_slack(&analyst.pipeline, &analyst.options);
		struct report report = pipeline_report(&analyst.pipeline, &analyst.options, request->arguments, request->argument_count);
		report.slack_in_report = slack;
		report_xml(&text, &report);
		copy = arena_copy(arena, text.text);
		output_finish(&text);
	}
	pipeline_finish(&analyst.pipeline);
	return copy;
}

static const char *testify(void *context, struct arena *arena, const struct verify_request *request)
{
	static const enum moved of[] = {[VERIFY_MOVED_ALL_WCETS] = MOVED_ALL_WCETS,
		[VERIFY_MOVED_OWN_WCETS] = MOVED_OWN_WCETS,
		[VERIFY_MOVED_PERIOD] = MOVED_PERIOD};
	struct analyst *analyst = context;
	if (request->moved == VERIFY_MOVED_NOTHING)
		return repeat(arena, request);
	const char **arguments = arena_allocate(arena, (size_t)request->argument_count + 2, sizeof *arguments);
	int count = 0;
	if (!analyst->started)
		analyst->failed = !start(analyst, request);
	analyst->started = true;
	if (analyst->failed)
		return NULL;
	arguments[count++] = "analyze";
	for (int i = 0; i < request->argument_count; i++)
		arguments[count++] = request->arguments[i];
	arguments[count++] = request->taskset;
	return pipeline_moved(
		arena, &analyst->pipeline, &analyst->options, arguments, count, request->task, of[request->moved], request->by);
}

static void print_verified(const struct verified *verified, bool prose)
{
	printf("verified: %s%s%s; %d steps, %d tasks, %d operations derived again\n", verified->verdict,
		verified->left_out != NULL ? ", without a bound for " : "", verified->left_out != NULL ? verified->left_out : "",
		verified->steps, verified->tasks, verified->operations);
	printf("platform: %s, %s%s%s\n", verified->platform,
		verified->shipped ? "the model that this version ships" : "NO model that this version ships, SHA-256 ",
		verified->shipped ? "" : verified->platform_hash, verified->shipped ? "" : ": its numbers are its author's word");
	if (verified->conditions != NULL)
		printf("condition: %s, for which nobody vouches\n", verified->conditions);
	if (!prose)
		printf("unchecked: hazards, channels, reasons, advice, diagnostics\n");
	if (verified->is_signed)
		printf("unchecked: the signature, which is for xmlsec1: gpubound-report(1)\n");
	if (verified->figures > 0)
		printf("slack: at each of %d figures proven again; that one step further it is not is what an analysis of there says\n",
			verified->figures);
}

int command_verify(const struct arguments *arguments)
{
	static const char *const words[] = {[VERIFY_GOOD] = "verified", [VERIFY_REFUSED] = "refused", [VERIFY_NO_REPORT] = "no report"};
	struct diagnostics diagnostics;
	struct verified verified = {0};
	struct analyst analyst = {.started = false};
	int count;
	diagnostics_init(&diagnostics, arguments->arena);
	const struct verify_options options = {
		arguments_values(arguments, "input", &count), testify, &analyst, !arguments_has(arguments, "without-prose")};
	struct input_folders folders = input_find_folders(arguments->arena);
	enum verify_outcome outcome = verify_report(arguments->arena, &diagnostics, &folders, arguments->operands[0], &options, &verified);
	if (analyst.started)
		pipeline_finish(&analyst.pipeline);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (outcome == VERIFY_GOOD)
		print_verified(&verified, options.prose);
	else if (outcome == VERIFY_REFUSED)
		printf("%s: the report does not follow from its inputs, or not all of it could be derived again\n", words[outcome]);
	return status_of(outcome);
}
