/* What an instruction of disassembled code reads and writes. */
#include "input/sass.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum shape { SHAPE_NONE, SHAPE_FIRST, SHAPE_CARRY, SHAPE_TWO, SHAPE_ONE, SHAPE_VOTE, SHAPE_TEXTURE, SHAPE_PREDICATES, SHAPE_ANYTHING };

struct write {
	const char *name;
	enum shape shape;
	enum program_origin origin;
};

static const struct write writes[] = {
#define WRITES(name, shape, origin) {#name, SHAPE_##shape, ORIGIN_##origin},
#include "input/writes.def"
#undef WRITES
};
static const struct write anything = {"", SHAPE_ANYTHING, ORIGIN_THREAD};

static const struct write *find_write(const char *mnemonic)
{
	size_t base = strcspn(mnemonic, ".");
	if (strstr(mnemonic, ".256") != NULL) /* more than one register of words that follow one another */
		return &anything;
	for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
		if (strlen(writes[i].name) == base && strncmp(writes[i].name, mnemonic, base) == 0)
			return &writes[i];
	return &anything;
}

/* ---- names of cells */

/* R12, UR4, P0, UP3 and what ends the name; -1: another word. RZ, URZ, PT and UPT hold no value. */
static int cell_of(const char *at, const char **end)
{
	int uniform = *at == 'U';
	char kind = at[uniform];
	if ((kind != 'R' && kind != 'P') || !isdigit((unsigned char)at[uniform + 1]))
		return -1;
	long number = strtol(at + uniform + 1, (char **)(uintptr_t)end, 10);
	if (isalnum((unsigned char)**end) || **end == '_')
		return -1;
	if (kind == 'P')
		return number < 7 ? (uniform ? CELL_UNIFORM_PREDICATE : CELL_PREDICATE) + (int)number : -1;
	return uniform ? (number < 63 ? CELL_UNIFORM + (int)number : -1) : number < 255 ? (int)number : -1;
}

static bool is_predicate(const char *operand)
{
	const char *end;
	return strcmp(operand, "PT") == 0 || strcmp(operand, "UPT") == 0 || cell_of(operand, &end) >= CELL_PREDICATE;
}

static bool is_register(const char *operand)
{
	const char *end;
	int cell = cell_of(operand, &end);
	return strncmp(operand, "RZ", 2) == 0 || strncmp(operand, "URZ", 3) == 0 || (cell >= 0 && cell < CELL_PREDICATE);
}

static void add_range(struct cells *cells, int first, int count)
{
	for (int cell = first; cell < first + count && cell < CELL_COUNT; cell++)
		cells_add(cells, cell);
}

/* Every cell that the text names, registers with `more` behind them. */
static void add_named(struct cells *cells, const char *text, int more)
{
	for (const char *at = text, *end; *at != '\0'; at++) {
		if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.'))
			continue;
		int cell = cell_of(at, &end);
		if (cell >= 0)
			add_range(cells, cell, 1 + (cell < CELL_PREDICATE ? more : 0));
		else if (strncmp(at, "PR", 2) == 0 && !isalnum((unsigned char)at[2]))
			add_range(cells, CELL_PREDICATE, 7);
		else if (strncmp(at, "UPR", 3) == 0 && !isalnum((unsigned char)at[3]))
			add_range(cells, CELL_UNIFORM_PREDICATE, 7);
	}
}

/* ---- operands */

static void split(struct arena *arena, const char *text, struct program_instruction *result)
{
	int capacity = 0;
	for (const char *at = text; *at != '\0';) {
		size_t length = strcspn(at, ",");
		result->operands = arena_grow(arena, result->operands, &capacity, result->operand_count + 1, sizeof *result->operands);
		result->operands[result->operand_count++] = arena_format(arena, "%.*s", (int)length, at);
		at += length;
		at += strspn(at, ", ");
	}
}

static int predicates_from(const struct program_instruction *instruction, int from, int most)
{
	int count = 0;
	while (count < most && from + count < instruction->operand_count && is_predicate(instruction->operands[from + count]))
		count++;
	return count;
}

