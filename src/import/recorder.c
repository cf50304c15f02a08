/* Recordings of the recorder in probe/recorder: a line for each record, of words NAME=VALUE; gpubound-recording(5).
 *
 * Source: probe/recorder/record_writer.c, which writes them. The last line counts the records, so that one that is cut off is seen. */
#include "base/lines.h"
#include "import/recorded.h"
#include "import/trace_readers.h"
#include "import/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 24      /* of a line */
#define NAMES 1000000 /* of kernels */
#define PLACES 4096   /* contexts, and streams */

struct word {
	const char *name;
	char *value;
};

struct context {
	int64_t id, null_stream;
	int64_t green_sms; /* NONE: of no green context */
	int64_t parent;    /* NONE: not said */
};

struct stream_of {
	int64_t context, id, priority;
	enum stream_kind kind;
};

/* A lane, as the recording numbers it. */
struct used {
	int64_t context, stream;
	int lane;
};

struct reader {
	struct import_build *build;
	const char *path;
	struct recording *recording;
	long line;
	struct word words[WORDS];
	int word_count;
	const char **names;
	int name_count, name_capacity;
	struct context *contexts;
	struct stream_of *streams;
	struct used *used;
	int context_count, context_capacity, stream_count, stream_capacity, used_count, used_capacity;
	struct trace_gpu gpus[TRACE_DEVICES];
	int64_t records, lost;
	bool ended;
};

static void complain(const struct reader *reader, enum diagnostic_code code, const char *text)
{
	diagnose(reader->build->diagnostics, code, reader->path, reader->line, "%s", text);
}

/* ---- a line */

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The character of "%XX"; NUL: it is none. */
static char decode_one(const char *text)
{
	int high = hex(text[1]), low = high < 0 ? -1 : hex(text[2]);
	return low < 0 ? '\0' : (char)(high * 16 + low);
}

/* In place. False: a '%' begins no character. */
static bool decode(char *text)
{
	char *to = text;
	for (const char *from = text; *from != '\0'; to++) {
		bool escaped = *from == '%';
		*to = escaped ? decode_one(from) : *from;
		if (*to == '\0')
			return false;
		from += escaped ? 3 : 1;
	}
	*to = '\0';
	return true;
}

/* Cuts the line into its words. False with a diagnostic. */
static bool cut(struct reader *reader, char *text)
{
	reader->word_count = 0;
	for (char *word = text; word != NULL && *word != '\0';) {
		char *next = strchr(word, ' '), *equals = strchr(word, '=');
		if (next != NULL)
			*next++ = '\0';
		if (equals == NULL || (next != NULL && equals >= next) || equals == word || reader->word_count == WORDS ||
			!decode(equals + 1)) {
			complain(reader, DIAGNOSTIC_IMPORT_FORMAT, "expected words NAME=VALUE, blanks in values as %20");
			return false;
		}
		*equals = '\0';
		reader->words[reader->word_count++] = (struct word){word, equals + 1};
		word = next;
	}
	return true;
}

static const char *text_of(const struct reader *reader, const char *name)
{
	for (int i = 0; i < reader->word_count; i++)
		if (strcmp(reader->words[i].name, name) == 0)
			return reader->words[i].value;
	return NULL;
}

/* NONE where there is none; with a diagnostic where it is no number, or is wanted and not there. */
static int64_t number_of(const struct reader *reader, const char *name, bool wanted)
{
	const char *text = text_of(reader, name);
	if (text == NULL && wanted)
		complain(reader, DIAGNOSTIC_IMPORT_COLUMN, arena_format(reader->build->row, "expected %s=", name));
	if (text == NULL)
		return NONE;
	return value_read(reader->build, text, "", UNIT_COUNT, VALUE_EXACT, name, reader->path, reader->line);
}

