/* A JSON object whose lists are too long for a tree: traces have millions of events in one. */
#include "import/json_stream.h"

#include "base/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MEMBER_MOST 100 /* longer names are cut: none that is looked for is so long */

struct json_stream {
	struct import_build *build;
	const char *path;
	struct line_reader *lines;
	int next;     /* byte that was looked at and not taken; -1: none */
	int64_t byte; /* taken so far */
	char *text;   /* of the piece */
	size_t length, capacity;
	bool failed;
	bool (*piece)(void *context, const struct json_piece *piece);
	void *context;
};

static void refuse(struct json_stream *stream, const char *expected)
{
	if (!stream->failed && line_reader_ended(stream->lines))
		diagnose(stream->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, stream->path, line_reader_number(stream->lines),
			"byte %" PRId64 ": expected JSON; %s", stream->byte, expected);
	stream->failed = true;
}

static int look(struct json_stream *stream)
{
	if (stream->next < 0)
		stream->next = line_reader_byte(stream->lines);
	return stream->next;
}

static int take(struct json_stream *stream)
{
	int byte = look(stream);
	stream->byte += byte >= 0;
	stream->next = -1;
	return byte;
}

static int skip_blanks(struct json_stream *stream)
{
	int byte = look(stream);
	while (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
		take(stream);
		byte = look(stream);
	}
	return byte;
}

static bool want(struct json_stream *stream, int byte, const char *expected)
{
	if (skip_blanks(stream) == byte) {
		take(stream);
		return true;
	}
	refuse(stream, expected);
	return false;
}

/* ---- a value as text */

static bool keep(struct json_stream *stream, int byte)
{
	if (stream->length + 1 >= JSON_PIECE_MOST) {
		diagnose(stream->build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, stream->path, line_reader_number(stream->lines),
			"byte %" PRId64 ": expected at most %d bytes in one value", stream->byte, JSON_PIECE_MOST);
		stream->failed = true;
		return false;
	}
	if (stream->length + 1 >= stream->capacity) {
		stream->capacity = stream->capacity == 0 ? 4096 : 2 * stream->capacity;
		stream->text = memory_resize(stream->text, stream->capacity);
	}
	stream->text[stream->length++] = (char)byte;
	stream->text[stream->length] = '\0';
	return true;
}

/* From its opening quote to its closing one. */
static bool take_string(struct json_stream *stream)
{
	bool escaped = false;
	for (bool first = true;; first = false) {
		int byte = take(stream);
		if (byte < 0) {
			refuse(stream, "the file ends in a string");
			return false;
		}
		if (!keep(stream, byte))
			return false;
		if (!first && !escaped && byte == '"')
			return true;
		escaped = !escaped && byte == '\\';
	}
}

static bool take_nested(struct json_stream *stream)
{
	int depth = 0;
	do {
		int byte = look(stream);
		if (byte < 0) {
			refuse(stream, "the file ends in a value: it is cut off");
			return false;
		}
		if (byte == '"') {
			if (!take_string(stream))
				return false;
			continue;
		}
		depth += (byte == '{' || byte == '[') - (byte == '}' || byte == ']');
		if (!keep(stream, take(stream)))
			return false;
	} while (depth > 0);
	return true;
}

static bool take_word(struct json_stream *stream)
{
	for (int byte = look(stream); byte > ' ' && strchr(",]}:\"", byte) == NULL; byte = look(stream))
		if (!keep(stream, take(stream)))
			return false;
	if (stream->length == 0)
		refuse(stream, "a value");
	return stream->length > 0;
}

static bool take_value(struct json_stream *stream)
{
	int first = skip_blanks(stream);
	stream->length = 0;
	return first == '"' ? take_string(stream) : first == '{' || first == '[' ? take_nested(stream) : take_word(stream);
}

/* ---- pieces */

static const struct tree *parse(struct json_stream *stream, const struct json_piece *piece)
{
	struct json_error error;
	const struct tree *tree = json_parse(stream->build->row, stream->text, stream->length, IMPORT_DEPTH, &error);
	if (tree == NULL)
		diagnose(stream->build->diagnostics, error.line == 0 ? DIAGNOSTIC_IMPORT_LIMIT : DIAGNOSTIC_IMPORT_FORMAT, stream->path,
			piece->line, "the value at byte %" PRId64 ": expected JSON; %s", piece->byte, error.text);
	stream->failed |= tree == NULL;
	return tree;
}

