/* zlib reads plain files as they are. */
#include "base/lines.h"

#include "base/file.h"
#include "base/output.h"

#include <string.h>
#include <zlib.h>

#define INFLATE_BUFFER (1 << 17)

struct line_reader {
	struct diagnostics *diagnostics;
	const char *path;
	enum diagnostic_code damaged, malformed;
	gzFile file;
	long number;
	bool turned, refused; /* the byte read last ended its line; there were too many bytes */
	int64_t bytes;        /* read one by one */
	char buffer[LINE_MOST];
};

/* zlib's own allocations pass through ours only where it is told so; gzFile cannot be told, so a failure inside it is an unreadable file.
 */
static gzFile open_file(struct diagnostics *diagnostics, const char *path)
{
	int descriptor = file_open(diagnostics, path);
	if (descriptor < 0)
		return NULL;
	gzFile file = gzdopen(descriptor, "rb");
	if (file != NULL)
		gzbuffer(file, INFLATE_BUFFER);
	else {
		diagnose(diagnostics, DIAGNOSTIC_FILE_UNREADABLE, path, 0, "cannot be opened");
		file_close(descriptor);
	}
	return file;
}

struct line_reader *line_reader_open(
	struct diagnostics *diagnostics, const char *path, enum diagnostic_code damaged, enum diagnostic_code malformed)
{
	gzFile file = open_file(diagnostics, path);
	if (file == NULL)
		return NULL;
	struct line_reader *lines = memory_allocate(sizeof *lines);
	*lines = (struct line_reader){.diagnostics = diagnostics, .path = path, .damaged = damaged, .malformed = malformed, .file = file};
	return lines;
}

/* The file ended, or reading failed: which of them? */
static enum line_status at_end(struct line_reader *lines)
{
	int error;
	const char *text = gzerror(lines->file, &error);
	if (error == Z_OK || error == Z_STREAM_END)
		return LINE_END;
	if (error == Z_BUF_ERROR || error == Z_DATA_ERROR)
		diagnose(lines->diagnostics, lines->damaged, lines->path, lines->number + 1, "the compressed file is cut off or damaged");
	else
		diagnose(lines->diagnostics, DIAGNOSTIC_FILE_UNREADABLE, lines->path, lines->number + 1, "cannot be read: %s",
			error == Z_ERRNO ? "input error" : text);
	return LINE_REFUSED;
}

/* Some kilobytes of compressed text can be gigabytes. */
static bool is_too_long(struct line_reader *lines)
{
	if (gztell(lines->file) <= LINES_BYTES)
		return false;
	diagnose(lines->diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, lines->path, lines->number, "expected at most %d bytes of text%s",
		LINES_BYTES, gzdirect(lines->file) ? "" : ", after decompression");
	return true;
}

enum line_status line_reader_next(struct line_reader *lines, char **text)
{
	if (is_too_long(lines))
		return LINE_REFUSED;
	if (gzgets(lines->file, lines->buffer, LINE_MOST) == NULL)
		return at_end(lines);
	lines->number++;
	size_t length = strlen(lines->buffer);
	if (length > 0 && lines->buffer[length - 1] == '\n')
		length--;
	else if (at_end(lines) == LINE_REFUSED)
		return LINE_REFUSED;
	else if (length == LINE_MOST - 1) {
		diagnose(lines->diagnostics, lines->malformed, lines->path, lines->number, "a line of more than %d bytes", LINE_MOST - 2);
		return LINE_REFUSED;
	}
	if (length > 0 && lines->buffer[length - 1] == '\r')
		length--;
	lines->buffer[length] = '\0';
	*text = lines->buffer;
	return LINE_READ;
}

long line_reader_number(const struct line_reader *lines)
{
	return lines->number;
}

int line_reader_peek(struct line_reader *lines)
{
	int first = gzgetc(lines->file);
	if (first >= 0)
		gzungetc(first, lines->file);
	return first;
}

int line_reader_byte(struct line_reader *lines)
{
	if (lines->bytes > LINES_BYTES) {
		lines->refused = lines->refused || is_too_long(lines);
		return -1;
	}
	int byte = gzgetc(lines->file);
	lines->number += byte >= 0 && (lines->turned || lines->bytes == 0);
	lines->bytes += byte >= 0;
	lines->turned = byte == '\n';
	return byte;
}

bool line_reader_ended(struct line_reader *lines)
{
	return !lines->refused && at_end(lines) == LINE_END;
}

char *line_reader_rest(struct line_reader *lines, struct arena *arena, size_t most, size_t *length)
{
	struct output text = {0};
	char *copy = NULL;
	int got = 0;
	while (text.length <= most && (got = gzread(lines->file, lines->buffer, LINE_MOST)) > 0)
		output_add_bytes(&text, lines->buffer, (size_t)got);
	if (text.length > most)
		diagnose(lines->diagnostics, lines->malformed, lines->path, 0, "more than %zu bytes", most);
	else if (at_end(lines) == LINE_END) {
		copy = arena_allocate(arena, text.length + 1, 1);
		if (text.length > 0)
			memcpy(copy, text.text, text.length);
		*length = text.length;
	}
	output_finish(&text);
	return copy;
}

void line_reader_close(struct line_reader *lines)
{
	if (lines == NULL)
		return;
	gzclose(lines->file);
	memory_free(lines);
}
