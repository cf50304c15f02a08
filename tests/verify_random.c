/* The reports of random systems are verified: whatever the analysis derives, the second derivation derives, too.
 *
 * usage: verify_random SYSTEMS FOLDER    writes each system into the folder, analyses it, verifies its report; says which ones are refused
 */
#include "falsify/generate.h"
#include "falsify/write.h"
#include "pipeline.h"
#include "verify/verify.h"

#include <stdlib.h>

#define SEED 2026

static bool write_case(struct arena *arena, const char *folder, const struct falsify_case *drawn)
{
	struct output platform = {0}, set = {0};
	write_platform(&platform, drawn->platform);
	write_taskset(&set, drawn->set, "./platform.xml", NULL);
	bool written = output_write(&platform, arena_format(arena, "%s/platform.xml", folder)) &&
		       output_write(&set, arena_format(arena, "%s/taskset.xml", folder));
	output_finish(&platform);
	output_finish(&set);
	return written;
}

/* Some kernels of which only the makespan is known are fragment work, on a platform that gives it the engine or does not say so. */
static void draw_fragments(struct falsify_case *drawn, long index)
{
	if (index % 4 == 0)
		drawn->platform->assumptions[ASSUMPTION_DRAW].status = STATUS_ASSUMED;
	for (int i = 0; i < drawn->set->operation_count && index % 8 < 2; i++) {
		struct operation *operation = &drawn->set->operations[i];
		if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_GRID)
			continue;
		operation->kind = OPERATION_FRAGMENT;
	}
}

static bool analyze(struct arena *arena, const char *folder)
{
	struct pipeline pipeline;
	struct pipeline_options options = {0};
	struct output text = {0};
	const char *path = arena_format(arena, "%s/taskset.xml", folder);
	const char *const arguments[] = {"analyze", path, NULL};
	pipeline_init(&pipeline);
	bool good = pipeline_run(&pipeline, path, &options);
	if (good) {
		struct report report = pipeline_report(&pipeline, &options, arguments, 2);
		report_xml(&text, &report);
		good = output_write(&text, arena_format(arena, "%s/report.xml", folder));
	}
	output_finish(&text);
	pipeline_finish(&pipeline);
	return good;
}

static bool verify(struct arena *arena, const char *folder, long index)
{
	static const char *const none[] = {NULL};
	struct diagnostics diagnostics;
	struct verified verified;
	struct input_folders folders = input_find_folders(arena);
	diagnostics_init(&diagnostics, arena);
	if (verify_report(arena, &diagnostics, &folders, arena_format(arena, "%s/report.xml", folder), none, &verified) == VERIFY_GOOD)
		return true;
	fprintf(stderr, "system %ld of seed %d:\n", index, SEED);
	diagnostics_print(&diagnostics, 0, LEVEL_ERROR, false, stderr);
	return false;
}

int main(int count, char **words)
{
	long systems = count == 3 ? strtol(words[1], NULL, 10) : 0, refused = 0, drawn = 0;
	for (long i = 0; i < systems; i++) {
		struct arena *arena = arena_create();
		struct falsify_case one = generate_case(arena, SEED, (uint64_t)i);
		if (one.set != NULL) {
			draw_fragments(&one, i);
			if (!write_case(arena, words[2], &one) || !analyze(arena, words[2])) {
				fprintf(stderr, "system %ld can not be written or read\n", i);
				return 2;
			}
			drawn++;
			refused += !verify(arena, words[2], i);
		}
		arena_destroy(arena);
	}
	printf("%ld systems, %ld refused\n", drawn, refused);
	return refused > 0 || drawn == 0;
}
