/* From instructions to blocks: what reaches what, which BSSY a BSYNC belongs to, where blocks begin. */
#include "input/sass.h"

#include <string.h>

struct tracer {
	struct reader *reader;
	const struct xml_element *element;
	const struct sass *sass;
	uint64_t *reaching; /* of an instruction: the BSSYs that reach it, by their number; `words` of them */
	int words;
	uint32_t *moved; /* of an instruction: registers that may hold what a BMOV wrote */
	bool *reached, *leader;
	int *stack, depth;     /* instructions to follow again */
	bool *waiting;         /* on that stack */
	int *sync_of;          /* instruction of the n-th BSSY */
	int *number_of;        /* of a BSSY */
	uint64_t *of_register; /* of a barrier register: the BSSYs of it, `words` */
	int sync_count;
	int *block_of;          /* of a leader */
	struct sass_ways *ways; /* that are being listed */
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

static void refuse_named(struct tracer *tracer, int number)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	const struct sass_refusal *refusal = instruction->refusal;
	if (!refusal->waits)
		refuse(tracer, number, refusal->why != NULL ? refusal->why : "it is not modelled");
	else if (!tracer->failed)
		COMPLAIN(tracer->reader, tracer->element, SASS_WAITS,
			"expected no wait for others, which no <opcode> or <cost> bounds; line %ld, %s: %s", instruction->line,
			instruction->mnemonic, refusal->why);
	tracer->failed = true;
}

/* ---- what follows an instruction */

typedef void (*visitor)(struct tracer *tracer, int from, int to);

static void visit_target(struct tracer *tracer, int from, int branch, visitor visit)
{
	int target = tracer->sass->instructions[branch].to;
	if (target < 0)
		refuse(tracer, branch, "its target is no instruction of the function");
	else
		visit(tracer, from, target);
}

static bool comes_from(const struct tracer *tracer, int number, int sync)
{
	const struct sass_instruction *instructions = tracer->sass->instructions;
	uint64_t word = tracer->reaching[(size_t)number * (size_t)tracer->words + (size_t)sync / 64];
	return (word >> sync % 64 & 1) != 0 && instructions[tracer->sync_of[sync]].sync_register == instructions[number].sync_register;
}

static void visit_syncs(struct tracer *tracer, int number, visitor visit)
{
	bool any = false;
	int own = tracer->sass->instructions[number].sync_register;
	for (int i = 0; i < tracer->sync_count; i++) {
		if (!comes_from(tracer, number, i))
			continue;
		visit_target(tracer, number, tracer->sync_of[i], visit);
		any = true;
	}
	if (own >= 0 && (tracer->moved[number] >> own & 1) != 0)
		refuse(tracer, number, "a BMOV of its register reaches it");
	else if (!any)
		refuse(tracer, number, "no BSSY of its register reaches it");
}

static bool is_plain(const struct sass_instruction *instruction)
{
	return instruction->flow == SASS_NEXT || instruction->flow == SASS_SET_SYNC || instruction->flow == SASS_MOVE_SYNC;
}

static void visit_successors(struct tracer *tracer, int number, visitor visit)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	bool goes_on = is_plain(instruction) || instruction->conditional;
	if (instruction->flow == SASS_REFUSED)
		refuse_named(tracer, number);
	else if (instruction->flow == SASS_BRANCH)
		visit_target(tracer, number, number, visit);
	else if (instruction->flow == SASS_CALL || instruction->flow == SASS_RETURN)
		visit_target(tracer, number, number, visit);
	else if (instruction->flow == SASS_SYNC)
		visit_syncs(tracer, number, visit);
	if (goes_on && instruction->next >= 0)
		visit(tracer, number, instruction->next);
	else if (goes_on)
		refuse(tracer, number, "the code ends after it");
}

/* ---- reaching */

/* One word of the set of BSSYs behind an instruction. */
static uint64_t after(const struct tracer *tracer, int number, int word)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	uint64_t reaching = tracer->reaching[(size_t)number * (size_t)tracer->words + (size_t)word];
	if (instruction->flow == SASS_SET_SYNC && !instruction->conditional)
		reaching &= ~tracer->of_register[(size_t)instruction->sync_register * (size_t)tracer->words + (size_t)word];
	if (instruction->flow == SASS_SET_SYNC && tracer->number_of[number] / 64 == word)
		reaching |= UINT64_C(1) << tracer->number_of[number] % 64;
	return reaching;
}

