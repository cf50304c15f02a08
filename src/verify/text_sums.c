/* By its sum as a whole, then line by line. */
#include "verify/text_sums.h"

#include "base/hash.h"

#include <string.h>

#define MOST_LINES 20 /* that are named; further ones are counted */

struct text {
	struct check *check;
	struct text_body body;
};

static const char *last_end(const char *text)
{
	static const char end[] = "</derivation>", empty[] = "<derivation/>";
	const char *found = strstr(text, empty), *next = text;
	while ((next = strstr(next, end)) != NULL)
		found = next++;
	return found == NULL ? NULL : found + sizeof end - 1; /* both are equally long */
}

bool text_gather(struct check *check, const char *bytes, struct text_body *found)
{
	const char *tag = strstr(bytes, "<report"), *tag_end = tag == NULL ? NULL : strchr(tag, '>');
	const char *rest = tag_end == NULL ? NULL : strstr(tag_end, "<invocation"), *end = rest == NULL ? NULL : last_end(rest);
	if (end == NULL)
		return false;
	size_t first = (size_t)(tag_end + 1 - tag), second = (size_t)(end - rest);
	char *body = arena_reserve(check->arena, first + second + 2, 1);
	memcpy(body, tag, first);
	body[first] = '\n';
	memcpy(body + first + 1, rest, second);
	body[first + 1 + second] = '\0';
	*found = (struct text_body){body, first + 1 + second, check_line(bytes, tag), check_line(bytes, rest)};
	return true;
}

/* ---- where */

/* The last element that begins on this line or before, by the names of all that it is in. */
static const char *name_place(struct check *check, const struct xml_element *element, const char *path, long line)
{
	static const char *const ids[] = {"id", "name", "kernel", "operation"};
	const struct xml_element *last = NULL;
	const char *id = NULL;
	for (const struct xml_element *child = element->first; child != NULL && child->line <= line; child = child->next)
		last = child;
	for (size_t i = 0; i < sizeof ids / sizeof *ids && id == NULL; i++)
		id = element_get(element, ids[i]);
	path = arena_format(
		check->arena, "%s%s%s%s%s", path, *path == '\0' ? "" : "/", element->name, id == NULL ? "" : " ", id == NULL ? "" : id);
	return last == NULL ? path : name_place(check, last, path, line);
}

static const char *place_of(const struct text *text, size_t line)
{
	struct check *check = text->check;
	if (line == 0 || check->root == NULL)
		return "report";
	for (const struct xml_element *part = check->root->first; part != NULL; part = part->next)
		if (part->next == NULL || part->next->line > text->body.second + (long)line - 1)
			return name_place(check, part, "", text->body.second + (long)line - 1);
	return "report";
}

/* Lines of the body, from 0, that share a check value: what the report has there, and that it is another one. */
static void say_line(const struct text *text, size_t line, size_t lines, const char *bytes)
{
	struct check *check = text->check;
	size_t length = strcspn(bytes, "\n");
	char *found = arena_allocate(check->arena, length + 1, 1);
	memcpy(found, bytes, length);
	struct xml_element element = {.line = line == 0 ? text->body.first : text->body.second + (long)line - 1};
	const char *expected = lines == 1 ? "the line as it was written"
					  : arena_format(check->arena, "this line and the %zu behind it as they were written", lines - 1);
	check_differs(
		check, &element, arena_format(check->arena, "text of %s", place_of(text, line)), expected, found + strspn(found, " "));
}

static const char *skip_lines(const char *text, size_t lines)
{
	for (; lines > 0 && *text != '\0'; text++)
		lines -= *text == '\n';
	return text;
}

/* Values line by line; as many lines as there were. Returns how many differ. */
static int say_lines(const struct text *text, const char *expected, const char *found)
{
	size_t each = hash_lines_each(text->body.bytes, text->body.length), at = 0;
	const char *line = text->body.bytes;
	int differ = 0;
	for (; *expected != '\0'; expected += HASH_LINE_DIGITS, found += HASH_LINE_DIGITS, at += each, line = skip_lines(line, each))
		if (memcmp(expected, found, HASH_LINE_DIGITS) != 0 && differ++ < MOST_LINES)
			say_line(text, at, each, line);
	return differ;
}