static int64_t signed_of(const struct reader *reader, const char *name)
{
	const char *text = text_of(reader, name);
	bool negative = text != NULL && *text == '-';
	int64_t value = text == NULL || (negative && text[1] == '\0')
				? NONE
				: value_read(reader->build, text + negative, "", UNIT_COUNT, VALUE_EXACT, name, reader->path, reader->line);
	return value == NONE ? NONE : negative ? -value : value;
}

/* ---- what runs where */

static void read_name(struct reader *reader)
{
	int64_t id = number_of(reader, "id", true);
	const char *text = text_of(reader, "text");
	if (id != reader->name_count + 1 || text == NULL || *text == '\0' || id > NAMES) {
		complain(reader, DIAGNOSTIC_IMPORT_VALUE, "expected text= and the next id=");
		return;
	}
	reader->names =
		arena_grow(reader->build->arena, reader->names, &reader->name_capacity, reader->name_count + 1, sizeof *reader->names);
	reader->names[reader->name_count++] = arena_copy(reader->build->arena, text);
}

static bool is_beyond(const struct reader *reader, int count)
{
	if (count < PLACES)
		return false;
	diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, reader->path, reader->line,
		"expected at most %d contexts and as many streams", PLACES);
	return true;
}

static void read_context(struct reader *reader)
{
	struct context context = {number_of(reader, "id", true), number_of(reader, "null-stream", false),
		number_of(reader, "green-sms", false), number_of(reader, "parent", false)};
	if (is_beyond(reader, reader->context_count))
		return;
	reader->contexts = arena_grow(
		reader->build->arena, reader->contexts, &reader->context_capacity, reader->context_count + 1, sizeof *reader->contexts);
	reader->contexts[reader->context_count++] = context;
}

static void read_stream(struct reader *reader)
{
	struct stream_of stream = {
		number_of(reader, "context", true), number_of(reader, "id", true), signed_of(reader, "priority"), STREAM_BLOCKING};
	const char *kind = text_of(reader, "kind");
	for (int i = 0; kind != NULL && i <= STREAM_NULL; i++)
		if (strcmp(kind, stream_names[i]) == 0)
			stream.kind = (enum stream_kind)i;
	if (is_beyond(reader, reader->stream_count))
		return;
	reader->streams = arena_grow(
		reader->build->arena, reader->streams, &reader->stream_capacity, reader->stream_count + 1, sizeof *reader->streams);
	reader->streams[reader->stream_count++] = stream;
}

static void read_device(struct reader *reader)
{
	static const enum parameter parameters[] = {PARAMETER_SM_COUNT, PARAMETER_SM_WARPS, PARAMETER_SM_REGISTERS, PARAMETER_SM_SHARED,
		PARAMETER_BLOCK_THREADS, PARAMETER_BLOCK_REGISTERS, PARAMETER_BLOCK_SHARED};
	struct import_build *build = reader->build;
	struct output text = {0};
	int64_t device = number_of(reader, "id", true);
	const char *name = text_of(reader, "name"), *wanted = build->options->device;
	if (device != NONE && device < TRACE_DEVICES)
		reader->gpus[device] = (struct trace_gpu){name == NULL ? NULL : trace_board(build, name), number_of(reader, "major", false),
			number_of(reader, "minor", false), number_of(reader, parameter_kinds[PARAMETER_SM_COUNT].name, false)};
	for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
		trace_limit(&text, parameters[i], number_of(reader, parameter_kinds[parameters[i]].name, false), "a recording");
	bool counts = device != NONE && (wanted == NULL ? device == 0 : strcmp(wanted, arena_format(build->row, "%" PRId64, device)) == 0);
	if (counts && text.length > 0)
		build->limits = arena_copy(build->arena, text.text);
	output_finish(&text);
}

/* ---- work */

