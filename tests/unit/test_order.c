/* A-ORDER: residences, makespans and bounds worked out by hand; when it is used, and when it is not. [START-DELAYS]. */
#include "response/operation_cost.h"
#include "unit/run.h"
#include "unit/systems.h"

#define DELAY 1
#define STALL 2

static void late(struct system *s)
{
	s->platform.assumptions[ASSUMPTION_ORDER].status = STATUS_ASSUMED;
	s->platform.assumptions[ASSUMPTION_WC].status = STATUS_BROKEN;
	system_parameter(s, PARAMETER_DISPATCH_DELAY, DELAY);
	system_parameter(s, PARAMETER_DISPATCH_STALL, STALL);
}

/* One kernel of a single stream. */
static void alone(struct system *s, int64_t blocks, int64_t an_sm, int64_t wcet)
{
	system_init(s, 2);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
	system_stream(s, 0, 0);
	system_task(s, 1000, 0);
	system_kernel(s, 0, blocks, an_sm, an_sm, wcet);
	s->kernels[0].mixes = false;
}

static struct costs *costs(struct system *s)
{
	s->map.domains = domains_find(s->arena, &s->platform, &s->set);
	return costs_compute(s->arena, &s->platform, &s->set, &s->map, &s->inflation, &s->derivation);
}

START_TEST(residence_and_makespan)
{
	static const struct {
		int64_t blocks, an_sm, wcet, residence, makespan;
	} rows[] = {
		{3, 2, 4, 7, 8}, /* one wave: 1 + 7 */
		{4, 2, 4, 7, 8},
		{5, 2, 4, 7, 15}, /* two: 1 + 2 * 7 */
		{3, 1, 4, 5, 11}, /* a block has its SM to itself, so none is there before it: 1 + 2 * (4 + 1) */
		{1, 2, 4, 5, 6},  /* there is no other block */
		{2, 2, 100, 103, 104},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct system s;
		alone(&s, rows[i].blocks, rows[i].an_sm, rows[i].wcet);
		late(&s);
		const struct operation_cost *cost = &costs(&s)->operations[0];
		ck_assert_int_eq(cost->block.value, rows[i].wcet);
		ck_assert_int_eq(cost->residence.value, rows[i].residence);
		ck_assert_int_eq(cost->makespan.value, rows[i].makespan);
		ck_assert(cost->makespan.assumptions & assumption_bit(ASSUMPTION_ORDER));
		ck_assert(!(cost->makespan.assumptions & assumption_bit(ASSUMPTION_WC)));
		ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), rows[i].makespan);
		system_finish(&s);
	}
}
END_TEST

/* A frame of another stream is on no SM when a block comes, by A-DRAW; a kernel is, where both fit. */
START_TEST(a_frame_is_no_company)
{
	static const struct {
		bool draws;
		int64_t slots, residence;
	} rows[] = {{true, 1, 4 + DELAY}, {false, 1, 4 + DELAY + STALL}, {true, 2, 4 + DELAY + STALL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct system s;
		alone(&s, 1, rows[i].slots, 4);
		late(&s);
		s.platform.assumptions[ASSUMPTION_DRAW].status = rows[i].draws ? STATUS_ASSUMED : STATUS_BROKEN;
		s.kernels[0].mixes = true;
		system_one_kernel(&s, 0, 1000, 1, rows[i].slots, 4);
		system_task(&s, 1000, 0);
		system_operation(&s, OPERATION_FRAGMENT, system_stream(&s, 0, 0), 0, 9);
		ck_assert_int_eq(costs(&s)->operations[0].residence.value, rows[i].residence);
		system_finish(&s);
	}
}
END_TEST

START_TEST(X4_late)
{
	struct system s;
	system_x4(&s);
	late(&s);
	struct response *r = system_analyze(&s);
	/* M = 8, drain waste 7: (8 + 7) + 8 + 3 */
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 26);
	ck_assert_int_eq(system_bound(r, 1, BOUND_P), 26);
	/* above: a lower block of 7, then 8; below by COV: 3 + 2 blocks, half an SM each, in samples of 7, and 3 * 2 delays of 1; then a
	 * block of 7, and 3 */
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 15);
	ck_assert_int_eq(system_bound(r, 1, BOUND_CHAIN), 7 * (5 / 2 / 2) + 3 * 2 * 1 + 7 + 3);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), (3 * 7 - 6 + 3 * 7 - 6) / 2 + 6 + 6 + 3 + 3 * DELAY); /* g = m */
	for (int bound = 0; bound < BOUND_COUNT; bound++)
		ck_assert(!(r->tasks[0].bounds[bound].assumptions &
			    (assumption_bit(ASSUMPTION_HOL) | assumption_bit(ASSUMPTION_PRIO) | assumption_bit(ASSUMPTION_WC))));
	system_finish(&s);
}
END_TEST

