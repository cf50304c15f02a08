/* The head's and the end's words, the rows' cells. */
#include "calibrate/recording.h"

#include "base/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "# gpubound-probe 1"
#define COLUMNS_MOST 64

struct reader {
	struct recording *recording;
	struct {
		bool magic, head, end;
	} seen;
	int64_t rows_claimed;
	int row_capacity;
	bool keep;
	int64_t before, *kept; /* bytes of rows: of the recordings before this one, of all */
	long line;
};

static void refuse(struct reader *reader, enum diagnostic_code code, const char *text)
{
	diagnose(reader->recording->diagnostics, code, reader->recording->path, reader->line, "%s", text);
}

/* ---- "# name=value name=value" */

static const char *word(struct arena *arena, const char *line, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = line; (at = strstr(at, name)) != NULL; at += length)
		if (at[-1] == ' ' && at[length] == '=')
			return arena_format(arena, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
	return NULL;
}

static int64_t whole(const char *text)
{
	char *end;
	errno = 0;
	long long value = text == NULL ? 0 : strtoll(text, &end, 10);
	return text == NULL || *text == '\0' || *end != '\0' || errno != 0 ? NONE : value;
}

static bool is_yes_or_no(const char *text)
{
	return text != NULL && (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0);
}

static bool read_head(struct reader *reader, const char *line)
{
	struct recording *r = reader->recording;
	struct arena *arena = r->arena;
	r->measurement = word(arena, line, "measurement");
	r->board = word(arena, line, "board");
	r->uuid = word(arena, line, "uuid");
	r->date = word(arena, line, "date");
	r->compute_capability = word(arena, line, "compute-capability");
	r->driver = word(arena, line, "driver");
	r->runtime = word(arena, line, "runtime");
	r->integrated = word(arena, line, "integrated");
	r->sms = whole(word(arena, line, "sms"));
	r->clock_khz = whole(word(arena, line, "clock_khz"));
	bool whole_head = r->board != NULL && r->uuid != NULL && r->date != NULL && r->compute_capability != NULL && r->driver != NULL &&
			  r->runtime != NULL && is_yes_or_no(r->integrated) && r->sms != NONE && r->sms > 0 &&
			  r->sms <= RECORDING_SMS_MOST && r->clock_khz != NONE;
	if (!whole_head)
		refuse(reader, DIAGNOSTIC_RECORDING_HEAD,
			"expected measurement, board, uuid, compute-capability, sms, "
			"driver, runtime, "
			"integrated (yes or no), date and clock_khz, each as name=value");
	reader->keep = r->measurement != NULL && strstr(r->measurement, "placement") == NULL && strcmp(r->measurement, "delays") != 0;
	return whole_head;
}

static void read_end(struct reader *reader, const char *line)
{
	struct recording *r = reader->recording;
	const char *moved = word(r->arena, line, "clock_moved");
	reader->seen.end = true;
	reader->rows_claimed = whole(word(r->arena, line, "rows"));
	r->end_clock_khz = whole(word(r->arena, line, "clock_khz"));
	r->clock_moved = moved == NULL || strcmp(moved, "no") != 0;
}

static bool read_comment(struct reader *reader, const char *line)
{
	if (!reader->seen.magic) {
		reader->seen.magic = strcmp(line, MAGIC) == 0;
		if (!reader->seen.magic)
			refuse(reader, DIAGNOSTIC_RECORDING_HEAD, "expected '" MAGIC "' in the first line");
		return reader->seen.magic;
	}
	if (strncmp(line, "# complete ", 11) == 0)
		read_end(reader, line);
	else if (strncmp(line, "# measurement=", 14) == 0)
		return reader->seen.head = read_head(reader, line);
	return true;
}

/* ---- rows */

/* Cuts the line in place. */
static int split(char *line, char *cells[COLUMNS_MOST])
{
	int count = 0;
	for (char *at = line; at != NULL && count < COLUMNS_MOST;) {
		cells[count++] = at;
		at = strchr(at, ',');
		if (at != NULL)
			*at++ = '\0';
	}
	return count;
}

static void read_columns(struct reader *reader, const char *line)
{
	struct recording *r = reader->recording;
	char *cells[COLUMNS_MOST];
	r->column_count = split(arena_copy(r->arena, line), cells);
	r->columns = arena_allocate(r->arena, (size_t)r->column_count, sizeof *r->columns);
	for (int i = 0; i < r->column_count; i++)
		r->columns[i] = cells[i];
}

static int cells_of(const char *line)
{
	int count = 1;
	for (; *line != '\0'; line++)
		count += *line == ',';
	return count;
}

static bool keep_row(struct reader *reader, const char *line)
{
	struct recording *r = reader->recording;
	char *cells[COLUMNS_MOST];
	int count = split(arena_copy(r->arena, line), cells);
	*reader->kept += (int64_t)(strlen(line) + sizeof *r->rows + (size_t)count * sizeof *cells);
	if (*reader->kept - reader->before > RECORDING_BYTES || *reader->kept > RECORDINGS_BYTES) {
		diagnose(r->diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, r->path, reader->line,
			"expected recordings of which at most %d bytes of rows each, and %" PRId64 " of all, by text and cells, are kept",
			RECORDING_BYTES, RECORDINGS_BYTES);
		return false;
	}
	r->rows = arena_grow(r->arena, r->rows, &reader->row_capacity, r->row_count + 1, sizeof *r->rows);
	struct recording_row *row = &r->rows[r->row_count++];
	*row = (struct recording_row){arena_allocate(r->arena, (size_t)count, sizeof *row->cells), reader->line};
	memcpy(row->cells, cells, (size_t)count * sizeof *cells);
	return true;
}

