/* Worst paths: loops of every kind, against every walk that the bounds allow. */
#include "kernel/build.h"
#include "lp/certificate.h"
#include "wcet/ipet.h"
#include "unit/run.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const struct lp_limits no_limits = {0, 0}, one_iteration = {0, 1};

struct subject {
	struct arena *arena;
	struct diagnostics diagnostics;
	struct program *program;
	struct flow flow;
	struct loops loops;
	struct divergence divergence;
	int64_t *weights;
	bool accepted, natural;
};

static struct subject examine(struct arena *arena, struct program *program)
{
	struct subject subject = {.arena = arena, .program = program, .natural = true};
	diagnostics_init(&subject.diagnostics, arena);
	subject.accepted = flow_build(&subject.flow, program, arena, &subject.diagnostics) &&
			   loops_find(&subject.loops, &subject.flow, NULL, &subject.diagnostics) &&
			   divergence_find(&subject.divergence, &subject.flow, &subject.loops, NULL, &subject.diagnostics);
	subject.weights = arena_allocate(arena, (size_t)program->block_count, sizeof(int64_t));
	for (int i = 0; i < program->block_count; i++)
		subject.weights[i] = program->blocks[i].counts[CLASS_INT32];
	for (int i = 0; i < subject.loops.count; i++)
		subject.natural &= subject.loops.items[i].natural;
	return subject;
}

static struct ipet_result solve_within(struct subject *subject, const struct lp_limits *limits)
{
	struct ipet_weights weights = {subject->weights, 0, 0};
	return ipet_solve(&subject->flow, &subject->loops, &subject->divergence, &weights, true, limits);
}

static struct ipet_result solve(struct subject *subject)
{
	return solve_within(subject, &no_limits);
}

/* A solver that gives up changes nothing where the closed form is exact, and what is bounded is what its multipliers prove. */
static void give_up(struct subject *subject, int64_t closed)
{
	struct ipet_result result = solve_within(subject, &one_iteration);
	ck_assert_int_le(result.value, closed);
	ck_assert_int_eq(lp_certify(&result.lp, &result.dual), result.value);
}

/* ---- graphs */

static const struct {
	const char *name, *edges, *loops;
	int64_t weights[8], value;
} graphs[] = {
	{"straight", "ab bc", "", {1, 2, 3}, 6},
	{"diamond", "ab ac bd cd", "", {1, 5, 9, 1}, 11},
	{"loop", "ab bc cb cd", "b9", {1, 2, 3, 4}, 55},                            /* 10 turns */
	{"loop that is left at its header", "ab bc cb bd", "b9", {1, 2, 3, 4}, 52}, /* 10 times b, 9 times c */
	{"zero-trip", "ab bc cb bd", "b0", {1, 2, 3, 4}, 7},                        /* once b, never c */
	{"self loop", "ab bb bc", "b4", {1, 7, 1}, 37},
	{"nested", "ab bc cc cd db de", "b2 c4", {1, 1, 10, 1, 1}, 158},           /* 3 * (1 + 50 + 1) + 2 */
	{"nested, header shared", "ab bc cb bd db be", "b3", {1, 1, 5, 9, 1}, 33}, /* one loop: 3 turns by d */
	{"two exits", "ab bc cb bd ce", "b2", {1, 1, 1, 50, 7}, 56},               /* a bcbcb d */
	{"exit of both loops", "ab bc cd dc cb de bf", "b3 c2", {1, 1, 1, 1, 90, 2}, 116},
	{"irreducible", "ab ac bc cb bd", "b5", {1, 1, 10, 1}, 58}, /* a b (c b) * 5 d */
	{"several ends", "ab ac bd", "", {1, 1, 9, 1}, 10},
	{"one block", "a", "", {42}, 42},
	{"loop over the entry", "ab ba bc", "a3", {2, 3, 4}, 24},
};

START_TEST(known)
{
	struct arena *arena = arena_create();
	struct subject subject = examine(arena, build_program(arena, graphs[_i].edges, graphs[_i].loops, graphs[_i].weights));
	ck_assert_msg(subject.accepted, "%s", graphs[_i].name);
	struct ipet_result result = solve(&subject);
	ck_assert_msg(result.value == graphs[_i].value, "%s: %lld", graphs[_i].name, (long long)result.value);
	ck_assert_int_ge(result.closed, result.value);
	ck_assert_msg(!subject.natural || result.closed == result.value, "%s: closed form %lld", graphs[_i].name, (long long)result.closed);
	give_up(&subject, result.closed);
	arena_destroy(arena);
}
END_TEST

/* ---- what is refused */

static const struct {
	const char *edges, *loops;
	enum diagnostic_code code;
	const char *text;
} refused[] = {
	{"ab bb bc", "", DIAGNOSTIC_LOOP_UNBOUNDED, "header \"b\""},
	{"ab bc cc cd db de", "c4", DIAGNOSTIC_LOOP_UNBOUNDED, "header \"b\""},
	{"ab bc cc cd db de", "b4", DIAGNOSTIC_LOOP_UNBOUNDED, "header \"c\""},
	{"ab bc", "b3", DIAGNOSTIC_LOOP_UNKNOWN, "\"b\""},
	{"ab bb bc", "b3 c1", DIAGNOSTIC_LOOP_UNKNOWN, "\"c\""},
	{"ab cb", "", DIAGNOSTIC_BLOCK_UNREACHABLE, "\"c\""},
	{"ab ac bb", "b1", DIAGNOSTIC_BLOCK_STUCK, "\"b\""},
};

