/* The WCET of kernels that are given by their programs.
 *
 * Requires: a task set whose kernels have their programs; its platform, with what the task set declares.
 * Provides: C_K[r] of each such kernel for as many of its blocks as the warps and the slots of an SM, and its grid, allow; its WCET, the
 *           greatest of them; its best case is at most that. Then, once it is known how many blocks an SM holds: C_K of so many.
 * Source:   kernel/wcet.h; [INFLATION].
 * Fails:    with diagnostics: false. A bound beyond 64 bits leaves the WCET at NONE.
 */
#ifndef KERNEL_PROGRAMS_H
#define KERNEL_PROGRAMS_H

#include "kernel/wcet.h"
#include "model/taskset.h"

struct programs {
	const struct wcet **bounds; /* one an operation of the task set, in its order; NULL: it has no program */
};

struct programs *programs_bound(struct arena *arena, const struct platform *platform, struct taskset *set, struct diagnostics *diagnostics);

/* greatest: blocks of the operation's kernel that an SM holds at most; NONE: not known. */
void programs_fit(struct operation *operation, int64_t greatest);

#endif
