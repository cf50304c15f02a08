/* The libraries allocate through base/memory, so that running out of it ends at one place. */
#include "base/memory.h"
#include "config.h"
#include "input/input.h"
#include "response/load.h"
#include "unit/run.h"

#include <libxml/xmlmemory.h>

START_TEST(gmp)
{
	void *(*allocate)(size_t);
	struct load load;
	load_init(&load);
	mp_get_memory_functions(&allocate, NULL, NULL);
	ck_assert(allocate == memory_allocate);
	long before = memory_allocations();
	for (int i = 1; i < 100; i++)
		load_add(&load, INT64_MAX - i, 1, INT64_MAX - 2 * i, 1);
	ck_assert_int_gt(memory_allocations(), before + 100);
	load_finish(&load);
}
END_TEST

START_TEST(libxml2)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = {GPUBOUND_SOURCE "/models", GPUBOUND_SOURCE "/schema"};
	ck_assert_ptr_nonnull(input_read_platform(arena, &diagnostics, &folders, "jetson-tx2"));
	xmlFreeFunc release;
	xmlMallocFunc allocate;
	xmlReallocFunc resize;
	xmlStrdupFunc copy;
	xmlMemGet(&release, &allocate, &resize, &copy);
	ck_assert(release == memory_free && allocate == memory_allocate && resize == memory_resize && copy == memory_copy_string);
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("libraries");
	TCase *tests = tcase_create("libraries");
	tcase_add_test(tests, gmp);
	tcase_add_test(tests, libxml2);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
