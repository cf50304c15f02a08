/* A case from input to results: the list of the stages. */
#include "pipeline.h"

#include "input/read_report.h"
#include "map/map.h"
#include "response/analysis.h"
#include "timing/timing.h"

#include <string.h>

void pipeline_init_in(struct pipeline *pipeline, const struct input_folders *folders)
{
	*pipeline = (struct pipeline){.arena = arena_create()};
	diagnostics_init(&pipeline->diagnostics, pipeline->arena);
	derivation_init(&pipeline->derivation, pipeline->arena);
	pipeline->folders = folders != NULL ? *folders : input_find_folders(pipeline->arena);
}

void pipeline_init(struct pipeline *pipeline)
{
	pipeline_init_in(pipeline, NULL);
}

void pipeline_finish(struct pipeline *pipeline)
{
	arena_destroy(pipeline->arena);
	*pipeline = (struct pipeline){0};
}

static int iterations_of(const struct pipeline_options *options)
{
	return options->solver_iterations > 0 ? options->solver_iterations : RESPONSE_SOLVER_ITERATIONS;
}

bool pipeline_read(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *path,
	const struct input_wishes *wishes, struct pipeline_problem *problem)
{
	struct timing timing;
	const struct taskset *stated = input_read_taskset(arena, diagnostics, folders, path, wishes, &problem->platform);
	if (stated == NULL)
		return false;
	problem->map = map_build(arena, problem->platform, stated);
	if (!timing_find(arena, problem->platform, stated, problem->map, diagnostics, &timing))
		return false;
	problem->set = timing.set;
	problem->programs = timing.programs;
	return true;
}

/* The stages, in the order in which the data flows: XML -> model -> map -> timing -> interference -> response. */
bool pipeline_run(struct pipeline *p, const char *path, const struct pipeline_options *options)
{
	struct pipeline_problem problem;
	if (!pipeline_read(p->arena, &p->diagnostics, &p->folders, path, &options->wishes, &problem))
		return false;
	p->platform = problem.platform;
	p->set = problem.set;
	p->programs = problem.programs;
	p->map = problem.map;
	hazards_report(p->platform, p->set, p->map, &p->diagnostics);
	p->channels = hazards_channels(p->arena, p->platform, p->set, p->map);
	if (options->results_only)
		derivation_init_mute(&p->derivation);
	struct analysis analysis =
		analysis_compute(p->arena, p->platform, p->set, p->map, &p->derivation, iterations_of(options), &p->diagnostics);
	p->inflation = analysis.inflation;
	p->response = analysis.response;
	analysis_hazards(p->set, p->response, &p->diagnostics);
	return true;
}

void pipeline_slack(struct pipeline *p, const struct pipeline_options *options)
{
	p->slack = slack_find(p->arena, p->platform, p->set, p->map, p->response, iterations_of(options));
	p->reserves = arena_allocate(p->arena, REPORT_RESERVES, sizeof *p->reserves);
	p->reserve_count = reserves_find(
		p->arena, p->platform, p->set, p->map, p->response, iterations_of(options), NULL, REPORT_RESERVES, p->reserves);
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
		.platform_path = platform_path(p, options->wishes.platform != NULL ? options->wishes.platform : p->set->platform_name),
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
		.reserves = p->reserves,
		.reserve_count = p->reserve_count,
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
