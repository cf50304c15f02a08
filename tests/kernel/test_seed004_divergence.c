/* Seed 004, Benchmarking the cost of thread divergence in CUDA: the single loop, its walk-through, the double loop; and random nests of
 * branches and loops, in which the bound of kernel/ is never below the stack of machine/. */
#include "kernel/build.h"
#include "wcet/ipet.h"
#include "warps/branch_stack.h"
#include "unit/run.h"

#include <stdlib.h>
#include <string.h>

#define MOST 1000000
#define DEPTH 16
#define A_SPILL 4

static const struct divergence_cost kepler = {DEPTH, A_SPILL, 32, 84, "seed 004"}, maxwell = {DEPTH, A_SPILL, 26, 176, "seed 004"};

/* ---- the single loop: listing 3, numbered from 0 in place of 1 */

static const struct code_line single[] = {
	{LINE_PLAIN, 0}, {LINE_PLAIN, 0}, /* 1, 2: P0 is never set */
	{LINE_SSY, 11},                   /* 3 */
	{LINE_BRANCH, 11},                /* 4: never taken */
	{LINE_PLAIN, 0}, {LINE_PLAIN, 0}, /* 5, 6 */
	{LINE_PLAIN, 0},                  /* 7: the counter */
	{LINE_PLAIN, 0}, {LINE_PLAIN, 0}, /* 8, 9 */
	{LINE_BRANCH, 6},                 /* 10: once more */
	{LINE_POP, 0},                    /* 11: NOP.S */
	{LINE_END, 0},                    /* 12 */
};

#define GUARD 3
#define AGAIN 9
#define POPS 10

struct threads {
	int divergent; /* M */
	int turn;      /* of the loop */
	int outer;
	int event; /* of the walk-through */
};

/* Table I. */
static int limit(int divergent, int thread)
{
	int late = thread - (31 - divergent);
	return 32 - (late > 0 ? late : 0);
}

static uint32_t below(const struct threads *threads, int turn)
{
	uint32_t mask = 0;
	for (int i = 0; i < 32; i++)
		mask |= turn < limit(threads->divergent, i) ? 1u << i : 0;
	return mask;
}

static uint32_t single_taken(void *context, int line, uint32_t active)
{
	struct threads *threads = context;
	(void)active;
	return line == GUARD ? 0 : below(threads, ++threads->turn);
}

static struct branch_stack_run run_single(int divergent, struct arena *arena, void (*watch)(void *, const struct branch_stack_run *))
{
	static struct threads threads;
	threads = (struct threads){.divergent = divergent};
	struct branch_stack_run run = {.code = single,
		.depth = DEPTH,
		.a_spill = A_SPILL,
		.most = MOST,
		.taken = single_taken,
		.watch = watch,
		.context = &threads};
	ck_assert(branch_stack_run(&run, 12, arena));
	return run;
}

/* Section IV: M + 1 pushes, as many at once; the branch instruction is issued as often as without divergence; NOP.S once for each token;
 * a spill at each fourth token after the sixteenth. */
START_TEST(single_loop)
{
	struct arena *arena = arena_create();
	struct branch_stack_run run = run_single(_i, arena, NULL);
	ck_assert_int_eq(run.pushes, _i + 1);
	ck_assert_int_eq(run.deepest, _i + 1);
	ck_assert_int_eq(run.divergences, _i);
	ck_assert_int_eq(run.issued[POPS], _i + 1);
	ck_assert_int_eq(run.issued[AGAIN], 32);
	ck_assert_int_eq(run.spills, _i + 1 <= 16 ? 0 : (_i + 1 - 16 + 3) / 4);
	ck_assert_int_eq(divergence_cycles(&kepler, _i, _i + 1, _i + 1), _i * 32 + run.spills * 84);
	ck_assert_int_eq(divergence_cycles(&maxwell, _i, _i + 1, _i + 1), _i * 26 + run.spills * 176);
	arena_destroy(arena);
}
END_TEST

/* [EXAMPLES] W15. */
START_TEST(w15)
{
	static const int64_t expected[][2] = {{15, 480}, {16, 596}, {19, 692}, {20, 808}, {31, 1328}};
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(divergence_cycles(&kepler, expected[i][0], expected[i][0] + 1, expected[i][0] + 1), expected[i][1]);
}
END_TEST

