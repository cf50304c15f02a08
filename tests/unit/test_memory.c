/* The arena: alignment, zeroed memory, growth; the one exit when memory runs out. */
#include "base/memory.h"
#include "unit/run.h"

#include <limits.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct arena *arena;

static void set_up(void)
{
	arena = arena_create();
}

static void tear_down(void)
{
	arena_destroy(arena);
}

START_TEST(aligned_and_zeroed)
{
	for (size_t size = 0; size < 300; size++) {
		unsigned char *bytes = arena_allocate(arena, size, 7);
		ck_assert_uint_eq((uintptr_t)bytes % alignof(max_align_t), 0);
		int set = 0;
		for (size_t i = 0; i < size * 7; i++)
			set += bytes[i] != 0;
		ck_assert_int_eq(set, 0);
		memset(bytes, 0xAA, size * 7);
	}
}
END_TEST

START_TEST(neighbours_do_not_overlap)
{
	static unsigned char *parts[2000];
	for (int i = 0; i < 2000; i++) {
		parts[i] = arena_allocate(arena, 1, (size_t)i);
		memset(parts[i], i & 0xFF, (size_t)i);
	}
	int wrong = 0;
	for (int i = 0; i < 2000; i++)
		for (int k = 0; k < i; k++)
			wrong += parts[i][k] != (i & 0xFF);
	ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(larger_than_a_chunk)
{
	char *small = arena_copy(arena, "small");
	char *large = arena_allocate(arena, 1, 10 * 1024 * 1024);
	large[10 * 1024 * 1024 - 1] = 'x';
	ck_assert_str_eq(small, "small");
}
END_TEST

START_TEST(growth)
{
	int capacity = 0, wrong = 0, *items = NULL;
	for (int i = 0; i < 100000; i++) {
		items = arena_grow(arena, items, &capacity, i + 1, sizeof *items);
		wrong += capacity < i + 1 || items[i] != 0;
		items[i] = i;
	}
	for (int i = 0; i < 100000; i++)
		wrong += items[i] != i;
	ck_assert_int_eq(wrong, 0);
	ck_assert_ptr_eq(arena_grow(arena, items, &capacity, 5, sizeof *items), items);
}
END_TEST

START_TEST(texts)
{
	ck_assert_ptr_null(arena_copy(arena, NULL));
	ck_assert_str_eq(arena_copy(arena, ""), "");
	ck_assert_str_eq(arena_format(arena, "%s-%d", "a", 7), "a-7");
	ck_assert_str_eq(arena_format(arena, "%d%s%ld", INT_MIN, "", LONG_MAX), "-21474836489223372036854775807");
	ck_assert_str_eq(arena_format(arena, "%lld %td, %s", LLONG_MIN, (ptrdiff_t)-0, "%d"), "-9223372036854775808 0, %d");
	ck_assert_str_eq(arena_format(arena, "%s: %d %% of %.3f, %5d", "s", 50, 1.5, 12), "s: 50 % of 1.500,    12");
	char *copy = memory_copy_string("text");
	ck_assert_str_eq(copy, "text");
	memory_free(copy);
	memory_free(NULL);
}
END_TEST

/* ---- exhaustion, in a child that must not come back */

static void fail_allocate(void)
{
	memory_fail_at(1);
	memory_free(memory_allocate(1));
}

static void fail_third(void)
{
	memory_fail_at(3);
	for (int i = 0; i < 3; i++)
		memory_free(memory_allocate(1));
}

static void fail_resize(void)
{
	memory_fail_at(1);
	memory_free(memory_resize(NULL, 1));
}

static void fail_product(void)
{
	arena_allocate(arena, SIZE_MAX / 2, 3);
}

static void fail_growth(void)
{
	int capacity = INT32_MAX / 2 + 1;
	arena_grow(arena, NULL, &capacity, INT32_MAX, 1);
}

static void clean_up(void)
{
	if (write(STDERR_FILENO, "cleaned\n", 8) != 8)
		_exit(1);
}

static void fail_with_clean_up(void)
{
	memory_on_exhaustion(clean_up);
	fail_allocate();
}

#define MESSAGE "gpubound: out of memory\n"

static const struct {
	void (*trigger)(void);
	const char *printed;
} failures[] = {
	{fail_allocate, MESSAGE},
	{fail_third, MESSAGE},
	{fail_resize, MESSAGE},
	{fail_product, MESSAGE},
	{fail_growth, MESSAGE},
	{fail_with_clean_up, MESSAGE "cleaned\n"},
};

START_TEST(exhaustion)
{
	int ends[2], status;
	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		failures[_i].trigger();
		_exit(0);
	}
	close(ends[1]);
	char text[200] = "";
	size_t length = 0;
	for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
		length += (size_t)got;
	close(ends[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), MEMORY_EXIT_STATUS);
	ck_assert_str_eq(text, failures[_i].printed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("memory");
	TCase *tests = tcase_create("memory");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, aligned_and_zeroed);
	tcase_add_test(tests, neighbours_do_not_overlap);
	tcase_add_test(tests, larger_than_a_chunk);
	tcase_add_test(tests, growth);
	tcase_add_test(tests, texts);
	tcase_add_loop_test(tests, exhaustion, 0, (int)(sizeof failures / sizeof *failures));
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
