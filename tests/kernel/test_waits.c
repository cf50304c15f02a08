/* A warp that waits by scoreboards: a machine that knows nothing else of a block never takes longer than the bound ([WCET-WAITS]), and
 * verify finds the same instructions that are not waited for. */
#include "base/plant.h"
#include "unit/run.h"
#include "verify/constants.h"
#include "verify/waits.h"
#include "wcet/constants.h"
#include "wcet/wcet.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS 3
#define INSTRUCTIONS 64
#define WARPS 8
#define TURNS 3
#define PARTITIONS 2
#define MOST 1000000
#define LINES 4 /* of constants */

struct warp {
	int path[BLOCKS + TURNS], length, at, number; /* blocks; the next instruction is the number-th of the at-th */
	long result;                                  /* when the one of the last load is there */
	long next, there[SCOREBOARDS];                /* there: when the scoreboard is clear */
	bool waits;
};

struct machine {
	const struct program *program;
	struct warp warps[WARPS];
	int count;
	bool slow;         /* all takes as long as it may */
	bool hasty;        /* a warp's next instruction may follow at once, while the unit is kept */
	bool in_order;     /* a reading of a constant waits for all lines that are on their way */
	long lines[LINES]; /* when the line is there; -1: nobody has read of it */
	long brought;      /* when the last of them is */
	long now, memory, own[PARTITIONS], barriers[PARTITIONS];
};

static int up_to(const struct machine *m, int64_t most)
{
	return m->slow ? (int)most : 1 + rand() % (int)most;
}

static bool ended(const struct warp *warp)
{
	return warp->at == warp->length;
}

static const struct program_instruction *next_of(const struct machine *m, const struct warp *warp)
{
	return &m->program->instructions[m->program->blocks[warp->path[warp->at]].first + warp->number];
}

static bool may_issue(const struct machine *m, const struct warp *warp, const long *unit)
{
	if (ended(warp) || warp->waits || warp->next > m->now || *unit > m->now)
		return false;
	for (int s = 0; s < SCOREBOARDS; s++)
		if ((next_of(m, warp)->waits_for >> s & 1) != 0 && warp->there[s] > m->now)
			return false;
	return true;
}

static void set(struct warp *warp, int scoreboard, long until)
{
	if (scoreboard < SCOREBOARDS && until > warp->there[scoreboard])
		warp->there[scoreboard] = until;
}

static const char *constants[LINES] = {"c[0x0][0x28]", "c[0x0][0x44]", "-c[0x0][0x7c]", "c[0x4][RZ]"};
static const int line_of[LINES] = {0, 1, 1, 2};

/* Does the program read the line before this one? */
static bool follows(const struct program *program, int line)
{
	bool found = false;
	for (int i = 0; i < program->instruction_count && line == 1; i++)
		for (int k = 0; k < program->instructions[i].operand_count; k++)
			found |= strcmp(program->instructions[i].operands[k], constants[0]) == 0;
	return found;
}

/* Who reads a line first has it brought, behind those that are on their way; who reads it meanwhile waits for that, or for all, and then
 * reads it. */
static long constant_there(struct machine *m, const char *operand)
{
	const struct class_cost *cost = &m->program->declared[CLASS_CONSTANT];
	long there = m->now + up_to(m, cost->again > 0 ? cost->again : cost->latency);
	for (int k = 0; k < LINES && cost->again > 0; k++) {
		long *line = &m->lines[line_of[k]];
		if (strcmp(operand, constants[k]) != 0)
			continue;
		if (*line < 0)
			*line = m->brought = (m->brought > m->now ? m->brought : m->now) +
					     up_to(m, follows(m->program, line_of[k]) && cost->further > 0 ? cost->further
						      : m->brought > 0 && cost->apart > 0                  ? cost->apart
													   : cost->latency);
		long last = m->in_order ? m->brought : *line;
		there = (last > m->now ? last : m->now) + there - m->now;
	}
	return there;
}

static bool is_scheduled(const struct program_instruction *instruction, const struct class_cost *cost)
{
	return cost->by_stall && instruction->encoded && instruction->sets == SCOREBOARDS && instruction->holds == SCOREBOARDS;
}

/* Three operands may be late, two results, and a branch, which takes its latency at least. */
static int64_t stalled_for(const struct program_instruction *instruction, const struct class_cost *cost)
{
	uint64_t reads = instruction->reads.words[0], writes = instruction->writes.words[0] | instruction->may_write.words[3] << 8;
	bool late = instruction->class == CLASS_BRANCH || (reads & (reads - 1) & ((reads & (reads - 1)) - 1)) != 0 ||
		    (writes & (writes - 1)) != 0;
	int64_t least = instruction->class == CLASS_BRANCH ? cost->latency : cost->occupancy;
	return checked_max(instruction->stall + (late ? cost->beyond : 0), least);
}