static bool read_row(struct reader *reader, const char *line)
{
	struct recording *r = reader->recording;
	r->rows_seen++;
	if (cells_of(line) != r->column_count || r->rows_seen > RECORDING_ROWS_MOST) {
		refuse(reader, r->rows_seen > RECORDING_ROWS_MOST ? DIAGNOSTIC_RECORDING_VALUE : DIAGNOSTIC_RECORDING_TRUNCATED,
			arena_format(r->arena, "expected a row of %d cells, and at most %d rows", r->column_count, RECORDING_ROWS_MOST));
		return false;
	}
	return !reader->keep || keep_row(reader, line);
}

static bool read_line(struct reader *reader, const char *line)
{
	if (*line == '#')
		return read_comment(reader, line);
	if (!reader->seen.head) {
		refuse(reader, DIAGNOSTIC_RECORDING_HEAD, "expected '" MAGIC "' and a line '# measurement=...' before the columns");
		return false;
	}
	if (reader->seen.end) {
		refuse(reader, DIAGNOSTIC_RECORDING_TRUNCATED, "a row behind the end: are these two recordings in one file?");
		return false;
	}
	if (reader->recording->column_count == 0)
		read_columns(reader, line);
	else
		return read_row(reader, line);
	return true;
}

/* ---- the whole */

static bool is_whole(struct reader *reader)
{
	struct recording *r = reader->recording;
	reader->line = 0;
	if (!reader->seen.head) {
		refuse(reader, DIAGNOSTIC_RECORDING_HEAD, "the file is empty; '" MAGIC "' was expected");
		return false;
	}
	if (!reader->seen.end || reader->rows_claimed != r->rows_seen) {
		diagnose(r->diagnostics, DIAGNOSTIC_RECORDING_TRUNCATED, r->path, 0, "%s; %" PRId64 " rows were read",
			reader->seen.end ? "its last line says another number of rows" : "the line '# complete ...' is missing",
			r->rows_seen);
		return false;
	}
	return true;
}

/* Most measurements have the name of the program that makes them. */
static const char *program_of(const char *measurement)
{
	static const char *const others[][2] = {{"granularity", "partition"}, {"partition-placement", "placement"},
		{"traffic-placement", "placement"}, {"company", "scenario"}};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(measurement, others[i][0]) == 0)
			return others[i][1];
	return measurement;
}

static const char *citation(const struct recording *r)
{
	char *board = arena_copy(r->arena, r->board);
	for (char *c = board; *c != '\0'; c++)
		*c = *c == '_' ? ' ' : *c;
	const char *name = strrchr(r->path, '/') != NULL ? strrchr(r->path, '/') + 1 : r->path;
	return arena_format(r->arena,
		"%s, recorded by probe/%s on an %s (UUID %s), %" PRId64 " SMs at %" PRId64 " kHz, CUDA driver %s, runtime %s, %s, %" PRId64
		" rows; sha256 %s",
		name, program_of(r->measurement), board, r->uuid, r->sms, r->clock_khz, r->driver, r->runtime, r->date, r->rows_seen,
		r->hash);
}

struct recording *recording_read(struct arena *arena, struct diagnostics *diagnostics, const char *path, int64_t *kept)
{
	struct recording *r = arena_allocate(arena, 1, sizeof *r);
	struct reader reader = {.recording = r, .before = *kept, .kept = kept};
	struct line_reader *lines = line_reader_open(diagnostics, path, DIAGNOSTIC_RECORDING_TRUNCATED, DIAGNOSTIC_RECORDING_VALUE);
	*r = (struct recording){.arena = arena, .diagnostics = diagnostics, .path = path};
	if (lines == NULL)
		return NULL;
	enum line_status status;
	char *line;
	bool fine = true;
	while (fine && (status = line_reader_next(lines, &line)) == LINE_READ) {
		reader.line = line_reader_number(lines);
		fine = read_line(&reader, line);
	}
	line_reader_close(lines);
	if (!fine || status == LINE_REFUSED || !is_whole(&reader))
		return NULL;
	if (!hash_file(path, r->hash))
		memcpy(r->hash, "unknown", 8);
	r->source = citation(r);
	return r;
}

int recording_column(const struct recording *r, const char *name)
{
	for (int i = 0; i < r->column_count; i++)
		if (strcmp(r->columns[i], name) == 0)
			return i;
	diagnose(r->diagnostics, DIAGNOSTIC_RECORDING_VALUE, r->path, 0, "expected a column '%s'", name);
	return -1;
}

static int64_t number(const struct recording *r, const struct recording_row *row, int column, int64_t least)
{
	int64_t value = column < 0 ? NONE : whole(row->cells[column]);
	value = value < least ? NONE : value;
	if (value == NONE && column >= 0)
		diagnose(r->diagnostics, DIAGNOSTIC_RECORDING_VALUE, r->path, row->line, "'%.40s' is no %swhole number, which %s is",
			row->cells[column], least == 0 ? "non-negative " : "", r->columns[column]);
	return value;
}

int64_t recording_number(const struct recording *r, const struct recording_row *row, int column)
{
	return number(r, row, column, -NONE);
}

int64_t recording_count(const struct recording *r, const struct recording_row *row, int column)
{
	return number(r, row, column, 0);
}
