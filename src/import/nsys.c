/* Nsight Systems: finds out which of its files this is, and reads the CSV of cuda_gpu_trace and cuda_kern_exec_trace.
 *
 * Source: headers of the reports of 2021 to 2025. Columns are found by name, units in their parentheses; lines before the header are the
 * tool's messages. */
#include "import/csv_rows.h"
#include "import/nsys_sqlite.h"
#include "import/sqlite.h"
#include "import/trace_readers.h"
#include "import/values.h"

#include <string.h>

struct gpu_trace {
	struct csv_file *file;
	int start, duration, grid[3], block[3], registers, shared_static, shared_dynamic, bytes, source_kind, target_kind, device, context,
		green, stream, name;
};

struct exec_trace {
	struct csv_file *file;
	int duration, process, thread, device, grid, block, name;
	struct trace_names processes, threads;
};

static int64_t count(const struct csv_file *file, const struct csv_row *row, int column)
{
	return value_read(file->build, csv_cell(row, column), "", UNIT_COUNT, VALUE_EXACT, column >= 0 ? file->names[column] : "",
		file->path, row->line);
}

static int64_t duration(const struct csv_file *file, const struct csv_row *row, int column)
{
	int64_t value = value_duration(file->build, csv_cell(row, column), file->units[column], file->names[column], file->path, row->line);
	if (*csv_cell(row, column) == '\0')
		diagnose(file->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, file->path, row->line, "%s: expected a time",
			file->names[column]);
	if (value == 0)
		diagnose(file->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, file->path, row->line,
			"%s: expected a time above 0; 0 says that it was lost", file->names[column]);
	return value;
}

/* ---- cuda_gpu_trace */

static int64_t shared(const struct gpu_trace *trace, const struct csv_row *row, int column, bool *rounded)
{
	const struct csv_file *file = trace->file;
	if (column < 0)
		return NONE;
	if (*file->units[column] == '\0' && *csv_cell(row, column) != '\0') { /* 2021: no unit in the header */
		*rounded = true;
		return NONE;
	}
	return value_bytes(file->build, csv_cell(row, column), file->units[column], rounded, file->names[column], file->path, row->line);
}

static void read_shape(const struct gpu_trace *trace, const struct csv_row *row, struct import_item *item)
{
	struct import_build *build = trace->file->build;
	if (*csv_cell(row, trace->grid[0]) == '\0') {
		trace_note_unshaped(build, item->name, trace->file->path, row->line);
		return;
	}
	for (int i = 0; i < 3; i++) {
		item->grid[i] = count(trace->file, row, trace->grid[i]);
		item->block[i] = count(trace->file, row, trace->block[i]);
		if (item->grid[i] == NONE || item->block[i] == NONE || item->grid[i] == 0 || item->block[i] == 0)
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, trace->file->path, row->line,
				"expected three extents of grid and of block, of at least 1");
	}
	item->registers = count(trace->file, row, trace->registers);
	item->shared_static = shared(trace, row, trace->shared_static, &item->shared_rounded);
	item->shared_dynamic = shared(trace, row, trace->shared_dynamic, &item->shared_rounded);
	if (item->shared_rounded)
		trace_note_rounded(build,
			"import the SQLite export (nsys export --type sqlite), or CSV of ncu, or ptxas or cuobjdump output, beside this "
			"file",
			trace->file->path, row->line);
}

/* Sizes in MB are rounded and left out; nothing rests on them. */
static void read_transfer(const struct gpu_trace *trace, const struct csv_row *row, struct import_item *item)
{
	bool rounded = false;
	const struct csv_file *file = trace->file;
	if (trace->bytes >= 0 && *file->units[trace->bytes] != '\0')
		item->bytes = value_bytes(
			file->build, csv_cell(row, trace->bytes), file->units[trace->bytes], &rounded, "Bytes", file->path, row->line);
	item->pageable = item->kind == OPERATION_COPY && (strcmp(csv_cell(row, trace->source_kind), "Pageable") == 0 ||
								 strcmp(csv_cell(row, trace->target_kind), "Pageable") == 0);
	if (strcmp(csv_cell(row, trace->source_kind), "Managed") == 0 || strcmp(csv_cell(row, trace->target_kind), "Managed") == 0)
		item->memory = item->kind == OPERATION_COPY ? "managed" : item->memory;
}

static bool gpu_row(void *context, const struct csv_row *row)
{
	const struct gpu_trace *trace = context;
	const struct csv_file *file = trace->file;
	struct import_build *build = file->build;
	const char *name = csv_cell(row, trace->name), *green = csv_cell(row, trace->green);
	if (!import_device(build, csv_cell(row, trace->device), file->path, row->line))
		return build->diagnostics->errors == 0;
	struct import_item item = import_blank(OPERATION_KERNEL, arena_copy(build->row, name));
	enum trace_work work = trace_classify(name, &item);
	if (work == TRACE_HOST)
		return true;
	if (work == TRACE_UNKNOWN || *name == '\0')
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, file->path, row->line,
			"expected a kernel, a copy or a memset; got '%s'", value_shorten(build->arena, name, VALUE_SHORT));
	if (*green != '\0')
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, file->path, row->line,
			"expected work on the whole GPU; this is in green context %s, and the report does not say how many SMs that has: "
			"record the "
			"program with probe/recorder, gpubound-recording(5)",
			value_shorten(build->arena, green, 20));
	trace_sample(build, &item, duration(file, row, trace->duration), "nsys cuda_gpu_trace", file->path, row->line);
	item.board = trace_board(build, csv_cell(row, trace->device));
	if (work == TRACE_TRANSFER)
		item.name =
			item.kind == OPERATION_MEMSET ? "memset" : arena_format(build->row, "memcpy-%s", direction_names[item.direction]);
	if (work == TRACE_KERNEL)
		read_shape(trace, row, &item);
	else
		read_transfer(trace, row, &item);
	int lane = trace_lane(build, csv_cell(row, trace->context), csv_cell(row, trace->stream));
	return import_launch(build, lane, &item) && build->diagnostics->errors < DIAGNOSTICS_LIMIT;
}

