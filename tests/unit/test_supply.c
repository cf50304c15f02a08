/* Served time and real time: [TURNS]. The schedules that attain the numbers stand beside them. */
#include "response/supply.h"

#include <check.h>
#include <stdlib.h>

static const struct arrival EVERY_1000 = {.kind = ARRIVAL_PERIODIC, .period = 1000, .min_distance = NONE, .max_distance = NONE};

/* One job a thousand of `work` in `turns` operations. */
static struct demand_item item(int64_t work, int64_t turns)
{
	return (struct demand_item){.arrivals = {&EVERY_1000, 0, true}, .lookback = 100, .work = work, .turns = turns, .context = 1};
}

struct row {
	int64_t slice, overrun, theta; /* own; theta of all */
	int64_t other_slice, other_overrun, other_work, other_turns;
	bool unknown;
	int64_t service, stopped, windows, lost;
};

static const struct row ROWS[] = {
	/* W10 of [EXAMPLES]: 5,000 of work in slices of 2,000 against two others' 2,000 + 50, switches of 100: here one other. A whole gap
	 * is
	 * 2,000 + 50 + 100 + 100 + 50 own overrun; three of them. */
	{2000, 50, 100, 2000, 50, 0, 0, true, 5000, 0, 1, 3 * 2300},
	/* the other has 700 in one operation: one turn and its switch; it may have one under way, that drains; own: first switch, and
	 * behind that turn; one drain */
	{2000, 50, 100, 2000, 50, 700, 1, false, 5000, 0, 1, 700 + 100 + 50 + 2 * 100 + 50},
	/* 4,100 is more than two slices, no more than three turns */
	{2000, 50, 100, 2000, 50, 4100, 1, false, 5000, 0, 1, 4100 + 3 * 100 + 3 * 50 + 3 * 100 + 3 * 50},
	/* and no more than one in one gap */
	{2000, 50, 100, 2000, 50, 4100, 1, false, 2000, 0, 1, 2000 + 100 + 50 + 100 + 50},
	/* nothing is wanted: the first switch remains */
	{2000, 50, 100, 2000, 50, 0, 0, false, 5000, 0, 1, 100},
	/* each of three windows may begin behind a turn of the other */
	{2000, 50, 100, 2000, 50, 0, 0, true, 30, 0, 3, 3 * 2300},
	/* a stop uses up slices of both: 1,950 + 100 are two own slices, and 700 + 1,300 one of the other */
	{2000, 0, 100, 2000, 0, 700, 1, false, 700, 1300, 1, 700 + 100 + 100},
	{1000, 0, 100, 2000, 0, 700, 1, false, 700, 1300, 1, 700 + 2 * 100 + 2 * 100},
	{1000, 0, 100, 2000, 0, 700, 1, false, 700, 1299, 1, 700 + 100 + 2 * 100},
};

START_TEST(lost)
{
	const struct row *row = &ROWS[_i];
	struct demand_item wants = item(row->other_work, row->other_turns);
	struct entry items[] = {
		{.slice = row->slice, .turn = row->slice, .overrun = row->overrun, .sms = 1}, {.context = 1,
												      .slice = row->other_slice,
												      .turn = row->other_slice,
												      .overrun = row->other_overrun,
												      .sms = 1,
												      .items = &wants,
												      .count = 1,
												      .unknown = row->unknown}};
	struct entries entries = {.items = items, .count = 2, .theta = row->theta};
	struct supply supply = {.entries = &entries, .own = &items[0], .stop_length = NONE, .stop_distance = NONE};
	const struct supply_use use = {&supply, row->service, row->windows};
	ck_assert_int_eq(supply_lost(&use, 1, row->stopped, 500, NULL), row->lost);
}
END_TEST

/* A slice of 10 against another's 30 that is always wanted, no switches. What begins behind nothing waits for a gap, what begins behind a
 * whole slice for two; what ends with a slice for one. */
