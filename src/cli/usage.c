/* Help and usage errors, made from the tables. */
#include "cli/command.h"

#include "base/diagnostics.h"
#include "base/suggest.h"
#include "report/text_write.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 12 /* columns of a command */
#define HEAD_WIDTH 28 /* columns of an option */

/* On lines of no more than 80 columns, if need be broken behind a '|' of what an option takes. */
static void add_head(struct output *output, const char *head)
{
	int indent = 2, length = (int)strlen(head);
	for (int fits = 80 - indent; length > fits; fits = 80 - indent) {
		int end = fits;
		while (end > 0 && head[end - 1] != '|')
			end--;
		if (end == 0)
			break;
		output_print(output, "%*s%.*s\n", indent, "", end, head);
		head += end, length -= end, indent = HEAD_WIDTH;
	}
	output_print(output, "%*s%s\n", indent, "", head);
}

/* A head, and behind it, or below where it is long, what it means. */
static void add_entry(struct output *output, const char *head, int width, const char *meaning)
{
	char first[120];
	if ((int)strlen(head) > width)
		add_head(output, head);
	snprintf(first, sizeof first, "  %-*s ", width, (int)strlen(head) > width ? "" : head);
	text_paragraph(output, first, width + 3, meaning);
}

static void add_option(struct output *output, const struct option *option)
{
	char head[120];
	snprintf(head, sizeof head, "%c%c%c --%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
		option->letter ? ',' : ' ', option->name, option->argument ? "=" : "", option->argument ? option->argument : "");
	add_entry(output, head, HEAD_WIDTH, option->meaning);
}

static void add_options(struct output *output, const char *title, const struct option *options)
{
	if (options->name != NULL)
		output_print(output, "\n%s:\n", title);
	for (; options->name != NULL; options++)
		add_option(output, options);
}

static void add_commands(struct output *output)
{
	output_add(output, "usage: gpubound COMMAND [OPTIONS] [FILE...]\n\nBounds, offline, how long CUDA work can take in the worst "
			   "case.\n\nCommands:\n");
	for (const struct command *command = commands; command->name != NULL; command++)
		add_entry(output, command->name, NAME_WIDTH, command->summary);
	output_add(output, "\n'gpubound COMMAND --help' is short; 'man gpubound-COMMAND' is the manual.\n");
}

static void add_command(struct output *output, const struct command *command)
{
	const char *blank = *command->operands != '\0' ? " " : "";
	output_print(output, "usage: gpubound %s [OPTIONS]%s%s\n\n", command->name, blank, command->operands);
	char summary[160];
	snprintf(summary, sizeof summary, "%s: %s.", command->name, command->summary);
	text_paragraph(output, "", 0, summary);
	add_options(output, "Options", command->options);
	add_options(output, "Common options", common_options);
	output_add(output, "\nExit status: 0 proven or fine, 1 not proven or a violation found, 2 usage,\n"
			   "3 invalid input, 4 no bound or a limit was hit, 5 out of memory,\n"
			   "6 internal error, 7 proven only under conditions (analyze --assume).\n");
}

void usage_print(const struct command *command)
{
	struct output output = {0};
	if (command == NULL)
		add_commands(&output);
	else
		add_command(&output, command);
	fwrite(output.text, 1, output.length, stdout);
	output_finish(&output);
}

int usage_error(const struct command *command, const char *format, ...)
{
	va_list arguments;
	const char *space = command != NULL ? " " : "", *name = command != NULL ? command->name : "";
	struct arena *arena = arena_create();
	va_start(arguments, format);
	const char *what = arena_format_list(arena, format, arguments);
	va_end(arguments);
	diagnostics_say(arena_format(arena, "gpubound%s%s: %s\nTry 'gpubound%s%s --help'.\n", space, name, what, space, name), stderr);
	arena_destroy(arena);
	return EXIT_USAGE;
}

int usage_unknown_command(const struct command *asking, const char *name)
{
	struct arena *arena = arena_create();
	int count = 0, capacity = 0;
	const char **names = NULL;
	for (const struct command *command = commands; command->name != NULL; command++) {
		names = arena_grow(arena, names, &capacity, count + 2, sizeof *names); /* the last stays NULL */
		names[count++] = command->name;
	}
	static const char *const dashed[] = {"--help", "--version", NULL};
	const char *nearest = suggest_nearest(name, name[0] == '-' ? dashed : names);
	int status = nearest != NULL ? usage_error(asking, "unknown command '%s'; did you mean '%s'?", name, nearest)
				     : usage_error(asking, "unknown command '%s'", name);
	arena_destroy(arena);
	return status;
}
