/* A file of ours as it stands: elements, attributes, texts and comments, with what references and ends of lines mean. */
#include "export/export.h"
#include "input/markup.h"
#include "input/read_report.h"
#include "input/scan.h"
#include "input/xml.h"

#include <stdlib.h>
#include <string.h>

const char *const export_vocabularies[] = {"taskset", "platform", "program", "frame", "report", "wcet", NULL};

struct reading {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path;
	struct markup markup;
	int element; /* the next one of the markup */
	struct export_document *document;
	int open[SCAN_DEPTH + 1];
	bool has_child[SCAN_DEPTH + 1]; /* of the open ones: elements */
	int depth;
	struct output text; /* of the innermost element so far */
	int instructions;
};

/* ---- what bytes mean */

/* XML 1.0, 2.11: every end of a line is one line feed. */
static size_t join_ends(char *bytes, size_t length)
{
	size_t to = 0;
	for (size_t from = 0; from < length; from++)
		if (bytes[from] != '\r')
			bytes[to++] = bytes[from];
		else if (bytes[from + 1] != '\n')
			bytes[to++] = '\n';
	bytes[to] = '\0';
	return to;
}

static void add_character(struct output *output, unsigned long code)
{
	static const struct {
		unsigned long below;
		unsigned char first;
	} lengths[] = {{0x80, 0}, {0x800, 0xC0}, {0x10000, 0xE0}, {0x110000, 0xF0}};
	int more = 0;
	while (more < 3 && code >= lengths[more].below)
		more++;
	char bytes[4] = {(char)(lengths[more].first | code >> 6 * more)};
	for (int i = 1; i <= more; i++)
		bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
	output_add_bytes(output, bytes, (size_t)more + 1);
}

/* A reference, which is one of a valid file; returns its length. */
static size_t add_reference(struct output *output, const char *at)
{
	static const struct {
		const char *name, *text;
	} names[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(at, names[i].name, strlen(names[i].name)) == 0)
			output_add(output, names[i].text);
	if (at[1] == '#')
		add_character(output, at[2] == 'x' ? strtoul(at + 3, NULL, 16) : strtoul(at + 2, NULL, 10));
	return strcspn(at, ";") + 1;
}

/* value: blanks of all kinds are spaces in one (XML 1.0, 3.3.3). */
static void add_meaning(struct output *output, const char *at, const char *end, bool value)
{
	while (at < end) {
		bool blank = value && (*at == '\n' || *at == '\t');
		size_t plain = blank || *at == '&' ? 0 : 1;
		while (plain > 0 && at + plain < end && at[plain] != '&' && !(value && (at[plain] == '\n' || at[plain] == '\t')))
			plain++;
		output_add_bytes(output, blank ? " " : at, blank ? 1 : plain);
		at += blank ? 1 : plain > 0 ? plain : add_reference(output, at);
	}
}

/* Without blanks at its ends. */
static const char *trim(struct arena *arena, const char *text, size_t length)
{
	static const char blanks[] = " \t\n\r";
	while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
		length--;
	size_t from = 0;
	while (from < length && strchr(blanks, text[from]) != NULL)
		from++;
	return arena_copy_part(arena, text + from, length - from);
}

/* ---- nodes */

static struct export_node *add_node(struct reading *reading, const char *name)
{
	struct export_document *document = reading->document;
	document->nodes = arena_grow(reading->arena, document->nodes, &document->capacity, document->count + 1, sizeof *document->nodes);
	struct export_node *node = &document->nodes[document->count++];
	*node = (struct export_node){.name = name, .parent = reading->depth > 0 ? reading->open[reading->depth - 1] : NO_ID};
	return node;
}

static void add_comment(struct reading *reading, const char *at, const char *end)
{
	add_node(reading, EXPORT_COMMENT)->text = trim(reading->arena, at, (size_t)(end - at));
}

static const char *meaning(struct arena *arena, const char *value)
{
	struct output output = {0};
	add_meaning(&output, value, value + strlen(value), true);
	const char *copy = arena_copy(arena, output.text != NULL ? output.text : "");
	output_finish(&output);
	return copy;
}

static void refuse(struct reading *reading, long line, const char *what)
{
	diagnose(reading->diagnostics, DIAGNOSTIC_EXPORT_LOSSY, reading->path, line, "expected what tables can say; %s", what);
}

/* What stood between the tags, NULL where that is blank; it may not stand beside an element. */
static const char *take_text(struct reading *reading, bool beside, long line)
{
	const char *text = reading->text.length > 0 ? trim(reading->arena, reading->text.text, reading->text.length) : "";
	reading->text.length = 0;
	if (*text != '\0' && beside)
		refuse(reading, line,
			arena_format(reading->arena, "'%s' stands beside an element", element_shorten(reading->arena, text, SHORT_VALUE)));
	return *text != '\0' ? text : NULL;
}

