/* Linear programs: bounds that hold whatever the multipliers are, and what becomes of a solver that fails. */
#include "lp/branch.h"
#include "lp/certificate.h"
#include "lp/glpk.h"
#include "lp/lp.h"
#include "unit/run.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const struct lp_limits no_limits = {0, 0};

/* max 5x + 4y + 3z; 2x + 3y + z <= 5; 4x + y + 2z <= 11; 3x + 4y + 2z <= 8; at most 10 each: 13 at (2, 0, 1), multipliers (1, 0, 1).
 * Chvatal, Linear Programming, 1983, chapter 2. */
static struct lp textbook(struct arena *arena)
{
	static const int64_t costs[] = {5, 4, 3}, rights[] = {5, 11, 8}, factors[3][3] = {{2, 3, 1}, {4, 1, 2}, {3, 4, 2}};
	struct lp lp;
	lp_init(&lp, arena);
	for (int j = 0; j < 3; j++)
		lp_column(&lp, costs[j], 10);
	for (int i = 0; i < 3; i++) {
		lp_row(&lp, LP_AT_MOST, rights[i]);
		for (int j = 0; j < 3; j++)
			lp_entry(&lp, j, factors[i][j]);
	}
	return lp;
}

START_TEST(solves)
{
	struct arena *arena = arena_create();
	struct lp lp = textbook(arena);
	struct lp_result result = lp_bound(&lp, &no_limits);
	ck_assert_int_eq(result.status, LP_SOLVED);
	ck_assert_int_eq(result.value, 13);
	ck_assert_int_eq(lp_certify(&lp, &result.dual), 13);
	ck_assert_ptr_nonnull(result.counts);
	ck_assert(result.counts[0] == 2 && result.counts[1] == 0 && result.counts[2] == 1);
	arena_destroy(arena);
}
END_TEST

/* Wrong, slightly wrong and garbage multipliers: the value that they prove, at least 13, or NONE. */
static const struct {
	int64_t numerators[3], denominator, value;
} duals[] = {
	{{1, 0, 1}, 1, 13},                                  /* right */
	{{0, 0, 0}, 1, 120},                                 /* the limits alone */
	{{1073741823, 0, 1073741825}, (int64_t)1 << 30, 13}, /* the last digit: 13 + 3/2^30 and the reduced costs of it */
	{{999, 0, 1000}, 1000, 13},                          /* 12.995 + 0.02 + 0.01 */
	{{9, 0, 10}, 10, 15},                                /* 12.5 + 2 + 1: rounded down from 15.5 */
	{{-1, 0, 1}, 1, NONE},                               /* below zero on a row "at most" */
	{{1, 0, 1}, 0, NONE},                                /* no denominator */
	{{1, 0, 1}, -1, NONE},                               /* a negative one would turn the inequality */
	{{1000, 1000, 1000}, 1, 24000},                      /* valid and poor */
	{{INT64_MAX, INT64_MAX, INT64_MAX}, 1, NONE},        /* beyond 64 bits */
	{{INT64_MAX, INT64_MAX, INT64_MAX}, INT64_MAX, 24},  /* (1, 1, 1) */
};

START_TEST(certifies)
{
	struct arena *arena = arena_create();
	struct lp lp = textbook(arena);
	int64_t numerators[3];
	memcpy(numerators, duals[_i].numerators, sizeof numerators);
	struct lp_dual dual = {numerators, duals[_i].denominator};
	ck_assert_int_eq(lp_certify(&lp, &dual), duals[_i].value);
	arena_destroy(arena);
}
END_TEST

/* ---- random programs, solved by trying every point */

struct random_program {
	struct lp lp;
	int64_t best; /* NONE: no point */
};

static void try_points(struct random_program *program, int64_t *point, int column)
{
	const struct lp *lp = &program->lp;
	if (column < lp->column_count) {
		for (point[column] = 0; point[column] <= lp->columns[column].upper; point[column]++)
			try_points(program, point, column + 1);
		return;
	}
	int64_t value = 0;
	for (int j = 0; j < lp->column_count; j++)
		value += lp->columns[j].cost * point[j];
	if (lp_reaches(lp, point, value))
		program->best = program->best == NONE ? value : checked_max(program->best, value);
}

static struct random_program make_program(struct arena *arena)
{
	struct random_program program = {.best = NONE};
	int64_t point[5];
	lp_init(&program.lp, arena);
	int columns = 1 + rand() % 4, rows = rand() % 5;
	for (int j = 0; j < columns; j++)
		lp_column(&program.lp, rand() % 21 - 6, rand() % 5);
	for (int i = 0; i < rows; i++) {
		lp_row(&program.lp, rand() % 4 == 0 ? LP_EQUAL : LP_AT_MOST, rand() % 12 - 1);
		for (int j = 0; j < columns; j++)
			if (rand() % 3 > 0)
				lp_entry(&program.lp, j, rand() % 9 - 3);
	}
	try_points(&program, point, 0);
	return program;
}