/* How many operands are written. */
static int count_written(const struct program_instruction *instruction, enum shape shape)
{
	bool any = instruction->operand_count > 0;
	int leading = predicates_from(instruction, 0, 2);
	bool has = any && leading < instruction->operand_count && is_register(instruction->operands[leading]);
	switch (shape) {
	case SHAPE_FIRST: return leading + has;
	case SHAPE_CARRY: return leading + has + (has ? predicates_from(instruction, leading + 1, 2) : 0);
	case SHAPE_TWO: return leading;
	case SHAPE_ONE: return leading > 0;
	case SHAPE_VOTE: return has && leading == 0 ? 1 + predicates_from(instruction, 1, 1) : leading > 0;
	case SHAPE_TEXTURE: return leading + has + (has && leading + 1 < instruction->operand_count);
	default: return 0;
	}
}

static bool begins(const char *mnemonic, const char *base)
{
	size_t length = strlen(base);
	return strncmp(mnemonic, base, length) == 0 && (mnemonic[length] == '\0' || mnemonic[length] == '.');
}

static bool is_memory(const char *mnemonic)
{
	static const char *const bases[] = {"LD", "LDG", "LDL", "LDS", "LDC", "ULDC", "LDCU", NULL};
	for (int i = 0; bases[i] != NULL; i++)
		if (begins(mnemonic, bases[i]))
			return true;
	return false;
}

/* Of an access to memory, by a thread. */
static int bytes_of(const char *mnemonic)
{
	static const struct {
		const char *suffix;
		int bytes;
	} suffixes[] = {{".256", 32}, {".128", 16}, {".64", 8}, {".F64", 8}, {".U16", 2}, {".S16", 2}, {".U8", 1}, {".S8", 1}};
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (strstr(mnemonic, suffixes[i].suffix) != NULL)
			return suffixes[i].bytes;
	return 4;
}

/* Registers that a written one stands for, as far as it is known. */
static int width_of(const char *mnemonic)
{
	bool pair = begins(mnemonic, "DADD") || begins(mnemonic, "DMUL") || begins(mnemonic, "DFMA") || begins(mnemonic, "F2F.F64") ||
		    begins(mnemonic, "I2F.F64") || begins(mnemonic, "IMAD.WIDE") || begins(mnemonic, "UIMAD.WIDE") ||
		    (begins(mnemonic, "CS2R") && strstr(mnemonic, ".32") == NULL) ||
		    (is_memory(mnemonic) && strstr(mnemonic, ".64") != NULL);
	return is_memory(mnemonic) && strstr(mnemonic, ".128") != NULL ? 4 : pair ? 2 : 1;
}

/* And at most. */
static int most_width_of(const char *mnemonic, enum shape shape)
{
	bool products = strstr(mnemonic, "MMA.") != NULL && !begins(mnemonic, "HFMA2");
	bool wide = mnemonic[0] == 'D' || strstr(mnemonic, "64") != NULL || strstr(mnemonic, ".WIDE") != NULL || begins(mnemonic, "LEPC") ||
		    begins(mnemonic, "CS2R");
	if (begins(mnemonic, "DMMA") || strstr(mnemonic, "256") != NULL)
		return 8;
	if (shape == SHAPE_TEXTURE || products || begins(mnemonic, "LDSM") || strstr(mnemonic, "128") != NULL)
		return 4;
	return wide ? 2 : 1;
}

/* 1D, 2D, 3D, CUBE, ARRAY_2D: the last operand of a texture instruction, but for its mask. */
static bool is_extent(const char *operand)
{
	size_t length = strlen(operand);
	return strcmp(operand, "CUBE") == 0 || (length >= 2 && operand[length - 1] == 'D' && isdigit((unsigned char)operand[length - 2]));
}

/* Of TEX and TLD, how many of a texel's four parts are written, by the mask behind the extent; without a mask, and in another form, 4. */
static int count_parts(const struct program_instruction *instruction)
{
	int last = instruction->operand_count - 1, count = 0;
	if (last < 1 || strncmp(instruction->operands[last], "0x", 2) != 0 || !is_extent(instruction->operands[last - 1]))
		return 4;
	for (unsigned long mask = strtoul(instruction->operands[last], NULL, 16); mask != 0; mask >>= 1)
		count += (mask & 1) != 0;
	return count;
}

/* The first two parts go to the second register and the one behind it, the others to the first, which is RZ where there are none. */
static int texture_width(const struct program_instruction *instruction, int operand)
{
	bool known = begins(instruction->mnemonic, "TEX") || begins(instruction->mnemonic, "TLD");
	int parts = count_parts(instruction), second = instruction->written_count - 1;
	if (!known || parts < 1 || parts > 4)
		return 4;
	return operand == second ? (parts < 2 ? parts : 2) : parts > 2 ? parts - 2 : 2;
}

