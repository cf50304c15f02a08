/* The stages from a program to its block's time, in their order. */
#include "wcet/wcet.h"

#include "base/plant.h"
#include "wcet/aligned_barriers.h"
#include "wcet/waits.h"

static const char *const formulas[][2] = {
	{"chain + (W - 1) * others", "chain + (N - 1) * others + (W - N) * shared"},
	{"chain + (W - 1) * others: barriers aligned", "chain + (N - 1) * others + (W - N) * shared: barriers aligned, without flow facts"},
	{"W * chain: barriers not aligned", "W * chain: barriers not aligned"},
};

struct stage {
	const struct wcet *wcet;
	const struct instruction_costs *neighbour; /* whose turns are weighed */
	int64_t crossing;                          /* at least what each instruction that takes the slot weighs */
	const struct lp_limits *limits;
	struct diagnostics *diagnostics;
};

/* ---- the weight of a block's instructions */

typedef int64_t (*weight)(const struct stage *stage, const struct program_block *block);

static int64_t latency(const struct stage *stage, const struct program_block *block)
{
	return instruction_costs_latency(&stage->wcet->costs, block);
}

static int64_t occupancy(const struct stage *stage, const struct program_block *block)
{
	return instruction_costs_occupancy(&stage->wcet->costs, block);
}

static int64_t occupancy_shared(const struct stage *stage, const struct program_block *block)
{
	return instruction_costs_occupancy_shared(&stage->wcet->costs, block);
}

static int64_t occupancy_crossed(const struct stage *stage, const struct program_block *block)
{
	return instruction_costs_occupancy_crossed(&stage->wcet->costs, block, stage->crossing);
}

static int64_t turn(const struct stage *stage, const struct program_block *block)
{
	return instruction_costs_turn(&stage->wcet->costs, stage->neighbour, block);
}

static int64_t turn_shared(const struct stage *stage, const struct program_block *block)
{
	return instruction_costs_turn_shared(&stage->wcet->costs, stage->neighbour, block);
}

/* ---- one part */

static const struct program *program_of(const struct stage *stage)
{
	return stage->wcet->flow.program;
}

static struct ipet_result solve(const struct stage *stage, const struct ipet_weights *weights, bool with_facts)
{
	const struct wcet *wcet = stage->wcet;
	const struct program *program = program_of(stage);
	struct ipet_result result = ipet_solve(&wcet->flow, &wcet->loops, &wcet->divergence, weights, with_facts, stage->limits);
	bool contradictory =
		result.value < 0 || (result.status == LP_INFEASIBLE && program->fact_count > 0); /* loops' bounds alone never are */
	if (with_facts && contradictory)
		diagnose(stage->diagnostics, DIAGNOSTIC_FACTS_CONTRADICT, program->path,
			program->fact_count > 0 ? program->facts[0].line : 0,
			"expected flow facts that some path satisfies; the bound on the paths that satisfy these is %lld",
			(long long)result.value);
	else if (result.status != LP_SOLVED && result.value != NONE)
		diagnose(stage->diagnostics, DIAGNOSTIC_SOLVER_FALLBACK, program->path, 0,
			"expected a solution of the linear program; the bound is what can be certified without it");
	return result;
}

/* What a divergence costs is the warp's own latency, and may keep others of its sub-partition. */
static struct wcet_part find_part(const struct stage *stage, weight of, bool divergence, bool with_facts)
{
	const struct wcet *wcet = stage->wcet;
	const struct program *program = program_of(stage);
	int64_t *weights = arena_allocate(wcet->flow.arena, (size_t)program->block_count, sizeof *weights);
	for (int i = 0; i < program->block_count; i++)
		weights[i] = checked_mul(
			of(stage, &program->blocks[i]), wcet->divergence.alone[i] && !planted(PLANT_OUT_TOGETHER) ? THREADS_A_WARP : 1);
	struct ipet_weights all = {weights, divergence ? wcet->costs.divergence.cycles_a_divergence : 0, 0};
	struct wcet_part part = {.solved = true, .program = solve(stage, &all, with_facts)};
	part.cycles = checked_add(part.program.value, wcet->spill_cycles);
	return part;
}

