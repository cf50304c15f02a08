/* The public interface: what its header promises, at the edges. */
#include "gpubound.h"

#include "base/assert.h"
#include "config.h"
#include "map/map.h"
#include "report/report.h"
#include "unit/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define CASE GPUBOUND_SOURCE "/tests/golden/verdicts.xml"
#define OTHER GPUBOUND_SOURCE "/examples/two-streams.xml"

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

START_TEST(test_models)
{
	struct gpubound_models *models = gpubound_models_create();
	gpubound_models_destroy(NULL);
	for (int i = 0; i < 2; i++) { /* the second one has the model that the first has read, and another task set */
		struct gpubound *with = gpubound_create_with(models), *alone = gpubound_create();
		const char *path = i == 0 ? CASE : OTHER;
		ck_assert(gpubound_analyze(with, path, NULL) && gpubound_analyze(alone, path, NULL));
		ck_assert_int_eq(gpubound_task_count(with), gpubound_task_count(alone));
		for (int task = 0; task < gpubound_task_count(alone); task++)
			ck_assert_int_eq(gpubound_task_response(with, task), gpubound_task_response(alone, task));
		ck_assert_int_eq(gpubound_diagnostic_count(with), gpubound_diagnostic_count(alone));
		gpubound_destroy(with);
		gpubound_destroy(alone);
	}
	gpubound_models_destroy(models);
}
END_TEST

/* What is kept is a model: a task set that was written anew is read anew. */
START_TEST(test_models_set_anew)
{
	struct gpubound_models *models = gpubound_models_create();
	char folder[] = "api-XXXXXX", path[sizeof folder + sizeof "/set.xml"];
	int64_t responses[2];
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/set.xml", folder);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(symlink(i == 0 ? CASE : OTHER, path), 0);
		struct gpubound *with = gpubound_create_with(models);
		ck_assert(gpubound_analyze(with, path, "h200"));
		responses[i] = gpubound_task_response(with, 0);
		gpubound_destroy(with);
		remove(path);
	}
	ck_assert_int_ne(responses[0], responses[1]);
	rmdir(folder);
	gpubound_models_destroy(models);
}
END_TEST

/* ---- what makes no sense */

START_TEST(test_null)
{
	errno = 0;
	ck_assert(!gpubound_assume(NULL, "A-FRAG") && errno == EINVAL);
	errno = 0;
	ck_assert(!gpubound_assume(bound, NULL) && errno == EINVAL);
	errno = 0;
	ck_assert(!gpubound_analyze(NULL, CASE, NULL) && errno == EINVAL);
	errno = 0;
	ck_assert(!gpubound_analyze(bound, NULL, NULL) && errno == EINVAL);
	errno = 0;
	ck_assert(!gpubound_write(NULL, GPUBOUND_CSV, "-") && errno == EINVAL);
	ck_assert_int_eq(gpubound_verdict(NULL), GPUBOUND_NO_BOUND);
	ck_assert_int_eq(gpubound_task_count(NULL) + gpubound_stream_count(NULL) + gpubound_diagnostic_count(NULL), 0);
	ck_assert_ptr_null(gpubound_task_id(NULL, 0));
	ck_assert(gpubound_task_response(NULL, 0) == GPUBOUND_NONE && gpubound_stream_deadline(NULL, 0) == GPUBOUND_NONE);
	ck_assert_int_eq(gpubound_stream_verdict(NULL, 0), GPUBOUND_NO_BOUND);
	ck_assert_ptr_null(gpubound_diagnostic_text(NULL, 0));
	ck_assert_ptr_null(gpubound_diagnostic_file(NULL, 0));
	ck_assert_int_eq(gpubound_diagnostic_line(NULL, 0), 0);
	ck_assert(gpubound_analyze(bound, CASE, NULL)); /* the case is as good as new */
	errno = 0;
	ck_assert(!gpubound_write(bound, GPUBOUND_XML, NULL) && errno == EINVAL);
	errno = 0;
	ck_assert(!gpubound_write(bound, (enum gpubound_format)7, "-") && errno == EINVAL);
	errno = 0;
	ck_assert(!gpubound_assume(bound, "A-FRAG") && errno == EINVAL); /* too late to count */
}
END_TEST

