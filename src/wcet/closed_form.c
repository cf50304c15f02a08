/* Longest paths, inner loops first. `reach[e]` is the greatest weight from the beginning of a pass of the loop being solved to the end
 * of edge e. */
#include "wcet/closed_form.h"

struct solver {
	const struct flow *flow;
	const struct loops *loops;
	const int64_t *weights;
	int64_t *reach;  /* of an edge that leaves a solved part; NOT_YET where there is none */
	int64_t *turn;   /* of a loop: its costliest pass back to the header */
	int64_t *spent;  /* of a block: the greatest weight from the beginning of its level, in the end of the program, to its own end */
	int64_t *before; /* of a loop: all that it costs before its last pass, likewise */
	bool *begins;    /* of a block: a pass of its innermost loop can begin there */
};

#define NOT_YET (-1)

/* The greatest reach of the edges into a block from the solved part of this level. */
static int64_t arrival(const struct solver *solver, int level, int block, bool from_level_only)
{
	const struct flow *flow = solver->flow;
	int64_t most = NOT_YET;
	for (int i = flow->first_in[block]; i < flow->first_in[block + 1]; i++) {
		int edge = flow->in[i], from = flow->edges[edge].from;
		bool inside = from != NO_ID && (level == NO_ID || loops_contain(solver->loops, level, from));
		if (from_level_only && (!inside || solver->loops->cut_by[edge] != NO_ID))
			continue;
		most = checked_max(most, solver->reach[edge]);
	}
	return most;
}

static void solve_block(struct solver *solver, int level, int block)
{
	const struct flow *flow = solver->flow;
	int64_t here = arrival(solver, level, block, true);
	if (solver->begins[block])
		here = checked_max(here, 0);
	here = solver->spent[block] = checked_add(here, solver->weights[block]);
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++)
		solver->reach[flow->out[i]] = here;
}

/* The greatest arrival at any entry of the loop from the level around it. */
static int64_t loop_arrival(const struct solver *solver, int level, int loop)
{
	const struct flow *flow = solver->flow;
	int64_t most = NOT_YET;
	for (int edge = 0; edge < flow->edge_count; edge++) {
		int from = flow->edges[edge].from;
		if (!loops_enters(solver->loops, flow, loop, edge))
			continue;
		bool begins = from == NO_ID || (level != NO_ID && !loops_contain(solver->loops, level, from)) ||
			      solver->loops->cut_by[edge] != NO_ID;
		most = checked_max(most, begins ? 0 : solver->reach[edge]);
	}
	return most;
}

/* What leaves a loop was reached from its header; now from the beginning of the level around it. */
static void solve_loop(struct solver *solver, int level, int loop)
{
	const struct flow *flow = solver->flow;
	int64_t before = loop_arrival(solver, level, loop);
	before = checked_add(before, checked_mul(solver->loops->items[loop].bound, checked_max(solver->turn[loop], 0)));
	solver->before[loop] = before;
	for (int edge = 0; edge < flow->edge_count; edge++) {
		int from = flow->edges[edge].from, to = flow->edges[edge].to;
		bool leaves = from != NO_ID && loops_contain(solver->loops, loop, from) &&
			      (to == flow->block_count || !loops_contain(solver->loops, loop, to));
		if (leaves)
			solver->reach[edge] = checked_add(solver->reach[edge], before);
	}
}

static void solve_level(struct solver *solver, int level)
{
	const struct loops *loops = solver->loops;
	struct loop_items items = level == NO_ID ? loops->outside : loops->items[level].inside;
	for (int i = items.first; i < items.first + items.count; i++) {
		if (loops->order[i] >= 0)
			solve_block(solver, level, loops->order[i]);
		else
			solve_loop(solver, level, ~loops->order[i]);
	}
	if (level == NO_ID)
		return;
	solver->turn[level] = NOT_YET;
	for (int edge = 0; edge < solver->flow->edge_count; edge++)
		if (loops->cut_by[edge] == level)
			solver->turn[level] = checked_max(solver->turn[level], solver->reach[edge]);
}

static void find_beginnings(struct solver *solver)
{
	const struct flow *flow = solver->flow;
	for (int edge = 0; edge < flow->edge_count; edge++) {
		int from = flow->edges[edge].from, to = flow->edges[edge].to;
		if (to == flow->block_count)
			continue;
		int loop = solver->loops->of_block[to];
		solver->begins[to] |= from == NO_ID || (loop != NO_ID && !loops_contain(solver->loops, loop, from)) ||
				      solver->loops->cut_by[edge] == loop;
	}
	for (int loop = 0; loop < solver->loops->count; loop++)
		solver->begins[solver->loops->items[loop].header] = true;
}

/* From the beginnings of levels to the beginning of the program. */
static void spend_from_the_beginning(struct solver *solver)
{
	const struct loops *loops = solver->loops;
	for (int loop = 0; loop < loops->count; loop++) {
		int parent = loops->items[loop].parent;
		solver->before[loop] = checked_add(solver->before[loop], parent == NO_ID ? 0 : solver->before[parent]);
	}
	for (int block = 0; block < solver->flow->block_count; block++) {
		int loop = loops->of_block[block];
		solver->spent[block] = checked_add(solver->spent[block], loop == NO_ID ? 0 : solver->before[loop]);
	}
}

struct closed_form closed_form(const struct flow *flow, const struct loops *loops, const int64_t *weights)
{
	struct arena *arena = flow->arena;
	size_t blocks = (size_t)flow->block_count, loop_count = (size_t)loops->count;
	struct solver solver = {flow, loops, weights, arena_allocate(arena, (size_t)flow->edge_count, sizeof(int64_t)),
		arena_allocate(arena, loop_count, sizeof(int64_t)), arena_allocate(arena, blocks, sizeof(int64_t)),
		arena_allocate(arena, loop_count, sizeof(int64_t)), arena_allocate(arena, blocks, sizeof(bool))};
	for (int edge = 0; edge < flow->edge_count; edge++)
		solver.reach[edge] = NOT_YET;
	find_beginnings(&solver);
	for (int loop = loops->count - 1; loop >= NO_ID; loop--)
		solve_level(&solver, loop);
	spend_from_the_beginning(&solver);
	return (struct closed_form){arrival(&solver, NO_ID, flow->block_count, false), solver.spent, solver.turn};
}
