/* Drawn programs with threads that part and meet: a branch that is proved to keep threads together divides none, barriers that are proved
 * to be aligned are passed alike, no warp issues more than the bound on the path says, and words that threads execute together differ as is
 * proved ([UNIFORM], [WCET-PARTING], [LANES]). */
#include "base/plant.h"
#include "unit/run.h"
#include "verify/divergence.h"
#include "warps/parting.h"
#include "wcet/aligned_barriers.h"
#include "wcet/ipet.h"
#include "wcet/lanes.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS 400
#define INSTRUCTIONS 2000
#define TURNS 3

struct drawing {
	struct program *program;
	struct program_instruction *instructions;
	struct arena *arena;
	int current, registers;
	bool computes; /* some instructions compute what their operands say */
};

static unsigned draw(void)
{
	return (unsigned)rand() ^ (unsigned)rand() << 16;
}

static int begin_block(struct drawing *d)
{
	struct program *program = d->program;
	program->blocks[program->block_count] =
		(struct program_block){.id = arena_format(d->arena, "b%d", program->block_count), .first = program->instruction_count};
	return d->current = program->block_count++;
}

static int add(struct drawing *d, const char *mnemonic)
{
	int number = d->program->instruction_count++;
	d->instructions[number] = (struct program_instruction){.mnemonic = mnemonic, .block = d->current};
	d->program->blocks[d->current].count++;
	return number;
}

static void connect(struct drawing *d, int from, int to)
{
	d->program->edges[d->program->edge_count++] = (struct program_edge){from, to, 0};
}

/* A register, a predicate or a uniform one. */
static int draw_cell(const struct drawing *d)
{
	static const int first[] = {0, CELL_PREDICATE, CELL_UNIFORM, CELL_UNIFORM_PREDICATE};
	return first[rand() % 8 < 6 ? rand() % 2 : 2 + rand() % 2] + rand() % d->registers;
}

static void add_plain(struct drawing *d)
{
	static const char *const mnemonics[] = {"IADD3", "ISETP", "LOP3"};
	struct program_instruction *instruction = &d->instructions[add(d, mnemonics[rand() % 3])];
	int written = draw_cell(d);
	cells_add(rand() % 12 == 0 ? &instruction->may_write : &instruction->writes, written);
	for (int i = rand() % 3; i > 0; i--)
		cells_add(&instruction->reads, draw_cell(d));
	instruction->origin = rand() % 9 == 0 ? ORIGIN_THREAD : rand() % 9 == 0 ? ORIGIN_WARP : ORIGIN_OPERANDS;
	if ((written >= CELL_UNIFORM && written < CELL_PREDICATE) || written >= CELL_UNIFORM_PREDICATE)
		instruction->origin = instruction->origin == ORIGIN_THREAD ? ORIGIN_WARP : instruction->origin;
	if (rand() % 5 == 0) {
		int guard = rand() % d->registers;
		instruction->guard = arena_format(d->arena, rand() % 2 == 0 ? "P%d" : "!P%d", guard);
		cells_add(&instruction->reads, CELL_PREDICATE + guard);
	}
}

static const char *draw_operand(struct drawing *d, struct program_instruction *instruction)
{
	int number = rand() % d->registers;
	if (rand() % 3 == 0)
		return arena_format(d->arena, "0x%x", rand() % 4 == 0 ? draw() : draw() % 40);
	bool uniform = rand() % 6 == 0;
	cells_add(&instruction->reads, number + (uniform ? CELL_UNIFORM : 0));
	return arena_format(d->arena, "%s%s%d", rand() % 6 == 0 ? "-" : rand() % 9 == 0 ? "~" : "", uniform ? "UR" : "R", number);
}

