/* A command line, parsed by the command's table of options.
 *
 * Requires: the arguments after the command's name.
 * Provides: the options given, in order, and the operands. `--name=value`, `--name value`, `-o value`, `-ovalue`, `-qv`; `-` is an
 *           operand (standard input); `--` ends the options.
 * Fails:    a wrong command line is explained on standard error, the nearest right word suggested; the status is EXIT_USAGE.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "base/diagnostics.h"
#include "base/output.h"
#include "cli/command.h"

#include <stdint.h>
#include <stdio.h>

struct given {
	const struct option *option;
	const char *value; /* NULL for an option without argument */
};

struct arguments {
	struct arena *arena;
	const struct command *command;
	struct given *given;
	int given_count, given_capacity;
	const char **operands;
	int operand_count;
};

/* False: something was wrong and has been said. With --help among them the operands are not counted. */
bool arguments_parse(struct arguments *arguments, const struct command *command, int count, char **words, struct arena *arena);

bool arguments_has(const struct arguments *arguments, const char *name);
/* The value given last, or `fallback`. `name` must be in the command's table or in the common one. */
const char *arguments_value(const struct arguments *arguments, const char *name, const char *fallback);
/* Which of the words of its row was given last, from 0; 0 where none was. */
int arguments_choice(const struct arguments *arguments, const char *name);
/* All values of a repeatable option in order, ended by NULL; in the arena. */
const char *const *arguments_values(const struct arguments *arguments, const char *name, int *count);
/* May all files that options name to be written be written: none of them was read (under whatever name) for these diagnostics, and
 * no two options name the same regular one? False: said which. */
bool arguments_spare_inputs(const struct arguments *arguments, const struct diagnostics *diagnostics);
/* Writes a file, or standard output where the path is "-". False: it cannot be written; said why. */
bool arguments_write(const struct arguments *arguments, const struct output *output, const char *path);
/* A whole decimal number from least to most; *value keeps its content where the option is absent. False: said why it is wrong. */
bool arguments_integer(const struct arguments *arguments, const char *name, int64_t least, int64_t most, int64_t *value);

/* Do the options of these names (ended by NULL) leave standard output to at most one of them? *taken: to one. False: said so. */
bool arguments_one_to_standard(const struct arguments *arguments, const char *const *names, bool *taken);

/* The command line that a report records: the command, its options but those of presentation and those that a later one of the same name
 * replaces, the operands; ended by NULL. */
const char *const *arguments_recorded(const struct arguments *arguments, int *count);

bool arguments_colour(const struct arguments *arguments, FILE *file);     /* colour what is printed there? */
enum diagnostic_level arguments_level(const struct arguments *arguments); /* the least level of diagnostics to print */

#endif
