#include "cli/falsify_exhaustive.h"

#include "write/write.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static void show_progress(void *context, int64_t systems)
{
	const struct yardstick_options *options = context;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%" PRId64 " of %" PRId64 " systems   ", systems, options->systems);
}

static bool read_without(const struct arguments *arguments, struct yardstick_options *options)
{
	int count;
	const char *const *names = arguments_values(arguments, "without", &count);
	for (int i = 0; i < count; i++) {
		int bound = 0, item = item_find(names[i]);
		if (item != NO_ID && !item_switches(item)) {
			usage_error(arguments->command, "'%s' is left out in testing builds only", names[i]);
			return false;
		}
		if (item != NO_ID) {
			options->without_items |= ITEM_BIT(item);
			continue;
		}
		while (bound < BOUND_COUNT && strcmp(bound_kinds[bound].name, names[i]) != 0)
			bound++;
		if (bound == BOUND_COUNT) {
			usage_error(arguments->command, "there is no bound or item '%s'", names[i]);
			return false;
		}
		options->without |= UINT64_C(1) << bound;
	}
	return true;
}

static bool plot(const struct arguments *arguments, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	const char *path = arguments_value(arguments, "plot", NULL);
	struct output output = {0};
	if (path == NULL)
		return true;
	yardstick_svg(&output, yardstick, options);
	bool written = arguments_write(arguments, &output, path);
	output_finish(&output);
	return written;
}

/* A system again, with a run that is worst. NULL, or why that cannot be. */
static const char *tell(struct output *output, const struct yardstick_options *options, int64_t index, bool with_files)
{
	struct arena *arena = arena_create();
	struct exact *exact = exact_create();
	struct subject subject;
	struct exact_result result;
	int64_t redrawn = 0;
	const char *reason = "it has too many states";
	if (yardstick_one(arena, exact, options, index, &subject, &result, &redrawn)) {
		yardstick_tell(output, exact, &subject, &result, options);
		reason = NULL;
	} else if (result.refusal != NULL)
		reason = result.refusal;
	if (reason == NULL && with_files) {
		output_add(output, "\ncounterexample.xml:\n");
		write_taskset(output, subject.set, "./counterexample-platform.xml", NULL);
		output_add(output, "\ncounterexample-platform.xml:\n");
		write_platform(output, subject.platform, NULL);
	}
	exact_destroy(exact);
	arena_destroy(arena);
	return reason;
}

static int tell_given(const struct arguments *arguments, const struct yardstick_options *options)
{
	struct output output = {0};
	const char *reason = tell(&output, options, 0, false);
	if (reason != NULL)
		fprintf(stderr, "gpubound: %s: not every state of it can be visited: %s\n", arguments->operands[0], reason);
	fwrite(output.text != NULL ? output.text : "", 1, output.length, stdout);
	bool below = output.text != NULL && strstr(output.text, "(too small)") != NULL;
	output_finish(&output);
	return reason != NULL ? EXIT_INVALID : below ? EXIT_NEGATIVE : EXIT_FINE;
}

int falsify_exhaustively(const struct arguments *arguments, struct yardstick_options *options)
{
	if (!read_without(arguments, options))
		return EXIT_USAGE;
	if (options->given != NULL)
		return tell_given(arguments, options);
	bool csv = strcmp(arguments_value(arguments, "format", "text"), "csv") == 0;
	struct output output = {0};
	options->progress = arguments_has(arguments, "quiet") ? NULL : show_progress;
	options->context = options;
	struct yardstick *yardstick = yardstick_run(options);
	fputs(isatty(STDERR_FILENO) ? "\n" : "", stderr);
	(csv ? yardstick_csv : yardstick_text)(&output, yardstick, options);
	if (!csv && (yardstick->violation >= 0 || options->systems == 1)) {
		int64_t index = yardstick->violation >= 0 ? yardstick->violation : options->first;
		output_print(&output, "\nsystem %" PRId64 " of seed %" PRIu64 ":\n", index, options->seed);
		tell(&output, options, index, yardstick->violation >= 0);
	}
	fwrite(output.text, 1, output.length, stdout);
	output_finish(&output);
	bool plotted = plot(arguments, yardstick, options), below = yardstick->violation >= 0;
	memory_free(yardstick);
	return !plotted ? EXIT_USAGE : below ? EXIT_NEGATIVE : EXIT_FINE;
}
