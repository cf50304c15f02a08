/* One instruction of disassembled code, from its text. */
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

/* What is refused by name, whatever class the program gives it: control that the text does not show, and waits that no cost bounds. */
static const struct sass_refusal refused[] = {
	{"BRX", false, NULL},
	{"BRXU", false, NULL},
	{"JMP", false, NULL},
	{"JMX", false, NULL},
	{"JMXU", false, NULL},
	{"RPCMOV", false, NULL},
	{"KILL", false, NULL},
	{"BPT", false, NULL},
	{"RTT", false, NULL},
	{"SSY", false, NULL},
	{"SYNC", false, NULL},
	{"PBK", false, NULL},
	{"BRK", false, NULL},
	{"PCNT", false, NULL},
	{"CONT", false, NULL},
	{"PRET", false, NULL},
	{"CAL", false, NULL},
	{"PEXIT", false, NULL},
	{"LONGJMP", false, NULL},
	{"PLONGJMP", false, NULL},
	{"NANOSLEEP", true, "it sleeps for a time that it is given"},
	{"ACQBULK", true, "it waits for the kernels before this one"},
	{"ACQSHMINIT", true, "it waits for shared memory that others prepare"},
	{"UCGABAR_WAIT", true, "it waits for the other blocks of the cluster"},
	{"USETMAXREG", true, "it waits for registers that other warps give back"},
	{"UTCATOMSWS", true, "it waits for memory that other blocks give back"},
};
static const struct sass_refusal wait = {"", true, "it waits for what others do"};
static const struct sass_refusal predicated = {"", false, "threads whose predicate is false do not come to the barrier"};
static const struct sass_refusal of_a_part = {"", false, "the barrier is not one of the whole block"};
static const struct sass_refusal hidden = {"", false, NULL};
static const struct sass_refusal called = {"", false, "only calls of an address of the function, and returns to behind them, are followed"};

/* CALL.REL.NOINC 0x1390: the address is one of the function. */
static bool is_direct_call(const struct sass_instruction *instruction)
{
	return base_is(instruction->mnemonic, "CALL.REL.NOINC") && strncmp(instruction->operands, "0x", 2) == 0;
}

/* RET.REL.NODEC R4 0x0: to the address, of 64 bits, in the register. */
static bool is_return(const struct sass_instruction *instruction)
{
	const char *end = instruction->operands;
	if (!base_is(instruction->mnemonic, "RET.REL.NODEC") || *end != 'R' || !isdigit((unsigned char)end[1]))
		return false;
	end += 1 + strspn(end + 1, "0123456789");
	return strcmp(end, " 0x0") == 0;
}

/* NULL: it is none of them. SYNCS...TRYWAIT and its like are told by the word. */
const struct sass_refusal *sass_refusal_of(const char *mnemonic)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (base_is(mnemonic, refused[i].base))
			return &refused[i];
	return strstr(mnemonic, "WAIT") != NULL || strstr(mnemonic, ".PHASECHK") != NULL ? &wait : NULL;
}

/* BAR.RED.OR.DEFER_BLOCKING 0x0, P0: a barrier of the whole block, as no number of threads stands behind the barrier's, which gives all of
 * them one result of their predicates; B2R.RESULT reads it. */
static bool is_whole_reduction(const struct sass_instruction *instruction)
{
	const char *mnemonic = instruction->mnemonic, *predicate = instruction->operands;
	if (strcmp(mnemonic, "BAR.RED.OR.DEFER_BLOCKING") != 0 && strcmp(mnemonic, "BAR.RED.AND.DEFER_BLOCKING") != 0)
		return false;
	if (strncmp(predicate, "0x0, ", 5) != 0)
		return false;
	predicate += 5;
	predicate += *predicate == '!';
	return predicate[0] == 'P' && (predicate[1] == 'T' || isdigit((unsigned char)predicate[1])) && predicate[2] == '\0';
}

static const struct sass_refusal *why_refused(const struct sass_instruction *instruction)
{
	const char *mnemonic = instruction->mnemonic;
	const struct sass_refusal *by_name = sass_refusal_of(mnemonic);
	bool whole = strcmp(mnemonic, "BAR.SYNC") == 0 || strcmp(mnemonic, "BAR.SYNC.DEFER_BLOCKING") == 0;
	bool jumps = base_is(mnemonic, "BRA") || base_is(mnemonic, "BSSY");
	bool calls = is_direct_call(instruction) || is_return(instruction), collective = base_is(mnemonic, "WARPSYNC.COLLECTIVE");
	bool names_label = strstr(instruction->operands, "`(") != NULL || (strstr(mnemonic, ".COLLECTIVE") != NULL && !collective);
	if (by_name != NULL)
		return by_name;
	if (base_is(mnemonic, "BAR") && (!whole || strcmp(instruction->operands, "0x0") != 0) && !is_whole_reduction(instruction))
		return &of_a_part;
	if (base_is(mnemonic, "BAR") && instruction->conditional)
		return &predicated;
	if (base_is(mnemonic, "CALL") || base_is(mnemonic, "RET"))
		return calls ? NULL : &called;
	return names_label && !jumps ? &hidden : NULL;
}