/* No spill while all tokens fit at once. */
static void solve_pushes(struct wcet *wcet, const struct stage *stage)
{
	if (wcet->divergence.depth <= wcet->costs.divergence.depth)
		return;
	const struct program *program = program_of(stage);
	int64_t *tokens = arena_allocate(wcet->flow.arena, (size_t)program->block_count, sizeof *tokens);
	for (int i = 0; i < program->block_count; i++)
		tokens[i] = divergence_is_uniform(&wcet->divergence, &wcet->flow, i);
	struct ipet_weights weights = {tokens, 1, 1};
	wcet->pushes = (struct wcet_part){true, solve(stage, &weights, wcet->composition != WCET_ALIGNED), NONE};
	wcet->spill_cycles = wcet->pushes.cycles =
		divergence_cycles(&wcet->costs.divergence, 0, wcet->pushes.program.value, wcet->divergence.depth);
}

/* ---- the stages */

static bool in_partitions(const struct wcet *wcet)
{
	return wcet->near < wcet->warps;
}

/* A path pieced together from several warps' keeps the loop bounds, not the flow facts. */
static bool pieced(const struct wcet *wcet)
{
	return wcet->composition == WCET_ALIGNED;
}

static void solve_alone(struct wcet *wcet, const struct stage *stage)
{
	solve_pushes(wcet, stage);
	wcet->chain = find_part(stage, latency, true, !pieced(wcet));
	wcet->others = find_part(stage, occupancy, true, !pieced(wcet) || !in_partitions(wcet));
	if (in_partitions(wcet))
		wcet->shared = find_part(stage, occupancy_shared, false, !pieced(wcet));
}

/* near * part + the rest * shared */
static int64_t of_warps(int64_t near, int64_t rest, const struct wcet_part *part, const struct wcet_part *shared)
{
	int64_t far = shared->solved ? checked_mul(rest, shared->cycles) : 0;
	return checked_add(checked_mul(near, part->cycles), rest > 0 ? far : 0);
}

/* Facts count in others, and so all of each warp does, as they hold for all of it. */
static bool with_all_warps(const struct wcet *wcet)
{
	return pieced(wcet) && !in_partitions(wcet) && wcet->flow.program->fact_count > 0;
}

const char *wcet_formula(const struct wcet *wcet)
{
	const char *formula = with_all_warps(wcet) ? "chain + W * others: barriers aligned, chain without flow facts"
						   : formulas[wcet->composition][in_partitions(wcet)];
	return wcet->costs.first_reads > 0 ? arena_format(wcet->flow.arena, "first reads + %s", formula) : formula;
}

static void compose(struct wcet *wcet)
{
	int64_t near = with_all_warps(wcet) ? wcet->near : wcet->near - 1;
	wcet->cycles = checked_add(wcet->chain.cycles, of_warps(near, wcet->warps - wcet->near, &wcet->others, &wcet->shared));
	if (wcet->composition == WCET_SERIAL)
		wcet->cycles = checked_mul(wcet->warps, wcet->chain.cycles);
	wcet->cycles = checked_add(wcet->cycles, wcet->costs.first_reads);
}

/* ---- beside other blocks */

/* In how many sub-partitions a chain can be in the course of time: it changes warps at barriers. */
static int64_t visits(const struct wcet *wcet)
{
	int64_t places = 1;
	if (wcet->composition == WCET_SERIAL)
		return wcet->warps;
	for (int i = 0; wcet->composition == WCET_ALIGNED && i < wcet->flow.block_count; i++) {
		int loop = wcet->loops.of_block[i];
		int64_t passes = loop == NO_ID ? 1 : wcet->loops.items[loop].passes;
		places = checked_add(places, checked_mul(passes, wcet->flow.program->blocks[i].counts[CLASS_BARRIER]));
	}
	return places;
}

/* Warps of one block that began before, however long ago, in the sub-partitions that the chain visits. */
static int64_t met_warps(const struct wcet *wcet, const struct wcet *other)
{
	return checked_min(other->warps, checked_mul(visits(wcet), other->near));
}

