/* Cells that may differ, forwards from the entry, for the branches that are taken to split; more branches split then, until none does. */
#include "wcet/uniformity.h"

#include "base/plant.h"
#include "wcet/dominators.h"
#include "wcet/thread_index.h"

#include <string.h>

#define ROUNDS 60 /* until all branches that are left are given up */

struct state {
	struct cells varying, apart; /* between threads that execute together; between threads of the block */
	bool reached;
};

struct finder {
	const struct flow *flow;
	const struct program *program;
	struct uniformity *uniformity;
	struct dominators before, after;
	struct state *states;      /* before each block */
	struct cells *merged;      /* of a BSYNC: cells that threads which meet there may have written apart */
	struct cells *overwritten; /* of a block: uniform registers that another part of a warp may write meanwhile */
	bool *limited, *split;     /* of a block: not all warps of a block, not all threads of a warp, come to it alike */
	bool *from, *back, *ends;  /* of a block, for one search */
	int *stack;
	int *sets, *syncs; /* the BSSYs and BSYNCs */
	const int *index;  /* of an instruction: a register that it reads and that changes nothing of it within a warp; NO_ID */
	int set_count, sync_count;
};

static bool is_uniform_cell(int cell)
{
	return (cell >= CELL_UNIFORM && cell < CELL_PREDICATE) || cell >= CELL_UNIFORM_PREDICATE;
}

static struct cells uniform_cells(void)
{
	struct cells cells = {{0}};
	for (int cell = 0; cell < CELL_COUNT; cell++)
		if (is_uniform_cell(cell))
			cells_add(&cells, cell);
	return cells;
}

static void add_written(const struct finder *finder, int block, struct cells *cells)
{
	const struct program_block *of = &finder->program->blocks[block];
	for (int i = of->first; i < of->first + of->count; i++) {
		cells_unite(cells, &finder->program->instructions[i].writes);
		cells_unite(cells, &finder->program->instructions[i].may_write);
	}
}

bool uniformity_is_exit(const struct flow *flow, int block)
{
	int on = 0;
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++)
		on += flow->edges[flow->out[i]].to != flow->block_count;
	return on <= 1 && flow_successors(flow, block) > on;
}

static bool parts(const struct finder *finder, int block, enum alike least)
{
	return flow_successors(finder->flow, block) > 1 && finder->uniformity->branches[block] < least &&
	       !uniformity_is_exit(finder->flow, block);
}

/* ---- sets of blocks */

/* Marks what can be reached from behind the blocks on the stack, not beyond `ends` (NULL: none) nor into the node `meet`. */
static void search(struct finder *finder, int depth, bool *marks, bool forwards, const bool *ends, int meet)
{
	const struct flow *flow = finder->flow;
	while (depth > 0) {
		int block = finder->stack[--depth];
		const int *items = forwards ? flow->out : flow->in, *first = forwards ? flow->first_out : flow->first_in;
		for (int i = first[block]; i < first[block + 1]; i++) {
			const struct flow_edge *edge = &flow->edges[items[i]];
			int to = forwards ? edge->to : edge->from;
			if (to == NO_ID || to == flow->block_count || to == meet || marks[to])
				continue;
			marks[to] = true;
			if (ends == NULL || !ends[to])
				finder->stack[depth++] = to;
		}
	}
}

static void clear(const struct finder *finder, bool *marks)
{
	memset(marks, 0, (size_t)finder->flow->block_count * sizeof *marks);
}

/* Marks in `from` what lies between a branch and the node `meet`; NO_ID: all that follows it. */
static void mark_behind(struct finder *finder, int block, int meet)
{
	clear(finder, finder->from);
	finder->stack[0] = block;
	search(finder, 1, finder->from, true, NULL, meet);
}

/* The ways of the branch meet at a BSYNC whose BSSY all threads passed before the branch: behind it nobody is apart by this branch. */
static bool is_held_together(const struct finder *finder, int block)
{
	int meet = finder->after.nearest[block];
	const struct program_block *meeting = &finder->program->blocks[meet];
	return meet < finder->flow->block_count && meeting->rejoins && dominators_hold(&finder->before, meeting->set_at, block);
}

