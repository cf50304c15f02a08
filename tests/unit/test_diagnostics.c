/* The table of diagnostics, and the list: counting, the limit, what is printed. */
#include "base/diagnostics.h"
#include "unit/run.h"

#include <string.h>

static struct arena *arena;
static struct diagnostics list;

static void set_up(void)
{
	arena = arena_create();
	diagnostics_init(&list, arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
}

START_TEST(table_is_complete)
{
	const struct diagnostic_kind *kind = &diagnostic_kinds[_i];
	ck_assert_uint_gt(strlen(kind->slug), 0);
	ck_assert_uint_eq(strspn(kind->slug, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(kind->slug));
	ck_assert_uint_gt(strlen(kind->meaning), 0);
	ck_assert_uint_gt(strlen(kind->remedy), 0);
	for (int i = 0; i < _i; i++)
		ck_assert_str_ne(kind->slug, diagnostic_kinds[i].slug);
}
END_TEST

static const char *printed(enum diagnostic_level least, bool colour)
{
	char *text = arena_allocate(arena, 1, 1000000);
	FILE *file = fmemopen(text, 1000000, "w");
	diagnostics_print(&list, 0, least, colour, file);
	fclose(file);
	return text;
}

START_TEST(one_line_each)
{
	char file[] = "a.xml";
	diagnose(&list, DIAGNOSTIC_FILE_UNREADABLE, file, 17, "expected %d; got \"%s\"", 5, "x");
	file[0] = 'b'; /* the list keeps a copy */
	diagnose(&list, DIAGNOSTIC_FILE_TOO_LARGE, NULL, 0, "text");
	ck_assert_int_eq(list.errors, 2);
	ck_assert_int_eq(diagnostics_count(&list, DIAGNOSTIC_FILE_TOO_LARGE), 1);
	ck_assert_str_eq(printed(LEVEL_NOTE, false),
		"a.xml:17: error: expected 5; got \"x\" [file-unreadable]\ngpubound: error: text [file-too-large]\n");
	ck_assert_ptr_nonnull(strstr(printed(LEVEL_NOTE, true), "\033[31merror\033[0m"));
}
END_TEST

/* Neither a file's name nor its content may forge a line or steer the terminal. */
START_TEST(control_characters_are_shown)
{
	diagnose(&list, DIAGNOSTIC_FILE_UNREADABLE, "a\nb", 1,
		"\033[2J\x7f\xc2\x9b"
		"1m\ttab \xc3\xa9");
	ck_assert_str_eq(printed(LEVEL_NOTE, false), "a\\x0Ab:1: error: \\x1B[2J\\x7F\\xC2\\x9B1m\\x09tab \xc3\xa9 [file-unreadable]\n");
}
END_TEST

START_TEST(limit)
{
	for (int i = 0; i < DIAGNOSTICS_LIMIT + 3; i++)
		diagnose(&list, DIAGNOSTIC_FILE_UNREADABLE, "f", i, "text");
	ck_assert_int_eq(list.count, DIAGNOSTICS_LIMIT);
	ck_assert_int_eq(list.errors, DIAGNOSTICS_LIMIT + 3);
	ck_assert_ptr_nonnull(strstr(printed(LEVEL_NOTE, false), "3 more diagnostics not shown"));
}
END_TEST

START_TEST(levels)
{
	static const char *const names[] = {"note", "hazard", "warning", "error"};
	for (int level = LEVEL_NOTE; level <= LEVEL_ERROR; level++)
		ck_assert_str_eq(diagnostic_level_name((enum diagnostic_level)level), names[level]);
	for (int code = 0; code < DIAGNOSTIC_COUNT; code++)
		diagnose(&list, (enum diagnostic_code)code, "f", 1, "text");
	int errors = 0;
	for (int code = 0; code < DIAGNOSTIC_COUNT; code++)
		errors += diagnostic_kinds[code].level == LEVEL_ERROR;
	ck_assert_int_eq(list.errors, errors);
	ck_assert_ptr_null(strstr(printed(LEVEL_ERROR, false), ": hazard: "));
}
END_TEST

/* The line of an error, cut between characters, without what steers a terminal. */
START_TEST(shows_the_line)
{
	static const struct {
		long line;
		const char *shown;
	} cases[] = {{1, "     1 | <first/>\n"}, {2, "     2 | tab \\x09 and \\x1B[2J\n"}, {3, "     3 | ends with a return\n"},
		{5, "     5 | last, without an end\n"}};
	static const char text[] = "<first/>\n\t  tab \t and \x1b[2J\nends with a return\r\n\nlast, without an end";
	diagnostics_keep(&list, "other.xml", "nothing", 7);
	diagnostics_keep(&list, "a.xml", text, sizeof text - 1);
	diagnose(&list, DIAGNOSTIC_XML_MALFORMED, "a.xml", cases[_i].line, "wrong");
	ck_assert_ptr_nonnull(strstr(printed(LEVEL_NOTE, false), cases[_i].shown));
	ck_assert_ptr_null(strstr(printed(LEVEL_WARNING, false), " | "));
}
END_TEST

START_TEST(shows_no_line)
{
	diagnostics_keep(&list, "a.xml", "one\n\n", 5);
	diagnose(&list, DIAGNOSTIC_XML_MALFORMED, "a.xml", 2, "an empty one");
	diagnose(&list, DIAGNOSTIC_XML_MALFORMED, "a.xml", 4, "behind the end");
	diagnose(&list, DIAGNOSTIC_XML_MALFORMED, "a.xml", 0, "none");
	diagnose(&list, DIAGNOSTIC_XML_MALFORMED, "b.xml", 1, "another file");
	diagnose(&list, DIAGNOSTIC_XML_MALFORMED, NULL, 1, "no file");
	ck_assert_ptr_null(strstr(printed(LEVEL_NOTE, false), " | "));
}
END_TEST

START_TEST(cuts_a_long_line)
{
	char text[1001];
	for (int i = 0; i < 1000; i += 2)
		memcpy(text + i, "\xc3\xa9", 3);
	for (int before = 0; before < 2; before++) { /* a character ends at the limit, or stands across it */
		diagnostics_init(&list, arena);
		diagnostics_keep(&list, "a.xml", before == 0 ? text : memcpy(text + 1, "x", 1), 1000 - (size_t)before);
		diagnose(&list, DIAGNOSTIC_XML_MALFORMED, "a.xml", 1, "long");
		const char *shown = strstr(printed(LEVEL_NOTE, false), " | ") + 3;
		ck_assert_uint_eq(strlen(shown), (before == 0 ? 160 : 159) + strlen(" ...\n"));
		ck_assert_ptr_null(strstr(shown, "\xc3 "));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diagnostics");
	TCase *tests = tcase_create("diagnostics");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, shows_the_line, 0, 4);
	tcase_add_test(tests, shows_no_line);
	tcase_add_test(tests, cuts_a_long_line);
	tcase_add_loop_test(tests, table_is_complete, 0, DIAGNOSTIC_COUNT);
	tcase_add_test(tests, one_line_each);
	tcase_add_test(tests, control_characters_are_shown);
	tcase_add_test(tests, limit);
	tcase_add_test(tests, levels);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
