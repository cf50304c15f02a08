/* The mapping file: what only the user knows of tasks and kernels, as CSV.
 *
 * A row with a kernel gives that kernel's attributes; any other row is about a task, named by the id that it has in the output, or by its
 * stream, and then `task` is the new id. */
#include "import/csv_rows.h"
#include "import/kernel_names.h"
#include "import/plan.h"
#include "import/values.h"

#include <string.h>

static const char *const columns[] = {"task", "stream", "kernel", "period", "deadline", "jitter", "min-distance", "offset", "arrival",
	"requirement", "jobs", "grid", "block", "registers", "shared-static", "shared-dynamic", "cluster", "wcet", "scope", NULL};

struct mapping {
	struct import_build *build;
	struct csv_file *file;
};

static void complain(const struct mapping *mapping, const struct csv_row *row, const char *expected, const char *got)
{
	diagnose(mapping->build->diagnostics, DIAGNOSTIC_IMPORT_MAPPING, mapping->file->path, row->line, "expected %s; got '%s'", expected,
		value_shorten(mapping->build->arena, got, VALUE_SHORT));
}

static const char *cell(const struct mapping *mapping, const struct csv_row *row, const char *name)
{
	return csv_cell(row, csv_column(mapping->file, name));
}

/* A literal as task sets have it; NULL where the cell is empty or, with a complaint, is none. */
static const char *literal(const struct mapping *mapping, const struct csv_row *row, const char *name, enum unit unit, int64_t *value)
{
	const char *text = cell(mapping, row, name);
	struct rational exact;
	if (*text == '\0')
		return NULL;
	if (units_parse(text, unit, RATIONAL_NONE, &exact) != UNITS_OK || rational_ceil(exact) == NONE) {
		complain(mapping, row, units_expected(unit), text);
		return NULL;
	}
	if (value != NULL)
		*value = rational_ceil(exact);
	return arena_copy(mapping->build->arena, text);
}

/* ---- tasks */

static struct import_lane *find_lane(const struct mapping *mapping, const char *task, const char *stream)
{
	struct import_build *build = mapping->build;
	for (int i = 0; i < build->lane_count; i++) {
		struct import_lane *lane = &build->lanes[i];
		const char *id = *stream != '\0' ? lane->stream_id : import_task_id(lane);
		if (strcmp(id, *stream != '\0' ? stream : task) == 0)
			return lane;
	}
	return NULL;
}

static void map_time(const struct mapping *mapping, const struct csv_row *row, const char *name, const char **to)
{
	const char *text = literal(mapping, row, name, UNIT_TIME, NULL);
	*to = text != NULL ? text : *to;
}

static void map_task(const struct mapping *mapping, const struct csv_row *row)
{
	const char *task = cell(mapping, row, "task"), *stream = cell(mapping, row, "stream"), *arrival = cell(mapping, row, "arrival");
	const char *requirement = cell(mapping, row, "requirement");
	struct import_lane *lane = find_lane(mapping, task, stream);
	if (lane == NULL) {
		complain(mapping, row, *stream != '\0' ? "a stream of the input" : "a task of the input, or its stream beside it",
			*stream != '\0' ? stream : task);
		return;
	}
	if (*task != '\0' && strcmp(name_id(mapping->build->arena, task), task) != 0)
		complain(mapping, row, "an id of letters, digits, '_', '-' and '.'", task);
	if (*task != '\0')
		lane->task = arena_copy(mapping->build->arena, task);
	map_time(mapping, row, "period", &lane->period);
	map_time(mapping, row, "deadline", &lane->deadline);
	map_time(mapping, row, "jitter", &lane->jitter);
	map_time(mapping, row, "min-distance", &lane->min_distance);
	map_time(mapping, row, "offset", &lane->offset);
	int64_t jobs = NONE;
	literal(mapping, row, "jobs", UNIT_COUNT, &jobs);
	if (jobs != NONE && jobs < 1)
		complain(mapping, row, "at least one job", cell(mapping, row, "jobs"));
	lane->jobs = jobs != NONE ? checked_max(jobs, 1) : lane->jobs;
	if (*arrival != '\0' && strcmp(arrival, "periodic") != 0 && strcmp(arrival, "sporadic") != 0)
		complain(mapping, row, "periodic or sporadic", arrival);
	lane->arrival = *arrival != '\0' ? arena_copy(mapping->build->arena, arrival) : lane->arrival;
	lane->requirement = *requirement != '\0' ? arena_copy(mapping->build->arena, requirement) : lane->requirement;
}

