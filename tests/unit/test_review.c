/* The theory's worked examples and the review's counterexamples that no other test has: W4, W11, V2 to V4, V6, V7, V13.
 * tests/papers/README.md lists where each of them is. */
#include "model/rules.h"
#include "response/nonpreemptive_server.h"
#include "unit/run.h"
#include "unit/systems.h"

static void none_below(const struct response *response, int task, int64_t attained)
{
	for (int i = 0; i < BOUND_COUNT; i++) {
		int64_t value = system_bound(response, task, (enum bound)i);
		ck_assert_msg(value == NONE || value >= attained, "%s is %lld, %lld is attained", bound_kinds[i].name, (long long)value,
			(long long)attained);
	}
}

/* W4: Graham's (2 - 1/m), m = 3: A has 6 blocks of 1, B one of 3 behind it. 2 + 3 is exact, and no shorter time may be claimed. */
START_TEST(W4_graham_tight)
{
	struct system s;
	system_init(&s, 3);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 1000, 6, 1, 1);
	system_one_kernel(&s, 0, 1000, 1, 1, 3);
	struct response *r = system_analyze(&s);
	none_below(r, 1, 5);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 5);
	ck_assert_int_eq(r->tasks[1].response, 5);
	system_finish(&s);
}
END_TEST

/* W11: a copy engine served in order. */
static const struct {
	int64_t jitter, busy, expected;
} w11_cases[] = {{10, 33, 21}, {30, 40, 28}};

START_TEST(W11_copies_in_order)
{
	struct arrival models[] = {{ARRIVAL_PERIODIC, 20, 0, NONE, NULL, 0}, {ARRIVAL_PERIODIC, 30, 0, NONE, NULL, 0},
		{ARRIVAL_PERIODIC, 60, 0, NONE, NULL, 0}};
	struct arrivals arrivals[] = {{&models[0], 0, false}, {&models[1], w11_cases[_i].jitter, false}, {&models[2], 0, false}};
	struct customer customers[] = {{&arrivals[0], 5}, {&arrivals[1], 7}, {&arrivals[2], 9}};
	struct nonpreemptive level = {.ahead = customers, .ahead_count = 3, .tick = 1, .horizon = 1000, .candidates = 100};
	ck_assert_int_eq(nonpreemptive_busy_window(&level), w11_cases[_i].busy);
	ck_assert_int_eq(nonpreemptive_response(&level), w11_cases[_i].expected);
	level.candidates = 0;
	ck_assert_int_eq(nonpreemptive_response(&level), NONE);
}
END_TEST

/* Where a closed window may grow, against counting at every length. */
static struct curve_step curve_steps[] = {{3, 1}, {7, 2}, {8, 4}};
static const struct {
	struct arrival model;
	int64_t jitter;
	bool at_release;
} next_cases[] = {
	{{ARRIVAL_PERIODIC, 7, 0, NONE, NULL, 0}, 0, true},
	{{ARRIVAL_PERIODIC, 7, 0, NONE, NULL, 0}, 17, false},
	{{ARRIVAL_SPORADIC, 10, 0, 3, NULL, 0}, 25, true},  /* V7: bursts, three apart ... */
	{{ARRIVAL_SPORADIC, 10, 0, 3, NULL, 0}, 25, false}, /* ... at their release only */
	{{ARRIVAL_CURVE, 10, 0, NONE, curve_steps, 3}, 0, true},
	{{ARRIVAL_CURVE, 10, 0, NONE, curve_steps, 3}, 4, true},
};

START_TEST(V7_where_arrivals_grow)
{
	struct arrivals arrivals = {&next_cases[_i].model, next_cases[_i].jitter, next_cases[_i].at_release};
	int64_t next = arrivals_next(&arrivals, 0);
	for (int64_t a = 1; a < 100; a++) {
		bool grows = arrivals_in_closed(&arrivals, a, 1) > arrivals_in_closed(&arrivals, a - 1, 1);
		ck_assert(!grows || a == next);
		if (a == next)
			next = arrivals_next(&arrivals, a);
	}
	ck_assert(next >= 100);
}
END_TEST

