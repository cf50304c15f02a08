/* A-FIT: H by COV's bypass form, worked out by hand; when it is used, and when it is not. [COV-BYPASS]. */
#include "unit/run.h"
#include "unit/systems.h"

static bool rests_on(const struct response *r, int task, enum bound bound, enum assumption assumption)
{
	return (r->tasks[task].bounds[bound].assumptions & assumption_bit(assumption)) != 0;
}

/* Two SMs of 64 warps; K1, one block of 40 warps, C = 10, on the higher level; K2, 4 blocks of 32 warps, C = 4, of the lower one. */
static void two_kernels(struct system *s, int64_t period)
{
	system_init(s, 2);
	s->platform.compute_capability = 62;
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
	for (int i = 0; i < 2; i++) {
		system_stream(s, 0, i);
		system_task(s, i == 0 ? 1000 : period, 0);
		int kernel = system_kernel(s, i, i == 0 ? 1 : 4, i + 1, i + 1, i == 0 ? 10 : 4);
		s->kernels[kernel].occupancy.demand = (struct demand){.warps = i == 0 ? 40 : 32};
	}
	s->platform.assumptions[ASSUMPTION_HOL].status = STATUS_BROKEN;
	s->platform.assumptions[ASSUMPTION_PRIO].status = STATUS_BROKEN;
	s->platform.assumptions[ASSUMPTION_WC].status = STATUS_BROKEN;
	s->platform.assumptions[ASSUMPTION_FIT].status = STATUS_ASSUMED;
}

/* K1: an SM is full for it from 25 warps on, which one block of K2 fills. K2 is complete within 12 of its arrival, so in a window of 8 the
 * blocks of one of its jobs are there where the next comes 100 later: 4 * 4 / 2 = 8, and C. At a distance of 14 two come in 8 + 12, so
 * 8 * 4 / 2 = 16, and no third one comes in 16 + 12.
 * K2: full from 33 warps on; its own blocks weigh 32 / 33 each, K1's 1. Samples 4 apart: 3 * 32 / 33 + 3 = 5.9, floor(5.9 / 2) * 4 = 8,
 * and C. */
START_TEST(arrivals_of_all_levels)
{
	static const struct {
		int64_t period, high, low;
	} rows[] = {{100, 18, 12}, {14, 26, 12}};
	struct system s;
	two_kernels(&s, rows[_i].period);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), rows[_i].high);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), rows[_i].low);
	for (int i = 0; i < 2; i++) {
		ck_assert(rests_on(r, i, BOUND_H, ASSUMPTION_FIT));
		ck_assert(!rests_on(r, i, BOUND_H, ASSUMPTION_HOL) && !rests_on(r, i, BOUND_H, ASSUMPTION_WC));
	}
	system_finish(&s);
}
END_TEST

/* Where order is granted as well, or delays, it is not used; nor in two contexts, or where a kernel may lack a grid slot. */
START_TEST(what_says_more_is_used)
{
	struct system s;
	two_kernels(&s, 100);
	s.platform.assumptions[ASSUMPTION_HOL].status = s.platform.assumptions[ASSUMPTION_PRIO].status = STATUS_ASSUMED;
	s.platform.assumptions[ASSUMPTION_WC].status = STATUS_ASSUMED;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 14); /* K2's blocks are gone after 4, no other comes before K1 */
	ck_assert(!rests_on(r, 0, BOUND_H, ASSUMPTION_FIT) && rests_on(r, 0, BOUND_H, ASSUMPTION_HOL));
	system_finish(&s);
}
END_TEST

START_TEST(where_it_is_not_used)
{
	for (int i = 0; i < 4; i++) {
		struct system s;
		two_kernels(&s, 100);
		if (i == 0)
			system_parameter(&s, PARAMETER_QUEUES_GRIDS, 1);
		else if (i == 1)
			s.platform.assumptions[ASSUMPTION_FIT].status = STATUS_UNSTATED;
		else if (i == 2)
			s.operations[1].kernel.scope = SCOPE_GRID;
		else
			s.streams[1].application = s.tasks[1].application = system_application(&s, NONE);
		struct response *r = system_analyze(&s);
		ck_assert_int_eq(system_bound(r, 0, BOUND_H), NONE);
		system_finish(&s);
	}
}
END_TEST

/* Every launch, every block and one more for each kernel: K1 and one of K2, 5 + 5 blocks, and what o_blk makes K2 longer. */
START_TEST(dispatcher_time)
{
	struct system s;
	two_kernels(&s, 100);
	system_parameter(&s, PARAMETER_OVERHEAD_LAUNCH, 3);
	system_parameter(&s, PARAMETER_OVERHEAD_BLOCK, 1);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_H), 8 + 2 * 3 + (5 + 2) + 10);
	system_finish(&s);
}
END_TEST

/* An SM that takes any waiting block while it is empty: g = m. */
START_TEST(volume)
{
	struct system s;
	two_kernels(&s, 100);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 18);
	ck_assert(rests_on(r, 0, BOUND_VOL_C, ASSUMPTION_FIT));
	s.platform.assumptions[ASSUMPTION_FIT].status = STATUS_UNSTATED;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_C), 26);
	system_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bypass");
	TCase *cases = tcase_create("bypass");
	tcase_add_loop_test(cases, arrivals_of_all_levels, 0, 2);
	tcase_add_test(cases, what_says_more_is_used);
	tcase_add_test(cases, where_it_is_not_used);
	tcase_add_test(cases, dispatcher_time);
	tcase_add_test(cases, volume);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
