/* A case: everything from one input to its results, a unit of work. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "base/derivation.h"
#include "base/diagnostics.h"
#include "input/input.h"
#include "map/hazards.h"
#include "report/report.h"
#include "response/response.h"

struct pipeline_options {
	struct input_wishes wishes;
	int solver_iterations; /* for each linear program; 0: the default */
	bool results_only;     /* nobody is going to read how they come about: no XML report, no explanation */
};

struct programs; /* wcet/programs.h */

struct pipeline {
	struct arena *arena;
	struct diagnostics diagnostics;
	struct derivation derivation;
	struct input_folders folders;
	const struct platform *platform;
	const struct taskset *set; /* with execution times: timing/timing.h */
	const struct programs *programs;
	const struct map *map;
	struct channels *channels;
	struct inflation *inflation;
	struct response *response;
	struct slack *slack; /* NULL before pipeline_slack, as are reserves */
	struct reserve *reserves;
	int reserve_count;
};

void pipeline_init(struct pipeline *pipeline);
void pipeline_init_in(struct pipeline *pipeline, const struct input_folders *folders); /* which stay as long; NULL: found */
void pipeline_finish(struct pipeline *pipeline);

/* What the first stages give: reading, map, timing. */
struct pipeline_problem {
	const struct platform *platform;
	const struct taskset *set; /* with execution times: timing/timing.h */
	const struct programs *programs;
	const struct map *map;
};

/* These alone, for who wants no bounds. wishes: may be NULL. False: the input was refused, the diagnostics say why. */
bool pipeline_read(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *path,
	const struct input_wishes *wishes, struct pipeline_problem *problem);

/* Runs all stages on one task set. False: the input was refused, the diagnostics say why. */
bool pipeline_run(struct pipeline *pipeline, const char *path, const struct pipeline_options *options);

/* How far each task is from another verdict: some fifty analyses a task; and which operations' WCETs are nearest to that. Or one task. */
void pipeline_slack(struct pipeline *pipeline, const struct pipeline_options *options);
struct slack pipeline_slack_of(const struct pipeline *pipeline, const struct pipeline_options *options, int task);

/* The report of a task set that has moved, of the results alone: what a slack figure stands for, written down to be checked. */
const char *pipeline_moved(struct arena *arena, const struct pipeline *pipeline, const struct pipeline_options *options,
	const char *const *arguments, int argument_count, int task, enum moved moved, int64_t by);

/* What the formats of src/report/ want, after a run that succeeded. arguments: those a report records. */
struct report pipeline_report(
	const struct pipeline *pipeline, const struct pipeline_options *options, const char *const *arguments, int argument_count);

/* The XML report, if what was written could be read back and verified; else false with a diagnostic, and nothing is added. */
bool pipeline_write_xml(struct diagnostics *diagnostics, struct output *output, const struct report *report);

#endif
