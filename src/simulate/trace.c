/* Reads the trace CSV row by row and hands out whole configurations. */
#include "simulate/trace.h"

#include "base/assert.h"
#include "base/lines.h"
#include "model/sm_set.h"

#include <string.h>

#define COLUMNS_MOST 64

enum column {
	COLUMN_EXPERIMENT,
	COLUMN_CONFIGURATION,
	COLUMN_REPETITION,
	COLUMN_MODE,
	COLUMN_KERNEL,
	COLUMN_STREAM,
	COLUMN_PRIORITY,
	COLUMN_GX,
	COLUMN_GY,
	COLUMN_GZ,
	COLUMN_THREADS,
	COLUMN_SHARED,
	COLUMN_VARIANT,
	COLUMN_BLOCK,
	COLUMN_SM,
	COLUMN_TICKET,
	COLUMN_BEGIN,
	COLUMN_END,
	COLUMN_REQUIRED,
	COLUMN_REGISTERS = COLUMN_REQUIRED,
	COLUMN_STATIC,
	COLUMN_CARVEOUT,
	COLUMN_PARTITION,
	COLUMN_COUNT,
	COLUMN_OTHER
};

/* Names, and the greatest number each may hold. */
static const struct {
	const char *name;
	int64_t most;
} columns[COLUMN_COUNT] = {
	{"exp", 0},
	{"cfg", INT32_MAX},
	{"rep", INT32_MAX},
	{"mode", 1},
	{"kernel", TRACE_KERNELS_MOST - 1},
	{"stream", INT32_MAX},
	{"prio", INT32_MAX},
	{"gx", INT32_MAX},
	{"gy", INT32_MAX},
	{"gz", INT32_MAX},
	{"threads", 65536},
	{"smem", INT32_MAX},
	{"variant", INT32_MAX},
	{"block", TRACE_BLOCKS_MOST - 1},
	{"smid", INT32_MAX},
	{"ticket", INT64_MAX - 1},
	{"t0", INT64_MAX / 4},
	{"t1", INT64_MAX / 4},
	{"registers", 65536},
	{"static", INT32_MAX},
	{"carveout", 100},
	{"partition", 0},
};

struct row {
	char experiment[TRACE_NAME_MOST];
	int64_t number[COLUMN_COUNT];
	const uint64_t *members;
	long line;
};

struct partition_text { /* the same SMs may be written in several ways */
	const char *text;
	const uint64_t *members;
	const struct partition_text *next;
};

struct trace_reader {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path;
	struct line_reader *lines;
	long line;
	int order[COLUMNS_MOST], column_count; /* the enum column at each place of a row */
	struct row row;                        /* the first row of the next configuration, if pending */
	bool pending, refused, json;
	struct trace_kernel *kernels;
	struct trace_block *blocks;
	int kernel_capacity, block_capacity;
	const struct partition_text *partitions; /* those read so far */
	char *buffer;                            /* the line */
};

static enum trace_status refuse(struct trace_reader *reader)
{
	reader->refused = true;
	return TRACE_REFUSED;
}

/* The next line; those that begin with '#' say how a trace was recorded and are passed over. */
static enum trace_status read_line(struct trace_reader *reader)
{
	enum line_status status;
	do {
		status = line_reader_next(reader->lines, &reader->buffer);
		reader->line = line_reader_number(reader->lines);
	} while (status == LINE_READ && reader->buffer[0] == '#');
	if (status == LINE_REFUSED)
		return refuse(reader);
	return status == LINE_READ ? TRACE_READ : TRACE_END;
}

static enum column find_column(const char *name, size_t length)
{
	for (int c = 0; c < COLUMN_COUNT; c++)
		if (strlen(columns[c].name) == length && strncmp(columns[c].name, name, length) == 0)
			return c;
	return COLUMN_OTHER;
}

static bool check_columns(struct trace_reader *reader)
{
	int seen[COLUMN_COUNT] = {0}, wrong = 0;
	for (int i = 0; i < reader->column_count; i++)
		if (reader->order[i] != COLUMN_OTHER)
			seen[reader->order[i]]++;
	for (int c = 0; c < COLUMN_COUNT; c++) {
		if (seen[c] > 1 || (seen[c] == 0 && c < COLUMN_REQUIRED)) {
			diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_COLUMN, reader->path, reader->line, "column '%s' is %s",
				columns[c].name, seen[c] > 1 ? "there twice" : "missing");
			wrong++;
		}
	}
	return wrong == 0;
}

