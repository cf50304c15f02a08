/* A libFuzzer target for each format of gpubound import: FORMAT_NAME is set by the build. The readers take paths, so that the input goes
 * into a file in memory; its task set is written, and thrown away. */
#define _GNU_SOURCE
#include "import/import.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void import_file(const char *path, int64_t jobs)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct output taskset = {0}, platform = {0};
	struct import_source source = {import_find_format(FORMAT_NAME), path};
	struct import_options options = {.sources = &source,
		.source_count = 1,
		.margin = rational_make(1, 5),
		.jobs = jobs,
		.registers = NONE,
		.trust_profiler = jobs == NONE,
		.architecture = jobs == NONE ? NULL : "sm_90"};
	diagnostics_init(&diagnostics, arena);
	import_run(arena, &diagnostics, &options, &taskset, source.format->alone && !source.format->several ? &platform : NULL);
	output_finish(&taskset);
	output_finish(&platform);
	arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int descriptor = memfd_create("fuzz", 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
	if (descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size) {
		import_file(path, NONE);
		import_file(path, 2);
	}
	close(descriptor);
	return 0;
}
