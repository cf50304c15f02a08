/* Registers that hold the index on every way, forwards; and what is done with it. */
#include "wcet/thread_index.h"

#include "base/plant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* R12, with or without ".reuse"; NO_ID: another operand. */
static int register_of(const char *text)
{
	char *end;
	if (text[0] != 'R' || !isdigit((unsigned char)text[1]))
		return NO_ID;
	long number = strtol(text + 1, &end, 10);
	return number < 255 && (*end == '\0' || strcmp(end, ".reuse") == 0) ? (int)number : NO_ID;
}

/* -1: no number. */
static int64_t number_of(const char *text)
{
	char *end;
	int64_t number = isdigit((unsigned char)text[0]) ? strtoll(text, &end, text[1] == 'x' ? 16 : 10) : -1;
	return number >= 0 && *end == '\0' ? number : -1;
}

static bool is_multiple(int64_t number)
{
	return number >= 0 && number <= INT32_MAX && (number % THREADS_A_WARP == 0 || planted(PLANT_INDEX_ANYHOW));
}

/* ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT: is it above 31, or not? */
static int compared(const struct program_instruction *instruction)
{
	static const char *const ends[] = {".AND", ".OR", ".XOR", ".U32.AND", ".U32.OR", ".U32.XOR"};
	const char *const *operands = instruction->operands, *name = instruction->mnemonic;
	bool above = strncmp(name, "ISETP.GT", 8) == 0 || strncmp(name, "ISETP.LE", 8) == 0;
	bool known = false;
	if (instruction->written_count != 2 || instruction->operand_count != 5 ||
		(!above && strncmp(name, "ISETP.GE", 8) != 0 && strncmp(name, "ISETP.LT", 8) != 0))
		return NO_ID;
	for (int i = 0; i < 6; i++)
		known |= strcmp(name + 8, ends[i]) == 0;
	int64_t number = number_of(operands[3]);
	return known && number >= 0 && is_multiple(number + above) ? register_of(operands[2]) : NO_ID;
}

/* SHF.R.U32.HI R1, RZ, 0x5, R0; LOP3.LUT P0, R1, R0, 0x3e0, RZ, 0xc0, !PT */
static int taken_above(const struct program_instruction *instruction)
{
	const char *const *from = instruction->operands + instruction->written_count;
	int count = instruction->operand_count - instruction->written_count;
	if (strcmp(instruction->mnemonic, "SHF.R.U32.HI") == 0 && count == 3 && strcmp(from[0], "RZ") == 0) {
		int64_t by = number_of(from[1]);
		return by < 32 && by >= (planted(PLANT_INDEX_ANYHOW) ? 1 : 5) ? register_of(from[2]) : NO_ID;
	}
	if (strcmp(instruction->mnemonic, "LOP3.LUT") == 0 && count >= 4 && strcmp(from[2], "RZ") == 0 && strcmp(from[3], "0xc0") == 0)
		return is_multiple(number_of(from[1])) ? register_of(from[0]) : NO_ID;
	return NO_ID;
}

/* Are the indices of a warp's threads 32 in a row, from a multiple of 32 on? */
static bool in_rows(const struct program *program)
{
	const int64_t *extents = program->extents;
	return program->shaped && (extents[0] % THREADS_A_WARP == 0 || (extents[1] == 1 && extents[2] == 1));
}

static void execute(const struct program_instruction *instruction, struct cells *held)
{
	for (int w = 0; w < CELL_WORDS; w++)
		held->words[w] &= ~(instruction->writes.words[w] | instruction->may_write.words[w]);
	bool index = strcmp(instruction->mnemonic, "S2R") == 0 && instruction->guard == NULL && instruction->operand_count == 2 &&
		     strcmp(instruction->operands[1], "SR_TID.X") == 0;
	if (index && register_of(instruction->operands[0]) != NO_ID)
		cells_add(held, register_of(instruction->operands[0]));
}

static bool pass(const struct flow *flow, int block, struct cells *held)
{
	const struct program_block *of = &flow->program->blocks[block];
	struct cells cells = held[block];
	bool changed = false;
	for (int i = of->first; i < of->first + of->count; i++)
		execute(&flow->program->instructions[i], &cells);
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++) {
		int to = flow->edges[flow->out[i]].to;
		for (int w = 0; w < CELL_WORDS && to < flow->block_count; w++) {
			changed |= (held[to].words[w] & ~cells.words[w]) != 0;
			held[to].words[w] &= cells.words[w];
		}
	}
	return changed;
}

int *thread_index_find(const struct flow *flow)
{
	const struct program *program = flow->program;
	struct cells *held = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *held);
	int *found = arena_allocate(flow->arena, (size_t)program->instruction_count, sizeof *found);
	bool changed = true;
	memset(held + 1, 0xff, (size_t)(flow->block_count - 1) * sizeof *held);
	while (changed) {
		changed = false;
		for (int b = 0; b < flow->block_count; b++)
			changed |= pass(flow, b, held);
	}
	for (int i = 0; i < program->instruction_count; i++)
		found[i] = NO_ID;
	for (int b = 0; b < flow->block_count && in_rows(program); b++) {
		const struct program_block *of = &program->blocks[b];
		for (int i = of->first; i < of->first + of->count; i++) {
			const struct program_instruction *instruction = &program->instructions[i];
			int of_two[] = {compared(instruction), taken_above(instruction)};
			for (int k = 0; k < 2; k++)
				if (of_two[k] != NO_ID && cells_has(&held[b], of_two[k]))
					found[i] = of_two[k];
			execute(instruction, &held[b]);
		}
	}
	return found;
}