static int lane_of(struct reader *reader, int64_t context, int64_t stream)
{
	for (int i = reader->used_count; i-- > 0;)
		if (reader->used[i].context == context && reader->used[i].stream == stream)
			return reader->used[i].lane;
	struct import_build *build = reader->build;
	int lane = trace_lane(build, arena_format(build->row, "%" PRId64, context), arena_format(build->row, "%" PRId64, stream));
	reader->used = arena_grow(build->arena, reader->used, &reader->used_capacity, reader->used_count + 1, sizeof *reader->used);
	reader->used[reader->used_count++] = (struct used){context, stream, lane};
	return lane;
}

static void read_extents(const struct reader *reader, const char *name, int64_t extents[3])
{
	const char *text = text_of(reader, name);
	value_extents(reader->build, text != NULL ? text : "", extents, name, reader->path, reader->line);
}

static bool read_kernel(const struct reader *reader, struct import_item *item)
{
	int64_t name = number_of(reader, "name", true), cluster[3] = {1, 1, 1};
	const char *launch = text_of(reader, "launch");
	if (name == NONE || name < 1 || name > reader->name_count) {
		complain(reader, DIAGNOSTIC_IMPORT_VALUE, "expected name=, the id of a name before this line");
		return false;
	}
	item->name = item->symbol = reader->names[name - 1];
	item->registers = number_of(reader, "registers", true);
	item->shared_static = number_of(reader, "shared-static", true);
	item->shared_dynamic = number_of(reader, "shared-dynamic", true);
	read_extents(reader, "grid", item->grid);
	read_extents(reader, "block", item->block);
	if (text_of(reader, "cluster") != NULL)
		read_extents(reader, "cluster", cluster);
	int64_t blocks = checked_mul(checked_mul(cluster[0], cluster[1]), cluster[2]);
	item->cluster = blocks > 1 ? blocks : NONE;
	if (launch != NULL && strcmp(launch, "cooperative") == 0)
		complain(reader, DIAGNOSTIC_IMPORT_UNSUPPORTED,
			"expected a regular launch; blocks of a cooperative one wait for each other, which no task set can say");
	item->launch = launch != NULL && strcmp(launch, "device") == 0 ? "device" : NULL;
	return true;
}

static bool is_text(const struct reader *reader, const char *name, const char *value)
{
	const char *text = text_of(reader, name);
	return text != NULL && strcmp(text, value) == 0;
}

/* False: no work of the GPU. */
static bool read_copy(const struct reader *reader, struct import_item *item)
{
	const char *kind = text_of(reader, "kind");
	item->kind = OPERATION_COPY;
	item->direction = DIRECTION_COUNT;
	item->bytes = number_of(reader, "bytes", false);
	if (kind != NULL && strcmp(kind, "h2h") == 0)
		return false;
	for (int i = 0; kind != NULL && i < DIRECTION_MEMSET; i++)
		item->direction = strcmp(kind, direction_names[i]) == 0 ? (enum direction)i : item->direction;
	if (item->direction == DIRECTION_COUNT) {
		complain(reader, DIAGNOSTIC_IMPORT_UNSUPPORTED, "expected kind=h2d, d2h, d2d or peer");
		return false;
	}
	item->pageable = is_text(reader, "source", "pageable") || is_text(reader, "target", "pageable");
	if (is_text(reader, "source", "managed") || is_text(reader, "target", "managed"))
		item->memory = "managed";
	item->name = arena_format(reader->build->row, "memcpy-%s", direction_names[item->direction]);
	return true;
}

static bool read_item(const struct reader *reader, enum operation_kind kind, struct import_item *item)
{
	if (kind == OPERATION_KERNEL)
		return read_kernel(reader, item);
	if (kind == OPERATION_COPY)
		return read_copy(reader, item);
	item->kind = OPERATION_MEMSET;
	item->direction = DIRECTION_MEMSET;
	item->bytes = number_of(reader, "bytes", false);
	return true;
}

