/* A second look at a file that was read: places instead of values. */
#include "input/markup.h"

#include "base/assert.h"
#include "base/output.h"
#include "model/platform.h"

#include <stdlib.h>
#include <string.h>

struct look {
	struct markup *markup;
	const char *at, *end;
	long line;
	int open; /* the innermost element that is open, or NO_ID */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t place(const struct look *look)
{
	return (size_t)(look->at - look->markup->bytes);
}

static void move_to(struct look *look, const char *to)
{
	for (; look->at < to; look->at++)
		look->line += *look->at == '\n';
}

/* Behind the next `closing`, or at the end. */
static void move_behind(struct look *look, const char *closing)
{
	const char *found = strstr(look->at, closing);
	move_to(look, found == NULL ? look->end : found + strlen(closing));
}

static const char *take_name(struct look *look)
{
	size_t length = strcspn(look->at, " \t\r\n/>=");
	const char *name = arena_copy_part(look->markup->arena, look->at, length);
	move_to(look, look->at + length);
	return name;
}

static void skip_blanks(struct look *look)
{
	while (look->at < look->end && is_blank(*look->at))
		move_to(look, look->at + 1);
}

static void take_attribute(struct look *look, struct markup_element *element, size_t before)
{
	struct arena *arena = look->markup->arena;
	element->attributes = arena_grow(
		arena, element->attributes, &element->attribute_capacity, element->attribute_count + 1, sizeof *element->attributes);
	struct markup_attribute *attribute = &element->attributes[element->attribute_count++];
	*attribute = (struct markup_attribute){.name = take_name(look), .before = before};
	move_to(look, look->at + strcspn(look->at, "\"'"));
	const char quote[] = {*look->at, '\0'};
	move_to(look, look->at + 1);
	attribute->from = place(look);
	attribute->to = attribute->from + strcspn(look->at, quote);
	attribute->value = arena_copy_part(arena, look->at, attribute->to - attribute->from);
	move_to(look, look->at + (attribute->to - attribute->from) + 1);
	if (strcmp(attribute->name, "id") == 0)
		element->id = attribute->value;
}

static void begin_element(struct look *look)
{
	struct markup *markup = look->markup;
	struct markup_element element = {.parent = look->open, .line = look->line, .from = place(look)};
	move_to(look, look->at + 1);
	element.name = take_name(look);
	element.name_to = place(look);
	for (;;) {
		size_t before = place(look);
		skip_blanks(look);
		if (look->at == look->end || *look->at == '>' || *look->at == '/')
			break;
		take_attribute(look, &element, before);
	}
	bool closes = look->at < look->end && *look->at == '/';
	move_behind(look, ">");
	element.tag_to = element.end_from = element.to = place(look);
	markup->elements = arena_grow(markup->arena, markup->elements, &markup->capacity, markup->count + 1, sizeof *markup->elements);
	markup->elements[markup->count] = element;
	look->open = closes ? look->open : markup->count;
	markup->count++;
}

static void end_element(struct look *look)
{
	struct markup_element *element = look->open == NO_ID ? NULL : &look->markup->elements[look->open];
	size_t from = place(look);
	move_behind(look, ">");
	if (element == NULL)
		return;
	element->end_from = from;
	element->to = place(look);
	look->open = element->parent;
}

struct markup markup_read(struct arena *arena, const char *bytes, size_t length)
{
	struct markup markup = {.arena = arena, .bytes = bytes, .length = length};
	struct look look = {&markup, bytes, bytes + length, 1, NO_ID};
	while (look.at < look.end) {
		if (*look.at != '<')
			move_to(&look, look.at + strcspn(look.at, "<"));
		else if (strncmp(look.at, "<!--", 4) == 0)
			move_behind(&look, "-->");
		else if (strncmp(look.at, "<![CDATA[", 9) == 0)
			move_behind(&look, "]]>");
		else if (look.at[1] == '?')
			move_behind(&look, "?>");
		else if (look.at[1] == '/')
			end_element(&look);
		else
			begin_element(&look);
	}
	return markup;
}

int markup_find(const struct markup *markup, int after, int parent, const char *name, const char *id)
{
	for (int i = after + 1; i < markup->count; i++) {
		const struct markup_element *element = &markup->elements[i];
		bool named = name == NULL || strcmp(element->name, name) == 0;
		bool identified = id == NULL || (element->id != NULL && strcmp(element->id, id) == 0);
		if (named && identified && (parent == MARKUP_ANY || element->parent == parent))
			return i;
	}
	return NO_ID;
}

const struct markup_attribute *markup_attribute(const struct markup_element *element, const char *name)
{
	for (int i = 0; i < element->attribute_count; i++)
		if (strcmp(element->attributes[i].name, name) == 0)
			return &element->attributes[i];
	return NULL;
}

const char *markup_quote(struct arena *arena, const char *text)
{
	struct output output = {0};
	for (; *text != '\0'; text++) {
		const char plain[] = {*text, '\0'};
		output_add(&output, *text == '&'    ? "&amp;"
				    : *text == '<'  ? "&lt;"
				    : *text == '"'  ? "&quot;"
				    : *text == '\'' ? "&apos;"
						    : plain);
	}
	const char *quoted = output.text == NULL ? "" : arena_copy(arena, output.text);
	output_finish(&output);
	return quoted;
}

void splice_add(struct splices *splices, size_t from, size_t to, const char *text)
{
	splices->items = arena_grow(splices->arena, splices->items, &splices->capacity, splices->count + 1, sizeof *splices->items);
	splices->items[splices->count++] = (struct splice){from, to, text};
}

void splice_attribute(struct splices *splices, const struct markup_element *element, const char *name, const char *value)
{
	const struct markup_attribute *there = markup_attribute(element, name);
	if (there != NULL && value != NULL)
		splice_add(splices, there->from, there->to, markup_quote(splices->arena, value));
	else if (there != NULL)
		splice_add(splices, there->before, there->to + 1, "");
	else if (value != NULL)
		splice_add(splices, element->name_to, element->name_to,
			arena_format(splices->arena, " %s=\"%s\"", name, markup_quote(splices->arena, value)));
}

/* The first that was added of those that begin first and behind `done`; -1: none is left. */
static int next_splice(const struct splices *splices, const bool *done)
{
	int next = -1;
	for (int i = 0; i < splices->count; i++)
		if (!done[i] && (next < 0 || splices->items[i].from < splices->items[next].from))
			next = i;
	return next;
}

const char *splice_apply(const struct markup *markup, const struct splices *splices, size_t *length)
{
	bool *done = arena_allocate(splices->arena, (size_t)splices->count + 1, sizeof *done);
	size_t size = markup->length, at = 0, written = 0;
	for (int i = 0; i < splices->count; i++)
		size += strlen(splices->items[i].text);
	char *text = arena_allocate(splices->arena, size + 1, 1);
	for (int i; (i = next_splice(splices, done)) >= 0; done[i] = true) {
		const struct splice *splice = &splices->items[i];
		assert(splice->from >= at);
		size_t kept = splice->from - at, added = strlen(splice->text);
		memcpy(text + written, markup->bytes + at, kept);
		memcpy(text + written + kept, splice->text, added);
		written += kept + added;
		at = splice->to;
	}
	memcpy(text + written, markup->bytes + at, markup->length - at);
	written += markup->length - at;
	text[written] = '\0';
	if (length != NULL)
		*length = written;
	return text;
}