static bool give_piece(struct json_stream *stream, const char *member, int64_t index)
{
	skip_blanks(stream);
	struct json_piece piece = {member, index, NULL, NULL, stream->byte, line_reader_number(stream->lines)};
	if (!take_value(stream))
		return false;
	piece.text = stream->text;
	if (stream->text[0] == '{' || stream->text[0] == '[')
		piece.tree = parse(stream, &piece);
	stream->failed = stream->failed || !stream->piece(stream->context, &piece);
	import_row_end(stream->build);
	return !stream->failed;
}

static bool give_list(struct json_stream *stream, const char *member)
{
	take(stream);
	if (skip_blanks(stream) == ']') {
		take(stream);
		return true;
	}
	for (int64_t index = 0;; index++) {
		if (!give_piece(stream, member, index))
			return false;
		if (skip_blanks(stream) == ']') {
			take(stream);
			return true;
		}
		if (!want(stream, ',', "a ',' or a ']' behind an element"))
			return false;
	}
}

static bool give_member(struct json_stream *stream)
{
	stream->length = 0;
	if (skip_blanks(stream) != '"') {
		refuse(stream, "the name of a member");
		return false;
	}
	if (!take_string(stream))
		return false;
	char member[MEMBER_MOST];
	snprintf(member, sizeof member, "%.*s", (int)(stream->length - 2 < MEMBER_MOST ? stream->length - 2 : MEMBER_MOST),
		stream->text + 1);
	if (!want(stream, ':', "a ':' behind the name of a member"))
		return false;
	return skip_blanks(stream) == '[' ? give_list(stream, member) : give_piece(stream, member, NONE);
}

static void read_object(struct json_stream *stream)
{
	if (!want(stream, '{', "an object"))
		return;
	while (give_member(stream)) {
		if (skip_blanks(stream) == '}') {
			take(stream);
			if (skip_blanks(stream) >= 0)
				refuse(stream, "nothing behind the object");
			else
				line_reader_ended(stream->lines);
			return;
		}
		if (!want(stream, ',', "a ',' or a '}' behind a member"))
			return;
	}
}

void json_stream_read(
	struct import_build *build, const char *path, bool (*piece)(void *context, const struct json_piece *piece), void *context)
{
	struct json_stream stream = {.build = build, .path = path, .next = -1, .piece = piece, .context = context};
	stream.lines = line_reader_open(build->diagnostics, path, DIAGNOSTIC_IMPORT_FORMAT, DIAGNOSTIC_IMPORT_FORMAT);
	if (stream.lines == NULL)
		return;
	read_object(&stream);
	line_reader_close(stream.lines);
	memory_free(stream.text);
}

/* ---- numbers */

/* Behind the string that begins at the text. */
static const char *behind_string(const char *text)
{
	for (text++; *text != '\0' && *text != '"'; text++)
		text += *text == '\\' && text[1] != '\0';
	return *text == '"' ? text + 1 : text;
}

static bool is_name(const char *text, const char *name)
{
	size_t length = strlen(name);
	return strncmp(text + 1, name, length) == 0 && text[length + 1] == '"';
}

const char *json_piece_number(struct import_build *build, const struct json_piece *piece, const char *name)
{
	int depth = 0;
	const char *found = NULL;
	for (const char *at = piece->text; *at != '\0';) {
		if (*at != '"') {
			depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
			at++;
			continue;
		}
		const char *behind = behind_string(at), *colon = behind + strspn(behind, " \t\r\n");
		if (depth == 1 && *colon == ':' && is_name(at, name))
			found = colon + 1 + strspn(colon + 1, " \t\r\n");
		at = behind;
	}
	size_t length = found == NULL ? 0 : strspn(found, "+-.0123456789eE");
	return length == 0 ? NULL : arena_format(build->row, "%.*s", (int)length, found);
}
