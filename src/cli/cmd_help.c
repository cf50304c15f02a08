/* gpubound help [COMMAND|NAME]: NAME is what reports and messages name without saying it, a code, an assumption or a bound. */
#include "cli/arguments.h"
#include "base/suggest.h"
#include "cli/completion.h"
#include "model/platform.h"
#include "report/text_write.h"
#include "response/response.h"

#include <errno.h>
#include <string.h>

const struct option options_help[] = {
	{"completion", 0, "bash|zsh|fish", "print a script that completes command lines in this shell", true},
	OPTIONS_END,
};

static const struct {
	const char *name;
	void (*write)(struct output *output);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static int print_completion(const char *name)
{
	struct output output = {0};
	size_t shell = 0;
	while (strcmp(shells[shell].name, name) != 0)
		shell++;
	shells[shell].write(&output);
	bool written = output_write(&output, "-");
	if (!written)
		fprintf(stderr, "gpubound help: standard output: %s\n", strerror(errno));
	output_finish(&output);
	return written ? EXIT_FINE : EXIT_USAGE;
}

static int print_name(const char *title, const char *meaning, const char *then, const char *action)
{
	struct output output = {0};
	output_print(&output, "%s\n", title);
	text_paragraph(&output, "  What it means: ", 4, meaning);
	text_paragraph(&output, then, 4, action);
	bool written = output_write(&output, "-");
	output_finish(&output);
	return written ? EXIT_FINE : EXIT_USAGE;
}

static int print_code(const struct arguments *arguments, const struct diagnostic_kind *kind)
{
	const char *title = arena_format(
		arguments->arena, "%s, %s %s", kind->slug, kind->level == LEVEL_ERROR ? "an" : "a", diagnostic_level_name(kind->level));
	return print_name(title, kind->meaning, "  What to do:    ", kind->remedy);
}

/* A status, or -1 where it is no name nor near one, and may have been meant for a command. */
static int explain(const struct arguments *arguments, const char *name)
{
	struct suggestion suggestion = suggest_for(name);
	for (int i = 0; i < DIAGNOSTIC_COUNT; i++) {
		if (strcmp(diagnostic_kinds[i].slug, name) == 0)
			return print_code(arguments, &diagnostic_kinds[i]);
		suggest_offer(&suggestion, diagnostic_kinds[i].slug);
	}
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		if (strcmp(assumption_kinds[i].id, name) == 0)
			return print_name(arena_format(arguments->arena, "%s, an assumption", name), assumption_kinds[i].statement,
				"  Discharged by: ", assumption_kinds[i].discharge);
		suggest_offer(&suggestion, assumption_kinds[i].id);
	}
	for (int i = 0; i < BOUND_COUNT; i++) {
		if (strcmp(bound_kinds[i].name, name) == 0)
			return print_name(arena_format(arguments->arena, "%s, a bound", name), bound_kinds[i].meaning,
				"  Proved in:     ", bound_kinds[i].source);
		suggest_offer(&suggestion, bound_kinds[i].name);
	}
	if (strchr(name, '-') == NULL || suggestion.nearest == NULL)
		return -1;
	return usage_error(arguments->command, "no message, assumption or bound has the name '%s'%s", name,
		suggest_hint(arguments->arena, suggestion.nearest, '\''));
}

int command_help(const struct arguments *arguments)
{
	if (arguments_has(arguments, "completion"))
		return print_completion(arguments_value(arguments, "completion", NULL));
	const char *name = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
	const struct command *command = name != NULL ? command_find(name) : NULL;
	if (name != NULL && command == NULL) {
		int status = explain(arguments, name);
		return status >= 0 ? status : usage_unknown_command(arguments->command, name);
	}
	usage_print(command);
	return EXIT_FINE;
}
