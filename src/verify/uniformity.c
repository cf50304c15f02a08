/* Differences between threads, spread from their sources. */
#include "verify/uniformity.h"

#include "verify/index_compared.h"

#include <string.h>

enum among { AMONG_WARP, AMONG_BLOCK, AMONG_COUNT };

struct place { /* a cell that differs, before an instruction of the block; `number` may be the one behind the last */
	int cell, block, number;
	enum among among;
};

struct spreading {
	struct arena *arena;
	const struct code *code;
	const struct program *program;
	int *levels;
	bool *seen[AMONG_COUNT];  /* [cell * blocks + block]: the cell differs at the block's beginning */
	bool *uses[AMONG_COUNT];  /* of an instruction: it reads what differs */
	bool *makes[AMONG_COUNT]; /* it writes what differs */
	struct place *places;
	int place_count, place_capacity;
	bool *forked, *parted;  /* of a block: behind a branch at which a block's threads, a warp's threads part, before they meet */
	struct cells *others;   /* of a block: uniform cells that another part of the warp may write */
	struct cells *gathered; /* of an instruction: cells in which threads that meet there may differ */
	bool *marks, *tips;
	int *stack;
	const int *index; /* of an instruction: a register of which it makes the same in all threads of a warp; -1 */
};

static bool is_uniform(int cell)
{
	return cell >= CELL_UNIFORM_PREDICATE || (cell >= CELL_UNIFORM && cell < CELL_PREDICATE);
}

/* ---- spreading */

static void add_place(struct spreading *s, enum among among, int cell, int block, int number)
{
	if (among == AMONG_WARP && is_uniform(cell))
		return;
	s->places = arena_grow(s->arena, s->places, &s->place_capacity, s->place_count + 1, sizeof *s->places);
	s->places[s->place_count++] = (struct place){cell, block, number, among};
}

static void make(struct spreading *s, enum among among, int number)
{
	const struct program_instruction *instruction = &s->program->instructions[number];
	if (s->makes[among][number])
		return;
	s->makes[among][number] = true;
	for (int cell = 0; cell < CELL_COUNT; cell++)
		if (cells_has(&instruction->writes, cell) || cells_has(&instruction->may_write, cell))
			add_place(s, among, cell, instruction->block, number + 1);
}

static void use(struct spreading *s, enum among among, int number)
{
	const struct program_instruction *instruction = &s->program->instructions[number];
	bool alike = among == AMONG_WARP && instruction->origin == ORIGIN_WARP && instruction->guard == NULL;
	s->uses[among][number] = true;
	if (!alike)
		make(s, among, number);
}

/* From a place to what uses it, until it is written anew on every way. */
static void spread(struct spreading *s, const struct place *place)
{
	const struct program_block *block = &s->program->blocks[place->block];
	for (int i = place->number; i < block->first + block->count; i++) {
		const struct program_instruction *instruction = &s->program->instructions[i];
		bool same = place->among == AMONG_WARP && s->index[i] == place->cell;
		if (cells_has(&instruction->reads, place->cell) && !same)
			use(s, place->among, i);
		if (cells_has(&instruction->writes, place->cell) && instruction->guard == NULL)
			return;
	}
	for (int i = s->code->first_out[place->block]; i < s->code->first_out[place->block + 1]; i++) {
		int to = s->code->ways[s->code->out[i]].to;
		if (to == s->program->block_count)
			continue;
		bool *seen = &s->seen[place->among][(size_t)place->cell * (size_t)s->program->block_count + (size_t)to];
		if (!*seen)
			add_place(s, place->among, place->cell, to, s->program->blocks[to].first);
		*seen = true;
	}
}

static void spread_all(struct spreading *s)
{
	while (s->place_count > 0) {
		struct place place = s->places[--s->place_count];
		spread(s, &place);
	}
}

/* ---- sources */

static void add_cells(struct spreading *s, enum among among, const struct cells *cells, int block, int number)
{
	for (int cell = 0; cell < CELL_COUNT; cell++)
		if (cells_has(cells, cell))
			add_place(s, among, cell, block, number);
}

static void add_sources(struct spreading *s, int number)
{
	const struct program_instruction *instruction = &s->program->instructions[number];
	struct cells all;
	int block = instruction->block;
	memset(&all, 0xff, sizeof all);
	if (instruction->origin == ORIGIN_THREAD)
		make(s, AMONG_WARP, number);
	if (instruction->origin != ORIGIN_OPERANDS || s->forked[block])
		make(s, AMONG_BLOCK, number);
	for (int among = 0; among < AMONG_COUNT; among++) {
		add_cells(s, (enum among)among, &instruction->may_write, block, number + 1);
		add_cells(s, (enum among)among, instruction->joins && s->parted[block] ? &all : &s->gathered[number], block, number + 1);
	}
	add_cells(s, AMONG_BLOCK, &s->others[block], block, number);
	add_cells(s, AMONG_BLOCK, &s->others[block], block, number + 1);
}

