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
	const char *platform;      /* overrides the task set's; NULL: its own */
	const char *const *assume; /* ids of assumptions to rely on, each in the register; may be NULL */
	int assume_count;
	int solver_iterations; /* for each linear program; 0: the default */
	bool results_only;     /* nobody is going to read how they come about: no XML report, no explanation */
};

struct programs; /* kernel/programs.h */

struct pipeline {
	struct arena *arena;
	struct diagnostics diagnostics;
	struct derivation derivation;
	struct input_folders folders;
	struct platform *platform;
	struct taskset *set;
	struct programs *programs;
	struct map *map;
	struct channels *channels;
	struct inflation *inflation;
	struct response *response;
	struct slack *slack; /* NULL before pipeline_slack */
};

void pipeline_init(struct pipeline *pipeline);
void pipeline_finish(struct pipeline *pipeline);

/* Runs all stages on one task set. False: the input was refused, the diagnostics say why. */
bool pipeline_run(struct pipeline *pipeline, const char *path, const struct pipeline_options *options);

/* How far each task is from another verdict: some fifty analyses a task. Or one alone. */
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