static void check_garbage(const struct lp *lp, int64_t best)
{
	int64_t numerators[5];
	for (int i = 0; i < lp->row_count; i++)
		numerators[i] = (rand() % 2000 - 1000) * (rand() % 3 == 0 ? (int64_t)1 << 50 : 1);
	struct lp_dual dual = {numerators, 1 + rand() % 1000};
	int64_t value = lp_certify(lp, &dual);
	ck_assert_int_ge(value, best);
	lp_clip(lp, &dual);
	ck_assert_int_ge(lp_certify(lp, &dual), best);
}

START_TEST(random_programs)
{
	int tight = 0, feasible = 0;
	srand(7);
	for (int i = 0; i < 2000; i++) {
		struct arena *arena = arena_create();
		struct random_program program = make_program(arena);
		struct lp_result result = lp_bound(&program.lp, &no_limits);
		ck_assert_int_eq(lp_certify(&program.lp, &result.dual), result.value);
		if (program.best != NONE) {
			ck_assert_int_ne(result.status, LP_INFEASIBLE);
			ck_assert_int_ge(result.value, program.best);
			ck_assert(result.counts == NULL || result.value == program.best);
			check_garbage(&program.lp, program.best);
			feasible++;
			tight += result.value == program.best;
		}
		arena_destroy(arena);
	}
	ck_assert_int_gt(feasible, 1000);
	ck_assert_int_gt(tight, feasible * 7 / 10);
}
END_TEST

/* ---- a solver that stops, gives up or aborts */

static struct lp chain(struct arena *arena, int length)
{
	struct lp lp;
	lp_init(&lp, arena);
	for (int i = 0; i < length; i++) {
		lp_column(&lp, 1 + i % 7, 9);
		lp_row(&lp, LP_AT_MOST, 5);
		lp_entry(&lp, i, 1);
		if (i > 0)
			lp_entry(&lp, i - 1, 1);
	}
	return lp;
}

START_TEST(stopped)
{
	struct arena *arena = arena_create();
	struct lp lp = chain(arena, 200);
	int64_t optimum = lp_bound(&lp, &no_limits).value;
	for (int iterations = 1; iterations < 120; iterations += 7) {
		struct lp_result result = lp_bound(&lp, &(struct lp_limits){0, iterations});
		ck_assert(result.status == LP_LIMIT || result.status == LP_SOLVED);
		ck_assert_int_ge(result.value, optimum);
		ck_assert(result.status == LP_SOLVED || result.counts == NULL);
	}
	ck_assert_int_eq(lp_bound(&lp, &(struct lp_limits){0, 1}).status, LP_LIMIT);
	arena_destroy(arena);
}
END_TEST

START_TEST(aborts)
{
	struct arena *arena = arena_create();
	struct lp lp = textbook(arena);
	lp_row(&lp, LP_AT_MOST, 4);
	lp_entry(&lp, 0, 1);
	lp_entry(&lp, 0, 1); /* twice the same column: GLPK aborts */
	for (int i = 0; i < 3; i++) {
		struct lp_result result = lp_bound(&lp, &no_limits);
		ck_assert_int_eq(result.status, LP_FAILED);
		ck_assert_int_eq(result.value, 120);
		ck_assert_ptr_null(result.counts);
	}
	struct lp other = textbook(arena);
	ck_assert_int_eq(lp_bound(&other, &no_limits).value, 13);
	arena_destroy(arena);
}
END_TEST

START_TEST(no_point)
{
	struct arena *arena = arena_create();
	struct lp lp = textbook(arena);
	lp_row(&lp, LP_EQUAL, 100);
	lp_entry(&lp, 0, 1);
	struct lp_result result = lp_bound(&lp, &no_limits);
	ck_assert_int_eq(result.status, LP_INFEASIBLE);
	ck_assert_ptr_null(result.counts);
	arena_destroy(arena);
}
END_TEST

START_TEST(unlimited)
{
	struct arena *arena = arena_create();
	struct lp lp;
	lp_init(&lp, arena);
	lp_column(&lp, 1, NONE);
	ck_assert_int_eq(lp_bound(&lp, &no_limits).value, NONE);
	lp_row(&lp, LP_AT_MOST, 7);
	lp_entry(&lp, 0, 2);
	ck_assert_int_eq(lp_bound(&lp, &no_limits).value, 3);
	arena_destroy(arena);
}
END_TEST

