/* gpubound help [COMMAND]. */
#include "cli/arguments.h"
#include "cli/completion.h"

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

int command_help(const struct arguments *arguments)
{
	const struct command *command = NULL;
	if (arguments_has(arguments, "completion"))
		return print_completion(arguments_value(arguments, "completion", NULL));
	if (arguments->operand_count > 0) {
		command = command_find(arguments->operands[0]);
		if (command == NULL)
			return usage_unknown_command(arguments->command, arguments->operands[0]);
	}
	usage_print(command);
	return EXIT_FINE;
}
