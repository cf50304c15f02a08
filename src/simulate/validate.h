/* How well a platform model predicts recorded placements.
 *
 * Requires: a platform with what limits need; trace files.
 * Provides: a row of counts for each experiment of each file, in the order of appearance, and their total.
 * Source:   product.md, Commands (validate).
 * Fails:    validate_file returns false with a diagnostic that has file and line.
 */
#ifndef SIMULATE_VALIDATE_H
#define SIMULATE_VALIDATE_H

#include "simulate/judge.h"

#define CARVEOUT_INFER (-1) /* per experiment: the default preference or 100 %, whichever explains more of its blocks */

struct validate_options {
	struct replay_registers registers;
	int64_t carveout;                            /* percent, NONE: the default preference, or CARVEOUT_INFER */
	const struct allocation_options *allocation; /* NULL: limits.h's defaults */
};

struct validate_row {
	const char *file, *experiment;
	struct counts counts;
	int64_t carveout; /* that the counts are for */
};

struct validation {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct validate_options options;
	struct limits limits;
	struct validate_row *rows;
	int row_count, row_capacity;
	struct counts total;
};

bool validate_init(struct validation *validation, struct arena *arena, struct diagnostics *diagnostics, const struct platform *platform,
	const struct validate_options *options);
bool validate_file(struct validation *validation, const char *path);

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
