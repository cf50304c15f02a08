/* Parts of warps, what they wait for, what their cells hold. */
#include "warps/parting.h"

#include "warps/arithmetic.h"

#include <stdlib.h>
#include <string.h>

#define THREADS (PARTING_WARPS * PARTING_THREADS)
#define INSTANCES 4000 /* of BSSYs that are passed */
#define ARRIVALS 4096  /* more are not compared */

struct thread {
	uint64_t values[CELL_COUNT];
	int *instances; /* of an instruction: the passing of that BSSY that counts */
	int *turns;     /* of a block: how often control came back to it since the loop was entered */
	int waits_for;  /* an instance, or -1 */
	int next;       /* the block behind the BSYNC at which it waits */
	bool ended;
};

struct group {
	int warp, at; /* at: an instruction */
	uint32_t mask;
};

struct arrival { /* of threads at the end of a block, in one turn of each loop around it */
	uint64_t key;
	int to; /* where they went */
	bool there;
};

struct machine {
	struct parting_run *run;
	const struct program *program;
	struct thread threads[THREADS];
	uint64_t uniform[PARTING_WARPS][CELL_COUNT];
	struct group groups[THREADS];
	int group_count;
	uint32_t instances[INSTANCES]; /* threads that passed it together, of their warp */
	int instance_count;
	bool beyond;              /* a loop turned more often than it may */
	struct arrival *arrivals; /* by their key, a table of ARRIVALS */
};

static struct thread *thread_of(struct machine *m, int warp, int lane)
{
	return &m->threads[warp * PARTING_THREADS + lane];
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 29;
}

static uint64_t *cell(struct machine *m, int warp, int lane, int number)
{
	bool uniform = (number >= CELL_UNIFORM && number < CELL_PREDICATE) || number >= CELL_UNIFORM_PREDICATE;
	return uniform ? &m->uniform[warp][number] : &thread_of(m, warp, lane)->values[number];
}

/* ---- values */

/* The next cell of a set, at or behind `from`; CELL_COUNT: none. */
static int next_cell(const struct cells *cells, int from)
{
	while (from < CELL_COUNT && cells->words[from / 64] >> from % 64 == 0)
		from = (from / 64 + 1) * 64;
	while (from < CELL_COUNT && !cells_has(cells, from))
		from++;
	return from < CELL_COUNT ? from : CELL_COUNT;
}

static uint64_t made_of(struct machine *m, const struct program_instruction *instruction, int warp, int lane)
{
	uint64_t value = 1;
	for (const char *at = instruction->mnemonic; *at != '\0'; at++)
		value = mix(value, (uint64_t)*at);
	for (int c = next_cell(&instruction->reads, 0); c < CELL_COUNT; c = next_cell(&instruction->reads, c + 1))
		value = mix(value, *cell(m, warp, lane, c));
	return value;
}

struct place { /* of a thread */
	struct machine *m;
	int warp, lane;
};

static uint64_t cell_of(const void *context, int number)
{
	const struct place *place = context;
	return *cell(place->m, place->warp, place->lane, number);
}

/* The word that is written to the first register, where the operands say what; else 0. */
static bool computed(struct machine *m, const struct program_instruction *instruction, int warp, int lane, uint32_t *word)
{
	const int64_t *extents = m->program->extents;
	struct place place = {m, warp, lane};
	int64_t number = (int64_t)warp * THREADS_A_WARP + lane;
	struct arithmetic_thread thread = {&place, cell_of, {0}, (uint32_t)lane};
	if (instruction->operand_count == 0)
		return false;
	thread.place[0] = (uint32_t)(number % extents[0]);
	thread.place[1] = (uint32_t)(number / extents[0] % extents[1]);
	thread.place[2] = (uint32_t)(number / extents[0] / extents[1]);
	return arithmetic_word(instruction, &thread, word);
}

static bool passes_guard(struct machine *m, const struct program_instruction *instruction, int warp, int lane)
{
	if (instruction->guard == NULL)
		return true;
	bool negated = instruction->guard[0] == '!';
	return (*cell(m, warp, lane, CELL_PREDICATE + atoi(instruction->guard + negated + 1)) & 1) != negated;
}

static void tell(struct machine *m, const struct program_instruction *instruction, const struct group *group)
{
	uint64_t values[PARTING_THREADS];
	for (int c = next_cell(&instruction->writes, 0); c < CELL_COUNT && m->run->wrote != NULL;
		c = next_cell(&instruction->writes, c + 1)) {
		for (int lane = 0; lane < PARTING_THREADS; lane++)
			values[lane] = *cell(m, group->warp, lane, c);
		m->run->wrote(m->run->context, group->at, c, group->mask, values);
	}
}