/* One that the next follows some cycles later may be served in less. */
static int64_t kept_for(const struct program_instruction *instruction, const struct class_cost *cost)
{
	bool spaced = cost->spaced > 0 && is_scheduled(instruction, cost) && instruction->stall > 3 && instruction->stall < 15;
	return spaced ? cost->spaced : cost->occupancy;
}

static void issue(struct machine *m, struct warp *warp, long *unit)
{
	const struct program_instruction *instruction = next_of(m, warp);
	const struct class_cost *cost = &m->program->declared[instruction->class];
	int64_t stalled = stalled_for(instruction, cost);
	*unit = m->now + up_to(m, kept_for(instruction, cost));
	warp->next = m->hasty && rand() % 2 == 0            ? m->now + 1
		     : instruction->class == CLASS_CONSTANT ? constant_there(m, instruction->operands[0])
		     : cost->issue > 0                      ? m->now + up_to(m, cost->issue)
		     : is_scheduled(instruction, cost)      ? m->now + up_to(m, stalled)
							    : m->now + up_to(m, cost->latency);
	if (cost->issue > 0) {
		long there = m->now + up_to(m, cost->latency), behind = warp->result + up_to(m, cost->issue);
		warp->result = there = there > behind ? there : behind;
		set(warp, instruction->sets, there);
		set(warp, instruction->holds, m->now + up_to(m, there - m->now)); /* operands are read before the result is there */
	}
	warp->waits = instruction->class == CLASS_BARRIER;
	if (++warp->number < m->program->blocks[warp->path[warp->at]].count)
		return;
	warp->number = 0;
	warp->at++;
}

static void release(struct machine *m)
{
	bool all = true;
	for (int w = 0; w < m->count; w++)
		all &= m->warps[w].waits || ended(&m->warps[w]);
	for (int w = 0; w < m->count && all; w++) {
		m->warps[w].next = m->warps[w].waits ? m->now + m->program->declared[CLASS_BARRIER].latency : m->warps[w].next;
		m->warps[w].waits = false;
	}
}

/* Warp w is in sub-partition w modulo their number, which issues one instruction a cycle; loads need the SM's unit, barriers and all else
 * their own. */
static void cycle(struct machine *m)
{
	int first = rand() % m->count;
	bool issued[PARTITIONS] = {false};
	for (int i = 0; i < m->count; i++) {
		int w = (first + i) % m->count;
		struct warp *warp = &m->warps[w];
		bool loads = !ended(warp) && (next_of(m, warp)->class == CLASS_LOAD || next_of(m, warp)->class == CLASS_CONSTANT);
		bool comes = !ended(warp) && next_of(m, warp)->class == CLASS_BARRIER;
		long *unit = loads ? &m->memory : comes ? &m->barriers[w % PARTITIONS] : &m->own[w % PARTITIONS];
		if (issued[w % PARTITIONS] || !may_issue(m, warp, unit))
			continue;
		issue(m, warp, unit);
		issued[w % PARTITIONS] = true;
	}
	release(m);
	m->now++;
}

static long run(struct machine *m)
{
	long end = 0;
	for (bool going = true; going && m->now < MOST;) {
		cycle(m);
		going = false;
		for (int w = 0; w < m->count; w++)
			going |= !ended(&m->warps[w]);
	}
	for (int w = 0; w < m->count; w++) {
		end = m->warps[w].next > end ? m->warps[w].next : end;
		for (int s = 0; s < SCOREBOARDS; s++)
			end = m->warps[w].there[s] > end ? m->warps[w].there[s] : end;
	}
	return end;
}

/* ---- programs: a block, a loop of one block, a block */

static void draw_instruction(struct program *program, struct program_instruction *instruction, int block, bool barriers)
{
	static const int classes[] = {CLASS_LOAD, CLASS_LOAD, CLASS_INT32, CLASS_INT32, CLASS_BRANCH, CLASS_CONSTANT};
	*instruction = (struct program_instruction){
		.mnemonic = "NOP", .block = block, .encoded = rand() % 20 != 0, .sets = SCOREBOARDS, .holds = SCOREBOARDS};
	instruction->class = classes[rand() % 6];
	instruction->stall = rand() % 16;
	instruction->reads.words[0] = (uint64_t)(rand() % 16);
	instruction->writes.words[0] = (uint64_t)(rand() % 4);
	instruction->may_write.words[3] = rand() % 8 == 0 ? 3 : 0;
	if (barriers && rand() % 8 == 0)
		instruction->class = CLASS_BARRIER;
	if (instruction->class == CLASS_CONSTANT) {
		instruction->operands = &constants[rand() % LINES];
		instruction->operand_count = 1;
	}
	if (instruction->class == CLASS_LOAD && rand() % 8 != 0)
		instruction->sets = rand() % 3;
	if (instruction->class == CLASS_LOAD && rand() % 2 == 0)
		instruction->holds = rand() % SCOREBOARDS;
	if (rand() % 4 == 0 || instruction->class == CLASS_BARRIER)
		instruction->waits_for = rand() % 2 == 0 ? rand() % 64 : 7;
	program->blocks[block].counts[instruction->class]++;
	program->blocks[block].count++;
	instruction->address = 16 * program->instruction_count++;
}

