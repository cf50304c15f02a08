/* Checked integers: edges of int64, NONE absorbing, floor and ceiling of negatives. */
#include "base/checked.h"
#include "unit/run.h"

static const struct {
	int64_t (*operation)(int64_t, int64_t);
	int64_t a, b, expected;
} cases[] = {
	{checked_add, 1, 2, 3},
	{checked_add, INT64_MAX - 2, 1, INT64_MAX - 1},
	{checked_add, INT64_MAX - 1, 1, NONE}, /* the sum is the value that means no verdict */
	{checked_add, INT64_MAX - 1, 2, NONE},
	{checked_add, NONE, -1, NONE},
	{checked_add, -1, NONE, NONE},
	{checked_add, INT64_MIN, -1, NONE},
	{checked_sub, 5, 7, -2},
	{checked_sub, INT64_MIN, 1, NONE},
	{checked_sub, NONE, NONE, NONE},
	{checked_mul, 3000000000, 3000000000, 9000000000000000000},
	{checked_mul, 3037000500, 3037000500, NONE},
	{checked_mul, NONE, 0, NONE},
	{checked_mul, 0, NONE, NONE},
	{checked_div_floor, 7, 2, 3},
	{checked_div_floor, -7, 2, -4},
	{checked_div_ceil, 7, 2, 4},
	{checked_div_ceil, -7, 2, -3},
	{checked_div_ceil, 8, 2, 4},
	{checked_div_ceil, 1, 0, NONE},
	{checked_div_floor, 1, -1, NONE},
	{checked_div_ceil, NONE, 2, NONE},
	{checked_round_up, 1, 256, 256},
	{checked_round_up, 256, 256, 256},
	{checked_round_up, INT64_MAX - 1, 256, NONE},
	{checked_round_down, 511, 256, 256},
	{checked_divisor, 12, 18, 6},
	{checked_divisor, -12, 18, 6},
	{checked_divisor, 0, -7, 7},
	{checked_divisor, 0, 0, 0},
	{checked_divisor, INT64_MIN, 6, 2},
	{checked_divisor, INT64_MIN, 0, NONE},
	{checked_divisor, NONE, 7, NONE},
	{checked_multiple, 4, 6, 12},
	{checked_multiple, INT64_MAX - 1, 2, INT64_MAX - 1},
	{checked_multiple, INT64_MAX - 1, 5, NONE},
	{checked_multiple, 3, NONE, NONE},
	{checked_min, NONE, 4, 4},
	{checked_max, NONE, 4, NONE},
};

START_TEST(edges)
{
	ck_assert_int_eq(cases[_i].operation(cases[_i].a, cases[_i].b), cases[_i].expected);
}
END_TEST

START_TEST(wide_products)
{
	ck_assert_int_eq(checked_mul_div_ceil(INT64_MAX - 1, 4, 8), INT64_MAX / 2);
	ck_assert_int_eq(checked_mul_div_floor(INT64_MAX - 1, INT64_MAX - 1, INT64_MAX - 1), INT64_MAX - 1);
	ck_assert_int_eq(checked_mul_div_ceil(INT64_MAX - 1, INT64_MAX - 1, 1), NONE);
	ck_assert_int_eq(checked_mul_div_ceil(10, 1, 3), 4);
	ck_assert_int_eq(checked_mul_div_floor(10, 1, 3), 3);
	ck_assert_int_eq(checked_mul_div_floor(10, 1, 0), NONE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("checked");
	TCase *table = tcase_create("table");
	tcase_add_loop_test(table, edges, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(table, wide_products);
	suite_add_tcase(suite, table);
	return run_suite(suite);
}
