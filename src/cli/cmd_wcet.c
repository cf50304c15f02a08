/* gpubound wcet: a kernel's program in, the time of one of its blocks out. */
#include "cli/arguments.h"
#include "input/input.h"
#include "report/report_wcet.h"

#include <string.h>

#define LEAST_LIMIT 1
#define GREATEST_LIMIT 100000000
#define DEFAULT_LIMIT 100000 /* iterations of the simplex method: a thousand blocks take some thousand */

const struct option options_wcet[] = {
	{"output", 'o', "FILE", "write the XML result to FILE as well (- is standard output)", true},
	{"format", 'f', "text|xml", "what to print on standard output; text is the default", true},
	{"dot", 0, "FILE", "write the graph with the worst path for Graphviz to FILE", true},
	{"svg", 0, "FILE", "draw the graph with the worst path as SVG to FILE", true},
	{"annotate", 0, NULL, "print the source beside what its lines cost, where the disassembly names lines", true},
	{"source", 0, "FILE", "with --annotate, take this file for the source of its name; may be repeated", false, true},
	{"beside", 0, "PROGRAM", "add a block of this program on the same SM; may be repeated", true},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the program's", false},
	{"limit", 0, "N", "iterations of the solver for each linear program (default 100000)", false},
	OPTIONS_END,
};

struct run {
	const struct arguments *arguments;
	struct diagnostics diagnostics;
	struct lp_limits limits;
	struct wcet_report report;
	struct wcet wcet, among; /* alone; on lanes shared with those beside it */
};

/* The bound of one of the programs before it, the block's own first, if it is the same; else found; `used` by all of them. */
static const struct wcet *find_bound(struct run *run, int index, const bool *used)
{
	const struct program *program = run->report.beside[index];
	struct wcet *bound = arena_allocate(run->arguments->arena, 1, sizeof *bound);
	if (strcmp(program->hash, run->report.program->hash) == 0)
		return &run->among;
	for (int i = 0; i < index; i++)
		if (strcmp(run->report.beside[i]->hash, program->hash) == 0)
			return run->report.neighbours[i].of;
	return wcet_find_among(bound, program, used, run->report.platform, run->arguments->arena, &run->limits, &run->diagnostics) ? bound
																   : NULL;
}

static bool read_neighbours(struct run *run, const struct input_folders *folders, const struct program **programs, bool *used)
{
	int count;
	const char *const *paths = arguments_values(run->arguments, "beside", &count);
	instruction_costs_add_used(run->report.program, used);
	for (int i = 0; i < count; i++) {
		const struct platform *platform;
		programs[i] = input_read_program(
			run->arguments->arena, &run->diagnostics, folders, paths[i], run->report.platform->path, &platform);
		if (programs[i] == NULL)
			return false;
		instruction_costs_add_used(programs[i], used);
	}
	return true;
}

/* One more block on the SM for each --beside. */
static bool add_neighbours(struct run *run, const struct input_folders *folders)
{
	struct arena *arena = run->arguments->arena;
	int count;
	bool used[CLASS_COUNT] = {false};
	(void)arguments_values(run->arguments, "beside", &count);
	const struct program **programs = arena_allocate(arena, (size_t)count, sizeof *programs);
	struct wcet_neighbour *neighbours = arena_allocate(arena, (size_t)count, sizeof *neighbours);
	run->report.beside = programs;
	run->report.neighbours = neighbours;
	run->report.among = &run->among;
	run->report.beside_count = count;
	if (count == 0)
		return true;
	if (!read_neighbours(run, folders, programs, used) ||
		!wcet_find_among(&run->among, run->report.program, used, run->report.platform, arena, &run->limits, &run->diagnostics))
		return false;
	for (int i = 0; i < count; i++) {
		const struct wcet *other = find_bound(run, i, used);
		if (other == NULL)
			return false;
		neighbours[i] = wcet_neighbour_of(&run->among, other, &run->limits, &run->diagnostics);
	}
	return true;
}

