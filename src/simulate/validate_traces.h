/* How well a platform model predicts recorded placements.
 *
 * Requires: a platform with what limits need; trace files, CSV or results of examiner.h.
 * Provides: a row of counts for each experiment of each CSV file, in the order of appearance, then one for each scenario of results, and
 *           their total.
 * Source:   gpubound-validate(1).
 * Fails:    validate_file and validate_scenarios return false with a diagnostic that has file and line.
 */
#ifndef SIMULATE_VALIDATE_TRACES_H
#define SIMULATE_VALIDATE_TRACES_H

#include "simulate/examiner_trace.h"
#include "simulate/judge.h"

/* What a trace may leave unsaid of its kernels, and one assumption about it. */
struct hypothesis {
	int64_t carveout; /* percent; NONE: the default preference */
	struct replay_registers registers;
};

#define HYPOTHESES_MOST 16

/* Of several hypotheses an experiment is judged by the one that makes most of its blocks consistent, the first among equals. */
struct validate_options {
	struct hypothesis hypotheses[HYPOTHESES_MOST];
	int hypothesis_count;
	const struct allocation_options *allocation; /* NULL: limits.h's defaults */
	bool delays;
};

struct validate_row {
	const char *file, *experiment;
	struct counts counts;
	const struct hypothesis *hypothesis; /* that the counts are for; in the validation */
};

struct validation {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct validate_options options;
	struct sm_limits limits;
	struct replay_registers least_registers; /* of the hypotheses: no trace may exceed what these leave */
	struct examiner examiner;                /* results wait for all files of their scenario */
	struct validate_row *rows;
	int row_count, row_capacity;
	struct counts total;
	struct delays *delays; /* NULL: not asked for */
	int64_t promised;      /* dispatch.delay + dispatch.stall; NONE: the platform has none */
};

bool validate_init(struct validation *validation, struct arena *arena, struct diagnostics *diagnostics, const struct platform *platform,
	const struct validate_options *options);
bool validate_file(struct validation *validation, const char *path);
bool validate_scenarios(struct validation *validation); /* after the last file */

/* The figures that can be required, as columns of the CSV; the rate is per what it is counted among. */
struct figure {
	const char *name;
	int64_t (*count)(const struct counts *counts), (*among)(const struct counts *counts);
};
extern const struct figure figures[]; /* ends with a row without name */

void validate_print_csv(struct output *output, const struct validation *validation);
void validate_print_text(struct output *output, const struct validation *validation);
/* Is count/among at least the rational percentage? With nothing counted: yes. */
bool figure_reaches(const struct figure *figure, const struct counts *counts, struct rational percent);

#endif
