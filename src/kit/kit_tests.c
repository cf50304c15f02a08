/* Results of `meson test`, as its meson-logs/testlog.json has them: a JSON object a line. */
#define _XOPEN_SOURCE 700

#include "base/json.h"
#include "input/input.h"
#include "kit/kit.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 8

bool kit_has_word(const char *words, const char *word)
{
	size_t length = strlen(word);
	for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
		size_t here = strcspn(words, " ");
		if (here == length && strncmp(words, word, length) == 0)
			return true;
		words += here;
	}
	return false;
}

/* "gpubound:quick+texts / man" is the test man. */
static const char *bare(const char *name)
{
	const char *slash = strstr(name, " / ");
	return slash == NULL ? name : slash + 3;
}

/* meson's words; -1: none of them. */
static int verdict_of(const char *result)
{
	static const struct {
		const char *word;
		enum kit_verdict verdict;
	} words[] = {{"OK", TEST_PASSED}, {"EXPECTEDFAIL", TEST_PASSED}, {"SKIP", TEST_SKIPPED}, {"FAIL", TEST_FAILED},
		{"TIMEOUT", TEST_FAILED}, {"INTERRUPT", TEST_FAILED}, {"UNEXPECTEDPASS", TEST_FAILED}, {"ERROR", TEST_FAILED},
		{"IGNORED", TEST_SKIPPED}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].word, result) == 0)
			return (int)words[i].verdict;
	return -1;
}

static void add_test(struct kit *kit, const char *name, enum kit_verdict verdict)
{
	for (int i = 0; i < kit->test_count; i++)
		if (strcmp(kit->tests[i].name, name) == 0) {
			kit->tests[i].verdict = verdict > kit->tests[i].verdict ? verdict : kit->tests[i].verdict;
			return;
		}
	kit->tests = arena_grow(kit->arena, kit->tests, &kit->test_capacity, kit->test_count + 1, sizeof *kit->tests);
	kit->tests[kit->test_count++] = (struct kit_test){arena_copy(kit->arena, name), verdict};
}

static bool read_line(struct kit *kit, struct arena *line_arena, const char *path, long line, const char *text, size_t length)
{
	struct json_error error;
	const struct tree *tree = json_parse(line_arena, text, length, DEPTH, &error);
	const char *name = tree_text(tree, "name", NULL), *result = tree_text(tree, "result", NULL);
	int verdict = result != NULL ? verdict_of(result) : -1;
	if (name == NULL || verdict < 0)
		diagnose(kit->diagnostics, DIAGNOSTIC_TEST_RESULTS, path, line,
			"expected a test with its name and its result, as meson-logs/testlog.json has them");
	else
		add_test(kit, bare(name), (enum kit_verdict)verdict);
	return name != NULL && verdict >= 0;
}

static int by_test(const void *a, const void *b)
{
	return strcmp(((const struct kit_test *)a)->name, ((const struct kit_test *)b)->name);
}

bool kit_read_tests(struct kit *kit, const char *path)
{
	size_t length;
	const char *text = input_read_file_up_to(kit->arena, kit->diagnostics, path, JSON_BYTES, &length);
	long line = 0;
	if (text == NULL)
		return false;
	for (const char *at = text, *end = text + length; at < end; line++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		struct arena *line_arena = arena_create();
		stop = stop == NULL ? end : stop;
		bool good = stop == at || read_line(kit, line_arena, path, line + 1, at, (size_t)(stop - at));
		arena_destroy(line_arena);
		if (!good)
			return false;
		at = stop + 1;
	}
	if (kit->test_count > 0)
		qsort(kit->tests, (size_t)kit->test_count, sizeof *kit->tests, by_test);
	kit->logs = arena_grow(kit->arena, kit->logs, &kit->log_capacity, kit->log_count + 1, sizeof *kit->logs);
	struct kit_log *log = &kit->logs[kit->log_count++];
	log->name = path;
	hash_bytes(text, length, log->hash);
	return true;
}

bool kit_is_test_of(const struct kit_requirement *requirement, const struct kit_test *test)
{
	char pattern[200];
	for (const char *word = requirement->tests + strspn(requirement->tests, " "); *word != '\0'; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");
		size_t name = strcspn(word, " :");
		if (name < sizeof pattern) {
			memcpy(pattern, word, name);
			pattern[name] = '\0';
			if (fnmatch(pattern, test->name, 0) == 0)
				return true;
		}
		word += length;
	}
	return false;
}