static void read_gpu_trace(struct csv_file *file)
{
	struct gpu_trace trace = {.file = file};
	const struct {
		int *column;
		const char *name;
		bool wanted;
	} columns[] = {{&trace.start, "Start", true}, {&trace.duration, "Duration", true}, {&trace.grid[0], "GrdX", true},
		{&trace.grid[1], "GrdY", true}, {&trace.grid[2], "GrdZ", true}, {&trace.block[0], "BlkX", true},
		{&trace.block[1], "BlkY", true}, {&trace.block[2], "BlkZ", true}, {&trace.registers, "Reg/Trd", false},
		{&trace.shared_static, "StcSMem", false}, {&trace.shared_dynamic, "DymSMem", false}, {&trace.bytes, "Bytes", false},
		{&trace.source_kind, "SrcMemKd", false}, {&trace.target_kind, "DstMemKd", false}, {&trace.device, "Device", true},
		{&trace.context, "Ctx", true}, {&trace.green, "GreenCtx", false}, {&trace.stream, "Strm", true},
		{&trace.name, "Name", true}};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		*columns[i].column = columns[i].wanted ? csv_want(file, (const char *const[]){columns[i].name, NULL})
						       : csv_column(file, columns[i].name);
	if (file->build->diagnostics->errors == 0)
		csv_rows(file, gpu_row, &trace);
}

/* ---- cuda_kern_exec_trace */

static bool exec_row(void *context, const struct csv_row *row)
{
	struct exec_trace *trace = context;
	const struct csv_file *file = trace->file;
	struct import_build *build = file->build;
	if (!import_device(build, csv_cell(row, trace->device), file->path, row->line))
		return build->diagnostics->errors == 0;
	struct import_item item = import_blank(OPERATION_KERNEL, arena_copy(build->row, csv_cell(row, trace->name)));
	trace_sample(build, &item, duration(file, row, trace->duration), "nsys cuda_kern_exec_trace", file->path, row->line);
	value_extents(build, csv_cell(row, trace->grid), item.grid, "GridXYZ", file->path, row->line);
	value_extents(build, csv_cell(row, trace->block), item.block, "BlockXYZ", file->path, row->line);
	int process = trace_number(build, &trace->processes, csv_cell(row, trace->process));
	int thread = trace_number(build, &trace->threads, csv_cell(row, trace->thread));
	int lane = import_lane(build, arena_format(build->row, "p%d", process), arena_format(build->row, "t%d", thread));
	return import_launch(build, lane, &item) && build->diagnostics->errors < DIAGNOSTICS_LIMIT;
}

static void read_exec_trace(struct csv_file *file)
{
	struct exec_trace trace = {.file = file};
	trace.duration = csv_want(file, (const char *const[]){"Kernel Dur", NULL});
	trace.process = csv_want(file, (const char *const[]){"PID", NULL});
	trace.thread = csv_want(file, (const char *const[]){"TID", NULL});
	trace.device = csv_want(file, (const char *const[]){"DevId", NULL});
	trace.grid = csv_want(file, (const char *const[]){"GridXYZ", NULL});
	trace.block = csv_want(file, (const char *const[]){"BlockXYZ", NULL});
	trace.name = csv_want(file, (const char *const[]){"Kernel Name", "Name", NULL});
	if (file->build->diagnostics->errors > 0)
		return;
	diagnose(file->build->diagnostics, DIAGNOSTIC_IMPORT_STREAMS, file->path, file->line,
		"this report has neither streams nor copies: all kernels that one thread launched stand in one stream; cuda_gpu_trace and "
		"the SQLite "
		"export have both");
	csv_rows(file, exec_row, &trace);
}

/* ---- which file it is */

void import_read_nsys(struct import_build *build, const char *path)
{
	static const char *const gpu[] = {"Start", "CorrId", "Strm", "Name", NULL}, *const exec[] = {"API Start", "Kernel Dur", NULL};
	struct csv_file file = {.build = build, .path = path};
	size_t length;
	if (database_is(path)) {
		import_read_nsys_sqlite(build, path);
		return;
	}
	char *bytes = import_read_bytes(build, path, false, &length);
	if (bytes == NULL)
		return;
	file.bytes = bytes;
	file.length = length;
	struct csv_file other = file;
	if (csv_open(&file, gpu))
		read_gpu_trace(&file);
	else if (csv_open(&other, exec))
		read_exec_trace(&other);
	else
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0,
			"expected an SQLite export of nsys, or the CSV of cuda_gpu_trace or cuda_kern_exec_trace with its header");
}