START_TEST(refuses)
{
	struct arena *arena = arena_create();
	struct subject subject = examine(arena, build_program(arena, refused[_i].edges, refused[_i].loops, NULL));
	ck_assert(!subject.accepted);
	ck_assert_int_eq(subject.diagnostics.items[0].code, refused[_i].code);
	ck_assert_ptr_nonnull(strstr(subject.diagnostics.items[0].text, refused[_i].text));
	arena_destroy(arena);
}
END_TEST

/* ---- random graphs against every walk */

struct walk {
	struct subject *subject;
	int64_t *turns; /* of each loop since it was entered */
	int64_t best;
	long steps;
};

#define STEPS 20000

static bool permitted(struct walk *walk, int edge)
{
	int loop = walk->subject->loops.cut_by[edge];
	return loop == NO_ID || walk->turns[loop] < walk->subject->loops.items[loop].bound;
}

static void go(struct walk *walk, int block, int64_t weight)
{
	struct subject *subject = walk->subject;
	const struct flow *flow = &subject->flow;
	int loops = subject->loops.count;
	if (walk->steps++ > STEPS)
		return;
	if (block == flow->block_count) {
		walk->best = checked_max(walk->best, weight);
		return;
	}
	int64_t saved[16];
	memcpy(saved, walk->turns, sizeof *saved * (size_t)loops);
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++) {
		int edge = flow->out[i];
		if (!permitted(walk, edge))
			continue;
		for (int loop = 0; loop < loops; loop++)
			if (loops_enters(&subject->loops, flow, loop, edge))
				walk->turns[loop] = 0;
		if (subject->loops.cut_by[edge] != NO_ID)
			walk->turns[subject->loops.cut_by[edge]]++;
		go(walk, flow->edges[edge].to, weight + subject->weights[block]);
		memcpy(walk->turns, saved, sizeof *saved * (size_t)loops);
	}
}

/* Bounds for all blocks: those of blocks that head no loop are complained of, which is not what this is about. */
static struct program *random_program(struct arena *arena)
{
	int blocks = 2 + rand() % 7;
	struct program *program = build_empty(arena, blocks);
	for (int i = 0; i < blocks; i++) {
		program->blocks[i].counts[CLASS_INT32] = rand() % 10;
		build_loop(program, i, rand() % 3);
		for (int j = 0; j < blocks; j++)
			if (rand() % 10 < (j == i + 1 ? 8 : 2))
				build_edge(program, i, j);
	}
	build_finish(arena, program);
	return program;
}

static bool usable(const struct subject *subject)
{
	return subject->diagnostics.errors == diagnostics_count(&subject->diagnostics, DIAGNOSTIC_LOOP_UNKNOWN);
}

START_TEST(random_graphs)
{
	int complete = 0, irreducible = 0, loops = 0;
	srand(11);
	for (int i = 0; i < 3000; i++) {
		struct arena *arena = arena_create();
		struct subject subject = examine(arena, random_program(arena));
		if (usable(&subject)) {
			int64_t turns[16] = {0};
			struct diagnostics again;
			diagnostics_init(&again, arena);
			divergence_find(&subject.divergence, &subject.flow, &subject.loops, NULL, &again);
			struct walk walk = {&subject, turns, -1, 0};
			go(&walk, 0, 0);
			struct ipet_result result = solve(&subject);
			ck_assert_int_ge(result.value, walk.best);
			ck_assert_int_ge(result.closed, result.value);
			give_up(&subject, result.closed);
			if (subject.natural) {
				ck_assert_int_eq(result.closed, result.value);
				ck_assert(walk.steps > STEPS || walk.best == result.value);
				complete += walk.steps <= STEPS;
			}
			irreducible += !subject.natural;
			loops += subject.loops.count;
		}
		arena_destroy(arena);
	}
	ck_assert_int_gt(complete, 200);
	ck_assert_int_gt(irreducible, 100);
	ck_assert_int_gt(loops, 1000);
}
END_TEST

/* ---- flow facts */

START_TEST(facts)
{
	struct arena *arena = arena_create();
	const int64_t weights[] = {1, 1, 10, 3, 1};
	struct program *program = build_program(arena, "ab bc bd ce de eb", "b9", weights);
	program->blocks[4].leaves = true;
	struct program_term terms[] = {{2, NO_ID, 1}};
	struct program_fact fact = {false, 4, terms, 1, 0};
	struct subject subject = examine(arena, program);
	ck_assert_int_eq(solve(&subject).value, 1 + 10 * 12); /* c in every turn */
	program->facts = &fact;
	program->fact_count = 1;
	ck_assert_int_eq(solve(&subject).value, 1 + 4 * 12 + 6 * 5); /* c at most 4 times */
	fact.equal = true;
	fact.right = 0;
	ck_assert_int_eq(solve(&subject).value, 1 + 10 * 5);
	terms[0] = (struct program_term){4, 5, 1}; /* the edge back, never */
	ck_assert_int_eq(solve(&subject).value, 13);
	fact.right = 11; /* more than the loop bound */
	ck_assert_int_eq(solve(&subject).status, LP_INFEASIBLE);
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ipet");
	TCase *tests = tcase_create("ipet");
	tcase_add_loop_test(tests, known, 0, COUNT(graphs));
	tcase_add_loop_test(tests, refuses, 0, COUNT(refused));
	tcase_add_test(tests, random_graphs);
	tcase_add_test(tests, facts);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