/* An instruction that computes something known of its operands: its mnemonic, then what kind of operands it has. */
static void add_computed(struct drawing *d)
{
	static const char *const kinds[][2] = {{"MOV", "o"}, {"IADD3", "ooo"}, {"IMAD", "ooo"}, {"IMAD", "ono"}, {"LEA", "oos"},
		{"SHF.L.U32", "osz"}, {"SHF.R.U32.HI", "zso"}, {"SHF.R.S32.HI", "zso"}, {"LOP3.LUT", "ooot"}, {"LOP3.LUT", "onot"},
		{"LOP3.LUT", "onza"}, {"SEL", "oop"}, {"S2R", "x"}};
	static const char *const places[] = {"SR_TID.X", "SR_TID.Y", "SR_TID.Z", "SR_LANEID"};
	int kind = rand() % 3 == 0 ? 12 : rand() % 13, written = rand() % d->registers;
	struct program_instruction *instruction = &d->instructions[add(d, kinds[kind][0])];
	const char **operands = arena_allocate(d->arena, 5, sizeof *operands);
	operands[0] = arena_format(d->arena, "R%d", written);
	cells_add(&instruction->writes, written);
	for (int i = 0; kinds[kind][1][i] != '\0'; i++)
		switch (kinds[kind][1][i]) {
		case 'o': operands[i + 1] = draw_operand(d, instruction); break;
		case 'n':
			operands[i + 1] = arena_format(d->arena, "0x%x", rand() % 2 == 0 ? 1U << rand() % 32 : (1U << rand() % 32) - 1);
			break;
		case 's': operands[i + 1] = arena_format(d->arena, "0x%x", rand() % 7); break;
		case 't': operands[i + 1] = arena_format(d->arena, "0x%x", rand() % 256); break;
		case 'a': operands[i + 1] = "0xc0"; break;
		case 'x': operands[i + 1] = places[rand() % 4]; break;
		case 'p':
			written = rand() % d->registers;
			cells_add(&instruction->reads, CELL_PREDICATE + written);
			operands[i + 1] = arena_format(d->arena, rand() % 2 == 0 ? "P%d" : "!P%d", written);
			break;
		default: operands[i + 1] = "RZ";
		}
	instruction->operands = operands;
	instruction->written_count = 1;
	instruction->operand_count = 1 + (int)strlen(kinds[kind][1]);
	instruction->origin = kind == 12 ? ORIGIN_THREAD : ORIGIN_OPERANDS;
	if (rand() % 5 == 0) {
		int guard = rand() % d->registers;
		instruction->guard = arena_format(d->arena, rand() % 2 == 0 ? "P%d" : "!P%d", guard);
		cells_add(&instruction->reads, CELL_PREDICATE + guard);
	}
}

static void add_branch(struct drawing *d, const char *mnemonic)
{
	struct program_instruction *branch = &d->instructions[add(d, mnemonic)];
	cells_add(&branch->reads, CELL_PREDICATE + rand() % d->registers);
	branch->decides = true;
	branch->origin = rand() % 15 == 0 ? ORIGIN_WARP : ORIGIN_OPERANDS;
}

/* The block that begins with the BSYNC, or nothing; then a new one. */
static void add_meeting(struct drawing *d, int set)
{
	if (set >= 0) {
		struct program_instruction *sync = &d->instructions[add(d, "BSYNC")];
		int *set_by = arena_allocate(d->arena, 1, sizeof *set_by);
		*set_by = set;
		sync->set_by = set_by;
		sync->set_by_count = 1;
		d->program->blocks[d->current].rejoins = true;
		d->program->blocks[d->current].set_at = d->instructions[set].block;
		int before = d->current;
		connect(d, before, begin_block(d));
	}
	add(d, "NOP");
}

