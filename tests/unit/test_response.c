/* The serial bounds against numbers worked out elsewhere: X4 and X5 of the review, W9 to W12 and V1, V5, V11, V12 as regressions. */
#include "response/load.h"
#include "response/terms.h"
#include "unit/run.h"
#include "unit/systems.h"

START_TEST(X4_volume_and_serial)
{
	struct system s;
	system_x4(&s);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 19);
	ck_assert_int_eq(system_bound(r, 1, BOUND_VOL_P), 19);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 15); /* 4 + 4 of drain waste, 4, 3 */
	ck_assert_int_eq(system_bound(r, 0, BOUND_P_GPU), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 14);
	ck_assert_int_eq(system_bound(r, 1, BOUND_VOL_C), 17);
	ck_assert_int_eq(r->tasks[0].verdict, VERDICT_PROVEN);
	system_finish(&s);
}
END_TEST

START_TEST(X4_one_nonempty_sm)
{
	struct system s;
	system_x4(&s);
	s.platform.assumptions[ASSUMPTION_WC].status = STATUS_BROKEN;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 27);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 24);
	ck_assert_int_eq(system_bound(r, 1, BOUND_VOL_C), 27);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE); /* never a bound on a broken assumption */
	ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_P].reason, "A-WC"));
	system_parameter(&s, PARAMETER_DISPATCH_NONEMPTY, 2);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_P), 19);
	system_finish(&s);
}
END_TEST

START_TEST(X4_stops)
{
	struct system s;
	system_x4(&s);
	system_parameter(&s, PARAMETER_STOPS_LENGTH, 5);
	system_parameter(&s, PARAMETER_STOPS_DISTANCE, 40);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 24);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 19);
	ck_assert_int_eq(system_bound(r, 1, BOUND_VOL_C), 22);
	system_finish(&s);
}
END_TEST

/* X5, in us: A 1000 blocks of 100 and a copy of 200, T = 5000; B 264 blocks of 50, T = 4000. */
static const struct {
	int64_t g, stop, distance, expected;
} x5_cases[] = {{132, NONE, NONE, 1206}, {66, NONE, NONE, 2062}, {132, 1300, 10000, 2506}, {66, 1300, 10000, 3362}, {1, NONE, NONE, NONE}};

START_TEST(X5_h200_sized)
{
	struct system s;
	system_init(&s, 132);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_stream(&s, 0, 0);
	system_task(&s, 5000, 0);
	system_kernel(&s, 0, 1000, 2, 2, 100);
	system_operation(&s, OPERATION_COPY, 0, 0, 200);
	system_task(&s, 4000, 0);
	system_kernel(&s, 1, 264, 8, 8, 50);
	s.platform.assumptions[ASSUMPTION_WC].status = STATUS_BROKEN;
	system_parameter(&s, PARAMETER_DISPATCH_NONEMPTY, x5_cases[_i].g);
	if (x5_cases[_i].stop != NONE) {
		system_parameter(&s, PARAMETER_STOPS_LENGTH, x5_cases[_i].stop);
		system_parameter(&s, PARAMETER_STOPS_DISTANCE, x5_cases[_i].distance);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), x5_cases[_i].expected);
	if (x5_cases[_i].expected == NONE)
		ck_assert_ptr_nonnull(strstr(r->tasks[0].bounds[BOUND_VOL_P].reason, "load"));
	system_finish(&s);
}
END_TEST

/* W12: two tasks, two streams, one copy engine, m = 2: E = 15 and 9, P = 24. */
START_TEST(W12_serial_context)
{
	struct system s;
	system_init(&s, 2);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_stream(&s, 0, 0);
	system_task(&s, 100, 0);
	system_operation(&s, OPERATION_COPY, 0, 3, 3);
	system_kernel(&s, 0, 4, 2, 2, 10);
	system_operation(&s, OPERATION_COPY, 0, 2, 2);
	system_task(&s, 50, 0);
	system_operation(&s, OPERATION_COPY, 1, 2, 2);
	system_kernel(&s, 1, 2, 2, 2, 6);
	system_operation(&s, OPERATION_COPY, 1, 1, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 24);
	ck_assert_int_eq(system_bound(r, 1, BOUND_P), 24);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 25);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 25);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 24); /* X2 */
	ck_assert_int_eq(system_bound(r, 1, BOUND_CHAIN), 24);
	ck_assert_int_eq(r->streams[1].response, 24);
	system_finish(&s);
}
END_TEST

/* W10 with V1: three contexts, L = 2000, theta = 100; 5000 of work needs three slices. At instruction preemption G = 2 (2000 + 100) + 100;
 * at block boundaries every context adds its longest block, the own one too. */
static const struct {
	enum preemption preemption;
	int64_t gap;
} w10_cases[] = {{PREEMPTION_INSTRUCTION, 4300}, {PREEMPTION_BLOCK, 4300 + 2 * 50 + 5000}, {PREEMPTION_UNKNOWN, 4300 + 2 * 50 + 5000}};

