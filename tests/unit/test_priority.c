/* FP and what it shares with H: levels, last dispatches, ticks, arrival curves. W6, W9. */
#include "unit/run.h"
#include "unit/systems.h"

/* W9, in us: the revised analysis of CAN. The third message's worst instance is its second one. */
START_TEST(W9_revised_can)
{
	static const int64_t periods[] = {2500, 3500, 3500}, expected[] = {2000, 3000, 3500}, with_tick[] = {1999, 2999, 3500};
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	for (int i = 0; i < 3; i++)
		system_one_kernel(&s, i, periods[i], 1, 1, 1000);
	struct response *r = system_analyze(&s);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(system_bound(r, i, BOUND_FP), expected[i]);
	ck_assert_int_eq(r->tasks[2].winner, BOUND_FP);
	ck_assert_int_eq(r->tasks[0].assumptions >> ASSUMPTION_TICK & 1, 0);
	system_parameter(&s, PARAMETER_TIME_TICK, 1); /* what blocks began a tick earlier at the latest */
	r = system_analyze(&s);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(system_bound(r, i, BOUND_FP), with_tick[i]);
	ck_assert_int_eq(r->tasks[0].assumptions >> ASSUMPTION_TICK & 1, 1);
	s.platform.assumptions[ASSUMPTION_TICK].status = STATUS_UNSTATED;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 2000);
	system_finish(&s);
}
END_TEST

/* W6: drain waste. A block of the higher level takes a whole SM, of the lower one half of it. 58 attained; 41 without the waste. */
START_TEST(W6_drain_waste)
{
	struct system s;
	system_init(&s, 2);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 1, 1000, 8, 2, 20);
	system_one_kernel(&s, 0, 1000, 1, 1, 1);
	struct response *r = system_analyze(&s);
	for (int i = 0; i < BOUND_COUNT; i++)
		ck_assert(system_bound(r, 0, (enum bound)i) == NONE || system_bound(r, 0, (enum bound)i) >= 58);
	ck_assert_int_eq(system_bound(r, 0, BOUND_FP), 61);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 61);
	ck_assert_int_eq(system_bound(r, 1, BOUND_FP), 21);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 21);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 61);
	system_finish(&s);
}
END_TEST

/* [SCOPE-GRID]: 3.5 C is attained, so that arrivals until the completion count. */
START_TEST(grid_below_a_higher_level)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_stream(&s, 0, 1);
	system_task(&s, 100000, 0);
	system_grid(&s, 0, 100);
	system_one_kernel(&s, 0, 201, 1, 1, 100);
	struct response *r = system_analyze(&s);
	for (int i = 0; i < BOUND_COUNT; i++)
		ck_assert(system_bound(r, 0, (enum bound)i) == NONE || system_bound(r, 0, (enum bound)i) >= 350);
	ck_assert_int_ne(system_bound(r, 0, BOUND_H), NONE);
	ck_assert_int_ne(system_bound(r, 0, BOUND_FP), NONE);
	system_finish(&s);
}
END_TEST

/* A kernel, o_dep = 3: a lower block may begin in it, 10 + 1 with the dispatch under way; 3 + 1 + 5 of its own. */
START_TEST(FP_dependency_time)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_parameter(&s, PARAMETER_OVERHEAD_DEPENDENCY, 3);
	system_parameter(&s, PARAMETER_OVERHEAD_BLOCK, 1);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 1000, 1, 1, 5);
	system_one_kernel(&s, 1, 1000, 1, 1, 10);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_FP), 11 + 9);
	ck_assert_int_eq(
		system_bound(r, 1, BOUND_FP), 3 + 1 + 10 + 3 + 1 + 5 + 1); /* the higher one's, and the dispatch that it broke off */
	system_finish(&s);
}
END_TEST

