/* Barriers against the dominators of the places where turns and the program end. */
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

bool barriers_aligned(const struct flow *flow, const struct loops *loops)
{
	struct check check = {flow, loops, dominators_find(flow, true)};
	for (int i = 0; i < flow->block_count; i++)
		if (flow->program->blocks[i].counts[CLASS_BARRIER] > 0 && !aligned(&check, i))
			return false;
	return true;
}
