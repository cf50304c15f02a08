/* Nsight Compute: CSV of --page raw (a row a launch, with a row of units below the header) and of the details (a row a metric).
 *
 * Source: output of versions of 2021 to 2025. Columns and metrics are found by name. Kbyte is 1,000 bytes; with fewer than three decimals
 * it is rounded. Durations are taken only if the user says that clocks and caches were left alone. */
#include "import/csv_rows.h"
#include "import/trace_readers.h"
#include "import/values.h"

#include <string.h>

#define NO_LANE (-1)

struct ncu {
	struct csv_file *file;
	struct trace_names processes;
	int id, process, name, context, stream, device, grid, block;            /* columns of both pages */
	int registers, shared_static, shared_dynamic, cluster, green, duration; /* of the raw page */
	int metric, unit, value;                                                /* of the details */
	char **units;                                                           /* of the raw page, a row */
	/* the launch that the details at hand are about */
	bool open;
	const char *open_id;
	struct import_item item;
	int lane;
};

/* ---- what both have in common */

static void note_duration(const struct ncu *ncu, long line)
{
	struct import_build *build = ncu->file->build;
	if (diagnostics_count(build->diagnostics, DIAGNOSTIC_IMPORT_DURATION) == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_DURATION, ncu->file->path, line,
			"durations are left out: by default ncu locks clocks and flushes caches, so that they are no samples");
}

/* Beside a trace, the trace says when and how often a kernel is launched. */
static bool lends(const struct import_build *build)
{
	for (int i = 0; i < build->options->source_count; i++)
		if (strcmp(build->options->sources[i].format->name, "nsys") == 0)
			return true;
	return false;
}

static void set_duration(const struct ncu *ncu, struct import_item *item, const char *text, const char *unit, long line)
{
	struct import_build *build = ncu->file->build;
	if (lends(build))
		return;
	if (!build->options->trust_profiler) {
		note_duration(ncu, line);
		return;
	}
	int64_t value = value_duration(build, text, unit, "Duration", ncu->file->path, line);
	trace_sample(build, item, value, "ncu, clocks and caches not controlled", ncu->file->path, line);
}

static int64_t shared(const struct ncu *ncu, struct import_item *item, const char *text, const char *unit, long line)
{
	bool rounded = false;
	int64_t value = value_bytes(ncu->file->build, text, unit, &rounded, "shared memory", ncu->file->path, line);
	if (rounded)
		trace_note_rounded(ncu->file->build, "run ncu with --print-units base", ncu->file->path, line);
	item->shared_rounded |= rounded;
	return value;
}

static int64_t count(const struct ncu *ncu, const char *text, const char *what, long line)
{
	return value_read(ncu->file->build, text, "", UNIT_COUNT, VALUE_EXACT, what, ncu->file->path, line);
}

static void set_cluster(const struct ncu *ncu, struct import_item *item, const char *text, long line)
{
	int64_t blocks = count(ncu, text, "Cluster Size", line);
	item->cluster = blocks != NONE && blocks > 1 ? blocks : NONE;
}

static void check_green(const struct ncu *ncu, const char *text, long line)
{
	if (*text != '\0' && strcmp(text, "0") != 0)
		diagnose(ncu->file->build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, ncu->file->path, line,
			"expected a launch on the whole GPU; this is in a green context, a part of the SMs");
}

static bool add_launch(struct import_build *build, int lane, const struct import_item *item)
{
	return lane == NO_LANE ? import_figure(build, item) : import_launch(build, lane, item);
}

/* False: of another device. */
static bool begin_launch(struct ncu *ncu, const struct csv_row *row, struct import_item *item, int *lane)
{
	struct csv_file *file = ncu->file;
	struct import_build *build = file->build;
	if (ncu->device >= 0 && !lends(build) && !import_device(build, csv_cell(row, ncu->device), file->path, row->line))
		return false;
	*item = import_blank(OPERATION_KERNEL, arena_copy(build->arena, csv_cell(row, ncu->name)));
	item->source = "ncu";
	item->file = file->path;
	item->row = arena_format(build->arena, "%ld", row->line);
	if (*csv_cell(row, ncu->grid) != '\0')
		value_extents(build, csv_cell(row, ncu->grid), item->grid, "Grid Size", file->path, row->line);
	if (*csv_cell(row, ncu->block) != '\0')
		value_extents(build, csv_cell(row, ncu->block), item->block, "Block Size", file->path, row->line);
	*lane = NO_LANE;
	if (lends(build))
		return true;
	int process = ncu->process < 0 ? 1 : trace_number(build, &ncu->processes, csv_cell(row, ncu->process));
	const char *context = ncu->context >= 0 ? csv_cell(row, ncu->context) : "1",
		   *stream = ncu->stream >= 0 ? csv_cell(row, ncu->stream) : "0";
	const char *which = process > 1 ? arena_format(build->arena, "%sp%d", context, process) : context;
	*lane = trace_lane(build, which, stream);
	return true;
}

