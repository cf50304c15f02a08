/* Output: growing text, escaping, and files that are written whole or not at all. */
#include "base/output.h"
#include "unit/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

/* ---- what stands there already */

static char other[64];

static void write_words(const char *words, const char *to)
{
	output_finish(&output);
	output_add(&output, words);
	ck_assert(output_write(&output, to));
}

START_TEST(permissions_are_kept)
{
	static const mode_t modes[] = {0600, 0640, 0664, 0755};
	struct stat status;
	mode_t mask = umask(022);
	for (int i = 0; i < COUNT(modes); i++) {
		write_words("old", path);
		ck_assert_int_eq(chmod(path, modes[i]), 0);
		write_words("new", path);
		ck_assert_int_eq(stat(path, &status), 0);
		ck_assert_int_eq(status.st_mode & 07777, modes[i]);
	}
	umask(mask);
}
END_TEST

START_TEST(protected_file)
{
	if (geteuid() == 0) {
		fprintf(stderr, "skipped: the superuser may write what is write-protected\n");
		return;
	}
	write_words("old", path);
	chmod(path, 0400);
	output_add(&output, "and new");
	ck_assert(!output_write(&output, path));
	ck_assert_int_eq(errno, EACCES);
	ck_assert_int_eq(size_of(path), 3);
}
END_TEST

/* The link stays, whether or not there is a file behind it. */
START_TEST(links_are_followed)
{
	struct stat status;
	snprintf(other, sizeof other, "%s/link", folder);
	ck_assert_int_eq(symlink("file", other), 0);
	write_words("first", other);
	ck_assert_int_eq(size_of(path), 5);
	write_words("second", other);
	ck_assert_int_eq(size_of(path), 6);
	ck_assert(lstat(other, &status) == 0 && S_ISLNK(status.st_mode));
	ck_assert_int_eq(lstat(path, &status) == 0 && S_ISREG(status.st_mode), 1);
	ck_assert_int_eq(entries(), 2);
	unlink(other);
	ck_assert_int_eq(symlink("link", other), 0);
	ck_assert(!output_write(&output, other));
	ck_assert_int_eq(errno, ELOOP);
	unlink(other);
}
END_TEST

/* ---- threads: each its own file, all with the same folder and the same umask */

#define WRITERS 6
#define ROUNDS 200

static void *write_often(void *number)
{
	struct output own = {0};
	char name[64];
	static _Thread_local long wrong;
	snprintf(name, sizeof name, "%s/of-%d", folder, *(const int *)number);
	for (int i = 0; i < 1000 * (*(const int *)number + 1); i++)
		output_print(&own, "%d", *(const int *)number);
	for (int i = 0; i < ROUNDS; i++) {
		struct stat status;
		wrong += !output_write(&own, name) || stat(name, &status) != 0 || (size_t)status.st_size != own.length ||
			 (status.st_mode & 0777) != 0644;
	}
	output_finish(&own);
	unlink(name);
	return wrong == 0 ? NULL : number;
}

START_TEST(several_threads)
{
	pthread_t threads[WRITERS];
	int numbers[WRITERS];
	mode_t mask = umask(022);
	for (int i = 0; i < WRITERS; i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, write_often, &numbers[i]), 0);
	}
	for (int i = 0; i < WRITERS; i++) {
		void *wrong;
		pthread_join(threads[i], &wrong);
		ck_assert_ptr_null(wrong);
	}
	umask(mask);
	ck_assert_int_eq(entries(), 0);
}
END_TEST

/* ---- the end of the process while a file is written: a reader that never comes stands in for a slow disk */

static void clean(int number)
{
	output_remove_temporaries();
	_exit(100 + number);
}

static void write_for_ever(void)
{
	signal(SIGTERM, clean);
	for (int i = 0; i < 1000000; i++)
		output_add(&output, "0123456789");
	for (;;)
		output_write(&output, path);
}

static void wait_for_entries(int count)
{
	const struct timespec moment = {0, 1000000};
	for (int i = 0; i < 10000 && entries() < count; i++)
		nanosleep(&moment, NULL);
}

START_TEST(temporary_is_removed)
{
	int status;
	write_words("old", path);
	pid_t child = fork();
	if (child == 0)
		write_for_ever();
	wait_for_entries(2);
	kill(child, SIGTERM);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 100 + SIGTERM);
	ck_assert_int_eq(entries(), 1);
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
	tcase_add_test(tests, permissions_are_kept);
	tcase_add_test(tests, protected_file);
	tcase_add_test(tests, links_are_followed);
	tcase_add_test(tests, several_threads);
	tcase_add_test(tests, temporary_is_removed);
	tcase_add_test(tests, full_device);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