static void write_cells(struct machine *m, const struct program_instruction *instruction, const struct group *group)
{
	uint64_t values[PARTING_THREADS], common = m->run->draw();
	uint32_t words[PARTING_THREADS];
	struct cells written = instruction->writes;
	bool is_word = false;
	cells_unite(&written, &instruction->may_write);
	for (int lane = 0; lane < PARTING_THREADS; lane++)
		values[lane] = instruction->origin == ORIGIN_THREAD ? m->run->draw()
			       : instruction->origin == ORIGIN_WARP ? common
								    : made_of(m, instruction, group->warp, lane);
	for (int lane = 0; lane < PARTING_THREADS; lane++)
		is_word = computed(m, instruction, group->warp, lane, &words[lane]);
	bool passes[PARTING_THREADS];
	for (int lane = 0; lane < PARTING_THREADS; lane++)
		passes[lane] = (group->mask >> lane & 1) != 0 && passes_guard(m, instruction, group->warp, lane);
	for (int lane = 0; lane < PARTING_THREADS; lane++)
		for (int c = next_cell(&written, 0); c < CELL_COUNT && passes[lane]; c = next_cell(&written, c + 1))
			if (cells_has(&instruction->writes, c) || m->run->draw() % 2 == 0)
				*cell(m, group->warp, lane, c) = is_word ? words[lane] : mix(values[lane], (uint64_t)c);
	tell(m, instruction, group);
}

/* ---- groups */

static void add_group(struct machine *m, int warp, uint32_t mask, int block)
{
	if (mask != 0)
		m->groups[m->group_count++] = (struct group){warp, m->program->blocks[block].first, mask};
}

static void take_group(struct machine *m, int number)
{
	m->groups[number] = m->groups[--m->group_count];
}

/* Those of the warp that wait for the instance go on if nobody of it is missing. */
static void release(struct machine *m, int warp, int instance)
{
	uint32_t waiting = 0;
	int next = 0;
	for (int lane = 0; lane < PARTING_THREADS; lane++) {
		const struct thread *thread = thread_of(m, warp, lane);
		if ((m->instances[instance] >> lane & 1) == 0 || thread->ended)
			continue;
		if (thread->waits_for != instance)
			return;
		waiting |= UINT32_C(1) << lane;
		next = thread->next;
	}
	for (int lane = 0; lane < PARTING_THREADS; lane++)
		if ((waiting >> lane & 1) != 0)
			thread_of(m, warp, lane)->waits_for = -1;
	add_group(m, warp, waiting, next);
}

static void end_thread(struct machine *m, int warp, int lane)
{
	thread_of(m, warp, lane)->ended = true;
	for (int other = 0; other < PARTING_THREADS; other++)
		if (thread_of(m, warp, other)->waits_for >= 0)
			release(m, warp, thread_of(m, warp, other)->waits_for);
}

/* ---- control */

static int ways_of(const struct program *program, int block, int *ways)
{
	int count = 0;
	for (int i = 0; i < program->edge_count && count < 2; i++)
		if (program->edges[i].from == block)
			ways[count++] = program->edges[i].to;
	return count;
}

/* A way back is counted anew when the loop is entered. Where it is taken more often than the program says, the run is none of it. */
static void go_on(struct machine *m, struct thread *thread, int block, int to)
{
	bool back = to <= block;
	thread->turns[to] = back ? thread->turns[to] + 1 : 0;
	m->beyond |= thread->turns[to] > m->run->turns;
}

/* The block and the turns of the loops around it. */
static uint64_t arrival_of(const struct machine *m, const struct thread *thread, int block)
{
	uint64_t key = mix(1, (uint64_t)block);
	for (int i = 0; i < m->program->edge_count; i++) {
		const struct program_edge *edge = &m->program->edges[i];
		if (edge->to <= block && block <= edge->from)
			key = mix(key, (uint64_t)thread->turns[edge->to]);
	}
	return key;
}

static void compare(struct machine *m, const struct thread *thread, int block, int to)
{
	uint64_t key = arrival_of(m, thread, block);
	struct arrival *arrival = &m->arrivals[key % ARRIVALS];
	if (!arrival->there)
		*arrival = (struct arrival){key, to, true};
	else if (arrival->key == key)
		m->run->unlike[block] |= arrival->to != to;
}

static void enter_sync(struct machine *m, const struct program_instruction *sync, const struct group *group)
{
	int ways[2], instance = -1;
	ways_of(m->program, sync->block, ways);
	for (int lane = 0; lane < PARTING_THREADS; lane++) {
		struct thread *thread = thread_of(m, group->warp, lane);
		if ((group->mask >> lane & 1) == 0)
			continue;
		instance = thread->waits_for = thread->instances[sync->set_by[0]];
		thread->next = ways[0];
		go_on(m, thread, sync->block, ways[0]);
	}
	release(m, group->warp, instance);
}