START_TEST(V7_distance_at_release_only)
{
	struct arrival model = {ARRIVAL_SPORADIC, 10, 0, 8, NULL, 0};
	struct arrivals at_release = {&model, 20, true}, later = {&model, 20, false};
	ck_assert_int_eq(arrivals_in(&at_release, 8), 1);
	ck_assert_int_eq(arrivals_in(&later, 8), 3);
}
END_TEST

/* V2: copy, host, copy on a stream that another task uses: the second copy waits behind a later kernel of 100. 206 is attained. */
START_TEST(V2_host_segment_on_a_shared_stream)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 1000, 0);
	system_operation(&s, OPERATION_COPY, 0, 1, 1);
	system_operation(&s, OPERATION_HOST, NO_ID, 10, 10);
	system_operation(&s, OPERATION_COPY, 0, 1, 1);
	system_task(&s, 105, 0);
	system_kernel(&s, 0, 1, 1, 1, 100);
	struct response *r = system_analyze(&s);
	none_below(r, 0, 206);
	ck_assert_int_ne(r->tasks[0].response, NONE);
	system_finish(&s);
}
END_TEST

/* V3: an operation behind an event on a stream that another task uses. 101 is attained; H knows nothing of the stream's queue. */
START_TEST(V3_event_on_a_shared_stream)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_stream(&s, 0, 0);
	system_task(&s, 1000, 0);
	system_operation(&s, OPERATION_COPY, 0, 0, 0);
	s.set.event_count = 1;
	s.operations[system_operation(&s, OPERATION_RECORD, 0, 0, 0)].event = 0;
	s.operations[system_operation(&s, OPERATION_WAIT, 1, 0, 0)].event = 0;
	system_operation(&s, OPERATION_COPY, 1, 1, 1);
	system_task(&s, 1000, 0);
	system_kernel(&s, 1, 1, 1, 1, 100);
	struct response *r = system_analyze(&s);
	none_below(r, 0, 101);
	ck_assert_int_ne(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 101);
	system_finish(&s);
}
END_TEST

/* V4: W6 with the hardware preferring the other kernel, where nobody vouches for the priorities: 58 is attained, P would say 41 + 1. */
START_TEST(V4_priorities_ignored)
{
	struct system s;
	system_init(&s, 2);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, 1000, 8, 2, 20);
	system_one_kernel(&s, 1, 1000, 1, 1, 1);
	s.platform.assumptions[ASSUMPTION_PRIO].status = STATUS_BROKEN;
	struct response *r = system_analyze(&s);
	none_below(r, 0, 58);
	for (int i = 0; i < BOUND_COUNT; i++)
		if (i != BOUND_VOL_P && i != BOUND_VOL_C)
			ck_assert_int_eq(system_bound(r, 0, (enum bound)i), NONE);
	ck_assert_int_eq(r->tasks[0].winner, BOUND_VOL_C);
	s.platform.assumptions[ASSUMPTION_PRIO].status = STATUS_CONDITIONAL; /* --assume A-PRIO */
	r = system_analyze(&s);
	ck_assert_int_ne(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_int_eq(r->tasks[0].bounds[BOUND_P].assumptions >> ASSUMPTION_PRIO & 1, 1);
	ck_assert_int_eq(r->tasks[0].bounds[BOUND_VOL_C].assumptions >> ASSUMPTION_PRIO & 1, 0);
	system_finish(&s);
}
END_TEST

/* V6: copy, copy, o_dep = 10: the second arrives at its engine 10 + 1 + 10 after the release, or at once. */
START_TEST(V6_dependency_in_jitter)
{
	struct system s;
	int found = 0;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_OVERHEAD_DEPENDENCY, 10);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 40, 0);
	system_operation(&s, OPERATION_COPY, 0, 0, 1);
	system_operation(&s, OPERATION_COPY, 0, 0, 1);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_H), 22);
	for (int i = 0; i < s.derivation.count; i++) {
		const struct step *step = derivation_get(&s.derivation, i);
		if (step->rule != RULE_CLAIM_JITTER || strstr(step->about, "op:o1") == NULL)
			continue;
		ck_assert_int_eq(step->value.num, 21);
		found++;
	}
	ck_assert_int_gt(found, 0);
	system_finish(&s);
}
END_TEST

