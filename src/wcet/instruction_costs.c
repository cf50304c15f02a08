/* Costs by class: declared first, then the platform's pipelines. */
#include "wcet/instruction_costs.h"

#include "wcet/constants.h"

#include <string.h>

/* The stack of seed 004: which compute capabilities have it. */
#define STACK_FIRST 20
#define STACK_LAST 52

/* Convergence barriers: BSSY and BSYNC. */
#define BARRIERS_FIRST 70

void instruction_costs_add_used(const struct program *program, bool *used)
{
	for (int i = 0; i < program->block_count; i++)
		for (int c = 0; c < CLASS_COUNT; c++)
			used[c] |= program->blocks[i].counts[c] > 0;
}

static const struct warp_pipeline *pipeline_of(const struct platform *platform, int class)
{
	for (int i = 0; i < platform->pipeline_count; i++)
		if (strcmp(platform->pipelines[i].class, class_names[class]) == 0)
			return &platform->pipelines[i];
	return NULL;
}

/* The fewest lanes that a class of the group has which is used. */
static int64_t narrowest(const bool *used, const struct platform *platform, const char *group)
{
	int64_t lanes = THREADS_A_WARP;
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct warp_pipeline *pipeline = used[c] ? pipeline_of(platform, c) : NULL;
		if (pipeline != NULL && pipeline->group != NULL && strcmp(pipeline->group, group) == 0)
			lanes = checked_min(lanes, pipeline->lanes);
	}
	return lanes;
}

static struct class_cost from_pipeline(const bool *used, const struct platform *platform, int class)
{
	const struct warp_pipeline *pipeline = pipeline_of(platform, class);
	if (pipeline == NULL)
		return (struct class_cost){.latency = NONE, .occupancy = NONE};
	int64_t occupancy = pipeline->occupancy != NONE ? pipeline->occupancy
							: checked_div_ceil(THREADS_A_WARP, narrowest(used, platform, pipeline->group));
	return (struct class_cost){
		checked_max(pipeline->latency, occupancy), occupancy, pipeline->partition, pipeline->group, pipeline->source, NULL};
}

/* A class of which a later reading of a line is cheaper is charged that, and the lines apart; [WCET-CONSTANTS]. */
static void find_first_reads(
	struct instruction_costs *costs, const struct program *program, bool alone, struct arena *arena, struct diagnostics *diagnostics)
{
	struct class_cost *cost = &costs->classes[CLASS_CONSTANT];
	costs->lines = NONE;
	if (!costs->used[CLASS_CONSTANT] || cost->again == 0)
		return;
	int64_t runs = 0;
	costs->lines = constants_lines(program, arena, &runs);
	if (!alone || costs->lines == NONE || checked_add(costs->lines, constants_lines_of_code(program)) > cost->lines)
		diagnose(diagnostics, DIAGNOSTIC_COST_UNDECLARED, program->path, 0, "expected <cost class=\"constant\"> without again: %s",
			!alone                 ? "blocks of other programs are on the SM"
			: costs->lines == NONE ? "an address of a constant is computed"
					       : "code and constants that it reads have more lines than there may be");
	int64_t further = cost->further > 0 ? cost->further : cost->latency, apart = cost->apart > 0 ? cost->apart : cost->latency;
	costs->first_reads = runs == 0 ? 0 : checked_add(cost->latency, checked_mul(runs - 1, apart));
	if (costs->lines > runs)
		costs->first_reads = checked_add(costs->first_reads, checked_mul(costs->lines - runs, further));
	cost->latency = checked_max(cost->again, cost->occupancy);
}

/* ---- divergence */

static bool has_stack(const struct platform *platform)
{
	return platform->compute_capability >= STACK_FIRST && platform->compute_capability <= STACK_LAST;
}

/* Where threads wait for one another is for the compiler to say, so it takes its code to know. */
static bool has_barriers(const struct platform *platform, const struct program *program)
{
	return platform->compute_capability >= BARRIERS_FIRST && program->sass.file != NULL;
}

