/* Help and usage errors, made from the tables. */
#include "cli/command.h"

#include "base/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void print_option(const struct option *option)
{
	char head[80];
	snprintf(head, sizeof head, "%c%c%c --%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
		option->letter ? ',' : ' ', option->name, option->argument ? "=" : "", option->argument ? option->argument : "");
	if (strlen(head) > 28)
		printf("  %s\n  %-28s %s\n", head, "", option->meaning);
	else
		printf("  %-28s %s\n", head, option->meaning);
}

static void print_options(const char *title, const struct option *options)
{
	if (options->name != NULL)
		printf("\n%s:\n", title);
	for (; options->name != NULL; options++)
		print_option(options);
}

static void print_commands(void)
{
	printf("usage: gpubound COMMAND [OPTIONS] [FILE...]\n\nBounds, offline, how long CUDA work can take in the worst "
	       "case.\n\nCommands:\n");
	for (const struct command *command = commands; command->name != NULL; command++)
		printf("  %-12s %s\n", command->name, command->summary);
	printf("\n'gpubound COMMAND --help' is short; 'man gpubound-COMMAND' is the manual.\n");
}

void usage_print(const struct command *command)
{
	if (command == NULL) {
		print_commands();
		return;
	}
	printf("usage: gpubound %s [OPTIONS]%s%s\n\n%s: %s.\n", command->name, *command->operands ? " " : "", command->operands,
		command->name, command->summary);
	print_options("Options", command->options);
	print_options("Common options", common_options);
	printf("\nExit status: 0 proven or fine, 1 not proven or a violation found, 2 usage, 3 invalid input,\n"
	       "4 no bound or a limit was hit, 5 out of memory, 6 internal error.\n");
}

int usage_error(const struct command *command, const char *format, ...)
{
	va_list arguments;
	const char *space = command != NULL ? " " : "", *name = command != NULL ? command->name : "";
	fprintf(stderr, "gpubound%s%s: ", space, name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nTry 'gpubound%s%s --help'.\n", space, name);
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
