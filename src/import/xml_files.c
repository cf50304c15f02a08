/* libxml2's parser, without schema, entities of the file's own, or anything that it would load. */
#include "import/xml_files.h"

#include "import/values.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <string.h>

#define INSTANCE "http://www.w3.org/2001/XMLSchema-instance"

struct growing {
	struct import_build *build;
	xmlParserCtxtPtr parser;
	const char *path;
	struct xml_node *root, *open[XML_FILE_DEPTH], **next_child[XML_FILE_DEPTH];
	int depth, nodes;
	bool failed;
};

static void fail(struct growing *growing, enum diagnostic_code code, const char *expected)
{
	if (!growing->failed)
		diagnose(growing->build->diagnostics, code, growing->path, xmlSAX2GetLineNumber(growing->parser), "expected %s", expected);
	growing->failed = true;
}

/* Five pointers each: name, prefix, namespace, the value and its end. */
static void add_pairs(struct growing *growing, struct xml_node *node, int count, const xmlChar **attributes)
{
	struct arena *arena = growing->build->arena;
	node->pairs = count > 0 ? arena_allocate(arena, (size_t)count, sizeof *node->pairs) : NULL;
	for (int i = 0; i < count; i++, attributes += 5) {
		bool instance = attributes[2] != NULL && strcmp((const char *)attributes[2], INSTANCE) == 0;
		node->pairs[node->pair_count++] =
			(struct xml_pair){arena_format(arena, "%s%s", instance ? "xsi:" : "", (const char *)attributes[0]),
				arena_format(arena, "%.*s", (int)(attributes[4] - attributes[3]), (const char *)attributes[3])};
	}
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
	const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes)
{
	struct growing *growing = data;
	(void)prefix, (void)namespace_count, (void)namespaces, (void)defaulted;
	if (growing->depth == XML_FILE_DEPTH)
		fail(growing, DIAGNOSTIC_IMPORT_LIMIT,
			arena_format(growing->build->arena, "elements nested at most %d deep", XML_FILE_DEPTH));
	if (++growing->nodes > IMPORT_ROWS)
		fail(growing, DIAGNOSTIC_IMPORT_LIMIT, arena_format(growing->build->arena, "at most %d elements", IMPORT_ROWS));
	if (growing->failed)
		return;
	struct xml_node *node = arena_allocate(growing->build->arena, 1, sizeof *node);
	node->name = arena_copy(growing->build->arena, (const char *)name);
	node->space = uri != NULL ? arena_copy(growing->build->arena, (const char *)uri) : "";
	node->path = growing->path;
	node->line = xmlSAX2GetLineNumber(growing->parser);
	add_pairs(growing, node, attribute_count, attributes);
	if (growing->depth == 0)
		growing->root = node;
	else {
		*growing->next_child[growing->depth - 1] = node;
		growing->next_child[growing->depth - 1] = &node->next;
	}
	growing->next_child[growing->depth] = &node->first;
	growing->open[growing->depth++] = node;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	struct growing *growing = data;
	(void)name, (void)prefix, (void)uri;
	growing->depth -= growing->depth > 0 && !growing->failed;
}

/* Entities of a file's own could make a small file large. */
static void on_document_type(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
	(void)name, (void)external, (void)system;
	fail(data, DIAGNOSTIC_IMPORT_FORMAT, "XML without a document type declaration");
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

static void on_error(void *data, error_pointer error)
{
	struct growing *growing = ((xmlParserCtxtPtr)error->ctxt)->_private;
	(void)data;
	if (error->level >= XML_ERR_ERROR)
		fail(growing, DIAGNOSTIC_IMPORT_FORMAT, "XML that is well-formed");
}

static bool parse(struct growing *growing, const char *bytes, size_t length)
{
	xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_start,
		.endElementNs = on_end,
		.internalSubset = on_document_type,
		.serror = on_error};
	growing->parser = xmlCreateMemoryParserCtxt(bytes, (int)length);
	if (growing->parser == NULL) {
		diagnose(growing->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, growing->path, 0, "expected XML; the file is empty");
		return false;
	}
	xmlSAXHandlerPtr own = growing->parser->sax;
	xmlCtxtUseOptions(growing->parser, XML_PARSE_NONET);
	growing->parser->sax = &handler;
	growing->parser->userData = growing;
	growing->parser->_private = growing;
	xmlParseDocument(growing->parser);
	growing->parser->sax = own;
	if (!growing->parser->wellFormed)
		fail(growing, DIAGNOSTIC_IMPORT_FORMAT, "XML that is well-formed");
	xmlFreeParserCtxt(growing->parser);
	return !growing->failed && growing->root != NULL;
}

const struct xml_node *xml_file_read(struct import_build *build, const char *path)
{
	struct growing growing = {.build = build, .path = path};
	size_t length;
	const char *bytes = import_read_bytes(build, path, false, &length);
	_Static_assert(IMPORT_BYTES < INT_MAX, "libxml2 counts bytes in an int");
	return bytes != NULL && parse(&growing, bytes, length) ? growing.root : NULL;
}

const char *node_get(const struct xml_node *node, const char *name)
{
	for (int i = 0; node != NULL && i < node->pair_count; i++)
		if (strcmp(node->pairs[i].name, name) == 0)
			return node->pairs[i].value;
	return NULL;
}

bool node_is(const struct xml_node *node, const char *name)
{
	return strcmp(node->name, name) == 0;
}

const struct xml_node *node_child(const struct xml_node *node, const char *name)
{
	for (const struct xml_node *child = node != NULL ? node->first : NULL; child != NULL; child = child->next)
		if (node_is(child, name))
			return child;
	return NULL;
}