/* Marks in `back` the blocks of a loop by its header; false: it leads back to none. */
static bool mark_loop(struct finder *finder, int header)
{
	int depth = 0;
	bool any = false;
	clear(finder, finder->back);
	for (int i = finder->flow->first_in[header]; i < finder->flow->first_in[header + 1]; i++) {
		int from = finder->flow->edges[finder->flow->in[i]].from;
		if (from == NO_ID || !dominators_hold(&finder->before, header, from))
			continue;
		any = true;
		if (from != header && !finder->back[from])
			finder->stack[depth++] = from;
		finder->back[from] = true;
	}
	finder->back[header] = true;
	search(finder, depth, finder->back, false, NULL, header);
	return any;
}

/* What lies between the branch and the point where its ways meet; and all of a loop around that point whose header is among it, as some
 * threads come there a turn later than others. */
static void mark_limited(struct finder *finder, int block)
{
	int meet = finder->after.nearest[block];
	mark_behind(finder, block, meet);
	for (int h = 0; h < finder->flow->block_count; h++) {
		finder->limited[h] |= finder->from[h];
		bool turns = finder->from[h] && meet < finder->flow->block_count && !planted(PLANT_SKEWED) && mark_loop(finder, h);
		for (int b = 0; b < finder->flow->block_count && turns && finder->back[meet]; b++)
			finder->limited[b] |= finder->back[b];
	}
}

static void mark_split(struct finder *finder, int block)
{
	struct cells written = {{0}};
	mark_behind(finder, block, is_held_together(finder, block) ? finder->after.nearest[block] : NO_ID);
	for (int b = 0; b < finder->flow->block_count; b++) {
		if (!finder->from[b])
			continue;
		finder->split[b] = true;
		add_written(finder, b, &written);
	}
	struct cells uniform = uniform_cells();
	for (int w = 0; w < CELL_WORDS; w++)
		written.words[w] &= uniform.words[w];
	for (int b = 0; b < finder->flow->block_count; b++)
		if (finder->from[b])
			cells_unite(&finder->overwritten[b], &written);
}

/* ---- where threads meet again */

static bool waits_for(const struct program_instruction *instruction, int set)
{
	for (int i = 0; i < instruction->set_by_count; i++)
		if (instruction->set_by[i] == set)
			return true;
	return false;
}

/* The BSYNCs of a BSSY: threads that passed the one together meet at any of the others. Whatever was written behind a branch between both
 * that splits may differ there. */
static void find_merged(struct finder *finder, int set)
{
	const struct program *program = finder->program;
	struct cells written = {{0}};
	int depth = 0;
	clear(finder, finder->ends);
	clear(finder, finder->from);
	clear(finder, finder->back);
	for (int i = 0; i < finder->sync_count; i++) {
		const struct program_instruction *sync = &program->instructions[finder->syncs[i]];
		if (!waits_for(sync, set) || finder->ends[sync->block])
			continue;
		finder->ends[sync->block] = finder->back[sync->block] = true;
		finder->stack[depth++] = sync->block;
	}
	search(finder, depth, finder->back, false, NULL, NO_ID);
	finder->stack[0] = program->instructions[set].block;
	finder->from[finder->stack[0]] = true;
	search(finder, 1, finder->from, true, finder->ends, NO_ID);
	depth = 0;
	for (int b = 0; b < program->block_count; b++)
		if (finder->from[b] && parts(finder, b, ALIKE_WARP))
			finder->stack[depth++] = b;
	clear(finder, finder->from);
	search(finder, depth, finder->from, true, finder->ends, NO_ID);
	for (int b = 0; b < program->block_count; b++)
		if (finder->from[b] && finder->back[b])
			add_written(finder, b, &written);
	for (int i = 0; i < finder->sync_count; i++)
		if (waits_for(&program->instructions[finder->syncs[i]], set))
			cells_unite(&finder->merged[finder->syncs[i]], &written);
}

