/* Schemas are parsed once for each of as many threads as read files of a vocabulary at once, and never given up. One that is reduced to the
 * first file of a vocabulary does for others that name no more, and is not taken again once it did not do for one. */
#include "input/schema.h"

#include "input/input.h"
#include "input/scan.h"
#include "input/schema_reduce.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <pthread.h>
#include <string.h>

static struct schema *unused, *reduced;
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
		for (const char *feed = found; (feed = memchr(feed, '\n', (size_t)(stop - feed))) != NULL; feed++)
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

static struct schema *make(struct diagnostics *diagnostics, const char *path, const char *bytes, size_t length)
{
	struct complaint complaint = {diagnostics, path, 0};
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
	*schema = (struct schema){.path = memory_copy_string(path), .text = text, .schema = parsed};
	return schema;
}

/* The schema is read as any other file, so that it, too, opens nothing. file: see schema.h. */
static struct schema *read_schema(struct arena *arena, struct diagnostics *diagnostics, const char *path, const char *file)
{
	size_t length;
	char *bytes = input_read_file(arena, diagnostics, path, &length);
	if (bytes == NULL)
		return NULL;
	length = cut_annotations(bytes, length);
	if (file != NULL)
		length = schema_reduce(bytes, length, file);
	struct schema *schema = make(diagnostics, path, bytes, length);
	if (schema != NULL)
		schema->reduced = file != NULL;
	return schema;
}

/* What is no schema when it is reduced may be one as a whole, so nothing is said of it. Its text is not kept: what is read next has its
 * memory. */
static struct schema *read_reduced(const char *path, const char *file)
{
	struct arena *arena = arena_create();
	struct diagnostics unheard;
	diagnostics_init(&unheard, arena);
	struct schema *schema = read_schema(arena, &unheard, path, file);
	arena_destroy(arena);
	return schema;
}

static struct schema **find(struct schema **at, const char *path)
{
	while (*at != NULL && strcmp((*at)->path, path) != 0)
		at = &(*at)->next;
	return at;
}

static struct schema *take_out(struct schema **at)
{
	struct schema *schema = *at;
	*at = schema->next;
	return schema;
}

struct schema *schema_take(struct diagnostics *diagnostics, const char *path, const char *file)
{
	pthread_mutex_lock(&lock);
	struct schema **small = find(&reduced, path), **whole = find(&unused, path), *schema = NULL;
	if (file != NULL && *small != NULL && !(*small)->refused)
		schema = take_out(small);
	else if (*whole != NULL)
		schema = take_out(whole);
	else if (file != NULL && *small == NULL)
		schema = read_reduced(path, file);
	if (schema == NULL)
		schema = read_schema(diagnostics->arena, diagnostics, path, NULL);
	pthread_mutex_unlock(&lock);
	return schema;
}

void schema_put_back(struct schema *schema)
{
	pthread_mutex_lock(&lock);
	struct schema **list = schema->reduced ? &reduced : &unused;
	schema->next = *list;
	*list = schema;
	pthread_mutex_unlock(&lock);
}
