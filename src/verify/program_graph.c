/* Dominance by sets of bits, natural loops, places of barriers. */
#include "verify/program_graph.h"

#include "base/checked.h"

#include <string.h>

static void list_ways(struct code *code, struct arena *arena)
{
	const struct program *program = code->program;
	code->ways = arena_allocate(arena, (size_t)(program->edge_count + program->block_count + 1), sizeof *code->ways);
	for (int i = 0; i < program->edge_count; i++)
		code->ways[code->way_count++] = (struct way){program->edges[i].from, program->edges[i].to, -1};
	for (int i = 0; i < program->block_count; i++)
		if (program->blocks[i].leaves)
			code->ways[code->way_count++] = (struct way){i, program->block_count, -1};
	code->ways[code->way_count++] = (struct way){-1, 0, -1};
}

/* Numbers of ways by one of their ends, those of one block in their order. */
static void sort_ways(const struct code *code, struct arena *arena, bool by_source, int **items, int **first)
{
	int nodes = code->program->block_count + 1;
	*items = arena_allocate(arena, (size_t)code->way_count, sizeof **items);
	*first = arena_allocate(arena, (size_t)nodes + 1, sizeof **first);
	for (int node = 0, count = 0; node <= nodes; node++) {
		(*first)[node] = count;
		for (int i = 0; i < code->way_count; i++)
			if ((by_source ? code->ways[i].from : code->ways[i].to) == node)
				(*items)[count++] = i;
	}
}

bool program_graph_is_above(const struct code *code, int above, int block)
{
	return (code->above[(size_t)block * (size_t)code->words + (size_t)above / 64] >> above % 64 & 1) != 0;
}

bool program_graph_is_inside(const struct code *code, int loop, int block)
{
	return block >= 0 && block < code->program->block_count && code->inside[loop * code->program->block_count + block];
}

/* ---- dominance: all that a predecessor has, and oneself */

bool program_graph_narrow(uint64_t *set, const uint64_t *by, int words, int kept)
{
	bool changed = false;
	for (int w = 0; w < words; w++) {
		uint64_t own = w == kept / 64 ? UINT64_C(1) << kept % 64 : 0, next = set[w] & (by[w] | own);
		changed |= next != set[w];
		set[w] = next;
	}
	return changed;
}

static bool narrow(const struct code *code, const struct way *way)
{
	uint64_t *sets = code->above;
	size_t words = (size_t)code->words;
	return program_graph_narrow(sets + (size_t)way->to * words, sets + (size_t)way->from * words, code->words, way->to);
}

static void find_above(struct code *code, struct arena *arena)
{
	size_t blocks = (size_t)code->program->block_count;
	bool more = true;
	code->words = (int)(blocks + 63) / 64;
	code->above = arena_allocate(arena, blocks * (size_t)code->words, sizeof *code->above);
	memset(code->above, 0xff, blocks * (size_t)code->words * sizeof *code->above);
	memset(code->above, 0, (size_t)code->words * sizeof *code->above);
	code->above[0] = 1;
	while (more) {
		more = false;
		for (int i = 0; i < code->way_count; i++)
			if (code->ways[i].from >= 0 && code->ways[i].to != 0 && code->ways[i].to < code->program->block_count)
				more |= narrow(code, &code->ways[i]);
	}
}

/* ---- loops */

static int loop_of(const struct program *program, int header)
{
	for (int l = 0; l < program->loop_count; l++)
		if (program->loops[l].header == header)
			return l;
	return -1;
}

/* What comes to the way's beginning without passing the header. */
static void fill(struct code *code, int loop, int from, int *stack)
{
	bool *inside = code->inside + loop * code->program->block_count;
	int depth = 0;
	inside[code->program->loops[loop].header] = true;
	if (!inside[from])
		stack[depth++] = from;
	inside[from] = true;
	while (depth > 0) {
		int block = stack[--depth];
		for (int i = code->first_in[block]; i < code->first_in[block + 1]; i++) {
			int before = code->ways[code->in[i]].from;
			if (before < 0 || inside[before])
				continue;
			inside[before] = true;
			stack[depth++] = before;
		}
	}
}

