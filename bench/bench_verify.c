/* How long a report takes to make and how long to verify: every task set of examples/, below the working folder. */
#include "bench.h"
#include "../tests/analyzed.h"
#include "verify/verify.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct work {
	const char *path, *report;
	bool analysed, verified; /* the last time */
};

static void analyse(void *context)
{
	struct work *work = context;
	struct output text = {0};
	work->analysed = analyzed(work->path, &text) && output_write(&text, work->report);
	output_finish(&text);
}

static void verify(void *context)
{
	static const char *const files[] = {NULL};
	static const struct verify_options none = {files, NULL, NULL, false};
	struct work *work = context;
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	struct diagnostics diagnostics;
	struct verified verified;
	diagnostics_init(&diagnostics, arena);
	work->verified = verify_report(arena, &diagnostics, &folders, work->report, &none, &verified) == VERIFY_GOOD;
	arena_destroy(arena);
}

static bool compare(const char *path, const char *report)
{
	struct work work = {path, report, false, false};
	int64_t least[2];
	bench_pair((const char *const[]){path, "  verified"}, (void (*const[])(void *)){analyse, verify}, &work, least);
	if (!work.analysed || !work.verified)
		printf("  %s\n", work.analysed ? "NOT VERIFIED" : "NOT ANALYSED");
	if (least[1] >= least[0])
		printf("  MISSED: verification takes longer than the analysis\n");
	return work.analysed && work.verified && least[1] < least[0];
}

int main(void)
{
	const char *folder = getenv("TMPDIR");
	char report[4096];
	glob_t examples;
	snprintf(report, sizeof report, "%s/gpubound-bench.XXXXXX", folder != NULL ? folder : "/tmp");
	int file = mkstemp(report);
	if (file < 0 || glob("examples/*.xml", 0, NULL, &examples) != 0)
		return 2;
	bool met = true;
	for (size_t i = 0; i < examples.gl_pathc; i++)
		met &= compare(examples.gl_pathv[i], report);
	globfree(&examples);
	close(file);
	unlink(report);
	return met ? 0 : 1;
}
