/* Times for a reader: exact or rounded to the safe side and marked. */
#include "base/duration_text.h"

#include "base/checked.h"
#include "unit/run.h"

static const struct {
	int64_t ns;
	enum rounding rounding;
	const char *text;
} cases[] = {
	{0, ROUND_UP, "0 ns"},
	{1, ROUND_UP, "1 ns"},
	{999, ROUND_DOWN, "999 ns"},
	{1001, ROUND_UP, "1.001 us"},
	{1000000, ROUND_UP, "1 ms"},
	{20142857, ROUND_UP, "20.143 ms~"},
	{20142857, ROUND_DOWN, "20.142 ms~"},
	{20143000, ROUND_UP, "20.143 ms"},
	{20142001, ROUND_UP, "20.143 ms~"},
	{-20142001, ROUND_UP, "-20.142 ms~"},
	{-20142001, ROUND_DOWN, "-20.143 ms~"},
	{999999999, ROUND_UP, "1000 ms~"},
	{33000001, ROUND_NEVER, "33.000001 ms"},
	{1500000000, ROUND_NEVER, "1.5 s"},
	{1000000001, ROUND_UP, "1.001 s~"},
	{NONE, ROUND_UP, "-"},
	{INT64_MIN, ROUND_NEVER, "-9223372036.854775808 s"},
	{INT64_MAX - 1, ROUND_NEVER, "9223372036.854775806 s"},
};

START_TEST(test_text)
{
	char text[DURATION_TEXT];
	ck_assert_str_eq(duration_text(cases[_i].ns, cases[_i].rounding, text), cases[_i].text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("duration");
	TCase *tcase = tcase_create("table");
	tcase_add_loop_test(tcase, test_text, 0, (int)(sizeof cases / sizeof *cases));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