static void declare(struct program *program)
{
	for (int c = 0; c < CLASS_COUNT; c++)
		program->declared[c] = (struct class_cost){.latency = NONE, .occupancy = NONE};
	program->declared[CLASS_INT32] =
		(struct class_cost){.latency = 1 + rand() % 6, .occupancy = 1, .partition = true, .group = "own", .source = "x"};
	program->declared[CLASS_INT32].by_stall = rand() % 2 == 0;
	program->declared[CLASS_INT32].beyond = rand() % 3;
	if (program->declared[CLASS_INT32].by_stall && rand() % 2 == 0) {
		program->declared[CLASS_INT32].occupancy = 1 + rand() % program->declared[CLASS_INT32].latency;
		program->declared[CLASS_INT32].spaced = 1 + rand() % program->declared[CLASS_INT32].occupancy;
	}
	program->declared[CLASS_BRANCH] = program->declared[CLASS_BARRIER] = program->declared[CLASS_INT32];
	program->declared[CLASS_BARRIER].group = "barriers";
	program->declared[CLASS_BARRIER].by_stall = false;
	program->declared[CLASS_BARRIER].spaced = 0;
	program->declared[CLASS_CONSTANT] =
		(struct class_cost){.latency = 20 + rand() % 200, .occupancy = 1 + rand() % 2, .group = "memory", .source = "x"};
	if (rand() % 4 != 0) {
		program->declared[CLASS_CONSTANT].again = 2 + rand() % 18;
		program->declared[CLASS_CONSTANT].lines = 3 + constants_of_code(program);
		program->declared[CLASS_CONSTANT].further = rand() % 2 * (1 + rand() % program->declared[CLASS_CONSTANT].latency);
		program->declared[CLASS_CONSTANT].apart = rand() % 2 * (1 + rand() % program->declared[CLASS_CONSTANT].latency);
	}
	if (rand() % 4 == 0)
		program->declared[CLASS_INT32].latency = program->declared[CLASS_INT32].occupancy = 2 + rand() % 40;
	program->declared[CLASS_LOAD] =
		(struct class_cost){.latency = 20 + rand() % 100, .occupancy = 1 + rand() % 3, .group = "memory", .source = "x"};
	program->declared[CLASS_LOAD].issue = program->declared[CLASS_LOAD].occupancy + rand() % 3;
	program->declared[CLASS_LOAD].under_way = 1 + rand() % 6;
}

static struct program *draw_program(struct arena *arena)
{
	static struct program_edge edges[] = {{0, 1, 0}, {1, 1, 0}, {1, 2, 0}};
	struct program *program = arena_allocate(arena, 1, sizeof *program);
	struct program_instruction *instructions = arena_allocate(arena, INSTRUCTIONS, sizeof *instructions);
	bool barriers = rand() % 2 == 0;
	*program = (struct program){.path = "test",
		.id = "test",
		.threads = (1 + rand() % WARPS) * THREADS_A_WARP,
		.unlisted_diverge = true,
		.sass.file = "test",
		.extents = {32, 1, 1},
		.edges = edges,
		.edge_count = 3,
		.block_count = BLOCKS,
		.instructions = instructions};
	program->blocks = arena_allocate(arena, BLOCKS, sizeof *program->blocks);
	program->loops = arena_allocate(arena, 1, sizeof *program->loops);
	program->loops[program->loop_count++] = (struct program_loop){.header = 1, .bound = TURNS - 1, .uniform = true};
	for (int b = 0; b < BLOCKS; b++) {
		program->blocks[b] = (struct program_block){
			.id = (const char *[]){"a", "b", "c"}[b], .first = program->instruction_count, .leaves = b == BLOCKS - 1};
		for (int i = 1 + rand() % 12; i > 0; i--)
			draw_instruction(program, &instructions[program->instruction_count], b, barriers);
	}
	instructions[program->blocks[2].first - 1].decides = true; /* by nothing that it reads */
	instructions[program->blocks[2].first - 1].reads = (struct cells){{0}};
	declare(program);
	return program;
}

