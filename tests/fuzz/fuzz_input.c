/* A libFuzzer target for each kind of file that gpubound reads as its own: READER is set by the build. Whatever a reader accepts is
 * validated, as every command does before it uses it. The readers take paths, so that the input goes into a file in memory. */
#define _GNU_SOURCE
#include "export/export.h"
#include "input/read_report.h"
#include "simulate/trace.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
	struct arena *arena;
	struct diagnostics diagnostics;
	struct input_folders folders;
	const char *path;
};

static void read_taskset(struct reading *reading)
{
	const struct platform *platform;
	const struct input_wishes wishes = {.platform = "jetson-agx-xavier"};
	input_read_taskset(reading->arena, &reading->diagnostics, &reading->folders, reading->path, &wishes, &platform);
}

static void read_platform(struct reading *reading)
{
	input_read_platform(reading->arena, &reading->diagnostics, &reading->folders, reading->path);
}

static void read_program(struct reading *reading)
{
	const struct platform *platform;
	input_read_program(reading->arena, &reading->diagnostics, &reading->folders, reading->path, "gtx-580", &platform);
}

static void read_frame(struct reading *reading)
{
	const struct platform *platform;
	input_read_frame(reading->arena, &reading->diagnostics, &reading->folders, reading->path, "8800-gts", &platform);
}

static void read_report(struct reading *reading)
{
	struct report_file report;
	input_read_report(reading->arena, &reading->diagnostics, &reading->folders, reading->path, &report);
}

static void read_trace(struct reading *reading)
{
	struct trace_configuration configuration;
	struct trace_reader *reader = trace_open(&reading->diagnostics, reading->path);
	while (reader != NULL && trace_next(reader, &configuration) == TRACE_READ)
		continue;
	if (reader != NULL)
		trace_close(reader);
}

static void read_tables(struct reading *reading)
{
	struct export_document document = {0};
	int count;
	if (!export_read(reading->arena, &reading->diagnostics, &reading->folders, reading->path, &document))
		return;
	struct export_table *tables = export_tables(reading->arena, &document, &count);
	export_tables_finish(tables, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reading reading = {.arena = arena_create()};
	int descriptor = memfd_create("fuzz", 0);
	diagnostics_init(&reading.diagnostics, reading.arena);
	reading.folders = input_find_folders(reading.arena);
	if (reading.folders.schemas == NULL)
		abort(); /* nothing would be read */
	reading.path = arena_format(reading.arena, "/proc/self/fd/%d", descriptor);
	if (descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size)
		READER(&reading);
	close(descriptor);
	arena_destroy(reading.arena);
	return 0;
}

/* Each target uses one. */
void (*const fuzz_readers[])(struct reading *reading) = {
	read_taskset, read_platform, read_program, read_frame, read_report, read_trace, read_tables};
