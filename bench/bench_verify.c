/* How long a report takes to make and how long to verify: every task set of examples/, below the working folder. */
#include "bench.h"
#include "pipeline.h"
#include "verify/verify.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct work {
	const char *path, *report;
	bool good;
};

static void analyse(void *context)
{
	struct work *work = context;
	struct pipeline pipeline;
	struct pipeline_options options = {0};
	struct output text = {0};
	const char *const arguments[] = {"analyze", work->path, NULL};
	pipeline_init(&pipeline);
	work->good = pipeline_run(&pipeline, work->path, &options);
	if (work->good) {
		struct report report = pipeline_report(&pipeline, &options, arguments, 2);
		report_xml(&text, &report);
		work->good = output_write(&text, work->report);
	}
	output_finish(&text);
	pipeline_finish(&pipeline);
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
	work->good = verify_report(arena, &diagnostics, &folders, work->report, &none, &verified) == VERIFY_GOOD;
	arena_destroy(arena);
}

static bool compare(const char *path, const char *report)
{
	struct work work = {path, report, false};
	int64_t made = bench_least(path, analyse, &work);
	bool good = work.good;
	int64_t verified = bench_least("  verified", verify, &work);
	if (!good || !work.good)
		printf("  %s\n", good ? "NOT VERIFIED" : "NOT ANALYSED");
	if (verified >= made)
		printf("  MISSED: verification takes longer than the analysis\n");
	return good && work.good && verified < made;
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