/* A comparison with a number of what may be the thread's index, and a branch by it, or by another predicate. */
static void grow_compared(struct drawing *d)
{
	static const char *const mnemonics[] = {"ISETP.GT.U32.AND", "ISETP.GE.U32.AND", "ISETP.LT.AND", "ISETP.LE.AND"};
	static const unsigned numbers[] = {31, 32, 63, 64, 1, 4, 33};
	int cell = rand() % d->registers, predicate = rand() % d->registers;
	if (rand() % 4 != 0) {
		struct program_instruction *index = &d->instructions[add(d, "S2R")];
		const char **own = arena_allocate(d->arena, 2, sizeof *own);
		own[0] = arena_format(d->arena, "R%d", cell);
		own[1] = rand() % 6 == 0 ? "SR_TID.Y" : "SR_TID.X";
		index->operands = own;
		index->written_count = 1;
		index->operand_count = 2;
		index->origin = ORIGIN_THREAD;
		cells_add(&index->writes, cell);
		for (int i = rand() % 3; i > 0; i--)
			add_plain(d);
	}
	struct program_instruction *compared = &d->instructions[add(d, mnemonics[rand() % 4])];
	const char **operands = arena_allocate(d->arena, 5, sizeof *operands);
	operands[0] = arena_format(d->arena, "P%d", predicate);
	operands[1] = operands[4] = "PT";
	operands[2] = arena_format(d->arena, "R%d", cell);
	operands[3] = arena_format(d->arena, "0x%x", numbers[rand() % 7]);
	compared->operands = operands;
	compared->written_count = 2;
	compared->operand_count = 5;
	cells_add(&compared->writes, CELL_PREDICATE + predicate);
	cells_add(&compared->reads, cell);
	if (rand() % 9 == 0) {
		compared->guard = arena_format(d->arena, "P%d", rand() % d->registers);
		cells_add(&compared->reads, CELL_PREDICATE + atoi(compared->guard + 1));
	}
	int branch = d->current, set = add(d, "BSSY");
	struct program_instruction *last = &d->instructions[add(d, "BRA")];
	cells_add(&last->reads, CELL_PREDICATE + predicate);
	last->decides = true;
	connect(d, branch, begin_block(d));
	add_plain(d);
	int side = d->current, meets = begin_block(d);
	connect(d, branch, meets);
	connect(d, side, meets);
	add_meeting(d, set);
}

static void grow(struct drawing *d, int depth);

static void grow_fork(struct drawing *d, int depth)
{
	int set = rand() % 4 != 0 ? add(d, "BSSY") : -1;
	add_branch(d, "BRA");
	int branch = d->current, ends[2];
	for (int side = 0; side < 2; side++) {
		connect(d, branch, begin_block(d));
		add(d, "NOP");
		grow(d, depth + 1);
		ends[side] = d->current;
	}
	int meets = begin_block(d);
	connect(d, ends[0], meets);
	connect(d, ends[1], meets);
	add_meeting(d, set);
}

static void grow_loop(struct drawing *d, int depth)
{
	int set = rand() % 4 != 0 ? add(d, "BSSY") : -1, before = d->current, header = begin_block(d);
	connect(d, before, header);
	add(d, "NOP");
	grow(d, depth + 1);
	add_branch(d, "BRA");
	int end = d->current;
	connect(d, end, header);
	connect(d, end, begin_block(d));
	add_meeting(d, set);
	d->program->loops[d->program->loop_count++] = (struct program_loop){.header = header, .bound = TURNS};
}

/* A jump from within a side into the other one, as compilers share what both do. */
static void grow_shared(struct drawing *d)
{
	int set = add(d, "BSSY");
	add_branch(d, "BRA");
	int first = d->current, second = begin_block(d);
	connect(d, first, second);
	add_plain(d);
	add_branch(d, "BRA");
	int shared = begin_block(d);
	connect(d, second, shared);
	connect(d, first, shared);
	add_plain(d);
	int meets = begin_block(d);
	connect(d, shared, meets);
	connect(d, second, meets);
	add_meeting(d, set);
}

static void grow_exit(struct drawing *d)
{
	add_branch(d, "EXIT");
	d->program->blocks[d->current].leaves = true;
	int before = d->current;
	connect(d, before, begin_block(d));
	add(d, "NOP");
}

/* A branch by something that threads have each for themselves. */
static void add_parting(struct drawing *d)
{
	int cell = CELL_PREDICATE + rand() % d->registers;
	struct program_instruction *own = &d->instructions[add(d, "ISETP")], *branch = &d->instructions[add(d, "BRA")];
	cells_add(&own->writes, cell);
	own->origin = ORIGIN_THREAD;
	cells_add(&branch->reads, cell);
	branch->decides = true;
}

/* Two sides that do not wait for one another. */
static void grow_parted(struct drawing *d, bool surely)
{
	surely ? add_parting(d) : add_branch(d, "BRA");
	int branch = d->current, ends[2];
	for (int side = 0; side < 2; side++) {
		connect(d, branch, begin_block(d));
		add_plain(d);
		ends[side] = d->current;
	}
	int meets = begin_block(d);
	connect(d, ends[0], meets);
	connect(d, ends[1], meets);
	add_plain(d);
}