/* Figure 3 with M = 2: the stack before the line where it has changed. */
static const struct {
	int line;
	uint32_t active;
	int count;
	struct token top;
} figure3[] = {
	{3, 0xFFFFFFFF, 1, {0xFFFFFFFF, TOKEN_SYNC, 11}},  /* 3.2 */
	{6, 0x7FFFFFFF, 2, {0x80000000, TOKEN_DIV, 10}},   /* 3.3: thread 31 is done */
	{6, 0x3FFFFFFF, 3, {0x40000000, TOKEN_DIV, 10}},   /* 3.4: and thread 30 */
	{10, 0x40000000, 2, {0x80000000, TOKEN_DIV, 10}},  /* 3.5 */
	{10, 0x80000000, 1, {0xFFFFFFFF, TOKEN_SYNC, 11}}, /* 3.6 */
	{11, 0xFFFFFFFF, 0, {0, TOKEN_SYNC, 0}},           /* 3.7 */
};

static void watch_figure3(void *context, const struct branch_stack_run *run)
{
	struct threads *threads = context;
	static int before;
	if (threads->event == 0 && run->token_count == 0) {
		before = 0;
		return;
	}
	if (run->token_count == before)
		return;
	before = run->token_count;
	ck_assert_int_lt(threads->event, 6);
	ck_assert_int_eq(run->line, figure3[threads->event].line);
	ck_assert_uint_eq(run->active, figure3[threads->event].active);
	ck_assert_int_eq(run->token_count, figure3[threads->event].count);
	if (run->token_count > 0) {
		const struct token *top = &run->tokens[run->token_count - 1];
		ck_assert_uint_eq(top->mask, figure3[threads->event].top.mask);
		ck_assert_int_eq(top->kind, figure3[threads->event].top.kind);
		ck_assert_int_eq(top->line, figure3[threads->event].top.line);
	}
	threads->event++;
}

START_TEST(walk_through)
{
	struct arena *arena = arena_create();
	struct branch_stack_run run = run_single(2, arena, watch_figure3);
	ck_assert_int_eq(((struct threads *)run.context)->event, 6);
	arena_destroy(arena);
}
END_TEST

/* ---- the double loop: both bounds as in Table I. The text's figures of its depth and pushes are unreadable; these are the emulator's. */

static const struct code_line nested[] = {
	{LINE_SSY, 8},
	{LINE_PLAIN, 0}, /* outer loop */
	{LINE_SSY, 6},
	{LINE_PLAIN, 0},
	{LINE_BRANCH, 3},
	{LINE_POP, 0}, /* inner loop */
	{LINE_BRANCH, 1},
	{LINE_POP, 0},
	{LINE_END, 0},
};

static uint32_t nested_taken(void *context, int line, uint32_t active)
{
	struct threads *threads = context;
	(void)active;
	if (line == 4)
		return below(threads, ++threads->turn);
	threads->turn = 0;
	return below(threads, ++threads->outer);
}

START_TEST(double_loop)
{
	struct arena *arena = arena_create();
	int divergent = _i;
	struct threads threads = {.divergent = divergent};
	struct branch_stack_run run = {
		.code = nested, .depth = DEPTH, .a_spill = A_SPILL, .most = MOST, .taken = nested_taken, .context = &threads};
	ck_assert(branch_stack_run(&run, 9, arena));
	/* Each outer turn pushes a SYNC token and one for each other bound among the threads that still run. */
	long pushes = 1 + divergent;
	for (int turn = 0, left = divergent; turn < 32; turn++) {
		pushes += 1 + left;
		left -= left > 0 && turn + 1 >= 32 - left;
	}
	ck_assert_int_eq(run.pushes, pushes);
	ck_assert_int_eq(run.deepest, divergent + 2);
	int64_t cycles = run.divergences * kepler.cycles_a_divergence + run.spills * kepler.cycles_a_spill;
	ck_assert_int_ge(divergence_cycles(&kepler, run.divergences, run.pushes, run.deepest), cycles);
	ck_assert(divergent + 2 > DEPTH || run.spills == 0);
	arena_destroy(arena);
}
END_TEST

/* The same loops on an H200 (probe/warps.cu, three runs of seven repetitions, all equal): no stack, no steps, and each group that splits
 * off costs 13 cycles to the cycle. The emulator counts the groups. */
