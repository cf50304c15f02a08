/* Names of kernels and numbers of tools: what gpubound import rests on. */
#include "import/kernel_names.h"
#include "import/values.h"
#include "unit/run.h"

#include <string.h>

static const struct {
	const char *name, *base;
} bases[] = {
	{"plain", "plain"},
	{"sum(const float *, float *)", "sum"},
	{"void demo::scale<float>(float *, int)", "scale"},
	{"void at::native::(anonymous namespace)::pool<float, int>(float*)", "pool"},
	{"void at::native::vectorized_elementwise_kernel", "vectorized_elementwise_kernel"},
	{"void <unnamed>::filter<float, 16>(const T1 *, T1 *)", "filter"},
	{"<unnamed>::crowded(double *)", "crowded"},
	{"void {anonymous}::two(int)", "two"},
	{"_Z3sumPKfPf", "sum"},
	{"_ZN4demo5scaleIfEEvPT_S1_i", "scale"},
	{"_ZN4demo40_GLOBAL__N__ee3ef08f_10_kernels_cu_plain6hiddenEPf", "hidden"},
	{"_ZNK4demo3runEv", "run"},
	{"_ZL6staticPf", "static"},
	{"_Z", "_Z"},
	{"_Z9", "_Z9"},
	{"_Z99short", "_Z99short"},
	{"_ZN4demo", "demo"},
	{"", ""},
	{"(", "("},
	{"<lambda>", "<lambda>"},
	{"operator<", "operator"},
};

START_TEST(base_names)
{
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
		ck_assert_str_eq(name_base(arena, bases[i].name), bases[i].base);
	arena_destroy(arena);
}
END_TEST

START_TEST(ids)
{
	struct arena *arena = arena_create();
	ck_assert_str_eq(name_id(arena, "a b<c>"), "a_b_c_");
	ck_assert_str_eq(name_id(arena, "7up"), "_7up");
	ck_assert_str_eq(name_id(arena, ""), "_");
	ck_assert_str_eq(name_id(arena, "-x.y"), "_-x.y");
	ck_assert_str_eq(name_id(arena, "\xC3\xA4:"), "____");
	ck_assert_uint_eq(strlen(name_id(arena, "a234567890b234567890c234567890d234567890e234567890f234567890g2345")), 60);
	arena_destroy(arena);
}
END_TEST

static struct import_build build;
static struct diagnostics diagnostics;

static void begin(void)
{
	build = (struct import_build){.arena = arena_create(), .row = arena_create(), .diagnostics = &diagnostics};
	diagnostics_init(&diagnostics, build.arena);
}

static void end(void)
{
	import_finish(&build);
	arena_destroy(build.arena);
}

static const struct {
	const char *text, *unit;
	enum unit kind;
	enum value_round round;
	int64_t value; /* NONE: refused */
} numbers[] = {
	{"443520", "ns", UNIT_TIME, VALUE_UP, 443520},
	{"443.5205", "us", UNIT_TIME, VALUE_UP, 443521},
	{"0.511", "sec", UNIT_TIME, VALUE_UP, 511000000},
	{"1,002.08", "usecond", UNIT_TIME, VALUE_UP, 1002080},
	{"1,532,183,860.38", "ns", UNIT_TIME, VALUE_UP, 1532183861},
	{"1.532.183,38", "ns", UNIT_TIME, VALUE_UP, NONE},
	{"1,53", "ns", UNIT_TIME, VALUE_UP, NONE},
	{",532", "ns", UNIT_TIME, VALUE_UP, NONE},
	{"5", "ticks", UNIT_TIME, VALUE_UP, NONE},
	{"5", "", UNIT_TIME, VALUE_UP, NONE},
	{"5", "byte", UNIT_TIME, VALUE_UP, NONE},
	{"1/2", "ns", UNIT_TIME, VALUE_UP, NONE},
	{"-5", "ns", UNIT_TIME, VALUE_UP, NONE},
	{"nan", "ns", UNIT_TIME, VALUE_UP, NONE},
	{"99999999999999999999", "ns", UNIT_TIME, VALUE_UP, NONE},
	{"18", "register/thread", UNIT_COUNT, VALUE_EXACT, 18},
	{"1.5", "", UNIT_COUNT, VALUE_EXACT, NONE},
	{"1.024", "Kbyte/block", UNIT_BYTES, VALUE_EXACT, 1024},
	{"1.0245", "Kbyte/block", UNIT_BYTES, VALUE_EXACT, NONE},
};

START_TEST(numbers_with_units)
{
	begin();
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		int before = diagnostics.errors;
		int64_t got = value_read(&build, numbers[i].text, numbers[i].unit, numbers[i].kind, numbers[i].round, "x", "f", 1);
		ck_assert_msg(got == numbers[i].value, "'%s' %s: %lld", numbers[i].text, numbers[i].unit, (long long)got);
		ck_assert_int_eq(diagnostics.errors - before, numbers[i].value == NONE);
	}
	ck_assert_int_eq(value_read(&build, "", "ns", UNIT_TIME, VALUE_UP, "x", "f", 1), NONE);
	end();
}
END_TEST

static const struct {
	const char *text, *unit;
	int64_t value;
	bool rounded;
} sizes[] = {
	{"512", "byte/block", 512, false},
	{"1.024", "Kbyte/block", 1024, false},
	{"0.000", "Kbyte/block", 0, false},
	{"12.29", "Kbyte/block", NONE, true},
	{"1.02", "Kbyte/block", NONE, true},
	{"16", "Kbyte/block", NONE, true},
	{"0.000", "MB", NONE, true},
	{"0.001", "MB", NONE, true},
	{"", "MB", NONE, false},
};

START_TEST(rounded_sizes)
{
	begin();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		bool rounded = false;
		int64_t got = value_bytes(&build, sizes[i].text, sizes[i].unit, &rounded, "x", "f", 1);
		ck_assert_msg(got == sizes[i].value && rounded == sizes[i].rounded, "'%s' %s", sizes[i].text, sizes[i].unit);
	}
	ck_assert_int_eq(diagnostics.errors, 0);
	end();
}
END_TEST

static const struct {
	const char *text;
	bool fine;
	int64_t extents[3];
} shapes[] = {
	{"(64, 18, 1)", true, {64, 18, 1}},
	{"(256,1,1)", true, {256, 1, 1}},
	{" 148    1    1", true, {148, 1, 1}},
	{"8x4x1", true, {8, 4, 1}},
	{"8x4", false, {0}},
	{"8 4 0", false, {0}},
	{"8 4 1 2", false, {0}},
	{"(8, 4, -1)", false, {0}},
	{"99999999999 1 1", false, {0}},
	{"", false, {0}},
};

START_TEST(extents)
{
	begin();
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		int64_t got[3] = {0};
		ck_assert_msg(value_extents(&build, shapes[i].text, got, "x", "f", 1) == shapes[i].fine, "'%s'", shapes[i].text);
		ck_assert(!shapes[i].fine || memcmp(got, shapes[i].extents, sizeof got) == 0);
	}
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("import");
	TCase *cases = tcase_create("import");
	suite_add_tcase(suite, cases);
	tcase_add_test(cases, base_names);
	tcase_add_test(cases, ids);
	tcase_add_test(cases, numbers_with_units);
	tcase_add_test(cases, rounded_sizes);
	tcase_add_test(cases, extents);
	return run_suite(suite);
}
