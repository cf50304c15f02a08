/* Constants by the characters of operands, and their lines by sorting. */
#include "verify/constants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line's number, the bank in its upper bits; NONE: none that the text says. */
static int64_t line_in(const char *text)
{
	unsigned bank = 0, offset = 0;
	int length = 0;
	text += strspn(text, "-!~|");
	if (sscanf(text, "c[0x%x][0x%x]%n", &bank, &offset, &length) == 2 && length > 0)
		return ((int64_t)bank << 32) + offset / 64;
	length = 0;
	if (sscanf(text, "c[0x%x][RZ]%n", &bank, &length) == 1 && length > 0)
		return (int64_t)bank << 32;
	return NONE;
}

static int compare(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
	return (a > b) - (a < b);
}

/* The first constant of each instruction's operands that has an address in it. */
static int64_t line_of(const struct program_instruction *instruction)
{
	int64_t line = NONE;
	for (int k = instruction->operand_count - 1; k >= 0; k--) {
		int64_t own = line_in(instruction->operands[k]);
		line = own != NONE ? own : line;
	}
	return line;
}

int64_t constants_read(struct arena *arena, const struct program *program, int64_t *first)
{
	int64_t *lines = arena_allocate(arena, (size_t)program->instruction_count + 1, sizeof *lines), different = 0;
	int count = 0;
	for (int b = 0; b < program->block_count; b++) {
		int before = count;
		for (int i = 0; i < program->blocks[b].count && program->instruction_count > 0; i++) {
			int64_t line = line_of(&program->instructions[program->blocks[b].first + i]);
			if (line != NONE)
				lines[count++] = line;
		}
		if (count - before != program->blocks[b].counts[CLASS_CONSTANT])
			return NONE;
	}
	qsort(lines, (size_t)count, sizeof *lines, compare);
	*first = 0;
	for (int i = 0; i < count; i++) {
		different += i == 0 || lines[i] != lines[i - 1];
		*first += i == 0 || lines[i] > lines[i - 1] + 1;
	}
	return different;
}

int64_t constants_of_code(const struct program *program)
{
	int64_t end = 0;
	for (const struct program_instruction *at = program->instructions; at < program->instructions + program->instruction_count; at++)
		if (at->address + 16 > end)
			end = at->address + 16;
	return (end + 63) / 64;
}