static void find_sources(struct spreading *s)
{
	struct cells all;
	memset(&all, 0xff, sizeof all);
	for (int among = 0; among < AMONG_COUNT; among++)
		add_cells(s, (enum among)among, &all, 0, s->program->blocks[0].first);
	for (int i = 0; i < s->program->instruction_count; i++)
		if (s->program->instructions[i].block != NO_ID)
			add_sources(s, i);
}

/* ---- where threads are apart, and where they meet */

bool uniformity_only_ends(const struct code *code, int block)
{
	int going = 0, ends = 0;
	for (int i = code->first_out[block]; i < code->first_out[block + 1]; i++) {
		going += code->ways[code->out[i]].to < code->program->block_count;
		ends += code->ways[code->out[i]].to == code->program->block_count;
	}
	return ends > 0 && going <= 1;
}

static bool parts_at(const struct spreading *s, int block, int level)
{
	int ways = s->code->first_out[block + 1] - s->code->first_out[block];
	return ways > 1 && s->levels[block] < level && !uniformity_only_ends(s->code, block);
}

/* Marks what follows the blocks of the stack, but nothing that follows a tip, nor the block `stop`. */
static void mark_behind(struct spreading *s, int depth, const bool *tips, int stop)
{
	while (depth > 0) {
		int block = s->stack[--depth];
		for (int i = s->code->first_out[block]; i < s->code->first_out[block + 1]; i++) {
			int to = s->code->ways[s->code->out[i]].to;
			if (to >= s->program->block_count || to == stop || s->marks[to])
				continue;
			s->marks[to] = true;
			if (tips == NULL || !tips[to])
				s->stack[depth++] = to;
		}
	}
}

static void unmark(struct spreading *s)
{
	memset(s->marks, 0, (size_t)s->program->block_count * sizeof *s->marks);
}

static void written_in(const struct spreading *s, int block, struct cells *cells)
{
	const struct program_block *of = &s->program->blocks[block];
	for (int i = of->first; i < of->first + of->count; i++) {
		cells_unite(cells, &s->program->instructions[i].writes);
		cells_unite(cells, &s->program->instructions[i].may_write);
	}
}

/* Does the BSYNC at which the branch's groups come together stand for all of them? */
static bool comes_together(const struct spreading *s, int block, int meets)
{
	if (meets < 0 || meets >= s->program->block_count || !s->program->blocks[meets].rejoins)
		return false;
	return program_graph_is_above(s->code, s->program->blocks[meets].set_at, block);
}

static void fork_at(struct spreading *s, int block, int meets)
{
	unmark(s);
	s->stack[0] = block;
	mark_behind(s, 1, NULL, meets);
	for (int b = 0; b < s->program->block_count; b++)
		s->forked[b] |= s->marks[b];
	for (int l = 0; l < s->program->loop_count; l++) /* threads come to where they meet after different numbers of its turns */
		for (int b = 0;
			s->marks[s->program->loops[l].header] && program_graph_is_inside(s->code, l, meets) && b < s->program->block_count;
			b++)
			s->forked[b] |= program_graph_is_inside(s->code, l, b);
}

static void part(struct spreading *s, int block, int meets)
{
	struct cells written = {{0}};
	unmark(s);
	s->stack[0] = block;
	mark_behind(s, 1, NULL, comes_together(s, block, meets) ? meets : -1);
	for (int b = 0; b < s->program->block_count; b++) {
		s->parted[b] |= s->marks[b];
		if (s->marks[b])
			written_in(s, b, &written);
	}
	for (int b = 0; b < s->program->block_count; b++)
		for (int cell = 0; cell < CELL_COUNT && s->marks[b]; cell++)
			if (is_uniform(cell) && cells_has(&written, cell))
				cells_add(&s->others[b], cell);
}

/* Can one of the tips be reached from the block, each step but from a tip? Marks are used. */
static void keep_before_tips(struct spreading *s, bool *kept)
{
	bool more = true;
	while (more) {
		more = false;
		for (int i = 0; i < s->code->way_count; i++) {
			const struct way *way = &s->code->ways[i];
			if (way->from < 0 || way->to >= s->program->block_count || kept[way->from] || !kept[way->to])
				continue;
			kept[way->from] = more = true;
		}
	}
}

static bool is_of(const struct program_instruction *sync, int set)
{
	bool any = false;
	for (int i = 0; i < sync->set_by_count; i++)
		any |= sync->set_by[i] == set;
	return any;
}