START_TEST(W10_V1_time_slices)
{
	struct system s;
	system_init(&s, 1);
	s.platform.preemption = w10_cases[_i].preemption;
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 100);
	for (int i = 0; i < 3; i++) {
		system_application(&s, 2000);
		system_stream(&s, i, 0);
		system_task(&s, 1000000, 0);
		system_kernel(&s, i, 1, 1, 1, i == 0 ? 5000 : 50);
		s.kernels[i].mixes = false;
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 5000 + 3 * w10_cases[_i].gap);
	/* the whole GPU: 5100 of work; slices: floor(5000 / 2000) + 1 and 1 and 1, each with a switch and, at block boundaries, a drain */
	int64_t drains = w10_cases[_i].preemption == PREEMPTION_INSTRUCTION ? 0 : 3 * 5000 + 2 * 50;
	ck_assert_int_eq(system_bound(r, 0, BOUND_P_GPU), 5100 + 5 * 100 + drains);
	ck_assert_int_eq(system_bound(r, 2, BOUND_P), 50 + 2 * 2100 + (drains == 0 ? 0 : 5000 + 50) + 100 + (drains == 0 ? 0 : 50));
	system_finish(&s);
}
END_TEST

/* X1: m = 2, two blocks an SM. t0: M = 10, copy 3, M = 10, copy 2, M = 10; t1: M = 20; t2: copy 40 on another engine; T = 200. */
START_TEST(X1_chain)
{
	struct system s;
	system_init(&s, 2);
	system_application(&s, NONE);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	s.platform.engine_of[DIRECTION_D2H] = 1;
	for (int i = 0; i < 3; i++)
		system_stream(&s, 0, 0);
	system_task(&s, 200, 0);
	system_kernel(&s, 0, 4, 2, 2, 10);
	system_operation(&s, OPERATION_COPY, 0, 1, 3);
	system_kernel(&s, 0, 4, 2, 2, 10);
	system_operation(&s, OPERATION_COPY, 0, 1, 2);
	system_kernel(&s, 0, 4, 2, 2, 10);
	system_task(&s, 200, 0);
	system_kernel(&s, 1, 8, 2, 2, 10);
	system_task(&s, 200, 0);
	s.operations[system_operation(&s, OPERATION_COPY, 2, 1, 40)].copy.direction = DIRECTION_D2H;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 95);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 95);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 55);
	system_finish(&s);
}
END_TEST

/* X3: m = 1, k 1, copy 3, k 1; three low streams with C = 8, T = 60. C_low is paid by each own kernel: 19 is attained, 21 the bound. */
START_TEST(X3_low_blocks_each_time)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	for (int i = 0; i < 4; i++)
		system_stream(&s, 0, i > 0);
	system_task(&s, 200, 0);
	system_kernel(&s, 0, 1, 1, 1, 1);
	system_operation(&s, OPERATION_COPY, 0, 3, 3);
	system_kernel(&s, 0, 1, 1, 1, 1);
	for (int i = 1; i < 4; i++) {
		system_task(&s, 60, 0);
		system_kernel(&s, i, 1, 1, 1, 8);
	}
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_CHAIN), 21);
	system_finish(&s);
}
END_TEST

/* X6: jitter that a foreign chain gathers on its way counts: 30, where release jitter alone gives 20 and 27 is attained. */
START_TEST(X6_gathered_jitter)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_stream(&s, 0, 0);
	system_stream(&s, 0, 0);
	system_task(&s, 400, 0);
	system_kernel(&s, 0, 1, 1, 1, 1);
	system_operation(&s, OPERATION_COPY, 0, 1, 8);
	system_kernel(&s, 0, 1, 1, 1, 1);
	system_task(&s, 45, 0);
	system_operation(&s, OPERATION_COPY, 1, 1, 30);
	system_kernel(&s, 1, 1, 1, 1, 10);
	s.platform.engine_of[DIRECTION_D2H] = 1;
	s.operations[3].copy.direction = DIRECTION_D2H;
	s.operations[4].bcet = 1;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_CHAIN), 30);
	system_finish(&s);
}
END_TEST

/* X8: m = 1. t0: k 10, copy 3, T = 1000; t1: copy 30, k 20. One job of t1 delays the kernel or the copy, not both: 43 is attained by its
 * copy. With T = 100 and jitter 40 the next job's copy delays, too: 63 is attained; what each engine has to serve says 63 for both. */
static const struct {
	int64_t period, jitter, expected;
} x8_cases[] = {{1000, 0, 43}, {100, 40, 63}};

