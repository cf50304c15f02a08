/* SMs to GPCs from clocks made up here: the Tesla C2070 of seed 000, 7.1, whose GPCs are {0,4,8,12}, {3,7,11,13}, {1,5,9}, {2,6,10}. */
#include "simulate/clocks.h"
#include "unit/run.h"

#define SMS 14

static const int gpcs[SMS] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 3};
static const int64_t offsets[] = {9000000, 120, 5000, 8000};

/* SM s begins s * _i cycles late, and stands anywhere in the list. */
START_TEST(fermi)
{
	struct clock_reading readings[SMS];
	int found[SMS];
	struct arena *arena = arena_create();
	for (int s = 0; s < SMS; s++)
		readings[(5 * s + 3) % SMS] = (struct clock_reading){.sm = s, .cycles = offsets[gpcs[s]] + s * _i};
	int count = clocks_group(arena, readings, SMS, 1000, found);
	ck_assert_int_eq(count, 4);
	for (int i = 0; i < SMS; i++)
		ck_assert_int_eq(found[i], gpcs[readings[i].sm]);
	arena_destroy(arena);
}
END_TEST

START_TEST(undecided)
{
	static const struct {
		int64_t cycles[3], tolerance;
		int groups;
	} cases[] = {
		{{0, 10, 20}, 9, 3},
		{{0, 10, 20}, 10, 0}, /* 10 belongs to both */
		{{0, 10, 20}, 20, 1},
		{{0, INT64_MAX - 1, 1}, 1, 2},
	};
	struct clock_reading readings[3];
	int found[3];
	struct arena *arena = arena_create();
	for (int i = 0; i < 3; i++)
		readings[i] = (struct clock_reading){.sm = i, .cycles = cases[_i].cycles[i]};
	ck_assert_int_eq(clocks_group(arena, readings, 3, cases[_i].tolerance, found), cases[_i].groups);
	ck_assert_int_eq(clocks_group(arena, readings, 0, 1, found), 0);
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clocks");
	TCase *groups = tcase_create("groups");
	tcase_add_loop_test(groups, fermi, 0, 50);
	tcase_add_loop_test(groups, undecided, 0, 4);
	suite_add_tcase(suite, groups);
	return run_suite(suite);
}
