/* gpubound kit: the documents for who qualifies the tool, and a run of the verification cases. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "cli/arguments.h"
#include "cli/new_folder.h"
#include "input/input.h"
#include "kit/kit.h"
#include "report/build_environment.h"

#include <stdlib.h>
#include <string.h>

const struct option options_kit[] = {
	{"output", 'o', "FOLDER", "write the kit there; the folder must not be there yet", true},
	{"tests", 0, "FILE", "take in what `meson test` of the source wrote, meson-logs/testlog.json; may be repeated", true, true},
	OPTIONS_END,
};

/* NULL: there is no such folder. */
static const char *find_data(struct arena *arena, const struct input_folders *folders)
{
	static const char below[] = "/schema";
	if (folders->schemas == NULL)
		return NULL;
	char *path = realpath(arena_format(arena, "%.*s", (int)(strlen(folders->schemas) - strlen(below)), folders->schemas), NULL);
	const char *copy = arena_copy(arena, path);
	free(path);
	return copy;
}

static void print_outcome(const struct kit *kit, const char *folder, int failed)
{
	int counts[3] = {0};
	for (int i = 0; i < kit->test_count; i++)
		counts[kit->tests[i].verdict]++;
	for (int i = 0; i < kit_case_count; i++)
		if (!kit->outcomes[i].passed)
			printf("FAILED  %s  %s\n        %s\n        %s\n", kit_cases[i].number, kit_cases[i].shows, kit_cases[i].command,
				kit->outcomes[i].difference);
	for (int i = 0; i < kit->test_count; i++)
		if (kit->tests[i].verdict == TEST_FAILED)
			printf("FAILED  test %s\n", kit->tests[i].name);
	printf("cases   %d of %d passed\n", kit_case_count - failed, kit_case_count);
	if (kit->log_count > 0)
		printf("tests   %d passed, %d skipped, %d failed\n", counts[TEST_PASSED], counts[TEST_SKIPPED], counts[TEST_FAILED]);
	else
		printf("tests   none taken in: those of the source are for --tests\n");
	printf("kit     %s/index.html\n", folder);
}

static int finish(struct kit *kit, struct new_folder *folder)
{
	int failed = 0, failed_tests = 0;
	if (!new_folder_keep(folder))
		return EXIT_USAGE;
	for (int i = 0; i < kit_case_count; i++)
		failed += !kit->outcomes[i].passed;
	for (int i = 0; i < kit->test_count; i++)
		failed_tests += kit->tests[i].verdict == TEST_FAILED;
	print_outcome(kit, folder->path, failed);
	return failed + failed_tests > 0 ? EXIT_NEGATIVE : EXIT_FINE;
}

static int make(struct kit *kit, const char *path)
{
	struct new_folder folder;
	int status = EXIT_USAGE;
	if (new_folder_begin(&folder, kit->arena, path) && (kit->folder = realpath(folder.place, NULL)) != NULL && kit_run_cases(kit) &&
		kit_write(kit))
		status = finish(kit, &folder);
	else if (kit->diagnostics->errors > 0)
		status = EXIT_INVALID;
	new_folder_end(&folder);
	free((void *)(uintptr_t)kit->folder);
	return status;
}

static bool read_all(struct kit *kit, const struct arguments *arguments)
{
	int count;
	const char *const *files = arguments_values(arguments, "tests", &count);
	if (kit->data == NULL)
		diagnose(kit->diagnostics, DIAGNOSTIC_KIT_UNUSABLE, NULL, 0,
			"expected the folder kit/ beside schema/ and models/; there is none");
	for (int i = 0; kit->data != NULL && i < count; i++)
		if (!kit_read_tests(kit, files[i]))
			return false;
	return kit->data != NULL;
}

int command_kit(const struct arguments *arguments)
{
	struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arguments->arena);
	const char *folder = arguments_value(arguments, "output", "");
	if (*folder == '\0' || strcmp(folder, "-") == 0)
		return usage_error(arguments->command, "--output=FOLDER is needed: where the kit is to be written");
	if (!build_environment_has_usable_date())
		return usage_error(arguments->command, "SOURCE_DATE_EPOCH wants whole seconds since 1970, up to the year 9999");
	diagnostics_init(&diagnostics, arguments->arena);
	struct kit kit = {.arena = arguments->arena, .diagnostics = &diagnostics, .data = find_data(arguments->arena, &folders)};
	int status = read_all(&kit, arguments) && kit_can_be_written(&kit) ? make(&kit, folder) : EXIT_INVALID;
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	return status;
}
