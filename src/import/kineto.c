/* Traces of torch.profiler, as Kineto writes them: one JSON object, whose traceEvents are work of the GPU and calls of the host, in any
 * order.
 *
 * Source: github.com/pytorch/kineto, libkineto/src: output_json.cpp (the file), CuptiActivity.cpp and CudaMetadataFields.h (what stands in
 * args), DeviceProperties.cpp (the GPU). Times are microseconds with three decimals. "shared memory" is the sum of the static and the
 * dynamic part, without the driver's. Clusters stand nowhere. Before March 2024 times were whole microseconds, and the rest was cut off
 * (github.com/pytorch/kineto/pull/890). */
#include "import/json_stream.h"
#include "import/recorded.h"
#include "import/trace_readers.h"
#include "import/values.h"

#include <inttypes.h>
#include <string.h>

struct reader {
	struct import_build *build;
	const char *path;
	struct recording *recording;
	struct trace_gpu gpus[TRACE_DEVICES];
	bool events;
};

static void complain(const struct reader *reader, const struct json_piece *piece, enum diagnostic_code code, const char *text)
{
	diagnose(reader->build->diagnostics, code, reader->path, piece->line, "event %" PRId64 " at byte %" PRId64 ": %s", piece->index,
		piece->byte, text);
}

/* ---- numbers */

static int64_t count_of(const struct reader *reader, const struct json_piece *piece, const struct tree *object, const char *name)
{
	const struct tree *value = tree_get(object, name);
	if (value == NULL)
		return NONE;
	if (value->kind == TREE_INTEGER && value->integer >= 0 && value->integer != NONE)
		return value->integer;
	complain(reader, piece, DIAGNOSTIC_IMPORT_VALUE,
		arena_format(reader->build->row, "%s: expected a whole number of at least 0", name));
	return NONE;
}

static int64_t wanted_count(const struct reader *reader, const struct json_piece *piece, const struct tree *object, const char *name)
{
	if (tree_get(object, name) == NULL)
		complain(reader, piece, DIAGNOSTIC_IMPORT_COLUMN, arena_format(reader->build->row, "expected \"%s\" in \"args\"", name));
	return count_of(reader, piece, object, name);
}

static struct rational microseconds(const struct reader *reader, const struct json_piece *piece, const char *name)
{
	struct rational value = RATIONAL_NONE;
	const char *digits = json_piece_number(reader->build, piece, name);
	if (digits == NULL || units_parse(arena_format(reader->build->row, "%sus", digits), UNIT_TIME, RATIONAL_NONE, &value) != UNITS_OK)
		complain(reader, piece, DIAGNOSTIC_IMPORT_VALUE,
			arena_format(reader->build->row, "%s: expected a time in microseconds, at least 0", name));
	return value;
}

/* ns by which the begin and the duration may each be more. */
static int64_t cut_off(const struct reader *reader, const struct json_piece *piece)
{
	return strchr(json_piece_number(reader->build, piece, "dur"), '.') == NULL ? 999 : 0;
}

/* False with a diagnostic. The end is rounded up, the begin down. */
static bool read_times(const struct reader *reader, const struct json_piece *piece, int64_t *start, int64_t *end)
{
	struct rational begin = microseconds(reader, piece, "ts"), length = microseconds(reader, piece, "dur");
	if (rational_is_none(begin) || rational_is_none(length))
		return false;
	reader->recording->cut = checked_max(reader->recording->cut, cut_off(reader, piece));
	*start = rational_floor(begin);
	*end = rational_ceil(rational_add(begin, length));
	if (*start != NONE && *end != NONE)
		return true;
	complain(reader, piece, DIAGNOSTIC_IMPORT_VALUE, "expected times that fit 64 bits of nanoseconds");
	return false;
}

static void read_extents(
	const struct reader *reader, const struct json_piece *piece, const struct tree *args, const char *name, int64_t extents[3])
{
	const struct tree *list = tree_get(args, name);
	bool three = list != NULL && list->kind == TREE_LIST && list->count == 3;
	for (int i = 0; three && i < 3; i++) {
		extents[i] = list->items[i].integer;
		three = list->items[i].kind == TREE_INTEGER && extents[i] >= 1 && extents[i] <= INT32_MAX;
	}
	if (!three)
		complain(reader, piece, DIAGNOSTIC_IMPORT_VALUE,
			arena_format(reader->build->row, "%s: expected three extents of at least 1", name));
}

/* ---- work */

