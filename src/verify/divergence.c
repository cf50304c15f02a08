/* Partings, by what follows a block on every path. */
#include "verify/divergence.h"

#include "base/checked.h"
#include "verify/uniformity.h"

#include <string.h>

struct reading {
	const struct code *code;
	struct partings *all;
	uint64_t *after; /* of a block or the end: `words` of the nodes that every path from it passes, itself included */
	int words, nodes;
	bool *between, *split; /* of a block: in the parting at hand; in any */
	int *stack;
	const int *levels; /* of a block: 0 where its branch may split a warp */
	bool good;
	bool *held; /* of a parting */
};

static bool follows(const struct reading *r, int node, int after)
{
	return (r->after[(size_t)node * (size_t)r->words + (size_t)after / 64] >> after % 64 & 1) != 0;
}

static bool narrow(const struct reading *r, const struct way *way)
{
	size_t words = (size_t)r->words;
	return program_graph_narrow(r->after + (size_t)way->from * words, r->after + (size_t)way->to * words, r->words, way->from);
}

static void find_after(struct reading *r, struct arena *arena)
{
	bool more = true;
	r->nodes = r->code->program->block_count + 1;
	r->words = (r->nodes + 63) / 64;
	r->after = arena_allocate(arena, (size_t)r->nodes * (size_t)r->words, sizeof *r->after);
	memset(r->after, 0xff, (size_t)r->nodes * (size_t)r->words * sizeof *r->after);
	uint64_t *end = r->after + (size_t)(r->nodes - 1) * (size_t)r->words;
	memset(end, 0, (size_t)r->words * sizeof *end);
	end[(r->nodes - 1) / 64] = UINT64_C(1) << (r->nodes - 1) % 64;
	while (more) {
		more = false;
		for (int i = r->code->way_count - 1; i >= 0; i--)
			if (r->code->ways[i].from >= 0)
				more |= narrow(r, &r->code->ways[i]);
	}
}

/* Of all that follow a block the one that all the others follow as well. */
static int nearest(const struct reading *r, int block)
{
	for (int node = 0; node < r->nodes; node++) {
		bool first = node != block && follows(r, block, node);
		for (int other = 0; first && other < r->nodes; other++)
			first = other == block || !follows(r, block, other) || follows(r, node, other);
		if (first)
			return node;
	}
	return r->nodes - 1;
}

/* ---- one parting */

static void find_between(struct reading *r, const struct parting *parting)
{
	const struct code *code = r->code;
	int depth = 0;
	memset(r->between, 0, (size_t)r->nodes * sizeof *r->between);
	r->stack[depth++] = parting->block;
	while (depth > 0) {
		int from = r->stack[--depth];
		for (int i = code->first_out[from]; i < code->first_out[from + 1]; i++) {
			int to = code->ways[code->out[i]].to;
			if (to == parting->meets || to == r->nodes - 1 || r->between[to])
				continue;
			r->between[to] = true;
			r->stack[depth++] = to;
		}
	}
}

static bool is_exit(const struct reading *r, const struct parting *parting)
{
	const struct code *code = r->code;
	int staying = 0;
	if (parting->loop < 0 || program_graph_is_inside(code, parting->loop, parting->meets))
		return false;
	for (int i = code->first_out[parting->block]; i < code->first_out[parting->block + 1]; i++) {
		int to = code->ways[code->out[i]].to;
		staying += to != parting->meets;
		if (to != parting->meets && !program_graph_is_inside(code, parting->loop, to))
			return false;
	}
	return staying == 1;
}

/* Are its sides entered from the branch only? Their ways to the meeting point are absorbed. */
static bool is_fork(const struct reading *r, const struct parting *parting)
{
	bool only = true;
	for (int i = 0; i < r->code->way_count; i++) {
		const struct way *way = &r->code->ways[i];
		bool own = way->from >= 0 && (way->from == parting->block || r->between[way->from]);
		only = only && !(way->to < r->nodes - 1 && r->between[way->to] && !own);
		if (way->to == parting->meets && own)
			r->all->absorbed[i] = true;
	}
	return only;
}

/* Are both in the same loops, and the first the header of none? */
static bool stays_in_turn(const struct code *code, int block, int as)
{
	bool same = true;
	for (int l = 0; l < code->program->loop_count; l++)
		same = same && code->program->loops[l].header != block &&
		       program_graph_is_inside(code, l, block) == (as < code->program->block_count && program_graph_is_inside(code, l, as));
	return same;
}

static bool waits_for_others(const struct program *program, int block)
{
	const struct program_block *of = &program->blocks[block];
	bool any = of->counts[CLASS_BARRIER] > 0;
	for (int i = 0; i < of->count; i++) {
		const struct program_instruction *instruction = &program->instructions[of->first + i];
		any = any || instruction->set_by != NULL || strncmp(instruction->mnemonic, "WARPSYNC", 8) == 0;
	}
	return any;
}

/* A BSYNC for all that came to the branch: its BSSY is above it, and on no way from it. */
static bool gathers(const struct reading *r, const struct parting *parting, int block)
{
	const struct program_block *of = &r->code->program->blocks[block];
	return of->rejoins && program_graph_is_above(r->code, of->set_at, parting->block) && !r->between[of->set_at];
}

