/* What the instructions of each class cost on the platform, and what divergence does.
 *
 * Requires: a program and its platform.
 * Provides: for each class that the program uses, the cycles until the warp's next instruction and the cycles for which other warps are
 *           kept from the unit. The platform's pipelines give both: latency, and a warp over lanes, of a group as many lanes as the
 *           narrowest class of the group that the program, or one beside it, uses has, since an instruction of a wide class may hold
 *           the narrow one's unit. What the program declares stands before them. Caches and memory are in no pipeline: they are
 *           declared or there is no bound. A unit is the SM's or a sub-partition's; then only warps dealt to the same sub-partition
 *           compete for it, and for the issue slot there.
 * Source:   seed 002, 4 and 7.1; seed 001, IV; seed 004, IV.
 * Fails:    with diagnostics: a class without cost (cost-undeclared); divergence without cost, or with the cost of a stack that this
 *           compute capability does not have.
 */
#ifndef WCET_INSTRUCTION_COSTS_H
#define WCET_INSTRUCTION_COSTS_H

#include "wcet/divergence.h"

struct instruction_costs {
	struct class_cost classes[CLASS_COUNT]; /* latency at least occupancy */
	bool used[CLASS_COUNT];
	int64_t lines, first_reads;        /* lines of constants, and what bringing them takes, once a block; NONE, 0: not told apart */
	struct divergence_cost divergence; /* all 0 where nothing diverges */
	const char *divergence_by;         /* NULL: the platform model */
};

/* also: classes of other programs on the SM, whose instructions may be on the same lanes; NULL: none. */
bool instruction_costs_find(struct instruction_costs *costs, const struct program *program, const bool *also,
	const struct platform *platform, const struct divergence *divergence, struct arena *arena, struct diagnostics *diagnostics);

void instruction_costs_add_used(const struct program *program, bool *used); /* CLASS_COUNT of them */

bool instruction_costs_partitioned(const struct instruction_costs *costs); /* is any unit a sub-partition's? */

/* Of one execution of a block by one warp; NONE: beyond 64 bits. The last: only of units that all of the SM shares. */
/* So many instructions of a class, but for so many cycles. */
int64_t instruction_costs_of_class(const struct instruction_costs *costs, int64_t count, int64_t spared, int class);
int64_t instruction_costs_latency(const struct instruction_costs *costs, const struct program_block *block);
int64_t instruction_costs_least_time(
	const struct instruction_costs *costs, const struct program_block *block); /* one that nothing keeps takes no less */
int64_t instruction_costs_occupancy(const struct instruction_costs *costs, const struct program_block *block);
int64_t instruction_costs_occupancy_shared(const struct instruction_costs *costs, const struct program_block *block);

/* What one instruction of a warp of `neighbour` can take from each instruction of the block in one turn: the greatest occupancy among the
 * classes that share its unit, and the issue slot of the same sub-partition; of the last, from another sub-partition. */
int64_t instruction_costs_turn(
	const struct instruction_costs *costs, const struct instruction_costs *neighbour, const struct program_block *block);
int64_t instruction_costs_turn_shared(
	const struct instruction_costs *costs, const struct instruction_costs *neighbour, const struct program_block *block);

/* The longest that a younger warp of `neighbour` in another sub-partition may keep a unit of the SM from one of these instructions, begun
 * while another warp had the issue slot: 0 where all instructions need the same unit, if `alike` says that these are the neighbour's, too.
 */
int64_t instruction_costs_crossing(const struct instruction_costs *costs, const struct instruction_costs *neighbour, bool alike);
int64_t instruction_costs_least_occupancy(const struct instruction_costs *costs); /* of an instruction that the program has */
int64_t instruction_costs_occupancy_crossed(const struct instruction_costs *costs, const struct program_block *block, int64_t crossing);

/* What the block's instructions keep of units of the SM that warps of `waiting` may wait for; only those longer than `than`. */
int64_t instruction_costs_occupancy_kept(
	const struct instruction_costs *costs, const struct instruction_costs *waiting, const struct program_block *block, int64_t than);

#endif
