/* Barriers against the dominators of the places where turns and the program end, or against what lies behind branches that warps leave
 * differently. */
#include "wcet/aligned_barriers.h"

#include "base/plant.h"
#include "wcet/dominators.h"

struct check {
	const struct flow *flow;
	const struct loops *loops;
	struct dominators before;
};

bool barriers_exist(const struct program *program)
{
	for (int i = 0; i < program->block_count; i++)
		if (program->blocks[i].counts[CLASS_BARRIER] > 0)
			return true;
	return false;
}

static bool leaves(const struct check *check, int loop, int edge)
{
	int from = check->flow->edges[edge].from, to = check->flow->edges[edge].to;
	return from != NO_ID && loops_contain(check->loops, loop, from) &&
	       (to == check->flow->block_count || !loops_contain(check->loops, loop, to));
}

/* Is the place, a barrier or the header of a loop with one, passed exactly once in each full turn, and in the last turn in all warps or
 * in none? */
static bool once_a_turn(const struct check *check, int loop, int place)
{
	int exit = NO_ID;
	for (int edge = 0; edge < check->flow->edge_count; edge++) {
		int from = check->flow->edges[edge].from;
		if (check->loops->cut_by[edge] == loop && !dominators_hold(&check->before, place, from))
			return false;
		if (!leaves(check, loop, edge))
			continue;
		if (exit != NO_ID && exit != from)
			return false;
		exit = from;
	}
	return exit != NO_ID && (dominators_hold(&check->before, place, exit) || dominators_hold(&check->before, exit, place));
}

/* Some threads end there, outside of all loops; those that stay come to all barriers behind it. Warps that have left count as arrived. */
static bool is_early(const struct check *check, int block)
{
	bool on = flow_successors(check->flow, block) > 1 || planted(PLANT_LEAVING);
	return check->loops->of_block[block] == NO_ID && on;
}

/* Does every warp that stays pass the place? */
static bool always_passed(const struct check *check, int place)
{
	int end = check->flow->block_count;
	for (int i = check->flow->first_in[end]; i < check->flow->first_in[end + 1]; i++) {
		int from = check->flow->edges[check->flow->in[i]].from;
		if (!is_early(check, from) && !dominators_hold(&check->before, place, from))
			return false;
	}
	return true;
}

static bool aligned(const struct check *check, int block)
{
	int place = block;
	for (int at = check->loops->of_block[block]; at != NO_ID; at = check->loops->items[at].parent) {
		const struct loop *loop = &check->loops->items[at];
		if (!loop->natural || !loop->uniform || !once_a_turn(check, at, place))
			return false;
		place = loop->header;
	}
	return always_passed(check, place);
}

static bool all_aligned(const struct flow *flow, const struct loops *loops)
{
	struct check check = {flow, loops, dominators_find(flow, true)};
	for (int i = 0; i < flow->block_count; i++)
		if (flow->program->blocks[i].counts[CLASS_BARRIER] > 0 && !aligned(&check, i))
			return false;
	return true;
}

/* ---- do warps part only where there is no barrier until all of them meet again? */

struct detours {
	struct flow stays; /* without the ways on which threads end early: those edges come from nowhere */
	const struct loops *loops;
	const struct uniformity *uniformity;
	struct dominators behind;
	int *stack, *seen; /* seen: the last branch from which the block was reached, and 1 */
};

static void drop_early_ends(struct detours *detours, const struct flow *flow)
{
	struct check check = {flow, detours->loops, {0, NULL, NULL}};
	detours->stays = *flow;
	detours->stays.edges = arena_allocate(flow->arena, (size_t)flow->edge_count, sizeof *flow->edges);
	for (int i = 0; i < flow->edge_count; i++) {
		struct flow_edge edge = flow->edges[i];
		bool drop = edge.to == flow->block_count && is_early(&check, edge.from);
		detours->stays.edges[i] = drop ? (struct flow_edge){NO_ID, NO_ID} : edge;
	}
}

/* Puts what follows the block, before all ways meet, on the stack. */
static int follow(struct detours *detours, int branch, int block, int depth)
{
	const struct flow *flow = &detours->stays;
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++) {
		int to = flow->edges[flow->out[i]].to;
		if (to == NO_ID || to == flow->block_count || to == detours->behind.nearest[branch] || detours->seen[to] == branch + 1)
			continue;
		detours->seen[to] = branch + 1;
		detours->stack[depth++] = to;
	}
	return depth;
}

/* Between the branch and the point where all ways from it meet: is there no barrier, and does no loop around that point turn? */
static bool is_free(struct detours *detours, int branch)
{
	int meets = detours->behind.nearest[branch], depth = 0;
	if (meets == NO_ID)
		return false;
	for (depth = follow(detours, branch, branch, depth); depth > 0;) {
		int block = detours->stack[--depth], loop = detours->loops->of_block[block];
		bool turns = loop != NO_ID && detours->loops->items[loop].header == block && meets != detours->stays.block_count &&
			     loops_contain(detours->loops, loop, meets);
		bool barrier = detours->stays.program->blocks[block].counts[CLASS_BARRIER] > 0 && !planted(PLANT_DETOURS);
		if (turns || barrier)
			return false;
		depth = follow(detours, branch, block, depth);
	}
	return true;
}

static int ways_on(const struct flow *flow, int block)
{
	int count = 0;
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++)
		count += flow->edges[flow->out[i]].to != NO_ID;
	return count;
}

static bool all_free(const struct flow *flow, const struct loops *loops, const struct uniformity *uniformity)
{
	size_t nodes = (size_t)flow->block_count + 1;
	struct detours detours = {.loops = loops, .uniformity = uniformity};
	drop_early_ends(&detours, flow);
	detours.behind = dominators_find(&detours.stays, false);
	detours.stack = arena_allocate(flow->arena, nodes, sizeof *detours.stack);
	detours.seen = arena_allocate(flow->arena, nodes, sizeof *detours.seen);
	for (int i = 0; i < flow->block_count; i++)
		if (ways_on(&detours.stays, i) > 1 && uniformity->branches[i] != ALIKE_BLOCK && !is_free(&detours, i))
			return false;
	return true;
}

bool barriers_aligned(const struct flow *flow, const struct loops *loops, const struct uniformity *uniformity)
{
	return all_aligned(flow, loops) || (loops_are_natural(loops) && all_free(flow, loops, uniformity));
}