static void read_kernel(const struct reader *reader, const struct json_piece *piece, const struct tree *args, struct import_item *item)
{
	read_extents(reader, piece, args, "grid", item->grid);
	read_extents(reader, piece, args, "block", item->block);
	item->registers = wanted_count(reader, piece, args, "registers per thread");
	item->shared_dynamic = wanted_count(reader, piece, args, "shared memory");
	item->shared_static = 0;
	item->shared_sum = true;
}

/* "Memcpy HtoD (Pinned -> Device)", "Memset (Device)". False: no work of the GPU. */
static bool read_transfer(const struct reader *reader, const struct json_piece *piece, const struct tree *args, struct import_item *item)
{
	const char *name = item->name;
	enum trace_work work = TRACE_UNKNOWN;
	if (strncmp(name, "Memset", 6) == 0)
		work = trace_classify("[CUDA memset]", item);
	else if (strncmp(name, "Memcpy ", 7) == 0)
		work = trace_classify(arena_format(reader->build->row, "[CUDA memcpy %.*s]", (int)strcspn(name + 7, " "), name + 7), item);
	if (work == TRACE_HOST)
		return false;
	if (work == TRACE_UNKNOWN)
		complain(reader, piece, DIAGNOSTIC_IMPORT_UNSUPPORTED,
			arena_format(reader->build->row, "expected a copy or a memset; got '%s'",
				value_shorten(reader->build->row, name, VALUE_SHORT)));
	item->bytes = count_of(reader, piece, args, "bytes");
	item->pageable = item->kind == OPERATION_COPY && strstr(name, "Pageable") != NULL;
	if (item->kind == OPERATION_COPY && strstr(name, "Managed") != NULL)
		item->memory = "managed";
	item->name =
		item->kind == OPERATION_MEMSET ? "memset" : arena_format(reader->build->row, "memcpy-%s", direction_names[item->direction]);
	return true;
}

static bool read_work(const struct reader *reader, const struct json_piece *piece, const struct tree *args, bool kernel)
{
	struct import_build *build = reader->build;
	struct recorded_work work = {.process = 0, .row = piece->index};
	struct import_item item = import_blank(OPERATION_KERNEL, tree_text(piece->tree, "name", ""));
	int64_t device = wanted_count(reader, piece, args, "device"), context = wanted_count(reader, piece, args, "context");
	int64_t stream = wanted_count(reader, piece, args, "stream"), graph = count_of(reader, piece, args, "graph id");
	work.correlation = wanted_count(reader, piece, args, "correlation");
	if (build->diagnostics->errors > 0 || !read_times(reader, piece, &work.start, &work.end))
		return false;
	if (!import_device(build, arena_format(build->row, "%" PRId64, device), reader->path, piece->line))
		return build->diagnostics->errors == 0;
	if (work.end == 0) /* CUPTI could not collect them: github.com/pytorch/kineto/issues/109 */
		complain(reader, piece, DIAGNOSTIC_IMPORT_VALUE,
			"expected the times of begin and end; both are 0, which says that they were lost");
	if (*item.name == '\0')
		complain(reader, piece, DIAGNOSTIC_IMPORT_VALUE, "expected a name");
	if (kernel)
		read_kernel(reader, piece, args, &item);
	else if (!read_transfer(reader, piece, args, &item))
		return true;
	item.longest = checked_add(work.end - work.start, cut_off(reader, piece));
	item.samples = 1;
	item.source = "torch.profiler, Kineto trace";
	item.file = reader->path;
	item.row = arena_format(build->row, "event %" PRId64, piece->index);
	item.board = trace_on(build, reader->gpus, device, reader->path);
	work.graph = graph != NONE && graph != 0;
	if (build->diagnostics->errors > 0)
		return false;
	work.item = import_item(build, &item);
	work.lane = trace_lane(build, arena_format(build->row, "%" PRId64, context), arena_format(build->row, "%" PRId64, stream));
	return recording_work(build, reader->recording, &work);
}

/* ---- calls */

/* Threads are numbers, or texts of their own for what is no thread. */
static bool read_call(const struct reader *reader, const struct json_piece *piece, const struct tree *args)
{
	const char *refused = NULL;
	struct recorded_call call = {.process = 0, .row = piece->index};
	const struct tree *thread = tree_get(piece->tree, "tid");
	call.kind = recording_call_kind(tree_text(piece->tree, "name", ""), &call.waits, &refused);
	if (refused != NULL)
		complain(reader, piece, DIAGNOSTIC_IMPORT_UNSUPPORTED, refused);
	if (call.kind == CALL_OTHER || refused != NULL)
		return refused == NULL;
	call.correlation = wanted_count(reader, piece, args, "correlation");
	call.thread = thread != NULL && thread->kind == TREE_INTEGER ? thread->integer : 0;
	if (!read_times(reader, piece, &call.start, &call.end) || reader->build->diagnostics->errors > 0)
		return false;
	return recording_call(reader->build, reader->recording, &call);
}

