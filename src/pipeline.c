/* A case from input to results: the list of the stages. */
#include "pipeline.h"

#include "input/report.h"
#include "input/validate.h"
#include "kernel/frames.h"
#include "kernel/programs.h"
#include "map/map.h"
#include "response/analysis.h"

#include <inttypes.h>
#include <string.h>

void pipeline_init(struct pipeline *pipeline)
{
	*pipeline = (struct pipeline){.arena = arena_create()};
	diagnostics_init(&pipeline->diagnostics, pipeline->arena);
	derivation_init(&pipeline->derivation, pipeline->arena);
	pipeline->folders = input_find_folders(pipeline->arena);
}

void pipeline_finish(struct pipeline *pipeline)
{
	arena_destroy(pipeline->arena);
	*pipeline = (struct pipeline){0};
}

/* What the user asks to rely on although nobody vouches for it: results that do are conditional. */
static void assume(struct platform *platform, const struct pipeline_options *options)
{
	for (int i = 0; i < options->assume_count; i++) {
		struct assumption_state *state = &platform->assumptions[assumption_find(options->assume[i])];
		if (state->status != STATUS_UNSTATED && state->status != STATUS_BROKEN)
			continue;
		state->status = STATUS_CONDITIONAL;
		state->declared_by = "--assume";
	}
}

/* C_K of as many blocks as an SM holds. */
static void fit_programs(struct pipeline *p)
{
	for (int i = 0; i < p->set->operation_count; i++)
		if (p->set->operations[i].program != NULL)
			programs_fit(&p->set->operations[i], p->map->kernels[i].occupancy.greatest);
}

/* With --assume A-FRAG an SM may hold more blocks than when the task set was read: C_K has to reach that far. */
static bool curves_reach(struct pipeline *p)
{
	int before = p->diagnostics.errors;
	for (int i = 0; i < p->set->operation_count; i++) {
		const struct operation *operation = &p->set->operations[i];
		int64_t most = checked_min(operation->kernel.blocks, p->map->kernels[i].occupancy.greatest);
		if (operation->kind != OPERATION_KERNEL || operation->program != NULL || operation->kernel.curve == NULL || most == NONE ||
			operation->kernel.curve_count >= most)
			continue;
		diagnose(&p->diagnostics, DIAGNOSTIC_CURVE_SHORT, p->set->path, operation->line,
			"kernel '%s' gives WCETs for up to %d resident blocks; by A-FRAG an SM of %s may hold %" PRId64, operation->id,
			operation->kernel.curve_count, p->platform->id, most);
	}
	return p->diagnostics.errors == before;
}

static int iterations_of(const struct pipeline_options *options)
{
	return options->solver_iterations > 0 ? options->solver_iterations : RESPONSE_SOLVER_ITERATIONS;
}

/* The stages, in the order in which the data flows: XML -> model -> kernel -> map -> interference -> response. */
bool pipeline_run(struct pipeline *p, const char *path, const struct pipeline_options *options)
{
	p->set = input_read_taskset(p->arena, &p->diagnostics, &p->folders, path, options->platform, &p->platform);
	if (p->set == NULL)
		return false;
	assume(p->platform, options);
	if (!validate_assumed(p->platform, p->set, &p->diagnostics))
		return false;
	frames_bound(p->arena, p->set);
	p->programs = programs_bound(p->arena, p->platform, p->set, &p->diagnostics);
	if (p->programs == NULL)
		return false;
	p->map = map_build(p->arena, p->platform, p->set);
	fit_programs(p);
	if (!curves_reach(p))
		return false;
	hazards_report(p->platform, p->set, p->map, &p->diagnostics);
	p->channels = hazards_channels(p->arena, p->platform, p->set, p->map);
	if (options->results_only)
		derivation_init_mute(&p->derivation);
	struct analysis analysis =
		analysis_compute(p->arena, p->platform, p->set, p->map, &p->derivation, iterations_of(options), &p->diagnostics);
	p->inflation = analysis.inflation;
	p->response = analysis.response;
	return true;
}

void pipeline_slack(struct pipeline *p, const struct pipeline_options *options)
{
	p->slack = slack_find(p->arena, p->platform, p->set, p->map, p->response, iterations_of(options));
}

struct slack pipeline_slack_of(const struct pipeline *p, const struct pipeline_options *options, int task)
{
	return p->slack != NULL ? p->slack[task] : slack_of(p->platform, p->set, p->map, p->response, iterations_of(options), task);
}

/* A shipped model by its name, wherever the models are; any other by the path that was opened. */
static const char *platform_path(const struct pipeline *p, const char *name)
{
	const char *shipped = p->folders.models == NULL ? "" : arena_format(p->arena, "%s/%s.xml", p->folders.models, name);
	return strcmp(shipped, p->platform->path) == 0 ? name : p->platform->path;
}

struct report pipeline_report(
	const struct pipeline *p, const struct pipeline_options *options, const char *const *arguments, int argument_count)
{
	return (struct report){
		.platform = p->platform,
		.platform_path = platform_path(p, options->platform != NULL ? options->platform : p->set->platform_name),
		.set = p->set,
		.programs = p->programs,
		.map = p->map,
		.channels = p->channels,
		.inflation = p->inflation,
		.response = p->response,
		.derivation = &p->derivation,
		.diagnostics = &p->diagnostics,
		.arguments = arguments,
		.argument_count = argument_count,
		.slack = p->slack,
	};
}

bool pipeline_write_xml(struct diagnostics *diagnostics, struct output *output, const struct report *report)
{
	struct output text = {0};
	report_xml(&text, report);
	bool may = report_may_be_written(diagnostics, report->set->path, text.text, text.length);
	if (may)
		output_add(output, text.text);
	output_finish(&text);
	return may;
}

const char *pipeline_moved(struct arena *arena, const struct pipeline *p, const struct pipeline_options *options,
	const char *const *arguments, int argument_count, int task, enum moved moved, int64_t by)
{
	struct derivation derivation;
	struct diagnostics diagnostics;
	struct output output = {0};
	struct report report = pipeline_report(p, options, arguments, argument_count);
	derivation_init(&derivation, arena);
	diagnostics_init(&diagnostics, arena);
	report.set = slack_move(arena, p->set, task, moved, by);
	struct analysis analysis =
		analysis_compute(arena, p->platform, report.set, p->map, &derivation, iterations_of(options), &diagnostics);
	report.inflation = analysis.inflation;
	report.response = analysis.response;
	report.derivation = &derivation;
	report.diagnostics = &diagnostics;
	report_xml(&output, &report);
	const char *text = arena_copy(arena, output.text);
	output_finish(&output);
	return text;
}