START_TEST(X8_in_order)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_stream(&s, 0, 0);
	system_stream(&s, 0, 0);
	system_task(&s, 1000, 0);
	s.operations[system_kernel(&s, 0, 1, 1, 1, 10)].bcet = 10;
	system_operation(&s, OPERATION_COPY, 0, 3, 3);
	system_task(&s, x8_cases[_i].period, x8_cases[_i].jitter);
	system_operation(&s, OPERATION_COPY, 1, 30, 30);
	s.operations[system_kernel(&s, 1, 1, 1, 1, 20)].bcet = 20;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), x8_cases[_i].expected);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 63);
	system_finish(&s);
}
END_TEST

/* X9: m = 1, 2 slots, 6 blocks of C = 10, 30 beside blocks of others: those behind slow the last wave only. M = 10 + 10 + 30, not 90; with
 * one wave 30. The other kernel: one block of 5. */
static const struct {
	int64_t blocks, makespan;
} x9_cases[] = {{6, 50}, {5, 50}, {4, 40}, {2, 30}, {1, 30}};

START_TEST(X9_last_wave)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_one_kernel(&s, 0, 1000, x9_cases[_i].blocks, 2, 30);
	system_one_kernel(&s, 0, 1000, 1, 2, 5);
	s.inflated[0].has_apart = true;
	s.inflated[0].apart = 10;
	s.inflated[0].apart_step = s.inflated[0].step;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), x9_cases[_i].makespan + 5);
	ck_assert_int_eq(system_bound(r, 1, BOUND_P), x9_cases[_i].makespan + 5);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), x9_cases[_i].blocks * 30 + 5);
	system_finish(&s);
}
END_TEST

/* W4, W18 without fragmentation and with fixed memory (CC 6.2): cover finds what makespans cannot. */
START_TEST(W18_cover_beats_makespans)
{
	struct system s;
	system_init(&s, 8);
	s.platform.compute_capability = 62;
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_parameter(&s, PARAMETER_SM_REGISTERS, 65536);
	system_parameter(&s, PARAMETER_REGISTER_UNIT, 256);
	system_parameter(&s, PARAMETER_SM_SHARED, 65536);
	system_parameter(&s, PARAMETER_SHARED_UNIT, 256);
	system_application(&s, NONE);
	for (int i = 0; i < 4; i++) {
		system_stream(&s, 0, 0);
		system_task(&s, 100000000, 0);
		int kernel = system_kernel(&s, i, 8, 8, 8, 1000000);
		s.kernels[kernel].occupancy.demand = (struct demand){.warps = 8};
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 4000000);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 1000000);
	s.platform.assumptions[ASSUMPTION_FRAG].status = STATUS_UNSTATED; /* every full SM holds one block at least: floor(31 / 8) waits */
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_H), 4000000);
	system_finish(&s);
}
END_TEST

/* A sample of 11 / 2, rounded down, sees a block of 11 three times: 20 was waited for, and 18 beside one of 12. */
START_TEST(cover_grows_with_wcets)
{
	int64_t found[2];
	for (int longer = 0; longer < 2; longer++) {
		struct system s;
		system_init(&s, 1);
		s.platform.compute_capability = 62;
		system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
		system_application(&s, NONE);
		for (int i = 0; i < 2; i++) {
			system_stream(&s, 0, 0);
			system_task(&s, 100000, 0);
			int kernel = system_kernel(&s, i, i == 0 ? 5 : 12, 8, 8, i == 0 ? 3 : 11 + longer);
			s.kernels[kernel].occupancy.demand = (struct demand){.warps = 8};
		}
		found[longer] = system_bound(system_analyze(&s), 0, BOUND_H);
		system_finish(&s);
	}
	ck_assert_int_eq(found[0], 21);
	ck_assert_int_eq(found[1], 21);
}
END_TEST

/* W5: m = 2, K1 3 blocks of 40 warps, C = 10; K2 2 blocks of 32 warps, C = 4: makespans say 24, the cover 14. */
START_TEST(W5_head_of_line)
{
	struct system s;
	system_init(&s, 2);
	s.platform.compute_capability = 62;
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	for (int i = 0; i < 2; i++) {
		system_stream(&s, 0, 0);
		system_task(&s, 1000, 0);
		int kernel = system_kernel(&s, i, i == 0 ? 3 : 2, i + 1, i + 1, i == 0 ? 10 : 4);
		s.kernels[kernel].occupancy.demand = (struct demand){.warps = i == 0 ? 40 : 32};
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 1, BOUND_P), 24);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 14);
	system_finish(&s);
}
END_TEST

/* V1: L = 2, gap of the others 1, two slots, C = 2, N = 4; durations 1, 2, 2, 2 take 7. */
START_TEST(V1_own_drain)
{
	struct system s;
	system_init(&s, 1);
	s.platform.preemption = PREEMPTION_BLOCK;
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 0);
	for (int i = 0; i < 2; i++) {
		system_application(&s, i == 0 ? 2 : 1);
		system_stream(&s, i, 0);
		system_task(&s, 1000, 0);
		system_kernel(&s, i, i == 0 ? 4 : 1, 2, 2, i == 0 ? 2 : 1);
	}
	ck_assert_int_ge(system_bound(system_analyze(&s), 0, BOUND_P), 7);
	system_finish(&s);
}
END_TEST

