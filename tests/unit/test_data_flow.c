/* What counts of a chain of tasks at the very instant at which the last of them is first released, whatever else is drawn. */
#include "simulate/data_flow.h"
#include "unit/run.h"

#define SEEDS 32

static const int tasks[] = {0, 1};
static const struct handover handovers[] = {{.capacity = NONE, .take = NONE}, {HANDOVER_QUEUE, OVERFLOW_OLDEST, 1, NONE}};
static const struct end_to_end chain = {
	.id = "c", .kind = END_TO_END_REACTION, .reduced = true, .deadline = NONE, .tasks = tasks, .task_count = 2, .handovers = handovers};
static const struct taskset set = {.end_to_end = &chain, .end_to_end_count = 1};

static struct arena *arena;
static struct data_flow *flow;
static struct simulate_chain seen;

static void open_flow(int seed)
{
	arena = arena_create();
	flow = data_flow_create(arena, &set, (uint64_t)seed, &seen);
}

static void run_job(int task, int64_t release, int64_t complete)
{
	data_flow_release(flow, task, 0, release, false);
	data_flow_complete(flow, task, 0, complete);
}

/* The queue is emptied behind the first write: what was written is gone, and what was read for it. An event just behind that read waits for
 * the next one, and an age begins there. */
START_TEST(read_before_the_start)
{
	open_flow(_i);
	run_job(0, 10, 10);
	run_job(1, 10, 11);
	run_job(0, 110, 110);
	run_job(1, 113, 115);
	ck_assert_int_eq(simulate_chain_observed(&seen, &chain), 5);
	ck_assert_int_eq(seen.reaction, 105);
	ck_assert_int_eq(seen.age, 105);
	ck_assert_int_eq(seen.reduced_age, 5);
	arena_destroy(arena);
}
END_TEST

START_TEST(read_at_the_start)
{
	open_flow(_i);
	run_job(1, 10, 10);
	run_job(0, 10, 10);
	run_job(1, 20, 22);
	ck_assert_int_eq(simulate_chain_observed(&seen, &chain), 12);
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("data-flow");
	TCase *tests = tcase_create("data-flow");
	tcase_add_loop_test(tests, read_before_the_start, 0, SEEDS);
	tcase_add_loop_test(tests, read_at_the_start, 0, SEEDS);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
