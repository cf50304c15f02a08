/* Where branches lead, and calls: a copy of the subroutine for each, whose returns lead behind it: [WCET-CALLS]. */
#include "input/sass.h"

#include <stdlib.h>
#include <string.h>

#define BODY 64     /* instructions of a WARPSYNC.COLLECTIVE */
#define COPIES 1000 /* of subroutines */
#define INSTRUCTION_BYTES 16

struct linker {
	struct reader *reader;
	const struct xml_element *element;
	struct sass *sass;
	int own;     /* instructions of the function */
	int *copied; /* of an instruction of the function, in the copy that is being made: its number there; -1 */
	int *stack;
	bool *seen;
	uint32_t synced; /* barrier registers of which the search has met a BSYNC */
};

static bool refuse(struct linker *linker, int number, const char *why)
{
	const struct sass_instruction *instruction = &linker->sass->instructions[number];
	COMPLAIN(linker->reader, linker->element, SASS_CONTROL, "expected control flow that the disassembly shows; line %ld, %s: %s",
		instruction->line, instruction->mnemonic, why);
	return false;
}

/* ---- the function's own targets */

static int find_address(const struct sass *sass, int64_t address)
{
	bool fits = address >= 0 && address % INSTRUCTION_BYTES == 0 && address / INSTRUCTION_BYTES < sass->count;
	return fits ? (int)(address / INSTRUCTION_BYTES) : -1;
}

static void find_targets(struct sass *sass)
{
	for (int i = 0; i < sass->count; i++) {
		struct sass_instruction *instruction = &sass->instructions[i];
		int labelled = instruction->label == NULL ? -1 : names_find(&sass->labels, instruction->label);
		instruction->next = i + 1 < sass->count ? i + 1 : -1;
		instruction->to = instruction->target == NONE ? -1 : find_address(sass, instruction->target);
		if (instruction->label != NULL)
			instruction->to = labelled < sass->count ? labelled : -1;
	}
}

/* ---- WARPSYNC.COLLECTIVE: the warp's threads come together for what stands before ENDCOLLECTIVE, and go on at its target */

static bool is(const struct sass_instruction *instruction, const char *mnemonic)
{
	return strncmp(instruction->mnemonic, mnemonic, strlen(mnemonic)) == 0;
}

/* The number of the ENDCOLLECTIVE; -1: the body is none. */
static int body_end(const struct sass *sass, int begin)
{
	for (int i = begin + 1; i < sass->count && i < begin + BODY; i++) {
		const struct sass_instruction *instruction = &sass->instructions[i];
		if (strcmp(instruction->mnemonic, "ENDCOLLECTIVE") == 0)
			return instruction->conditional || sass->instructions[begin].to != i + 1 ? -1 : i;
		if (instruction->flow != SASS_NEXT || is(instruction, "WARPSYNC"))
			return -1;
	}
	return -1;
}

/* Nothing leads into a body but its WARPSYNC, and no ENDCOLLECTIVE stands elsewhere: what does is refused where it is reached. */
static void find_bodies(struct linker *linker)
{
	static const struct sass_refusal collective = {"", false, "what it brings together does not stand in line behind it"};
	struct sass *sass = linker->sass;
	bool *within = arena_allocate(linker->reader->arena, (size_t)sass->count, sizeof *within);
	for (int i = 0; i < sass->count; i++) {
		if (!is(&sass->instructions[i], "WARPSYNC.COLLECTIVE"))
			continue;
		int end = body_end(sass, i);
		for (int k = i + 1; k <= end; k++)
			within[k] = true;
		if (end < 0) {
			sass->instructions[i].flow = SASS_REFUSED;
			sass->instructions[i].refusal = &collective;
		}
	}
	for (int i = 0; i < sass->count; i++) {
		struct sass_instruction *instruction = &sass->instructions[i];
		bool into = instruction->flow != SASS_NEXT && instruction->to >= 0 && within[instruction->to];
		if (into || (strcmp(instruction->mnemonic, "ENDCOLLECTIVE") == 0 && !within[i])) {
			instruction->flow = SASS_REFUSED;
			instruction->refusal = &collective;
		}
	}
}

/* ---- copies */

static void push(struct linker *linker, int *depth, int number)
{
	if (number < 0 || linker->seen[number])
		return;
	linker->seen[number] = true;
	linker->stack[(*depth)++] = number;
}

/* Of an instruction of the function, all that may come next without a return: a BSYNC leads where any BSSY of its register says that the
 * search has met; what others say is the caller's. */
