/* gpubound report: a report for readers, for other programs, and for the archive. */
#include "cli/arguments.h"
#include "cli/report_figures.h"
#include "render/bundle.h"
#include "render/render.h"

#include <string.h>

const struct option options_report[] = {
	{"format", 'f', "html|csv|junit|sarif|reqif|gsn|sacm", "what to write; html is the default", true},
	{"output", 'o', "FILE", "write it to FILE (- is standard output, the default)", true},
	{"figures", 0, NULL, "html: draw what responses are made of, streams, a run and placement too, from the inputs", true},
	{"pass-conditional", 0, NULL, "junit: a verdict that is conditional passes; else it is a failure", true},
	{"bundle", 0, "FILE", "pack the report with its inputs, schemas and hashes into a tar", true},
	OPTIONS_END,
};

/* In the order of the words of format. */
static bool (*const formats[])(const struct render *render, struct output *output) = {
	render_html, render_csv, render_junit, render_sarif, render_reqif, render_gsn, render_sacm};

/* One run of the command. Nothing is written unless all that was asked for can be. */
struct run {
	const struct arguments *arguments;
	struct arena *arena;
	struct diagnostics diagnostics;
	struct input_folders folders;
	struct report_file report;
	struct output page, bundle;
	struct render_figure figures[REPORT_FIGURES];
};

/* Of a bundle alone no form is wanted. */
static bool wants_page(const struct arguments *arguments)
{
	return !arguments_has(arguments, "bundle") || arguments_has(arguments, "format") || arguments_has(arguments, "output") ||
	       arguments_has(arguments, "figures");
}

static bool render(struct run *run)
{
	bool drawn = arguments_has(run->arguments, "figures");
	const struct render render = {run->arena, &run->diagnostics, run->folders.schemas, &run->report, run->figures,
		drawn ? REPORT_FIGURES : 0, arguments_has(run->arguments, "pass-conditional")};
	if (drawn && !report_figures_draw(run->arena, &run->diagnostics, &run->folders, &run->report, run->figures))
		return false;
	return formats[arguments_choice(run->arguments, "format")](&render, &run->page);
}

static bool make(struct run *run)
{
	if (!input_read_report(run->arena, &run->diagnostics, &run->folders, run->arguments->operands[0], &run->report))
		return false;
	if (wants_page(run->arguments) && !render(run))
		return false;
	return !arguments_has(run->arguments, "bundle") ||
	       bundle_build(run->arena, &run->diagnostics, &run->folders, &run->report, &run->bundle);
}

static bool write_all(const struct run *run)
{
	const char *bundle = arguments_value(run->arguments, "bundle", NULL);
	if (bundle != NULL && !arguments_write(run->arguments, &run->bundle, bundle))
		return false;
	return !wants_page(run->arguments) || arguments_write(run->arguments, &run->page, arguments_value(run->arguments, "output", "-"));
}

static int run_command(struct run *run)
{
	const char *bundle = arguments_value(run->arguments, "bundle", NULL);
	if (bundle != NULL && wants_page(run->arguments) && strcmp(bundle, arguments_value(run->arguments, "output", "-")) == 0)
		return usage_error(run->arguments->command, "--bundle and --output name the same file");
	if (arguments_has(run->arguments, "figures") && strcmp(arguments_value(run->arguments, "format", "html"), "html") != 0)
		return usage_error(run->arguments->command, "--figures is for --format=html");
	if (arguments_has(run->arguments, "pass-conditional") && strcmp(arguments_value(run->arguments, "format", "html"), "junit") != 0)
		return usage_error(run->arguments->command, "--pass-conditional is for --format=junit");
	bool made = make(run);
	diagnostics_print(&run->diagnostics, 0, arguments_level(run->arguments), arguments_colour(run->arguments, stderr), stderr);
	if (!made)
		return EXIT_INVALID;
	return arguments_spare_inputs(run->arguments, &run->diagnostics) && write_all(run) ? EXIT_FINE : EXIT_USAGE;
}

int command_report(const struct arguments *arguments)
{
	struct run run = {.arguments = arguments, .arena = arena_create()};
	diagnostics_init(&run.diagnostics, run.arena);
	run.folders = input_find_folders(run.arena);
	int status = run_command(&run);
	output_finish(&run.page);
	output_finish(&run.bundle);
	report_figures_finish(run.figures);
	arena_destroy(run.arena);
	return status;
}
