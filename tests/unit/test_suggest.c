/* Guesses at mistyped words. */
#include "base/suggest.h"
#include "unit/run.h"

#include <string.h>

static const char *const words[] = {"analyze", "csv", "grid", "jetson-agx-orin", "jetson-orin-nano", "jetson-tx2", "xml", NULL};

static const struct {
	const char *text, *nearest;
} cases[] = {
	{"analyse", "analyze"},
	{"anlayze", "analyze"}, /* two letters exchanged are one mistake */
	{"nalyse", "analyze"},
	{"ANALYZE", "analyze"},
	{"cvs", "csv"},
	{"grd", "grid"},
	{"gird", "grid"},
	{"xlm", "xml"},
	{"orin", "jetson-agx-orin"}, /* a part; the first */
	{"TX2", "jetson-tx2"},
	{"jetsontx2", "jetson-tx2"},
	{"jetson-tx1", "jetson-tx2"},
	{"x", NULL},
	{"ml", NULL}, /* too short for a guess */
	{"grip", "grid"},
	{"trim", NULL},
	{"", NULL},
	{"zzzzzz", NULL},
	{"csv", NULL},
	{"0123456789012345678901234567890123456789012345678901234567890123", NULL},
};

START_TEST(finds_the_nearest)
{
	const char *nearest = suggest_nearest(cases[_i].text, words);
	ck_assert_str_eq(nearest != NULL ? nearest : "nothing", cases[_i].nearest != NULL ? cases[_i].nearest : "nothing");
}
END_TEST

static const struct {
	const char *text, *all;
} several[] = {
	{"jetson-orin", "; did you mean 'jetson-agx-orin' or 'jetson-orin-nano'?"},
	{"agx-orin", "; did you mean 'jetson-agx-orin'?"},
	{"orin", "; did you mean 'jetson-agx-orin' or 'jetson-orin-nano'?"},
	{"jetson", "; did you mean 'jetson-agx-orin', 'jetson-orin-nano' or 'jetson-tx2'?"},
	{"jetson-tx1", "; did you mean 'jetson-tx2'?"},
	{"h100", ""},
	{"", ""},
	{"--", ""},
	{"0123456789012345678901234567890123456789012345678901234567890123", ""},
};

START_TEST(finds_all_that_are_near)
{
	struct arena *arena = arena_create();
	ck_assert_str_eq(suggest_all(arena, several[_i].text, words, '\''), several[_i].all);
	arena_destroy(arena);
}
END_TEST

START_TEST(says_it)
{
	struct arena *arena = arena_create();
	ck_assert_str_eq(suggest_hint(arena, NULL, '"'), "");
	ck_assert_str_eq(suggest_hint(arena, "csv", '"'), "; did you mean \"csv\"?");
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("suggest");
	TCase *tcase = tcase_create("suggest");
	tcase_add_loop_test(tcase, finds_the_nearest, 0, sizeof cases / sizeof *cases);
	tcase_add_loop_test(tcase, finds_all_that_are_near, 0, sizeof several / sizeof *several);
	tcase_add_test(tcase, says_it);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
