/* The falsifier's systems: valid, drawn again from the same seed, and the same after a walk through XML. */
#include "falsify/generate.h"
#include "falsify/write.h"
#include "input/input.h"
#include "interference/inflation.h"
#include "response/response.h"
#include "unit/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SYSTEMS 200

static struct response *analyze(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct derivation derivation;
	derivation_init(&derivation, arena);
	struct map *map = map_build(arena, platform, set);
	struct inflation *inflation = inflation_compute(arena, platform, set, map, &derivation);
	return response_compute(arena, platform, set, map, inflation, &derivation);
}

struct texts {
	struct output platform, set;
};

static struct texts text_of(const struct platform *platform, const struct taskset *set)
{
	struct texts texts = {{0}, {0}};
	write_platform(&texts.platform, platform);
	write_taskset(&texts.set, set, "./platform.xml", NULL);
	return texts;
}

static void finish(struct texts *texts)
{
	output_finish(&texts->platform);
	output_finish(&texts->set);
}

static void same_bounds(const struct response *a, const struct response *b, int tasks)
{
	for (int i = 0; i < tasks; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			ck_assert_int_eq(a->tasks[i].bounds[j].value, b->tasks[i].bounds[j].value);
}

static void walk(const char *folder, uint64_t index)
{
	struct arena *arena = arena_create();
	struct falsify_case made = generate_case(arena, 1, index);
	ck_assert_ptr_nonnull(made.set);
	struct texts before = text_of(made.platform, made.set);
	const char *platform_path = arena_format(arena, "%s/platform.xml", folder), *set_path = arena_format(arena, "%s/set.xml", folder);
	ck_assert(output_write(&before.platform, platform_path) && output_write(&before.set, set_path));
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	struct platform *platform;
	struct taskset *set = input_read_taskset(arena, &diagnostics, &folders, set_path, NULL, &platform);
	if (set == NULL)
		diagnostics_print(&diagnostics, 0, LEVEL_ERROR, false, stderr);
	ck_assert_msg(set != NULL, "system %d is refused", (int)index);
	struct texts after = text_of(platform, set);
	ck_assert_str_eq(before.platform.text, after.platform.text);
	ck_assert_str_eq(before.set.text, after.set.text);
	same_bounds(analyze(arena, made.platform, made.set), analyze(arena, platform, set), set->task_count);
	finish(&before);
	finish(&after);
	unlink(platform_path);
	unlink(set_path);
	arena_destroy(arena);
}

START_TEST(round_trip)
{
	char folder[] = "/tmp/gpubound-generate-XXXXXX";
	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (uint64_t i = 0; i < SYSTEMS; i++)
		walk(folder, i);
	rmdir(folder);
}
END_TEST

START_TEST(same_seed)
{
	struct arena *arena = arena_create();
	for (uint64_t i = 0; i < SYSTEMS; i++) {
		struct falsify_case first = generate_case(arena, 7, i), second = generate_case(arena, 7, i);
		struct texts a = text_of(first.platform, first.set), b = text_of(second.platform, second.set);
		ck_assert_str_eq(a.platform.text, b.platform.text);
		ck_assert_str_eq(a.set.text, b.set.text);
		finish(&a);
		finish(&b);
	}
	arena_destroy(arena);
}
END_TEST

/* Each bound applies to many of the systems; a generator that finds none falsifies nothing. FP wants tasks of one kernel, TT offsets in a
 * single context: they are rarer. */
START_TEST(bounds_apply)
{
	static const int least_percent[BOUND_COUNT] = {[BOUND_VOL_P] = 50, [BOUND_P] = 40, [BOUND_FP] = 5, [BOUND_TT] = 5};
	int count[BOUND_COUNT] = {0};
	for (uint64_t i = 0; i < SYSTEMS; i++) {
		struct arena *arena = arena_create();
		struct falsify_case made = generate_case(arena, 3, i);
		struct response *response = analyze(arena, made.platform, made.set);
		for (int j = 0; j < BOUND_COUNT; j++)
			count[j] += response->tasks[0].bounds[j].value != NONE;
		arena_destroy(arena);
	}
	for (int j = 0; j < BOUND_COUNT; j++)
		ck_assert_msg(count[j] * 100 >= SYSTEMS * (least_percent[j] > 0 ? least_percent[j] : 10), "%s applies to %d of %d systems",
			bound_kinds[j].name, count[j], SYSTEMS);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("generate");
	TCase *tests = tcase_create("generate");
	tcase_add_test(tests, round_trip);
	tcase_add_test(tests, same_seed);
	tcase_add_test(tests, bounds_apply);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