/* V5: one block, three higher kernels of one block, o_launch 10, o_blk 1: 35 was seen. */
START_TEST(V5_overheads)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_parameter(&s, PARAMETER_OVERHEAD_LAUNCH, 10);
	system_parameter(&s, PARAMETER_OVERHEAD_BLOCK, 1);
	for (int i = 0; i < 4; i++) {
		system_stream(&s, 0, i == 0);
		system_task(&s, 1000, 0);
		system_kernel(&s, i, 1, 1, 1, 1);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 4 * 12 + 3 * 1);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 4 * 13);
	system_finish(&s);
}
END_TEST

/* V11: one block of 200, stops of 100 every 150: 600 was seen. */
/* A kernel of a higher level breaks off the dispatch of a block under way. */
START_TEST(V5_dispatch_broken_off)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_parameter(&s, PARAMETER_OVERHEAD_LAUNCH, 1);
	system_parameter(&s, PARAMETER_OVERHEAD_BLOCK, 7);
	system_parameter(&s, PARAMETER_OVERHEAD_DEPENDENCY, 1);
	system_application(&s, NONE);
	for (int i = 0; i < 2; i++) {
		system_stream(&s, 0, i);
		system_task(&s, 5000, 0);
		system_kernel(&s, i, 1, 1, 1, 1);
	}
	struct response *r = system_analyze(&s);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(system_bound(r, i, BOUND_VOL_P), 34); /* 2 (1 + 1 + 2 * 7 + 1); 25 attained */
		ck_assert_int_eq(system_bound(r, i, BOUND_VOL_C), 33);
	}
	s.streams[1].level = 0;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_P), 20);
	system_finish(&s);
}
END_TEST

START_TEST(V11_stops_outermost)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 10000, 0);
	system_kernel(&s, 0, 1, 1, 1, 200);
	system_parameter(&s, PARAMETER_STOPS_LENGTH, 100);
	system_parameter(&s, PARAMETER_STOPS_DISTANCE, 150);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), 600);
	system_finish(&s);
}
END_TEST

/* V12: two levels need grid slots for every stream. */
START_TEST(V12_resident_grids)
{
	struct system s;
	system_x4(&s);
	system_parameter(&s, PARAMETER_QUEUES_GRIDS, 1);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 27); /* g = 1: a kernel waits for a grid slot, whatever the SMs hold */
	system_finish(&s);
}
END_TEST

/* V10: M from the least occupancy. 8 blocks on 2 SMs: two an SM at most, one at least. */
START_TEST(V10_least_occupancy)
{
	struct system s;
	system_init(&s, 2);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 1000, 0);
	system_kernel(&s, 0, 8, 1, 2, 10);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), 40);
	system_finish(&s);
}
END_TEST

/* Kernels of scope grid: alone their makespan; mixed, without A-FRAG, all slots' work on one slot an SM: ceil((64 - 1) * 9 / 2) + 9. */
/* Where A-FRAG is granted the least occupancy is the textbook's, for a kernel that nothing mixes with too (V9): P rests on it. */
START_TEST(V9_alone_rests_on_fungible)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 90, 0);
	system_kernel(&s, 0, 2, 2, 2, 1);
	s.kernels[0].mixes = false;
	ck_assert((system_analyze(&s)->tasks[0].bounds[BOUND_P].assumptions >> ASSUMPTION_FRAG & 1) == 1);
	s.platform.assumptions[ASSUMPTION_FRAG].status = STATUS_UNSTATED;
	ck_assert((system_analyze(&s)->tasks[0].bounds[BOUND_P].assumptions >> ASSUMPTION_FRAG & 1) == 0);
	system_finish(&s);
}
END_TEST

START_TEST(grid_scope)
{
	struct system s;
	system_init(&s, 2);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 10000, 0);
	system_grid(&s, 0, 9);
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), 9);
	/* volume: 64 slots of 9 but the last, over 2 SMs; 9 for the last block, 9 for the dispatcher within the makespan */
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_VOL_P), (63 * 9 + 1) / 2 + 18);
	s.kernels[0].mixes = true;
	s.platform.assumptions[ASSUMPTION_FRAG].status = STATUS_BROKEN;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), (63 * 9 + 1) / 2 + 9);
	system_finish(&s);
}
END_TEST

/* Host segments: kernel, host [2, 5], kernel: each has its part of the busy interval. */
START_TEST(host_segments)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 100, 0);
	system_kernel(&s, 0, 1, 1, 1, 10);
	system_operation(&s, OPERATION_HOST, NO_ID, 2, 5);
	system_kernel(&s, 0, 1, 1, 1, 10);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 10 + 5 + 10);
	ck_assert(r->tasks[0].assumptions & UINT64_C(1) << ASSUMPTION_HOST_WCRT);
	system_finish(&s);
}
END_TEST

