/* When a warp that nobody keeps issues the instructions of a block, and what of that the block's last instant hangs on. */
#include "wcet/waits.h"

#include "base/plant.h"

#include <string.h>

/* Of a block. Instruction k issues at issue[k] at the latest, all are done at issue[count]; the result of k is there at there[k]. */
struct timeline {
	const struct program *program;
	const struct instruction_costs *costs;
	const struct program_instruction *instructions;
	int count;
	int64_t *issue, *there;
	int *waited;                                                     /* whose result the issue waits for; NO_ID: for the one before */
	int *behind;                                                     /* whose result the result comes behind; NO_ID: its own issue */
	int pending[CLASS_COUNT], first[CLASS_COUNT], last[CLASS_COUNT]; /* of a class: how many are under way; of these */
};

static bool overlaps(const struct timeline *t, int number)
{
	const struct program_instruction *instruction = &t->instructions[number];
	return t->costs->classes[instruction->class].issue > 0 && instruction->encoded;
}

/* Does its encoding alone say when the next one may issue? */
static bool is_scheduled(const struct timeline *t, int number)
{
	const struct program_instruction *instruction = &t->instructions[number];
	return t->costs->classes[instruction->class].by_stall && instruction->encoded && instruction->sets == SCOREBOARDS &&
	       instruction->holds == SCOREBOARDS;
}

/* Does it wait for nothing but what its encoding says? */
static bool waits_by_encoding(const struct program_instruction *instruction)
{
	static const bool waits[CLASS_COUNT] = {
		[CLASS_FP32] = true,
		[CLASS_INT32] = true,
		[CLASS_WIDE] = true,
		[CLASS_HALF] = true,
		[CLASS_FP64] = true,
		[CLASS_SFU] = true,
		[CLASS_SPECIAL] = true,
		[CLASS_CONVERT] = true,
		[CLASS_BITS] = true,
		[CLASS_UNIFORM] = true,
		[CLASS_CONSTANT] = true,
		[CLASS_LOAD] = true,
		[CLASS_LOAD_L1] = true,
		[CLASS_LOAD_L2] = true,
		[CLASS_STORE] = true,
		[CLASS_SHARED] = true,
		[CLASS_TEXTURE] = true,
	};
	return instruction->encoded && waits[instruction->class];
}

/* Operands may be in one bank of registers where there are three or more, and some take two at once. */
static bool may_be_late(const struct program_instruction *instruction)
{
	int written = cells_registers(&instruction->writes) + cells_registers(&instruction->may_write);
	return instruction->class == CLASS_BRANCH || cells_registers(&instruction->reads) > 2 || written > 1;
}

static int64_t issue_of(const struct timeline *t, int number)
{
	const struct program_instruction *instruction = &t->instructions[number];
	const struct class_cost *cost = &t->costs->classes[instruction->class];
	if (overlaps(t, number))
		return cost->issue;
	if (!is_scheduled(t, number))
		return cost->latency;
	int64_t least = instruction->class == CLASS_BRANCH ? cost->latency : cost->occupancy;
	int64_t stalled = checked_add(instruction->stall, may_be_late(instruction) ? cost->beyond : 0);
	return planted(PLANT_STALLS) ? instruction->stall : checked_max(least, stalled);
}

static void wait_for(struct timeline *t, int number, int result)
{
	if (t->there[result] <= t->issue[number])
		return;
	t->issue[number] = t->there[result];
	t->waited[number] = result;
}

/* The number-th issues no later than where all of the class are there; none is under way then. */
static void wait_for_class(struct timeline *t, int number, int class)
{
	for (int i = t->first[class]; t->pending[class] > 0 && i <= t->last[class]; i++)
		if (t->instructions[i].class == class && overlaps(t, i))
			wait_for(t, number, i);
	t->pending[class] = 0;
}

static bool names(const struct program_instruction *waiting, const struct program_instruction *of)
{
	return (waiting->waits_for >> of->sets & 1) != 0 || (waiting->waits_for >> of->holds & 1) != 0;
}

/* Whom it names it waits for. */
static void wait_by_encoding(struct timeline *t, int number, int class)
{
	int last = NO_ID;
	for (int i = t->first[class]; t->pending[class] > 0 && i <= t->last[class]; i++)
		if (t->instructions[i].class == class && overlaps(t, i) && names(&t->instructions[number], &t->instructions[i]))
			last = i;
	if (last == NO_ID || planted(PLANT_WAITS))
		return;
	wait_for(t, number, last);
	/* results of a class come in their order */
	for (int i = t->first[class]; i <= last; i++)
		t->pending[class] -= t->instructions[i].class == class && overlaps(t, i);
	t->first[class] = last + 1;
}

