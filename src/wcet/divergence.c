/* Forks and loop exits, told apart by what lies between a branch and the point where its paths meet. */
#include "wcet/divergence.h"

#include "base/plant.h"
#include "wcet/dominators.h"

struct finder {
	const struct flow *flow;
	const struct loops *loops;
	const struct uniformity *uniformity;
	struct diagnostics *diagnostics;
	struct divergence *divergence;
	struct dominators before;
	bool *split;   /* of a block: it may run while a warp is split */
	bool *covered; /* of a fork: it lies behind another one that meets at the same point and is not entered beside it */
	int *stamp;    /* of a block: the fork whose search reached it last, plus one */
	int *stack;
};

static const struct program_block *block_of(const struct finder *finder, int block)
{
	return &finder->flow->program->blocks[block];
}

/* The blocks between a branch and its meeting point into the stack, stamped; how many. */
static int between(struct finder *finder, int branch, int meets, int mark)
{
	const struct flow *flow = finder->flow;
	int count = 0, done = 0;
	for (int node = branch;; node = finder->stack[done++]) {
		for (int i = flow->first_out[node]; i < flow->first_out[node + 1]; i++) {
			int to = flow->edges[flow->out[i]].to;
			if (to == meets || to == flow->block_count || finder->stamp[to] == mark)
				continue;
			finder->stamp[to] = mark;
			finder->stack[count++] = to;
		}
		if (done == count)
			return count;
	}
}

/* Is every way into the blocks found one from the branch or from themselves? */
static bool entered_by_branch_only(const struct finder *finder, int branch, int count, int mark)
{
	const struct flow *flow = finder->flow;
	for (int k = 0; k < count; k++) {
		int block = finder->stack[k];
		for (int i = flow->first_in[block]; i < flow->first_in[block + 1]; i++) {
			int from = flow->edges[flow->in[i]].from;
			if (from == NO_ID || (from != branch && finder->stamp[from] != mark))
				return false;
		}
	}
	return true;
}

/* Do all ways but one lead straight to the meeting point, outside of the innermost loop, and that one stay in the loop? */
static bool is_loop_exit(const struct finder *finder, int branch, int meets)
{
	const struct flow *flow = finder->flow;
	int loop = finder->loops->of_block[branch], stay = 0;
	if (loop == NO_ID || (meets < flow->block_count && loops_contain(finder->loops, loop, meets)))
		return false;
	for (int i = flow->first_out[branch]; i < flow->first_out[branch + 1]; i++) {
		int to = flow->edges[flow->out[i]].to;
		if (to == meets)
			continue;
		stay++;
		if (to == flow->block_count || !loops_contain(finder->loops, loop, to))
			return false;
	}
	return stay == 1;
}

static void refuse(const struct finder *finder, int branch)
{
	const struct program_block *block = block_of(finder, branch);
	diagnose(finder->diagnostics, DIAGNOSTIC_DIVERGENCE_UNSTRUCTURED, finder->flow->program->path, block->line,
		"expected the paths of the divergent branch of block \"%s\" to meet in one block that they share with no other way",
		block->id);
}

/* Edges from the fork and from what it leads to into the meeting point are no arrivals of their own. */
static void absorb(struct finder *finder, const struct fork *fork, int mark)
{
	const struct flow *flow = finder->flow;
	for (int i = flow->first_in[fork->meets]; i < flow->first_in[fork->meets + 1]; i++) {
		int edge = flow->in[i], from = flow->edges[edge].from;
		if (from == fork->block || (from != NO_ID && finder->stamp[from] == mark))
			finder->divergence->absorbed[edge] = true;
	}
}

/* A fork between this one and their common meeting point arrives there as part of this one. */
static void outrank(struct finder *finder, int number, int mark)
{
	struct divergence *divergence = finder->divergence;
	for (int i = 0; i < divergence->fork_count; i++)
		if (i != number && finder->stamp[divergence->forks[i].block] == mark &&
			divergence->forks[i].meets == divergence->forks[number].meets) {
			divergence->outermost[i] = false;
			finder->covered[i] |= !divergence->forks[number].beside;
		}
}

/* Does the block begin with a BSYNC whose BSSY all threads passed before the branch, and none of them again in the blocks behind it, which
 * are stamped? */
static bool meets_again(const struct finder *finder, const struct fork *fork, int block)
{
	const struct program_block *of = block_of(finder, block);
	int mark = (int)(fork - finder->divergence->forks) + 1;
	return of->rejoins && dominators_hold(&finder->before, of->set_at, fork->block) && finder->stamp[of->set_at] != mark;
}

