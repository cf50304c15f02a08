/* The lines of a disassembled function. */
#include "input/sass.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static char *copy_range(struct arena *arena, const char *from, const char *to)
{
	while (to > from && strchr(" \t\r", to[-1]) != NULL)
		to--;
	return arena_format(arena, "%.*s", (int)(to - from), from);
}

/* ---- one instruction */

static int sync_register(const char *operands)
{
	int number = operands[0] == 'B' && isdigit((unsigned char)operands[1]) ? atoi(operands + 1) : -1;
	return number < SASS_SYNC_REGISTERS ? number : -1;
}

/* BMOV between barrier registers, from an immediate, or to nowhere: what clears them, on compute capability 8.7 in a prologue. */
static bool understand_move(struct sass_instruction *instruction)
{
	const char *source = strchr(instruction->operands, ',');
	if (source == NULL)
		return false;
	source = skip_blanks(source + 1);
	instruction->sync_register = sync_register(instruction->operands);
	instruction->sync_from = sync_register(source);
	bool to_nowhere = strncmp(instruction->operands, "RZ,", 3) == 0 && instruction->sync_from >= 0;
	return to_nowhere || (instruction->sync_register >= 0 && (instruction->sync_from >= 0 || isdigit((unsigned char)*source)));
}

static const char *last_operand(const char *operands)
{
	const char *comma = strrchr(operands, ',');
	return skip_blanks(comma != NULL ? comma + 1 : operands);
}

/* The last operand: `(.L_x_1) or 0x1d0. */
static void find_target(struct arena *arena, struct sass_instruction *instruction)
{
	const char *last = last_operand(instruction->operands);
	const char *close = strchr(last, ')');
	char *end;
	instruction->target = NONE;
	if (strncmp(last, "`(", 2) == 0 && close != NULL)
		instruction->label = copy_range(arena, last + 2, close);
	else if (strncmp(last, "0x", 2) == 0) {
		int64_t value = strtoll(last, &end, 16);
		instruction->target = *skip_blanks(end) == '\0' ? value : NONE;
	}
}

static bool base_is(const char *mnemonic, const char *base)
{
	size_t length = strlen(base);
	return strncmp(mnemonic, base, length) == 0 && (mnemonic[length] == '\0' || mnemonic[length] == '.');
}

static bool is_one_of(const char *mnemonic, const char *const *bases)
{
	for (; *bases != NULL; bases++)
		if (base_is(mnemonic, *bases))
			return true;
	return false;
}

/* What the text does not show the consequences of. */
static const char *const refused[] = {"BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET", "RPCMOV", "KILL", "BPT", "RTT", "NANOSLEEP",
	"SSY", "SYNC", "PBK", "BRK", "PCNT", "CONT", "PRET", "CAL", "PEXIT", "LONGJMP", "PLONGJMP", NULL};

static enum sass_flow flow_of(const struct sass_instruction *instruction)
{
	const char *mnemonic = instruction->mnemonic;
	bool names_label = strstr(instruction->operands, "`(") != NULL || strstr(mnemonic, ".COLLECTIVE") != NULL;
	if (is_one_of(mnemonic, refused))
		return SASS_REFUSED;
	if (base_is(mnemonic, "EXIT"))
		return SASS_EXIT;
	if (base_is(mnemonic, "BSSY"))
		return SASS_SET_SYNC;
	if (base_is(mnemonic, "BSYNC"))
		return SASS_SYNC;
	if (base_is(mnemonic, "BMOV"))
		return SASS_MOVE_SYNC;
	if (base_is(mnemonic, "BAR")) /* of the whole block only */
		return strcmp(instruction->operands, "0x0") == 0 ? SASS_NEXT : SASS_REFUSED;
	if (base_is(mnemonic, "BRA"))
		return SASS_BRANCH;
	return names_label ? SASS_REFUSED : SASS_NEXT;
}

