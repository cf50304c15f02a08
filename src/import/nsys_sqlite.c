/* The SQLite export of Nsight Systems: kernels, copies and memsets in the order of their start. */
#include "import/nsys_sqlite.h"

#include "import/recorded.h"
#include "import/sqlite.h"
#include "import/trace_readers.h"
#include "import/values.h"

#include <inttypes.h>
#include <string.h>

/* Columns of the one query, in this order. An optional one is NULL where the export does not have it. */
enum column {
	COLUMN_WORK, /* 0 kernel, 1 copy, 2 memset */
	COLUMN_ROW,
	COLUMN_START,
	COLUMN_END,
	COLUMN_DEVICE,
	COLUMN_CONTEXT,
	COLUMN_STREAM,
	COLUMN_PROCESS,
	COLUMN_CORRELATION,
	COLUMN_GREEN,
	COLUMN_GRAPH_NODE,
	COLUMN_NAME,
	COLUMN_SYMBOL,
	COLUMN_REGISTERS,
	COLUMN_GRID,
	COLUMN_BLOCK = COLUMN_GRID + 3,
	COLUMN_STATIC = COLUMN_BLOCK + 3,
	COLUMN_DYNAMIC,
	COLUMN_CLUSTER,
	COLUMN_LAUNCH = COLUMN_CLUSTER + 3,
	COLUMN_BYTES,
	COLUMN_KIND,
	COLUMN_SOURCE,
	COLUMN_TARGET,
	COLUMN_COUNT
};

/* The columns' names in each table; NULL: not there; a leading '?': optional. */
static const char *const kernel_columns[COLUMN_COUNT] = {NULL, NULL, "start", "end", "deviceId", "contextId", "streamId", "?globalPid",
	"?correlationId", "?greenContextId", "?graphNodeId", "demangledName", "?mangledName", "registersPerThread", "gridX", "gridY",
	"gridZ", "blockX", "blockY", "blockZ", "staticSharedMemory", "dynamicSharedMemory", "?clusterX", "?clusterY", "?clusterZ",
	"?launchType", NULL, NULL, NULL, NULL};
static const char *const copy_columns[COLUMN_COUNT] = {NULL, NULL, "start", "end", "deviceId", "contextId", "streamId", "?globalPid",
	"?correlationId", "?greenContextId", "?graphNodeId", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
	NULL, NULL, "bytes", "copyKind", "?srcKind", "?dstKind"};
static const char *const memset_columns[COLUMN_COUNT] = {NULL, NULL, "start", "end", "deviceId", "contextId", "streamId", "?globalPid",
	"?correlationId", "?greenContextId", "?graphNodeId", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
	NULL, NULL, "bytes", NULL, NULL, NULL};

