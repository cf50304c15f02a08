/* Banks and offsets of constants, from the text of operands. */
#include "wcet/constants.h"

#include "base/checked.h"
#include "base/plant.h"

#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 64

struct constant_line {
	long bank, number;
};

/* c[0x0][0x210], c[0x4][RZ], and what stands around such: else a register is in the address, or no constant is read. */
static bool line_of(const char *operand, struct constant_line *line)
{
	const char *begin = strstr(operand, "c[0x");
	char *end;
	if (begin == NULL || strchr(begin, 'R') != strstr(begin, "RZ]"))
		return false;
	line->bank = strtol(begin + 2, &end, 16);
	if (strncmp(end, "][", 2) != 0)
		return false;
	long offset = strtol(end + 2, &end, 16);
	line->number = planted(PLANT_FIRST_READS) ? 0 : offset / LINE_BYTES;
	return strchr("]R", *end) != NULL && offset >= 0;
}

static int64_t add(struct constant_line *lines, int64_t count, struct constant_line line)
{
	for (int64_t i = 0; i < count; i++)
		if (lines[i].bank == line.bank && lines[i].number == line.number)
			return count;
	lines[count] = line;
	return count + 1;
}

/* Those that follow none of them in their bank. */
static int64_t count_runs(const struct constant_line *lines, int64_t count)
{
	int64_t runs = count;
	for (int64_t i = 0; i < count; i++)
		for (int64_t k = 0; k < count; k++)
			runs -= lines[k].bank == lines[i].bank && lines[k].number + 1 == lines[i].number;
	return planted(PLANT_ONE_RUN) ? checked_min(1, runs) : runs;
}

int64_t constants_lines(const struct program *program, struct arena *arena, int64_t *runs)
{
	struct constant_line *lines = arena_allocate(arena, (size_t)program->instruction_count + 1, sizeof *lines);
	int64_t count = 0;
	for (int b = 0; b < program->block_count; b++) {
		const struct program_block *block = &program->blocks[b];
		int64_t read = 0;
		for (int i = block->first; i < block->first + block->count; i++) {
			const struct program_instruction *instruction = &program->instructions[i];
			struct constant_line line;
			bool known = false;
			for (int k = 0; k < instruction->operand_count && !known; k++)
				known = line_of(instruction->operands[k], &line);
			count = known ? add(lines, count, line) : count;
			read += known;
		}
		if (read != block->counts[CLASS_CONSTANT])
			return NONE;
	}
	*runs = count_runs(lines, count);
	return count;
}

int64_t constants_lines_of_code(const struct program *program)
{
	int64_t last = 0;
	for (int i = 0; i < program->instruction_count; i++)
		last = checked_max(last, program->instructions[i].address);
	return last / LINE_BYTES + 1;
}