static bool find_loops(struct code *code, struct arena *arena)
{
	const struct program *program = code->program;
	int *stack = arena_allocate(arena, (size_t)program->block_count, sizeof *stack);
	code->inside = arena_allocate(arena, (size_t)program->loop_count * (size_t)program->block_count, sizeof *code->inside);
	for (int i = 0; i < code->way_count; i++) {
		struct way *way = &code->ways[i];
		if (way->from < 0 || way->to == program->block_count || !program_graph_is_above(code, way->to, way->from))
			continue;
		way->closes = loop_of(program, way->to);
		if (way->closes < 0)
			return false;
		fill(code, way->closes, way->from, stack);
	}
	return true;
}

/* Without the ways back nothing leads in a circle. */
static bool is_reducible(const struct code *code, struct arena *arena)
{
	int blocks = code->program->block_count, left = blocks;
	int *before = arena_allocate(arena, (size_t)blocks + 1, sizeof *before);
	bool *taken = arena_allocate(arena, (size_t)blocks, sizeof *taken), more = true;
	for (int i = 0; i < code->way_count; i++)
		before[code->ways[i].to] += code->ways[i].from >= 0 && code->ways[i].closes < 0;
	while (more) {
		more = false;
		for (int block = 0; block < blocks; block++) {
			if (taken[block] || before[block] > 0)
				continue;
			taken[block] = more = true;
			left--;
			for (int i = code->first_out[block]; i < code->first_out[block + 1]; i++)
				before[code->ways[code->out[i]].to] -= code->ways[code->out[i]].closes < 0;
		}
	}
	return left == 0;
}

const struct code *program_graph_read(struct arena *arena, const struct program *program)
{
	struct code *code = arena_allocate(arena, 1, sizeof *code);
	code->program = program;
	if (program->block_count > CODE_BLOCKS)
		return NULL;
	list_ways(code, arena);
	sort_ways(code, arena, true, &code->out, &code->first_out);
	sort_ways(code, arena, false, &code->in, &code->first_in);
	find_above(code, arena);
	return find_loops(code, arena) && is_reducible(code, arena) ? code : NULL;
}

int64_t program_graph_most(const struct code *code, const struct way *way)
{
	int64_t most = 1;
	for (int l = 0; l < code->program->loop_count; l++)
		if (program_graph_is_inside(code, l, way->from) && program_graph_is_inside(code, l, way->to))
			most = checked_mul(most, checked_add(code->program->loops[l].bound, 1));
	return most;
}

/* ---- barriers */

static int size_of(const struct code *code, int loop)
{
	int size = 0;
	for (int block = 0; block < code->program->block_count; block++)
		size += program_graph_is_inside(code, loop, block);
	return size;
}

/* The smallest loop around a block that is larger than `than`; -1: none. */
static int next_around(const struct code *code, int block, int than)
{
	int best = -1, best_size = 0;
	for (int l = 0; l < code->program->loop_count; l++) {
		int size = program_graph_is_inside(code, l, block) ? size_of(code, l) : 0;
		if (size > than && (best < 0 || size < best_size)) {
			best = l;
			best_size = size;
		}
	}
	return best;
}

int program_graph_loop_around(const struct code *code, int block)
{
	return next_around(code, block, 0);
}

/* Every turn passes the place once, and the turn in which a warp leaves, from one block only, does so before or after for all. */
static bool passes_alike(const struct code *code, int loop, int place)
{
	int exit = -1;
	for (int i = 0; i < code->way_count; i++) {
		const struct way *way = &code->ways[i];
		if (way->closes == loop && !program_graph_is_above(code, place, way->from))
			return false;
		if (!program_graph_is_inside(code, loop, way->from) || program_graph_is_inside(code, loop, way->to))
			continue;
		if (exit >= 0 && exit != way->from)
			return false;
		exit = way->from;
	}
	return exit >= 0 && (program_graph_is_above(code, place, exit) || program_graph_is_above(code, exit, place));
}

/* Does the program go on behind it, too, and never come back to it? Then warps that end there count as arrived at what follows. */
static bool stays(const struct code *code, int end)
{
	bool loops = false;
	for (int l = 0; l < code->program->loop_count; l++)
		loops |= program_graph_is_inside(code, l, end);
	return code->first_out[end + 1] - code->first_out[end] > 1 && !loops;
}

/* Does every warp leave it after as many turns? */
static bool turns_alike(const struct code *code, int loop, const int *levels)
{
	bool alike = true;
	for (int i = 0; i < code->way_count; i++) {
		const struct way *way = &code->ways[i];
		if (program_graph_is_inside(code, loop, way->from) && !program_graph_is_inside(code, loop, way->to))
			alike = alike && levels[way->from] == 2;
	}
	return alike || code->program->loops[loop].uniform;
}