/* The file that an option gives for one of the same name, or the one that the disassembly names. */
static const char *source_path(const struct run *run, const char *file)
{
	int count;
	const char *const *given = arguments_values(run->arguments, "source", &count);
	for (int i = 0; i < count; i++)
		if (strcmp(wcet_file_name(given[i]), wcet_file_name(file)) == 0)
			return given[i];
	return file;
}

/* For --annotate: each file of the worst path once. */
static bool read_sources(struct run *run)
{
	struct arena *arena = run->arguments->arena;
	int count;
	if (!arguments_has(run->arguments, "annotate"))
		return true;
	const struct wcet_line *lines = wcet_lines(&run->report, &count);
	struct wcet_source *sources = arena_allocate(arena, (size_t)count, sizeof *sources);
	run->report.sources = sources;
	if (count == 0)
		diagnose(&run->diagnostics, DIAGNOSTIC_SOURCE_UNKNOWN, run->report.program->path, 0,
			"expected a disassembly that says from which lines of the source instructions come, and a worst path");
	for (int i = 0; i < count; i++) {
		size_t length;
		if (i > 0 && strcmp(lines[i].place.file, lines[i - 1].place.file) == 0)
			continue;
		const char *text = input_read_file(arena, &run->diagnostics, source_path(run, lines[i].place.file), &length);
		if (text == NULL)
			return false;
		sources[run->report.source_count++] = (struct wcet_source){lines[i].place.file, text};
	}
	return count > 0;
}

static bool analyse(struct run *run)
{
	struct arena *arena = run->arguments->arena;
	struct input_folders folders = input_find_folders(arena);
	const struct platform *platform = NULL;
	const struct program *program = input_read_program(arena, &run->diagnostics, &folders, run->arguments->operands[0],
		arguments_value(run->arguments, "platform", NULL), &platform);
	run->report = (struct wcet_report){.program = program, .platform = platform, .wcet = &run->wcet};
	if (program == NULL || !wcet_find(&run->wcet, program, platform, arena, &run->limits, &run->diagnostics) ||
		!add_neighbours(run, &folders))
		return false;
	run->report.program = run->wcet.charged;
	return read_sources(run);
}

/* Writes one form of the result to a file that an option names; nothing where it is not given. */
static bool write_option(const struct run *run, const char *name, void (*form)(struct output *, const struct wcet_report *))
{
	const char *path = arguments_value(run->arguments, name, NULL);
	struct output output = {0};
	if (path == NULL)
		return true;
	form(&output, &run->report);
	bool written = arguments_write(run->arguments, &output, path);
	output_finish(&output);
	return written;
}

static bool takes_standard_output(const struct run *run)
{
	return strcmp(arguments_value(run->arguments, "output", ""), "-") == 0 ||
	       strcmp(arguments_value(run->arguments, "dot", ""), "-") == 0 || strcmp(arguments_value(run->arguments, "svg", ""), "-") == 0;
}

static bool print(const struct run *run)
{
	struct output output = {0};
	if (takes_standard_output(run))
		return true;
	if (strcmp(arguments_value(run->arguments, "format", "text"), "xml") == 0)
		wcet_xml(&output, &run->report);
	else
		wcet_text(&output, &run->report, arguments_colour(run->arguments, stdout));
	bool written = arguments_write(run->arguments, &output, "-");
	output_finish(&output);
	return written;
}

int command_wcet(const struct arguments *arguments)
{
	int64_t limit = DEFAULT_LIMIT;
	if (!arguments_integer(arguments, "limit", LEAST_LIMIT, GREATEST_LIMIT, &limit))
		return EXIT_USAGE;
	struct run run = {.arguments = arguments, .limits = {0, (int)limit}};
	diagnostics_init(&run.diagnostics, arguments->arena);
	bool bounded = analyse(&run);
	diagnostics_print(&run.diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (!bounded)
		return EXIT_INVALID;
	bool written = arguments_spare_inputs(arguments, &run.diagnostics) && write_option(&run, "output", wcet_xml) &&
		       write_option(&run, "dot", wcet_dot) && write_option(&run, "svg", wcet_svg) && print(&run);
	return written ? EXIT_FINE : EXIT_USAGE;
}
