/* gpubound validate: how well a platform model predicts recorded block placements. */
#include "cli/arguments.h"
#include "input/input.h"
#include "simulate/validate_traces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The recording program's two builds (its kernels of variants 0, 1, 2): gpubound-validate(1), trace format; the quiet one has 16. */
#define REGISTERS_RECORDED "18|16,64,101"

const struct option options_validate[] = {
	{"platform", 'm', "MODEL", "the platform model, a name or a path; required", false},
	{"format", 'f', "text|csv", "a table with percentages (default), or CSV with counts", true},
	{"require", 'r', "FIGURE=PERCENT,...", "exit with status 1 where a figure is below", false},
	{"carveout", 0, "PERCENT", "carveout preference of all kernels; 'default' or 'infer' (default)", false},
	{"registers", 0, "LIST", "registers a thread by variant; A|B: whichever explains more", false},
	{"shared-allocation", 0, "fungible|first-fit|best-fit|worst-fit", "how shared memory is allocated (default: fungible)", false},
	{"delays", 0, NULL, "print how late blocks begin, by warps a block, instead", false},
	OPTIONS_END,
};

#define REQUIRED_MOST 8

struct requirement {
	const struct figure *figure;
	struct rational percent;
};

struct command_line {
	const struct arguments *arguments;
	struct validate_options options;
	struct allocation_options allocation;
	struct requirement required[REQUIRED_MOST];
	int required_count;
};

/* ---- options */

static bool parse_requirement(struct command_line *line, char *text)
{
	char *equals = strchr(text, '=');
	struct requirement requirement = {figures, RATIONAL_NONE};
	if (equals == NULL)
		return false;
	*equals = '\0';
	while (requirement.figure->name != NULL && strcmp(requirement.figure->name, text) != 0)
		requirement.figure++;
	if (requirement.figure->name == NULL || line->required_count == REQUIRED_MOST)
		return false;
	if (units_parse(equals + 1, UNIT_FACTOR, RATIONAL_NONE, &requirement.percent) != UNITS_OK)
		return false;
	line->required[line->required_count++] = requirement;
	return rational_compare(requirement.percent, rational_of(100)) <= 0;
}

static int parse_requirements(struct command_line *line)
{
	const char *given = arguments_value(line->arguments, "require", NULL);
	char *rest = given == NULL ? NULL : arena_copy(line->arguments->arena, given), *item;
	while (rest != NULL && (item = strtok_r(rest, ",", &rest)) != NULL)
		if (!parse_requirement(line, item))
			return usage_error(line->arguments->command,
				"--require wants FIGURE=PERCENT,... with the figures consistent, exact_set, exact_block, "
				"blocks_consistent, "
				"round_robin_exact_set; not '%s'",
				given);
	return EXIT_FINE;
}

static bool parse_whole(const char *text, int64_t most, int64_t *value)
{
	char *end;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	*value = number;
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && number <= most;
}

static void add_carveout(struct command_line *line, int64_t carveout)
{
	struct hypothesis *hypothesis = &line->options.hypotheses[line->options.hypothesis_count++];
	*hypothesis = (struct hypothesis){.carveout = carveout};
}

static int parse_carveout(struct command_line *line)
{
	const char *given = arguments_value(line->arguments, "carveout", "infer");
	int64_t percent;
	if (strcmp(given, "infer") == 0) {
		add_carveout(line, NONE);
		add_carveout(line, 100);
	} else if (strcmp(given, "default") == 0)
		add_carveout(line, NONE);
	else if (parse_whole(given, 100, &percent))
		add_carveout(line, percent);
	else
		return usage_error(line->arguments->command, "--carveout wants 'infer', 'default' or a percentage, not '%s'", given);
	return EXIT_FINE;
}

/* Each hypothesis so far, once for each alternative of the next variant's registers. */
static bool multiply(struct command_line *line, char *alternatives)
{
	struct validate_options *options = &line->options;
	struct hypothesis before[HYPOTHESES_MOST];
	int count = options->hypothesis_count;
	memcpy(before, options->hypotheses, sizeof before);
	options->hypothesis_count = 0;
	for (char *item, *rest = alternatives; (item = strtok_r(rest, "|", &rest)) != NULL;) {
		int64_t registers;
		if (!parse_whole(item, 1024, &registers))
			return false;
		for (int i = 0; i < count; i++) {
			struct replay_registers *known = &before[i].registers;
			if (options->hypothesis_count == HYPOTHESES_MOST || known->count == (int)(sizeof known->of / sizeof *known->of))
				return false;
			struct hypothesis *made = &options->hypotheses[options->hypothesis_count++];
			*made = before[i];
			made->registers.of[made->registers.count++] = registers;
		}
	}
	return options->hypothesis_count > 0;
}