static bool is_aligned(const struct code *code, int block, const int *levels)
{
	int place = block, size = 0;
	for (int loop = next_around(code, block, 0); loop >= 0; loop = next_around(code, block, size)) {
		if (!turns_alike(code, loop, levels) || !passes_alike(code, loop, place))
			return false;
		place = code->program->loops[loop].header;
		size = size_of(code, loop);
	}
	for (int end = 0; end < code->program->block_count; end++)
		if (code->program->blocks[end].leaves && !stays(code, end) && !program_graph_is_above(code, place, end))
			return false;
	return true;
}

/* ---- warps that part, and meet again before the next barrier */

struct parted {
	const struct code *code;
	uint64_t *behind;  /* of a block: what all who stay pass from it on, itself included */
	uint64_t *between; /* what can be passed before all who come from one branch meet */
};

static bool is_in(const uint64_t *set, int block)
{
	return (set[block / 64] >> block % 64 & 1) != 0;
}

/* A way of somebody who stays. */
static bool is_on(const struct code *code, const struct way *way)
{
	return way->from >= 0 && !(way->to == code->program->block_count && stays(code, way->from));
}

static void find_behind(struct parted *parted, struct arena *arena)
{
	const struct code *code = parted->code;
	size_t blocks = (size_t)code->program->block_count, words = (size_t)code->words;
	uint64_t *nothing = arena_allocate(arena, words, sizeof *nothing);
	parted->behind = arena_allocate(arena, blocks * words, sizeof *parted->behind);
	memset(parted->behind, 0xff, blocks * words * sizeof *parted->behind);
	for (bool more = true; more;) {
		more = false;
		for (int i = code->way_count - 1; i >= 0; i--) {
			const struct way *way = &code->ways[i];
			const uint64_t *next = way->to < (int)blocks ? parted->behind + (size_t)way->to * words : nothing;
			if (is_on(code, way))
				more |= program_graph_narrow(parted->behind + (size_t)way->from * words, next, code->words, way->from);
		}
	}
}

static int find_between(struct parted *parted, int branch)
{
	const struct code *code = parted->code;
	const uint64_t *meet = parted->behind + (size_t)branch * (size_t)code->words;
	int ways = 0;
	memset(parted->between, 0, (size_t)code->words * sizeof *parted->between);
	for (bool more = true; more;) {
		more = false;
		ways = 0;
		for (int i = 0; i < code->way_count; i++) {
			int from = code->ways[i].from, to = code->ways[i].to;
			if (!is_on(code, &code->ways[i]) || (from != branch && !is_in(parted->between, from)))
				continue;
			ways += from == branch;
			if (to == code->program->block_count || is_in(parted->between, to) || (is_in(meet, to) && to != branch))
				continue;
			parted->between[to / 64] |= UINT64_C(1) << to % 64;
			more = true;
		}
	}
	return ways;
}

/* Is there a barrier, or the header of a loop around a place where all meet? */
static bool is_harmful(const struct parted *parted, int branch)
{
	const struct code *code = parted->code;
	const uint64_t *meet = parted->behind + (size_t)branch * (size_t)code->words;
	bool harmful = false;
	for (int block = 0; block < code->program->block_count; block++)
		harmful |= is_in(parted->between, block) && code->program->blocks[block].counts[CLASS_BARRIER] > 0;
	for (int l = 0; l < code->program->loop_count; l++)
		for (int block = 0; block < code->program->block_count && is_in(parted->between, code->program->loops[l].header); block++)
			harmful |= block != branch && is_in(meet, block) && program_graph_is_inside(code, l, block);
	return harmful;
}

static bool parts_before_barriers(const struct code *code, const int *levels, struct arena *arena)
{
	struct parted parted = {.code = code, .between = arena_allocate(arena, (size_t)code->words, sizeof *parted.between)};
	find_behind(&parted, arena);
	for (int block = 0; block < code->program->block_count; block++)
		if (levels[block] < 2 && find_between(&parted, block) > 1 && is_harmful(&parted, block))
			return true;
	return false;
}

int program_graph_barriers(const struct code *code, const int *levels, struct arena *arena)
{
	bool any = false, aligned = true;
	for (int block = 0; block < code->program->block_count; block++) {
		if (code->program->blocks[block].counts[CLASS_BARRIER] == 0)
			continue;
		any = true;
		aligned = aligned && is_aligned(code, block, levels);
	}
	return !any ? 0 : aligned || !parts_before_barriers(code, levels, arena) ? 1 : 2;
}