/* A predicate that is a function of what it was before, and a branch by it. */
static void add_count(struct drawing *d)
{
	int cell = CELL_PREDICATE + rand() % d->registers;
	struct program_instruction *step = &d->instructions[add(d, "ISETP")], *branch = &d->instructions[add(d, "BRA")];
	cells_add(&step->writes, cell);
	cells_add(&step->reads, cell);
	cells_add(&branch->reads, cell);
	branch->decides = true;
}

/* A loop that threads leave in different turns, without waiting behind it; or for those only that passed the last BSSY with them. */
static void grow_left(struct drawing *d, bool again)
{
	int before = d->current, header = begin_block(d);
	connect(d, before, header);
	int set = again ? add(d, "BSSY") : -1;
	add_plain(d);
	add_parting(d);
	connect(d, header, header);
	connect(d, header, begin_block(d));
	again ? add_meeting(d, set) : add_plain(d);
	d->program->loops[d->program->loop_count++] = (struct program_loop){.header = header, .bound = TURNS};
}

/* The end of a loop that counts its turns. */
static void end_counted(struct drawing *d, int header)
{
	add_count(d);
	int end = d->current;
	connect(d, end, header);
	connect(d, end, begin_block(d));
	add(d, "NOP");
	d->program->loops[d->program->loop_count++] = (struct program_loop){.header = header, .bound = TURNS};
}

/* Behind the one or the other a line of blocks, and a BSYNC at its end; perhaps the BSSY is not above the branch, or the line turns a loop.
 */
static void grow_lined(struct drawing *d)
{
	int kind = rand() % 12, around = d->current;
	if (kind == 1)
		connect(d, around, begin_block(d));
	int header = d->current, set = add(d, "BSSY");
	add_branch(d, "BRA");
	int branch = d->current, side = begin_block(d);
	connect(d, branch, side);
	rand() % 2 == 0 ? grow_parted(d, true) : grow_left(d, kind == 2);
	if (kind == 0)
		set = add(d, "BSSY");
	for (int i = rand() % 16; i > 0; i--)
		add_plain(d);
	if (rand() % 3 == 0) {
		side = d->current;
		connect(d, side, begin_block(d));
		add_plain(d);
	}
	int meets = d->current, other = begin_block(d);
	connect(d, branch, other);
	add_plain(d);
	connect(d, meets, begin_block(d));
	connect(d, other, d->current);
	add_meeting(d, set);
	if (kind == 1)
		end_counted(d, header);
}

/* They come together at a WARPSYNC, and branch. */
static void grow_gathered(struct drawing *d, int depth)
{
	grow_parted(d, false);
	d->instructions[add(d, "WARPSYNC")].joins = true;
	grow_fork(d, depth);
}

/* A loop whose turns some warps end before what the others pass, a barrier perhaps. */
static void grow_continued(struct drawing *d, int depth)
{
	int before = d->current, header = begin_block(d);
	connect(d, before, header);
	add_plain(d);
	add_branch(d, "BRA");
	d->instructions[d->program->instruction_count - 1].origin = rand() % 2 == 0 ? ORIGIN_WARP : ORIGIN_OPERANDS;
	int branch = d->current;
	connect(d, branch, header);
	connect(d, branch, begin_block(d));
	add(d, "NOP");
	grow(d, depth + 1);
	end_counted(d, header);
}

/* One that joins predicates, perhaps, and a reading of what it gives to the whole block; what happens behind it may part the two. */
static void add_barrier(struct drawing *d)
{
	bool joins = rand() % 2 == 0;
	struct program_instruction *barrier = &d->instructions[add(d, joins ? "BAR.RED.OR.DEFER_BLOCKING" : "BAR.SYNC")];
	d->program->blocks[d->current].counts[CLASS_BARRIER]++;
	if (!joins)
		return;
	cells_add(&barrier->reads, CELL_PREDICATE + rand() % d->registers);
	for (int i = rand() % 3; i > 0; i--)
		add_plain(d);
	struct program_instruction *result = &d->instructions[add(d, "B2R.RESULT")];
	cells_add(&result->writes, CELL_PREDICATE + rand() % d->registers);
	result->origin = ORIGIN_WARP;
}