static bool read_header(struct trace_reader *reader)
{
	if (read_line(reader) != TRACE_READ) {
		if (!reader->refused)
			diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_COLUMN, reader->path, 1,
				"the file is empty; a header line was expected");
		return false;
	}
	for (const char *name = reader->buffer;;) {
		size_t length = strcspn(name, ",");
		if (reader->column_count == COLUMNS_MOST) {
			diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_COLUMN, reader->path, reader->line, "more than %d columns",
				COLUMNS_MOST);
			return false;
		}
		reader->order[reader->column_count++] = find_column(name, length);
		if (name[length] == '\0')
			return check_columns(reader);
		name += length + 1;
	}
}

static bool begins_like_json(struct line_reader *lines)
{
	int first = line_reader_peek(lines);
	return first == '{' || first == '[';
}

struct trace_reader *trace_open(struct diagnostics *diagnostics, const char *path)
{
	struct line_reader *lines = line_reader_open(diagnostics, path, DIAGNOSTIC_TRACE_TRUNCATED, DIAGNOSTIC_TRACE_MALFORMED);
	if (lines == NULL)
		return NULL;
	struct arena *arena = arena_create();
	struct trace_reader *reader = arena_allocate(arena, 1, sizeof *reader);
	reader->arena = arena;
	reader->diagnostics = diagnostics;
	reader->path = path;
	reader->lines = lines;
	reader->json = begins_like_json(lines);
	if (reader->json || read_header(reader))
		return reader;
	trace_close(reader);
	return NULL;
}

void trace_close(struct trace_reader *reader)
{
	if (reader == NULL)
		return;
	line_reader_close(reader->lines);
	arena_destroy(reader->arena);
}

bool trace_is_json(const struct trace_reader *reader)
{
	return reader->json;
}

const char *trace_read_all(struct trace_reader *reader, struct arena *arena, size_t most, size_t *length)
{
	char *text = line_reader_rest(reader->lines, arena, most, length);
	reader->refused = reader->refused || text == NULL;
	return text;
}

/* ---- rows */

static enum trace_status malformed(struct trace_reader *reader, enum column column, const char *text, size_t length)
{
	diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_MALFORMED, reader->path, reader->line, "'%.*s' is no %s: %s",
		(int)(length > 40 ? 40 : length), text, columns[column].name,
		column == COLUMN_EXPERIMENT ? "a short name" : "a whole number in its range was expected");
	return refuse(reader);
}

/* A whole number without sign up to `most`; empty is NONE in the optional columns, and so is -1 (CUDA's default) as a carveout. */
static bool parse_number(const char *text, size_t length, enum column column, int64_t *value)
{
	int64_t number = 0;
	bool preset = column == COLUMN_CARVEOUT && length == 2 && memcmp(text, "-1", 2) == 0;
	if (preset || (length == 0 && column >= COLUMN_REQUIRED)) {
		*value = NONE;
		return true;
	}
	if (length == 0 || length > 18)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		number = number * 10 + (text[i] - '0');
	}
	*value = number;
	return number <= columns[column].most;
}

static bool parse_members(const char *text, uint64_t *members)
{
	int64_t first, last;
	while (sm_range_next(&text, &first, &last)) {
		if (first > last || last >= 64 * PARTITION_WORDS)
			return false;
		for (int64_t sm = first; sm <= last; sm++)
			members[sm / 64] |= UINT64_C(1) << sm % 64;
	}
	return *text == '\0';
}

static const struct partition_text *find_partition(const struct trace_reader *reader, const char *text, size_t length)
{
	const struct partition_text *known = reader->partitions;
	while (known != NULL && (strlen(known->text) != length || memcmp(known->text, text, length) != 0))
		known = known->next;
	return known;
}

static enum trace_status parse_partition(struct trace_reader *reader, const char *text, size_t length)
{
	const struct partition_text *known = find_partition(reader, text, length);
	reader->row.members = known != NULL ? known->members : NULL;
	if (known != NULL || length == 0)
		return TRACE_READ;
	struct partition_text *added = arena_allocate(reader->arena, 1, sizeof *added);
	uint64_t *members = arena_allocate(reader->arena, PARTITION_WORDS, sizeof *members);
	*added = (struct partition_text){arena_format(reader->arena, "%.*s", (int)length, text), members, reader->partitions};
	if (!parse_members(added->text, members)) {
		diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_PARTITION, reader->path, reader->line,
			"'%.40s': expected SM ids or ranges that ascend, below %d", added->text, 64 * PARTITION_WORDS);
		return refuse(reader);
	}
	for (known = reader->partitions; known != NULL; known = known->next)
		if (memcmp(known->members, members, PARTITION_WORDS * sizeof *members) == 0)
			added->members = known->members;
	reader->partitions = added;
	reader->row.members = added->members;
	return TRACE_READ;
}