static uint32_t moved_after(const struct tracer *tracer, int number)
{
	const struct sass_instruction *instruction = &tracer->sass->instructions[number];
	uint32_t moved = tracer->moved[number];
	if (instruction->flow == SASS_SET_SYNC && !instruction->conditional)
		moved &= ~(UINT32_C(1) << instruction->sync_register);
	if (instruction->flow == SASS_MOVE_SYNC && instruction->sync_register >= 0)
		moved |= UINT32_C(1) << instruction->sync_register;
	if (instruction->flow == SASS_MOVE_SYNC && instruction->sync_from >= 0)
		moved |= UINT32_C(1) << instruction->sync_from;
	return moved;
}

static void flow_to(struct tracer *tracer, int from, int to)
{
	uint32_t moved = tracer->moved[to] | moved_after(tracer, from);
	bool changed = !tracer->reached[to] || moved != tracer->moved[to];
	for (int word = 0; word < tracer->words; word++) {
		uint64_t *reaching = &tracer->reaching[(size_t)to * (size_t)tracer->words + (size_t)word];
		uint64_t more = *reaching | after(tracer, from, word);
		changed |= more != *reaching;
		*reaching = more;
	}
	if (!changed)
		return;
	tracer->moved[to] = moved;
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
	if (!is_plain(instruction))
		tracer->leader[to] = true;
}

static void count(struct program_block *block, int class, int64_t times, const struct sass_instruction *instruction)
{
	if (block->counts[class] == 0 && times > 0)
		block->examples[class] = (struct program_example){instruction->mnemonic, instruction->line};
	block->counts[class] += times;
}

/* May it lead to local or to shared memory as well as to global memory, as LD, ST and ATOM do? */
static bool is_generic(const struct sass_instruction *instruction)
{
	static const char *const global[] = {"LDG", "STG", "LDGSTS", "ATOMG", "RED", "REDG"};
	size_t base = strcspn(instruction->mnemonic, ".");
	for (size_t i = 0; i < sizeof global / sizeof *global; i++)
		if (strlen(global[i]) == base && strncmp(global[i], instruction->mnemonic, base) == 0)
			return false;
	return instruction->space == SPACE_GLOBAL;
}

static int64_t passes_of(const struct program *program, const struct sass_instruction *instruction)
{
	return program->sass.conflicts != NONE ? program->sass.conflicts * instruction->width : THREADS_A_WARP;
}

/* Sectors of global or local memory, or passes of shared memory, whatever the addresses are. */
static int64_t units_of(const struct program *program, const struct sass_instruction *instruction)
{
	if (instruction->space == SPACE_SHARED)
		return passes_of(program, instruction);
	/* Local memory is laid out by words of 32 bits, so that a wide one of a thread lies in as many sectors. */
	bool local = instruction->space == SPACE_LOCAL || is_generic(instruction);
	return local ? THREADS_A_WARP * instruction->width : THREADS_A_WARP;
}

static void count_instruction(struct program_block *block, const struct sass_instruction *instruction, const struct program *program)
{
	bool sectors = instruction->space != SPACE_SHARED && program->declared[CLASS_SECTOR].latency != NONE;
	count(block, instruction->class, 1, instruction);
	if (instruction->constant && instruction->class != CLASS_CONSTANT)
		count(block, CLASS_CONSTANT, 1, instruction);
	if (instruction->space == SPACE_SHARED || (instruction->space != SPACE_NONE && sectors))
		count(block, sectors ? CLASS_SECTOR : CLASS_CONFLICT, units_of(program, instruction) - 1, instruction);
	if (is_generic(instruction) || strncmp(instruction->mnemonic, "LDGSTS", 6) == 0) /* what that writes to shared memory */
		count(block, CLASS_CONFLICT, passes_of(program, instruction) - 1, instruction);
	if (instruction->polls && block->polls.mnemonic == NULL)
		block->polls = (struct program_example){instruction->mnemonic, instruction->line};
}

/* The part of a block that comes from a line of the source: a new one if there is none. */
static struct program_part *part_of(struct arena *arena, struct program_block *block, struct program_place place, int *capacity)
{
	for (int i = 0; i < block->part_count; i++)
		if (program_places_equal(block->parts[i].place, place))
			return &block->parts[i];
	block->parts = arena_grow(arena, block->parts, capacity, block->part_count + 1, sizeof *block->parts);
	block->parts[block->part_count] = (struct program_part){.place = place};
	return &block->parts[block->part_count++];
}