static void grow(struct drawing *d, int depth)
{
	for (int i = 1 + rand() % 3; i > 0; i--) {
		for (int k = rand() % 4; k > 0; k--)
			add_plain(d);
		for (int k = rand() % 4; k > 0 && d->computes; k--)
			add_computed(d);
		if (d->computes && rand() % 3 == 0)
			grow_compared(d);
		switch (depth < 3 ? rand() % 9 : 6 + rand() % 3) {
		case 0:
		case 1: grow_fork(d, depth); break;
		case 2:
		case 3: grow_loop(d, depth); break;
		case 4:
			switch (rand() % 3) {
			case 0: grow_shared(d); break;
			case 1: grow_gathered(d, depth); break;
			default: grow_lined(d);
			}
			break;
		case 5: rand() % 2 == 0 ? grow_exit(d) : grow_continued(d, depth); break;
		case 6: add_barrier(d); break;
		case 7:
			if (rand() % 2 == 0)
				d->instructions[add(d, "WARPSYNC")].joins = true;
			break;
		default: add_plain(d);
		}
	}
}

static struct program *draw_program(struct arena *arena, bool computes)
{
	static const int widths[] = {4, 8, 12, 16, 32, 48, 128};
	int width = widths[rand() % 7];
	struct program *program = arena_allocate(arena, 1, sizeof *program);
	struct drawing d = {
		program, arena_allocate(arena, INSTRUCTIONS, sizeof(struct program_instruction)), arena, 0, 2 + rand() % 4, computes};
	*program = (struct program){.path = "test",
		.id = "test",
		.threads = PARTING_WARPS * THREADS_A_WARP,
		.extents = {width, 3, 100},
		.shaped = rand() % 4 != 0,
		.unlisted_diverge = true,
		.sass.file = "test"};
	program->blocks = arena_allocate(arena, BLOCKS, sizeof *program->blocks);
	program->edges = arena_allocate(arena, 2 * BLOCKS, sizeof *program->edges);
	program->loops = arena_allocate(arena, BLOCKS, sizeof *program->loops);
	program->instructions = d.instructions;
	begin_block(&d);
	for (int i = 0; i < d.registers; i++)
		cells_add(&d.instructions[add(&d, "MOV")].writes, (int[]){0, CELL_PREDICATE}[i % 2] + i);
	for (int i = 0; i < d.registers; i++)
		cells_add(&d.instructions[add(&d, "MOV")].writes, CELL_PREDICATE + i);
	rand() % 6 == 0 ? grow_lined(&d) : grow(&d, 0);
	if (rand() % 4 == 0)
		grow_parted(&d, false);
	add(&d, "EXIT");
	program->blocks[d.current].leaves = true;
	ck_assert_int_lt(program->block_count, BLOCKS);
	ck_assert_int_lt(program->instruction_count, INSTRUCTIONS);
	return program;
}

/* ---- */

struct found {
	long programs, words, apart, together, alike, divided, aligned, bounded, beside, alone, lined, wrong;
};

struct subject {
	struct program *program;
	struct flow flow;
	struct loops loops;
	struct uniformity uniformity;
	struct divergence divergence;
	bool accepted, aligned;
	int64_t most; /* instructions of a warp */
};

static int64_t most_issued(struct subject *s, struct arena *arena)
{
	int64_t *weights = arena_allocate(arena, (size_t)s->program->block_count, sizeof *weights);
	for (int b = 0; b < s->program->block_count; b++)
		weights[b] = s->program->blocks[b].count * (s->divergence.alone[b] && !planted(PLANT_OUT_TOGETHER) ? THREADS_A_WARP : 1);
	struct ipet_weights all = {weights, 1, 0}; /* a group that splits off has a BSYNC of its own */
	return ipet_solve(&s->flow, &s->loops, &s->divergence, &all, false, &(struct lp_limits){0, 0}).value;
}

