/* The public interface: what its header promises, at the edges. */
#include "gpubound.h"

#include "config.h"
#include "unit/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CASE GPUBOUND_SOURCE "/tests/golden/verdicts.xml"

static struct gpubound *bound;

static void setup(void)
{
	bound = gpubound_create();
}

static void teardown(void)
{
	gpubound_destroy(bound);
	gpubound_destroy(NULL);
}

static void nothing_at(int task, int stream)
{
	ck_assert_ptr_null(gpubound_task_id(bound, task));
	ck_assert_ptr_null(gpubound_task_bound(bound, task));
	ck_assert(gpubound_task_response(bound, task) == GPUBOUND_NONE && gpubound_task_deadline(bound, task) == GPUBOUND_NONE);
	ck_assert_int_eq(gpubound_task_verdict(bound, task), GPUBOUND_NO_BOUND);
	ck_assert_ptr_null(gpubound_stream_id(bound, stream));
	ck_assert_ptr_null(gpubound_stream_bound(bound, stream));
	ck_assert(gpubound_stream_response(bound, stream) == GPUBOUND_NONE && gpubound_stream_deadline(bound, stream) == GPUBOUND_NONE);
	ck_assert_int_eq(gpubound_stream_verdict(bound, stream), GPUBOUND_NO_BOUND);
}

START_TEST(test_before)
{
	ck_assert_int_eq(gpubound_task_count(bound) + gpubound_stream_count(bound) + gpubound_diagnostic_count(bound), 0);
	ck_assert_int_eq(gpubound_verdict(bound), GPUBOUND_NO_BOUND);
	nothing_at(0, 0);
	errno = 0;
	ck_assert(!gpubound_write(bound, GPUBOUND_CSV, "-"));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(gpubound_version(), GPUBOUND_VERSION);
}
END_TEST

START_TEST(test_results)
{
	ck_assert(!gpubound_assume(bound, "A-NOTHING"));
	ck_assert(gpubound_assume(bound, "A-FRAG"));
	ck_assert(gpubound_analyze(bound, CASE, NULL));
	ck_assert(!gpubound_analyze(bound, CASE, NULL));
	ck_assert_int_eq(gpubound_verdict(bound), GPUBOUND_NOT_PROVEN);
	ck_assert_int_eq(gpubound_task_count(bound), 2);
	ck_assert_str_eq(gpubound_task_id(bound, 1), "late");
	ck_assert_int_eq(gpubound_task_deadline(bound, 1), 800000);
	ck_assert(gpubound_task_response(bound, 1) > 800000);
	ck_assert_int_eq(gpubound_task_verdict(bound, 0), GPUBOUND_PROVEN);
	ck_assert_str_eq(gpubound_stream_id(bound, 0), "fast");
	ck_assert_ptr_nonnull(gpubound_stream_bound(bound, 0));
	nothing_at(2, 2);
	nothing_at(-1, -1);
}
END_TEST

START_TEST(test_diagnostics)
{
	ck_assert(!gpubound_analyze(bound, "nowhere.xml", NULL));
	ck_assert_int_eq(gpubound_diagnostic_count(bound), 1);
	ck_assert_int_eq(gpubound_diagnostic_level(bound, 0), GPUBOUND_ERROR);
	ck_assert_str_eq(gpubound_diagnostic_code(bound, 0), "file-unreadable");
	ck_assert_str_eq(gpubound_diagnostic_file(bound, 0), "nowhere.xml");
	ck_assert_ptr_nonnull(gpubound_diagnostic_text(bound, 0));
	ck_assert_int_eq(gpubound_diagnostic_line(bound, 0), 0);
	ck_assert_ptr_null(gpubound_diagnostic_text(bound, 1));
	nothing_at(0, 0);
}
END_TEST

START_TEST(test_write)
{
	static const char *const begins[] = {[GPUBOUND_TEXT] = "task set", [GPUBOUND_CSV] = "kind,", [GPUBOUND_XML] = "<?xml"};
	char path[] = "api-XXXXXX", text[16] = "";
	int descriptor = mkstemp(path);
	ck_assert(descriptor >= 0);
	ck_assert(gpubound_analyze(bound, CASE, NULL));
	ck_assert(gpubound_write(bound, (enum gpubound_format)_i, path));
	FILE *file = fopen(path, "r");
	ck_assert(file != NULL && fgets(text, sizeof text, file) != NULL);
	fclose(file);
	close(descriptor);
	remove(path);
	ck_assert_msg(strncmp(text, begins[_i], strlen(begins[_i])) == 0, "%s", text);
	ck_assert(!gpubound_write(bound, GPUBOUND_XML, "/nowhere/report.xml"));
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("api");
	TCase *tcase = tcase_create("promises");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_before);
	tcase_add_test(tcase, test_results);
	tcase_add_test(tcase, test_diagnostics);
	tcase_add_loop_test(tcase, test_write, GPUBOUND_TEXT, GPUBOUND_XML + 1);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