static void gather(struct spreading *s, int set)
{
	const struct program *program = s->program;
	size_t blocks = (size_t)program->block_count;
	bool *kept = arena_allocate(s->arena, blocks, sizeof *kept);
	struct cells written = {{0}};
	int depth = 0;
	memset(s->tips, 0, blocks * sizeof *s->tips);
	for (int i = 0; i < program->instruction_count; i++)
		if (program->instructions[i].set_by_count > 0 && program->instructions[i].block != NO_ID &&
			is_of(&program->instructions[i], set))
			s->tips[program->instructions[i].block] = true;
	memcpy(kept, s->tips, blocks * sizeof *kept);
	keep_before_tips(s, kept);
	unmark(s);
	s->marks[program->instructions[set].block] = true;
	s->stack[depth++] = program->instructions[set].block;
	mark_behind(s, depth, s->tips, -1);
	depth = 0;
	for (int b = 0; b < program->block_count; b++)
		if (s->marks[b] && parts_at(s, b, 1))
			s->stack[depth++] = b;
	unmark(s);
	mark_behind(s, depth, s->tips, -1);
	for (int b = 0; b < program->block_count; b++)
		if (s->marks[b] && kept[b])
			written_in(s, b, &written);
	for (int i = 0; i < program->instruction_count; i++)
		if (is_of(&program->instructions[i], set))
			cells_unite(&s->gathered[i], &written);
}

static void find_places(struct spreading *s, uniformity_meets meets, void *context)
{
	const struct program *program = s->program;
	size_t blocks = (size_t)program->block_count, instructions = (size_t)program->instruction_count;
	bool any = false;
	memset(s->forked, 0, blocks * sizeof *s->forked);
	memset(s->parted, 0, blocks * sizeof *s->parted);
	memset(s->others, 0, blocks * sizeof *s->others);
	memset(s->gathered, 0, instructions * sizeof *s->gathered);
	for (int b = 0; b < program->block_count; b++) {
		if (parts_at(s, b, 2))
			fork_at(s, b, meets(context, b));
		if (parts_at(s, b, 1))
			part(s, b, meets(context, b));
		any |= parts_at(s, b, 1);
	}
	for (int i = 0; i < program->instruction_count && any; i++)
		if (program->instructions[i].block != NO_ID && strncmp(program->instructions[i].mnemonic, "BSSY", 4) == 0)
			gather(s, i);
}

/* ---- rounds */

static int level_of(const struct spreading *s, int block)
{
	const struct program_block *of = &s->program->blocks[block];
	int last = of->first + of->count - 1;
	if (s->code->first_out[block + 1] - s->code->first_out[block] < 2)
		return 2;
	if (of->count == 0 || !s->program->instructions[last].decides)
		return 0;
	const struct program_instruction *instruction = &s->program->instructions[last];
	bool warp = instruction->origin == ORIGIN_WARP;
	if (s->uses[AMONG_WARP][last] && !(warp && instruction->guard == NULL))
		return 0;
	return warp || s->uses[AMONG_BLOCK][last] ? 1 : 2;
}

static bool round_changes(struct spreading *s, uniformity_meets meets, void *context)
{
	size_t blocks = (size_t)s->program->block_count, instructions = (size_t)s->program->instruction_count;
	bool changed = false;
	find_places(s, meets, context);
	for (int among = 0; among < AMONG_COUNT; among++) {
		memset(s->seen[among], 0, CELL_COUNT * blocks * sizeof(bool));
		memset(s->uses[among], 0, instructions * sizeof(bool));
		memset(s->makes[among], 0, instructions * sizeof(bool));
	}
	find_sources(s);
	spread_all(s);
	for (int b = 0; b < s->program->block_count; b++) {
		int level = level_of(s, b);
		changed |= level < s->levels[b];
		s->levels[b] = level < s->levels[b] ? level : s->levels[b];
	}
	return changed;
}

const int *uniformity_read(
	struct arena *arena, const struct code *code, uniformity_meets meets, void *context, struct uniformity_apart *apart)
{
	const struct program *program = code->program;
	size_t blocks = (size_t)program->block_count, instructions = (size_t)program->instruction_count;
	struct spreading s = {.arena = arena, .code = code, .program = program};
	s.levels = arena_allocate(arena, blocks, sizeof *s.levels);
	if (instructions == 0)
		return s.levels;
	for (int among = 0; among < AMONG_COUNT; among++) {
		s.seen[among] = arena_allocate(arena, CELL_COUNT * blocks, sizeof(bool));
		s.uses[among] = arena_allocate(arena, instructions, sizeof(bool));
		s.makes[among] = arena_allocate(arena, instructions, sizeof(bool));
	}
	s.forked = arena_allocate(arena, blocks, sizeof(bool));
	s.parted = arena_allocate(arena, blocks, sizeof(bool));
	s.marks = arena_allocate(arena, blocks, sizeof(bool));
	s.tips = arena_allocate(arena, blocks, sizeof(bool));
	s.others = arena_allocate(arena, blocks, sizeof *s.others);
	s.gathered = arena_allocate(arena, instructions, sizeof *s.gathered);
	s.stack = arena_allocate(arena, 2 * blocks + 1, sizeof(int));
	s.index = index_compared_read(arena, code);
	*apart = (struct uniformity_apart){s.others, s.gathered, s.parted};
	for (size_t b = 0; b < blocks; b++)
		s.levels[b] = 2;
	for (int round = 0; round < UNIFORMITY_ROUNDS; round++)
		if (!round_changes(&s, meets, context))
			return s.levels;
	return NULL;
}