static const struct {
	const char *name;
	const char *const *columns;
} tables[] = {
	{"CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns},
	{"CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns},
	{"CUPTI_ACTIVITY_KIND_MEMSET", memset_columns},
};

/* CUpti_ActivityMemcpyKind */
enum { COPY_HOST_TO_HOST = 9, COPY_PEER = 10 };
static const enum direction copy_directions[COPY_PEER + 1] = {DIRECTION_COUNT, DIRECTION_H2D, DIRECTION_D2H, DIRECTION_H2D, DIRECTION_D2H,
	DIRECTION_D2D, DIRECTION_D2D, DIRECTION_D2D, DIRECTION_D2D, DIRECTION_COUNT, DIRECTION_PEER};
/* CUpti_ActivityMemoryKind */
enum { MEMORY_PAGEABLE = 1, MEMORY_MANAGED = 5, MEMORY_MANAGED_STATIC = 7 };
enum { LAUNCH_REGULAR = 0 };

struct reader {
	struct import_build *build;
	const char *path, *source;
	struct trace_gpu gpus[TRACE_DEVICES]; /* by the number of the device */
	struct trace_names processes;
	struct recording *recording; /* NULL: the export has no calls of the host */
	bool graphs;                 /* work of a graph was seen */
	bool labels;                 /* copies have names in a table of their own */
};

static void complain(const struct reader *reader, int64_t row, enum diagnostic_code code, const char *text)
{
	diagnose(reader->build->diagnostics, code, reader->path, 0, "row %" PRId64 " of %s: %s", row, "the work", text);
}

static int64_t integer(struct database *database, int column)
{
	static const char *const names[COLUMN_COUNT] = {
		[COLUMN_START] = "start", [COLUMN_END] = "end", [COLUMN_REGISTERS] = "registersPerThread"};
	return database_integer(database, column, names[column] != NULL ? names[column] : "a column of the work");
}

/* ---- one row */

static void read_cluster(struct database *database, struct import_item *item)
{
	int64_t blocks = 1;
	for (int i = 0; i < 3; i++) {
		int64_t extent = integer(database, COLUMN_CLUSTER + i);
		blocks = checked_mul(blocks, extent == NONE || extent == 0 ? 1 : extent);
	}
	item->cluster = blocks > 1 ? blocks : NONE;
}

static void read_kernel(struct reader *reader, struct database *database, int64_t row, struct import_item *item)
{
	const char *name = database_text(database, COLUMN_NAME);
	int64_t launch = integer(database, COLUMN_LAUNCH);
	item->symbol = database_text(database, COLUMN_SYMBOL);
	item->name = name != NULL ? name : item->symbol != NULL ? item->symbol : "";
	if (*item->name == '\0')
		complain(reader, row, DIAGNOSTIC_IMPORT_VALUE, "expected a kernel's name in StringIds");
	item->registers = integer(database, COLUMN_REGISTERS);
	item->shared_static = integer(database, COLUMN_STATIC);
	item->shared_dynamic = integer(database, COLUMN_DYNAMIC);
	for (int i = 0; i < 3; i++) {
		item->grid[i] = integer(database, COLUMN_GRID + i);
		item->block[i] = integer(database, COLUMN_BLOCK + i);
		if (item->grid[i] < 1 || item->block[i] < 1 || item->grid[i] == NONE || item->block[i] == NONE)
			complain(reader, row, DIAGNOSTIC_IMPORT_VALUE, "expected extents of at least 1");
	}
	read_cluster(database, item);
	if (launch != NONE && launch != LAUNCH_REGULAR)
		complain(reader, row, DIAGNOSTIC_IMPORT_UNSUPPORTED,
			"expected a regular launch; blocks of a cooperative one wait for each other, which no task set can say");
}

/* By the exporter's own names of kinds ("Host-to-Device"), or else by CUPTI's numbers. */
static enum trace_work classify_copy(struct reader *reader, struct database *database, struct import_item *item)
{
	item->kind = OPERATION_COPY;
	if (reader->labels) {
		const char *label = database_text(database, COLUMN_KIND);
		return label == NULL ? TRACE_UNKNOWN : trace_classify(arena_format(reader->build->row, "[CUDA memcpy %s]", label), item);
	}
	int64_t kind = integer(database, COLUMN_KIND);
	if (kind == COPY_HOST_TO_HOST)
		return TRACE_HOST;
	item->direction = kind <= COPY_PEER ? copy_directions[kind] : DIRECTION_COUNT;
	return item->direction == DIRECTION_COUNT ? TRACE_UNKNOWN : TRACE_TRANSFER;
}

/* False: no work of the GPU. */
static bool read_copy(struct reader *reader, struct database *database, int64_t row, struct import_item *item)
{
	int64_t source = integer(database, COLUMN_SOURCE), target = integer(database, COLUMN_TARGET);
	enum trace_work work = classify_copy(reader, database, item);
	if (work == TRACE_HOST)
		return false;
	if (source == MEMORY_MANAGED || target == MEMORY_MANAGED || source == MEMORY_MANAGED_STATIC || target == MEMORY_MANAGED_STATIC)
		item->memory = "managed";
	item->pageable = source == MEMORY_PAGEABLE || target == MEMORY_PAGEABLE;
	if (work == TRACE_TRANSFER)
		item->name = arena_format(reader->build->row, "memcpy-%s", direction_names[item->direction]);
	else
		complain(reader, row, DIAGNOSTIC_IMPORT_UNSUPPORTED, "expected a copy of a known kind");
	return true;
}

static bool read_work(struct reader *reader, struct database *database, int64_t row, struct import_item *item)
{
	int64_t work = integer(database, COLUMN_WORK);
	if (work == 0) {
		read_kernel(reader, database, row, item);
		return true;
	}
	item->bytes = integer(database, COLUMN_BYTES);
	if (work == 1)
		return read_copy(reader, database, row, item);
	item->kind = OPERATION_MEMSET;
	item->direction = DIRECTION_MEMSET;
	return true;
}

static void check_place(struct reader *reader, struct database *database, int64_t row)
{
	int64_t green = integer(database, COLUMN_GREEN), node = integer(database, COLUMN_GRAPH_NODE);
	if (green != NONE && green != 0)
		complain(reader, row, DIAGNOSTIC_IMPORT_UNSUPPORTED,
			"expected work on the whole GPU; this is in a green context, and the export does not say how many SMs that has: "
			"record the "
			"program with probe/recorder, gpubound-recording(5)");
	if (node != NONE && node != 0 && !reader->graphs && reader->recording == NULL) {
		reader->graphs = true;
		complain(reader, row, DIAGNOSTIC_IMPORT_STREAMS,
			"work of a CUDA graph: it stands in the order of its start, and what waits for what is not in the trace; write it "
			"as <graph> where it is a sequence on one stream, order streams by events where it is not");
	}
}

/* "globalPid" and "globalTid" have the process above the lowest 24 bits. */
static int64_t process_of(int64_t global)
{
	return global == NONE ? 0 : global >> 24;
}

static int64_t integer_of_call(struct database *database, int column)
{
	return database_integer(database, column, "a column of the calls");
}

static bool add_work(struct reader *reader, struct database *database, const struct import_item *item, int lane)
{
	int64_t node = integer(database, COLUMN_GRAPH_NODE);
	struct recorded_work work = {.start = integer(database, COLUMN_START),
		.end = integer(database, COLUMN_END),
		.process = process_of(integer(database, COLUMN_PROCESS)),
		.correlation = integer(database, COLUMN_CORRELATION),
		.item = import_item(reader->build, item),
		.lane = lane,
		.graph = node != NONE && node != 0,
		.row = integer(database, COLUMN_ROW)};
	return recording_work(reader->build, reader->recording, &work);
}

static bool on_row(void *context, struct database *database)
{
	struct reader *reader = context;
	struct import_build *build = reader->build;
	int64_t row = integer(database, COLUMN_ROW), start = integer(database, COLUMN_START), end = integer(database, COLUMN_END);
	int64_t device = integer(database, COLUMN_DEVICE), process = integer(database, COLUMN_PROCESS);
	if (!import_device(build, arena_format(build->row, "%" PRId64, device), reader->path, 0))
		return build->diagnostics->errors == 0;
	struct import_item item = import_blank(OPERATION_KERNEL, "memset");
	if (start == NONE || end == NONE || end < start || end == 0) /* both 0: CUPTI could not collect them */
		complain(reader, row, DIAGNOSTIC_IMPORT_VALUE, "expected the times of start and end");
	if (!read_work(reader, database, row, &item))
		return true;
	check_place(reader, database, row);
	trace_sample(build, &item, end - start, reader->source, reader->path, row);
	item.board = trace_on(build, reader->gpus, device, reader->path);
	item.row = arena_format(build->row, "%s rowid %" PRId64, tables[integer(database, COLUMN_WORK)].name, row);
	int number = process == NONE ? 1 : trace_number(build, &reader->processes, arena_format(build->row, "%" PRId64, process));
	const char *of_process = number > 1 ? arena_format(build->row, "p%d", number) : "";
	const char *which = arena_format(build->row, "%" PRId64 "%s", integer(database, COLUMN_CONTEXT), of_process);
	int lane = trace_lane(build, which, arena_format(build->row, "%" PRId64, integer(database, COLUMN_STREAM)));
	if (reader->recording == NULL)
		return import_launch(build, lane, &item) && build->diagnostics->errors == 0;
	return build->diagnostics->errors == 0 && add_work(reader, database, &item, lane);
}

/* ---- calls of the host: CUPTI_ACTIVITY_KIND_RUNTIME has those of the driver, too */

enum call_column { CALL_ROW, CALL_START, CALL_END, CALL_THREAD, CALL_CORRELATION, CALL_NAME, CALL_RESULT };

static bool on_call(void *context, struct database *database)
{
	struct reader *reader = context;
	struct import_build *build = reader->build;
	const char *refused, *name = database_text(database, CALL_NAME);
	int64_t thread = integer_of_call(database, CALL_THREAD), result = integer_of_call(database, CALL_RESULT);
	struct recorded_call call = {.row = integer_of_call(database, CALL_ROW),
		.start = integer_of_call(database, CALL_START),
		.end = integer_of_call(database, CALL_END),
		.process = process_of(thread),
		.thread = thread,
		.correlation = integer_of_call(database, CALL_CORRELATION)};
	call.kind = recording_call_kind(name != NULL ? name : "", &call.waits, &refused);
	if (call.kind == CALL_OTHER && refused == NULL)
		return build->diagnostics->errors == 0;
	if (refused != NULL)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, reader->path, 0, "row %" PRId64 " of the calls: %s", call.row,
			refused);
	if (call.start == NONE || call.end == NONE || call.end < call.start || call.correlation == NONE)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, reader->path, 0,
			"row %" PRId64 " of the calls: expected the times of start and end, and a correlation", call.row);
	bool failed = result != NONE && result != 0; /* it launched nothing */
	return build->diagnostics->errors == 0 && (failed || recording_call(build, reader->recording, &call));
}

