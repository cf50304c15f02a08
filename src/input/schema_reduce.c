/* Definitions are found by how they are written: each begins a line, behind one tab. Where one is written otherwise it is a part of what
 * stands before it and goes with it, and then the schema does not compile. */
#include "input/schema_reduce.h"

#include <stdbool.h>
#include <string.h>

#define DEFINITIONS_MOST 256
#define NAME_MOST 64

struct definition {
	char *from, *end;
	const char *name; /* up to its quote */
	bool wanted;
};

struct reduction {
	const char *file;
	struct definition definitions[DEFINITIONS_MOST];
	int count;
};

/* Is `word` what stands before `at`? */
static bool is_before(const char *at, const char *from, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(at - from) >= length && memcmp(at - length, word, length) == 0;
}

/* As a name or in any other way. */
static bool stands_in(const char *file, const char *name, size_t length)
{
	char word[NAME_MOST];
	if (length >= sizeof word)
		return true;
	memcpy(word, name, length);
	word[length] = '\0';
	return strstr(file, word) != NULL;
}

static void visit(struct reduction *reduction, struct definition *definition);

/* Types, groups and elements may have one name. */
static void visit_named(struct reduction *reduction, const char *name, size_t length)
{
	for (struct definition *definition = reduction->definitions; definition < reduction->definitions + reduction->count; definition++)
		if (!definition->wanted && strncmp(definition->name, name, length) == 0 && definition->name[length] == '"')
			visit(reduction, definition);
}

/* Value by value: name="VALUE". */
static void visit(struct reduction *reduction, struct definition *definition)
{
	bool absent = false; /* what this tag declares */
	definition->wanted = true;
	for (char *last = definition->from, *at, *end; (at = strstr(last, "=\"")) != NULL && at < definition->end; last = end + 1) {
		char *value = at + 2;
		end = strchr(value, '"');
		if (end == NULL)
			return;
		absent = absent && memchr(last, '<', (size_t)(at - last)) == NULL;
		if (is_before(at, last, "<xs:element name") || is_before(at, last, "<xs:attribute name"))
			absent = !stands_in(reduction->file, value, (size_t)(end - value));
		else if (absent && is_before(at, last, " type"))
			memset(at - strlen(" type"), ' ', strlen(" type=\"\"") + (size_t)(end - value));
		else if (is_before(at, last, "ype") || is_before(at, last, " base") || is_before(at, last, " ref")) /* type, itemType */
			visit_named(reduction, value, (size_t)(end - value));
	}
}

/* False: there are too many. */
static bool find_definitions(struct reduction *reduction, char *schema)
{
	static const char begin[] = "\n\t<xs:", close[] = "\n</xs:schema>", before_name[] = " name=\"";
	for (char *at = strstr(schema, begin), *next; at != NULL; at = next) {
		next = strstr(at + 1, begin);
		char *end = next != NULL ? next : strstr(at, close);
		const char *name = strstr(at, before_name);
		if (reduction->count == DEFINITIONS_MOST || end == NULL || name == NULL)
			return false;
		reduction->definitions[reduction->count++] = (struct definition){at, end, name + sizeof before_name - 1, false};
	}
	return reduction->count > 0;
}

size_t schema_reduce(char *schema, size_t length, const char *file)
{
	struct reduction reduction = {.file = file};
	if (!find_definitions(&reduction, schema))
		return length;
	const struct definition *first = reduction.definitions, *last = first + reduction.count - 1;
	for (struct definition *definition = reduction.definitions; definition <= last; definition++)
		if (strncmp(definition->from, "\n\t<xs:element", strlen("\n\t<xs:element")) == 0)
			visit(&reduction, definition);
	char *to = first->from;
	for (const struct definition *definition = first; definition <= last; definition++)
		if (definition->wanted)
			to = (char *)memmove(to, definition->from, (size_t)(definition->end - definition->from)) +
			     (definition->end - definition->from);
	size_t rest = length - (size_t)(last->end - schema);
	memmove(to, last->end, rest + 1);
	return (size_t)(to - schema) + rest;
}
