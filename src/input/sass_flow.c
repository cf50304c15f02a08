/* From instructions to blocks: what reaches what, which BSSY a BSYNC belongs to, where blocks begin. */
#include "input/sass.h"

#include <string.h>

struct tracer {
	struct reader *reader;
	const struct xml_element *element;
	const struct sass *sass;
	uint64_t *reaching; /* of an instruction: the BSSYs that reach it, by their number */
	bool *reached, *leader;
	int *stack, depth; /* instructions to follow again */
	bool *waiting;     /* on that stack */
	int *sync_of;      /* instruction of the n-th BSSY */
	int sync_count;
	int *block_of; /* of a leader */
	bool failed;
};

static void refuse(struct tracer *tracer, int number, const char *why)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	if (!tracer->failed)
		COMPLAIN(tracer->reader, tracer->element, SASS_CONTROL,
			"expected control flow that the disassembly shows; line %ld, %s: %s", instruction->line, instruction->mnemonic,
			why);
	tracer->failed = true;
}

static int find_address(const struct sass *sass, int64_t address)
{
	int low = 0, high = sass->count - 1;
	while (low < high) {
		int middle = (low + high) / 2;
		if (sass->instructions[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return sass->instructions[low].address == address ? low : -1;
}

/* The instruction that a branch or a BSSY names, or -1. */
static int find_target(const struct sass *sass, int number)
{
	const struct sass_instruction *instruction = &sass->instructions[number];
	if (instruction->label != NULL) {
		int found = names_find(&sass->labels, instruction->label);
		return found < sass->count ? found : -1;
	}
	return instruction->target == NONE ? -1 : find_address(sass, instruction->target);
}

/* ---- what follows an instruction */

typedef void (*visitor)(struct tracer *tracer, int from, int to);

static void visit_target(struct tracer *tracer, int from, int branch, visitor visit)
{
	int target = find_target(tracer->sass, branch);
	if (target < 0)
		refuse(tracer, branch, "its target is no instruction of the function");
	else
		visit(tracer, from, target);
}

static void visit_syncs(struct tracer *tracer, int number, visitor visit)
{
	bool any = false;
	for (int i = 0; i < tracer->sync_count; i++) {
		int sync = tracer->sync_of[i];
		if ((tracer->reaching[number] >> i & 1) == 0 ||
			tracer->sass->instructions[sync].sync_register != tracer->sass->instructions[number].sync_register)
			continue;
		visit_target(tracer, number, sync, visit);
		any = true;
	}
	if (!any)
		refuse(tracer, number, "no BSSY of its register reaches it");
}

static void visit_successors(struct tracer *tracer, int number, visitor visit)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	bool goes_on = instruction->flow == SASS_NEXT || instruction->flow == SASS_SET_SYNC || instruction->conditional;
	if (instruction->flow == SASS_REFUSED)
		refuse(tracer, number, "it is not modelled");
	else if (instruction->flow == SASS_BRANCH)
		visit_target(tracer, number, number, visit);
	else if (instruction->flow == SASS_SYNC)
		visit_syncs(tracer, number, visit);
	if (goes_on && number + 1 < tracer->sass->count)
		visit(tracer, number, number + 1);
	else if (goes_on)
		refuse(tracer, number, "the code ends after it");
}

/* ---- reaching */

static uint64_t after(const struct tracer *tracer, int number)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	uint64_t reaching = tracer->reaching[number];
	for (int i = 0; instruction->flow == SASS_SET_SYNC && i < tracer->sync_count; i++) {
		const struct sass_instruction *other = &tracer->sass->instructions[tracer->sync_of[i]];
		if (tracer->sync_of[i] == number)
			reaching |= (uint64_t)1 << i;
		else if (other->sync_register == instruction->sync_register && !instruction->conditional)
			reaching &= ~((uint64_t)1 << i);
	}
	return reaching;
}

static void flow_to(struct tracer *tracer, int from, int to)
{
	uint64_t more = tracer->reaching[to] | after(tracer, from);
	if (tracer->reached[to] && more == tracer->reaching[to])
		return;
	tracer->reaching[to] = more;
	tracer->reached[to] = true;
	if (!tracer->waiting[to])
		tracer->stack[tracer->depth++] = to;
	tracer->waiting[to] = true;
}

static void trace(struct tracer *tracer)
{
	tracer->reached[0] = tracer->waiting[0] = true;
	tracer->stack[tracer->depth++] = 0;
	while (tracer->depth > 0 && !tracer->failed) {
		int number = tracer->stack[--tracer->depth];
		tracer->waiting[number] = false;
		visit_successors(tracer, number, flow_to);
	}
}

/* ---- blocks */

static void mark_leader(struct tracer *tracer, int from, int to)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[from];
	if (instruction->flow != SASS_NEXT && instruction->flow != SASS_SET_SYNC)
		tracer->leader[to] = true;
}