START_TEST(begin_and_end)
{
	struct entry items[] = {{.slice = 10, .turn = 10, .sms = 1}, {.context = 1, .slice = 30, .turn = 30, .sms = 1, .unknown = true}};
	struct entries entries = {.items = items, .count = 2};
	struct supply supply = {.entries = &entries, .own = &items[0], .stop_length = NONE, .stop_distance = NONE};
	ck_assert_int_eq(supply_begin_step(&supply, 0, 0), 30);
	ck_assert_int_eq(supply_begin_step(&supply, 9, 0), 39);
	ck_assert_int_eq(supply_begin_step(&supply, 10, 0), 70);
	ck_assert_int_eq(supply_end(&supply, -1, 10, 1000), 40);
	ck_assert_int_eq(supply_end(&supply, -1, 11, 1000), 71);
	supply.stop_length = 5;
	supply.stop_distance = 40; /* 10 of work: two stops in 80, 20 served, two gaps */
	ck_assert_int_eq(supply_end(&supply, -1, 10, 1000), 80);
	ck_assert_int_eq(supply_begin_step(&supply, 0, 39), 35);
	ck_assert_int_eq(supply_begin_step(&supply, 0, 40), 80 - 10);
	ck_assert_int_eq(supply_end(&supply, -1, 10, 79), NONE);
}
END_TEST

/* 250 of work in slices of 10 beside jobs of 80 that may be there for 950: in 50 two of them, 160 in two operations; of a prompt entry one,
 * and a slice of 30, up to 110. Not in two windows, nor where own turns may be longer than the slice. */
START_TEST(left_behind)
{
	struct demand_item wants = item(80, 1);
	struct entry items[] = {
		{.slice = 10, .turn = 10, .sms = 1}, {.context = 1, .slice = 30, .turn = 30, .sms = 1, .items = &wants, .count = 1}};
	struct entries entries = {.items = items, .count = 2, .theta = 1};
	struct supply supply = {.entries = &entries, .own = &items[0], .stop_length = NONE, .stop_distance = NONE};
	struct supply_use use = {&supply, 250, 1};
	wants.lookback = 951;
	ck_assert_int_eq(supply_lost(&use, 1, 0, 50, NULL), 160 + 7 + 8);
	items[1].prompt = true;
	ck_assert_int_eq(supply_lost(&use, 1, 0, 50, NULL), 110 + 5 + 6);
	ck_assert_int_eq(supply_lost(&use, 1, 0, 1001, NULL), 160 + 7 + 8); /* as many come in it as may be there */
	use.windows = 2;
	ck_assert_int_eq(supply_lost(&use, 1, 0, 50, NULL), 160 + 7 + 9);
	use.windows = 1;
	items[0].turn = 11;
	ck_assert_int_eq(supply_lost(&use, 1, 0, 50, NULL), 160 + 7 + 8);
}
END_TEST

/* Kernels and copies of one stream have turns of their own; what another context wants delays the one or the other, not both. */
START_TEST(lost_together)
{
	struct demand_item wants = item(700, 1);
	struct entry items[] = {{.slice = 2000, .turn = 2000, .overrun = 50, .sms = 1},
		{.copies = true, .slice = 1000, .turn = 1000, .sms = 1},
		{.context = 1, .slice = 2000, .turn = 2000, .sms = 1, .items = &wants, .count = 1}};
	struct entries entries = {.items = items, .count = 3, .theta = 100};
	struct supply kernels = {.entries = &entries, .own = &items[0], .none = &items[1], .stop_length = NONE};
	struct supply copies = {.entries = &entries, .own = &items[1], .none = &items[0], .stop_length = NONE};
	struct supply_use uses[] = {{&kernels, 1500, 1}, {&copies, 400, 2}};
	ck_assert_int_eq(supply_lost(&uses[0], 1, 0, 500, NULL), 700 + 100 + 100 + 50);
	ck_assert_int_eq(supply_lost(&uses[1], 1, 0, 500, NULL), 700 + 100 + 2 * 100);
	ck_assert_int_eq(supply_lost(uses, 2, 0, 500, NULL), 700 + 100 + 3 * 100 + 50);
	items[2].unknown = true; /* 2,000 in each of three gaps */
	ck_assert_int_eq(supply_lost(uses, 2, 0, 500, NULL), 3 * (2000 + 100) + 3 * 100 + 50);
}
END_TEST

