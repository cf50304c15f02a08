/* Words of 32 bits, as the machine computes them. */
#include "warps/arithmetic.h"

#include <stdlib.h>
#include <string.h>

static uint32_t value_of(const char *text, const struct arithmetic_thread *thread)
{
	if (*text == '-')
		return 0 - value_of(text + 1, thread);
	if (*text == '~')
		return ~value_of(text + 1, thread);
	if (strcmp(text, "RZ") == 0)
		return 0;
	if (text[0] == 'U')
		return (uint32_t)thread->cell(thread->context, CELL_UNIFORM + atoi(text + 2));
	return text[0] == 'R' ? (uint32_t)thread->cell(thread->context, atoi(text + 1)) : (uint32_t)strtoul(text, NULL, 16);
}

static uint32_t by_table(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t word = 0;
	for (int bit = 0; bit < 32; bit++)
		word |= (uint32_t)(table >> ((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)) & 1) << bit;
	return word;
}

static uint32_t place_of(const char *name, const struct arithmetic_thread *thread)
{
	return strcmp(name, "SR_LANEID") == 0 ? thread->lane : thread->place[name[7] - 'X'];
}

/* ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT; no other end. */
static bool is_so(const char *order, uint32_t one, uint32_t other)
{
	bool is_signed = strcmp(order + 2, ".AND") == 0, less = is_signed ? (int32_t)one < (int32_t)other : one < other;
	bool result = order[0] == 'L' ? less : !less && one != other;
	return result || (order[1] == 'E' && one == other);
}

bool arithmetic_word(const struct program_instruction *instruction, const struct arithmetic_thread *thread, uint32_t *word)
{
	const char *name = instruction->mnemonic, **of = instruction->operands;
	uint32_t words[4] = {0};
	if (instruction->operand_count == 0)
		return false;
	for (int i = 1; i < instruction->operand_count && i < 4; i++)
		words[i] = of[i][0] == 'P' || of[i][0] == '!' || of[i][0] == 'S' ? 0 : value_of(of[i], thread);
	if (strcmp(name, "MOV") == 0)
		*word = words[1];
	else if (strcmp(name, "IADD3") == 0)
		*word = words[1] + words[2] + words[3];
	else if (strcmp(name, "IMAD") == 0)
		*word = words[1] * words[2] + words[3];
	else if (strcmp(name, "LEA") == 0)
		*word = (words[1] << words[3]) + words[2];
	else if (strcmp(name, "SHF.L.U32") == 0)
		*word = words[1] << words[2];
	else if (strcmp(name, "SHF.R.U32.HI") == 0)
		*word = words[3] >> words[2];
	else if (strcmp(name, "SHF.R.S32.HI") == 0)
		*word = words[3] >> words[2] | (words[3] >> 31 != 0 && words[2] > 0 ? ~(UINT32_MAX >> words[2]) : 0);
	else if (strcmp(name, "LOP3.LUT") == 0)
		*word = by_table(words[1], words[2], words[3], (unsigned)strtoul(of[4], NULL, 16));
	else if (strcmp(name, "SEL") == 0)
		*word = words[((thread->cell(thread->context, CELL_PREDICATE + atoi(of[3] + 1 + (of[3][0] == '!'))) & 1) != 0) ==
					      (of[3][0] != '!')
				      ? 1
				      : 2];
	else if (strncmp(name, "ISETP.", 6) == 0)
		*word = is_so(name + 6, words[2], words[3]);
	else if (strcmp(name, "S2R") == 0)
		*word = place_of(of[1], thread);
	else
		return false;
	return true;
}
