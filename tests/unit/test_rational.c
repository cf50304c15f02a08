/* Rationals: reduced, no value absorbing, 64-bit edges, both roundings. */
#include "base/rational.h"
#include "unit/run.h"

#define NO                                                                                                                                 \
	{                                                                                                                                  \
		0, 0                                                                                                                       \
	}
#define GREATEST (INT64_MAX - 1)
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const struct {
	int64_t num, den;
	struct rational expected;
} made[] = {
	{6, 4, {3, 2}},
	{-6, 4, {-3, 2}},
	{0, 7, {0, 1}},
	{1, 0, NO},
	{1, -2, NO},
	{NONE, 1, NO},
	{1, NONE, NO},
	{INT64_MIN, 1, NO}, /* its magnitude is that of NONE and more */
	{-GREATEST, 1, {-GREATEST, 1}},
	{GREATEST, GREATEST, {1, 1}},
};

START_TEST(make)
{
	struct rational value = rational_make(made[_i].num, made[_i].den);
	ck_assert_int_eq(value.num, made[_i].expected.num);
	ck_assert_int_eq(value.den, made[_i].expected.den);
}
END_TEST

static const struct {
	struct rational (*operation)(struct rational, struct rational);
	struct rational a, b, expected;
} cases[] = {
	{rational_add, {1, 2}, {1, 3}, {5, 6}},
	{rational_add, {-1, 2}, {1, 2}, {0, 1}},
	{rational_add, {GREATEST, 1}, {1, 1}, NO},
	{rational_add, {1, GREATEST}, {1, GREATEST - 1}, NO},
	{rational_add, NO, {1, 1}, NO},
	{rational_sub, {1, 2}, {1, 3}, {1, 6}},
	{rational_sub, {-GREATEST, 1}, {GREATEST, 1}, NO},
	{rational_sub, {1, 1}, NO, NO},
	{rational_mul, {2, 3}, {3, 4}, {1, 2}},
	{rational_mul, {GREATEST, 3}, {3, GREATEST}, {1, 1}},
	{rational_mul, {GREATEST, 1}, {2, 1}, NO},
	{rational_mul, {-GREATEST, 1}, {GREATEST, 1}, NO},
	{rational_mul, {0, 1}, NO, NO},
	{rational_div, {1, 2}, {1, 4}, {2, 1}},
	{rational_div, {1, 2}, {0, 1}, NO},
	{rational_div, {1, 2}, {-1, 4}, NO},
	{rational_max, {1, 2}, {2, 3}, {2, 3}},
	{rational_max, NO, {2, 3}, NO},
	{rational_min, {1, 2}, {2, 3}, {1, 2}},
	{rational_min, {1, 2}, NO, NO},
};

START_TEST(operations)
{
	struct rational value = cases[_i].operation(cases[_i].a, cases[_i].b);
	ck_assert_int_eq(value.num, cases[_i].expected.num);
	ck_assert_int_eq(value.den, cases[_i].expected.den);
	ck_assert_int_eq(rational_is_none(value), cases[_i].expected.den == 0);
}
END_TEST

START_TEST(compare)
{
	ck_assert_int_lt(rational_compare((struct rational){GREATEST - 1, GREATEST}, (struct rational){1, 1}), 0);
	ck_assert_int_gt(rational_compare((struct rational){-1, 3}, (struct rational){-1, 2}), 0);
	ck_assert_int_eq(rational_compare((struct rational){5, 7}, (struct rational){5, 7}), 0);
}
END_TEST

START_TEST(roundings)
{
	ck_assert_int_eq(rational_floor((struct rational){-7, 2}), -4);
	ck_assert_int_eq(rational_ceil((struct rational){-7, 2}), -3);
	ck_assert_int_eq(rational_ceil((struct rational){7, 2}), 4);
	ck_assert_int_eq(rational_ceil(RATIONAL_NONE), NONE);
	ck_assert_int_eq(rational_scale_up(10, (struct rational){1, 3}), 4);
	ck_assert_int_eq(rational_scale_down(10, (struct rational){1, 3}), 3);
	ck_assert_int_eq(rational_scale_up(GREATEST, (struct rational){GREATEST, GREATEST - 1}), NONE);
	ck_assert_int_eq(rational_scale_up(GREATEST, (struct rational){1, 1}), GREATEST);
	ck_assert_int_eq(rational_scale_up(NONE, (struct rational){1, 2}), NONE);
	ck_assert_int_eq(rational_scale_up(1, RATIONAL_NONE), NONE);
	ck_assert_int_eq(rational_of(NONE).den, 0);
	ck_assert_int_eq(rational_of(-NONE).den, 0);
	ck_assert_int_eq(rational_of(INT64_MIN).den, 0);
	ck_assert_int_eq(rational_of(-GREATEST).num, -GREATEST);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rational");
	TCase *tests = tcase_create("rational");
	tcase_add_loop_test(tests, make, 0, COUNT(made));
	tcase_add_loop_test(tests, operations, 0, COUNT(cases));
	tcase_add_test(tests, compare);
	tcase_add_test(tests, roundings);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