static int parse_registers(struct command_line *line)
{
	const char *given = arguments_value(line->arguments, "registers", REGISTERS_RECORDED);
	char *rest = arena_copy(line->arguments->arena, given), *item;
	while ((item = strtok_r(rest, ",", &rest)) != NULL)
		if (!multiply(line, item))
			return usage_error(line->arguments->command,
				"--registers wants whole numbers by variant, as 18,64,101, with few alternatives, as 16|18; not '%s'",
				given);
	return EXIT_FINE;
}

static void parse_allocation(struct command_line *line, const struct platform *platform)
{
	const char *given = arguments_value(line->arguments, "shared-allocation", NULL);
	bool parts =
		platform_value(platform, PARAMETER_SM_SUBPARTITIONS) != NONE && platform_value(platform, PARAMETER_SM_SUBPARTITIONS) > 1;
	line->allocation.registers_by = parts ? ALLOCATION_PARTITIONS : ALLOCATION_FUNGIBLE;
	for (int i = 0; given != NULL && allocation_names[i] != NULL; i++)
		if (strcmp(allocation_names[i], given) == 0)
			line->allocation.shared_by = (enum allocation)i;
	line->options.allocation = &line->allocation;
}

static int parse(struct command_line *line)
{
	int status = EXIT_FINE;
	if (arguments_value(line->arguments, "platform", NULL) == NULL)
		return usage_error(line->arguments->command, "missing --platform");
	status = parse_requirements(line);
	status = status != EXIT_FINE ? status : parse_carveout(line);
	return status != EXIT_FINE ? status : parse_registers(line);
}

/* ---- the command */

static bool read_all(struct command_line *line, struct validation *validation, struct diagnostics *diagnostics)
{
	struct arena *arena = line->arguments->arena;
	struct input_folders folders = input_find_folders(arena);
	const char *name = arguments_value(line->arguments, "platform", NULL);
	const struct platform *platform = input_read_platform(arena, diagnostics, &folders, name);
	if (platform == NULL)
		return false;
	parse_allocation(line, platform);
	line->options.delays = arguments_has(line->arguments, "delays");
	bool fine = validate_init(validation, arena, diagnostics, platform, &line->options);
	for (int i = 0; fine && i < line->arguments->operand_count; i++)
		fine = validate_file(validation, line->arguments->operands[i]);
	return fine && validate_scenarios(validation);
}

/* Every row and the total; where nothing at all was counted for a figure, it is not reached. */
static bool reached(const struct validation *validation, const struct requirement *requirement)
{
	bool all = requirement->figure->among(&validation->total) > 0 &&
		   figure_reaches(requirement->figure, &validation->total, requirement->percent);
	for (int i = 0; i < validation->row_count; i++)
		all &= figure_reaches(requirement->figure, &validation->rows[i].counts, requirement->percent);
	if (!all)
		fprintf(stderr, "gpubound validate: %s is below what is required\n", requirement->figure->name);
	return all;
}

static int print(const struct command_line *line, const struct validation *validation)
{
	struct output output = {0};
	int status = EXIT_FINE;
	bool csv = strcmp(arguments_value(line->arguments, "format", "text"), "csv") == 0;
	if (validation->delays != NULL)
		delays_print(&output, validation->delays, csv);
	else if (csv)
		validate_print_csv(&output, validation);
	else
		validate_print_text(&output, validation);
	if (!arguments_write(line->arguments, &output, "-"))
		status = EXIT_USAGE;
	output_finish(&output);
	for (int i = 0; status != EXIT_USAGE && i < line->required_count; i++)
		if (!reached(validation, &line->required[i]))
			status = EXIT_NEGATIVE;
	return status;
}

int command_validate(const struct arguments *arguments)
{
	struct command_line line = {.arguments = arguments};
	struct diagnostics diagnostics;
	struct validation validation;
	int status = parse(&line);
	if (status != EXIT_FINE)
		return status;
	diagnostics_init(&diagnostics, arguments->arena);
	bool fine = read_all(&line, &validation, &diagnostics);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	return fine ? print(&line, &validation) : EXIT_INVALID;
}