static void count_with_place(
	struct program_reader *state, struct program_block *block, const struct sass_instruction *instruction, int *part_capacity)
{
	int64_t before[CLASS_COUNT];
	memcpy(before, block->counts, sizeof before);
	count_instruction(block, instruction, state->program);
	if (instruction->place.file == NULL)
		return;
	struct program_part *part = part_of(state->arena, block, instruction->place, part_capacity);
	part->instructions++;
	for (int c = 0; c < CLASS_COUNT; c++)
		part->counts[c] += block->counts[c] - before[c];
}

static void add_blocks(struct tracer *tracer, struct program_reader *state)
{
	struct program *program = state->program;
	const struct sass *sass = tracer->sass;
	int part_capacity = 0;
	program->blocks = arena_allocate(state->arena, (size_t)sass->count, sizeof *program->blocks);
	for (int i = 0; i < sass->count; i++) {
		const struct sass_instruction *instruction = &sass->instructions[i];
		if (!tracer->reached[i])
			continue;
		if (tracer->leader[i]) {
			const char *id = arena_format(state->arena, instruction->copy > 0 ? "b%04llx.%d" : "b%04llx",
				(unsigned long long)instruction->address, instruction->copy);
			names_add(&state->blocks, id, program->block_count);
			program->blocks[program->block_count] = (struct program_block){.id = id,
				.line = tracer->element->line,
				.examples = arena_allocate(state->arena, CLASS_COUNT, sizeof(struct program_example))};
			program->block_count++;
			part_capacity = 0;
		}
		struct program_block *block = &program->blocks[program->block_count - 1];
		tracer->block_of[i] = program->block_count - 1;
		count_with_place(state, block, instruction, &part_capacity);
		block->leaves |= instruction->flow == SASS_EXIT;
	}
}

/* Where somebody says what a line of code costs to be fetched, each execution of a block has all of its lines fetched. */
static void count_lines(const struct tracer *tracer, struct program *program)
{
	int64_t last = NONE; /* line of the instruction before in the same block */
	for (int i = 0; i < tracer->sass->count && program->declared[CLASS_FETCH].latency != NONE; i++) {
		const struct sass_instruction *instruction = &tracer->sass->instructions[i];
		if (!tracer->reached[i])
			continue;
		int64_t line = instruction->address / SASS_LINE_BYTES;
		if (tracer->leader[i] || line != last)
			count(&program->blocks[tracer->block_of[i]], CLASS_FETCH, 1, instruction);
		last = line;
	}
}

