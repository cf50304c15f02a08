/* The table of commands and of the options that all of them have. */
#include "cli/command.h"

#include <stddef.h>
#include <string.h>

const struct command commands[] = {
#define COMMAND(name, operands, least, most, summary) {#name, operands, least, most, summary, options_##name, command_##name},
#include "cli/commands.def"
#undef COMMAND
	{NULL},
};

const struct option common_options[] = {
	{"help", 'h', NULL, "show this help and exit", true},
	{"color", 0, "auto|always|never", "colour: auto (default) is on a terminal, unless NO_COLOR is set", true},
	{"quiet", 'q', NULL, "of the diagnostics print errors only, and no progress", true},
	{"verbose", 'v', NULL, "print notes as well, and errors with their line of the file", true},
	OPTIONS_END,
};

const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name != NULL; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}
