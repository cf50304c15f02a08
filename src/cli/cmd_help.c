/* gpubound help [COMMAND]. */
#include "cli/arguments.h"

#include <stddef.h>

const struct option options_help[] = {OPTIONS_END};

int command_help(const struct arguments *arguments)
{
	const struct command *command = NULL;
	if (arguments->operand_count > 0) {
		command = command_find(arguments->operands[0]);
		if (command == NULL)
			return usage_error(arguments->command, "unknown command '%s'", arguments->operands[0]);
	}
	usage_print(command);
	return EXIT_FINE;
}