/* ---- faults of ours: the linker puts these before two functions of the pipeline */

static bool map_fails, text_fails;

struct map *__real_map_build(struct arena *arena, const struct platform *platform, const struct taskset *set);
struct map *__wrap_map_build(struct arena *arena, const struct platform *platform, const struct taskset *set);
void __real_report_text(struct output *output, const struct report *report, bool colour);
void __wrap_report_text(struct output *output, const struct report *report, bool colour);

struct map *__wrap_map_build(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	assert(!map_fails);
	return __real_map_build(arena, platform, set);
}

void __wrap_report_text(struct output *output, const struct report *report, bool colour)
{
	assert(!text_fails);
	__real_report_text(output, report, colour);
}

START_TEST(test_fault)
{
	map_fails = true;
	errno = 0;
	bool analysed = gpubound_analyze(bound, CASE, NULL);
	map_fails = false;
	ck_assert(!analysed && errno == ENOTRECOVERABLE);
	int last = gpubound_diagnostic_count(bound) - 1;
	ck_assert_str_eq(gpubound_diagnostic_code(bound, last), "internal-error");
	ck_assert_ptr_nonnull(strstr(gpubound_diagnostic_text(bound, last), "!map_fails"));
	nothing_at(0, 0);
	ck_assert(!gpubound_write(bound, GPUBOUND_TEXT, "-"));
	gpubound_destroy(bound);
	bound = gpubound_create(); /* the next case is as good as any */
	ck_assert(gpubound_analyze(bound, CASE, NULL));
	text_fails = true;
	errno = 0;
	bool written = gpubound_write(bound, GPUBOUND_TEXT, "-");
	text_fails = false;
	ck_assert(!written && errno == ENOTRECOVERABLE);
	ck_assert_int_eq(gpubound_task_count(bound), 2);
}
END_TEST

static bool copy_file(const char *from, const char *to)
{
	FILE *in = fopen(from, "r"), *out = fopen(to, "w");
	int c;
	while (in != NULL && out != NULL && (c = getc(in)) != EOF)
		putc(c, out);
	return in != NULL && out != NULL && fclose(in) == 0 && fclose(out) == 0;
}

/* Under every name. */
START_TEST(test_over_its_input)
{
	char folder[] = "api-XXXXXX", set[64], hard[64], soft[64];
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(set, sizeof set, "%s/set.xml", folder);
	snprintf(hard, sizeof hard, "%s/hard.xml", folder);
	snprintf(soft, sizeof soft, "%s/soft.xml", folder);
	ck_assert(copy_file(CASE, set) && link(set, hard) == 0 && symlink("set.xml", soft) == 0);
	bool analysed = gpubound_analyze(bound, set, NULL);
	const char *const names[] = {set, hard, soft};
	for (size_t i = 0; i < sizeof names / sizeof *names && analysed; i++) {
		errno = 0;
		ck_assert(!gpubound_write(bound, GPUBOUND_XML, names[i]));
		ck_assert_int_eq(errno, EEXIST);
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		remove(names[i]);
	ck_assert_int_eq(rmdir(folder), 0);
	ck_assert(analysed);
}
END_TEST

/* ---- what stays when cases are gone */

static long peak(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void analyse_often(int times)
{
	for (int i = 0; i < times; i++) {
		struct gpubound *another = gpubound_create();
		ck_assert(gpubound_analyze(another, i % 3 == 2 ? "nowhere.xml" : CASE, NULL) == (i % 3 != 2));
		gpubound_destroy(another);
	}
}

/* In kilobytes. Sanitizers keep what is freed. */
START_TEST(test_growth)
{
	analyse_often(100);
	long before = peak();
	analyse_often(500);
	ck_assert_msg(peak() - before < 4096, "%ld kB more after 500 cases", peak() - before);
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
	tcase_add_test(tcase, test_models);
	tcase_add_test(tcase, test_models_set_anew);
	tcase_add_test(tcase, test_null);
	tcase_add_test(tcase, test_fault);
	tcase_add_test(tcase, test_over_its_input);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
	tcase_add_test(tcase, test_growth);
#endif
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