static void draw_path(struct machine *m, struct warp *warp, int turns)
{
	*warp = (struct warp){.length = turns + 2};
	for (int i = 1; i <= turns; i++)
		warp->path[i] = 1;
	warp->path[turns + 1] = 2;
	warp->next = m->slow ? 0 : rand() % 2;
}

struct found {
	long exceeded, differs, spared, spaced, aligned, first_reads, closest; /* closest: the least bound in percent of a run */
};

static void try(struct program *program, const struct wcet *wcet, struct found *found)
{
	struct machine m = {.program = program,
		.count = (int)wcet->warps,
		.slow = rand() % 2 == 0,
		.hasty = rand() % 4 == 0,
		.in_order = rand() % 2 == 0};
	int turns = 1 + rand() % TURNS;
	for (int k = 0; k < LINES; k++)
		m.lines[k] = -1;
	for (int w = 0; w < m.count; w++)
		draw_path(&m, &m.warps[w], m.slow ? TURNS : turns);
	long cycles = run(&m);
	found->exceeded += cycles > wcet->cycles + 1; /* warps begin within a cycle */
	found->closest = wcet->cycles * 100 / cycles < found->closest ? wcet->cycles * 100 / cycles : found->closest;
}

static struct found hunt(int programs)
{
	struct found found = {.closest = INT32_MAX};
	struct platform platform = {.id = "test"};
	platform.parameters[PARAMETER_SM_SUBPARTITIONS] = (struct quantity){.present = true, .value = PARTITIONS};
	srand(26);
	for (int i = 0; i < programs; i++) {
		struct arena *arena = arena_create();
		struct diagnostics diagnostics;
		struct wcet wcet;
		struct program *program = draw_program(arena);
		diagnostics_init(&diagnostics, arena);
		ck_assert(wcet_find(&wcet, program, &platform, arena, &(struct lp_limits){0, 0}, &diagnostics));
		const struct code *code = program_graph_read(arena, program);
		const int64_t *times = waits_read(arena, code, wcet.costs.classes, wcet.uniformity.split);
		for (int b = 0; b < BLOCKS; b++) {
			int64_t time = instruction_costs_latency(&wcet.costs, &wcet.flow.program->blocks[b]);
			for (int c = 0; c < CLASS_COUNT; c++) {
				int64_t spaced = wcet.flow.program->blocks[b].spaced[c];
				found.spared += wcet.flow.program->blocks[b].spared[c] > 0;
				found.spaced += spaced > 0;
				found.differs += spaced != waits_spaced(code, wcet.costs.classes, wcet.uniformity.split, b, c);
			}
			found.differs += time != times[b];
		}
		found.first_reads += wcet.costs.first_reads > 0;
		int64_t runs = 0, alone = 0;
		found.differs += wcet.costs.used[CLASS_CONSTANT] &&
				 (constants_lines(program, arena, &runs) != constants_read(arena, program, &alone) || runs != alone);
		found.differs += constants_lines_of_code(program) != constants_of_code(program);
		found.aligned += wcet.composition == WCET_ALIGNED;
		for (int k = 0; k < 4; k++)
			try(program, &wcet, &found);
		arena_destroy(arena);
	}
	return found;
}

START_TEST(drawn)
{
	struct found found = hunt(4000);
	printf("spared %ld, aligned %ld, first reads %ld, closest %ld %%\n", found.spared, found.aligned, found.first_reads, found.closest);
	ck_assert_int_eq(found.exceeded, 0);
	ck_assert_int_eq(found.differs, 0);
	ck_assert_int_gt(found.spared, 1000);
	ck_assert_int_gt(found.spaced, 500);
	ck_assert_int_gt(found.aligned, 500);
	ck_assert_int_gt(found.first_reads, 500);
	ck_assert_int_lt(found.closest, 110);
}
END_TEST

#ifdef GPUBOUND_TESTING
START_TEST(planted_fault)
{
	plant_set(PLANT_WAITS);
	struct found found = hunt(500);
	plant_set(-1);
	ck_assert_int_gt(found.exceeded, 0);
}
END_TEST

static const int verified_plants[] = {PLANT_STALLS, PLANT_SPACED, PLANT_FIRST_READS, PLANT_ONE_RUN};

START_TEST(planted_and_verified)
{
	plant_set(verified_plants[_i]);
	struct found found = hunt(1500);
	plant_set(-1);
	ck_assert_int_gt(found.exceeded, 0);
	ck_assert_int_gt(found.differs, 0);
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("waits");
	TCase *tests = tcase_create("machine");
	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, drawn);
#ifdef GPUBOUND_TESTING
	tcase_add_test(tests, planted_fault);
	tcase_add_loop_test(tests, planted_and_verified, 0, sizeof verified_plants / sizeof *verified_plants);
#endif
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