/* Disassembled code says whether the threads wait for one another at the meeting point. Of other programs somebody declared it, or the
 * stack sees to it. */
static bool is_held_together(const struct finder *finder, const struct fork *fork)
{
	return finder->flow->program->sass.file == NULL || fork->meets == finder->flow->block_count ||
	       meets_again(finder, fork, fork->meets);
}

static bool waits_for_others(const struct finder *finder, int block)
{
	const struct program_block *of = block_of(finder, block);
	bool waits = of->counts[CLASS_BARRIER] > 0;
	for (int i = of->first; i < of->first + of->count; i++)
		waits |= finder->flow->program->instructions[i].joins || finder->flow->program->instructions[i].set_by_count > 0;
	return waits;
}

/* Does a way back lead to it? */
static bool begins_turn(const struct finder *finder, int block)
{
	const struct flow *flow = finder->flow;
	bool any = false;
	for (int i = flow->first_in[block]; i < flow->first_in[block + 1]; i++)
		any |= finder->loops->cut_by[flow->in[i]] != NO_ID;
	return any;
}

/* Where one line of blocks leads that begins where the fork's paths meet and on which nobody waits: to the BSYNC at which all threads of
 * the fork meet, or to the end of the program; NO_ID: to neither. It turns no loop, so that they meet in the turn in which they parted. */
static int end_of_line(const struct finder *finder, const struct fork *fork)
{
	const struct flow *flow = finder->flow;
	int block = fork->meets, loop = finder->loops->of_block[block];
	while (block < flow->block_count) {
		if (finder->loops->of_block[block] != loop || begins_turn(finder, block))
			return NO_ID;
		if (meets_again(finder, fork, block))
			return block;
		if (flow_successors(flow, block) != 1 || waits_for_others(finder, block))
			return NO_ID;
		block = flow->edges[flow->out[flow->first_out[block]]].to;
	}
	return loop == NO_ID ? block : NO_ID;
}

/* Then each group goes that line by itself. */
static bool go_alone(const struct finder *finder, const struct fork *fork)
{
	const struct flow *flow = finder->flow;
	int end = end_of_line(finder, fork);
	bool counted = end == NO_ID || (end < flow->block_count && planted(PLANT_IN_LINE));
	for (int block = fork->meets; !counted && block != end; block = flow->edges[flow->out[flow->first_out[block]]].to)
		finder->divergence->alone[block] = true;
	return end != NO_ID;
}

static void refuse_parting(const struct finder *finder, const struct fork *fork)
{
	diagnose(finder->diagnostics, DIAGNOSTIC_DIVERGENCE_UNSTRUCTURED, finder->flow->program->path, block_of(finder, fork->block)->line,
		"expected a BSYNC at block \"%s\", where the paths of the divergent branch of block \"%s\" meet, and its BSSY before the "
		"branch",
		block_of(finder, fork->meets)->id, block_of(finder, fork->block)->id);
}

static void classify(struct finder *finder, int number)
{
	struct divergence *divergence = finder->divergence;
	struct fork *fork = &divergence->forks[number];
	int mark = number + 1, count = between(finder, fork->block, fork->meets, mark);
	bool returns = finder->stamp[fork->block] == mark;
	fork->loop = returns ? finder->loops->of_block[fork->block] : NO_ID;
	if (returns && !is_loop_exit(finder, fork->block, fork->meets)) {
		refuse(finder, fork->block);
		return;
	}
	fork->beside = !returns && !entered_by_branch_only(finder, fork->block, count, mark);
	if (!is_held_together(finder, fork) && !go_alone(finder, fork))
		refuse_parting(finder, fork);
	for (int i = 0; i < count && !uniformity_is_exit(finder->flow, fork->block); i++)
		finder->split[finder->stack[i]] = true;
	if (returns)
		return;
	int ways = flow_successors(finder->flow, fork->block);
	fork->groups = checked_min(fork->groups, ways);
	divergence->any_fork = true;
	absorb(finder, fork, mark);
}

/* After all are classified, since a fork may be listed before the one around it. */
static void rank(struct finder *finder)
{
	struct divergence *divergence = finder->divergence;
	for (int i = 0; i < divergence->fork_count; i++) {
		const struct fork *fork = &divergence->forks[i];
		if (fork->loop != NO_ID)
			continue;
		int mark = divergence->fork_count + i + 1;
		between(finder, fork->block, fork->meets, mark);
		outrank(finder, i, mark);
	}
	for (int i = 0; i < divergence->fork_count; i++)
		if (divergence->forks[i].beside && !finder->covered[i])
			refuse(finder, divergence->forks[i].block);
}