/* Copies of another context on the same engine delay; on a shared runlist they take slices. */
START_TEST(foreign_copies)
{
	struct system s;
	system_init(&s, 1);
	for (int i = 0; i < 2; i++) {
		system_application(&s, 100);
		system_stream(&s, i, 0);
		system_task(&s, 1000, 0);
		system_operation(&s, OPERATION_COPY, i, 0, i == 0 ? 10 : 7);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 17);
	ck_assert_int_eq(system_bound(r, 1, BOUND_VOL_P), 17);
	s.platform.copy_runlist = COPY_RUNLIST_SHARED;
	r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), NONE); /* slice and switch are not known */
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 1);
	system_parameter(&s, PARAMETER_RUNLIST_COPY_TIMESLICE, 20);
	r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 10 + 22);    /* one slice of the other, its switch, the own switch */
	ck_assert_int_eq(system_bound(r, 0, BOUND_P_GPU), 17 + 2); /* two copies, a switch each */
	s.platform.copy_runlist = COPY_RUNLIST_UNKNOWN;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), 10 + 22 + 7); /* both are charged */
	system_finish(&s);
}
END_TEST

/* Jitter counts in the arrivals and in the nominal response: T = 100, J = 95, 10 of work: two jobs meet. */
START_TEST(release_jitter)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 100, 95);
	system_kernel(&s, 0, 1, 1, 1, 10);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 20);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 15); /* the second job may come 5 after the first */
	ck_assert_int_eq(r->tasks[0].response, 110);
	ck_assert_int_eq(r->tasks[0].verdict, VERDICT_NOT_PROVEN);
	system_finish(&s);
}
END_TEST

/* A second segment comes late by what lies before it. T = 40 and a release jitter of 16, so that two jobs may meet: J = 16 + (50 - 0) + (5
 * - 2), so three of the second segment in the interval, two of the first. With a jitter of 15 no two jobs meet. */
START_TEST(segment_jitter_counts)
{
	for (int64_t jitter = 15; jitter <= 16; jitter++) {
		struct system s;
		system_init(&s, 1);
		system_application(&s, NONE);
		system_stream(&s, 0, 0);
		system_task(&s, 40, jitter);
		system_kernel(&s, 0, 1, 1, 1, 10);
		system_operation(&s, OPERATION_HOST, NO_ID, 2, 5);
		system_kernel(&s, 0, 1, 1, 1, 10);
		ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), jitter == 15 ? 10 + 5 + 10 : 50 + 5 + 50);
		system_finish(&s);
	}
}
END_TEST

/* A task of two kernels of 10 with [2, 5] on the host between them, on one stream or on two. */
static void two_segments(struct system *s, int64_t period, int streams)
{
	system_init(s, 1);
	system_application(s, NONE);
	for (int i = 0; i < 2; i++)
		system_stream(s, 0, 0);
	system_task(s, period, 0);
	system_kernel(s, 0, 1, 1, 1, 10);
	system_operation(s, OPERATION_HOST, NO_ID, 2, 5);
	system_kernel(s, streams - 1, 1, 1, 1, 10);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 8);
}

/* [ONE-JOB]: where one job is there at a time each segment has the GPU to itself; else the others of the task count. */
START_TEST(own_segments)
{
	const enum bound bounds[] = {BOUND_H, BOUND_CHAIN, BOUND_VOL_C};
	for (int i = 0; i < 6; i++) {
		struct system s;
		two_segments(&s, 25, 1 + i / 3);
		ck_assert_int_eq(system_bound(system_analyze(&s), 0, bounds[i % 3]), 10 + 5 + 10);
		system_finish(&s);
		two_segments(&s, 24, 1 + i / 3);
		ck_assert_int_gt(system_bound(system_analyze(&s), 0, bounds[i % 3]), 10 + 5 + 10);
		system_finish(&s);
	}
}
END_TEST

/* Jobs of 4 every 5 above a job of 5, 1 on the host, 1: by volume an interval of 30, and 25 and 5 for the two segments, where no two jobs
 * of the task overlap: up to a period of 31. */
START_TEST(parts_of_an_interval)
{
	for (int64_t period = 30; period <= 31; period++) {
		struct system s;
		system_init(&s, 1);
		system_application(&s, NONE);
		system_stream(&s, 0, 1);
		system_stream(&s, 0, 0);
		system_task(&s, period, 0);
		system_kernel(&s, 0, 1, 1, 1, 5);
		system_operation(&s, OPERATION_HOST, NO_ID, 1, 1);
		system_kernel(&s, 0, 1, 1, 1, 1);
		system_task(&s, 5, 0);
		system_kernel(&s, 1, 1, 1, 1, 4);
		int64_t bound = system_bound(system_analyze(&s), 0, BOUND_VOL_P);
		ck_assert(period < 31 ? bound == NONE || bound > 31 : bound == 25 + 1 + 5);
		system_finish(&s);
	}
}
END_TEST

