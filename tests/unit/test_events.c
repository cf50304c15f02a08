/* Jobs on several streams, with events between them: worked by hand, each with what a machine attains. */
#include "base/plant.h"
#include "unit/run.h"
#include "unit/systems.h"

static void begin(struct system *s, int streams)
{
	system_init(s, 1);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
	for (int i = 0; i < streams; i++)
		system_stream(s, 0, 0);
	s->platform.engine_of[DIRECTION_D2H] = 1;
}

static void copy(struct system *s, int stream, enum direction direction, int64_t time)
{
	s->operations[system_operation(s, OPERATION_COPY, stream, time, time)].copy.direction = direction;
}

static void kernel(struct system *s, int stream, int64_t time)
{
	s->operations[system_kernel(s, stream, 1, 1, 1, time)].bcet = time;
}

/* The operation added last, before what comes on another stream. */
static void then(struct system *s, int from, int to)
{
	int event = s->set.event_count++;
	s->operations[system_operation(s, OPERATION_RECORD, from, 0, 0)].event = event;
	s->operations[system_operation(s, OPERATION_WAIT, to, 0, 0)].event = event;
}

/* V3 of the review: a kernel stands behind another task's copy, of which the rest of its own job knows nothing. */
static void v3(struct system *s)
{
	begin(s, 2);
	system_task(s, 1000, 0);
	copy(s, 0, DIRECTION_D2H, 1);
	kernel(s, 1, 1);
	system_task(s, 105, 0);
	copy(s, 1, DIRECTION_H2D, 100);
}

START_TEST(V3_queue_of_each_stream)
{
	struct system s;
	v3(&s);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 101); /* attained */
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 101);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 101);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 101);
	system_finish(&s);
}
END_TEST

/* Copy 4, kernel 3, copy 4, each on its stream, every 8: while a job is worked on the next one is copied. */
static void pipeline(struct system *s, int64_t period)
{
	begin(s, 3);
	system_task(s, period, 0);
	copy(s, 0, DIRECTION_H2D, 4);
	then(s, 0, 1);
	kernel(s, 1, 3);
	then(s, 1, 2);
	copy(s, 2, DIRECTION_D2H, 4);
}

static const struct {
	int64_t period, expected, serial;
} pipelines[] = {{20, 11, 11}, {11, 11, NONE}, {8, 11, NONE}, {5, 11, NONE}, {4, NONE, NONE}};

START_TEST(jobs_overlap)
{
	struct system s;
	pipeline(&s, pipelines[_i].period);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), pipelines[_i].expected);
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), pipelines[_i].expected);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), pipelines[_i].expected);
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), pipelines[_i].serial);
	system_finish(&s);
}
END_TEST

/* Two kernels in order on two streams: of one job they never meet. The second of a job and the first of the next one do, released 4 apart.
 */
static void in_order(struct system *s, int64_t jitter)
{
	begin(s, 2);
	system_task(s, 7, jitter);
	kernel(s, 0, 3);
	then(s, 0, 1);
	kernel(s, 1, 3);
}

START_TEST(siblings_in_order)
{
	struct system s;
	in_order(&s, 0);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 6); /* attained */
	ck_assert_int_eq(system_bound(r, 0, BOUND_CHAIN), 6);
	ck_assert_int_eq(system_bound(r, 0, BOUND_VOL_C), 6);
	system_finish(&s);
}
END_TEST

/* A fork and a join: 2; then 5 and 3 at once on one SM that holds one block; then 2, behind both. */
static void fork_and_join(struct system *s)
{
	begin(s, 2);
	system_task(s, 100, 0);
	kernel(s, 0, 2);
	then(s, 0, 1);
	kernel(s, 0, 5);
	kernel(s, 1, 3);
	then(s, 1, 0);
	kernel(s, 0, 2);
}

START_TEST(siblings_at_once)
{
	struct system s;
	fork_and_join(&s);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 12); /* attained: 2 + 5 + 3 + 2 */
	ck_assert_int_eq(system_bound(r, 0, BOUND_P), 12);
	system_finish(&s);
}
END_TEST

/* An event of another task of the same period: of the last record before the wait was issued. */
START_TEST(event_of_another_task)
{
	struct system s;
	begin(&s, 2);
	system_task(&s, 50, 0);
	copy(&s, 0, DIRECTION_H2D, 20);
	s.operations[system_operation(&s, OPERATION_RECORD, 0, 0, 0)].event = s.set.event_count++;
	system_task(&s, 50, 0);
	s.operations[system_operation(&s, OPERATION_WAIT, 1, 0, 0)].event = 0;
	copy(&s, 1, DIRECTION_D2H, 5);
	struct response *r = system_analyze(&s);
	ck_assert_int_eq(system_bound(r, 0, BOUND_H), 20);
	ck_assert_int_eq(system_bound(r, 1, BOUND_H), 25); /* attained: released together, issued behind it */
	system_finish(&s);
}
END_TEST

#ifdef GPUBOUND_TESTING
/* What a machine attains is above the bound without the term. */
START_TEST(planted_faults)
{
	struct system s;
	plant_set(PLANT_EVENTS);
	pipeline(&s, 20);
	ck_assert_int_lt(system_bound(system_analyze(&s), 0, BOUND_H), 11);
	system_finish(&s);
	in_order(&s, 3);
	plant_set(-1);
	ck_assert_int_ge(system_bound(system_analyze(&s), 0, BOUND_H), 8); /* released at 3 and 7: 3 to 6, 6 to 9; 9 to 12, 12 to 15 */
	system_finish(&s);
	in_order(&s, 3);
	plant_set(PLANT_PIPELINE);
	ck_assert_int_lt(system_bound(system_analyze(&s), 0, BOUND_H), 8);
	plant_set(-1);
	system_finish(&s);
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("events");
	TCase *tests = tcase_create("examples");
	tcase_add_test(tests, V3_queue_of_each_stream);
	tcase_add_loop_test(tests, jobs_overlap, 0, sizeof pipelines / sizeof *pipelines);
	tcase_add_test(tests, siblings_in_order);
	tcase_add_test(tests, siblings_at_once);
	tcase_add_test(tests, event_of_another_task);
#ifdef GPUBOUND_TESTING
	tcase_add_test(tests, planted_faults);
#endif
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
