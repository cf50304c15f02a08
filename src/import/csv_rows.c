/* libcsv behind one file. */
#include "import/csv_rows.h"

#include "base/late.h"
#include "import/values.h"

#include <csv.h>
#include <string.h>

#define csv_fini LATE(CSV, csv_fini)
#define csv_free LATE(CSV, csv_free)
#define csv_get_buffer_size LATE(CSV, csv_get_buffer_size)
#define csv_init LATE(CSV, csv_init)
#define csv_parse LATE(CSV, csv_parse)
#define csv_set_blk_size LATE(CSV, csv_set_blk_size)
#define csv_set_free_func LATE(CSV, csv_set_free_func)
#define csv_set_realloc_func LATE(CSV, csv_set_realloc_func)

#define CELL_BYTES 65536
#define COLUMNS 8192

/* One row being read. Cells are offsets in `text` until the row is complete. */
struct state {
	struct import_build *build;
	const char *path;
	struct output text;
	size_t *offsets;
	char **cells;
	int count, capacity, cell_capacity;
	long line, row_line;
	bool pending; /* a row has begun and is not complete */
	bool stop;
	int least, expected; /* cells; expected 0: any number */
	bool (*row)(void *context, const struct csv_row *row);
	void *context;
};

static void fail(struct state *state, enum diagnostic_code code, const char *text)
{
	if (!state->stop)
		diagnose(state->build->diagnostics, code, state->path, state->row_line, "%s", text);
	state->stop = true;
}

static void on_cell(void *bytes, size_t length, void *data)
{
	struct state *state = data;
	if (state->stop)
		return;
	if (length > CELL_BYTES || state->count == COLUMNS) {
		fail(state, DIAGNOSTIC_IMPORT_LIMIT, "expected rows of at most 8192 cells of at most 65536 bytes");
		return;
	}
	state->offsets = arena_grow(state->build->arena, state->offsets, &state->capacity, state->count + 1, sizeof *state->offsets);
	state->offsets[state->count++] = state->text.length;
	output_add_bytes(&state->text, bytes != NULL ? bytes : "", length);
	output_add_bytes(&state->text, "", 1);
}

static bool is_empty(const struct state *state)
{
	return state->count == 0 || (state->count == 1 && state->text.text[0] == '\0');
}

static void on_row(int terminator, void *data)
{
	struct state *state = data;
	(void)terminator;
	state->pending = false;
	if (!state->stop && !is_empty(state) && state->expected > 0 && (state->count < state->least || state->count > state->expected))
		fail(state, DIAGNOSTIC_IMPORT_ROW,
			arena_format(state->build->arena, "expected %d cells as in the header; got %d", state->expected, state->count));
	if (!state->stop && !is_empty(state)) {
		state->cells = arena_grow(state->build->arena, state->cells, &state->cell_capacity, state->count, sizeof *state->cells);
		for (int i = 0; i < state->count; i++)
			state->cells[i] = state->text.text + state->offsets[i];
		struct csv_row row = {state->cells, state->count, state->row_line};
		state->stop = !state->row(state->context, &row);
		import_row_end(state->build);
	}
	state->count = 0;
	state->text.length = 0;
}

/* Line by line, so that a row knows its line. */
static void parse(struct state *state, const char *bytes, size_t length)
{
	struct csv_parser parser;
	csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
	csv_set_realloc_func(&parser, memory_resize);
	csv_set_free_func(&parser, memory_free);
	csv_set_blk_size(&parser, CELL_BYTES); /* a long cell grows by that: by libcsv's 128 bytes it may be copied for each of them */
	for (size_t at = 0; at < length && !state->stop; state->line++) {
		const char *end = memchr(bytes + at, '\n', length - at);
		size_t part = end != NULL ? (size_t)(end - bytes) - at + 1 : length - at;
		bool empty = !state->pending && strspn(bytes + at, "\r\n") >= part;
		if (!state->pending)
			state->row_line = state->line;
		state->pending = !empty;
		if (csv_parse(&parser, bytes + at, part, on_cell, on_row, state) != part)
			fail(state, DIAGNOSTIC_IMPORT_FORMAT, "expected CSV; a quote stands where none may");
		if (csv_get_buffer_size(&parser) > 4 * CELL_BYTES)
			fail(state, DIAGNOSTIC_IMPORT_LIMIT, "expected cells of at most 65536 bytes; is a quote missing?");
		at += part;
	}
	if (!state->stop && csv_fini(&parser, on_cell, on_row, state) != 0)
		fail(state, DIAGNOSTIC_IMPORT_FORMAT, "expected CSV; a quoted cell does not end");
	csv_free(&parser);
	output_finish(&state->text);
}

