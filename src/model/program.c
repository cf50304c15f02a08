/* Names of instruction classes as they stand in XML, and what follows from a program at once. */
#include "model/program.h"

#include <stddef.h>
#include <string.h>

const char *const class_names[] = {
#define INSTRUCTION_CLASS(symbol, name, meaning) name,
#include "model/instruction_classes.def"
#undef INSTRUCTION_CLASS
	NULL,
};

const char *const space_names[] = {"none", "global", "local", "shared", NULL};

int64_t program_warps(const struct program *program)
{
	return checked_div_ceil(program->threads, THREADS_A_WARP);
}

struct program *program_with_blocks(const struct program *of, struct arena *arena)
{
	struct program *program = arena_allocate(arena, 1, sizeof *program);
	size_t blocks = (size_t)of->block_count;
	*program = *of;
	program->blocks = arena_allocate(arena, blocks, sizeof *program->blocks);
	memcpy(program->blocks, of->blocks, blocks * sizeof *program->blocks);
	for (size_t b = 0; b < blocks; b++) {
		struct program_block *block = &program->blocks[b];
		const struct program_part *parts = block->parts;
		if (block->part_count == 0)
			continue;
		block->parts = arena_allocate(arena, (size_t)block->part_count, sizeof *parts);
		memcpy(block->parts, parts, (size_t)block->part_count * sizeof *parts);
	}
	return program;
}

bool program_places_equal(struct program_place one, struct program_place other)
{
	return one.file != NULL && other.file != NULL && one.line == other.line && strcmp(one.file, other.file) == 0;
}

bool program_rests_on(const struct program *program, const struct program_claim *claim)
{
	if (strcmp(claim->kind, "cost") != 0)
		return true;
	for (int i = 0; i < program->block_count; i++)
		for (int c = 0; c < CLASS_COUNT; c++)
			if (program->blocks[i].counts[c] > 0 && strcmp(class_names[c], claim->of) == 0)
				return true;
	return false;
}
