/* Groups of instructions between waits, block by block. */
#include "wcet/waits.h"

#include "base/plant.h"

#include <string.h>

/* Of one class, since the warp waited last for one of them. */
struct group {
	int count, scoreboards;
	const struct program_instruction *last;
};

static bool overlaps(const struct program *program, const struct program_instruction *instruction)
{
	return program->declared[instruction->class].issue > 0 && instruction->encoded && instruction->sets < SCOREBOARDS;
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

static void count_passed(struct program_block *block, const struct program_instruction *instruction)
{
	block->passed[instruction->class]++;
	for (int i = 0; i < block->part_count; i++)
		if (program_places_equal(block->parts[i].place, instruction->place))
			block->parts[i].passed[instruction->class]++;
}

static void find_groups(struct program *program, struct program_block *block)
{
	struct group groups[CLASS_COUNT] = {{0, 0, NULL}};
	for (int i = block->first; i < block->first + block->count; i++) {
		const struct program_instruction *instruction = &program->instructions[i];
		struct group *own = &groups[instruction->class];
		for (int c = 0; c < CLASS_COUNT; c++)
			if (!waits_by_encoding(instruction) ||
				((instruction->waits_for & groups[c].scoreboards) != 0 && !planted(PLANT_WAITS)))
				groups[c] = (struct group){0, 0, NULL};
		if (!overlaps(program, instruction))
			continue;
		if (own->count == program->declared[instruction->class].under_way)
			*own = (struct group){0, 0, NULL};
		if (own->count > 0)
			count_passed(block, own->last);
		*own = (struct group){own->count + 1, own->scoreboards | 1 << instruction->sets | 1 << instruction->holds, instruction};
	}
}

const struct program *waits_find(const struct flow *flow, const struct uniformity *uniformity)
{
	bool any = false;
	for (int i = 0; i < flow->program->instruction_count; i++)
		any |= overlaps(flow->program, &flow->program->instructions[i]);
	if (!any)
		return flow->program;
	struct program *program = program_with_blocks(flow->program, flow->arena);
	for (int b = 0; b < flow->block_count; b++)
		if (!uniformity->split[b])
			find_groups(program, &program->blocks[b]);
	return program;
}
