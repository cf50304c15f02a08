/* Each fault that can be planted in the equations makes a bound fall below what is attained in an example of the theory or the review;
 * without it no bound of the task does. In testing builds only: others have no faults to plant. */
#include "base/plant.h"
#include "unit/run.h"
#include "unit/systems.h"

#include <stdio.h>

static void begin(struct system *s, int sms)
{
	system_init(s, sms);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
}

static void w6(struct system *s)
{
	begin(s, 2);
	system_one_kernel(s, 1, 1000, 8, 2, 20);
	system_one_kernel(s, 0, 1000, 1, 1, 1);
}

static void w9(struct system *s)
{
	begin(s, 1);
	for (int i = 0; i < 3; i++)
		system_one_kernel(s, i, i == 0 ? 2500 : 3500, 1, 1, 1000);
}

static void w10(struct system *s)
{
	begin(s, 1);
	system_parameter(s, PARAMETER_RUNLIST_SWITCH, 100);
	s->applications[0].timeslice = 2000;
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			system_application(s, 2000);
		system_stream(s, i, 0);
		system_task(s, 1000000, 0);
		system_kernel(s, i, 1, 1, 1, i == 0 ? 5000 : 20000); /* the others have work for as long as the first one does */
	}
}

/* Two kernels of different levels, released together. */
static void together(struct system *s)
{
	begin(s, 1);
	system_one_kernel(s, 1, 100, 1, 1, 10);
	system_one_kernel(s, 0, 100, 1, 1, 10);
}

/* Three blocks one after another, 4 each, and at 0 and 10 a higher kernel of 4. */
static void second_arrival(struct system *s)
{
	begin(s, 1);
	system_one_kernel(s, 1, 100, 3, 1, 4);
	system_one_kernel(s, 0, 10, 1, 1, 4);
}

/* Four lower blocks that fill the SM for 8 stand before a block that fits beside all others. */
static void v13(struct system *s)
{
	begin(s, 1);
	for (int i = 0; i < 4; i++)
		system_one_kernel(s, 1, 1000, 1, 4, 8);
	system_one_kernel(s, 0, 1000, 1, 4, 1);
	for (int i = 0; i < 2; i++)
		system_one_kernel(s, 0, 1000, 1, 4, 5);
}

static void two_waves(struct system *s)
{
	begin(s, 1);
	system_one_kernel(s, 0, 100, 3, 2, 10);
}

static void stopped(struct system *s)
{
	begin(s, 1);
	system_one_kernel(s, 0, 10000, 1, 1, 200);
	system_parameter(s, PARAMETER_STOPS_LENGTH, 100);
	system_parameter(s, PARAMETER_STOPS_DISTANCE, 150);
}

static void x4(struct system *s)
{
	begin(s, 2);
	system_one_kernel(s, 0, 60, 3, 2, 4);
	system_one_kernel(s, 1, 60, 3, 2, 4);
	system_operation(s, OPERATION_COPY, 1, 0, 3);
}

static void x4_one_sm(struct system *s)
{
	x4(s);
	s->platform.assumptions[ASSUMPTION_WC].status = STATUS_BROKEN;
}

static void x1(struct system *s)
{
	begin(s, 2);
	s->platform.engine_of[DIRECTION_D2H] = 1;
	system_stream(s, 0, 0);
	system_task(s, 200, 0);
	for (int i = 0; i < 3; i++) {
		system_kernel(s, 0, 4, 2, 2, 10);
		if (i < 2)
			system_operation(s, OPERATION_COPY, 0, 1, 3 - i);
	}
	system_one_kernel(s, 0, 200, 8, 2, 10);
}

static void x3(struct system *s)
{
	begin(s, 1);
	system_stream(s, 0, 0);
	system_task(s, 200, 0);
	system_kernel(s, 0, 1, 1, 1, 1);
	system_operation(s, OPERATION_COPY, 0, 3, 3);
	system_kernel(s, 0, 1, 1, 1, 1);
	for (int i = 0; i < 3; i++)
		system_one_kernel(s, 1, 60, 1, 1, 8);
}

static void x6(struct system *s)
{
	begin(s, 1);
	s->platform.engine_of[DIRECTION_D2H] = 1;
	system_stream(s, 0, 0);
	system_stream(s, 0, 0);
	system_task(s, 400, 0);
	system_kernel(s, 0, 1, 1, 1, 1);
	system_operation(s, OPERATION_COPY, 0, 1, 8);
	system_kernel(s, 0, 1, 1, 1, 1);
	system_task(s, 45, 0);
	s->operations[system_operation(s, OPERATION_COPY, 1, 1, 30)].copy.direction = DIRECTION_D2H;
	s->operations[system_kernel(s, 1, 1, 1, 1, 10)].bcet = 1;
}

static void grid(struct system *s)
{
	begin(s, 1);
	system_stream(s, 0, 1);
	system_task(s, 100000, 0);
	system_grid(s, 0, 100);
	system_one_kernel(s, 0, 231, 1, 1, 100);
}

