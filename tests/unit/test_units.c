/* Literals with units: exact values, every unit, what is refused and how. */
#include "base/units.h"
#include "unit/run.h"

#include <locale.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
#define GHZ_1_3005                                                                                                                         \
	{                                                                                                                                  \
		1300500000, 1                                                                                                              \
	}
#define NO_CLOCK                                                                                                                           \
	{                                                                                                                                  \
		0, 0                                                                                                                       \
	}

static const struct {
	const char *text;
	enum unit unit;
	int64_t num, den; /* in the base unit */
} exact[] = {
	{"33ms", UNIT_TIME, 33000000, 1},
	{"33 ms", UNIT_TIME, 33000000, 1},
	{"1ns", UNIT_TIME, 1, 1},
	{"1.5us", UNIT_TIME, 1500, 1},
	{"2s", UNIT_TIME, 2000000000, 1},
	{"0.1ns", UNIT_TIME, 1, 10},
	{"1/3us", UNIT_TIME, 1000, 3},
	{"1e-3ms", UNIT_TIME, 1000, 1},
	{"1E+2ns", UNIT_TIME, 100, 1},
	{"0e999999ns", UNIT_TIME, 0, 1},
	{"0ns", UNIT_TIME, 0, 1},
	{"0005ns", UNIT_TIME, 5, 1},
	{"9223372036854775806ns", UNIT_TIME, INT64_MAX - 1, 1},
	{"41000000cycles", UNIT_TIME, 82000000000, 2601}, /* at 1.3005 GHz */
	{"1.3005GHz", UNIT_FREQUENCY, 1300500000, 1},
	{"600MHz", UNIT_FREQUENCY, 600000000, 1},
	{"32.768kHz", UNIT_FREQUENCY, 32768, 1},
	{"7Hz", UNIT_FREQUENCY, 7, 1},
	{"5B", UNIT_BYTES, 5, 1},
	{"24kB", UNIT_BYTES, 24000, 1},
	{"2MB", UNIT_BYTES, 2000000, 1},
	{"1GB", UNIT_BYTES, 1000000000, 1},
	{"48KiB", UNIT_BYTES, 49152, 1},
	{"2MiB", UNIT_BYTES, 2097152, 1},
	{"1.5GiB", UNIT_BYTES, 1610612736, 1},
	{"132", UNIT_COUNT, 132, 1},
	{"1e3", UNIT_COUNT, 1000, 1},
	{"4/2", UNIT_COUNT, 2, 1},
	{"1.25", UNIT_FACTOR, 5, 4},
	{"5/2", UNIT_FACTOR, 5, 2},
};

START_TEST(values)
{
	struct rational value;
	ck_assert_int_eq(units_parse(exact[_i].text, exact[_i].unit, (struct rational)GHZ_1_3005, &value), UNITS_OK);
	ck_assert_int_eq(value.num, exact[_i].num);
	ck_assert_int_eq(value.den, exact[_i].den);
}
END_TEST