static void check_barriers(const struct finder *finder)
{
	for (int i = 0; i < finder->flow->block_count; i++)
		if (finder->split[i] && block_of(finder, i)->counts[CLASS_BARRIER] > 0)
			diagnose(finder->diagnostics, DIAGNOSTIC_BARRIER_DIVERGENT, finder->flow->program->path, block_of(finder, i)->line,
				"expected no barrier where a warp may have split; block \"%s\" has one", block_of(finder, i)->id);
}

/* ---- which branches split */

static int64_t *paths_of_blocks(const struct finder *finder)
{
	const struct flow *flow = finder->flow;
	const struct program *program = flow->program;
	int64_t *paths = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *paths);
	for (int i = 0; i < flow->block_count; i++) {
		bool together = finder->uniformity != NULL && finder->uniformity->branches[i] != ALIKE_NOT;
		paths[i] = program->unlisted_diverge && flow_successors(flow, i) > 1 && !together ? THREADS_A_WARP : 1;
	}
	for (int i = 0; i < program->branch_count; i++) {
		const struct program_branch *branch = &program->branches[i];
		paths[branch->block] = branch->paths;
		if (flow_successors(flow, branch->block) < 2)
			diagnose(finder->diagnostics, DIAGNOSTIC_BRANCH_UNKNOWN, program->path, branch->line,
				"expected a block that branches; \"%s\" has one way on", block_of(finder, branch->block)->id);
	}
	return paths;
}

static void list_forks(struct finder *finder)
{
	const struct flow *flow = finder->flow;
	struct divergence *divergence = finder->divergence;
	const int64_t *paths = paths_of_blocks(finder);
	struct dominators after = dominators_find(flow, false);
	for (int i = 0; i < flow->block_count; i++) {
		divergence->fork_at[i] = NO_ID;
		if (paths[i] < 2 || flow_successors(flow, i) < 2)
			continue;
		divergence->fork_at[i] = divergence->fork_count;
		divergence->outermost[divergence->fork_count] = true;
		divergence->forks[divergence->fork_count++] =
			(struct fork){.block = i, .meets = after.nearest[i], .loop = NO_ID, .groups = paths[i]};
	}
}

static void prepare(struct finder *finder)
{
	struct arena *arena = finder->flow->arena;
	size_t blocks = (size_t)finder->flow->block_count;
	*finder->divergence = (struct divergence){
		.forks = arena_allocate(arena, blocks, sizeof(struct fork)),
		.fork_at = arena_allocate(arena, blocks, sizeof(int)),
		.absorbed = arena_allocate(arena, (size_t)finder->flow->edge_count, sizeof(bool)),
		.outermost = arena_allocate(arena, blocks, sizeof(bool)),
		.alone = arena_allocate(arena, blocks, sizeof(bool)),
	};
	finder->covered = arena_allocate(arena, blocks, sizeof(bool));
	finder->before = dominators_find(finder->flow, true);
	finder->split = arena_allocate(arena, blocks, sizeof(bool));
	finder->stamp = arena_allocate(arena, blocks, sizeof(int));
	finder->stack = arena_allocate(arena, blocks + 1, sizeof(int));
}

bool divergence_find(struct divergence *divergence, const struct flow *flow, const struct loops *loops, const struct uniformity *uniformity,
	struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	struct finder finder = {
		.flow = flow, .loops = loops, .uniformity = uniformity, .diagnostics = diagnostics, .divergence = divergence};
	prepare(&finder);
	list_forks(&finder);
	for (int i = 0; i < divergence->fork_count; i++)
		classify(&finder, i);
	rank(&finder);
	for (int i = 0; i < divergence->fork_count; i++)
		divergence->depth += divergence->forks[i].groups; /* a SYNC token and a DIV token for each group but one */
	for (int i = 0; i < flow->block_count; i++)
		divergence->depth += divergence->fork_count > 0 && divergence_is_uniform(divergence, flow, i);
	check_barriers(&finder);
	return diagnostics->errors == before;
}

bool divergence_is_uniform(const struct divergence *divergence, const struct flow *flow, int block)
{
	return flow_successors(flow, block) > 1 && divergence->fork_at[block] == NO_ID;
}

int64_t divergence_cycles(const struct divergence_cost *cost, int64_t divergences, int64_t pushes, int64_t depth)
{
	int64_t beyond = depth > cost->depth ? checked_max(0, checked_sub(pushes, cost->depth)) : 0;
	int64_t spills = checked_div_ceil(beyond, cost->entries_a_spill);
	return checked_add(checked_mul(divergences, cost->cycles_a_divergence), checked_mul(spills, cost->cycles_a_spill));
}
