/* Who keeps a bound beside a task that has none: [OPEN]. */
#include "unit/run.h"
#include "unit/systems.h"

#include <string.h>

static void begin(struct system *s)
{
	system_init(s, 1);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
}

/* m = 1, kernels of one block that leaves no room for another: t0 takes 4 every 20, t1 10 every 5. */
static const struct {
	int level, overloaded;
	int64_t h, vol_c; /* of t0 */
	const char *why;
} levels[] = {
	{0, 1, 4 + 10, NONE, NULL}, /* one block of the lower level */
	{0, 0, 4 + 10, NONE, NULL}, /* one kernel of the same level */
	{1, 0, NONE, NONE, "task:t1 has kernels of a higher level, and has no bound of this kind"},
};

START_TEST(beside_kernels)
{
	struct system s;
	begin(&s);
	system_one_kernel(&s, levels[_i].level, 20, 1, 1, 4);
	system_one_kernel(&s, levels[_i].overloaded, 5, 1, 1, 10);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), levels[_i].h);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), levels[_i].h);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), levels[_i].vol_c);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), NONE);
	ck_assert_int_eq(r->tasks[1].response, NONE);
	ck_assert_ptr_nonnull(r->tasks[1].bounds[BOUND_H].reason);
	if (levels[_i].why != NULL)
		ck_assert_str_eq(r->tasks[0].bounds[BOUND_H].reason, levels[_i].why);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_VOL_C].reason, "volume is all counted"));
	system_finish(&s);
}
END_TEST

/* t0: copy 3, kernel 4; t1: copies of 10 every 5 on the same engine; t2: a kernel of 2. In order one copy of t1 delays t0; else t0 has no
 * bound, and t2, at the same level, still has: one kernel of t0 is ahead of it, however often it comes. */
START_TEST(beside_copies)
{
	struct system s;
	begin(&s);
	if (_i == 1)
		s.platform.assumptions[ASSUMPTION_CE].status = STATUS_UNSTATED;
	int stream = system_stream(&s, 0, 0);
	system_task(&s, 40, 0);
	system_operation(&s, OPERATION_COPY, stream, 0, 3);
	system_kernel(&s, stream, 1, 1, 1, 4);
	stream = system_stream(&s, 0, 0);
	system_task(&s, 5, 0);
	system_operation(&s, OPERATION_COPY, stream, 0, 10);
	system_one_kernel(&s, 0, 40, 1, 1, 2);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), _i == 0 ? 3 + 10 + 4 + 2 : NONE);
	ck_assert_int_eq(system_bound(r, 1, BOUND_CHAIN), NONE);
	ck_assert_int_eq(system_bound(r, 2, BOUND_CHAIN), 2 + 4);
	ck_assert_int_eq(system_bound(r, 2, BOUND_VOL_C), _i == 0 ? 2 + 4 : NONE);
	if (_i == 1)
		ck_assert_str_eq(r->tasks[0].bounds[BOUND_CHAIN].reason,
			"task:t1 has copies on the same engine, which are served in any order, and has no bound of this kind");
	system_finish(&s);
}
END_TEST

/* Who was there: t0 takes 4 below t2, which takes 5 every `period`; t1 of t0's level asks for more than there is, so that no busy window of
 * theirs ends. t0 waits for one kernel of t1 and one of t2, which was there for less than 5 + 6 before t0 came, or comes in the 11 that t0
 * waits: so both were released in less than 22. With a period of 21 two may be. */
static const struct {
	int64_t period, h;
} higher[] = {{40, 6 + 5 + 4}, {22, 6 + 5 + 4}, {21, 6 + 5 + 5 + 4}};

START_TEST(one_higher_kernel_once)
{
	struct system s;
	begin(&s);
	system_one_kernel(&s, 1, 100, 1, 1, 4);
	system_one_kernel(&s, 1, 5, 1, 1, 6);
	system_one_kernel(&s, 0, higher[_i].period, 1, 1, 5);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 2, BOUND_H), 5 + 6);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), higher[_i].h);
	system_finish(&s);
}
END_TEST