static bool is_of_a_part(struct system *s, const struct response *response, int segment, int64_t value)
{
	struct terms terms = {.arena = s->arena};
	bool found = false;
	response_terms(response, BOUND_VOL_P, segment, value, &terms);
	for (int i = 0; i < terms.count; i++)
		found |= terms.items[i].kind == TERM_PART_OF;
	return found;
}

/* 4 blocks of 3 on two SMs, then a copy of 1: the interval is floor(9 / 2) + 3 + 1 = 8. The first segment's part of it is ceil(9 / 2) + 3 =
 * 8, too: its own equation gives it, as the step in the derivation says. */
START_TEST(part_as_long_as_its_interval)
{
	struct system s;
	system_init(&s, 2);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 60, 0);
	system_kernel(&s, 0, 4, 1, 1, 3);
	system_operation(&s, OPERATION_HOST, NO_ID, 1, 1);
	system_operation(&s, OPERATION_COPY, 0, 0, 1);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_P), 8 + 1 + 1);
	ck_assert(is_of_a_part(&s, r, 0, 8));
	ck_assert(is_of_a_part(&s, r, 1, 1));
	system_finish(&s);
}
END_TEST

/* [OWN-BEFORE]: a part has a share of a gap, ceil(X * 10 / 1000) of each context, where the whole has the gaps of full slices, none. Beside
 * five contexts with kernels of 100 a segment of 5 has 5 + 1 + 10 + 5 * (100 + 1 + 10) = 571, of an interval of 3 * (5 + 10) + 5 * (100 +
 * 10) = 595. */
START_TEST(parts_have_shares_of_gaps)
{
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 10);
	for (int i = 0; i < 6; i++) {
		system_application(&s, 1000);
		system_stream(&s, i, 0);
		system_task(&s, 100000, 0);
		system_kernel(&s, i, 1, 1, 1, i == 0 ? 5 : 100);
		for (int more = 0; more < 2 && i == 0; more++) {
			system_operation(&s, OPERATION_HOST, NO_ID, 1, 1);
			system_kernel(&s, i, 1, 1, 1, 5);
		}
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 1, BOUND_P_GPU), 595);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P_GPU), 3 * 571 + 2);
	system_finish(&s);
}
END_TEST

/* Another task on the stream: of its segments one is found there, the longest, while one job of it is there; all of them, twice, where two
 * may be. */
START_TEST(segments_found)
{
	for (int jitter = 0; jitter <= 1000; jitter += 1000) {
		struct system s;
		two_segments(&s, 1000, 1);
		system_task(&s, 1000, jitter);
		system_kernel(&s, 0, 1, 1, 1, 7);
		system_operation(&s, OPERATION_HOST, NO_ID, 1, 1);
		system_kernel(&s, 0, 1, 1, 1, 3);
		struct response *r = system_analyze(&s);
		ck_assert_int_eq(system_bound(r, 0, BOUND_H), jitter == 0 ? 17 + 5 + 17 : 30 + 5 + 30);
		ck_assert(jitter > 0 || system_bound(r, 1, BOUND_H) == 17 + 1 + 13);
		system_finish(&s);
	}
}
END_TEST

/* [SEVERAL-JOBS]: slices of 10; jobs of 45 every 100 beside 40 every 300 and 200 every 1000. Each job by itself has five gaps, which hold
 * 50 of the second one: 135, and so on with the next job. Three of them have 14 gaps: 135 + 2 * 40 + 14 * 10 = 355, 155 after the third
 * came, and no other one is later. The others' jobs are there for 120 (P) and 550 (P-GPU) before they count, and no more of them than a
 * slice
 * ([LEFT-BEHIND]): five have 225 + 2 * 40 + 10 + 200 + 10 = 525. */
START_TEST(several_jobs)
{
	const int64_t work[] = {45, 40, 200}, periods[] = {100, 300, 1000};
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 0);
	for (int i = 0; i < 3; i++) {
		system_application(&s, 10);
		system_stream(&s, i, 0);
		system_task(&s, periods[i], 0);
		system_kernel(&s, i, 1, 1, 1, work[i]);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), NONE);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 355 - 200);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 355 - 200);
	system_finish(&s);
}
END_TEST

/* By P-GPU a job of 15 every 200 is there for 120 of 120, by H for 55. In a window of 90 the former leaves room for two of them, in one of
 * 75 the latter for one: 30, 15 and two turns of 10, and a part of a job, of the third context. */
START_TEST(others_by_h)
{
	const int64_t work[] = {30, 15, 15}, periods[] = {60, 200, 50};
	struct system s;
	system_init(&s, 1);
	system_parameter(&s, PARAMETER_RUNLIST_SWITCH, 0);
	for (int i = 0; i < 3; i++) {
		system_application(&s, 10);
		system_stream(&s, i, 0);
		system_task(&s, periods[i], 0);
		system_kernel(&s, i, 1, 1, 1, work[i]);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P_GPU), 120);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 55);
	ck_assert_int_eq(system_bound(r, 2, BOUND_H), 50);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 30 + 15 + 30);
	system_finish(&s);
}
END_TEST

