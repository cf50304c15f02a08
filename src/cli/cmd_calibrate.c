/* gpubound calibrate: a platform model from recordings of the user's own board. */
#include "calibrate/calibrate.h"
#include "cli/arguments.h"
#include "input/input.h"

#include <string.h>

const struct option options_calibrate[] = {
	{"output", 'o', "FILE", "write the model there ('-', the default: standard output)", true},
	{"report", 0, "FILE", "write what was measured as a page of HTML with pictures", false},
	{"base", 'b', "MODEL", "a model of the same compute capability, for what cannot be measured", false},
	{"own", 0, NULL, "state what was measured, though the base has worse", false},
	{"margin", 0, "PERCENT", "enlarge measured times and factors by this; required", false},
	{"samples", 0, "N", "refuse a greatest of fewer samples, or fewer tries (default: 100)", false},
	{"least-warps", 0, "N", "judge order only where all blocks have at least so many warps", false},
	{"id", 0, "NAME", "the model's id (default: calibrated)", false},
	OPTIONS_END,
};

#define SAMPLES 100

static bool parse_margin(const struct arguments *arguments, struct calibrate_options *options)
{
	const char *given = arguments_value(arguments, "margin", NULL);
	struct rational percent;
	if (given == NULL || units_parse(given, UNIT_FACTOR, RATIONAL_NONE, &percent) != UNITS_OK ||
		rational_compare(percent, rational_of(1000)) > 0) {
		usage_error(arguments->command,
			given == NULL ? "missing --margin: how much is added to what was measured, in percent, is yours to say"
				      : "--margin wants a percentage from 0 to 1000, such as 20");
		return false;
	}
	options->margin = rational_div(percent, rational_of(100));
	return true;
}

static bool parse(const struct arguments *arguments, struct calibrate_options *options)
{
	*options = (struct calibrate_options){.paths = arguments->operands,
		.path_count = arguments->operand_count,
		.id = arguments_value(arguments, "id", "calibrated"),
		.samples = SAMPLES,
		.own = arguments_has(arguments, "own")};
	return parse_margin(arguments, options) && arguments_integer(arguments, "samples", 1, 1000000000, &options->samples) &&
	       arguments_integer(arguments, "least-warps", 0, 64, &options->least_warps);
}

static bool read_base(const struct arguments *arguments, struct diagnostics *diagnostics, struct calibrate_options *options)
{
	const char *name = arguments_value(arguments, "base", NULL);
	if (name == NULL)
		return true;
	struct input_folders folders = input_find_folders(arguments->arena);
	options->base = input_read_platform(arguments->arena, diagnostics, &folders, name);
	return options->base != NULL;
}

/* What bounds can rest on is told where standard output has not the model. */
static bool write_results(const struct arguments *arguments, const struct calibrate_results *results, const char *path, const char *page)
{
	return arguments_write(arguments, &results->model, path) && (page == NULL || arguments_write(arguments, &results->page, page)) &&
	       (strcmp(path, "-") == 0 || (page != NULL && strcmp(page, "-") == 0) || arguments_write(arguments, &results->uses, "-"));
}

int command_calibrate(const struct arguments *arguments)
{
	struct calibrate_options options;
	struct diagnostics diagnostics;
	struct calibrate_results results = {{0}, {0}, {0}};
	const char *path = arguments_value(arguments, "output", "-"), *page = arguments_value(arguments, "report", NULL);
	int status = EXIT_FINE;
	if (!parse(arguments, &options))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arguments->arena);
	if (!read_base(arguments, &diagnostics, &options) || !calibrate_run(arguments->arena, &diagnostics, &options, &results))
		status = EXIT_INVALID;
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (status == EXIT_FINE && !arguments_spare_inputs(arguments, &diagnostics))
		status = EXIT_USAGE;
	if (status == EXIT_FINE && !write_results(arguments, &results, path, page))
		status = EXIT_USAGE;
	output_finish(&results.model);
	output_finish(&results.uses);
	output_finish(&results.page);
	return status;
}