/* ---- sessions: the same bounds as from nothing, whatever changes between them */

static void change(struct lp *lp)
{
	for (int i = 0; i < lp->row_count; i++)
		lp->rows[i].right = rand() % 14 - 1;
	for (int j = 0; j < lp->column_count; j++) {
		lp->columns[j].upper = rand() % 6;
		lp->columns[j].cost = rand() % 21 - 6;
	}
	for (int k = 0; k < lp->entry_count; k++)
		lp->entries[k].factor += rand() % 4 == 0;
	if (rand() % 3 > 0)
		return;
	lp_row(lp, LP_AT_MOST, rand() % 12);
	for (int j = 0; j < lp->column_count; j++)
		lp_entry(lp, j, rand() % 5);
}

START_TEST(sessions)
{
	srand(11);
	for (int i = 0; i < 200; i++) {
		struct arena *arena = arena_create();
		struct random_program program = make_program(arena), other = make_program(arena);
		struct lp_session *session = lp_session_open(&program.lp, &no_limits), *beside = lp_session_open(&other.lp, &no_limits);
		for (int again = 0; again < 8; again++) {
			struct lp_result warm = lp_session_bound(session), cold = lp_bound(&program.lp, &no_limits);
			int64_t point[5];
			program.best = NONE;
			try_points(&program, point, 0);
			ck_assert_int_eq(lp_certify(&program.lp, &warm.dual), warm.value);
			ck_assert_int_eq(warm.status == LP_INFEASIBLE, cold.status == LP_INFEASIBLE);
			if (program.best != NONE) {
				ck_assert_int_ge(warm.value, program.best);
				ck_assert_int_eq(warm.value, cold.value);
			}
			lp_session_bound(beside);
			change(&program.lp);
			change(&other.lp);
		}
		lp_session_close(session);
		lp_session_close(beside);
		arena_destroy(arena);
	}
}
END_TEST

/* An abort in one session takes GLPK's environment with it; the others start anew and say the same. */
START_TEST(abort_beside_sessions)
{
	struct arena *arena = arena_create();
	struct lp good = textbook(arena), bad = textbook(arena);
	struct lp_session *session = lp_session_open(&good, &no_limits), *failing = lp_session_open(&bad, &no_limits);
	ck_assert_int_eq(lp_session_bound(session).value, 13);
	ck_assert_int_eq(lp_session_bound(failing).value, 13);
	lp_row(&bad, LP_AT_MOST, 4);
	lp_entry(&bad, 0, 1);
	lp_entry(&bad, 0, 1);
	ck_assert_int_eq(lp_session_bound(failing).status, LP_FAILED);
	ck_assert_int_eq(lp_session_bound(session).value, 13);
	ck_assert_int_eq(lp_session_bound(failing).value, 120);
	good.rows[2].right = 0;
	ck_assert_int_eq(lp_session_bound(session).value, 0);
	lp_session_close(failing);
	lp_session_close(session);
	arena_destroy(arena);
}
END_TEST

/* ---- integer programs */

START_TEST(branches)
{
	int exact = 0, feasible = 0, tighter = 0;
	srand(13);
	for (int i = 0; i < 800; i++) {
		struct arena *arena = arena_create();
		struct random_program program = make_program(arena);
		struct lp_integer full = lp_branch(&program.lp, &no_limits, 1000), few = lp_branch(&program.lp, &no_limits, 1 + rand() % 3);
		struct lp_integer blind = lp_branch(&program.lp, &(struct lp_limits){0, 1}, 1000);
		if (program.best != NONE && program.best >= 0) {
			ck_assert_int_ge(full.value, program.best);
			ck_assert_int_ge(few.value, program.best);
			ck_assert_int_ge(blind.value, program.best);
			ck_assert_int_le(full.best, program.best);
			ck_assert_int_le(full.value, full.root);
			ck_assert(full.best < 0 || lp_reaches(&program.lp, full.point, full.best));
			feasible++;
			exact += full.value == program.best;
			tighter += full.value < full.root;
		}
		arena_destroy(arena);
	}
	ck_assert_int_gt(feasible, 300);
	ck_assert_int_eq(exact, feasible);
	ck_assert_int_gt(tighter, 20);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lp");
	TCase *tests = tcase_create("lp");
	tcase_add_test(tests, solves);
	tcase_add_loop_test(tests, certifies, 0, COUNT(duals));
	tcase_add_test(tests, random_programs);
	tcase_add_test(tests, stopped);
	tcase_add_test(tests, aborts);
	tcase_add_test(tests, no_point);
	tcase_add_test(tests, unlimited);
	tcase_add_test(tests, sessions);
	tcase_add_test(tests, abort_beside_sessions);
	tcase_add_test(tests, branches);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