static void read_calls(struct reader *reader, struct database *database)
{
	static const char table[] = "CUPTI_ACTIVITY_KIND_RUNTIME";
	if (reader->recording == NULL)
		return;
	database_do(database, "INSERT OR IGNORE INTO temp.names SELECT id, value FROM StringIds WHERE id IN (SELECT nameId FROM "
			      "CUPTI_ACTIVITY_KIND_RUNTIME)");
	database_rows(database,
		arena_format(reader->build->arena,
			"SELECT rowid, start, end, globalTid, correlationId, (SELECT value FROM temp.names WHERE id = nameId), %s FROM %s",
			database_has(database, table, "returnValue") ? "returnValue" : "NULL", table),
		on_call, reader);
}

/* Do works and calls have what tells which call launched a work? Old exports lack it. */
static bool is_correlated(struct database *database)
{
	static const char *const columns[] = {"start", "end", "globalTid", "correlationId", "nameId"};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (!database_has(database, "CUPTI_ACTIVITY_KIND_RUNTIME", columns[i]))
			return false;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (database_has(database, tables[i].name, NULL) &&
			(!database_has(database, tables[i].name, "correlationId") || !database_has(database, tables[i].name, "globalPid")))
			return false;
	return database_has(database, "StringIds", "value");
}

/* ---- the query */