static void step(struct timeline *t, int number)
{
	const struct program_instruction *instruction = &t->instructions[number];
	for (int i = 0; i < number && !waits_by_encoding(instruction) && instruction->class != CLASS_BRANCH; i++)
		if (is_scheduled(t, i))
			wait_for(t, number, i);
	for (int c = 0; c < CLASS_COUNT; c++) {
		if (!waits_by_encoding(instruction))
			wait_for_class(t, number, c);
		else
			wait_by_encoding(t, number, c);
	}
	t->issue[number + 1] = checked_add(t->issue[number], issue_of(t, number));
	t->there[number] = checked_add(t->issue[number], t->costs->classes[instruction->class].latency);
	if (!overlaps(t, number))
		return;
	int class = instruction->class;
	const struct class_cost *cost = &t->costs->classes[class];
	if (t->pending[class] == cost->under_way) {
		wait_for_class(t, number, class);
		t->issue[number + 1] = checked_add(t->issue[number], issue_of(t, number));
	}
	t->there[number] = checked_add(t->issue[number], cost->latency);
	if (t->pending[class] > 0 && checked_add(t->there[t->last[class]], cost->issue) > t->there[number]) {
		t->there[number] = checked_add(t->there[t->last[class]], cost->issue);
		t->behind[number] = t->last[class];
	}
	t->first[class] = t->pending[class] == 0 ? number : t->first[class];
	t->last[class] = number;
	t->pending[class]++;
}

static void spare(struct program_block *block, const struct program_instruction *instruction, int64_t cycles)
{
	block->spared[instruction->class] = checked_add(block->spared[instruction->class], cycles);
	for (int i = 0; i < block->part_count; i++)
		if (program_places_equal(block->parts[i].place, instruction->place))
			block->parts[i].spared[instruction->class] = checked_add(block->parts[i].spared[instruction->class], cycles);
}

/* Is the warp's next one some cycles behind it, whatever else the warp does? */
static bool is_spaced(const struct timeline *t, int number)
{
	int stall = t->instructions[number].stall;
	return t->costs->classes[t->instructions[number].class].spaced > 0 && is_scheduled(t, number) &&
	       (planted(PLANT_SPACED) || stall >= SPACED_FIRST) && stall <= SPACED_LAST;
}

/* What the instructions are charged of the time from the last instant back to the first. */
static void charge(const struct timeline *t, int64_t *charged)
{
	int at = t->count;
	while (at > 0 || t->waited[at] != NO_ID) {
		int result = t->waited[at];
		if (result == NO_ID) {
			charged[at - 1] = issue_of(t, at - 1);
			at--;
			continue;
		}
		for (; t->behind[result] != NO_ID; result = t->behind[result])
			charged[result] = t->costs->classes[t->instructions[result].class].issue;
		charged[result] = t->costs->classes[t->instructions[result].class].latency;
		at = result;
	}
}

static void find_block(
	const struct instruction_costs *costs, const struct program *program, struct program_block *block, bool apart, struct arena *arena)
{
	size_t count = (size_t)block->count;
	struct timeline t = {program, costs, &program->instructions[block->first], block->count,
		arena_allocate(arena, count + 1, sizeof(int64_t)), arena_allocate(arena, count + 1, sizeof(int64_t)),
		arena_allocate(arena, count + 1, sizeof(int)), arena_allocate(arena, count + 1, sizeof(int)), {0}, {0}, {0}};
	int64_t *charged = arena_allocate(arena, count + 1, sizeof *charged);
	for (int i = 0; i <= block->count; i++)
		t.waited[i] = t.behind[i] = NO_ID;
	for (int i = 0; i < block->count && !apart; i++)
		step(&t, i);
	for (int c = 0; c < CLASS_COUNT; c++)
		wait_for_class(&t, block->count, c);
	for (int i = 0; i < block->count; i++)
		charged[i] = apart ? checked_max(issue_of(&t, i), costs->classes[t.instructions[i].class].latency) : 0;
	if (!apart)
		charge(&t, charged);
	for (int i = 0; i < block->count && !apart; i++)
		block->spaced[t.instructions[i].class] += is_spaced(&t, i);
	for (int i = 0; i < block->count; i++)
		spare(block, &t.instructions[i], checked_sub(costs->classes[t.instructions[i].class].latency, charged[i]));
}

void waits_find(struct program *program, const struct instruction_costs *costs, const struct uniformity *uniformity, struct arena *arena)
{
	for (int b = 0; b < program->block_count && program->instruction_count > 0; b++)
		find_block(costs, program, &program->blocks[b], uniformity->split[b], arena);
}