/* Bursts: three at once every 100, then the curve repeats. The third waits for two of its own. */
START_TEST(FP_arrival_curve)
{
	struct system s;
	struct curve_step steps[] = {{50, 3}, {100, 4}};
	system_init(&s, 1);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 100, 1, 1, 10);
	s.tasks[0].arrival = (struct arrival){ARRIVAL_CURVE, 100, 0, NONE, steps, 2};
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 30);
	s.inflated[0].wcet = 20; /* a = 50: 4 * 20 - 50 = 30, a = 0: 60 */
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 60);
	s.inflated[0].wcet = 25;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), NONE); /* 4 * 25 of 100 */
	system_finish(&s);
}
END_TEST

/* V11 for FP: one block of 200, stops of 100 every 150: 600 is attained. Windows are closed, so that a stop at the very end counts. */
START_TEST(FP_stops)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_parameter(&s, PARAMETER_STOPS_LENGTH, 100);
	system_parameter(&s, PARAMETER_STOPS_DISTANCE, 150);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 10000, 1, 1, 200);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 700); /* 200 + 100 n(700) */
	system_one_kernel(&s, 1, 10000, 1, 1, 50);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 850); /* 250 + 100 n(850) */
	system_finish(&s);
}
END_TEST

/* Three tasks of one level, each with a stream of its own: of `periods` and kernels of one block of `wcets`, on one SM that one fills. */
static void three_equals(struct system *s, int level, const int64_t *periods, const int64_t *wcets)
{
	system_init(s, 1);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
	for (int i = 0; i < 3; i++)
		system_one_kernel(s, level, periods[i], 1, 1, wcets[i]);
}

static void expect_fp(struct system *s, int64_t first, int64_t second, int64_t third)
{
	struct response *r = system_analyze(s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_FP), first);
	ck_assert_int_eq(system_bound(r, 1, BOUND_FP), second);
	ck_assert_int_eq(system_bound(r, 2, BOUND_FP), third);
}

/* [FP-EQUALS]: of each other one a job, where counting until the last dispatch has the second short one at 20 as well, 39 for the first. */
START_TEST(FP_equals_first_come)
{
	struct system s;
	three_equals(&s, 0, (int64_t[]){50, 20, 100}, (int64_t[]){5, 2, 30});
	expect_fp(&s, 37, 37, 37);
	system_parameter(&s, PARAMETER_TIME_TICK, 5);
	s.inflated[1].wcet = 5;
	expect_fp(&s, 40, 40, 40); /* else 50 */
	system_finish(&s);
}
END_TEST

/* A job of the first may wait for the one before it, 10 earlier, and what comes meanwhile goes first: R = 2 + 40 + n(R - 10), 53; until the
 * last dispatch it is 40 + n(54) + 2 = 56, and without that wait 43. */
START_TEST(FP_equals_behind_its_own)
{
	struct system s;
	three_equals(&s, 0, (int64_t[]){10, 4, 200}, (int64_t[]){2, 1, 40});
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 53);
	system_finish(&s);
}
END_TEST

/* Two releases 1 apart of 9 each, the second ready at 10 at the earliest: 19 is attained, 18 what a kept place would be. */
START_TEST(FP_equals_lose_their_place)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 30, 1, 1, 9);
	system_one_kernel(&s, 0, 5, 1, 1, 1);
	s.tasks[0].arrival.jitter = 29;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 20);
	system_finish(&s);
}
END_TEST

/* A stream is a queue: of the second, which comes every 10, one job is before the first's, and not those until its dispatch, with which it
 * is 43, and 37 with the other numbers. The third has a stream of its own and counts until the dispatch: for the second's job at 10 twice,
 * 15 + 2 * 2 + 2 * 16 - 10. */
START_TEST(FP_equals_of_one_stream)
{
	struct system s;
	three_equals(&s, 0, (int64_t[]){100, 10, 200}, (int64_t[]){5, 2, 30});
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 37);
	s.operations[1].stream = s.operations[0].stream;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 37);
	s.tasks[2].arrival.period = 32;
	s.inflated[2].wcet = 16;
	s.inflated[0].wcet = 15;
	expect_fp(&s, 15 + 2 + 16, 41, 15 + 2 + 16);
	system_finish(&s);
}
END_TEST

