/* Output: growing text, escaping, and files that are written whole or not at all. */
#include "base/output.h"
#include "unit/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static char folder[] = "gpubound-output-XXXXXX";
static char path[64];
static struct output output;

static void set_up(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	output = (struct output){0};
}

static void tear_down(void)
{
	output_finish(&output);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0); /* nothing else is left in it */
}

static const struct {
	void (*add)(struct output *, const char *);
	const char *text, *expected;
} escapes[] = {
	{output_add_xml, "a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"},
	{output_add_xml, "]]>", "]]&gt;"},
	{output_add_xml_text, "a<b>&\"c\"\n\t\r\x01", "a&lt;b&gt;&amp;\"c\"\n\t&#13;\\x01"},
	{output_add_xml, "\n\t\r", "&#10;&#9;&#13;"},
	{output_add_xml, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
	{output_add_xml,
		"a\x01"
		"b",
		"a\\x01b"},
	{output_add_xml, "\xff", "\\xFF"},
	{output_add_xml, "\xc3", "\\xC3"},                   /* cut short */
	{output_add_xml, "\xc0\xaf", "\\xC0\\xAF"},          /* overlong */
	{output_add_xml, "\xed\xa0\x80", "\\xED\\xA0\\x80"}, /* a surrogate */
	{output_add_xml, "\xef\xbf\xbf", "\\xEF\\xBF\\xBF"}, /* U+FFFF */
	{output_add_csv, "plain text", "plain text"},
	{output_add_csv, "a,b", "\"a,b\""},
	{output_add_csv, "say \"x\"", "\"say \"\"x\"\"\""},
	{output_add_csv, "a\nb", "\"a\nb\""},
	{output_add_csv, "", ""},
};

START_TEST(escaping)
{
	output_add(&output, "");
	escapes[_i].add(&output, escapes[_i].text);
	ck_assert_str_eq(output.text, escapes[_i].expected);
	ck_assert_uint_eq(output.length, strlen(escapes[_i].expected));
}
END_TEST

START_TEST(growth)
{
	for (int i = 0; i < 10000; i++)
		output_print(&output, "%05d", i);
	ck_assert_uint_eq(output.length, 50000);
	ck_assert_int_eq(strncmp(output.text + 49990, "0999809999", 11), 0);
}
END_TEST

static long size_of(const char *name)
{
	struct stat status;
	return stat(name, &status) == 0 ? (long)status.st_size : -1;
}

static int entries(void)
{
	int count = 0;
	DIR *directory = opendir(folder);
	while (readdir(directory) != NULL)
		count++;
	closedir(directory);
	return count - 2;
}

START_TEST(file_is_replaced)
{
	mode_t mask = umask(027);
	output_add(&output, "first, and longer");
	ck_assert(output_write(&output, path));
	output_finish(&output);
	output_add(&output, "second");
	ck_assert(output_write(&output, path));
	umask(mask);
	struct stat status;
	ck_assert_int_eq(stat(path, &status), 0);
	ck_assert_int_eq(status.st_size, 6);
	ck_assert_int_eq(status.st_mode & 0777, 0640);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(empty_file)
{
	ck_assert(output_write(&output, path));
	ck_assert_int_eq(size_of(path), 0);
}
END_TEST

START_TEST(failed_write_leaves_the_old_content)
{
	output_add(&output, "old");
	ck_assert(output_write(&output, path));
	for (int i = 0; i < 1000; i++)
		output_add(&output, "0123456789");
	struct rlimit old, small = {4096, 4096};
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	bool written = output_write(&output, path);
	int error = errno;
	setrlimit(RLIMIT_FSIZE, &old);
	ck_assert(!written);
	ck_assert_int_eq(error, EFBIG);
	ck_assert_int_eq(size_of(path), 3);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(unusable_names)
{
	char name[128];
	snprintf(name, sizeof name, "%s/missing/file", folder);
	output_add(&output, "x");
	ck_assert(!output_write(&output, name));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert(!output_write(&output, folder));
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(readonly_folder)
{
	if (geteuid() == 0) {
		fprintf(stderr, "skipped: a read-only folder does not stop the superuser\n");
		return;
	}
	output_add(&output, "x");
	chmod(folder, 0500);
	bool written = output_write(&output, path);
	int error = errno;
	chmod(folder, 0700);
	ck_assert(!written);
	ck_assert_int_eq(error, EACCES);
	ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(full_device)
{
	output_add(&output, "x");
	ck_assert(!output_write(&output, "/dev/full"));
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert(output_write(&output, "/dev/null"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output");
	TCase *tests = tcase_create("output");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, escaping, 0, COUNT(escapes));
	tcase_add_test(tests, growth);
	tcase_add_test(tests, file_is_replaced);
	tcase_add_test(tests, empty_file);
	tcase_add_test(tests, failed_write_leaves_the_old_content);
	tcase_add_test(tests, unusable_names);
	tcase_add_test(tests, readonly_folder);
	tcase_add_test(tests, full_device);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
