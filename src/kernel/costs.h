/* What the instructions of each class cost on the platform, and what divergence does.
 *
 * Requires: a program and its platform.
 * Provides: for each class that the program uses, the cycles until the warp's next instruction and the cycles for which other warps are
 *           kept from the unit. The platform's pipelines give both: latency, and a warp over lanes, of a group as many lanes as the
 *           narrowest class of the group that the program uses has, since an instruction of a wide class may hold the narrow one's
 *           unit. What the program declares stands before them. Caches and memory are in no pipeline: they are declared or there is no
 *           bound.
 * Source:   seed 002, 4 and 7.1; seed 001, IV; seed 004, IV.
 * Fails:    with diagnostics: a class without cost (cost-undeclared); divergence without cost, or with the cost of a stack that this
 *           compute capability does not have.
 */
#ifndef KERNEL_COSTS_H
#define KERNEL_COSTS_H

#include "kernel/divergence.h"

struct costs {
	struct class_cost classes[CLASS_COUNT]; /* latency at least occupancy */
	bool used[CLASS_COUNT];
	struct divergence_cost divergence; /* all 0 where nothing diverges */
	const char *divergence_by;         /* NULL: the platform model */
};

bool costs_find(struct costs *costs, const struct program *program, const struct platform *platform, const struct divergence *divergence,
	struct diagnostics *diagnostics);

/* Of one execution of a block by one warp; NONE: beyond 64 bits. */
int64_t costs_latency(const struct costs *costs, const struct program_block *block);
int64_t costs_occupancy(const struct costs *costs, const struct program_block *block);

#endif