/* In the way of a warp of the chain, or of all of them one after the other. */
static int64_t of_chain(const struct wcet *wcet, int64_t cycles)
{
	return wcet->composition == WCET_SERIAL ? checked_mul(wcet->warps, cycles) : cycles;
}

/* What the warps of `of` keep from a chain of its sub-partition, each instruction at least `crossing`. */
static struct wcet_part find_crossed(
	const struct wcet *of, int64_t crossing, const struct lp_limits *limits, struct diagnostics *diagnostics)
{
	struct stage stage = {of, &of->costs, crossing, limits, diagnostics};
	if (crossing <= instruction_costs_least_occupancy(&of->costs))
		return (struct wcet_part){.solved = false};
	return find_part(&stage, occupancy_crossed, true, !pieced(of) || !in_partitions(of));
}

static const struct wcet_part *or_others(const struct wcet *of, const struct wcet_part *crossed)
{
	return crossed->solved ? crossed : &of->others;
}

/* What the block's own warps keep from its chain beyond what they do alone. */
static int64_t own_crossed(const struct wcet *wcet, const struct wcet_part *crossed)
{
	if (!crossed->solved)
		return 0;
	if (wcet->composition == WCET_SERIAL)
		return checked_mul(wcet->warps, crossed->cycles);
	int64_t more = checked_max(0, checked_sub(crossed->cycles, wcet->others.cycles));
	return checked_mul(wcet->composition == WCET_FREE ? wcet->near - 1 : wcet->near, more);
}

static struct shared_units supply_of(const struct wcet *wcet, const struct wcet *other, int64_t than)
{
	return shared_units_find(&other->costs, other->flow.program, other->divergence.fork_count > 0, &wcet->costs, than);
}

/* ---- a block more */

static int64_t least_of_both(const struct wcet *wcet, const struct wcet *other)
{
	return checked_min(instruction_costs_least_occupancy(&wcet->costs), instruction_costs_least_occupancy(&other->costs));
}

/* alone: no other kernel's blocks are beside it. */
static struct wcet_neighbour add_block(const struct wcet *wcet, const struct wcet *other, bool alone, const struct lp_limits *limits,
	struct diagnostics *diagnostics, struct wcet_part *own, struct wcet_part *shared, struct wcet_part *crossed)
{
	struct stage stage = {wcet, &other->costs, 0, limits, diagnostics};
	int64_t crossing = wcet->apart ? instruction_costs_crossing(&wcet->costs, &other->costs, alone) : 0, met = met_warps(wcet, other);
	*crossed = find_crossed(wcet, crossing, limits, diagnostics);
	struct wcet_part theirs = other == wcet ? *crossed : find_crossed(other, crossing, limits, diagnostics);
	int64_t mine = own_crossed(wcet, crossed);
	*own = find_part(&stage, turn, true, !pieced(wcet));
	*shared = (struct wcet_part){.solved = false};
	if (in_partitions(other))
		*shared = find_part(&stage, turn_shared, false, !pieced(wcet));
	return (struct wcet_neighbour){
		.by_age = of_warps(met, other->warps - met, or_others(other, &theirs), &other->shared),
		.by_turns = of_chain(wcet, of_warps(other->near, other->warps - other->near, own, shared)),
		.blocking = checked_add(of_chain(wcet, own->cycles), mine),
		.own = mine,
		.turns_own = checked_min(mine, of_chain(wcet, checked_mul(wcet->near, own->cycles))),
		.plain_age = of_warps(met, other->warps - met, &other->others, &other->shared),
		.plain_blocking = of_chain(wcet, own->cycles),
		.supply = supply_of(wcet, other, least_of_both(wcet, other)),
		.of = other,
		.crossing = crossing,
		.least = checked_max(crossing, instruction_costs_least_occupancy(&other->costs)),
		.met = checked_mul(met, or_others(other, &theirs)->cycles),
		.turn_crossed = crossing > 0 ? of_chain(wcet, (shared->solved ? shared : own)->cycles) : 0,
		.near = other->near,
	};
}