static void understand(struct arena *arena, struct sass_instruction *instruction)
{
	instruction->flow = flow_of(instruction);
	instruction->target = NONE;
	instruction->sync_register = instruction->sync_from = -1;
	if (instruction->flow == SASS_MOVE_SYNC && !understand_move(instruction))
		instruction->flow = SASS_REFUSED;
	if (instruction->flow == SASS_BRANCH || instruction->flow == SASS_SET_SYNC)
		find_target(arena, instruction);
	if (instruction->flow == SASS_BRANCH) /* a condition among operands or suffixes */
		instruction->conditional |= strchr(instruction->operands, ',') != NULL || strcmp(instruction->mnemonic, "BRA") != 0;
	if (instruction->flow == SASS_EXIT)
		instruction->conditional |= instruction->operands[0] != '\0';
	if (instruction->flow == SASS_SET_SYNC || instruction->flow == SASS_SYNC)
		instruction->sync_register = sync_register(instruction->operands);
	if (base_is(instruction->mnemonic, "BREAK"))
		instruction->sync_register = sync_register(last_operand(instruction->operands));
}

/* An address in a comment, @P0 BRA 0x1d0 and a semicolon: false where there is an address and nothing that can be understood. */
static bool add_instruction(struct arena *arena, struct sass *sass, const char *at, const char *end, long line)
{
	char *after;
	struct sass_instruction instruction = {.address = strtoll(at + 2, &after, 16), .line = line};
	const char *semicolon = memchr(after, ';', (size_t)(end - after));
	if (strncmp(after, "*/", 2) != 0 || semicolon == NULL)
		return false;
	at = skip_blanks(after + 2);
	if (*at == '@') {
		instruction.conditional = true;
		at = skip_blanks(at + strcspn(at, " \t"));
	}
	size_t length = strcspn(at, " \t;");
	if (length == 0 || !isupper((unsigned char)*at))
		return false;
	instruction.mnemonic = copy_range(arena, at, at + length);
	instruction.operands = at + length < semicolon ? copy_range(arena, skip_blanks(at + length), semicolon) : "";
	understand(arena, &instruction);
	sass->instructions = arena_grow(arena, sass->instructions, &sass->capacity, sass->count + 1, sizeof *sass->instructions);
	sass->instructions[sass->count++] = instruction;
	return true;
}

/* ---- the function in the text */

/* Does a function begin on this line? 1: the wanted one, 0: another, -1: none. cuobjdump: "Function : NAME"; nvdisasm: ".text.NAME:". */
static int begins_function(const char *at, const char *end, const char *function)
{
	size_t length = strlen(function), have;
	if (strncmp(at, "Function : ", 11) == 0)
		at += 11;
	else if (strncmp(at, ".text.", 6) == 0 && end > at && end[-1] == ':') {
		at += 6;
		end--;
	} else
		return -1;
	have = (size_t)(end - at);
	return have == length && strncmp(at, function, length) == 0;
}

static bool is_address(const char *at)
{
	return at[0] == '/' && at[1] == '*' && isxdigit((unsigned char)at[2]);
}

static const char *trimmed_end(const char *at)
{
	const char *end = at + strcspn(at, "\n");
	while (end > at && strchr(" \t\r", end[-1]) != NULL)
		end--;
	return end;
}

/* One line of the wanted function; false: it cannot be read. */
static bool scan_line(struct reader *reader, struct sass *sass, const char *at, const char *end, long line)
{
	if (is_address(at))
		return add_instruction(reader->arena, sass, at, end, line);
	if (*at == '.' && end > at && end[-1] == ':')
		names_add(&sass->labels, copy_range(reader->arena, at, end - 1), sass->count);
	return true;
}

bool sass_scan(struct reader *reader, const struct xml_element *element, const char *text, const char *function, struct sass *sass)
{
	bool inside = false, found = false;
	long line = 1;
	*sass = (struct sass){.count = 0};
	names_init(&sass->labels, reader->arena);
	for (const char *at = text; *at != '\0'; line++) {
		const char *begin = skip_blanks(at), *end = trimmed_end(begin);
		int begins = begins_function(begin, end, function);
		inside = begins >= 0 ? begins == 1 && !found : inside;
		found |= begins == 1;
		if (inside && begins < 0 && !scan_line(reader, sass, begin, end, line)) {
			COMPLAIN(reader, element, SASS_MALFORMED,
				"expected an instruction and a semicolon after the address in line %ld of the disassembly", line);
			return false;
		}
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	if (sass->count > 0)
		return true;
	COMPLAIN(reader, element, SASS_FUNCTION, "expected the code of function \"%s\"; the disassembly has none",
		element_shorten(reader->arena, function, SHORT_VALUE));
	return false;
}