START_TEST(kernels_of_different_configurations)
{
	struct system s;
	system_x4(&s);
	late(&s);
	s.operations[0].kernel.carveout = 50;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_P].reason, "carveout"));
	/* g = 1, and who comes to the head twice is not known */
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 3 * 7 - 6 + 3 * 7 - 6 + 6 + 6 + 3 + 4 * DELAY);
	system_finish(&s);
}
END_TEST

/* A memset that runs as a kernel has whatever preference the driver gave it. */
START_TEST(a_kernel_of_the_driver)
{
	for (int preferring = 0; preferring < 2; preferring++) {
		struct system s;
		system_x4(&s);
		late(&s);
		system_task(&s, 60, 0);
		s.operations[system_operation(&s, OPERATION_MEMSET, 0, 0, 1)].copy.direction = DIRECTION_MEMSET;
		s.platform.engine_of[DIRECTION_MEMSET] = ENGINE_COMPUTE;
		s.operations[0].kernel.carveout = s.operations[1].kernel.carveout = preferring ? 100 : NONE;
		const struct bound_value *p = &system_analyze(&s)->tasks[0].bounds[BOUND_P];
		ck_assert_int_eq(p->reason != NULL && strstr(p->reason, "carveout") != NULL, preferring);
		system_finish(&s);
	}
}
END_TEST

START_TEST(what_says_more_is_used)
{
	struct system s;
	system_x4(&s);
	late(&s);
	s.platform.assumptions[ASSUMPTION_WC].status = STATUS_CONDITIONAL;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 15);
	ck_assert(!(r->tasks[0].bounds[BOUND_P].assumptions & assumption_bit(ASSUMPTION_ORDER)));
	system_finish(&s);
}
END_TEST

START_TEST(delays_unknown)
{
	struct system s;
	system_x4(&s);
	late(&s);
	s.platform.parameters[PARAMETER_DISPATCH_DELAY].present = false;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_P].reason, "dispatch.delay is not known"));
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), NONE);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_VOL_P].reason, "dispatch.delay is not known"));
	system_finish(&s);
}
END_TEST

START_TEST(a_stop_begins_a_delay_anew)
{
	struct system s;
	alone(&s, 3, 2, 4);
	late(&s);
	system_parameter(&s, PARAMETER_STOPS_LENGTH, 5);
	system_parameter(&s, PARAMETER_STOPS_DISTANCE, 40);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), 8 + 5 + DELAY);
	system_finish(&s);
}
END_TEST

/* Where others leave holes nobody knows how many delays a kernel of scope grid has in it, unless it says how many blocks it has. */
START_TEST(scope_grid)
{
	struct system s;
	system_x4(&s);
	late(&s);
	s.platform.assumptions[ASSUMPTION_FRAG].status = STATUS_BROKEN;
	system_task(&s, 600, 0);
	int grid = system_grid(&s, 0, 10);
	s.kernels[grid].mixes = true;
	ck_assert_ptr_nonnull(strstr(costs(&s)->operations[grid].makespan.reason, "number of blocks"));
	s.operations[grid].kernel.blocks = 6;
	/* 6 of 64 slots at most, one an SM at the least; R = 13: 1 + ceil((6 * 10 + 6 * 3 - 13) / 2) + 13 */
	ck_assert_int_eq(costs(&s)->operations[grid].makespan.value, 1 + (60 + 18 - 13 + 1) / 2 + 13);
	s.operations[grid].kernel.blocks = 2; /* as many as there are slots at the least: each begins as alone, but for delays */
	ck_assert_int_eq(costs(&s)->operations[grid].makespan.value, 1 + 13);
	system_finish(&s);
}
END_TEST