/* Lines were added or dropped: the first one that is not as it was. */
static void say_first(const struct text *text, const char *expected, const char *found)
{
	size_t each = hash_lines_each(text->body.bytes, text->body.length), same = 0;
	while (expected[same] != '\0' && expected[same] == found[same])
		same++;
	same -= same % HASH_LINE_DIGITS;
	size_t line = same / HASH_LINE_DIGITS * each;
	const char *at = skip_lines(text->body.bytes, line);
	say_line(text, *at == '\0' ? line - 1 : line, each, *at == '\0' ? "the end" : at);
}

static const char *lines_of(const struct text *text)
{
	struct output lines = {0};
	hash_lines(&lines, text->body.bytes, text->body.length);
	const char *found = arena_copy(text->check->arena, lines.text);
	output_finish(&lines);
	return found;
}

static void say_where(const struct text *text, const struct xml_element *environment, const char *expected)
{
	struct check *check = text->check;
	const char *found = lines_of(text);
	int differ = 0, before = check->diagnostics->errors;
	if (strlen(expected) == strlen(found))
		differ = say_lines(text, expected, found);
	else if (strlen(expected) % HASH_LINE_DIGITS == 0)
		say_first(text, expected, found);
	if (differ > MOST_LINES)
		check_differs(check, environment, "text", "the lines as they were written",
			arena_format(check->arena, "%d more lines that are not", differ - MOST_LINES));
	if (check->diagnostics->errors == before) /* whatever the sums of the lines are */
		check_differs(check, environment, "text@content-sha256", "that of the text", "another one");
}

/* An attribute of <environment>, whether or not the report is well-formed; "" without. */
static const char *sum_of(struct check *check, const char *bytes, const char *name)
{
	const char *begin = strstr(bytes, "<environment"), *end = begin == NULL ? NULL : strchr(begin, '>');
	const char *at = begin == NULL ? NULL : strstr(begin, name);
	if (end == NULL || at == NULL || at > end)
		return "";
	at += strlen(name);
	return arena_format(check->arena, "%.*s", (int)strcspn(at, "\""), at);
}

/* Between it and the report nothing: what may stand there tells a browser to show something else than the report. */
static void compare_declaration(struct check *check, const char *bytes)
{
	static const char written[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", mark[] = "\xef\xbb\xbf";
	struct xml_element element = {.line = 1};
	const char *at = bytes + (strncmp(bytes, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0);
	if (strncmp(at, written, sizeof written - 1) == 0)
		at += sizeof written - 1;
	else if (strncmp(at, "<?xml ", 6) == 0)
		check_differs(check, &element, "text", written, arena_format(check->arena, "%.*s", (int)strcspn(at, "\n"), at));
	else if (*at == '\0')
		return;
	at += strspn(at, " \t\r\n");
	element.line = check_line(bytes, at);
	if (strncmp(at, "<?xml ", 6) != 0 && strncmp(at, "<report", 7) != 0)
		check_differs(check, &element, "text", "<report", arena_format(check->arena, "%.*s", (int)strcspn(at, "\n"), at));
}

void text_compare(struct check *check, const char *bytes)
{
	const char *hashed = sum_of(check, bytes, " content-sha256=\""), *lines = sum_of(check, bytes, " line-crc32=\"");
	const char *tag = strstr(bytes, "<environment");
	const struct xml_element environment = {.line = tag == NULL ? 1 : check_line(bytes, tag)};
	struct text text = {.check = check};
	char hash[HASH_TEXT];
	if (*hashed == '\0' && check->root == NULL)
		return; /* no report of ours */
	compare_declaration(check, bytes);
	if (*hashed == '\0' || *lines == '\0' || !text_gather(check, bytes, &text.body)) {
		check_differs(check, &environment, "text@content-sha256", "sums of a text that this program wrote", "none");
		return;
	}
	hash_bytes(text.body.bytes, text.body.length, hash);
	if (strcmp(hashed, hash) != 0)
		say_where(&text, &environment, lines);
	else if (strcmp(lines, lines_of(&text)) != 0)
		check_differs(check, &environment, "text@line-crc32", "those of the text", "others");
}