static void find_regions(struct finder *finder)
{
	const struct program *program = finder->program;
	size_t blocks = (size_t)program->block_count;
	memset(finder->limited, 0, blocks * sizeof *finder->limited);
	memset(finder->split, 0, blocks * sizeof *finder->split);
	memset(finder->overwritten, 0, blocks * sizeof *finder->overwritten);
	memset(finder->merged, 0, (size_t)program->instruction_count * sizeof *finder->merged);
	bool any = false;
	for (int b = 0; b < program->block_count; b++) {
		if (parts(finder, b, ALIKE_BLOCK))
			mark_limited(finder, b);
		if (parts(finder, b, ALIKE_WARP))
			mark_split(finder, b);
		any |= parts(finder, b, ALIKE_WARP);
	}
	for (int i = 0; i < finder->set_count && any && !planted(PLANT_MEETING); i++)
		find_merged(finder, finder->sets[i]);
}

/* ---- values */

static void set(struct cells *cells, const struct cells *which, bool to, bool weakly)
{
	for (int w = 0; w < CELL_WORDS; w++)
		cells->words[w] = to ? cells->words[w] | which->words[w] : weakly ? cells->words[w] : cells->words[w] & ~which->words[w];
}

static void fill(struct cells *cells)
{
	memset(cells, 0xff, sizeof *cells);
}

/* Uniform registers are one a warp. */
static void take_out_uniform(struct state *state)
{
	struct cells uniform = uniform_cells();
	for (int w = 0; w < CELL_WORDS; w++)
		state->varying.words[w] &= ~uniform.words[w];
}

static void execute(const struct finder *finder, int number, struct state *state)
{
	const struct program_instruction *instruction = &finder->program->instructions[number];
	struct cells reads = instruction->reads;
	if (finder->index[number] != NO_ID)
		reads.words[finder->index[number] / 64] &= ~(UINT64_C(1) << finder->index[number] % 64);
	bool varying = cells_meet(&reads, &state->varying), apart = cells_meet(&instruction->reads, &state->apart);
	bool own = instruction->origin == ORIGIN_WARP && instruction->guard == NULL;
	varying = instruction->origin == ORIGIN_THREAD || (varying && !own);
	apart = apart || instruction->origin != ORIGIN_OPERANDS || (finder->limited[instruction->block] && !planted(PLANT_WROTE_APART));
	cells_unite(&state->varying, &finder->merged[number]);
	cells_unite(&state->apart, &finder->merged[number]);
	if (instruction->joins && finder->split[instruction->block] && !planted(PLANT_WARPSYNC)) {
		fill(&state->varying);
		fill(&state->apart);
	}
	bool weakly = instruction->guard != NULL && !planted(PLANT_GUARDED);
	set(&state->varying, &instruction->writes, varying, weakly);
	set(&state->apart, &instruction->writes, apart, weakly);
	cells_unite(&state->varying, &instruction->may_write); /* by nobody knows whom */
	cells_unite(&state->apart, &instruction->may_write);
	take_out_uniform(state);
}

static struct state run_block(const struct finder *finder, int block, bool stop_at_last)
{
	const struct program_block *of = &finder->program->blocks[block];
	struct state state = finder->states[block];
	for (int i = of->first; i < of->first + of->count - stop_at_last; i++) {
		cells_unite(&state.apart, &finder->overwritten[block]);
		execute(finder, i, &state);
	}
	cells_unite(&state.apart, &finder->overwritten[block]);
	return state;
}

static bool join(struct state *there, const struct state *more)
{
	struct state before = *there;
	cells_unite(&there->varying, &more->varying);
	cells_unite(&there->apart, &more->apart);
	there->reached = true;
	return !before.reached || memcmp(&before, there, sizeof before) != 0;
}

static void find_states(struct finder *finder)
{
	const struct flow *flow = finder->flow;
	int blocks = flow->block_count;
	memset(finder->states, 0, (size_t)blocks * sizeof *finder->states);
	struct state *first = &finder->states[0];
	first->reached = true;
	fill(&first->varying);
	fill(&first->apart);
	take_out_uniform(first);
	bool *waiting = finder->from;
	clear(finder, waiting);
	waiting[0] = true;
	for (bool more = true; more;) {
		more = false;
		for (int b = 0; b < blocks; b++) {
			if (!waiting[b])
				continue;
			waiting[b] = false;
			struct state state = run_block(finder, b, false);
			for (int i = flow->first_out[b]; i < flow->first_out[b + 1]; i++) {
				int to = flow->edges[flow->out[i]].to;
				if (to < blocks && join(&finder->states[to], &state))
					waiting[to] = more = true;
			}
		}
	}
}

/* ---- branches */