static int64_t lost_to_levels(bool known)
{
	struct demand_item wants[] = {item(7, 1), item(5, 1)};
	struct entry items[] = {{.slice = 10, .turn = 10, .sms = 1, .level = INTERLEAVE_MEDIUM},
		{.context = 1, .slice = 5, .turn = 5, .sms = 1, .level = INTERLEAVE_HIGH, .unknown = true},
		{.context = 2, .slice = 30, .turn = 30, .sms = 1, .items = &wants[0], .count = 1, .unknown = !known},
		{.context = 3, .slice = 20, .turn = 20, .sms = 1, .items = &wants[1], .count = 1, .unknown = !known}};
	struct entries entries = {.items = items, .count = 4, .theta = 2, .round = {true, {2, 1, 1}}};
	struct supply supply = {.entries = &entries, .own = &items[0], .stop_length = NONE, .stop_distance = NONE};
	const struct supply_use use = {&supply, 20, 1};
	return supply_lost(&use, 1, 0, 500, NULL);
}

/* [BETWEEN]: medium, in two gaps. The high one is before each medium and each low turn: four turns and switches. Of the two low ones one
 * has a turn in each gap: twice the longest, or what they want, 7 and 5 with a switch each. Two switches back. */
START_TEST(levels)
{
	ck_assert_int_eq(lost_to_levels(false), 4 * (5 + 2) + 2 * (30 + 2) + 2 * 2);
	ck_assert_int_eq(lost_to_levels(true), 4 * (5 + 2) + (7 + 2) + (5 + 2) + 2 * 2);
}
END_TEST

/* 20 of work in slices of 10, of which 4 may refill caches, have 4 gaps: with a turn that is under way 5 refills, 4 of them in theta. Of
 * the other one's 7 in one operation a second turn may be under way; it cannot where all its turns count anyway. */
START_TEST(refilled)
{
	struct demand_item wants = item(7, 1);
	struct entry items[] = {{.slice = 6, .turn = 6, .refill = 4, .sms = 1},
		{.context = 1, .slice = 30, .turn = 34, .refill = 4, .sms = 1, .items = &wants, .count = 1}};
	struct entries entries = {.items = items, .count = 2, .theta = 9};
	struct supply supply = {.entries = &entries, .own = &items[0], .stop_length = NONE};
	const struct supply_use use = {&supply, 20, 1};
	ck_assert_int_eq(supply_lost(&use, 1, 0, 500, NULL), 7 + 9 + 4 + 2 * 9);
	items[1].unknown = true;
	ck_assert_int_eq(supply_lost(&use, 1, 0, 500, NULL), 4 * (34 + 9) + 4 * 9 + 4);
	items[0].refill = 0;
	ck_assert_int_eq(supply_lost(&use, 1, 0, 500, NULL), 4 * (34 + 9) + 4 * 9);
}
END_TEST

/* Jobs of others that are there: released 100 before, or later. Copies of the own context do not count here. */
START_TEST(copied)
{
	struct demand_item items[] = {item(7, 1), item(20, 1), item(300, 1)};
	items[0].engine = items[2].engine = 0;
	items[1].engine = 1;
	items[2].context = 0;
	struct entries entries = {.copies = items, .copy_count = 3};
	struct supply supply = {.entries = &entries, .stop_length = NONE, .stop_distance = NONE};
	ck_assert_int_eq(supply_copied(&supply, 0, 900, NULL), 7);
	ck_assert_int_eq(supply_copied(&supply, 0, 901, NULL), 14);
	ck_assert_int_eq(supply_copied(&supply, 1, 1, NULL), 20);
	ck_assert_int_eq(supply_end(&supply, 0, 900, 10000), 914);
	ck_assert(!supply_is_whole(&supply));
	ck_assert_int_eq(supply_end(&supply, -1, 900, 10000), 900);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("supply");
	TCase *cases = tcase_create("supply");
	tcase_add_loop_test(cases, lost, 0, sizeof ROWS / sizeof *ROWS);
	tcase_add_test(cases, begin_and_end);
	tcase_add_test(cases, lost_together);
	tcase_add_test(cases, left_behind);
	tcase_add_test(cases, levels);
	tcase_add_test(cases, refilled);
	tcase_add_test(cases, copied);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