static void read_work(struct reader *reader, enum operation_kind kind)
{
	struct import_build *build = reader->build;
	struct import_item item = import_blank(OPERATION_KERNEL, "memset");
	int64_t device = number_of(reader, "device", true), context = number_of(reader, "context", true),
		stream = number_of(reader, "stream", true);
	struct recorded_work work = {.start = number_of(reader, "start", true),
		.end = number_of(reader, "end", true),
		.correlation = number_of(reader, "correlation", true),
		.graph = text_of(reader, "graph") != NULL || text_of(reader, "node") != NULL,
		.row = reader->line};
	if (build->diagnostics->errors > 0 ||
		!import_device(build, arena_format(build->row, "%" PRId64, device), reader->path, reader->line))
		return;
	if (work.end < work.start || work.end == 0) /* both 0: CUPTI could not collect them */
		complain(reader, DIAGNOSTIC_IMPORT_VALUE, "expected the times of start and end");
	if (!read_item(reader, kind, &item) || build->diagnostics->errors > 0)
		return;
	item.longest = work.end - work.start;
	item.samples = 1;
	item.source = "gpubound-recorder";
	item.file = reader->path;
	item.row = arena_format(build->row, "%ld", reader->line);
	item.board = trace_on(build, reader->gpus, device, reader->path);
	work.item = import_item(build, &item);
	work.lane = lane_of(reader, context, stream);
	recording_work(build, reader->recording, &work);
}

static void read_graph(struct reader *reader)
{
	trace_note_unshaped(reader->build, "the launch of a graph", reader->path, reader->line);
}

static void read_call(struct reader *reader)
{
	const char *refused, *function = text_of(reader, "function");
	struct recorded_call call = {.row = reader->line};
	call.kind = recording_call_kind(function != NULL ? function : "", &call.waits, &refused);
	int64_t result = number_of(reader, "result", true);
	if (refused != NULL)
		complain(reader, DIAGNOSTIC_IMPORT_UNSUPPORTED, refused);
	if (call.kind == CALL_OTHER || (result != NONE && result != 0)) /* a call that failed launched nothing */
		return;
	call.start = number_of(reader, "start", true);
	call.end = number_of(reader, "end", true);
	call.thread = number_of(reader, "thread", true);
	call.correlation = number_of(reader, "correlation", true);
	if (call.start != NONE && call.end != NONE && call.end < call.start)
		complain(reader, DIAGNOSTIC_IMPORT_VALUE, "expected an end that is not before the start");
	if (reader->build->diagnostics->errors == 0)
		recording_call(reader->build, reader->recording, &call);
}

static void read_lost(struct reader *reader)
{
	reader->lost = checked_add(reader->lost, number_of(reader, "records", true));
}

static void read_end(struct reader *reader)
{
	int64_t records = number_of(reader, "records", true), lost = number_of(reader, "lost", true);
	reader->ended = true;
	if (records != NONE && records != reader->records - 1)
		diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_LOST, reader->path, reader->line,
			"expected %" PRId64 " records before the end; there are %" PRId64, records, reader->records - 1);
	if (lost != 0 || reader->lost != 0)
		diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_LOST, reader->path, reader->line,
			"expected a recording that lost nothing; %" PRId64
			" records were lost: give GPUBOUND_RECORDER_BUFFER more, or record less",
			lost != 0 ? lost : reader->lost);
}

/* ---- the file */

static void read_memset(struct reader *reader)
{
	read_work(reader, OPERATION_MEMSET);
}

static void read_copies(struct reader *reader)
{
	read_work(reader, OPERATION_COPY);
}

static void read_kernels(struct reader *reader)
{
	read_work(reader, OPERATION_KERNEL);
}

static const struct {
	const char *kind;
	void (*read)(struct reader *reader);
} kinds[] = {
	{"call", read_call},
	{"kernel", read_kernels},
	{"copy", read_copies},
	{"memset", read_memset},
	{"name", read_name},
	{"graph", read_graph},
	{"device", read_device},
	{"context", read_context},
	{"stream", read_stream},
	{"lost", read_lost},
	{"end", read_end},
};

