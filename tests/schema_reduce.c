/* For tests: validates files with a schema as a whole, and with what each of them needs of it.
 *
 * usage: schema_reduce VOCABULARY SCHEMA   (its text without annotations; on standard input files, each as its length, a line feed, its
 * bytes) Prints a line for each file: whether the whole schema accepts it, whether the reduced one does (0, 1; - if scan.h refuses the
 * file), and how many bytes are left of the schema. */
#include "input/input.h"
#include "input/scan.h"
#include "input/schema_reduce.h"
#include "input/xml_stream.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stay_silent(void *context, const char *message, ...)
{
	(void)context;
	(void)message;
}

static xmlSchemaPtr compile(const char *text, size_t length)
{
	xmlSchemaParserCtxtPtr context = xmlSchemaNewMemParserCtxt(text, (int)length);
	xmlSchemaSetParserErrors(context, stay_silent, stay_silent, NULL);
	xmlSchemaPtr schema = xmlSchemaParse(context);
	xmlSchemaFreeParserCtxt(context);
	return schema;
}

static bool accepts(struct arena *arena, xmlSchemaPtr schema, const char *vocabulary, const char *file, size_t length)
{
	return schema != NULL && xml_stream(arena, schema, vocabulary, file, length, XML_PARSE_NONET) != NULL;
}

static void try(xmlSchemaPtr whole, const char *text, size_t text_length, const char *vocabulary, const char *file, size_t length)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	char *copy = arena_copy_part(arena, text, text_length);
	size_t left = schema_reduce(copy, text_length, file);
	xmlSchemaPtr reduced = compile(copy, left);
	if (scan_xml(&diagnostics, "", file, length, SCAN_NODES))
		printf("%d %d %zu\n", accepts(arena, whole, vocabulary, file, length), accepts(arena, reduced, vocabulary, file, length),
			left);
	else
		printf("- - %zu\n", left);
	xmlSchemaFree(reduced);
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	size_t length, text_length;
	const char *text = count == 3 ? input_read_file(arena, &diagnostics, words[2], &text_length) : NULL;
	xmlSchemaPtr whole = text != NULL ? compile(text, text_length) : NULL;
	if (whole == NULL)
		return 2;
	xmlSetGenericErrorFunc(NULL, stay_silent);
	while (scanf("%zu%*1[\n]", &length) == 1) {
		char *file = calloc(length + 1, 1);
		if (file == NULL || fread(file, 1, length, stdin) != length)
			return 2;
		try(whole, text, text_length, words[1], file, length);
		free(file);
	}
	xmlSchemaFree(whole);
	arena_destroy(arena);
	return 0;
}
