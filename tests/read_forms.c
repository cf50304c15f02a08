/* For tests: reads files by the tables of input/form.h and by their schemas, and prints for each what either says.
 *
 * usage: read_forms SCHEMAS   (standard input: for each file a line "VOCABULARY BYTES", then its bytes; the answer is a line: 1 or 0 by the
 * tables, 1 or 0 by the schema, and = where both read the same tree) */
#include "input/report.h"
#include "input/scan.h"
#include "input/xml_stream.h"

#include <stdio.h>
#include <string.h>

#define SCHEMAS_MOST 8

static struct known_schema {
	char vocabulary[64];
	xmlSchemaPtr schema;
} known[SCHEMAS_MOST];

static xmlSchemaPtr find_schema(const char *folder, const char *vocabulary)
{
	struct known_schema *at = known;
	while (at->schema != NULL && strcmp(at->vocabulary, vocabulary) != 0)
		at++;
	if (at->schema != NULL)
		return at->schema;
	char path[4096];
	snprintf(path, sizeof path, "%s/%s-1.xsd", folder, vocabulary);
	snprintf(at->vocabulary, sizeof at->vocabulary, "%s", vocabulary);
	xmlSchemaParserCtxtPtr context = xmlSchemaNewParserCtxt(path);
	at->schema = xmlSchemaParse(context);
	xmlSchemaFreeParserCtxt(context);
	return at->schema;
}

static bool is_same(const struct xml_element *a, const struct xml_element *b)
{
	if (strcmp(a->name, b->name) != 0 || strcmp(a->text, b->text) != 0 || a->line != b->line ||
		a->attribute_count != b->attribute_count)
		return false;
	for (int i = 0; i < a->attribute_count; i++)
		if (strcmp(a->attributes[i].name, b->attributes[i].name) != 0 ||
			strcmp(a->attributes[i].value, b->attributes[i].value) != 0)
			return false;
	const struct xml_element *left = a->first, *right = b->first;
	for (; left != NULL && right != NULL && is_same(left, right); left = left->next)
		right = right->next;
	return left == NULL && right == NULL;
}

static void answer(const char *folder, const char *vocabulary, const char *bytes, size_t length)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	bool malformed;
	struct xml_element *by_form = NULL, *by_schema = NULL;
	if (scan_xml(&diagnostics, "-", bytes, length, REPORT_NODES)) {
		by_form = xml_stream_form(arena, form_find(vocabulary), bytes, length, 0, &malformed);
		by_schema = xml_stream(arena, find_schema(folder, vocabulary), vocabulary, bytes, length, 0);
	}
	printf("%d %d%s\n", by_form != NULL, by_schema != NULL,
		by_form != NULL && by_schema != NULL && is_same(by_form, by_schema) ? " =" : "");
	arena_destroy(arena);
}

int main(int argc, char *argv[])
{
	char vocabulary[64];
	size_t length;
	if (argc != 2)
		return 2;
	while (scanf("%63s %zu", vocabulary, &length) == 2 && getchar() == '\n') {
		char *bytes = memory_allocate(length + 1);
		if (fread(bytes, 1, length, stdin) != length)
			return 2;
		bytes[length] = '\0';
		answer(argv[1], vocabulary, bytes, length);
		memory_free(bytes);
	}
	return 0;
}