START_TEST(convergence_barriers)
{
	static const int single_cycles[] = {935, 948, 961, 974, 987, 1000, 1013, 1026, 1039, 1052, 1065, 1078, 1091, 1104, 1117, 1130, 1143,
		1156, 1169, 1182, 1195, 1208, 1221, 1234, 1247, 1260, 1273, 1286, 1299, 1312, 1325, 1338};
	static const int double_cycles[] = {28805, 29221, 29624, 30014, 30391, 30755, 31106, 31444, 31769, 32081, 32380, 32666, 32939,
		33199, 33446, 33680, 33901, 34109, 34304, 34486, 34655, 34811, 34954, 35084, 35201, 35305, 35396, 35474, 35539, 35591,
		35630, 35656};
	struct arena *arena = arena_create();
	struct threads threads = {.divergent = _i};
	struct branch_stack_run once = run_single(_i, arena, NULL), twice = {.code = nested,
									    .depth = DEPTH,
									    .a_spill = A_SPILL,
									    .most = MOST,
									    .taken = nested_taken,
									    .context = &threads};
	ck_assert(branch_stack_run(&twice, 9, arena));
	ck_assert_int_eq(single_cycles[_i], single_cycles[0] + 13 * once.divergences);
	ck_assert_int_eq(double_cycles[_i], double_cycles[0] + 13 * twice.divergences);
	arena_destroy(arena);
}
END_TEST

/* ---- random nests: code for the stack, and the same as a graph */

#define LINES 4000
#define BLOCKS 60
#define LEVELS 3

struct nest {
	struct program *program;
	struct code_line code[LINES];
	int lines, current, bounds[LINES], turns[LINES], first_line[BLOCKS];
	bool repeats[LINES];
};

static int add_line(struct nest *nest, enum line_kind kind, int target)
{
	nest->code[nest->lines] = (struct code_line){kind, target};
	return nest->lines++;
}

static int add_block(struct nest *nest)
{
	int block = nest->program->block_count++;
	nest->first_line[block] = add_line(nest, LINE_PLAIN, 0);
	nest->program->blocks[block].counts[CLASS_INT32] = 1 + rand() % 9;
	return nest->current = block;
}

static void add_branch(struct nest *nest, int block, int paths)
{
	nest->program->branches[nest->program->branch_count++] = (struct program_branch){block, paths, 0};
}

static void grow(struct nest *nest, int level);

static void grow_fork(struct nest *nest, int level)
{
	int branch = nest->current, sync = add_line(nest, LINE_SSY, 0), jump = add_line(nest, LINE_BRANCH, 0), ends[2];
	for (int side = 0; side < 2; side++) {
		if (side == 1)
			nest->code[jump].target = nest->lines;
		build_edge(nest->program, branch, add_block(nest));
		grow(nest, level + 1);
		ends[side] = nest->current;
		add_line(nest, LINE_POP, 0);
	}
	nest->code[sync].target = nest->lines;
	int join = add_block(nest);
	build_edge(nest->program, ends[0], join);
	build_edge(nest->program, ends[1], join);
	add_branch(nest, branch, 2);
}

static void grow_loop(struct nest *nest, int level)
{
	int before = nest->current, sync = add_line(nest, LINE_SSY, 0), header = add_block(nest), first = nest->first_line[header];
	build_edge(nest->program, before, header);
	grow(nest, level + 1);
	int latch = nest->current, bound = rand() % 5;
	if (latch == header || nest->program->branch_count == 0 ||
		nest->program->branches[nest->program->branch_count - 1].block != latch) {
		int jump = add_line(nest, LINE_BRANCH, first);
		nest->repeats[jump] = true;
		nest->bounds[jump] = bound;
		nest->turns[jump] = 0;
		add_line(nest, LINE_POP, 0);
		nest->code[sync].target = nest->lines;
		int after = add_block(nest);
		build_edge(nest->program, latch, header);
		build_edge(nest->program, latch, after);
		build_loop(nest->program, header, bound);
		add_branch(nest, latch, 32);
	}
}

static void grow(struct nest *nest, int level)
{
	for (int i = rand() % 3; i > 0 && level < LEVELS && nest->program->block_count < BLOCKS - 12; i--) {
		if (rand() % 2 == 0)
			grow_fork(nest, level);
		else
			grow_loop(nest, level);
	}
}

/* A loop's turns begin anew whenever all who were in it have left, which its branch sees as nobody taking it. */
static uint32_t nest_taken(void *context, int line, uint32_t active)
{
	struct nest *nest = context;
	uint32_t mask = active & ((uint32_t)rand() | (uint32_t)rand() << 16 | (uint32_t)rand() << 1);
	if (rand() % 3 == 0)
		mask = rand() % 2 == 0 ? active : 0;
	if (!nest->repeats[line])
		return mask;
	if (++nest->turns[line] > nest->bounds[line])
		mask = 0;
	if (mask == 0)
		nest->turns[line] = 0;
	return mask;
}