static void find_divergence(struct instruction_costs *costs, const struct program *program, const struct platform *platform,
	const struct divergence *divergence, struct diagnostics *diagnostics)
{
	costs->divergence = (struct divergence_cost){1, 1, 0, 0, NULL};
	if (divergence->fork_count == 0)
		return;
	if (program->declared_divergence.source != NULL) {
		costs->divergence = program->declared_divergence;
		costs->divergence_by = program->divergence_by;
	} else if (platform->divergence.source != NULL && (has_stack(platform) || has_barriers(platform, program)))
		costs->divergence = platform->divergence;
	else
		diagnose(diagnostics, DIAGNOSTIC_COST_UNDECLARED, program->path, program->blocks[divergence->forks[0].block].line,
			"expected the cost of divergent branches, such as that of block \"%s\"; platform %s has none for compute "
			"capability %d.%d",
			program->blocks[divergence->forks[0].block].id, platform->id, platform->compute_capability / 10,
			platform->compute_capability % 10);
}

/* The first instruction of the class, where the code is disassembled. */
static const struct program_example *find_example(const struct program *program, int class)
{
	for (int i = 0; i < program->block_count; i++)
		if (program->blocks[i].examples != NULL && program->blocks[i].counts[class] > 0)
			return &program->blocks[i].examples[class];
	return NULL;
}

static void complain(const struct program *program, const struct platform *platform, int class, struct diagnostics *diagnostics)
{
	const struct program_example *example = find_example(program, class);
	if (example == NULL)
		diagnose(diagnostics, DIAGNOSTIC_COST_UNDECLARED, program->path, 0,
			"expected <cost class=\"%s\" latency=\"...\" occupancy=\"...\" source=\"...\" by=\"...\"/>: neither the program "
			"nor "
			"platform %s states the cost of class %s",
			class_names[class], platform->id, class_names[class]);
	else
		diagnose(diagnostics, DIAGNOSTIC_COST_UNDECLARED, program->path, 0,
			"expected <cost class=\"%s\" latency=\"...\" occupancy=\"...\" source=\"...\" by=\"...\"/> for %s, line %ld of the "
			"disassembly: neither the program nor platform %s states the cost of class %s",
			class_names[class], example->mnemonic, example->line, platform->id, class_names[class]);
}

bool instruction_costs_find(struct instruction_costs *costs, const struct program *program, const bool *also,
	const struct platform *platform, const struct divergence *divergence, struct arena *arena, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	bool used[CLASS_COUNT] = {false};
	*costs = (struct instruction_costs){.divergence_by = NULL};
	instruction_costs_add_used(program, costs->used);
	for (int c = 0; c < CLASS_COUNT; c++)
		used[c] = costs->used[c] || (also != NULL && also[c]);
	for (int c = 0; c < CLASS_COUNT; c++) {
		struct class_cost *cost = &costs->classes[c];
		*cost = program->declared[c].latency != NONE ? program->declared[c] : from_pipeline(used, platform, c);
		if (costs->used[c] && cost->latency == NONE)
			complain(program, platform, c, diagnostics);
		cost->issue = cost->issue == 0 ? 0 : checked_max(cost->issue, cost->occupancy);
		cost->latency = cost->latency == NONE ? NONE : checked_max(cost->latency, checked_max(cost->occupancy, cost->issue));
	}
	find_first_reads(costs, program, also == NULL, arena, diagnostics);
	find_divergence(costs, program, platform, divergence, diagnostics);
	return diagnostics->errors == before;
}

bool instruction_costs_partitioned(const struct instruction_costs *costs)
{
	for (int c = 0; c < CLASS_COUNT; c++)
		if (costs->used[c] && costs->classes[c].partition)
			return true;
	return false;
}

/* ---- of a block */

int64_t instruction_costs_of_class(const struct instruction_costs *costs, int64_t count, int64_t spared, int class)
{
	return checked_sub(checked_mul(count, costs->classes[class].latency), spared);
}

int64_t instruction_costs_latency(const struct instruction_costs *costs, const struct program_block *block)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (block->counts[c] > 0)
			sum = checked_add(sum, instruction_costs_of_class(costs, block->counts[c], block->spared[c], c));
	return sum;
}

int64_t instruction_costs_least_time(const struct instruction_costs *costs, const struct program_block *block)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct class_cost *cost = &costs->classes[c];
		int64_t least = checked_max(1, checked_min(cost->least, cost->issue > 0 ? cost->issue : cost->latency));
		if (block->counts[c] > 0)
			sum = checked_add(sum, checked_mul(block->counts[c], least));
	}
	return sum;
}

/* The least occupancy of an instruction of the class. */
static int64_t least_occupancy(const struct class_cost *cost)
{
	return cost->spaced > 0 ? cost->spaced : cost->occupancy;
}