static void add_column(struct reader *reader, struct database *database, struct output *sql, int table, int column)
{
	const char *name = tables[table].columns[column];
	bool optional = name != NULL && name[0] == '?';
	name = optional ? name + 1 : name;
	bool there = name != NULL && database_has(database, tables[table].name, name);
	if (name != NULL && !there && !optional)
		diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_COLUMN, reader->path, 0, "expected a column '%s' in %s", name,
			tables[table].name);
	if (!there)
		output_add(sql, ", NULL");
	else if (column == COLUMN_KIND && reader->labels)
		output_print(sql, ", (SELECT label FROM temp.kinds WHERE id = w.\"%s\")", name);
	else if (column == COLUMN_NAME || column == COLUMN_SYMBOL)
		output_print(sql, ", (SELECT value FROM temp.names WHERE id = w.%s)", name);
	else
		output_print(sql, ", w.\"%s\"", name);
}

/* The names that kernels have, and of the kinds of copies those that have a number of CUPTI's size: with an index, which exports lack, and
 * few of all texts. */
static void keep_names(struct reader *reader, struct database *database)
{
	database_do(database, "CREATE TEMP TABLE names(id INTEGER PRIMARY KEY, value)");
	database_do(database, "CREATE TEMP TABLE kinds(id INTEGER PRIMARY KEY, label)");
	for (int i = COLUMN_NAME; i <= COLUMN_SYMBOL; i++) {
		const char *name = tables[0].columns[i] + (tables[0].columns[i][0] == '?');
		if (database_has(database, tables[0].name, name) && database_has(database, "StringIds", "value"))
			database_do(database,
				arena_format(reader->build->arena,
					"INSERT OR IGNORE INTO temp.names SELECT id, value FROM StringIds WHERE id IN (SELECT %s FROM %s)",
					name, tables[0].name));
	}
	if (reader->labels)
		database_do(database,
			"INSERT OR IGNORE INTO temp.kinds SELECT id, label FROM ENUM_CUDA_MEMCPY_OPER WHERE id BETWEEN 0 AND 1000");
}

static bool add_table(struct reader *reader, struct database *database, struct output *sql, int table)
{
	if (!database_has(database, tables[table].name, NULL))
		return false; /* tables are made when there is something for them */
	output_print(sql, "%sSELECT %d, w.rowid", sql->length > 0 ? " UNION ALL " : "", table);
	for (int column = COLUMN_START; column < COLUMN_COUNT; column++)
		add_column(reader, database, sql, table, column);
	output_print(sql, " FROM %s w", tables[table].name);
	return true;
}

static bool on_version(void *context, struct database *database)
{
	struct reader *reader = context;
	const char *version = database_text(database, 0);
	if (version != NULL)
		reader->source = arena_format(
			reader->build->arena, "nsys SQLite export, schema %s", value_shorten(reader->build->arena, version, 20));
	return false;
}

static void read_version(struct reader *reader, struct database *database)
{
	reader->source = "nsys SQLite export";
	if (database_has(database, "META_DATA_EXPORT", "value"))
		database_rows(database, "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'", on_version, reader);
}

