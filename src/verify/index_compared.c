/* From an instruction back to what wrote its register, on every way. */
#include "verify/index_compared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* R0 or R0.reuse: 0; -1: it is no register. */
static int register_named(const char *text)
{
	int number, used = 0;
	if (sscanf(text, "R%3d%n", &number, &used) != 1 || number < 0 || number > 254)
		return -1;
	return text[used] == '\0' || strcmp(text + used, ".reuse") == 0 ? number : -1;
}

static bool is_number(const char *text, long long *number)
{
	int used = 0;
	return text[0] >= '0' && text[0] <= '9' && sscanf(text, "%lli%n", number, &used) == 1 && text[used] == '\0';
}

/* The operand of which only the part above the lane's five bits counts, and whether it does. */
static int candidate(const struct program_instruction *instruction)
{
	char order[3] = "", rest[16] = "";
	long long number;
	int written = instruction->written_count, read = instruction->operand_count - written;
	const char *const *operands = instruction->operands;
	if (sscanf(instruction->mnemonic, "ISETP.%2s%15s", order, rest) == 2 && written == 2 && read == 3) {
		const char *join = strncmp(rest, ".U32", 4) == 0 ? rest + 4 : rest;
		bool plain = strcmp(join, ".AND") == 0 || strcmp(join, ".OR") == 0 || strcmp(join, ".XOR") == 0;
		if (!plain || !is_number(operands[3], &number) || number >= INT32_MAX)
			return -1;
		bool at = strcmp(order, "LT") == 0 || strcmp(order, "GE") == 0,
		     behind = strcmp(order, "LE") == 0 || strcmp(order, "GT") == 0;
		return (at && number % 32 == 0) || (behind && number % 32 == 31) ? register_named(operands[2]) : -1;
	}
	if (strcmp(instruction->mnemonic, "SHF.R.U32.HI") == 0 && read == 3) {
		bool above = strcmp(operands[written], "RZ") == 0 && is_number(operands[written + 1], &number) && number > 4 && number < 32;
		return above ? register_named(operands[written + 2]) : -1;
	}
	if (strcmp(instruction->mnemonic, "LOP3.LUT") == 0 && read >= 4 && strcmp(operands[written + 2], "RZ") == 0 &&
		strcmp(operands[written + 3], "0xc0") == 0 && is_number(operands[written + 1], &number))
		return number % 32 == 0 && number <= INT32_MAX ? register_named(operands[written]) : -1;
	return -1;
}

enum writer { WRITES_NOTHING, WRITES_INDEX, WRITES_ANYTHING };

static enum writer writer_of(const struct program_instruction *instruction, int cell)
{
	if (!cells_has(&instruction->writes, cell) && !cells_has(&instruction->may_write, cell))
		return WRITES_NOTHING;
	bool index = strcmp(instruction->mnemonic, "S2R") == 0 && instruction->guard == NULL && instruction->operand_count == 2 &&
		     strcmp(instruction->operands[1], "SR_TID.X") == 0 && register_named(instruction->operands[0]) == cell;
	return index ? WRITES_INDEX : WRITES_ANYTHING;
}

/* Of a block the last one before the instruction `end`. */
static enum writer last_writer(const struct program *program, int block, int end, int cell)
{
	enum writer found = WRITES_NOTHING;
	for (int i = program->blocks[block].first; i < end; i++) {
		enum writer own = writer_of(&program->instructions[i], cell);
		found = own != WRITES_NOTHING ? own : found;
	}
	return found;
}

struct search {
	const struct code *code;
	bool *seen;
	int *waiting;
};

static bool holds_index(const struct search *search, int number, int cell)
{
	const struct program *program = search->code->program;
	int block = program->instructions[number].block, count = 0;
	enum writer last = last_writer(program, block, number, cell);
	if (last != WRITES_NOTHING)
		return last == WRITES_INDEX;
	memset(search->seen, 0, (size_t)program->block_count * sizeof *search->seen);
	search->waiting[count++] = block;
	while (count > 0) {
		int at = search->waiting[--count];
		for (int i = search->code->first_in[at]; i < search->code->first_in[at + 1]; i++) {
			int from = search->code->ways[search->code->in[i]].from;
			if (from < 0)
				return false;
			const struct program_block *of = &program->blocks[from];
			last = last_writer(program, from, of->first + of->count, cell);
			if (last == WRITES_ANYTHING)
				return false;
			if (last == WRITES_NOTHING && !search->seen[from])
				search->waiting[count++] = from;
			search->seen[from] = true;
		}
	}
	return true;
}

int *index_compared_read(struct arena *arena, const struct code *code)
{
	const struct program *program = code->program;
	int *found = arena_allocate(arena, (size_t)program->instruction_count, sizeof *found);
	struct search search = {code, arena_allocate(arena, (size_t)program->block_count, sizeof *search.seen),
		arena_allocate(arena, (size_t)program->block_count + 1, sizeof *search.waiting)};
	bool flat = program->extents[1] * program->extents[2] == 1;
	bool rows = program->shaped && (flat || program->extents[0] % 32 == 0);
	for (int i = 0; i < program->instruction_count; i++) {
		int cell = program->instructions[i].block == NO_ID ? -1 : candidate(&program->instructions[i]);
		found[i] = rows && cell >= 0 && holds_index(&search, i, cell) ? cell : -1;
	}
	return found;
}