/* The addend of a product's upper word is a pair of registers, of which the text names the first. */
static bool is_pair(const struct program_instruction *instruction, int operand)
{
	bool product = begins(instruction->mnemonic, "IMAD.HI") || begins(instruction->mnemonic, "UIMAD.HI");
	return product && operand == instruction->written_count + 2;
}

/* What special register is read, where all threads of a block read the same in it. */
static bool is_alike(const char *name)
{
	static const char *const names[] = {
		"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z", "SR_CgaCtaId", "SR_NCTAID.X", "SR_NCTAID.Y", "SR_NCTAID.Z", "SRZ", NULL};
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static enum program_origin origin_of(const struct program_instruction *instruction, const struct write *write)
{
	bool special =
		begins(instruction->mnemonic, "S2R") || begins(instruction->mnemonic, "S2UR") || begins(instruction->mnemonic, "CS2R");
	if (special && instruction->operand_count == 2 && is_alike(instruction->operands[1]))
		return ORIGIN_OPERANDS;
	if (strncmp(instruction->mnemonic, "BRA.", 4) == 0) /* .DIV, .CONV: whether threads are missing */
		return ORIGIN_WARP;
	return write->origin;
}

static void find_writes(struct program_instruction *instruction, enum shape shape)
{
	const char *end;
	bool texture = shape == SHAPE_TEXTURE;
	int width = texture ? 0 : width_of(instruction->mnemonic), all = most_width_of(instruction->mnemonic, shape);
	instruction->written_count = count_written(instruction, shape);
	for (int i = 0; i < instruction->written_count; i++) {
		int cell = cell_of(instruction->operands[i], &end), most = texture ? texture_width(instruction, i) : all;
		if (cell >= CELL_PREDICATE)
			cells_add(&instruction->writes, cell);
		else if (cell >= 0) {
			add_range(&instruction->writes, cell, width);
			add_range(&instruction->may_write, cell + width, most - width);
		}
	}
	if (shape == SHAPE_PREDICATES)
		add_range(&instruction->writes, CELL_PREDICATE, 7);
	if (shape == SHAPE_ANYTHING)
		add_range(&instruction->may_write, 0, CELL_COUNT);
}

/* Of an encoding of 128 bits the three from there on: a scoreboard; 7 is none. */
static int scoreboard(const struct sass_instruction *from, int bit)
{
	int number = (int)(from->code[1] >> (bit - 64) & 7);
	return number > SCOREBOARDS ? SCOREBOARDS : number;
}

/* Bits 105 to 108: the stall count; 116 to 121: the scoreboards that it waits for; 110 to 112: the one that is set until its result is
 * there; 113 to 115: until its operands are read. */
static void find_scoreboards(const struct sass_instruction *from, struct program_instruction *instruction)
{
	instruction->encoded = from->code_count == 2;
	instruction->waits_for = (int)(from->code[1] >> 52 & 0x3f);
	instruction->sets = scoreboard(from, 110);
	instruction->holds = scoreboard(from, 113);
	instruction->stall = (int)(from->code[1] >> 41 & 0xf);
}

void sass_find_cells(struct arena *arena, const struct sass_instruction *from, struct program_instruction *instruction)
{
	const struct write *write = find_write(from->mnemonic);
	*instruction = (struct program_instruction){
		.mnemonic = from->mnemonic, .guard = from->guard, .address = from->address, .line = from->line, .place = from->place};
	split(arena, from->operands, instruction);
	instruction->origin = origin_of(instruction, write);
	instruction->space = from->space;
	instruction->bytes = bytes_of(from->mnemonic);
	instruction->copy = from->copy;
	instruction->class = from->class;
	find_scoreboards(from, instruction);
	instruction->joins = begins(from->mnemonic, "WARPSYNC");
	find_writes(instruction, write->shape);
	int more = most_width_of(from->mnemonic, write->shape) - 1;
	for (int i = instruction->written_count; i < instruction->operand_count; i++) {
		bool pair = strstr(instruction->operands[i], ".64") != NULL || is_pair(instruction, i);
		add_named(&instruction->reads, instruction->operands[i], more > 0 || !pair ? more : 1);
	}
	if (from->guard != NULL)
		add_named(&instruction->reads, from->guard, 0);
	instruction->decides = from->conditional && (from->flow == SASS_BRANCH || from->flow == SASS_EXIT || from->flow == SASS_CALL);
}