static void overheads(struct system *s)
{
	begin(s, 1);
	system_parameter(s, PARAMETER_OVERHEAD_LAUNCH, 1);
	system_parameter(s, PARAMETER_OVERHEAD_BLOCK, 7);
	system_parameter(s, PARAMETER_OVERHEAD_DEPENDENCY, 1);
	for (int i = 0; i < 2; i++)
		system_one_kernel(s, i, 5000, 1, 1, 1);
}

/* A thread that waits for a copy of 100 before it issues a kernel of 100 to another stream. */
static void returned(struct system *s)
{
	begin(s, 2);
	system_stream(s, 0, 0);
	system_stream(s, 0, 0);
	system_task(s, 10000, 0);
	s->operations[system_operation(s, OPERATION_COPY, 0, 100, 100)].copy.synchronous = true;
	system_kernel(s, 1, 1, 1, 1, 100);
}

/* [FP-EQUALS]: the second of two jobs that come 1 apart is at the engine as the first one ends. */
static void overtaken(struct system *s)
{
	begin(s, 1);
	system_one_kernel(s, 0, 30, 1, 1, 9);
	system_one_kernel(s, 0, 5, 1, 1, 1);
	s->tasks[0].arrival.jitter = 29;
}

static const struct {
	enum plant plant;
	void (*build)(struct system *s);
	int task;
	enum bound bound; /* that falls */
	int64_t attained;
} cases[] = {
	{PLANT_WASTE, w6, 0, BOUND_FP, 58},
	{PLANT_WASTE, w6, 0, BOUND_H, 58},
	{PLANT_BLOCKING, w9, 0, BOUND_FP, 1999},
	{PLANT_BLOCKING, together, 1, BOUND_H, 19},
	{PLANT_CLOSED, together, 0, BOUND_FP, 20},
	{PLANT_CLOSED, together, 0, BOUND_H, 20},
	{PLANT_ETA, second_arrival, 0, BOUND_FP, 20},
	{PLANT_CEILING, two_waves, 0, BOUND_P, 20},
	{PLANT_THETA, w10, 0, BOUND_P, 17900},
	{PLANT_STOPS, stopped, 0, BOUND_P, 600},
	{PLANT_TAIL, x4, 1, BOUND_VOL_P, 15},
	{PLANT_SMS, x4_one_sm, 1, BOUND_VOL_P, 27},
	{PLANT_CHAIN, x1, 0, BOUND_CHAIN, 55},
	{PLANT_ONCE, x3, 0, BOUND_CHAIN, 19},
	{PLANT_GATHERED, x6, 0, BOUND_CHAIN, 27},
	{PLANT_LAST, grid, 0, BOUND_H, 350},
	{PLANT_LAST, grid, 0, BOUND_FP, 350},
	{PLANT_PLACE, overtaken, 0, BOUND_FP, 19},
	{PLANT_AGAIN, overheads, 1, BOUND_VOL_P, 25},
	{PLANT_SINCE, v13, 4, BOUND_H, 9},
	{PLANT_RETURNED, returned, 0, BOUND_H, 200},
	{PLANT_RETURNED, returned, 0, BOUND_CHAIN, 200},
	{PLANT_RETURNED, returned, 0, BOUND_VOL_C, 200},
};

static bool is_volume(enum bound bound)
{
	return bound == BOUND_VOL_P || bound == BOUND_VOL_C;
}

static int64_t bound_with(int plant, int index)
{
	struct system s;
	cases[index].build(&s);
#ifdef GPUBOUND_TESTING
	plant_set(plant);
#else
	(void)plant;
#endif
	struct response *r = system_analyze(&s);
#ifdef GPUBOUND_TESTING
	plant_set(-1);
#endif
	for (int i = 0; plant < 0 && i < BOUND_COUNT; i++) {
		if (is_volume(cases[index].bound) && !is_volume((enum bound)i))
			continue; /* attained by a machine that keeps no order */
		int64_t value = system_bound(r, cases[index].task, (enum bound)i);
		ck_assert_msg(value == NONE || value >= cases[index].attained, "%s is %lld, %lld is attained", bound_kinds[i].name,
			(long long)value, (long long)cases[index].attained);
	}
	int64_t value = system_bound(r, cases[index].task, cases[index].bound);
	system_finish(&s);
	return value;
}

START_TEST(planted_fault_is_seen)
{
	int64_t sound = bound_with(-1, _i);
	ck_assert_int_ne(sound, NONE);
#ifdef GPUBOUND_TESTING
	int64_t planted = bound_with((int)cases[_i].plant, _i);
	ck_assert_msg(planted < cases[_i].attained, "with '%s' %s is %lld, %lld is attained", plant_kinds[cases[_i].plant].name,
		bound_kinds[cases[_i].bound].name, (long long)planted, (long long)cases[_i].attained);
#endif
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mutations");
	TCase *examples = tcase_create("examples");
#ifndef GPUBOUND_TESTING
	printf("no testing build: faults can not be planted, only what is attained is held\n");
#endif
	tcase_add_loop_test(examples, planted_fault_is_seen, 0, (int)(sizeof cases / sizeof *cases));
	suite_add_tcase(suite, examples);
	return run_suite(suite);
}
