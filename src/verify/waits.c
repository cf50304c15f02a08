/* The first wait for an instruction, in its block. */
#include "verify/waits.h"

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
	return waiting->encoded && ((waiting->waits_for >> of->sets | waiting->waits_for >> of->holds) & 1) != 0;
}

static bool may_overlap(const struct program *program, int number)
{
	const struct program_instruction *instruction = &program->instructions[number];
	const struct class_cost *cost = &program->declared[instruction->class];
	return cost->latency != NONE && cost->issue > 0 && instruction->encoded && instruction->sets != SCOREBOARDS;
}

/* The number of the first instruction of the block, behind the one, that waits for it; the number behind the block's last. */
static int first_wait(const struct program *program, int number)
{
	const struct program_block *block = &program->blocks[program->instructions[number].block];
	int at = number + 1;
	while (at < block->first + block->count && !waits_for_all(&program->instructions[at]) &&
		!names(&program->instructions[at], &program->instructions[number]))
		at++;
	return at;
}

/* Of a block and class: all but the last of each row of instructions of which none is waited for before the row ends. */
static int64_t count_passed(const struct program *program, const struct program_block *block, int class)
{
	int64_t passed = 0, length = 0;
	int waited = 0; /* by when one of the row is */
	for (int i = block->first; i < block->first + block->count; i++) {
		if (program->instructions[i].class != class || !may_overlap(program, i))
			continue;
		bool goes_on = length > 0 && waited > i && length < program->declared[class].under_way &&
			       !waits_for_all(&program->instructions[i]);
		int own = first_wait(program, i);
		passed += goes_on;
		waited = goes_on && waited < own ? waited : own;
		length = goes_on ? length + 1 : 1;
	}
	return passed;
}

const int64_t *waits_read(struct arena *arena, const struct code *code, const bool *parted)
{
	const struct program *program = code->program;
	int64_t *passed = arena_allocate(arena, (size_t)program->block_count * CLASS_COUNT, sizeof *passed);
	for (int b = 0; b < program->block_count; b++)
		for (int c = 0; c < CLASS_COUNT && program->instruction_count > 0 && !parted[b]; c++)
			passed[b * CLASS_COUNT + c] = count_passed(program, &program->blocks[b], c);
	return passed;
}
