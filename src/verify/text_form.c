/* A tokeniser for nothing but what src/write/xml_write.c writes. */
#include "verify/text_form.h"

#include <string.h>

#define DEPTH 8 /* of a report's elements; written by nobody deeper */

struct name {
	const char *text;
	size_t length;
};

struct reading {
	const char *at;
	struct name open[DEPTH];
	int depth;
	const char *expected; /* what is not there at `at` */
};

static bool differs(struct reading *reading, const char *expected)
{
	if (reading->expected == NULL)
		reading->expected = expected;
	return false;
}

static bool take(struct reading *reading, const char *text)
{
	size_t length = strlen(text);
	if (strncmp(reading->at, text, length) != 0)
		return false;
	reading->at += length;
	return true;
}

static bool take_name(struct reading *reading, struct name *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz", others[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	*name = (struct name){reading->at, strspn(reading->at, others)};
	reading->at += name->length;
	return (name->length > 0 && strchr(letters, *name->text) != NULL) || differs(reading, "a name without a prefix");
}

/* Behind an ampersand: what the program writes a character as. */
static bool take_reference(struct reading *reading, bool attribute)
{
	static const char *const both[] = {"&amp;", "&lt;", "&gt;", "&#13;"}, *const quoted[] = {"&quot;", "&#10;", "&#9;"};
	for (size_t i = 0; i < sizeof both / sizeof *both; i++)
		if (take(reading, both[i]))
			return true;
	for (size_t i = 0; attribute && i < sizeof quoted / sizeof *quoted; i++)
		if (take(reading, quoted[i]))
			return true;
	return differs(reading, "no other reference than the program writes");
}

/* Up to the character that ends it. */
static bool take_text(struct reading *reading, char end, bool attribute)
{
	while (*reading->at != end) {
		unsigned char byte = (unsigned char)*reading->at;
		bool blank = !attribute && (byte == '\n' || byte == '\t');
		if (byte == '<' || byte == '>' || (byte < ' ' && !blank))
			return differs(reading, attribute ? "an attribute as the program writes it" : "a text as the program writes it");
		if (byte == '&' ? !take_reference(reading, attribute) : (reading->at++, false))
			return false;
	}
	return true;
}

static bool take_attribute(struct reading *reading)
{
	struct name name;
	if (!take_name(reading, &name))
		return false;
	if (name.length == 5 && strncmp(name.text, "xmlns", 5) == 0 && reading->depth > 0)
		return differs(reading, "no namespace but the report's");
	if (!take(reading, "=\""))
		return differs(reading, "=\" behind an attribute's name");
	return take_text(reading, '"', true) && take(reading, "\"");
}

/* True: it opens an element. */
static bool take_start(struct reading *reading, bool *opens)
{
	struct name name;
	if (!take(reading, "<"))
		return differs(reading, "an element");
	if (!take_name(reading, &name))
		return false;
	while (take(reading, " "))
		if (!take_attribute(reading))
			return false;
	*opens = !take(reading, "/>");
	if (*opens && !take(reading, ">"))
		return differs(reading, "one space, > or />");
	if (*opens && reading->depth == DEPTH)
		return differs(reading, "no element so deep");
	if (*opens)
		reading->open[reading->depth++] = name;
	return true;
}

static bool take_end(struct reading *reading)
{
	const struct name *name = &reading->open[--reading->depth];
	bool same = take(reading, "</") && strncmp(reading->at, name->text, name->length) == 0 && reading->at[name->length] == '>';
	reading->at += same ? name->length + 1 : 0;
	return same || differs(reading, "the end of the element");
}

/* A line feed and the spaces of that depth, and then a tag of that kind. */
static bool is_line(const struct reading *reading, int depth, bool end)
{
	size_t spaces = 2 * (size_t)depth;
	const char *at = reading->at;
	return *at == '\n' && strspn(at + 1, " ") == spaces && at[spaces + 1] == '<' && (at[spaces + 2] == '/') == end;
}

static void skip_line(struct reading *reading)
{
	reading->at += 1 + strspn(reading->at + 1, " ");
}

/* Behind the start tag of the innermost open element, or behind a child of it, which has no text then. */
static bool take_next(struct reading *reading, bool opened, bool *opens)
{
	*opens = false;
	if (is_line(reading, reading->depth, false)) {
		skip_line(reading);
		return take_start(reading, opens);
	}
	if (!opened && is_line(reading, reading->depth - 1, true)) {
		skip_line(reading);
		return take_end(reading);
	}
	if (!opened)
		return differs(reading, "the next element on a line of its own");
	return take_text(reading, '<', false) && take_end(reading);
}

/* Up to the end of the derivation, which is in the report alone. */
static bool take_report(struct reading *reading)
{
	bool opens;
	if (!take_start(reading, &opens) || !opens)
		return differs(reading, "a report with parts");
	for (bool done = false; !done;) {
		struct name inner = reading->open[reading->depth - 1];
		int depth = reading->depth;
		const char *at = reading->at;
		if (!take_next(reading, opens, &opens))
			return false;
		bool closed = reading->depth < depth,
		     empty = reading->depth == depth && strncmp(at + strspn(at, "\n "), "<derivation/>", 13) == 0;
		done = (closed && reading->depth == 1 && inner.length == 10 && strncmp(inner.text, "derivation", 10) == 0) ||
		       (empty && depth == 1) || reading->depth == 0;
	}
	return true;
}

/* Behind the derivation. */
static bool take_rest(struct reading *reading)
{
	const char *mark = strstr(reading->at, "<!"), *instruction = strstr(reading->at, "<?");
	if (mark == NULL && instruction == NULL)
		return true;
	reading->at = mark == NULL ? instruction : mark;
	return differs(reading, "no comment, processing instruction or CDATA section");
}

void written_compare(struct check *check, const char *bytes)
{
	struct reading reading = {.at = strstr(bytes, "<report")};
	if (reading.at == NULL || (take_report(&reading) && take_rest(&reading)))
		return;
	struct xml_element element = {.line = check_line(bytes, reading.at)};
	check_differs(check, &element, "text", reading.expected == NULL ? "what the program writes" : reading.expected,
		arena_format(check->arena, "%.*s", (int)strcspn(reading.at, "\n"), reading.at));
}
