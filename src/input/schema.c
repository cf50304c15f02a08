/* Schemas are parsed once for each of as many threads as read files of a vocabulary at once, and never given up. */
#include "input/schema.h"

#include "input/input.h"
#include "input/scan.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <pthread.h>
#include <string.h>

static struct schema *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while one is parsed, too: libxml2 makes its own types then */

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

struct complaint {
	struct diagnostics *diagnostics;
	const char *path;
	int errors;
};

/* The first error is the one to mend. */
static void complain(struct complaint *complaint, enum diagnostic_code code, const char *expected, error_pointer error)
{
	if (error->level >= XML_ERR_ERROR && complaint->errors++ == 0)
		diagnose(complaint->diagnostics, code, complaint->path, error->line, "expected %s; %s", expected,
			error->message != NULL ? error->message : "");
}

static void on_parse_error(void *context, error_pointer error)
{
	complain(((xmlParserCtxtPtr)context)->_private, DIAGNOSTIC_XML_MALFORMED, "well-formed XML", error);
}

static void on_schema_error(void *context, error_pointer error)
{
	complain(context, DIAGNOSTIC_SCHEMA_UNUSABLE, "a schema", error);
}

/* A schema says nothing in texts. */
static void on_text(void *data, const xmlChar *text, int length)
{
	(void)data, (void)text, (void)length;
}

/* What a schema says to readers is half of it, and nothing that validates: cut out, but for the line feeds. Returns the new length. */
static size_t cut_annotations(char *bytes, size_t length)
{
	static const char begin[] = "<xs:annotation>", end[] = "</xs:annotation>";
	char *from = bytes, *to = bytes, *last = bytes + length;
	for (char *found, *stop; (found = strstr(from, begin)) != NULL && (stop = strstr(found, end)) != NULL; from = stop + strlen(end)) {
		to = (char *)memmove(to, from, (size_t)(found - from)) + (found - from);
		for (; found < stop; found++)
			if (*found == '\n')
				*to++ = '\n';
	}
	memmove(to, from, (size_t)(last - from) + 1);
	return (size_t)(to + (last - from) - bytes);
}

/* Its tree is not changed: compact. */
static xmlDocPtr parse_text(struct complaint *complaint, const char *bytes, size_t length)
{
	xmlParserCtxtPtr context = xmlNewParserCtxt();
	context->_private = complaint;
	context->sax->serror = on_parse_error;
	context->sax->characters = context->sax->ignorableWhitespace = context->sax->cdataBlock = on_text;
	xmlDocPtr text =
		xmlCtxtReadMemory(context, bytes, (int)length, NULL, "UTF-8", XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_COMPACT);
	xmlFreeParserCtxt(context);
	return text;
}

static xmlSchemaPtr parse_schema(struct complaint *complaint, xmlDocPtr text)
{
	xmlSchemaParserCtxtPtr context = xmlSchemaNewDocParserCtxt(text);
	xmlSchemaSetParserStructuredErrors(context, on_schema_error, complaint);
	xmlSchemaPtr schema = xmlSchemaParse(context);
	xmlSchemaFreeParserCtxt(context);
	return schema;
}

/* The schema is read as any other file, so that it, too, opens nothing. */
static struct schema *read_schema(struct diagnostics *diagnostics, const char *path)
{
	struct complaint complaint = {diagnostics, path, 0};
	size_t length;
	char *bytes = input_read_file(diagnostics->arena, diagnostics, path, &length);
	if (bytes == NULL)
		return NULL;
	length = cut_annotations(bytes, length);
	if (!scan_xml(diagnostics, path, bytes, length, SCAN_NODES))
		return NULL;
	xmlDocPtr text = parse_text(&complaint, bytes, length);
	xmlSchemaPtr parsed = text != NULL && complaint.errors == 0 ? parse_schema(&complaint, text) : NULL;
	if (parsed == NULL) {
		if (complaint.errors == 0)
			diagnose(diagnostics, DIAGNOSTIC_SCHEMA_UNUSABLE, path, 0, "expected a schema");
		xmlFreeDoc(text);
		return NULL;
	}
	struct schema *schema = memory_allocate(sizeof *schema);
	*schema = (struct schema){memory_copy_string(path), text, parsed, NULL};
	return schema;
}

struct schema *schema_take(struct diagnostics *diagnostics, const char *path)
{
	pthread_mutex_lock(&lock);
	struct schema **at = &unused;
	while (*at != NULL && strcmp((*at)->path, path) != 0)
		at = &(*at)->next;
	struct schema *schema = *at;
	if (schema != NULL)
		*at = schema->next;
	else
		schema = read_schema(diagnostics, path);
	pthread_mutex_unlock(&lock);
	return schema;
}

void schema_put_back(struct schema *schema)
{
	pthread_mutex_lock(&lock);
	schema->next = unused;
	unused = schema;
	pthread_mutex_unlock(&lock);
}