/* A BSYNC at the beginning of a block whose BSSY is one, and no BREAK of its register anywhere. */
static void find_rejoining(const struct tracer *tracer, struct program *program)
{
	const struct sass_instruction *instructions = tracer->sass->instructions;
	uint32_t broken = 0;
	for (int i = 0; i < tracer->sass->count; i++)
		if (instructions[i].flow == SASS_NEXT && instructions[i].sync_register >= 0)
			broken |= UINT32_C(1) << instructions[i].sync_register;
	for (int i = 0; i < tracer->sass->count; i++) {
		int count = 0, set = 0;
		if (!tracer->reached[i] || !tracer->leader[i] || instructions[i].flow != SASS_SYNC || instructions[i].conditional)
			continue;
		for (int k = 0; k < tracer->sync_count; k++)
			if (comes_from(tracer, i, k)) {
				set = tracer->sync_of[k];
				count++;
			}
		struct program_block *block = &program->blocks[tracer->block_of[i]];
		block->rejoins = count == 1 && !instructions[set].conditional && (broken >> instructions[i].sync_register & 1) == 0;
		block->set_at = tracer->block_of[set];
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

/* The BSSYs, and of each register those of it; all are numbered, reached or not. */
static bool number_syncs(struct tracer *tracer, struct arena *arena)
{
	int count = 0;
	for (int i = 0; i < tracer->sass->count; i++)
		count += tracer->sass->instructions[i].flow == SASS_SET_SYNC;
	tracer->words = count / 64 + 1;
	tracer->sync_of = arena_allocate(arena, (size_t)count, sizeof(int));
	tracer->number_of = arena_allocate(arena, (size_t)tracer->sass->count, sizeof(int));
	tracer->of_register = arena_allocate(arena, SASS_SYNC_REGISTERS * (size_t)tracer->words, sizeof(uint64_t));
	for (int i = 0; i < tracer->sass->count; i++) {
		int own = tracer->sass->instructions[i].sync_register;
		if (tracer->sass->instructions[i].flow != SASS_SET_SYNC)
			continue;
		if (count > SASS_SYNCS || own < 0) {
			refuse(tracer, i, "too many, or without a register");
			return false;
		}
		tracer->number_of[i] = tracer->sync_count;
		tracer->of_register[(size_t)own * (size_t)tracer->words + (size_t)tracer->sync_count / 64] |= UINT64_C(1)
													      << tracer->sync_count % 64;
		tracer->sync_of[tracer->sync_count++] = i;
	}
	return true;
}

/* ---- instructions, for what asks more than how many there are */

static void find_set_by(
	const struct tracer *tracer, int number, const int *new_number, struct arena *arena, struct program_instruction *instruction)
{
	int count = 0, *set_by = NULL, capacity = 0;
	for (int i = 0; i < tracer->sync_count; i++) {
		if (!comes_from(tracer, number, i))
			continue;
		set_by = arena_grow(arena, set_by, &capacity, count + 1, sizeof *set_by);
		set_by[count++] = new_number[tracer->sync_of[i]];
	}
	instruction->set_by = set_by;
	instruction->set_by_count = count;
}

static void add_instructions(const struct tracer *tracer, struct program *program, struct arena *arena)
{
	int count = 0, *new_number = arena_allocate(arena, (size_t)tracer->sass->count, sizeof *new_number);
	for (int i = 0; i < tracer->sass->count; i++)
		new_number[i] = tracer->reached[i] ? count++ : NO_ID;
	struct program_instruction *instructions = arena_allocate(arena, (size_t)count, sizeof *instructions);
	for (int i = 0; i < tracer->sass->count; i++) {
		if (!tracer->reached[i])
			continue;
		struct program_instruction *instruction = &instructions[new_number[i]];
		sass_find_cells(arena, &tracer->sass->instructions[i], instruction);
		instruction->block = tracer->block_of[i];
		instruction->units = units_of(program, &tracer->sass->instructions[i]);
		struct program_block *block = &program->blocks[instruction->block];
		block->first = block->count == 0 ? new_number[i] : block->first;
		block->count++;
		if (tracer->sass->instructions[i].flow == SASS_SYNC)
			find_set_by(tracer, i, new_number, arena, instruction);
	}
	program->instructions = instructions;
	program->instruction_count = count;
}

static void list_way(struct tracer *tracer, int from, int to)
{
	struct sass_ways *ways = tracer->ways;
	(void)from;
	ways->successors = arena_grow(tracer->reader->arena, ways->successors, &ways->capacity, ways->count + 1, sizeof(int));
	ways->successors[ways->count++] = to;
}

static bool check_returns(struct tracer *tracer, struct arena *arena)
{
	struct sass_ways ways = {.first = arena_allocate(arena, (size_t)tracer->sass->count + 1, sizeof(int))};
	if (tracer->sass->copies == 0)
		return true;
	tracer->ways = &ways;
	for (int i = 0; i < tracer->sass->count; i++) {
		ways.first[i] = ways.count;
		if (tracer->reached[i])
			visit_successors(tracer, i, list_way);
	}
	ways.first[tracer->sass->count] = ways.count;
	int stray = sass_stray_return(arena, tracer->sass, &ways);
	if (stray >= 0)
		refuse(tracer, stray, "its register may hold another address than that behind its call");
	return stray < 0;
}

bool sass_build(struct reader *reader, const struct xml_element *element, const struct sass *sass, struct program_reader *state)
{
	size_t count = (size_t)sass->count;
	struct arena *arena = reader->arena;
	struct edges edges = {.state = state,
		.tracer = {.reader = reader,
			.element = element,
			.sass = sass,
			.moved = arena_allocate(arena, count, sizeof(uint32_t)),
			.reached = arena_allocate(arena, count, sizeof(bool)),
			.leader = arena_allocate(arena, count, sizeof(bool)),
			.stack = arena_allocate(arena, count, sizeof(int)),
			.waiting = arena_allocate(arena, count, sizeof(bool)),
			.block_of = arena_allocate(arena, count, sizeof(int))}};
	struct tracer *tracer = &edges.tracer;
	if (!number_syncs(tracer, arena))
		return false;
	tracer->reaching = arena_allocate(arena, count * (size_t)tracer->words, sizeof(uint64_t));
	trace(tracer);
	tracer->leader[0] = true;
	for (int i = 0; i < sass->count && !tracer->failed; i++)
		if (tracer->reached[i])
			visit_successors(tracer, i, mark_leader);
	if (tracer->failed || !check_returns(tracer, arena))
		return false;
	add_blocks(tracer, state);
	if (tracer->failed)
		return false;
	add_instructions(tracer, state->program, arena);
	count_lines(tracer, state->program);
	find_rejoining(tracer, state->program);
	for (int i = 0; i < sass->count; i++)
		if (tracer->reached[i])
			visit_successors(tracer, i, add_edge);
	return true;
}
