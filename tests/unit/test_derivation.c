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

/* The inputs of a step stand together, however many there are and wherever their block ends. */
START_TEST(many_inputs)
{
	int steps[40];
	for (int i = 0; i < 40; i++) {
		steps[i] = derivation_integer(&graph, 0, "step", i);
		for (int j = 0; i > 0 && j < 97 * i; j++)
			derivation_input(&graph, "x", (i + 7 * j) % i);
	}
	for (int i = 1; i < 40; i++) {
		ck_assert_int_eq(derivation_input_count(&graph, steps[i]), 97 * i);
		for (int j = 0; j < 97 * i; j++)
			ck_assert_int_eq(derivation_inputs(&graph, steps[i])[j].step, (i + 7 * j) % i);
	}
}
END_TEST

/* What a step is about is put together when it is asked for, and stays. */
START_TEST(names)
{
	int plain = derivation_integer(&graph, 0, "100%s", 1);
	int one = derivation_named(&graph, 3, rational_of(2), "task:%s@period", "a", NULL);
	int two = derivation_named(&graph, 0, rational_of(3), "%s/op:%s@wcet", "task:%s", "k");
	ck_assert_str_eq(derivation_get(&graph, plain)->about, "100%s");
	ck_assert_int_eq(derivation_rule(&graph, one), 3);
	for (int i = 0; i < 2; i++) {
		ck_assert_str_eq(derivation_get(&graph, one)->about, "task:a@period");
		ck_assert_str_eq(derivation_get(&graph, two)->about, "task:%s/op:k@wcet");
	}
	ck_assert_int_eq(derivation_get(&graph, two)->value.num, 3);
}
END_TEST

/* A mute one takes everything and keeps nothing; what has no step has none there, either. */
START_TEST(mute)
{
	struct derivation none;
	derivation_init_mute(&none);
	for (int i = 0; i < 2000; i++) {
		int step = derivation_named(&none, 1, rational_of(i), "task:%s", "a", NULL);
		ck_assert_int_ne(step, STEP_ABSENT);
		derivation_input(&none, "x", step);
		derivation_input(&none, "none", STEP_ABSENT);
	}
	ck_assert_int_eq(none.count, 0);
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
	tcase_add_test(tests, many_inputs);
	tcase_add_test(tests, names);
	tcase_add_test(tests, mute);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