static enum sass_flow flow_of(const struct sass_instruction *instruction)
{
	static const struct {
		const char *base;
		enum sass_flow flow;
	} flows[] = {{"EXIT", SASS_EXIT}, {"BSSY", SASS_SET_SYNC}, {"BSYNC", SASS_SYNC}, {"BMOV", SASS_MOVE_SYNC}, {"BRA", SASS_BRANCH},
		{"CALL", SASS_CALL}, {"RET", SASS_RETURN}};
	if (instruction->refusal != NULL)
		return SASS_REFUSED;
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
		if (base_is(instruction->mnemonic, flows[i].base))
			return flows[i].flow;
	return SASS_NEXT;
}

/* ---- what it takes */

/* A constant among the operands of an instruction that is no load of one: c[0x0][0x160], cx[UR4][0x8]; desc[UR4] is none. */
static bool reads_constant(const char *operands)
{
	for (const char *at = operands; (at = strchr(at, '[')) != NULL; at++) {
		const char *begin = at;
		while (begin > operands && isalpha((unsigned char)begin[-1]))
			begin--;
		if (strncmp(begin, "c[", 2) == 0 || strncmp(begin, "cx[", 3) == 0)
			return true;
	}
	return false;
}

/* Words of an access, of a thread: passes in shared memory without bank conflicts. */
static int width_of(const char *mnemonic)
{
	const char *last = strrchr(mnemonic, '.');
	if (strstr(mnemonic, ".256") != NULL)
		return 8;
	if (strstr(mnemonic, ".128") != NULL || (last != NULL && strcmp(last, ".4") == 0))
		return 4;
	return strstr(mnemonic, ".64") != NULL || strstr(mnemonic, ".F64") != NULL || (last != NULL && strcmp(last, ".2") == 0) ? 2 : 1;
}

/* Atomics, and loads that the compiler may not keep: what they read may depend on other warps and blocks. */
static bool polls(const char *mnemonic)
{
	bool loads = base_is(mnemonic, "LD") || base_is(mnemonic, "LDG");
	return strncmp(mnemonic, "ATOM", 4) == 0 || (loads && strstr(mnemonic, ".STRONG") != NULL);
}

static void understand(struct arena *arena, struct sass_instruction *instruction)
{
	instruction->refusal = why_refused(instruction);
	instruction->flow = flow_of(instruction);
	instruction->constant = reads_constant(instruction->operands);
	instruction->width = width_of(instruction->mnemonic);
	instruction->polls = polls(instruction->mnemonic);
	instruction->target = NONE;
	instruction->sync_register = instruction->sync_from = -1;
	if (instruction->flow == SASS_MOVE_SYNC && !understand_move(instruction)) {
		instruction->refusal = &hidden;
		instruction->flow = SASS_REFUSED;
	}
	if (instruction->flow == SASS_BRANCH || instruction->flow == SASS_SET_SYNC || instruction->flow == SASS_CALL ||
		base_is(instruction->mnemonic, "WARPSYNC.COLLECTIVE"))
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

/* @P0 BRA 0x1d0 and a semicolon. */
bool sass_read_instruction(struct arena *arena, const char *at, const char *end, struct sass_instruction *instruction)
{
	const char *semicolon = memchr(at, ';', (size_t)(end - at));
	if (semicolon == NULL)
		return false;
	at = skip_blanks(at);
	if (*at == '@') {
		size_t word = strcspn(at, " \t");
		instruction->conditional = !(word == 3 && strncmp(at, "@PT", 3) == 0);
		instruction->guard = instruction->conditional ? copy_range(arena, at + 1, at + word) : NULL;
		at = skip_blanks(at + word);
	}
	size_t length = strcspn(at, " \t;");
	if (length == 0 || !isupper((unsigned char)*at) || at + length > semicolon)
		return false;
	instruction->mnemonic = copy_range(arena, at, at + length);
	instruction->operands = at + length < semicolon ? copy_range(arena, skip_blanks(at + length), semicolon) : "";
	understand(arena, instruction);
	return true;
}