static int64_t bound_of(const struct flow *flow, const struct loops *loops, const struct divergence *divergence, const int64_t *weights,
	int64_t on_divergence, int64_t on_split)
{
	struct ipet_weights all = {weights, on_divergence, on_split};
	return ipet_solve(flow, loops, divergence, &all, true, &(struct lp_limits){0, 0}).value;
}

static void check_nest(struct nest *nest, struct arena *arena)
{
	struct diagnostics diagnostics;
	struct flow flow;
	struct loops loops;
	struct divergence divergence;
	diagnostics_init(&diagnostics, arena);
	ck_assert(flow_build(&flow, nest->program, arena, &diagnostics) && loops_find(&loops, &flow, NULL, &diagnostics));
	ck_assert_msg(divergence_find(&divergence, &flow, &loops, NULL, &diagnostics), "%s",
		diagnostics.count > 0 ? diagnostics.items[0].text : "");
	int64_t weights[BLOCKS], nothing[BLOCKS] = {0}, worst = 0;
	for (int i = 0; i < nest->program->block_count; i++)
		weights[i] = nest->program->blocks[i].counts[CLASS_INT32];
	int64_t bound = bound_of(&flow, &loops, &divergence, weights, 0, 0);
	int64_t divergences = bound_of(&flow, &loops, &divergence, nothing, 1, 0),
		pushes = bound_of(&flow, &loops, &divergence, nothing, 1, 1);
	for (int i = 0; i < 30; i++) {
		struct branch_stack_run run = {
			.code = nest->code, .depth = DEPTH, .a_spill = A_SPILL, .most = MOST, .taken = nest_taken, .context = nest};
		ck_assert(branch_stack_run(&run, nest->lines, arena));
		int64_t weight = 0;
		for (int block = 0; block < nest->program->block_count; block++)
			weight += run.issued[nest->first_line[block]] * weights[block];
		worst = checked_max(worst, weight);
		ck_assert_int_le(run.divergences, divergences);
		ck_assert_int_le(run.pushes, pushes);
		ck_assert_int_le(run.deepest, divergence.depth);
		ck_assert_int_ge(divergence_cycles(&kepler, run.divergences, run.pushes, run.deepest),
			run.divergences * kepler.cycles_a_divergence + run.spills * kepler.cycles_a_spill);
	}
	ck_assert_int_ge(bound, worst);
}

START_TEST(random_nests)
{
	int forks = 0;
	srand(5);
	for (int i = 0; i < 300; i++) {
		struct arena *arena = arena_create();
		struct nest *nest = arena_allocate(arena, 1, sizeof *nest);
		nest->program = build_empty(arena, BLOCKS);
		nest->program->block_count = 0;
		add_block(nest);
		grow(nest, 0);
		add_line(nest, LINE_END, 0);
		build_finish(arena, nest->program);
		check_nest(nest, arena);
		forks += nest->program->branch_count;
		arena_destroy(arena);
	}
	ck_assert_int_gt(forks, 500);
}
END_TEST

/* A branch whose paths are both taken costs their sum, one that all threads decide alike their maximum. */
START_TEST(sum_or_maximum)
{
	struct arena *arena = arena_create();
	const int64_t weights[] = {1, 5, 9, 1};
	for (int paths = 1; paths <= 2; paths++) {
		struct program *program = build_program(arena, "ab ac bd cd", "", weights);
		add_branch(&(struct nest){.program = program}, 0, paths);
		struct diagnostics diagnostics;
		struct flow flow;
		struct loops loops;
		struct divergence divergence;
		diagnostics_init(&diagnostics, arena);
		ck_assert(flow_build(&flow, program, arena, &diagnostics) && loops_find(&loops, &flow, NULL, &diagnostics) &&
			  divergence_find(&divergence, &flow, &loops, NULL, &diagnostics));
		ck_assert_int_eq(bound_of(&flow, &loops, &divergence, weights, 32, 0), paths == 1 ? 11 : 16 + 32);
	}
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("seed004");
	TCase *tests = tcase_create("divergence");
	tcase_add_loop_test(tests, single_loop, 0, 32);
	tcase_add_test(tests, w15);
	tcase_add_test(tests, walk_through);
	tcase_add_loop_test(tests, double_loop, 0, 32);
	tcase_add_loop_test(tests, convergence_barriers, 0, 32);
	tcase_add_test(tests, random_nests);
	tcase_add_test(tests, sum_or_maximum);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
