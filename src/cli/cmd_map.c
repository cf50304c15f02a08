/* gpubound map: where a launch sequence's blocks go, and by which rule. */
#include "cli/arguments.h"
#include "pipeline.h"
#include "simulate/launch_plan.h"

#include <string.h>

const struct option options_map[] = {
	{"platform", 'm', "MODEL", "place on this platform instead of the task set's own", false},
	{"policy", 0, "platform|most-room|round-robin|fermi|hopper", "the placement rule (default: the platform's)", false},
	{"format", 'f', "text|csv|svg", "a table (default), a row a block, or a picture", true},
	{"svg", 0, "FILE", "write the picture there besides", true},
	{"output", 'o', "FILE", "write there instead of to standard output", true},
	OPTIONS_END,
};

static const struct {
	const char *name;
	void (*write)(const struct launch_plan *plan, struct output *output);
} formats[] = {{"text", launch_plan_write_text}, {"csv", launch_plan_write_csv}, {"svg", launch_plan_write_svg}};

static const struct policy *chosen_policy(const struct arguments *arguments)
{
	static const struct policy *const policies[] = {&policy_most_room, &policy_round_robin, &policy_fermi, &policy_hopper};
	const char *name = arguments_value(arguments, "policy", "platform");
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
		if (strcmp(policies[i]->name, name) == 0)
			return policies[i];
	return NULL;
}

static struct launch_plan *make(const struct arguments *arguments, struct diagnostics *diagnostics)
{
	struct input_folders folders = input_find_folders(arguments->arena);
	struct input_wishes wishes = {.platform = arguments_value(arguments, "platform", NULL)};
	struct pipeline_problem problem;
	const char *reason;
	int operation;
	if (!pipeline_read(arguments->arena, diagnostics, &folders, arguments->operands[0], &wishes, &problem))
		return NULL;
	const struct taskset *set = problem.set;
	struct launch_plan *plan = launch_plan_make(arguments->arena, problem.platform, set, chosen_policy(arguments), &reason, &operation);
	if (plan == NULL && operation == NO_ID)
		diagnose(diagnostics, DIAGNOSTIC_MAP_IMPOSSIBLE, set->path, 0, "the set cannot be placed: %s", reason);
	else if (plan == NULL)
		diagnose(diagnostics, DIAGNOSTIC_MAP_IMPOSSIBLE, set->path, set->operations[operation].line,
			"kernel '%s' cannot be placed: %s", set->operations[operation].id, reason);
	return plan;
}

static int write(const struct arguments *arguments, const struct launch_plan *plan, const char *format, const char *path)
{
	struct output output = {0};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, format) == 0)
			formats[i].write(plan, &output);
	bool written = arguments_write(arguments, &output, path);
	output_finish(&output);
	return written ? EXIT_FINE : EXIT_USAGE;
}

int command_map(const struct arguments *arguments)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arguments->arena);
	const struct launch_plan *plan = make(arguments, &diagnostics);
	const char *picture = arguments_value(arguments, "svg", NULL);
	static const char *const files[] = {"svg", NULL};
	bool taken; /* by the picture: then there is no table */
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (plan == NULL)
		return EXIT_INVALID;
	if (!arguments_one_to_standard(arguments, files, &taken) || !arguments_spare_inputs(arguments, &diagnostics))
		return EXIT_USAGE;
	bool table = !taken || arguments_has(arguments, "output");
	int status = table ? write(arguments, plan, arguments_value(arguments, "format", "text"), arguments_value(arguments, "output", "-"))
			   : EXIT_FINE;
	return status == EXIT_FINE && picture != NULL ? write(arguments, plan, "svg", picture) : status;
}