/* Of the block's instructions of a class, each at least `least`. */
static int64_t occupancy_of_class(const struct instruction_costs *costs, const struct program_block *block, int class, int64_t least)
{
	const struct class_cost *cost = &costs->classes[class];
	int64_t close = checked_sub(block->counts[class], block->spaced[class]);
	return checked_add(checked_mul(close, checked_max(cost->occupancy, least)),
		checked_mul(block->spaced[class], checked_max(least_occupancy(cost), least)));
}

int64_t instruction_costs_occupancy(const struct instruction_costs *costs, const struct program_block *block)
{
	return instruction_costs_occupancy_crossed(costs, block, 0);
}

int64_t instruction_costs_occupancy_shared(const struct instruction_costs *costs, const struct program_block *block)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (block->counts[c] > 0 && !costs->classes[c].partition)
			sum = checked_add(sum, checked_mul(block->counts[c], costs->classes[c].occupancy));
	return sum;
}

/* ---- of a turn */

static bool share_a_unit(const struct class_cost *one, const struct class_cost *other)
{
	return one->group == NULL || other->group == NULL || strcmp(one->group, other->group) == 0;
}

/* The longest that one instruction of the neighbour keeps this class from its unit; at least `least`, for the issue slot. */
static int64_t turn(
	const struct instruction_costs *costs, const struct instruction_costs *neighbour, int class, bool shared_only, int64_t least)
{
	int64_t most = least;
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct class_cost *other = &neighbour->classes[c];
		if (neighbour->used[c] && share_a_unit(&costs->classes[class], other) && !(shared_only && other->partition))
			most = checked_max(most, other->occupancy);
	}
	return most;
}

int64_t instruction_costs_turn(
	const struct instruction_costs *costs, const struct instruction_costs *neighbour, const struct program_block *block)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (block->counts[c] > 0)
			sum = checked_add(sum, checked_mul(block->counts[c], turn(costs, neighbour, c, false, 1)));
	return sum;
}

int64_t instruction_costs_turn_shared(
	const struct instruction_costs *costs, const struct instruction_costs *neighbour, const struct program_block *block)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (block->counts[c] > 0 && !costs->classes[c].partition)
			sum = checked_add(sum, checked_mul(block->counts[c], turn(costs, neighbour, c, true, 0)));
	return sum;
}

/* ---- units taken behind an issue slot */

static bool has_other_unit(const struct instruction_costs *costs, int class)
{
	const struct class_cost *cost = &costs->classes[class];
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct class_cost *other = &costs->classes[c];
		bool grouped = cost->group != NULL && other->group != NULL && strcmp(cost->group, other->group) == 0;
		if (costs->used[c] && c != class && !(grouped && cost->partition == other->partition))
			return true;
	}
	return false;
}

int64_t instruction_costs_crossing(const struct instruction_costs *costs, const struct instruction_costs *neighbour, bool alike)
{
	int64_t most = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (costs->used[c] && !costs->classes[c].partition && (!alike || has_other_unit(costs, c)))
			most = checked_max(most, turn(costs, neighbour, c, true, 0));
	return most;
}

int64_t instruction_costs_least_occupancy(const struct instruction_costs *costs)
{
	int64_t least = NONE;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (costs->used[c])
			least = checked_min(least, least_occupancy(&costs->classes[c]));
	return least == NONE ? 1 : least;
}

int64_t instruction_costs_occupancy_crossed(const struct instruction_costs *costs, const struct program_block *block, int64_t crossing)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (block->counts[c] > 0)
			sum = checked_add(sum, occupancy_of_class(costs, block, c, crossing));
	return sum;
}

static bool may_be_waited_for(const struct instruction_costs *costs, const struct instruction_costs *waiting, int class)
{
	for (int c = 0; c < CLASS_COUNT; c++)
		if (waiting->used[c] && !waiting->classes[c].partition && share_a_unit(&costs->classes[class], &waiting->classes[c]))
			return true;
	return false;
}

int64_t instruction_costs_occupancy_kept(
	const struct instruction_costs *costs, const struct instruction_costs *waiting, const struct program_block *block, int64_t than)
{
	int64_t sum = 0;
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct class_cost *cost = &costs->classes[c];
		if (block->counts[c] > 0 && !cost->partition && cost->occupancy > than && may_be_waited_for(costs, waiting, c))
			sum = checked_add(sum, checked_mul(block->counts[c], cost->occupancy));
	}
	return sum;
}