/* ---- kernels */

static void map_extents(const struct mapping *mapping, const struct csv_row *row, const char *name, int64_t extents[3])
{
	const char *text = cell(mapping, row, name);
	int given = 1;
	for (const char *c = text; *c != '\0'; c++)
		given += *c == 'x';
	if (*text != '\0')
		value_extents(mapping->build,
			arena_format(mapping->build->arena, "%s%s", text,
				given == 1   ? "x1x1"
				: given == 2 ? "x1"
					     : ""),
			extents, name, mapping->file->path, row->line);
}

static void map_wcet(const struct mapping *mapping, const struct csv_row *row, struct import_item *item)
{
	int64_t wcet = NONE;
	if (literal(mapping, row, "wcet", UNIT_TIME, &wcet) == NULL)
		return;
	item->longest = wcet;
	item->measured = item->enlarge = false;
	item->samples = 0;
	item->source = "the mapping file of the import";
	item->file = mapping->file->path;
	item->row = arena_format(mapping->build->arena, "%ld", row->line);
}

static void map_item(const struct mapping *mapping, const struct csv_row *row, struct import_item *item)
{
	const char *scope = cell(mapping, row, "scope");
	map_extents(mapping, row, "grid", item->grid);
	map_extents(mapping, row, "block", item->block);
	literal(mapping, row, "registers", UNIT_COUNT, &item->registers);
	literal(mapping, row, "shared-static", UNIT_BYTES, &item->shared_static);
	literal(mapping, row, "shared-dynamic", UNIT_BYTES, &item->shared_dynamic);
	literal(mapping, row, "cluster", UNIT_COUNT, &item->cluster);
	map_wcet(mapping, row, item);
	if (*scope != '\0' && strcmp(scope, "block") != 0 && strcmp(scope, "grid") != 0)
		complain(mapping, row, "block or grid", scope);
	else if (*scope != '\0')
		item->scope = *scope == 'b' ? SCOPE_BLOCK : SCOPE_GRID;
}

static bool is_named(const struct import_build *build, const struct import_item *item, const char *kernel)
{
	return strcmp(item->name, kernel) == 0 || (item->symbol != NULL && strcmp(item->symbol, kernel) == 0) ||
	       strcmp(name_base(build->arena, item->name), kernel) == 0;
}

static void map_kernel(const struct mapping *mapping, const struct csv_row *row, const char *kernel)
{
	struct import_build *build = mapping->build;
	int found = 0;
	for (int i = 0; i < build->item_count; i++) {
		if (!is_named(build, build->items[i], kernel))
			continue;
		found++;
		map_item(mapping, row, build->items[i]);
	}
	if (found == 0)
		complain(mapping, row, "a kernel, a copy, a memset or a host segment of the input", kernel);
}

/* ---- the file */

static bool map_row(void *context, const struct csv_row *row)
{
	const struct mapping *mapping = context;
	const char *kernel = cell(mapping, row, "kernel");
	if (*kernel != '\0')
		map_kernel(mapping, row, kernel);
	else
		map_task(mapping, row);
	return mapping->build->diagnostics->errors == 0;
}

static bool check_columns(struct import_build *build, const struct csv_file *file)
{
	for (int i = 0; i < file->column_count; i++) {
		bool known = false;
		for (int k = 0; columns[k] != NULL; k++)
			known = known || strcmp(columns[k], file->names[i]) == 0;
		if (known)
			continue;
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_MAPPING, file->path, file->line,
			"unknown column '%s'; expected task, stream, kernel, period, deadline, jitter, min-distance, offset, arrival, "
			"requirement, "
			"jobs, grid, block, registers, shared-static, shared-dynamic, cluster, wcet or scope",
			value_shorten(build->arena, file->names[i], VALUE_SHORT));
		return false;
	}
	return true;
}

void import_read_mapping(struct import_build *build, const char *path)
{
	static const char *const words[] = {NULL}; /* the first line is the header */
	struct csv_file file = {.build = build, .path = path};
	struct mapping mapping = {build, &file};
	file.bytes = import_read_bytes(build, path, false, &file.length);
	if (file.bytes == NULL)
		return;
	if (!csv_open(&file, words))
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_MAPPING, path, 1, "expected CSV with a header line");
	else if (check_columns(build, &file))
		csv_rows(&file, map_row, &mapping);
}