/* V13 asks that the second form of (6.6) count arrivals from the kernel's own on, C_low + D. That is not needed: the window that D covers
 * begins when the lower blocks are gone, and at that instant too there is one kernel of each stream at the engine, however many have come
 * and gone before it. Here five of a higher level do, one after another beside a lower block of 20 that leaves the kernel no room; 22 is
 * attained, and what is claimed is 20 + the one that is at the engine or comes + 1, not 20 + 6 or more of them. */
START_TEST(V13_arrivals_since_lower_blocks_are_gone)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 2, 10000, 1, 2, 20);
	system_one_kernel(&s, 1, 10000, 1, 1, 1);
	system_one_kernel(&s, 0, 40, 1, 2, 1);
	s.tasks[2].arrival =
		(struct arrival){ARRIVAL_CURVE, 400, 0, NONE, (struct curve_step[]){{4, 1}, {8, 2}, {12, 3}, {16, 4}, {400, 5}}, 5};
	struct response *r = system_analyze(&s);
	none_below(r, 1, 22);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 22);
	system_finish(&s);
}
END_TEST

/* Four blocks of a lower level fill the SM for 8. Once they are gone the kernel's block fits beside those of its own level, which alone do
 * not fill it: 9 is attained. With the lower blocks among what fills the SM (6.6) says 14, SER 19. */
START_TEST(V13_when_lower_blocks_are_gone)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	for (int i = 0; i < 4; i++)
		system_one_kernel(&s, 1, 1000, 1, 4, 8);
	system_one_kernel(&s, 0, 1000, 1, 4, 1);
	for (int i = 0; i < 2; i++)
		system_one_kernel(&s, 0, 1000, 1, 4, 5);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 4, BOUND_H), 9);
	none_below(r, 4, 9);
	system_finish(&s);
}
END_TEST

/* At the limits: 2^31 - 1 blocks cost what one does, periods 1 to 10^4, times of 2^50 ns; what does not fit is no bound. */
START_TEST(limits)
{
	struct system s;
	system_init(&s, 128);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	system_one_kernel(&s, 0, INT64_C(10000) * 1000000, INT32_MAX, 2, 1);
	system_one_kernel(&s, 0, INT64_C(1000000), 1, 2, 1000);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), INT64_C(8388608) + 9 * 1000); /* ceil(N / 256) blocks in a row, 9 short jobs */
	s.tasks[0].arrival.period = INT64_C(1) << 60;
	s.inflated[0].wcet = INT64_C(1) << 30;
	r = system_analyze(&s);
	ck_assert(system_bound(r, 0, BOUND_P) > INT64_C(1) << 53);
	s.inflated[0].wcet = INT64_C(1) << 50;
	r = system_analyze(&s);
	for (int i = 0; i < BOUND_COUNT; i++)
		ck_assert_int_eq(system_bound(r, 0, (enum bound)i), NONE);
	s.operations[0].kernel.blocks = 1; /* 2^50 ns alone do fit */
	r = system_analyze(&s);
	ck_assert(system_bound(r, 0, BOUND_VOL_P) >= INT64_C(1) << 50);
	ck_assert(system_bound(r, 0, BOUND_VOL_P) < INT64_C(1) << 51);
	system_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("review");
	TCase *cases = tcase_create("examples");
	tcase_add_test(cases, W4_graham_tight);
	tcase_add_loop_test(cases, W11_copies_in_order, 0, (int)(sizeof w11_cases / sizeof *w11_cases));
	tcase_add_loop_test(cases, V7_where_arrivals_grow, 0, (int)(sizeof next_cases / sizeof *next_cases));
	tcase_add_test(cases, V7_distance_at_release_only);
	tcase_add_test(cases, V2_host_segment_on_a_shared_stream);
	tcase_add_test(cases, V3_event_on_a_shared_stream);
	tcase_add_test(cases, V4_priorities_ignored);
	tcase_add_test(cases, V6_dependency_in_jitter);
	tcase_add_test(cases, V13_arrivals_since_lower_blocks_are_gone);
	tcase_add_test(cases, V13_when_lower_blocks_are_gone);
	tcase_add_test(cases, limits);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