/* Where each thread goes from the end of a block: a block, or -1: it ends. */
static void leave_block(struct machine *m, const struct program_instruction *last, const struct group *group)
{
	int ways[2] = {-1, -1}, count = ways_of(m->program, last->block, ways), to[PARTING_THREADS];
	bool common = m->run->draw() % 2 == 0;
	for (int lane = 0; lane < PARTING_THREADS; lane++) {
		to[lane] = -2;
		if ((group->mask >> lane & 1) == 0)
			continue;
		bool first = !last->decides                ? true
			     : last->origin == ORIGIN_WARP ? common
							   : (made_of(m, last, group->warp, lane) >> 7 & 1) == 0;
		to[lane] = first ? ways[0] : count == 2 ? ways[1] : -1;
		compare(m, thread_of(m, group->warp, lane), last->block, to[lane]);
		if (to[lane] >= 0)
			go_on(m, thread_of(m, group->warp, lane), last->block, to[lane]);
	}
	for (int lane = 0; lane < PARTING_THREADS; lane++) {
		uint32_t mask = 0;
		if (to[lane] == -2)
			continue;
		int target = to[lane];
		for (int k = lane; k < PARTING_THREADS; k++) {
			m->run->divided[last->block] |= to[k] != -2 && to[k] != target;
			if (to[k] != target)
				continue;
			mask |= UINT32_C(1) << k;
			to[k] = -2;
			if (target < 0)
				end_thread(m, group->warp, k);
		}
		if (target >= 0)
			add_group(m, group->warp, mask, target);
	}
}

static void join_others(struct machine *m, int number)
{
	for (int i = 0; i < m->group_count; i++)
		if (i != number && m->groups[i].warp == m->groups[number].warp && m->groups[i].at == m->groups[number].at) {
			m->groups[number].mask |= m->groups[i].mask;
			m->groups[i].mask = 0;
		}
}

static void pass_set(struct machine *m, const struct group *group)
{
	m->instances[m->instance_count] = group->mask;
	for (int lane = 0; lane < PARTING_THREADS; lane++)
		if ((group->mask >> lane & 1) != 0)
			thread_of(m, group->warp, lane)->instances[group->at] = m->instance_count;
	m->instance_count++;
}

static void note_barrier(struct machine *m, const struct group *group, int block)
{
	int *count = &m->run->barrier_count[group->warp];
	if (*count < PARTING_BARRIERS)
		m->run->barriers[group->warp][(*count)++] = block;
}

static void step(struct machine *m, int number)
{
	const struct program_instruction *instruction = &m->program->instructions[m->groups[number].at];
	const struct program_block *block = &m->program->blocks[instruction->block];
	if (instruction->joins && m->run->draw() % 4 != 0)
		return; /* it waits a while for the others */
	if (instruction->joins)
		join_others(m, number);
	struct group group = m->groups[number];
	if (group.mask == 0) {
		take_group(m, number);
		return;
	}
	m->run->issued[group.warp]++;
	write_cells(m, instruction, &group);
	if (strcmp(instruction->mnemonic, "BSSY") == 0)
		pass_set(m, &group);
	if (strncmp(instruction->mnemonic, "BAR.", 4) == 0)
		note_barrier(m, &group, instruction->block);
	m->groups[number].at++;
	if (group.at < block->first + block->count - 1)
		return;
	take_group(m, number);
	if (instruction->set_by_count > 0)
		enter_sync(m, instruction, &group);
	else
		leave_block(m, instruction, &group);
}

bool parting_run(struct parting_run *run, struct arena *arena)
{
	struct machine *m = arena_allocate(arena, 1, sizeof *m);
	size_t blocks = (size_t)run->program->block_count, instructions = (size_t)run->program->instruction_count;
	m->run = run;
	m->program = run->program;
	run->divided = arena_allocate(arena, blocks, sizeof *run->divided);
	run->unlike = arena_allocate(arena, blocks, sizeof *run->unlike);
	m->arrivals = arena_allocate(arena, ARRIVALS, sizeof *m->arrivals);
	for (int i = 0; i < THREADS; i++) {
		m->threads[i].waits_for = -1;
		m->threads[i].instances = arena_allocate(arena, instructions, sizeof(int));
		m->threads[i].turns = arena_allocate(arena, blocks, sizeof(int));
		for (int c = 0; c < CELL_COUNT; c++)
			m->threads[i].values[c] = run->draw();
	}
	for (int w = 0; w < run->warps; w++) {
		for (int c = 0; c < CELL_COUNT; c++)
			m->uniform[w][c] = run->draw();
		add_group(m, w, (UINT32_C(1) << PARTING_THREADS) - 1, 0);
	}
	for (long i = 0; i < run->most && m->group_count > 0 && m->instance_count < INSTANCES && !m->beyond; i++)
		step(m, (int)(run->draw() % (unsigned)m->group_count));
	return m->group_count == 0 && !m->beyond;
}
