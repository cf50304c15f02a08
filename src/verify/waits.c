/* Longest ways to the end of each block. */
#include "verify/waits.h"

struct piece {
	const struct class_cost *costs;
	const struct program_instruction *instructions;
	int count;
	int *waiter;                /* of each: the first that waits for it; count: the block's end */
	int64_t *from, *from_there; /* from its issue, from when its result is there, to the end */
};

/* Classes of which an instruction waits for more than its encoding says, or for what is not known. */
static bool waits_for_all(const struct program_instruction *instruction)
{
	static const enum instruction_class known[] = {CLASS_FP32, CLASS_FP64, CLASS_INT32, CLASS_WIDE, CLASS_HALF, CLASS_UNIFORM,
		CLASS_SFU, CLASS_SPECIAL, CLASS_CONVERT, CLASS_BITS, CLASS_CONSTANT, CLASS_SHARED, CLASS_LOAD, CLASS_STORE, CLASS_TEXTURE,
		CLASS_LOAD_L1, CLASS_LOAD_L2};
	bool is_known = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		is_known |= instruction->class == (int)known[i];
	return !is_known || !instruction->encoded;
}

static bool names(const struct program_instruction *waiting, const struct program_instruction *of)
{
	int scoreboards = waiting->waits_for & ((1 << SCOREBOARDS) - 1);
	return waiting->encoded && ((scoreboards >> of->sets | scoreboards >> of->holds) & 1) != 0;
}

static bool may_overlap(const struct piece *piece, int number)
{
	return piece->instructions[number].encoded && piece->costs[piece->instructions[number].class].issue > 0;
}

/* Its encoding says when the next one issues, and no result is announced. */
static bool has_stall(const struct piece *piece, int number)
{
	const struct program_instruction *instruction = &piece->instructions[number];
	bool announces = instruction->sets != SCOREBOARDS || instruction->holds != SCOREBOARDS;
	return piece->costs[instruction->class].by_stall && instruction->encoded && !announces && !may_overlap(piece, number);
}

static bool same(const struct piece *piece, int one, int other)
{
	return may_overlap(piece, one) && piece->instructions[one].class == piece->instructions[other].class;
}

/* Those of a class that nobody has waited for when the instruction issues are there first if they are as many as may be under way. */
static void wait_for_room(struct piece *piece, int number)
{
	int64_t under_way = 0;
	for (int i = 0; i < number; i++)
		under_way += same(piece, i, number) && piece->waiter[i] > number;
	for (int i = 0; i < number && under_way == piece->costs[piece->instructions[number].class].under_way; i++)
		if (same(piece, i, number) && piece->waiter[i] > number)
			piece->waiter[i] = number;
}

/* Results of a class come in their order: who waits for one has those before it. */
static void find_waiters(struct piece *piece, int number)
{
	const struct program_instruction *waiting = &piece->instructions[number];
	bool seen[CLASS_COUNT] = {false}, all = waits_for_all(waiting);
	for (int i = number - 1; i >= 0; i--) {
		const struct program_instruction *of = &piece->instructions[i];
		if (may_overlap(piece, i))
			seen[of->class] |= all || names(waiting, of);
		bool waits = may_overlap(piece, i) ? seen[of->class] : has_stall(piece, i) && all && waiting->class != CLASS_BRANCH;
		if (waits && piece->waiter[i] > number)
			piece->waiter[i] = number;
	}
	if (may_overlap(piece, number))
		wait_for_room(piece, number);
}

/* Registers of each thread are the first four words. */
static int registers_in(struct cells cells)
{
	int count = 0;
	for (int w = 0; w < CELL_UNIFORM / 64; w++)
		for (; cells.words[w] != 0; cells.words[w] &= cells.words[w] - 1)
			count++;
	return count;
}

static int64_t issue_time(const struct piece *piece, int number)
{
	const struct program_instruction *instruction = &piece->instructions[number];
	const struct class_cost *cost = &piece->costs[instruction->class];
	bool branch = instruction->class == CLASS_BRANCH;
	int64_t beyond = branch || registers_in(instruction->writes) + registers_in(instruction->may_write) >= 2 ||
					 registers_in(instruction->reads) >= 3
				 ? cost->beyond
				 : 0;
	int64_t stalled = checked_max(checked_add(beyond, instruction->stall), branch ? cost->latency : cost->occupancy);
	return may_overlap(piece, number) ? cost->issue : has_stall(piece, number) ? stalled : cost->latency;
}

static int64_t longest(struct piece *piece)
{
	int64_t after[CLASS_COUNT]; /* from the result of the class's next instruction; NONE: there is none */
	for (int c = 0; c < CLASS_COUNT; c++)
		after[c] = NONE;
	for (int i = 0; i < piece->count; i++)
		find_waiters(piece, i);
	for (int i = piece->count - 1; i >= 0; i--) {
		const struct class_cost *cost = &piece->costs[piece->instructions[i].class];
		int64_t *next = &after[piece->instructions[i].class];
		piece->from[i] = checked_add(issue_time(piece, i), piece->from[i + 1]);
		if (!may_overlap(piece, i) && piece->waiter[i] == piece->count)
			continue;
		piece->from_there[i] = piece->from[piece->waiter[i]];
		if (may_overlap(piece, i)) {
			if (*next != NONE)
				piece->from_there[i] = checked_max(piece->from_there[i], checked_add(cost->issue, *next));
			*next = piece->from_there[i];
		}
		piece->from[i] = checked_max(piece->from[i], checked_add(cost->latency, piece->from_there[i]));
	}
	return piece->from[0];
}

static int64_t one_after_the_other(const struct piece *piece)
{
	int64_t sum = 0;
	for (int i = 0; i < piece->count; i++)
		sum = checked_add(sum, checked_max(piece->costs[piece->instructions[i].class].latency, issue_time(piece, i)));
	return sum;
}

static int64_t time_in(struct arena *arena, const struct code *code, const struct class_cost *costs, int block, bool apart)
{
	const struct program *program = code->program;
	struct piece piece = {costs, &program->instructions[program->blocks[block].first], program->blocks[block].count, NULL, NULL, NULL};
	size_t count = (size_t)piece.count + 1;
	piece.waiter = arena_allocate(arena, count, sizeof *piece.waiter);
	piece.from = arena_allocate(arena, count, sizeof *piece.from);
	piece.from_there = arena_allocate(arena, count, sizeof *piece.from_there);
	for (int i = 0; i < piece.count; i++)
		piece.waiter[i] = piece.count;
	return apart ? one_after_the_other(&piece) : longest(&piece);
}

const int64_t *waits_read(struct arena *arena, const struct code *code, const struct class_cost *costs, const bool *parted)
{
	int64_t *times = arena_allocate(arena, (size_t)code->program->block_count, sizeof *times);
	for (int b = 0; b < code->program->block_count && code->program->instruction_count > 0; b++)
		times[b] = time_in(arena, code, costs, b, parted[b]);
	return times;
}

int64_t waits_spaced(const struct code *code, const struct class_cost *costs, const bool *parted, int block, int class)
{
	const struct program *program = code->program;
	const struct program_block *of = &program->blocks[block];
	struct piece piece = {costs, program->instructions, program->instruction_count, NULL, NULL, NULL};
	int64_t count = 0;
	for (int i = of->first; i < of->first + of->count && costs[class].spaced > 0 && !parted[block]; i++)
		if (program->instructions[i].class == class && has_stall(&piece, i) && program->instructions[i].stall / SPACED_FIRST > 0 &&
			program->instructions[i].stall <= SPACED_LAST)
			count++;
	return count;
}