/* ---- the GPUs: TARGET_INFO_GPU numbers those of the machine; TARGET_INFO_CUDA_DEVICE, where there is one, says which of them a device is
 */

static bool on_board(void *context, struct database *database)
{
	struct reader *reader = context;
	int64_t device = database_integer(database, 0, "the number of a device");
	const char *name = database_text(database, 1);
	if (device >= 0 && device < TRACE_DEVICES)
		reader->gpus[device] = (struct trace_gpu){name == NULL ? NULL : trace_board(reader->build, name),
			database_integer(database, 2, "computeMajor"), database_integer(database, 3, "computeMinor"),
			database_integer(database, 4, "smCount")};
	return true;
}

static void read_boards(struct reader *reader, struct database *database)
{
	if (!database_has(database, "TARGET_INFO_GPU", "name") || !database_has(database, "TARGET_INFO_GPU", "id"))
		return;
	bool mapped =
		database_has(database, "TARGET_INFO_CUDA_DEVICE", "cudaId") && database_has(database, "TARGET_INFO_CUDA_DEVICE", "gpuId");
	static const char *const numbers[] = {"computeMajor", "computeMinor", "smCount"};
	struct output sql = {0};
	output_print(&sql, "SELECT %s, g.name", mapped ? "d.cudaId" : "g.id");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		output_print(&sql, database_has(database, "TARGET_INFO_GPU", numbers[i]) ? ", g.%s" : ", NULL", numbers[i]);
	output_print(&sql, " FROM TARGET_INFO_GPU g%s LIMIT 4096", mapped ? ", TARGET_INFO_CUDA_DEVICE d WHERE d.gpuId = g.id" : "");
	database_rows(database, sql.text, on_board, reader);
	output_finish(&sql);
}

static bool on_graph(void *context, struct database *database)
{
	struct reader *reader = context;
	trace_note_unshaped(reader->build,
		arena_format(reader->build->row, "the launch of a graph in row %" PRId64 " of CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
			database_integer(database, 0, "the number of a row")),
		reader->path, 0);
	return false;
}

/* Where graphs are traced as a whole, nothing of what is in them is in the other tables. */
static void refuse_whole_graphs(struct reader *reader, struct database *database)
{
	if (database_has(database, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", NULL))
		database_rows(database, "SELECT rowid FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE LIMIT 1", on_graph, reader);
}

static bool on_capability(void *context, struct database *database)
{
	struct reader *reader = context;
	int64_t major = database_integer(database, 0, "computeMajor");
	if (major != NONE && major >= CLUSTERED_SINCE)
		reader->build->unclustered = "this export";
	return true;
}

/* GPUs that have clusters, and an export that does not say which kernels have them. */
static void find_unclustered(struct reader *reader, struct database *database)
{
	if (database_has(database, tables[0].name, NULL) && !database_has(database, tables[0].name, "clusterX") &&
		database_has(database, "TARGET_INFO_GPU", "computeMajor"))
		database_rows(database, "SELECT computeMajor FROM TARGET_INFO_GPU LIMIT 4096", on_capability, reader);
}

void import_read_nsys_sqlite(struct import_build *build, const char *path)
{
	struct reader reader = {.build = build, .path = path};
	struct database *database = database_open(build, path);
	struct output sql = {0};
	int found = 0;
	if (database == NULL)
		return;
	read_version(&reader, database);
	read_boards(&reader, database);
	reader.labels = database_has(database, "ENUM_CUDA_MEMCPY_OPER", "label");
	reader.recording = is_correlated(database) ? recording_open(build, path, "row") : NULL;
	refuse_whole_graphs(&reader, database);
	find_unclustered(&reader, database);
	keep_names(&reader, database);
	for (int i = 0; i < 3; i++)
		found += add_table(&reader, database, &sql, i);
	if (found > 0 && !database_has(database, "StringIds", "value") && build->diagnostics->errors == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_COLUMN, path, 0, "expected a table StringIds with the names");
	output_print(&sql, " ORDER BY %d, %d", COLUMN_START + 1, COLUMN_END + 1);
	if (found == 0 && build->diagnostics->errors == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0,
			"expected a table CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY or _MEMSET: was CUDA traced?");
	if (build->diagnostics->errors == 0)
		database_rows(database, sql.text, on_row, &reader);
	if (build->diagnostics->errors == 0)
		read_calls(&reader, database);
	if (reader.recording != NULL)
		recording_close(build, reader.recording);
	output_finish(&sql);
	database_close(database);
}