static enum trace_status parse_field(struct trace_reader *reader, enum column column, const char *text, size_t length)
{
	if (column == COLUMN_OTHER)
		return TRACE_READ;
	if (column == COLUMN_PARTITION)
		return parse_partition(reader, text, length);
	if (column != COLUMN_EXPERIMENT)
		return parse_number(text, length, column, &reader->row.number[column]) ? TRACE_READ
										       : malformed(reader, column, text, length);
	if (length == 0 || length >= TRACE_NAME_MOST || memchr(text, '"', length) != NULL)
		return malformed(reader, column, text, length);
	memcpy(reader->row.experiment, text, length);
	reader->row.experiment[length] = '\0';
	return TRACE_READ;
}

static enum trace_status read_row(struct trace_reader *reader)
{
	enum trace_status status = read_line(reader);
	if (status != TRACE_READ)
		return status;
	struct row *row = &reader->row;
	row->line = reader->line;
	row->members = NULL;
	row->number[COLUMN_REGISTERS] = row->number[COLUMN_STATIC] = row->number[COLUMN_CARVEOUT] = NONE;
	const char *field = reader->buffer;
	for (int i = 0; i < reader->column_count; i++) {
		size_t length = 0;
		while (field[length] != ',' && field[length] != '\0')
			length++;
		if ((field[length] == '\0') != (i == reader->column_count - 1)) {
			diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_MALFORMED, reader->path, reader->line,
				"a row of %d fields was expected", reader->column_count);
			return refuse(reader);
		}
		if (parse_field(reader, reader->order[i], field, length) != TRACE_READ)
			return TRACE_REFUSED;
		field += length + 1;
	}
	reader->pending = true;
	return TRACE_READ;
}

/* ---- configurations */

static bool same_configuration(const struct trace_configuration *configuration, const struct row *row)
{
	return configuration->configuration == row->number[COLUMN_CONFIGURATION] &&
	       configuration->repetition == row->number[COLUMN_REPETITION] && strcmp(configuration->experiment, row->experiment) == 0;
}

static struct trace_kernel kernel_of(const struct trace_reader *reader, int first_block)
{
	const struct row *row = &reader->row;
	const int64_t *n = row->number;
	return (struct trace_kernel){
		.stream = n[COLUMN_STREAM],
		.priority = n[COLUMN_PRIORITY],
		.grid = {n[COLUMN_GX], n[COLUMN_GY], n[COLUMN_GZ]},
		.blocks = checked_mul(checked_mul(n[COLUMN_GX], n[COLUMN_GY]), n[COLUMN_GZ]),
		.threads = n[COLUMN_THREADS],
		.shared_dynamic = n[COLUMN_SHARED],
		.variant = n[COLUMN_VARIANT],
		.registers = n[COLUMN_REGISTERS],
		.shared_static = n[COLUMN_STATIC],
		.carveout = n[COLUMN_CARVEOUT],
		.members = row->members,
		.first_block = first_block,
		.path = reader->path,
		.line = row->line,
	};
}

static bool same_kernel(const struct trace_kernel *a, const struct trace_kernel *b)
{
	return a->stream == b->stream && a->priority == b->priority && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
	       a->threads == b->threads && a->shared_dynamic == b->shared_dynamic && a->variant == b->variant &&
	       a->registers == b->registers && a->shared_static == b->shared_static && a->carveout == b->carveout &&
	       a->members == b->members;
}

static enum trace_status inconsistent(struct trace_reader *reader, long line, const char *text)
{
	diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_INCOMPLETE, reader->path, line, "%s", text);
	return refuse(reader);
}

/* The kernel before is complete? */
static enum trace_status finish_kernel(struct trace_reader *reader, const struct trace_configuration *configuration)
{
	if (configuration->kernel_count == 0)
		return TRACE_READ;
	const struct trace_kernel *kernel = &configuration->kernels[configuration->kernel_count - 1];
	if (configuration->block_count - kernel->first_block == kernel->blocks)
		return TRACE_READ;
	return inconsistent(reader, reader->line, "the kernel before this line has fewer rows than its grid has blocks");
}

static bool share_sms(const uint64_t *a, const uint64_t *b)
{
	if (a == NULL || b == NULL)
		return a != b;
	for (int i = 0; a != b && i < PARTITION_WORDS; i++)
		if ((a[i] & b[i]) != 0)
			return true;
	return false;
}