static const struct {
	const char *text;
	enum unit unit;
	enum units_status status;
} refused[] = {
	{"", UNIT_TIME, UNITS_MALFORMED},
	{"ms", UNIT_TIME, UNITS_MALFORMED},
	{".ms", UNIT_TIME, UNITS_MALFORMED},
	{".5ms", UNIT_TIME, UNITS_MALFORMED},
	{"5.ms", UNIT_TIME, UNITS_MALFORMED},
	{"-1ms", UNIT_TIME, UNITS_MALFORMED},
	{"+1ms", UNIT_TIME, UNITS_MALFORMED},
	{" 1ms", UNIT_TIME, UNITS_MALFORMED},
	{"1/0ms", UNIT_TIME, UNITS_MALFORMED},
	{"1/ms", UNIT_TIME, UNITS_MALFORMED},
	{"1/2.5ms", UNIT_TIME, UNITS_WRONG_UNIT},
	{"nan", UNIT_FACTOR, UNITS_MALFORMED},
	{"inf", UNIT_FACTOR, UNITS_MALFORMED},
	{"1.5", UNIT_COUNT, UNITS_MALFORMED},
	{"1/2", UNIT_COUNT, UNITS_MALFORMED},
	{"1", UNIT_TIME, UNITS_WRONG_UNIT},
	{"1ms ", UNIT_TIME, UNITS_WRONG_UNIT},
	{"1  ms", UNIT_TIME, UNITS_WRONG_UNIT},
	{"1 ", UNIT_COUNT, UNITS_WRONG_UNIT},
	{"1MS", UNIT_TIME, UNITS_WRONG_UNIT},
	{"1,5ms", UNIT_TIME, UNITS_WRONG_UNIT},
	{"0x10ms", UNIT_TIME, UNITS_WRONG_UNIT},
	{"1e", UNIT_COUNT, UNITS_WRONG_UNIT},
	{"1e+", UNIT_COUNT, UNITS_WRONG_UNIT},
	{"1KB", UNIT_BYTES, UNITS_WRONG_UNIT},
	{"1ms", UNIT_BYTES, UNITS_WRONG_UNIT},
	{"1GHz", UNIT_TIME, UNITS_WRONG_UNIT},
	{"1ms", UNIT_COUNT, UNITS_WRONG_UNIT},
	{"1cycles", UNIT_BYTES, UNITS_WRONG_UNIT},
	{"1cycles", UNIT_TIME, UNITS_NO_CLOCK},
	{"9223372036854775807ns", UNIT_TIME, UNITS_TOO_LARGE}, /* the value that means none */
	{"9223372036854775808ns", UNIT_TIME, UNITS_TOO_LARGE},
	{"9223372036854776s", UNIT_TIME, UNITS_TOO_LARGE},
	{"1e99ns", UNIT_TIME, UNITS_TOO_LARGE},
	{"1e2147483648ns", UNIT_TIME, UNITS_TOO_LARGE},
	{"1e-99999999999999999999ns", UNIT_TIME, UNITS_TOO_LARGE},
	{"0.0000000000000000000001ns", UNIT_TIME, UNITS_TOO_LARGE},
	{"99999999999999999999999999999999999999999999/3ns", UNIT_TIME, UNITS_TOO_LARGE},
};

START_TEST(refusals)
{
	struct rational value;
	ck_assert_int_eq(units_parse(refused[_i].text, refused[_i].unit, (struct rational)NO_CLOCK, &value), refused[_i].status);
}
END_TEST

START_TEST(cycles_round_as_asked)
{
	struct rational value;
	ck_assert_int_eq(units_parse("41000000cycles", UNIT_TIME, (struct rational)GHZ_1_3005, &value), UNITS_OK);
	ck_assert_int_eq(rational_ceil(value), 31526337); /* 31526336.02... */
	ck_assert_int_eq(rational_floor(value), 31526336);
}
END_TEST

/* Skips silently only where no locale with a decimal comma is installed; the parser uses nothing that depends on one. */
START_TEST(locale_does_not_matter)
{
	struct rational value;
	setlocale(LC_ALL, "de_DE.UTF-8");
	ck_assert_int_eq(units_parse("1.5ms", UNIT_TIME, (struct rational)NO_CLOCK, &value), UNITS_OK);
	ck_assert_int_eq(rational_ceil(value), 1500000);
	ck_assert_int_eq(units_parse("1,5ms", UNIT_TIME, (struct rational)NO_CLOCK, &value), UNITS_WRONG_UNIT);
	setlocale(LC_ALL, "C");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("units");
	TCase *tests = tcase_create("units");
	tcase_add_loop_test(tests, values, 0, COUNT(exact));
	tcase_add_loop_test(tests, refusals, 0, COUNT(refused));
	tcase_add_test(tests, cycles_round_as_asked);
	tcase_add_test(tests, locale_does_not_matter);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