/* A stream is a queue: t0 shares it with t1, which asks for more than there is. t2 is on a level below both, t3 above. */
START_TEST(in_one_stream)
{
	struct system s;
	begin(&s);
	int stream = system_stream(&s, 0, 1);
	system_task(&s, 40, 0);
	system_kernel(&s, stream, 1, 1, 1, 4);
	system_task(&s, 5, 0);
	system_kernel(&s, stream, 1, 1, 1, 10);
	system_one_kernel(&s, 2, 40, 1, 1, 2);
	system_one_kernel(&s, 0, 40, 1, 1, 3);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), NONE);
	ck_assert_ptr_nonnull(r->tasks[0].bounds[BOUND_H].reason);
	ck_assert_int_eq(system_bound(r, 2, BOUND_H), NONE);
	ck_assert_int_eq(system_bound(r, 3, BOUND_H), 3 + 10);
	system_finish(&s);
}
END_TEST

/* Segments: what comes behind the host segment rests on what came before; the first one keeps its value, the task has none. */
START_TEST(segments_of_a_task)
{
	struct system s;
	begin(&s);
	int first = system_stream(&s, 0, 0), second = system_stream(&s, 0, 2);
	system_task(&s, 40, 0);
	system_kernel(&s, first, 1, 1, 1, 4);
	system_operation(&s, OPERATION_HOST, NO_ID, 1, 1);
	system_kernel(&s, second, 1, 1, 1, 1);
	system_one_kernel(&s, 1, 5, 1, 1, 10);
	system_one_kernel(&s, 0, 40, 1, 1, 2);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), NONE);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_H].reason, "of a higher level"));
	ck_assert_int_eq(system_bound(r, 2, BOUND_H), 2 + 10 + 4);
	system_finish(&s);
}
END_TEST

/* Two contexts with slices, one of them overloaded: the other one has its share all the same, slices of 8 and 5, switch 1; m = 1. H: a
 * kernel of 4 waits for one turn of the other context and two switches; P for as much. Copies on a shared engine are another matter: who
 * copies there has no bound, who does not has one. */
START_TEST(in_another_context)
{
	struct system s;
	begin(&s);
	s.applications[0].timeslice = 8;
	system_application(&s, 5);
	system_parameter(&s, PARAMETER_RUNLIST_TIMESLICE, 8);
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 1);
	system_one_kernel(&s, 0, 40, 1, 1, 4);
	int stream = system_stream(&s, 1, 0);
	system_task(&s, 9, 0);
	s.tasks[1].application = 1;
	if (_i == 1)
		system_operation(&s, OPERATION_COPY, stream, 0, 2);
	system_kernel(&s, stream, 1, 1, 1, 20);
	if (_i == 1) {
		stream = system_stream(&s, 0, 0);
		system_task(&s, 40, 0);
		system_operation(&s, OPERATION_COPY, stream, 0, 1);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 4 + 5 + 2);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), NONE);
	if (_i == 1) {
		ck_assert_int_eq(system_bound(r, 2, BOUND_H), NONE);
		ck_assert_ptr_nonnull(strstr(r->tasks[2].bounds[BOUND_H].reason, "on the same copy engine, for which there is no bound"));
		ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE); /* the copies of its context are in the sum */
	} else {
		ck_assert_int_eq(system_bound(r, 0, BOUND_P), 4 + 5 + 2);
	}
	system_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("open");
	TCase *cases = tcase_create("open");
	tcase_add_loop_test(cases, beside_kernels, 0, 3);
	tcase_add_loop_test(cases, beside_copies, 0, 2);
	tcase_add_loop_test(cases, one_higher_kernel_once, 0, 3);
	tcase_add_test(cases, in_one_stream);
	tcase_add_test(cases, segments_of_a_task);
	tcase_add_loop_test(cases, in_another_context, 0, 2);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