/* Higher levels count until the last dispatch as ever: 32 + 3 n(35) + 5, not 34 + 3 n(37) + 5. */
START_TEST(FP_equals_below_a_higher_level)
{
	struct system s;
	three_equals(&s, 1, (int64_t[]){100, 20, 200}, (int64_t[]){5, 2, 30});
	system_one_kernel(&s, 0, 40, 1, 1, 3);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 40);
	system_finish(&s);
}
END_TEST

/* With o_dep = 3 each is 3 longer, and who comes within 3 goes first as well: 8 + 5 n(3) + 33, not 8 + 5 n(51) + 33. */
START_TEST(FP_equals_dependency_time)
{
	struct system s;
	three_equals(&s, 0, (int64_t[]){100, 20, 200}, (int64_t[]){5, 2, 30});
	system_parameter(&s, PARAMETER_OVERHEAD_DEPENDENCY, 3);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 46);
	s.tasks[1].arrival.jitter = 17;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 51); /* the second one 3 after the first */
	s.tasks[1].arrival.jitter = 16;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 50); /* that job 1 earlier: a = 1 */
	system_finish(&s);
}
END_TEST

/* Two tasks of a stream, without o_dep: each brings the lower level's block, 4, and so does the first of an interval: 3 + 4 + 1 + 4, less
 * than with an o_dep of 1. */
START_TEST(FP_blocked_each)
{
	struct system s;
	system_init(&s, 2);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 1000, 2, 1, 3);
	system_one_kernel(&s, 0, 1000, 2, 1, 1);
	system_one_kernel(&s, 1, 1000, 3, 1, 4);
	s.operations[1].stream = s.operations[0].stream;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 12);
	ck_assert_int_eq(system_bound(system_analyze(&s), 1, BOUND_FP), 12);
	system_parameter(&s, PARAMETER_OVERHEAD_DEPENDENCY, 1);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_FP), 14);
	system_finish(&s);
}
END_TEST

/* One in a window of 10, four in one of 100: one is before the other task's job, and by its dispatch there were four. */
START_TEST(FP_equals_curve)
{
	struct system s;
	struct curve_step steps[] = {{10, 1}, {100, 4}};
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 1000, 1, 1, 5);
	system_one_kernel(&s, 0, 100, 1, 1, 10);
	s.tasks[1].arrival = (struct arrival){ARRIVAL_CURVE, 100, 0, NONE, steps, 2};
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_FP), 35); /* a = 10: 5 + 4 * 10 - 10 */
	ck_assert_int_eq(system_bound(r, 1, BOUND_FP), 35);
	system_finish(&s);
}
END_TEST

/* VOL-C, (V.3): an instance of the other stream that arrived within its response before the window is carried in. T = 20, 6 each: 6 + 2
 * * 6. The falsifier does not miss it, as responses inherit jitter; the proof needs it ([VOL-C]). */
START_TEST(carried_into_a_window)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 20, 1, 1, 6);
	system_one_kernel(&s, 0, 20, 1, 1, 6);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_C), 18);
	system_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("priority");
	TCase *cases = tcase_create("levels");
	tcase_add_test(cases, W9_revised_can);
	tcase_add_test(cases, W6_drain_waste);
	tcase_add_test(cases, grid_below_a_higher_level);
	tcase_add_test(cases, FP_dependency_time);
	tcase_add_test(cases, FP_arrival_curve);
	tcase_add_test(cases, FP_stops);
	tcase_add_test(cases, FP_equals_first_come);
	tcase_add_test(cases, FP_equals_behind_its_own);
	tcase_add_test(cases, FP_equals_lose_their_place);
	tcase_add_test(cases, FP_equals_of_one_stream);
	tcase_add_test(cases, FP_equals_below_a_higher_level);
	tcase_add_test(cases, FP_equals_dependency_time);
	tcase_add_test(cases, FP_equals_curve);
	tcase_add_test(cases, FP_blocked_each);
	tcase_add_test(cases, carried_into_a_window);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