/* ---- the header */

static bool has_word(const char *line, size_t length, const char *word)
{
	size_t size = strlen(word), at = 0;
	while (at + size <= length && memcmp(line + at, word, size) != 0)
		at++;
	return at + size <= length;
}

static bool has_words(const char *line, size_t length, const char *const *words)
{
	while (*words != NULL && has_word(line, length, *words))
		words++;
	return *words == NULL;
}

/* "Duration (ns)", "Start(sec)": the name and the unit. */
static void split_name(struct csv_file *file, const char *cell, int column)
{
	const char *open = strrchr(cell, '('), *close = strrchr(cell, ')');
	bool has_unit = open != NULL && open > cell && close != NULL && close > open && close[1] == '\0';
	size_t length = has_unit ? (size_t)(open - cell) : strlen(cell);
	struct arena *arena = file->build->arena;
	file->names[column] = value_trim(arena_format(arena, "%.*s", (int)length, cell));
	file->units[column] = has_unit ? arena_format(arena, "%.*s", (int)(close - open - 1), open + 1) : "";
}

static bool read_header(void *context, const struct csv_row *row)
{
	struct csv_file *file = context;
	file->column_count = row->count;
	file->names = arena_allocate(file->build->arena, (size_t)row->count, sizeof *file->names);
	file->units = arena_allocate(file->build->arena, (size_t)row->count, sizeof *file->units);
	for (int i = 0; i < row->count; i++)
		split_name(file, value_trim(row->cells[i]), i);
	return false;
}

void csv_begin(struct csv_file *file)
{
	file->line = 1;
	if (file->length >= 3 && memcmp(file->bytes, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark */
		file->bytes += 3;
		file->length -= 3;
	}
}

bool csv_open(struct csv_file *file, const char *const *words)
{
	csv_begin(file);
	while (file->length > 0) {
		size_t length = strcspn(file->bytes, "\n");
		if (has_words(file->bytes, length, words))
			break;
		length += file->bytes[length] == '\n';
		file->bytes += length;
		file->length -= length;
		file->line++;
	}
	if (file->length == 0)
		return false;
	size_t length = strcspn(file->bytes, "\n");
	struct state state = {.build = file->build, .path = file->path, .line = file->line, .row = read_header, .context = file};
	parse(&state, file->bytes, length);
	file->bytes += length;
	file->length -= length;
	return file->column_count > 0;
}

int csv_column(const struct csv_file *file, const char *name)
{
	for (int i = 0; i < file->column_count; i++)
		if (strcmp(file->names[i], name) == 0)
			return i;
	return -1;
}

int csv_want(const struct csv_file *file, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (csv_column(file, names[i]) >= 0)
			return csv_column(file, names[i]);
	diagnose(file->build->diagnostics, DIAGNOSTIC_IMPORT_COLUMN, file->path, file->line, "expected a column '%s'", names[0]);
	return -1;
}

void csv_rows(const struct csv_file *file, bool (*row)(void *context, const struct csv_row *row), void *context)
{
	struct state state = {.build = file->build,
		.path = file->path,
		.line = file->line,
		.least = file->least > 0 ? file->least : file->column_count,
		.expected = file->column_count,
		.row = row,
		.context = context};
	parse(&state, file->bytes, file->length); /* from the end of the header's line on */
}

const char *csv_cell(const struct csv_row *row, int column)
{
	return column < 0 || column >= row->count ? "" : value_trim(row->cells[column]);
}