/* Copies of another context that were released before the window may still be outstanding: T = 30, 10 each: 10 + 2 * 10. */
START_TEST(foreign_copies_carried_in)
{
	struct system s;
	system_init(&s, 1);
	for (int i = 0; i < 2; i++) {
		system_application(&s, 100);
		system_stream(&s, i, 0);
		system_task(&s, 30, 0);
		system_operation(&s, OPERATION_COPY, i, 0, 10);
	}
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), 30);
	system_finish(&s);
}
END_TEST

/* The other context's copies are counted by its response, which rests on order and levels there; by volume it does not. */
START_TEST(foreign_copies_rest_on_order)
{
	struct system s;
	const uint64_t order = UINT64_C(1) << ASSUMPTION_HOL | UINT64_C(1) << ASSUMPTION_PRIO;
	system_init(&s, 1);
	system_application(&s, 100);
	system_stream(&s, 0, 0);
	system_task(&s, 1000, 0);
	system_operation(&s, OPERATION_COPY, 0, 0, 10);
	system_application(&s, 100);
	for (int i = 0; i < 2; i++) {
		int stream = system_stream(&s, 1, i);
		system_task(&s, 1000, 0);
		s.tasks[1 + i].application = 1;
		system_operation(&s, OPERATION_COPY, stream, 0, 7);
		system_kernel(&s, stream, 1, 1, 1, 5);
	}
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 24);
	ck_assert_int_eq(r->tasks[0].bounds[BOUND_P].assumptions & order, order);
	ck_assert_int_eq(r->tasks[0].bounds[BOUND_VOL_P].assumptions & order, 0);
	s.platform.assumptions[ASSUMPTION_PRIO].status = STATUS_UNSTATED;
	ck_assert_int_eq(system_bound(system_analyze(&s), 0, BOUND_P), NONE);
	system_finish(&s);
}
END_TEST

/* When another task's copies come depends on its host segment before them: whoever meets them rests on that; not on one behind them. */
START_TEST(others_rest_on_host_segments)
{
	const uint64_t hosts = UINT64_C(1) << ASSUMPTION_HOST_WCRT;
	const enum bound bounds[] = {BOUND_P, BOUND_VOL_P, BOUND_H, BOUND_CHAIN, BOUND_VOL_C};
	for (int before = 0; before < 2; before++) {
		struct system s;
		system_init(&s, 1);
		system_application(&s, NONE);
		for (int i = 0; i < 2; i++) {
			system_stream(&s, 0, 0);
			system_task(&s, 1000, 0);
			if (i == 1 && before)
				system_operation(&s, OPERATION_HOST, NO_ID, 0, 20);
			system_operation(&s, OPERATION_COPY, i, 0, 10);
			if (i == 1 && !before)
				system_operation(&s, OPERATION_HOST, NO_ID, 0, 20);
		}
		system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 8);
		struct response *r = system_analyze(&s);
		for (int i = 0; i < 5; i++) {
			ck_assert_int_eq(system_bound(r, 0, bounds[i]), 20);
			ck_assert_int_eq((r->tasks[0].bounds[bounds[i]].assumptions & hosts) != 0, before);
			ck_assert_int_eq(r->tasks[1].bounds[bounds[i]].assumptions & hosts, hosts);
		}
		system_finish(&s);
	}
}
END_TEST

/* Where shares rounded up say what a load is, the exact sum says the same. */
START_TEST(load_by_shares)
{
	struct arena *arena = arena_create();
	uint32_t state = 7;
	int said = 0;
	for (int i = 0; i < 2000; i++) {
		struct load load;
		int64_t sum = 0;
		load_init(&load);
		for (int j = 0; j < 5; j++) {
			state = state * 1664525u + 1013904223u;
			int64_t cost = state >> 16, window = i % 5 == 0 ? 1000 : 1 + (state & 0xFFFFF);
			sum = checked_add(sum, load_share(cost, 1 + j, window, 3));
			load_add(&load, cost, 1 + j, window, 3);
		}
		const char *text = load_share_text(sum, 5, arena);
		said += text != NULL;
		if (text != NULL)
			ck_assert_str_eq(text, load_text(&load, arena));
		load_finish(&load);
	}
	ck_assert_int_gt(said, 1200);
	ck_assert_str_eq(load_share_text(3 * LOAD_ONE, 1, arena), "3.000");
	ck_assert_ptr_null(load_share_text(3 * LOAD_ONE + 1, 2, arena)); /* 3.000 or 3.001 */
	arena_destroy(arena);
}
END_TEST