static void read_line(struct reader *reader, char *text)
{
	char *rest = strchr(text, ' ');
	if (rest != NULL)
		*rest++ = '\0';
	reader->records++;
	if (reader->ended) {
		complain(reader, DIAGNOSTIC_IMPORT_FORMAT, "expected nothing behind the end");
		return;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].kind, text) != 0)
			continue;
		if (cut(reader, rest))
			kinds[i].read(reader);
		return;
	}
	complain(reader, DIAGNOSTIC_IMPORT_FORMAT,
		arena_format(reader->build->row, "expected a kind of record; got '%s'", value_shorten(reader->build->row, text, 40)));
}

static bool read_header(struct reader *reader, struct line_reader *lines)
{
	char *text;
	enum line_status status = line_reader_next(lines, &text);
	if (status == LINE_READ && strcmp(text, "gpubound-recording 1") == 0)
		return true;
	reader->line = 1;
	if (status != LINE_REFUSED)
		complain(reader, DIAGNOSTIC_IMPORT_FORMAT, "expected a first line 'gpubound-recording 1'");
	return false;
}

static void read_lines(struct reader *reader, struct line_reader *lines)
{
	char *text;
	enum line_status status = LINE_END;
	while (reader->build->diagnostics->errors == 0 && (status = line_reader_next(lines, &text)) == LINE_READ) {
		reader->line = line_reader_number(lines);
		read_line(reader, text);
		import_row_end(reader->build);
	}
	if (reader->build->diagnostics->errors == 0 && !reader->ended)
		complain(reader, DIAGNOSTIC_IMPORT_LOST, "expected an end: the recording is cut off; was the program killed?");
}

/* ---- streams, as contexts and streams were recorded before or behind their work */

/* A green context is a part of its process, whose context is named as its parent, or is the only other one. */
static void place_in_partition(struct reader *reader, struct import_lane *lane, const struct context *green)
{
	struct arena *arena = reader->build->arena;
	int64_t process = green->parent;
	for (int i = 0; i < reader->context_count && process == NONE; i++)
		process = reader->contexts[i].green_sms == NONE ? reader->contexts[i].id : NONE;
	if (process == NONE || green->green_sms < 1) {
		diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, reader->path, 0,
			"expected green-sms= and parent= of green context %" PRId64
			", and the context that is its parent; record with the library of this version",
			green->id);
		return;
	}
	lane->process = arena_format(arena, "c%" PRId64, process);
	lane->partition = arena_format(arena, "green-%" PRId64, green->id);
	lane->partition_sms = green->green_sms;
}

static void finish_used(struct reader *reader, const struct used *used)
{
	struct import_lane *lane = &reader->build->lanes[used->lane];
	for (int i = 0; i < reader->stream_count; i++) {
		const struct stream_of *stream = &reader->streams[i];
		if (stream->context != used->context || stream->id != used->stream)
			continue;
		lane->cuda_priority = stream->priority;
		lane->kind = stream->kind;
	}
	for (int i = 0; i < reader->context_count; i++) {
		const struct context *context = &reader->contexts[i];
		if (context->id != used->context)
			continue;
		lane->kind = context->null_stream == used->stream ? STREAM_NULL : lane->kind;
		if (context->green_sms != NONE)
			place_in_partition(reader, lane, context);
	}
}

void import_read_recorder(struct import_build *build, const char *path)
{
	struct reader reader = {.build = build, .path = path, .recording = recording_open(build, path, "line")};
	struct line_reader *lines = line_reader_open(build->diagnostics, path, DIAGNOSTIC_IMPORT_FORMAT, DIAGNOSTIC_IMPORT_FORMAT);
	if (lines == NULL)
		return;
	if (read_header(&reader, lines))
		read_lines(&reader, lines);
	line_reader_close(lines);
	for (int i = 0; i < reader.used_count && build->diagnostics->errors == 0; i++)
		finish_used(&reader, &reader.used[i]);
	recording_close(build, reader.recording);
}