static bool analyse(struct subject *s, struct arena *arena)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	if (!flow_build(&s->flow, s->program, arena, &diagnostics) || !loops_find(&s->loops, &s->flow, NULL, &diagnostics))
		return false;
	uniformity_find(&s->uniformity, &s->flow);
	for (int i = 0; i < s->loops.count; i++)
		s->loops.items[i].uniform |= uniformity_of_loop(&s->uniformity, &s->flow, &s->loops, i);
	s->accepted = divergence_find(&s->divergence, &s->flow, &s->loops, &s->uniformity, &diagnostics);
	s->aligned = s->accepted && barriers_exist(s->program) && barriers_aligned(&s->flow, &s->loops, &s->uniformity);
	s->most = s->accepted ? most_issued(s, arena) : NONE;
	return true;
}

/* A line of blocks does, not to the end. */
static bool leads_to_meeting(const struct subject *s, int block)
{
	const struct flow *flow = &s->flow;
	while (block < flow->block_count && s->divergence.alone[block])
		block = flow->edges[flow->out[flow->first_out[block]]].to;
	return block < flow->block_count;
}

static void count(const struct subject *s, struct found *found)
{
	for (int b = 0; b < s->program->block_count; b++) {
		if (flow_successors(&s->flow, b) < 2)
			continue;
		found->together += s->uniformity.branches[b] == ALIKE_WARP;
		found->alike += s->uniformity.branches[b] == ALIKE_BLOCK;
	}
	found->aligned += s->aligned;
	found->bounded += s->accepted && s->divergence.fork_count > 0;
	for (int i = 0; s->accepted && i < s->divergence.fork_count; i++)
		found->beside += s->divergence.forks[i].beside;
	for (int b = 0; s->accepted && b < s->program->block_count; b++)
		found->alone += s->divergence.alone[b];
	for (int i = 0; s->accepted && i < s->divergence.fork_count; i++) {
		const struct fork *fork = &s->divergence.forks[i];
		found->lined +=
			fork->meets < s->program->block_count && s->divergence.alone[fork->meets] && leads_to_meeting(s, fork->meets);
	}
}

static void check_run(const struct subject *s, const struct parting_run *run, struct found *found)
{
	for (int b = 0; b < s->program->block_count; b++) {
		found->divided += run->divided[b];
		found->wrong += run->divided[b] && s->uniformity.branches[b] != ALIKE_NOT;
		found->wrong += run->unlike[b] && s->uniformity.branches[b] == ALIKE_BLOCK;
	}
	for (int w = 0; w < run->warps; w++) {
		found->wrong += s->accepted && run->issued[w] > s->most;
		for (int i = 0; s->aligned && w > 0 && i < run->barrier_count[w] && i < run->barrier_count[0]; i++)
			found->wrong += run->barriers[w][i] != run->barriers[0][i];
	}
}

/* ---- words of lanes */

struct watched {
	const struct lanes *lanes;
	struct found *found;
};

/* What is proved of the lanes of one part of a warp that wrote together. */
static void watch(void *context, int instruction, int cell, uint32_t mask, const uint64_t *values)
{
	struct watched *watched = context;
	for (int f = 0; f < watched->lanes->fact_count; f++) {
		const struct lane_fact *fact = &watched->lanes->facts[f];
		const struct lane_form *form = fact->form;
		if (fact->instruction != instruction || fact->cell != cell)
			continue;
		uint32_t low = form->aligned >= 32 ? UINT32_MAX : (UINT32_C(1) << form->aligned) - 1;
		for (int i = 0; i < PARTING_THREADS; i++)
			for (int k = 0; k <= i && (mask >> i & 1) != 0; k++) {
				if ((mask >> k & 1) == 0)
					continue;
				bool known = form->groups[i] == form->groups[k];
				watched->found->words += known && i != k;
				watched->found->apart += known && form->offsets[i] != form->offsets[k];
				watched->found->wrong += (((uint32_t)values[i] ^ form->offsets[i]) & low) != 0;
				watched->found->wrong += known && (uint32_t)(values[i] - values[k]) != form->offsets[i] - form->offsets[k];
			}
	}
}