START_TEST(overload_and_overflow_are_no_bound)
{
	struct system s;
	system_init(&s, 1);
	system_application(&s, NONE);
	system_stream(&s, 0, 0);
	system_task(&s, 10, 0);
	system_kernel(&s, 0, 1, 1, 1, 11);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(r->tasks[0].verdict, VERDICT_NO_BOUND);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].advice, "1.100"));
	s.operations[0].kernel.blocks = INT64_C(2147483647);
	s.inflated[0].wcet = INT64_C(1) << 50;
	s.tasks[0].arrival.period = INT64_C(1) << 60;
	r = system_analyze(&s);
	ck_assert_int_eq(r->tasks[0].verdict, VERDICT_NO_BOUND);
	ck_assert_int_eq(r->worst, VERDICT_NO_BOUND);
	system_finish(&s);
}
END_TEST

START_TEST(unknown_overhead_is_no_bound)
{
	struct system s;
	system_x4(&s);
	s.platform.parameters[PARAMETER_OVERHEAD_LAUNCH].present = false;
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(r->tasks[0].verdict, VERDICT_NO_BOUND);
	ck_assert_ptr_nonnull(strstr(r->tasks[0].advice, "overhead.launch"));
	system_finish(&s);
}
END_TEST

/* A grid of which only the makespan, 100, is known, beside another kernel: with holes that leave it as many slots as it has alone, it takes
 * no longer; where they leave 1 of 2 an SM, on 3 SMs, ceil((6 * 100 - 100) / 3) + 100. */
static const struct {
	int64_t least, expected;
} grid_slots[] = {{2, 100 + 7}, {1, 167 + 100 + 7}};

START_TEST(grids_with_the_same_slots)
{
	struct system s;
	system_init(&s, 3);
	system_parameter(&s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(&s, NONE);
	s.platform.assumptions[ASSUMPTION_FRAG].status = STATUS_UNSTATED;
	system_one_kernel(&s, 0, 1000, NONE, 2, 100);
	s.operations[0].kernel.scope = SCOPE_GRID;
	s.kernels[0].slots_least = 3 * grid_slots[_i].least;
	s.kernels[0].occupancy.least = grid_slots[_i].least;
	system_one_kernel(&s, 0, 1000, 1, 1, 7);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), grid_slots[_i].expected);
	system_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("response");
	TCase *cases = tcase_create("bounds");
	tcase_add_loop_test(cases, grids_with_the_same_slots, 0, (int)(sizeof grid_slots / sizeof *grid_slots));
	tcase_add_test(cases, X4_volume_and_serial);
	tcase_add_test(cases, X4_one_nonempty_sm);
	tcase_add_test(cases, X4_stops);
	tcase_add_loop_test(cases, X5_h200_sized, 0, (int)(sizeof x5_cases / sizeof *x5_cases));
	tcase_add_test(cases, W12_serial_context);
	tcase_add_loop_test(cases, W10_V1_time_slices, 0, (int)(sizeof w10_cases / sizeof *w10_cases));
	tcase_add_test(cases, X1_chain);
	tcase_add_test(cases, X3_low_blocks_each_time);
	tcase_add_test(cases, X6_gathered_jitter);
	tcase_add_loop_test(cases, X8_in_order, 0, (int)(sizeof x8_cases / sizeof *x8_cases));
	tcase_add_loop_test(cases, X9_last_wave, 0, (int)(sizeof x9_cases / sizeof *x9_cases));
	tcase_add_test(cases, W18_cover_beats_makespans);
	tcase_add_test(cases, cover_grows_with_wcets);
	tcase_add_test(cases, W5_head_of_line);
	tcase_add_test(cases, V1_own_drain);
	tcase_add_test(cases, V5_overheads);
	tcase_add_test(cases, V5_dispatch_broken_off);
	tcase_add_test(cases, V11_stops_outermost);
	tcase_add_test(cases, V12_resident_grids);
	tcase_add_test(cases, V10_least_occupancy);
	tcase_add_test(cases, V9_alone_rests_on_fungible);
	tcase_add_test(cases, grid_scope);
	tcase_add_test(cases, host_segments);
	tcase_add_test(cases, foreign_copies);
	tcase_add_test(cases, release_jitter);
	tcase_add_test(cases, segment_jitter_counts);
	tcase_add_test(cases, several_jobs);
	tcase_add_test(cases, others_by_h);
	tcase_add_test(cases, own_segments);
	tcase_add_test(cases, parts_of_an_interval);
	tcase_add_test(cases, part_as_long_as_its_interval);
	tcase_add_test(cases, parts_have_shares_of_gaps);
	tcase_add_test(cases, segments_found);
	tcase_add_test(cases, foreign_copies_carried_in);
	tcase_add_test(cases, foreign_copies_rest_on_order);
	tcase_add_test(cases, others_rest_on_host_segments);
	tcase_add_test(cases, load_by_shares);
	tcase_add_test(cases, overload_and_overflow_are_no_bound);
	tcase_add_test(cases, unknown_overhead_is_no_bound);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