/* On two SMs, in A-ORDER all of them and one delay; in no known order g is 1. R is a block from its assignment on, a delay less than its
 * residence. */
START_TEST(volumes)
{
	static const struct {
		int64_t blocks, an_sm, wcet, ordered, unordered;
	} rows[] = {
		{3, 2, 4, (3 * 7 - 6) / 2 + 6 + 1, 3 * 7 - 6 + 6 + 1},
		{3, 1, 4, (3 * 5 - 4) / 2 + 4 + 1, 3 * 5 - 4 + 4 + 1},
		{1, 2, 4, (5 - 4) / 2 + 4 + 1, 5 - 4 + 4 + 1},
		{2, 2, 100, (2 * 103 - 102) / 2 + 102 + 1, 2 * 103 + 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int ordered = 0; ordered < 2; ordered++) {
			struct system s;
			alone(&s, rows[i].blocks, rows[i].an_sm, rows[i].wcet);
			late(&s);
			s.platform.assumptions[ASSUMPTION_ORDER].status = ordered ? STATUS_ASSUMED : STATUS_UNSTATED;
			struct response *r = system_analyze(&s);
			for (int bound = BOUND_VOL_P; bound <= BOUND_VOL_C; bound += BOUND_VOL_C - BOUND_VOL_P) {
				ck_assert_int_eq(system_bound(r, 0, bound), ordered ? rows[i].ordered : rows[i].unordered);
				uint64_t rests = r->tasks[0].bounds[bound].assumptions;
				ck_assert_int_eq((rests & assumption_bit(ASSUMPTION_ORDER)) != 0, ordered);
				ck_assert(rests & assumption_bit(ASSUMPTION_WC_G));
			}
			ck_assert_int_eq(system_bound(r, 0, BOUND_TT), NONE);
			system_finish(&s);
		}
}
END_TEST

/* 5 times 10 on 32 block slots of each of two SMs, each of 6 blocks 3 more; without their number no volume. */
START_TEST(volume_of_scope_grid)
{
	struct system s;
	system_init(&s, 2);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	late(&s);
	system_task(&s, 6000, 0);
	int grid = system_grid(&s, 0, 10);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_P), NONE);
	s.operations[grid].kernel.blocks = 6;
	ck_assert_int_eq(costs(&s)->operations[grid].volume.value, 6 * 10 + 6 * 3 - 12);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_P), (6 * 10 + 6 * 3 - 12) / 2 + 12 + 1);
	system_finish(&s);
}
END_TEST

/* Where nobody is asked to wait twice the second delay is not charged: on the lowest level, where order is known, and in a single stream.
 */
START_TEST(waits_at_the_head)
{
	for (int ordered = 0; ordered < 2; ordered++)
		for (int streams = 1; streams <= 2; streams++) {
			struct system s;
			alone(&s, 1, 2, 4);
			late(&s);
			s.platform.assumptions[ASSUMPTION_ORDER].status = ordered ? STATUS_ASSUMED : STATUS_UNSTATED;
			int other = streams == 1 ? 0 : system_stream(&s, 0, 1);
			system_task(&s, 1000, 0);
			system_kernel(&s, other, 1, 2, 2, 4);
			const struct operation_cost *cost = costs(&s)->operations;
			ck_assert_int_eq(cost[0].dispatch.value, streams == 1 ? DELAY : 2 * DELAY);
			ck_assert_int_eq(cost[1].dispatch.value, streams == 1 || ordered ? DELAY : 2 * DELAY);
			system_finish(&s);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("order");
	TCase *cases = tcase_create("order");
	tcase_add_test(cases, residence_and_makespan);
	tcase_add_test(cases, a_frame_is_no_company);
	tcase_add_test(cases, X4_late);
	tcase_add_test(cases, kernels_of_different_configurations);
	tcase_add_test(cases, a_kernel_of_the_driver);
	tcase_add_test(cases, what_says_more_is_used);
	tcase_add_test(cases, delays_unknown);
	tcase_add_test(cases, a_stop_begins_a_delay_anew);
	tcase_add_test(cases, scope_grid);
	tcase_add_test(cases, volumes);
	tcase_add_test(cases, volume_of_scope_grid);
	tcase_add_test(cases, waits_at_the_head);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