static void find_columns(struct ncu *ncu)
{
	const struct csv_file *file = ncu->file;
	ncu->id = csv_column(file, "ID");
	ncu->process = csv_column(file, "Process ID");
	ncu->name = csv_want(file, (const char *const[]){"Kernel Name", NULL});
	ncu->context = csv_column(file, "Context");
	ncu->stream = csv_column(file, "Stream");
	ncu->device = csv_column(file, "Device");
	ncu->grid = csv_column(file, "Grid Size");
	ncu->block = csv_column(file, "Block Size");
}

/* ---- --page raw */

static const char *unit_of(const struct ncu *ncu, int column)
{
	return column < 0 ? "" : ncu->units[column];
}

static bool keep_units(struct ncu *ncu, const struct csv_row *row)
{
	struct import_build *build = ncu->file->build;
	ncu->units = arena_allocate(build->arena, (size_t)row->count, sizeof *ncu->units);
	for (int i = 0; i < row->count; i++)
		ncu->units[i] = arena_copy(build->arena, csv_cell(row, i));
	if (*ncu->units[ncu->name] == '\0')
		return true;
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, ncu->file->path, row->line, "expected the units in the row below the header");
	return false;
}

static bool raw_row(void *context, const struct csv_row *row)
{
	struct ncu *ncu = context;
	struct import_build *build = ncu->file->build;
	struct import_item item;
	int lane;
	if (ncu->units == NULL)
		return keep_units(ncu, row);
	if (!begin_launch(ncu, row, &item, &lane))
		return build->diagnostics->errors == 0;
	item.registers = count(ncu, csv_cell(row, ncu->registers), "registers", row->line);
	item.shared_static = shared(ncu, &item, csv_cell(row, ncu->shared_static), unit_of(ncu, ncu->shared_static), row->line);
	item.shared_dynamic = shared(ncu, &item, csv_cell(row, ncu->shared_dynamic), unit_of(ncu, ncu->shared_dynamic), row->line);
	set_cluster(ncu, &item, csv_cell(row, ncu->cluster), row->line);
	check_green(ncu, csv_cell(row, ncu->green), row->line);
	if (ncu->duration >= 0)
		set_duration(ncu, &item, csv_cell(row, ncu->duration), unit_of(ncu, ncu->duration), row->line);
	return add_launch(build, lane, &item) && build->diagnostics->errors < DIAGNOSTICS_LIMIT;
}

static void read_raw(struct ncu *ncu)
{
	const struct csv_file *file = ncu->file;
	ncu->registers = csv_want(file, (const char *const[]){"launch__registers_per_thread", NULL});
	ncu->shared_static = csv_column(file, "launch__shared_mem_per_block_static");
	ncu->shared_dynamic = csv_column(file, "launch__shared_mem_per_block_dynamic");
	ncu->cluster = csv_column(file, "launch__cluster_size");
	ncu->green = csv_column(file, "launch__uses_green_context");
	ncu->duration = csv_column(file, "gpu__time_duration.sum");
	if (file->build->diagnostics->errors == 0)
		csv_rows(file, raw_row, ncu);
	if (file->build->diagnostics->errors == 0 && ncu->units == NULL)
		diagnose(file->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, file->path, file->line, "expected rows below the header");
}

/* ---- details */

static void total(const struct ncu *ncu, int64_t extents[3], const char *text, const char *what, long line)
{
	int64_t number = count(ncu, text, what, line);
	if (extents[0] != UNKNOWN_EXTENT || number == NONE || number == 0)
		return;
	extents[0] = number;
	extents[1] = extents[2] = 1;
}