/* Of the last kernel, against those before it. */
static enum trace_status check_partition(struct trace_reader *reader, const struct trace_configuration *configuration)
{
	const struct trace_kernel *last = &configuration->kernels[configuration->kernel_count - 1];
	for (const struct trace_kernel *kernel = configuration->kernels; kernel < last; kernel++)
		if (share_sms(kernel->members, last->members)) {
			diagnose(reader->diagnostics, DIAGNOSTIC_TRACE_PARTITION, reader->path, last->line,
				"this kernel's partition shares SMs with that of the one in line %ld", kernel->line);
			return refuse(reader);
		}
	return TRACE_READ;
}

static enum trace_status start_kernel(struct trace_reader *reader, struct trace_configuration *configuration)
{
	const struct row *row = &reader->row;
	if (finish_kernel(reader, configuration) != TRACE_READ)
		return TRACE_REFUSED;
	if (row->number[COLUMN_KERNEL] != configuration->kernel_count)
		return inconsistent(reader, row->line, "kernels are numbered from 0 in the order of launch, each in one run of rows");
	reader->kernels = arena_grow(
		reader->arena, reader->kernels, &reader->kernel_capacity, configuration->kernel_count + 1, sizeof *reader->kernels);
	configuration->kernels = reader->kernels;
	configuration->kernels[configuration->kernel_count++] = kernel_of(reader, configuration->block_count);
	if (row->number[COLUMN_THREADS] == 0 || configuration->kernels[configuration->kernel_count - 1].blocks < 1)
		return inconsistent(reader, row->line, "a kernel without threads or blocks");
	return check_partition(reader, configuration);
}

static enum trace_status add_block(struct trace_reader *reader, struct trace_configuration *configuration)
{
	const struct row *row = &reader->row;
	const int64_t *n = row->number;
	const struct trace_kernel *kernel = &configuration->kernels[configuration->kernel_count - 1];
	struct trace_kernel repeated = kernel_of(reader, 0);
	if (!same_kernel(kernel, &repeated))
		return inconsistent(reader, row->line, "the rows of one kernel differ in its stream, grid or resources");
	if (n[COLUMN_BLOCK] != configuration->block_count - kernel->first_block || n[COLUMN_BLOCK] >= kernel->blocks)
		return inconsistent(reader, row->line, "the blocks of a kernel are numbered from 0 to the size of its grid less 1");
	if (n[COLUMN_END] < n[COLUMN_BEGIN])
		return inconsistent(reader, row->line, "a block ends before it begins");
	if (configuration->block_count == TRACE_BLOCKS_MOST)
		return inconsistent(reader, row->line, "a configuration of too many blocks");
	reader->blocks =
		arena_grow(reader->arena, reader->blocks, &reader->block_capacity, configuration->block_count + 1, sizeof *reader->blocks);
	configuration->blocks = reader->blocks;
	configuration->blocks[configuration->block_count++] = (struct trace_block){
		.begin = n[COLUMN_BEGIN], .end = n[COLUMN_END], .ticket = n[COLUMN_TICKET], .sm = (int)n[COLUMN_SM], .line = row->line};
	return TRACE_READ;
}

static void start_configuration(const struct trace_reader *reader, struct trace_configuration *configuration)
{
	const struct row *row = &reader->row;
	*configuration = (struct trace_configuration){.configuration = row->number[COLUMN_CONFIGURATION],
		.repetition = row->number[COLUMN_REPETITION],
		.mode = (int)row->number[COLUMN_MODE],
		.kernels = reader->kernels,
		.blocks = reader->blocks,
		.line = row->line};
	memcpy(configuration->experiment, row->experiment, sizeof row->experiment);
}

enum trace_status trace_next(struct trace_reader *reader, struct trace_configuration *configuration)
{
	assert(!reader->json);
	enum trace_status status = reader->refused ? TRACE_REFUSED : reader->pending ? TRACE_READ : read_row(reader);
	if (status != TRACE_READ)
		return status;
	start_configuration(reader, configuration);
	while (status == TRACE_READ && same_configuration(configuration, &reader->row)) {
		reader->pending = false;
		if (reader->row.number[COLUMN_KERNEL] != configuration->kernel_count - 1 &&
			start_kernel(reader, configuration) != TRACE_READ)
			return TRACE_REFUSED;
		if (add_block(reader, configuration) != TRACE_READ)
			return TRACE_REFUSED;
		status = read_row(reader);
	}
	return status == TRACE_REFUSED ? status : finish_kernel(reader, configuration);
}