/* Returns where its tag ends. */
static const char *begin_element(struct reading *reading)
{
	const struct markup_element *element = &reading->markup.elements[reading->element++];
	struct export_node *node = add_node(reading, element->name);
	int count = element->attribute_count;
	if (strchr(element->name, ':') != NULL)
		refuse(reading, element->line, "a signature holds for the bytes of a file: export it as it was before it was signed");
	node->attributes = count > 0 ? arena_allocate(reading->arena, (size_t)count, sizeof *node->attributes) : NULL;
	for (int i = 0; i < count; i++) {
		const struct markup_attribute *attribute = &element->attributes[i];
		node->attributes[node->attribute_count++] =
			(struct export_attribute){attribute->name, meaning(reading->arena, attribute->value)};
		if (*attribute->value == '\0')
			refuse(reading, element->line,
				arena_format(reading->arena, "attribute '%s' of '%s' is empty, as it would be without it", attribute->name,
					element->name));
	}
	take_text(reading, true, element->line);
	if (reading->depth > 0)
		reading->has_child[reading->depth - 1] = true;
	if (element->tag_to != element->to && reading->depth <= SCAN_DEPTH) {
		reading->has_child[reading->depth] = false;
		reading->open[reading->depth++] = reading->document->count - 1;
	}
	return reading->markup.bytes + element->tag_to;
}

static void end_element(struct reading *reading)
{
	if (reading->depth == 0)
		return;
	reading->depth--;
	reading->document->nodes[reading->open[reading->depth]].text = take_text(reading, reading->has_child[reading->depth], 0);
}

/* ---- the file */

static const char *behind(const char *at, const char *end, const char *closing)
{
	const char *found = strstr(at, closing);
	return found == NULL ? end : found + strlen(closing);
}

/* What begins with "<"; returns where it ends. */
static const char *walk_tag(struct reading *reading, const char *at, const char *end)
{
	if (strncmp(at, "<!--", 4) == 0) {
		const char *stop = behind(at + 4, end, "-->");
		add_comment(reading, at + 4, stop - 3);
		return stop;
	}
	if (strncmp(at, "<![CDATA[", 9) == 0) {
		const char *stop = behind(at, end, "]]>");
		output_add_bytes(&reading->text, at + 9, (size_t)(stop - 3 - at - 9));
		return stop;
	}
	if (at[1] == '?') {
		reading->instructions += strncmp(at, "<?xml ", 6) != 0;
		return behind(at, end, "?>");
	}
	if (at[1] != '/')
		return begin_element(reading);
	end_element(reading);
	return behind(at, end, ">");
}

static void walk(struct reading *reading)
{
	const char *at = reading->markup.bytes, *end = at + reading->markup.length;
	while (at < end) {
		size_t length = strcspn(at, "<");
		if (length > 0 && reading->depth > 0)
			add_meaning(&reading->text, at, at + length, false);
		at = length > 0 ? at + length : walk_tag(reading, at, end);
	}
	if (reading->instructions > 0)
		diagnose(reading->diagnostics, DIAGNOSTIC_EXPORT_LEFT_OUT, reading->path, 0, "%d processing instructions are left out",
			reading->instructions);
	output_finish(&reading->text);
}

/* By its first element; NULL: it is none of ours, or has none. */
static const char *vocabulary_of(const char *bytes)
{
	const char *at = strchr(bytes, '<');
	while (at != NULL && (at[1] == '?' || at[1] == '!'))
		at = (at = strstr(at, at[1] == '?' ? "?>" : at[2] == '-' ? "-->" : ">")) == NULL ? NULL : strchr(at, '<');
	size_t length = at != NULL ? strcspn(at + 1, " \t\r\n/>") : 0;
	for (int i = 0; length > 0 && export_vocabularies[i] != NULL; i++)
		if (strlen(export_vocabularies[i]) == length && strncmp(export_vocabularies[i], at + 1, length) == 0)
			return export_vocabularies[i];
	return NULL;
}

/* Well-formed and of ours; what its schema wants besides may be what somebody is going to fill in. */
static bool is_ours(struct reading *reading, const char *vocabulary, const char *schemas, const char *bytes, size_t length)
{
	struct diagnostics complaints;
	diagnostics_init(&complaints, reading->arena);
	if (xml_read(reading->arena, &complaints, vocabulary, schemas, reading->path, bytes, length) != NULL)
		return true;
	bool unfinished = complaints.errors > 0 && diagnostics_count(&complaints, DIAGNOSTIC_SCHEMA_VIOLATION) == complaints.count;
	if (unfinished)
		diagnose(reading->diagnostics, DIAGNOSTIC_EXPORT_UNFINISHED, reading->path, complaints.items[0].line, "%s%s",
			complaints.items[0].text,
			complaints.errors > 1 ? arena_format(reading->arena, " And %d more.", complaints.errors - 1) : "");
	for (int i = 0; !unfinished && i < complaints.count; i++)
		diagnose(reading->diagnostics, complaints.items[i].code, complaints.items[i].file, complaints.items[i].line, "%s",
			complaints.items[i].text);
	return unfinished;
}

bool export_read(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *path,
	struct export_document *document)
{
	struct reading reading = {.arena = arena, .diagnostics = diagnostics, .path = path, .document = document};
	size_t length;
	char *bytes = input_read_file_up_to(arena, diagnostics, path, REPORT_LIMIT, &length);
	if (bytes == NULL)
		return false;
	const char *vocabulary = vocabulary_of(bytes);
	if (vocabulary == NULL)
		diagnose(diagnostics, DIAGNOSTIC_XML_ROOT, path, 0,
			"expected a task set, a platform model, a program, a frame, a report, or what wcet printed as XML");
	else if (strcmp(vocabulary, "report") != 0 && length > INPUT_LIMIT)
		diagnose(diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, path, 0, "expected a file of at most %d bytes", INPUT_LIMIT);
	else if (is_ours(&reading, vocabulary, folders->schemas, bytes, length)) {
		length = join_ends(bytes, length);
		reading.markup = markup_read(arena, bytes, length);
		walk(&reading);
	}
	return diagnostics->errors == 0;
}
