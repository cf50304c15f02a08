/* Do the returns of a subroutine's copy lead behind the call that the copy was made for? Which constants registers hold: [WCET-CALLS]. */
#include "input/sass.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS 24 /* that are followed: those of returns, and those that are moved to them */
#define NOT_YET INT64_MIN
#define UNKNOWN (INT64_MIN + 1)

struct follower {
	const struct sass *sass;
	const struct sass_ways *ways;
	struct arena *arena;
	struct program_instruction *parsed; /* of each instruction */
	int registers[REGISTERS], count;
	int64_t *values; /* before an instruction, of each register: `count` of them */
	int *stack, depth;
	bool *waiting;
};

static int number_of(const char *operand)
{
	char *end;
	long number = operand[0] == 'R' ? strtol(operand + 1, &end, 10) : -1;
	return number < 0 || end == operand + 1 || (*end != '\0' && strcmp(end, ".reuse") != 0) || number > 254 ? -1 : (int)number;
}

static bool take_register(struct follower *follower, int number)
{
	for (int i = 0; i < follower->count; i++)
		if (follower->registers[i] == number)
			return true;
	if (follower->count == REGISTERS || number < 0)
		return false;
	follower->registers[follower->count++] = number;
	return true;
}

/* What an instruction puts into its register, if that is another operand as it is; NULL: something else. */
static const char *moved(const struct program_instruction *instruction)
{
	const char *const *operands = instruction->operands;
	if (strcmp(instruction->mnemonic, "MOV") == 0 && instruction->operand_count == 2)
		return operands[1];
	bool plain = strcmp(instruction->mnemonic, "IMAD.MOV.U32") == 0 && instruction->operand_count == 4;
	if (plain && strcmp(operands[1], "RZ") == 0 && strcmp(operands[2], "RZ") == 0)
		return operands[3];
	bool zero = strcmp(instruction->mnemonic, "HFMA2.MMA") == 0 && instruction->operand_count == 5 && strcmp(operands[1], "-RZ") == 0 &&
		    strcmp(operands[2], "RZ") == 0 && strcmp(operands[3], "0") == 0 && strcmp(operands[4], "0") == 0;
	return zero ? "0x0" : NULL;
}

/* Registers of returns and what is moved to them, until there are no more. */
static bool find_registers(struct follower *follower)
{
	const struct sass *sass = follower->sass;
	bool fine = true;
	for (int i = 0; i < sass->count; i++)
		if (sass->instructions[i].flow == SASS_RETURN && sass->instructions[i].copy > 0) {
			int number = atoi(sass->instructions[i].operands + 1);
			fine = fine && take_register(follower, number) && take_register(follower, number + 1);
		}
	for (int before = 0; fine && before < follower->count;) {
		before = follower->count;
		for (int i = 0; i < sass->count && fine; i++) {
			const char *from = moved(&follower->parsed[i]);
			bool ours = false;
			for (int k = 0; k < before; k++)
				ours |= cells_has(&follower->parsed[i].writes, follower->registers[k]);
			if (ours && from != NULL && number_of(from) >= 0)
				fine = take_register(follower, number_of(from));
		}
	}
	return fine;
}

static int64_t *before(const struct follower *follower, int number)
{
	return follower->values + (size_t)number * (size_t)follower->count;
}

static int64_t value_of(const struct follower *follower, int number, const char *operand)
{
	char *end;
	int own = number_of(operand);
	for (int i = 0; i < follower->count; i++)
		if (follower->registers[i] == own)
			return before(follower, number)[i];
	if (strcmp(operand, "RZ") == 0)
		return 0;
	int64_t value = strncmp(operand, "0x", 2) == 0 ? strtoll(operand, &end, 16) : -1;
	return value >= 0 && *end == '\0' ? value : UNKNOWN;
}

static int64_t join(int64_t a, int64_t b)
{
	return a == NOT_YET || a == b ? b : b == NOT_YET ? a : UNKNOWN;
}

static int64_t after(const struct follower *follower, int number, int k)
{
	const struct program_instruction *instruction = &follower->parsed[number];
	int64_t old = before(follower, number)[k];
	if (cells_has(&instruction->writes, follower->registers[k])) {
		const char *from = moved(instruction);
		int64_t value = from == NULL ? UNKNOWN : value_of(follower, number, from);
		return instruction->guard != NULL ? join(old, value) : value;
	}
	return cells_has(&instruction->may_write, follower->registers[k]) ? UNKNOWN : old;
}

static void flow(struct follower *follower, int from, int to)
{
	bool changed = false;
	for (int k = 0; k < follower->count; k++) {
		int64_t *there = &before(follower, to)[k], value = join(*there, after(follower, from, k));
		changed |= value != *there;
		*there = value;
	}
	if (changed && !follower->waiting[to]) {
		follower->waiting[to] = true;
		follower->stack[follower->depth++] = to;
	}
}

static void follow_all(struct follower *follower)
{
	for (int k = 0; k < follower->count; k++)
		before(follower, 0)[k] = UNKNOWN;
	follower->stack[follower->depth++] = 0;
	while (follower->depth > 0) {
		int number = follower->stack[--follower->depth];
		follower->waiting[number] = false;
		for (int i = follower->ways->first[number]; i < follower->ways->first[number + 1]; i++)
			flow(follower, number, follower->ways->successors[i]);
	}
}

static bool leads_behind(const struct follower *follower, int number)
{
	const struct sass_instruction *instruction = &follower->sass->instructions[number];
	int low = atoi(instruction->operands + 1);
	int64_t behind = follower->sass->instructions[instruction->caller].address + 16;
	const char *names[] = {arena_format(follower->arena, "R%d", low), arena_format(follower->arena, "R%d", low + 1)};
	return value_of(follower, number, names[0]) == behind && value_of(follower, number, names[1]) == 0;
}

int sass_stray_return(struct arena *arena, const struct sass *sass, const struct sass_ways *ways)
{
	size_t count = (size_t)sass->count;
	struct follower follower = {.sass = sass, .ways = ways, .arena = arena};
	follower.parsed = arena_allocate(arena, count, sizeof *follower.parsed);
	for (int i = 0; i < sass->count; i++)
		sass_find_cells(arena, &sass->instructions[i], &follower.parsed[i]);
	bool fine = find_registers(&follower);
	follower.values = arena_allocate(arena, count * (size_t)follower.count, sizeof *follower.values);
	follower.stack = arena_allocate(arena, count, sizeof *follower.stack);
	follower.waiting = arena_allocate(arena, count, sizeof *follower.waiting);
	for (size_t i = 0; i < count * (size_t)follower.count; i++)
		follower.values[i] = NOT_YET;
	follow_all(&follower);
	for (int i = 0; i < sass->count; i++) {
		bool reached = follower.count > 0 && before(&follower, i)[0] != NOT_YET;
		if (sass->instructions[i].flow == SASS_RETURN && (!fine || (reached && !leads_behind(&follower, i))))
			return i;
	}
	return -1;
}