static void add_blocks(struct tracer *tracer, struct program_reader *state)
{
	struct program *program = state->program;
	const struct sass *sass = tracer->sass;
	program->blocks = arena_allocate(state->arena, (size_t)sass->count, sizeof *program->blocks);
	for (int i = 0; i < sass->count; i++) {
		const struct sass_instruction *instruction = &sass->instructions[i];
		if (!tracer->reached[i])
			continue;
		if (tracer->leader[i]) {
			const char *id = arena_format(state->arena, "b%04llx", (unsigned long long)instruction->address);
			names_add(&state->blocks, id, program->block_count);
			program->blocks[program->block_count] = (struct program_block){.id = id, .line = tracer->element->line};
			program->block_count++;
		}
		struct program_block *block = &program->blocks[program->block_count - 1];
		tracer->block_of[i] = program->block_count - 1;
		block->counts[instruction->class]++;
		block->leaves |= instruction->flow == SASS_EXIT;
	}
}

struct edges {
	struct tracer tracer;
	struct program_reader *state;
};

static void add_edge(struct tracer *tracer, int from, int to)
{
	struct program_reader *state = ((struct edges *)tracer)->state; /* the tracer is its first member */
	int a = tracer->block_of[from], b = tracer->block_of[to];
	char key[40];
	snprintf(key, sizeof key, "%d>%d", a, b);
	if (tracer->leader[to] && names_find(&state->edges, key) < 0)
		program_add_edge(state, a, b, tracer->element->line);
}

/* ---- */

static bool number_syncs(struct tracer *tracer)
{
	for (int i = 0; i < tracer->sass->count; i++) {
		if (tracer->sass->instructions[i].flow != SASS_SET_SYNC)
			continue;
		if (tracer->sync_count == SASS_SYNCS || tracer->sass->instructions[i].sync_register < 0) {
			refuse(tracer, i, "too many, or without a register");
			return false;
		}
		tracer->sync_of[tracer->sync_count++] = i;
	}
	return true;
}

static bool ascending(struct tracer *tracer)
{
	for (int i = 1; i < tracer->sass->count; i++)
		if (tracer->sass->instructions[i].address <= tracer->sass->instructions[i - 1].address) {
			refuse(tracer, i, "its address is not above the one before");
			return false;
		}
	return true;
}

bool sass_build(struct reader *reader, const struct xml_element *element, const struct sass *sass, struct program_reader *state)
{
	size_t count = (size_t)sass->count;
	struct arena *arena = reader->arena;
	struct edges edges = {.state = state,
		.tracer = {.reader = reader,
			.element = element,
			.sass = sass,
			.reaching = arena_allocate(arena, count, sizeof(uint64_t)),
			.reached = arena_allocate(arena, count, sizeof(bool)),
			.leader = arena_allocate(arena, count, sizeof(bool)),
			.stack = arena_allocate(arena, count, sizeof(int)),
			.waiting = arena_allocate(arena, count, sizeof(bool)),
			.sync_of = arena_allocate(arena, SASS_SYNCS, sizeof(int)),
			.block_of = arena_allocate(arena, count, sizeof(int))}};
	struct tracer *tracer = &edges.tracer;
	if (!ascending(tracer) || !number_syncs(tracer))
		return false;
	trace(tracer);
	tracer->leader[0] = true;
	for (int i = 0; i < sass->count && !tracer->failed; i++)
		if (tracer->reached[i])
			visit_successors(tracer, i, mark_leader);
	if (tracer->failed)
		return false;
	add_blocks(tracer, state);
	for (int i = 0; i < sass->count; i++)
		if (tracer->reached[i])
			visit_successors(tracer, i, add_edge);
	return true;
}