struct wcet_neighbour wcet_neighbour_of(
	const struct wcet *wcet, const struct wcet *other, const struct lp_limits *limits, struct diagnostics *diagnostics)
{
	struct wcet_part own, shared, crossed;
	return add_block(wcet, other, false, limits, diagnostics, &own, &shared, &crossed);
}

/* What more one of several takes, as another one's instructions are longer than its own. */
static int64_t more_by_age(const struct wcet_neighbour *one, int64_t crossing)
{
	return crossing <= one->least ? 0 : checked_sub(checked_mul_div_ceil(one->met, crossing, one->least), one->met);
}

/* Is no block before it of the same kernel? */
static bool is_first(const struct wcet_neighbour *neighbours, int index)
{
	for (int i = 0; i < index; i++)
		if (neighbours[i].of == neighbours[index].of)
			return false;
	return true;
}

/* Behind each of its warps another kernel's for each instruction; which kernel's may differ from one instruction to the next. */
static int64_t more_by_turns(const struct wcet_neighbour *neighbours, int count, const struct wcet_neighbour *one)
{
	int64_t sum = 0;
	for (int i = 0; i < count; i++)
		if (neighbours[i].of != one->of && is_first(neighbours, i))
			sum = checked_add(sum, neighbours[i].turn_crossed);
	return checked_mul(one->near, sum);
}

/* The blocks beside it together. */
struct beside {
	int64_t age, turns, own, turns_own, plain_age, plain_blocking;
	struct shared_units supply;
};

static struct wcet_orders orders(const struct wcet *wcet, const struct beside *beside)
{
	int64_t age = checked_add(beside->age, checked_add(beside->plain_blocking, beside->own));
	int64_t plain = checked_add(wcet->cycles, checked_add(beside->plain_age, beside->plain_blocking));
	return (struct wcet_orders){checked_min(checked_add(wcet->cycles, age), shared_units_add(plain, &beside->supply)),
		checked_add(wcet->cycles, checked_add(beside->turns, beside->turns_own))};
}

static bool all_alike(const struct wcet_neighbour *neighbours, int count)
{
	bool alike = true;
	for (int i = 0; i < count; i++)
		alike &= neighbours[i].of == neighbours[0].of;
	return alike;
}

static void take_neighbour(struct beside *beside, const struct wcet_neighbour *one, bool first)
{
	beside->age = checked_add(beside->age, one->by_age);
	beside->turns = checked_add(beside->turns, one->by_turns);
	beside->own = checked_max(beside->own, one->own);
	beside->turns_own = checked_max(beside->turns_own, one->turns_own);
	beside->plain_age = checked_add(beside->plain_age, one->plain_age);
	if (first) /* one instruction may wait for this kernel's, the next for another's */
		beside->plain_blocking = checked_add(beside->plain_blocking, one->plain_blocking);
}

static void take_supply(struct beside *beside, const struct shared_units *supply)
{
	beside->supply.share = rational_add(beside->supply.share, supply->share);
	beside->supply.burst = checked_add(beside->supply.burst, supply->burst);
}

struct wcet_orders wcet_orders_beside(const struct wcet *wcet, const struct wcet_neighbour *neighbours, int count)
{
	struct beside beside = {.supply.share = rational_of(0)};
	int64_t crossing = 0, least = instruction_costs_least_occupancy(&wcet->costs);
	for (int i = 0; i < count; i++) {
		crossing = checked_max(crossing, neighbours[i].crossing);
		least = checked_min(least, instruction_costs_least_occupancy(&neighbours[i].of->costs));
	}
	for (int i = 0; i < count; i++) {
		struct shared_units supply = supply_of(wcet, neighbours[i].of, least);
		take_neighbour(&beside, &neighbours[i], is_first(neighbours, i));
		take_supply(&beside, &supply);
		beside.age = checked_add(beside.age, more_by_age(&neighbours[i], crossing));
		beside.turns = checked_add(beside.turns, more_by_turns(neighbours, count, &neighbours[i]));
	}
	if (!all_alike(neighbours, count))
		beside.turns_own = beside.own;
	return orders(wcet, &beside);
}