static enum alike judge(const struct finder *finder, int block)
{
	const struct program_block *of = &finder->program->blocks[block];
	if (of->count == 0 || !finder->program->instructions[of->first + of->count - 1].decides)
		return ALIKE_NOT;
	const struct program_instruction *last = &finder->program->instructions[of->first + of->count - 1];
	struct state state = run_block(finder, block, true);
	bool whole = last->origin == ORIGIN_WARP && last->guard == NULL;
	if (!whole && cells_meet(&last->reads, &state.varying))
		return ALIKE_NOT;
	return last->origin == ORIGIN_WARP || cells_meet(&last->reads, &state.apart) ? ALIKE_WARP : ALIKE_BLOCK;
}

static bool lower(struct finder *finder, bool give_up)
{
	bool any = false;
	for (int b = 0; b < finder->flow->block_count; b++) {
		enum alike *own = &finder->uniformity->branches[b];
		enum alike now = flow_successors(finder->flow, b) < 2 ? ALIKE_BLOCK : give_up ? ALIKE_NOT : judge(finder, b);
		any |= now < *own;
		*own = now < *own ? now : *own;
	}
	return any;
}

static void list_syncs(struct finder *finder)
{
	const struct program *program = finder->program;
	finder->sets = arena_allocate(finder->flow->arena, (size_t)program->instruction_count, sizeof(int));
	finder->syncs = arena_allocate(finder->flow->arena, (size_t)program->instruction_count, sizeof(int));
	for (int i = 0; i < program->instruction_count; i++) {
		const struct program_instruction *instruction = &program->instructions[i];
		if (instruction->block != NO_ID && strncmp(instruction->mnemonic, "BSSY", 4) == 0)
			finder->sets[finder->set_count++] = i;
		if (instruction->block != NO_ID && instruction->set_by_count > 0)
			finder->syncs[finder->sync_count++] = i;
	}
}

static void prepare(struct finder *finder)
{
	struct arena *arena = finder->flow->arena;
	size_t blocks = (size_t)finder->flow->block_count;
	finder->before = dominators_find(finder->flow, true);
	finder->after = dominators_find(finder->flow, false);
	finder->states = arena_allocate(arena, blocks, sizeof *finder->states);
	finder->merged = arena_allocate(arena, (size_t)finder->program->instruction_count, sizeof *finder->merged);
	finder->overwritten = arena_allocate(arena, blocks, sizeof *finder->overwritten);
	finder->limited = arena_allocate(arena, blocks, sizeof(bool));
	finder->split = arena_allocate(arena, blocks, sizeof(bool));
	finder->from = arena_allocate(arena, blocks, sizeof(bool));
	finder->back = arena_allocate(arena, blocks, sizeof(bool));
	finder->ends = arena_allocate(arena, blocks, sizeof(bool));
	finder->stack = arena_allocate(arena, 2 * blocks + 1, sizeof(int));
	finder->index = thread_index_find(finder->flow);
	list_syncs(finder);
}

void uniformity_find(struct uniformity *uniformity, const struct flow *flow)
{
	struct finder finder = {.flow = flow, .program = flow->program, .uniformity = uniformity};
	uniformity->branches = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *uniformity->branches);
	if (flow->program->instruction_count == 0)
		return;
	prepare(&finder);
	for (int b = 0; b < flow->block_count; b++)
		uniformity->branches[b] = ALIKE_BLOCK;
	for (int round = 0;; round++) {
		find_regions(&finder);
		find_states(&finder);
		if (!lower(&finder, round == ROUNDS) || round == ROUNDS)
			break;
	}
	find_regions(&finder);
	uniformity->overwritten = finder.overwritten;
	uniformity->merged = finder.merged;
	uniformity->split = finder.split;
}

bool uniformity_of_loop(const struct uniformity *uniformity, const struct flow *flow, const struct loops *loops, int loop)
{
	for (int edge = 0; edge < flow->edge_count; edge++) {
		int from = flow->edges[edge].from, to = flow->edges[edge].to;
		bool leaves =
			from != NO_ID && loops_contain(loops, loop, from) && (to == flow->block_count || !loops_contain(loops, loop, to));
		if (leaves && uniformity->branches[from] < ALIKE_BLOCK)
			return false;
	}
	return true;
}
