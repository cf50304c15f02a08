/* gpubound help [COMMAND|CODE]. */
#include "cli/arguments.h"
#include "base/suggest.h"
#include "cli/completion.h"
#include "report/text_write.h"

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

/* The message of this code, or of none: DIAGNOSTIC_COUNT. */
static int find_code(const char *slug)
{
	int code = 0;
	while (code < DIAGNOSTIC_COUNT && strcmp(diagnostic_kinds[code].slug, slug) != 0)
		code++;
	return code;
}

static int print_code(int code)
{
	const struct diagnostic_kind *kind = &diagnostic_kinds[code];
	struct output output = {0};
	output_print(&output, "%s, %s %s\n", kind->slug, kind->level == LEVEL_ERROR ? "an" : "a", diagnostic_level_name(kind->level));
	text_paragraph(&output, "  What it means: ", 4, kind->meaning);
	text_paragraph(&output, "  What to do:    ", 4, kind->remedy);
	bool written = output_write(&output, "-");
	output_finish(&output);
	return written ? EXIT_FINE : EXIT_USAGE;
}

/* Neither a command nor a code: the nearest of both. */
static int unknown(const struct arguments *arguments, const char *name)
{
	struct suggestion suggestion = suggest_for(name);
	for (int code = 0; code < DIAGNOSTIC_COUNT; code++)
		suggest_offer(&suggestion, diagnostic_kinds[code].slug);
	if (strchr(name, '-') == NULL || suggestion.nearest == NULL)
		return usage_unknown_command(arguments->command, name);
	return usage_error(
		arguments->command, "no message has the code '%s'%s", name, suggest_hint(arguments->arena, suggestion.nearest, '\''));
}

int command_help(const struct arguments *arguments)
{
	const struct command *command = NULL;
	if (arguments_has(arguments, "completion"))
		return print_completion(arguments_value(arguments, "completion", NULL));
	if (arguments->operand_count > 0) {
		command = command_find(arguments->operands[0]);
		int code = command == NULL ? find_code(arguments->operands[0]) : DIAGNOSTIC_COUNT;
		if (code < DIAGNOSTIC_COUNT)
			return print_code(code);
		if (command == NULL)
			return unknown(arguments, arguments->operands[0]);
	}
	usage_print(command);
	return EXIT_FINE;
}