int64_t wcet_beside(const struct wcet *wcet, const struct wcet_neighbour *neighbours, int count)
{
	struct wcet_orders both = wcet_orders_beside(wcet, neighbours, count);
	return checked_max(both.age, both.turns);
}

struct wcet_orders wcet_orders_resident(const struct wcet *wcet, int64_t blocks)
{
	const struct wcet_neighbour *self = &wcet->self;
	int64_t more = blocks - 1;
	if (blocks < 2)
		return (struct wcet_orders){wcet->cycles, wcet->cycles};
	return orders(wcet, &(struct beside){
				    .age = checked_mul(more, self->by_age),
				    .turns = checked_mul(more, self->by_turns),
				    .own = self->own,
				    .turns_own = self->turns_own,
				    .plain_age = checked_mul(more, self->plain_age),
				    .plain_blocking = self->plain_blocking,
				    .supply = {rational_mul(rational_of(more), self->supply.share), checked_mul(more, self->supply.burst)},
			    });
}

int64_t wcet_resident(const struct wcet *wcet, int64_t blocks)
{
	struct wcet_orders both = wcet_orders_resident(wcet, blocks);
	return checked_max(both.age, both.turns);
}

/* ---- beside blocks in whose places none follows */

int64_t wcet_any_order(const struct wcet *wcet, int64_t blocks)
{
	return checked_add(wcet->cycles, checked_mul(checked_max(0, blocks - 1), wcet->self.plain_age));
}

int64_t wcet_beside_any_order(const struct wcet *wcet, const struct wcet_neighbour *neighbours, int count)
{
	int64_t cycles = wcet->cycles;
	for (int i = 0; i < count; i++)
		cycles = checked_add(cycles, neighbours[i].plain_age);
	return cycles;
}

int64_t wcet_of_launch(const struct wcet *wcet, int64_t blocks, int64_t grid, bool in_turn)
{
	int64_t any_order = wcet_any_order(wcet, planted(PLANT_FOLLOWERS) ? blocks : grid);
	if (blocks < 2)
		return wcet->cycles;
	return in_turn ? checked_min(wcet_resident(wcet, blocks), any_order) : any_order;
}

/* ---- */

int64_t wcet_time(int64_t cycles, const struct platform *platform)
{
	const struct quantity *clock = &platform->parameters[PARAMETER_CLOCK_SM];
	if (!clock->present || cycles == NONE)
		return NONE;
	struct rational exact = rational_div(rational_mul(rational_of(cycles), rational_of(1000000000)), clock->exact);
	if (rational_is_none(exact)) /* coarser, where the exact fraction does not fit */
		return checked_mul_div_ceil(cycles, 1000000000, clock->value);
	return rational_ceil(exact);
}

/* The warps of one sub-partition; all of them where nobody says that any unit is one's. */
static int64_t near_warps(const struct wcet *wcet, const struct platform *platform)
{
	int64_t parts = platform_value(platform, PARAMETER_SM_SUBPARTITIONS);
	if (!instruction_costs_partitioned(&wcet->costs) || parts == NONE)
		return wcet->warps;
	return checked_div_ceil(wcet->warps, parts);
}

/* From when nothing follows: a warp that ends may have made room for a block before its own block ended, so that an SM has so many warps,
 * of whichever blocks, and not so many blocks. */
static int64_t behind_warps(const struct wcet *wcet, const struct platform *platform)
{
	int64_t slots = platform_value(platform, PARAMETER_SM_WARPS), parts = platform_value(platform, PARAMETER_SM_SUBPARTITIONS);
	bool parted = instruction_costs_partitioned(&wcet->costs) && parts != NONE;
	int64_t met = parted ? checked_min(slots, checked_mul(visits(wcet), checked_div_ceil(slots, parts))) : slots;
	const struct wcet_part *far = wcet->shared.solved ? &wcet->shared : &wcet->others;
	int64_t all = checked_add(checked_mul(checked_sub(met, 1), wcet->others.cycles), checked_mul(checked_sub(slots, met), far->cycles));
	return checked_add(wcet->cycles, all);
}