static void add_metric(struct ncu *ncu, const struct csv_row *row)
{
	const char *metric = csv_cell(row, ncu->metric), *unit = csv_cell(row, ncu->unit), *value = csv_cell(row, ncu->value);
	struct import_item *item = &ncu->item;
	if (strcmp(metric, "Registers Per Thread") == 0)
		item->registers = count(ncu, value, metric, row->line);
	else if (strcmp(metric, "Static Shared Memory Per Block") == 0)
		item->shared_static = shared(ncu, item, value, unit, row->line);
	else if (strcmp(metric, "Dynamic Shared Memory Per Block") == 0)
		item->shared_dynamic = shared(ncu, item, value, unit, row->line);
	else if (strcmp(metric, "Cluster Size") == 0)
		set_cluster(ncu, item, value, row->line);
	else if (strcmp(metric, "Uses Green Context") == 0)
		check_green(ncu, value, row->line);
	else if (strcmp(metric, "Grid Size") == 0)
		total(ncu, item->grid, value, metric, row->line);
	else if (strcmp(metric, "Block Size") == 0)
		total(ncu, item->block, value, metric, row->line);
	else if (strcmp(metric, "Duration") == 0)
		set_duration(ncu, item, value, unit, row->line);
}

static bool end_launch(struct ncu *ncu)
{
	bool more = !ncu->open || add_launch(ncu->file->build, ncu->lane, &ncu->item);
	ncu->open = false;
	return more;
}

static bool details_row(void *context, const struct csv_row *row)
{
	struct ncu *ncu = context;
	struct import_build *build = ncu->file->build;
	const char *id = csv_cell(row, ncu->id);
	if (ncu->open_id == NULL || strcmp(id, ncu->open_id) != 0) {
		if (!end_launch(ncu))
			return false;
		ncu->open_id = arena_copy(build->arena, id);
		ncu->open = begin_launch(ncu, row, &ncu->item, &ncu->lane);
	}
	if (ncu->open)
		add_metric(ncu, row);
	return build->diagnostics->errors == 0;
}

static void read_details(struct ncu *ncu)
{
	struct csv_file *file = ncu->file;
	ncu->metric = csv_want(file, (const char *const[]){"Metric Name", NULL});
	ncu->unit = csv_want(file, (const char *const[]){"Metric Unit", NULL});
	if (csv_column(file, "Invocations") >= 0 || csv_column(file, "Average") >= 0) {
		diagnose(file->build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, file->path, file->line,
			"expected a launch after the other; this is a summary of several: run ncu without --print-summary");
		return;
	}
	ncu->value = csv_want(file, (const char *const[]){"Metric Value", NULL});
	if (ncu->id < 0)
		csv_want(file, (const char *const[]){"ID", NULL});
	if (file->build->diagnostics->errors > 0)
		return;
	file->least = ncu->value + 1; /* the columns of rules are left out where there is no rule */
	csv_rows(file, details_row, ncu);
	if (file->build->diagnostics->errors == 0)
		end_launch(ncu);
}

/* The file has no rows: perhaps because ncu could not profile, and said so. */
static void complain_of_format(struct import_build *build, const char *path, const char *text)
{
	static const char error[] = "==ERROR== ";
	const char *said = strstr(text, error);
	size_t length = said != NULL ? strcspn(said + sizeof error - 1, "\r\n") : 0;
	const char *reason =
		said == NULL ? "" : arena_format(build->arena, "%.*s", (int)(length < 1000 ? length : 1000), said + sizeof error - 1);
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0,
		"expected CSV of ncu --csv with a header in which \"Kernel Name\" is%s%s", said != NULL ? "; ncu says: " : "",
		value_shorten(build->arena, reason, VALUE_SHORT));
}

void import_read_ncu(struct import_build *build, const char *path)
{
	static const char *const words[] = {"Kernel Name", "\",\"", NULL};
	struct csv_file file = {.build = build, .path = path};
	struct ncu ncu = {.file = &file};
	file.bytes = import_read_bytes(build, path, false, &file.length);
	if (file.bytes == NULL)
		return;
	const char *text = file.bytes;
	if (!csv_open(&file, words)) {
		complain_of_format(build, path, text);
		return;
	}
	find_columns(&ncu);
	if (ncu.name >= 0 && csv_column(&file, "Metric Name") >= 0)
		read_details(&ncu);
	else if (ncu.name >= 0)
		read_raw(&ncu);
}