/* ---- events, and the GPU */

static bool read_event(struct reader *reader, const struct json_piece *piece)
{
	const struct tree *args = tree_get(piece->tree, "args");
	const char *category = tree_text(piece->tree, "cat", "");
	if (piece->tree == NULL || piece->tree->kind != TREE_OBJECT) {
		complain(reader, piece, DIAGNOSTIC_IMPORT_FORMAT, "expected an object");
		return false;
	}
	reader->events = true;
	if (strcmp(tree_text(piece->tree, "ph", ""), "X") != 0)
		return true;
	if (strcmp(category, "kernel") == 0 || strcmp(category, "gpu_memcpy") == 0 || strcmp(category, "gpu_memset") == 0)
		return read_work(reader, piece, args, category[0] == 'k');
	if (strcmp(category, "cuda_runtime") == 0 || strcmp(category, "cuda_driver") == 0)
		return read_call(reader, piece, args);
	return true;
}

/* Of deviceProperties: the parameters of a platform model. */
static const struct {
	const char *property;
	enum parameter parameter;
	bool threads; /* counted in warps by us */
} limits[] = {
	{"numSms", PARAMETER_SM_COUNT, false},
	{"maxThreadsPerMultiprocessor", PARAMETER_SM_WARPS, true},
	{"regsPerMultiprocessor", PARAMETER_SM_REGISTERS, false},
	{"sharedMemPerMultiprocessor", PARAMETER_SM_SHARED, false},
	{"maxThreadsPerBlock", PARAMETER_BLOCK_THREADS, false},
	{"regsPerBlock", PARAMETER_BLOCK_REGISTERS, false},
	{"sharedMemPerBlock", PARAMETER_BLOCK_SHARED, false},
	{"sharedMemPerBlockOptin", PARAMETER_BLOCK_SHARED_OPTIN, false},
};

static void read_limits(struct reader *reader, const struct json_piece *piece)
{
	struct import_build *build = reader->build;
	struct output text = {0};
	int64_t warp = count_of(reader, piece, piece->tree, "warpSize");
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		int64_t value = count_of(reader, piece, piece->tree, limits[i].property);
		if (limits[i].threads)
			value = value == NONE || warp == NONE || warp == 0 ? NONE : value / warp;
		trace_limit(&text, limits[i].parameter, value, "deviceProperties of a Kineto trace");
	}
	build->limits = text.length > 0 ? arena_copy(build->arena, text.text) : build->limits;
	output_finish(&text);
}

static void read_device(struct reader *reader, const struct json_piece *piece)
{
	struct import_build *build = reader->build;
	int64_t device = count_of(reader, piece, piece->tree, "id"), major = count_of(reader, piece, piece->tree, "computeMajor");
	const char *name = tree_text(piece->tree, "name", NULL), *wanted = build->options->device;
	if (device == NONE || device >= TRACE_DEVICES)
		return;
	reader->gpus[device] = (struct trace_gpu){name == NULL ? NULL : trace_board(build, name), major,
		count_of(reader, piece, piece->tree, "computeMinor"), count_of(reader, piece, piece->tree, "numSms")};
	bool counts = wanted == NULL ? device == 0 : strcmp(wanted, arena_format(build->row, "%" PRId64, device)) == 0;
	if (!counts)
		return;
	read_limits(reader, piece);
	if (major != NONE && major >= CLUSTERED_SINCE)
		build->unclustered = "a Kineto trace";
}

static bool read_piece(void *context, const struct json_piece *piece)
{
	struct reader *reader = context;
	if (strcmp(piece->member, "traceEvents") == 0 && piece->index != NONE)
		return read_event(reader, piece);
	if (strcmp(piece->member, "deviceProperties") == 0 && piece->tree != NULL)
		read_device(reader, piece);
	return reader->build->diagnostics->errors == 0;
}

void import_read_kineto(struct import_build *build, const char *path)
{
	struct reader reader = {.build = build, .path = path, .recording = recording_open(build, path, "event")};
	json_stream_read(build, path, read_piece, &reader);
	if (!reader.events && build->diagnostics->errors == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0, "expected traceEvents, as torch.profiler exports them");
	recording_close(build, reader.recording);
}
