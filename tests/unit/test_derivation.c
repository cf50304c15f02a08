/* The graph of steps: order, inputs, growth. */
#include "base/derivation.h"
#include "unit/run.h"

static struct derivation graph;

static void set_up(void)
{
	derivation_init(&graph, arena_create());
}

static void tear_down(void)
{
	arena_destroy(graph.arena);
}

START_TEST(steps_and_inputs)
{
	int given = derivation_integer(&graph, 1, "a", 5);
	int other = derivation_step(&graph, 1, "b", rational_make(1, 2));
	int result = derivation_integer(&graph, 2, "c", 3);
	derivation_input(&graph, "C", given);
	derivation_input(&graph, "none", STEP_ABSENT);
	derivation_input(&graph, "F", other);
	ck_assert_int_eq(derivation_get(&graph, given)->input_count, 0);
	ck_assert_int_eq(derivation_get(&graph, other)->value.den, 2);
	ck_assert_int_eq(derivation_get(&graph, result)->input_count, 2);
	ck_assert_str_eq(derivation_inputs(&graph, result)[0].role, "C");
	ck_assert_int_eq(derivation_inputs(&graph, result)[1].step, other);
}
END_TEST

START_TEST(no_value)
{
	ck_assert(rational_is_none(derivation_get(&graph, derivation_integer(&graph, 1, "a", NONE))->value));
}
END_TEST

/* Each step takes the one before and the first. */
START_TEST(growth)
{
	int first = derivation_integer(&graph, 0, "first", 0);
	for (int i = 1; i < 10000; i++) {
		int step = derivation_integer(&graph, i, "next", i);
		derivation_input(&graph, "x", step - 1);
		derivation_input(&graph, "y", first);
	}
	for (int i = 1; i < 10000; i++) {
		ck_assert_int_eq(derivation_get(&graph, i)->rule, i);
		ck_assert_int_eq(derivation_get(&graph, i)->input_count, 2);
		ck_assert_int_eq(derivation_inputs(&graph, i)[0].step, i - 1);
		ck_assert_int_eq(derivation_inputs(&graph, i)[1].step, first);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("derivation");
	TCase *tests = tcase_create("derivation");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, steps_and_inputs);
	tcase_add_test(tests, no_value);
	tcase_add_test(tests, growth);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
