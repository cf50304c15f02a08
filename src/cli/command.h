/* The commands and their options: tables from which parsing, help, usage errors and the check of the man pages derive.
 *
 * Requires: nothing.
 * Provides: a row a command (commands.def), a row an option, the exit statuses.
 * Source:   gpubound(1).
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

/* Exit statuses of every command. */
enum exit_status {
	EXIT_FINE = 0,
	EXIT_NEGATIVE = 1, /* not proven, a deadline missed, a violation found */
	EXIT_USAGE = 2,    /* the command line is wrong, or the output cannot be written */
	EXIT_INVALID = 3,  /* the input is refused */
	EXIT_NO_BOUND = 4, /* or a limit was hit */
	EXIT_MEMORY = 5,
	EXIT_INTERNAL = 6,
	EXIT_CONDITIONAL = 7, /* proven, if assumptions hold that nobody vouches for */
};

struct option {
	const char *name;     /* without the dashes */
	char letter;          /* 0: none */
	const char *argument; /* NULL: takes none; "a|b|c": one of these words, checked; else its name in the help */
	const char *meaning;
	bool presentation; /* says where or how to print; reports do not record it */
	bool repeats;      /* each counts, not the last alone */
};

#define OPTIONS_END                                                                                                                        \
	{                                                                                                                                  \
		NULL, 0, NULL, NULL, false                                                                                                 \
	}

struct arguments;

struct command {
	const char *name, *operands;
	int least, most; /* operands; most -1: any number */
	const char *summary;
	const struct option *options;                  /* ends with OPTIONS_END */
	int (*run)(const struct arguments *arguments); /* returns an enum exit_status */
};

extern const struct command commands[]; /* ends with a row without name */
extern const struct option common_options[];

#define COMMAND(name, operands, least, most, summary)                                                                                      \
	int command_##name(const struct arguments *arguments);                                                                             \
	extern const struct option options_##name[];
#include "cli/commands.def"
#undef COMMAND

const struct command *command_find(const char *name); /* NULL: there is none */

/* Help on standard output: of all commands (NULL) or of one. */
void usage_print(const struct command *command);

/* One line on standard error and where to look; returns EXIT_USAGE. command: NULL where none is known. */
int usage_error(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a word that is no command, with the nearest one. */
int usage_unknown_command(const struct command *asking, const char *name);

#endif
