/* Shares of the least times, block by block. */
#include "wcet/shared_units.h"

#include "base/plant.h"

struct search {
	const struct instruction_costs *costs, *waiting;
	int64_t than;
	struct shared_units supply; /* of one warp */
};

static void add_block(struct search *search, const struct program_block *block)
{
	int64_t kept = instruction_costs_occupancy_kept(search->costs, search->waiting, block, search->than);
	if (kept == 0)
		return;
	struct rational share = rational_make(kept, instruction_costs_least_time(search->costs, block));
	search->supply.share = rational_max(search->supply.share, share);
	search->supply.burst = checked_max(search->supply.burst, kept);
}

static void add_instructions(struct search *search)
{
	for (int c = 0; c < CLASS_COUNT; c++) {
		struct program_block one = {.id = class_names[c]};
		one.counts[c] = 1;
		if (search->costs->used[c])
			add_block(search, &one);
	}
}

struct shared_units shared_units_find(const struct instruction_costs *costs, const struct program *program, bool splits,
	const struct instruction_costs *waiting, int64_t than)
{
	struct search search = {costs, waiting, than, {rational_of(0), 0}};
	int64_t warps = program_warps(program);
	if (splits)
		add_instructions(&search);
	for (int i = 0; i < program->block_count && !splits; i++)
		add_block(&search, &program->blocks[i]);
	return (struct shared_units){rational_mul(search.supply.share, rational_of(warps)), checked_mul(search.supply.burst, warps)};
}

int64_t shared_units_add(int64_t cycles, const struct shared_units *supply)
{
	struct rational rest = rational_sub(rational_of(1), supply->share);
	if (planted(PLANT_SUPPLY))
		return cycles;
	if (rational_is_none(rest) || rest.num <= 0)
		return NONE;
	return rational_floor(rational_div(rational_of(checked_add(cycles, supply->burst)), rest));
}
