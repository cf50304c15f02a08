/* The program: finds the command, parses its arguments, runs it. */
#include "base/output.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A failed assertion is a fault of ours, and has its own exit status. */
static void internal_error(int number)
{
	static const char text[] = "gpubound: internal error; please report it with the input that led here\n";
	(void)number;
	ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
	(void)ignored;
	output_remove_temporaries();
	_exit(EXIT_INTERNAL);
}

static const char *translate(const char *word)
{
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return "help";
	return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 ? "version" : word;
}

static int dispatch(int count, char **words, struct arena *arena)
{
	if (count < 2)
		return usage_error(NULL, "missing command");
	const struct command *command = command_find(translate(words[1]));
	struct arguments arguments;
	if (command == NULL)
		return usage_unknown_command(NULL, words[1]);
	if (!arguments_parse(&arguments, command, count - 2, words + 2, arena))
		return EXIT_USAGE;
	if (!arguments_has(&arguments, "help"))
		return command->run(&arguments);
	usage_print(command);
	return EXIT_FINE;
}

/* What was printed must have arrived: a full disk is not success. */
static int flush(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "gpubound: standard output: cannot be written\n");
	return EXIT_USAGE;
}

/* For tests: GPUBOUND_FAIL_ALLOCATION=i makes the i-th allocation fail. */
static void plan_failure(void)
{
#ifdef GPUBOUND_TESTING
	const char *allocation = getenv("GPUBOUND_FAIL_ALLOCATION");
	memory_fail_at(allocation == NULL ? 0 : strtol(allocation, NULL, 10));
#endif
}

int main(int count, char **words)
{
	plan_failure();
	signal(SIGABRT, internal_error);
	signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error of writing */
	interrupt_clean();
	struct arena *arena = arena_create();
	int status = flush(dispatch(count, words, arena));
	arena_destroy(arena);
	return status;
}
