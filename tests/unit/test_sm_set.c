/* Sets of SMs: of a chip, of ids; members, sizes, what two have in common. */
#include "config.h"
#include "model/sm_set.h"
#include "unit/platforms.h"
#include "unit/run.h"

static struct arena *arena;
static struct platform platform;

static void setup(void)
{
	arena = arena_create();
	platform = make_platform(90);
	set_parameter(&platform, PARAMETER_SM_COUNT, 130);
}

static void teardown(void)
{
	arena_destroy(arena);
}

static struct sm_set of(const int *sms, int count)
{
	return sm_set_of(arena, &platform, sms, count);
}

START_TEST(all_of_the_chip)
{
	struct sm_set chip = sm_set_of_chip(&platform);
	ck_assert_int_eq(chip.size, 130);
	ck_assert(sm_set_is_chip(&chip));
	ck_assert(sm_set_has(&chip, 0) && sm_set_has(&chip, 129));
	ck_assert(!sm_set_is_disjoint(&chip, &chip));
	ck_assert(sm_set_is_equal(&chip, &chip));
}
END_TEST

START_TEST(of_unknown_size)
{
	platform.parameters[PARAMETER_SM_COUNT].present = false;
	struct sm_set chip = sm_set_of_chip(&platform);
	ck_assert(chip.size == NONE);
	ck_assert(!sm_set_is_disjoint(&chip, &chip));
}
END_TEST

/* In the first, in the second and in the third word; one id twice. */
START_TEST(members)
{
	const int ids[] = {0, 63, 64, 129, 64};
	struct sm_set set = of(ids, 5);
	int found = 0;
	ck_assert_int_eq(set.size, 4);
	ck_assert_int_eq(set.chip, 130);
	ck_assert(!sm_set_is_chip(&set));
	for (int sm = 0; sm < 130; sm++)
		found += sm_set_has(&set, sm);
	ck_assert_int_eq(found, 4);
	for (int i = 0; i < 5; i++)
		ck_assert(sm_set_has(&set, ids[i]));
}
END_TEST

START_TEST(two_sets)
{
	const int low[] = {0, 1, 2, 128}, high[] = {3, 64, 129}, both[] = {2, 3};
	struct sm_set a = of(low, 4), b = of(high, 3), c = of(both, 2), none = of(both, 0), chip = sm_set_of_chip(&platform),
		      d = of(low, 4);
	ck_assert(sm_set_is_disjoint(&a, &b) && sm_set_is_disjoint(&b, &a));
	ck_assert(!sm_set_is_disjoint(&a, &c) && !sm_set_is_disjoint(&c, &b));
	ck_assert(!sm_set_is_disjoint(&a, &chip) && sm_set_is_disjoint(&none, &chip) && sm_set_is_disjoint(&none, &a));
	ck_assert(sm_set_is_equal(&a, &d) && !sm_set_is_equal(&a, &b) && !sm_set_is_equal(&a, &chip));
}
END_TEST

/* All ids one by one are all of the chip. */
START_TEST(listed_in_full)
{
	int ids[130];
	for (int i = 0; i < 130; i++)
		ids[i] = 129 - i;
	struct sm_set all = of(ids, 130), chip = sm_set_of_chip(&platform);
	ck_assert(sm_set_is_chip(&all));
	ck_assert(sm_set_is_equal(&all, &chip));
}
END_TEST

START_TEST(ranges)
{
	const char *text = "0-13 16  19-20", *const wrong[] = {"", " ", "a", "1-", "-1", "1-2-3", "1,2", "3x"};
	int64_t first, last, sum = 0;
	while (sm_range_next(&text, &first, &last))
		sum += 1000 * first + last;
	ck_assert_int_eq(sum, 35000 + 49);
	ck_assert_int_eq(*text, '\0');
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		text = wrong[i];
		ck_assert(!sm_range_next(&text, &first, &last) && text == wrong[i]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sm_set");
	TCase *cases = tcase_create("sm_set");
	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, all_of_the_chip);
	tcase_add_test(cases, of_unknown_size);
	tcase_add_test(cases, members);
	tcase_add_test(cases, two_sets);
	tcase_add_test(cases, listed_in_full);
	tcase_add_test(cases, ranges);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
