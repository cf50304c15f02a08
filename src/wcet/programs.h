/* The bounds of kernels that are given by their programs.
 *
 * Requires: a task set whose kernels have their programs; its platform, with what the task set declares.
 * Provides: the bound of each program, once; C_K[r] of a kernel for as many of its blocks as an SM has at a time, and its grid
 *           allows.
 * Source:   wcet/wcet.h; [INFLATION].
 * Fails:    with diagnostics: NULL. A bound beyond 64 bits leaves a value of the curve at NONE.
 */
#ifndef WCET_PROGRAMS_H
#define WCET_PROGRAMS_H

#include "wcet/wcet.h"
#include "model/taskset.h"

struct programs {
	const struct wcet **bounds; /* one an operation of the task set, in its order; NULL: it has no program */
};

struct programs *programs_bound(
	struct arena *arena, const struct platform *platform, const struct taskset *set, struct diagnostics *diagnostics);

/* Of a platform that states what programs_bound asks for. */
int64_t *programs_curve(struct arena *arena, const struct platform *platform, const struct wcet *wcet, const struct operation *operation,
	int64_t an_sm, int *count);
struct launch_time programs_launch(const struct platform *platform, const struct wcet *wcet, int64_t grid);

#endif