/* From the meeting point one line of blocks, on which nobody waits, to such a BSYNC or to the end: each thread takes it once, in whatever
 * groups. */
static bool leads_on(const struct reading *r, const struct parting *parting)
{
	const struct code *code = r->code;
	int end = parting->meets;
	bool single = true;
	while (single && end != r->nodes - 1 && !gathers(r, parting, end)) {
		single = code->first_out[end + 1] - code->first_out[end] == 1 && stays_in_turn(code, end, parting->meets) &&
			 !waits_for_others(code->program, end);
		end = single ? code->ways[code->out[code->first_out[end]]].to : end;
	}
	if (!single || !(end == r->nodes - 1 ? stays_in_turn(code, parting->meets, end) : stays_in_turn(code, end, parting->meets)))
		return false;
	for (int at = parting->meets; at != end; at = code->ways[code->out[code->first_out[at]]].to)
		r->all->alone[at] = true;
	return true;
}

static bool waits(const struct reading *r, const struct parting *parting)
{
	return r->code->program->sass.file == NULL || parting->meets == r->nodes - 1 || gathers(r, parting, parting->meets);
}

static void classify(struct reading *r, struct parting *parting, int successors)
{
	find_between(r, parting);
	if (r->between[parting->block]) {
		parting->loop = program_graph_loop_around(r->code, parting->block);
		r->good = r->good && is_exit(r, parting);
	} else {
		parting->groups = checked_min(parting->groups, successors);
		r->all->any_fork = true;
		parting->beside = !is_fork(r, parting);
	}
	r->good = r->good && (waits(r, parting) || leads_on(r, parting));
	for (int block = 0; block < r->nodes - 1 && !uniformity_only_ends(r->code, parting->block); block++)
		r->split[block] |= r->between[block];
}

/* A parting between a fork and the same meeting point arrives there as part of the fork; and where other ways lead between its sides and
 * that point, these have to be the fork's, too. */
static void rank(struct reading *r)
{
	bool *held = r->held;
	for (int i = 0; i < r->all->count; i++) {
		const struct parting *outer = &r->all->items[i];
		if (outer->loop >= 0)
			continue;
		find_between(r, outer);
		for (int k = 0; k < r->all->count; k++)
			if (k != i && r->between[r->all->items[k].block] && r->all->items[k].meets == outer->meets) {
				r->all->items[k].counts = false;
				held[k] = held[k] || !outer->beside;
			}
	}
	for (int i = 0; i < r->all->count; i++)
		r->good = r->good && (!r->all->items[i].beside || held[i]);
}

static int64_t paths_of(const struct reading *r, int block)
{
	const struct program *program = r->code->program;
	int64_t paths = program->unlisted_diverge && r->levels[block] == 0 ? THREADS_A_WARP : 1;
	for (int i = 0; i < program->branch_count; i++)
		paths = program->branches[i].block == block ? program->branches[i].paths : paths;
	return paths;
}

static void read_block(struct reading *r, int block)
{
	struct partings *all = r->all;
	int successors = r->code->first_out[block + 1] - r->code->first_out[block];
	int64_t paths = paths_of(r, block);
	all->at[block] = -1;
	if (successors < 2)
		return;
	all->tokens += 1;
	if (paths < 2)
		return;
	all->at[block] = all->count;
	struct parting *parting = &all->items[all->count++];
	*parting = (struct parting){.block = block, .meets = nearest(r, block), .loop = -1, .groups = paths, .counts = true};
	classify(r, parting, successors);
	all->tokens += parting->groups - 1;
}

/* A block may lead nowhere but in circles: then no block is where its ways meet. */
static int meets_at(void *context, int block)
{
	return nearest(context, block);
}

const struct partings *divergence_read(struct arena *arena, const struct code *code)
{
	size_t blocks = (size_t)code->program->block_count;
	struct partings *all = arena_allocate(arena, 1, sizeof *all);
	all->items = arena_allocate(arena, blocks, sizeof *all->items);
	all->at = arena_allocate(arena, blocks, sizeof *all->at);
	all->absorbed = arena_allocate(arena, (size_t)code->way_count, sizeof *all->absorbed);
	all->alone = arena_allocate(arena, blocks, sizeof *all->alone);
	struct reading r = {.code = code, .all = all, .good = true};
	find_after(&r, arena);
	r.levels = uniformity_read(arena, code, meets_at, &r, &all->apart);
	if (r.levels == NULL)
		return NULL;
	all->levels = r.levels;
	r.between = arena_allocate(arena, blocks + 1, sizeof *r.between);
	r.held = arena_allocate(arena, blocks, sizeof *r.held);
	r.split = arena_allocate(arena, blocks + 1, sizeof *r.split);
	r.stack = arena_allocate(arena, blocks + 1, sizeof *r.stack);
	for (int block = 0; block < (int)blocks; block++)
		read_block(&r, block);
	rank(&r);
	for (int block = 0; block < (int)blocks; block++)
		r.good = r.good && !(r.split[block] && code->program->blocks[block].counts[CLASS_BARRIER] > 0);
	return r.good ? all : NULL;
}