static void follow(struct linker *linker, int *depth, int number)
{
	const struct sass *sass = linker->sass;
	const struct sass_instruction *instruction = &sass->instructions[number];
	bool ends = instruction->flow == SASS_EXIT || instruction->flow == SASS_BRANCH || instruction->flow == SASS_SYNC ||
		    instruction->flow == SASS_RETURN || instruction->flow == SASS_REFUSED;
	if (!ends || instruction->conditional)
		push(linker, depth, instruction->next);
	if (instruction->flow == SASS_BRANCH)
		push(linker, depth, instruction->to);
	int own = instruction->sync_register;
	if (instruction->flow == SASS_SET_SYNC && own >= 0 && (linker->synced >> own & 1) != 0)
		push(linker, depth, instruction->to);
	if (instruction->flow != SASS_SYNC || own < 0 || (linker->synced >> own & 1) != 0)
		return;
	linker->synced |= UINT32_C(1) << own;
	for (int i = 0; i < linker->own; i++)
		if (linker->seen[i] && sass->instructions[i].flow == SASS_SET_SYNC && sass->instructions[i].sync_register == own)
			push(linker, depth, sass->instructions[i].to);
}

static void search(struct linker *linker, int from)
{
	int depth = 0;
	linker->synced = 0;
	memset(linker->seen, 0, (size_t)linker->own * sizeof *linker->seen);
	push(linker, &depth, from);
	while (depth > 0)
		follow(linker, &depth, linker->stack[--depth]);
}

/* Targets of a copied instruction are the copy's, if it has them: a BSSY's may be the caller's. */
static int linked(const struct linker *linker, int to)
{
	return to >= 0 && linker->copied[to] >= 0 ? linker->copied[to] : -1;
}

static bool copy_subroutine(struct linker *linker, int call, int target)
{
	struct sass *sass = linker->sass;
	int first = sass->count, copy = ++sass->copies, behind = sass->instructions[call].next;
	search(linker, target);
	for (int i = 0; i < linker->own; i++) {
		linker->copied[i] = linker->seen[i] ? sass->count : -1;
		if (!linker->seen[i])
			continue;
		if (sass->count == SASS_MOST)
			return refuse(linker, call, "with the copies of its subroutines the function is too long");
		sass->instructions =
			arena_grow(linker->reader->arena, sass->instructions, &sass->capacity, sass->count + 1, sizeof *sass->instructions);
		sass->instructions[sass->count++] = sass->instructions[i];
	}
	for (int i = first; i < sass->count; i++) {
		struct sass_instruction *instruction = &sass->instructions[i];
		bool returns = instruction->flow == SASS_RETURN;
		instruction->copy = copy;
		instruction->caller = call;
		instruction->next = linked(linker, instruction->next);
		instruction->to = returns ? behind : instruction->flow == SASS_CALL ? -1 : linked(linker, instruction->to);
	}
	sass->instructions[call].to = linker->copied[target];
	return true;
}

static int depth_of(const struct sass *sass, int number)
{
	int depth = 0;
	for (; sass->instructions[number].copy > 0; number = sass->instructions[number].caller)
		depth++;
	return depth;
}

/* Calls in copies come behind the calls that made them. A function's own calls that nothing reaches are left alone. */
static bool copy_subroutines(struct linker *linker)
{
	struct sass *sass = linker->sass;
	bool *reached = arena_allocate(linker->reader->arena, (size_t)linker->own, sizeof *reached);
	search(linker, 0);
	memcpy(reached, linker->seen, (size_t)linker->own * sizeof *reached);
	for (int i = 0; i < sass->count; i++) {
		const struct sass_instruction *instruction = &sass->instructions[i];
		if (instruction->flow != SASS_CALL || (i < linker->own && !reached[i]))
			continue;
		int target = instruction->target == NONE ? -1 : find_address(sass, instruction->target);
		if (target < 0 || target >= linker->own)
			return refuse(linker, i, "its target is no instruction of the function");
		if (instruction->next < 0)
			return refuse(linker, i, "the code ends after it");
		if (depth_of(sass, i) >= SASS_DEPTH || sass->copies == COPIES)
			return refuse(linker, i, "calls are too many or too deep, or a subroutine calls itself");
		if (!copy_subroutine(linker, i, target))
			return false;
	}
	return true;
}

bool sass_link(struct reader *reader, const struct xml_element *element, struct sass *sass)
{
	size_t count = (size_t)sass->count;
	struct linker linker = {reader, element, sass, sass->count, arena_allocate(reader->arena, count, sizeof(int)),
		arena_allocate(reader->arena, count, sizeof(int)), arena_allocate(reader->arena, count, sizeof(bool))};
	find_targets(sass);
	find_bodies(&linker);
	return copy_subroutines(&linker);
}