struct wcet_launch wcet_launch(const struct wcet *wcet, const struct platform *platform, int64_t grid)
{
	int64_t followed = wcet->composition == WCET_SERIAL ? wcet->warps : 1;
	return (struct wcet_launch){
		.latency = checked_mul(followed, wcet->chain.cycles),
		.work = checked_mul(wcet->warps, wcet->others.cycles),
		.once = wcet->costs.first_reads,
		.last = checked_min(wcet_any_order(wcet, planted(PLANT_LAST_ALONE) ? 1 : grid), behind_warps(wcet, platform)),
	};
}

static int64_t most_resident(const struct wcet *wcet, const struct platform *platform)
{
	int64_t warps = platform_value(platform, PARAMETER_SM_WARPS), blocks = platform_value(platform, PARAMETER_SM_BLOCKS);
	return checked_min(blocks, warps == NONE ? NONE : warps / wcet->warps);
}

/* A loop makes the same turns in all warps of a block if somebody says so, or if its ways out are proved to. */
static bool find_loops(struct wcet *wcet, struct diagnostics *diagnostics)
{
	uniformity_find(&wcet->uniformity, &wcet->flow);
	accesses_find(&wcet->accesses, &wcet->flow, &wcet->uniformity);
	wcet->flow.program = wcet->charged = program_with_blocks(wcet->accesses.program, wcet->flow.arena);
	loop_turns_find(&wcet->turns, &wcet->flow, &wcet->uniformity);
	wcet->flow.program = wcet->turns.program;
	if (!loops_find(&wcet->loops, &wcet->flow, wcet->turns.asked, diagnostics))
		return false;
	for (int i = 0; i < wcet->loops.count; i++)
		wcet->loops.items[i].uniform |=
			loops_are_natural(&wcet->loops) && uniformity_of_loop(&wcet->uniformity, &wcet->flow, &wcet->loops, i);
	return true;
}

static bool read_graph(struct wcet *wcet, const struct program *program, const bool *also, const struct platform *platform,
	struct arena *arena, struct diagnostics *diagnostics)
{
	if (!flow_build(&wcet->flow, program, arena, diagnostics) || !find_loops(wcet, diagnostics) ||
		!divergence_find(&wcet->divergence, &wcet->flow, &wcet->loops, &wcet->uniformity, diagnostics) ||
		!instruction_costs_find(&wcet->costs, wcet->flow.program, also, platform, &wcet->divergence, arena, diagnostics))
		return false;
	waits_find(wcet->charged, &wcet->costs, &wcet->uniformity, arena);
	wcet->near = near_warps(wcet, platform);
	wcet->apart = platform_value(platform, PARAMETER_SM_SUBPARTITIONS) != 1;
	wcet->most = most_resident(wcet, platform);
	if (barriers_exist(program))
		wcet->composition = barriers_aligned(&wcet->flow, &wcet->loops, &wcet->uniformity) ? WCET_ALIGNED : WCET_SERIAL;
	return true;
}

bool wcet_find_among(struct wcet *wcet, const struct program *program, const bool *also, const struct platform *platform,
	struct arena *arena, const struct lp_limits *limits, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	*wcet = (struct wcet){.cycles = NONE, .time = NONE, .warps = program_warps(program)};
	if (!read_graph(wcet, program, also, platform, arena, diagnostics))
		return false;
	struct stage stage = {wcet, &wcet->costs, 0, limits, diagnostics};
	solve_alone(wcet, &stage);
	compose(wcet);
	wcet->self = add_block(wcet, wcet, true, limits, diagnostics, &wcet->turn, &wcet->turn_shared, &wcet->crossed);
	if (wcet->cycles == NONE && diagnostics->errors == before)
		diagnose(diagnostics, DIAGNOSTIC_PROGRAM_TOO_LONG, program->path, 0, "expected a program whose cycles fit 64 bits");
	wcet->time = wcet_time(wcet->cycles, platform);
	return diagnostics->errors == before;
}

bool wcet_find(struct wcet *wcet, const struct program *program, const struct platform *platform, struct arena *arena,
	const struct lp_limits *limits, struct diagnostics *diagnostics)
{
	return wcet_find_among(wcet, program, NULL, platform, arena, limits, diagnostics);
}