/* Of all that is written. */
static struct lanes lanes_of(const struct subject *s, struct arena *arena)
{
	struct lanes lanes;
	bool *asked = arena_allocate(arena, (size_t)s->program->instruction_count, sizeof *asked);
	memset(asked, true, (size_t)s->program->instruction_count * sizeof *asked);
	lanes_find(&lanes, &s->flow, &s->uniformity, asked);
	return lanes;
}

/* verify derives the same by other means, or does not read the program. */
static long differences(const struct subject *s, struct arena *arena)
{
	const struct code *code = program_graph_read(arena, s->program);
	const struct partings *partings = code == NULL ? NULL : divergence_read(arena, code);
	long count = partings != NULL && !s->accepted;
	for (int b = 0; partings != NULL && s->accepted && b < s->program->block_count; b++)
		count += partings->levels[b] != (int)s->uniformity.branches[b] || partings->alone[b] != s->divergence.alone[b];
	if (partings != NULL && s->accepted && barriers_exist(s->program))
		count += (program_graph_barriers(code, partings->levels, arena) == 1) != s->aligned;
	return count;
}

static struct found hunt(int programs, bool until_wrong)
{
	struct found found = {0};
	srand(26);
	for (int i = 0; i < programs && (found.wrong == 0 || !until_wrong); i++) {
		struct arena *arena = arena_create();
		struct subject subject = {.program = draw_program(arena, i % 2 == 0)};
		struct lanes lanes = {.facts = NULL};
		struct watched watched = {&lanes, &found};
		bool whole = analyse(&subject, arena);
		if (whole)
			count(&subject, &found);
		if (whole)
			lanes = lanes_of(&subject, arena);
		if (whole && !until_wrong)
			found.wrong += differences(&subject, arena);
		for (int k = 0; k < 6 && whole; k++) {
			struct parting_run run = {.program = subject.program,
				.draw = draw,
				.warps = PARTING_WARPS,
				.turns = TURNS,
				.most = 20000,
				.wrote = watch,
				.context = &watched};
			parting_run(&run, arena);
			check_run(&subject, &run, &found);
		}
		arena_destroy(arena);
		found.programs++;
	}
	return found;
}

START_TEST(drawn)
{
	struct found found = hunt(2500, false);
	printf("together %ld, alike %ld, divided %ld, aligned %ld, bounded %ld, beside %ld, alone %ld, in line %ld\n", found.together,
		found.alike, found.divided, found.aligned, found.bounded, found.beside, found.alone, found.lined);
	printf("words %ld, apart %ld\n", found.words, found.apart);
	ck_assert_int_eq(found.wrong, 0);
	ck_assert_int_gt(found.words, 10000);
	ck_assert_int_gt(found.apart, 1000);
	ck_assert_int_gt(found.together, 100);
	ck_assert_int_gt(found.alike, 100);
	ck_assert_int_gt(found.divided, 500);
	ck_assert_int_gt(found.aligned, 5);
	ck_assert_int_gt(found.bounded, 3);
	ck_assert_int_gt(found.beside, -1);
	ck_assert_int_gt(found.alone, -1);
	ck_assert_int_gt(found.lined, 20);
}
END_TEST

#ifdef GPUBOUND_TESTING
static const enum plant plants[] = {PLANT_MEETING, PLANT_WROTE_APART, PLANT_GUARDED, PLANT_WARPSYNC, PLANT_SKEWED, PLANT_LEAVING,
	PLANT_DETOURS, PLANT_OUT_TOGETHER, PLANT_IN_LINE, PLANT_LANE_GUARD, PLANT_INDEX_ANYHOW};

START_TEST(planted_faults)
{
	plant_set(plants[_i]);
	struct found found = hunt(4000, true);
	plant_set(-1);
	printf("%s: %ld programs\n", plant_kinds[plants[_i]].name, found.programs);
	ck_assert_msg(found.wrong > 0, "%s", plant_kinds[plants[_i]].name);
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("parting");
	TCase *tests = tcase_create("threads");
	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, drawn);
#ifdef GPUBOUND_TESTING
	tcase_add_loop_test(tests, planted_faults, 0, sizeof plants / sizeof *plants);
#endif
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
