/* libxml2 behind one file: parsing without network, entities or document types, validation, and its errors as diagnostics. */
#include "input/xml.h"

#include "base/suggest.h"
#include "input/explain.h"
#include "input/input.h"
#include "input/scan.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlmemory.h>
#include <libxml/xmlschemas.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

/* Where libxml2's errors go. */
struct sink {
	struct diagnostics *diagnostics;
	const char *path;
	int errors;
	xmlDocPtr schema; /* that a document is validated with; else NULL */
};

static void stay_silent(void *context, const char *message, ...)
{
	(void)context;
	(void)message;
}

/* libxml2 allocates through us, before its first allocation. Once, whatever thread of the library's user comes first. */
static void start(void)
{
	xmlMemSetup(memory_free, memory_allocate, memory_resize, memory_copy_string);
	xmlInitParser();
	xmlSetGenericErrorFunc(NULL, stay_silent);
}

/* ---- parsing */

static void on_parse_error(void *context, error_pointer error)
{
	struct sink *sink = ((xmlParserCtxtPtr)context)->_private;
	if (error->level < XML_ERR_ERROR || sink->errors++ > 0)
		return;
	const char *message = element_shorten(sink->diagnostics->arena, error->message != NULL ? error->message : "", SHORT_MESSAGE);
	diagnose(sink->diagnostics, DIAGNOSTIC_XML_MALFORMED, sink->path, error->line, "expected well-formed XML; %s", message);
}

/* An element's line is where its tag begins; libxml2 itself keeps 16 bits of where it ends. No value has a "<", scan.h sees to it. */
static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces, const xmlChar **namespace,
	int attributes, int defaulted, const xmlChar **attribute)
{
	xmlParserCtxtPtr context = data;
	xmlSAX2StartElementNs(data, name, prefix, uri, namespaces, namespace, attributes, defaulted, attribute);
	intptr_t line = context->input->line;
	for (const xmlChar *at = context->input->cur; at > context->input->base && *at != '<'; at--)
		line -= *at == '\n';
	if (context->node != NULL)
		context->node->_private = (void *)line;
}

static long line_of(const xmlNode *element)
{
	return (long)(intptr_t)element->_private;
}

/* libxml2's own limits are wider than scan.h's but for the length of the file: "huge" takes them off. */
static xmlDocPtr parse(struct sink *sink, const char *bytes, size_t length)
{
	const int huge = length > INPUT_LIMIT ? XML_PARSE_HUGE : 0;
	const int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA | huge;
	xmlParserCtxtPtr context = xmlNewParserCtxt();
	context->_private = sink;
	context->sax->serror = on_parse_error;
	context->sax->startElementNs = on_start;
	xmlDocPtr document = xmlCtxtReadMemory(context, bytes, (int)length, NULL, "UTF-8", options);
	xmlFreeParserCtxt(context);
	if (document != NULL && sink->errors > 0) {
		xmlFreeDoc(document);
		return NULL;
	}
	if (document == NULL && sink->errors == 0)
		diagnose(sink->diagnostics, DIAGNOSTIC_XML_MALFORMED, sink->path, 0, "expected well-formed XML");
	return document;
}

/* ---- validation */

/* Offers the names of all elements, or of all attributes, that a schema declares. */
static void offer_names(struct suggestion *suggestion, const xmlNode *node, const char *kind)
{
	for (; node != NULL; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		xmlAttr *name = strcmp((const char *)node->name, kind) == 0 ? xmlHasProp(node, (const xmlChar *)"name") : NULL;
		if (name != NULL && name->children != NULL && name->children->content != NULL)
			suggest_offer(suggestion, (const char *)name->children->content);
		offer_names(suggestion, node->children, kind);
	}
}

/* What a name that may not stand here was meant to be; a name that the schema has is no typing error. */
static const char *guess(const struct sink *sink, const char *message, const char *element)
{
	static const char before[] = ", attribute '";
	const char *attribute = strstr(message, before), *name = element;
	if (sink->schema == NULL || sink->errors >= MOST_HINTS)
		return NULL;
	if (attribute != NULL) {
		attribute += sizeof before - 1;
		name = arena_format(sink->diagnostics->arena, "%.*s", (int)strcspn(attribute, "'"), attribute);
	}
	struct suggestion suggestion = suggest_for(name);
	offer_names(&suggestion, xmlDocGetRootElement(sink->schema), attribute != NULL ? "attribute" : "element");
	return suggestion.nearest != NULL ? arena_copy(sink->diagnostics->arena, suggestion.nearest) : NULL;
}

static void on_violation(void *context, error_pointer error)
{
	struct sink *sink = context;
	struct arena *arena = sink->diagnostics->arena;
	xmlNodePtr node = error->node, owner = node;
	if (error->level < XML_ERR_ERROR)
		return;
	if (node != NULL && node->type == XML_ATTRIBUTE_NODE)
		owner = node->parent;
	xmlChar *value = node != NULL ? xmlNodeGetContent(node) : NULL;
	const char *name = owner != NULL ? (const char *)owner->name : "";
	const char *message = error->message != NULL ? error->message : "";
	const char *text = explain_violation(arena, message, name, guess(sink, message, name));
	xmlFree(value);
	sink->errors++;
	if (text != NULL)
		diagnose(sink->diagnostics, DIAGNOSTIC_SCHEMA_VIOLATION, sink->path, owner != NULL ? line_of(owner) : error->line, "%s",
			text);
}

static void on_schema_error(void *context, error_pointer error)
{
	struct sink *sink = context;
	if (error->level >= XML_ERR_ERROR && sink->errors++ == 0)
		diagnose(sink->diagnostics, DIAGNOSTIC_SCHEMA_UNUSABLE, sink->path, error->line, "expected a schema; %s", error->message);
}

static bool validate_with(struct sink *sink, xmlSchemaPtr schema, xmlDocPtr document)
{
	int before = sink->diagnostics->errors;
	xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
	xmlSchemaSetValidStructuredErrors(context, on_violation, sink);
	bool valid = xmlSchemaValidateDoc(context, document) == 0;
	xmlSchemaFreeValidCtxt(context);
	if (!valid && sink->diagnostics->errors == before)
		diagnose(sink->diagnostics, DIAGNOSTIC_SCHEMA_VIOLATION, sink->path, 0, "expected a file that is valid against its schema");
	return valid;
}

/* The schema is read as any other file, so that it, too, opens nothing. */
static bool validate(struct sink *sink, struct arena *arena, const char *schema_path, xmlDocPtr document)
{
	size_t length;
	const char *bytes = input_read_file(arena, sink->diagnostics, schema_path, &length);
	struct sink schema_sink = {sink->diagnostics, schema_path, 0, NULL};
	xmlDocPtr text = bytes != NULL && scan_xml(sink->diagnostics, schema_path, bytes, length, SCAN_NODES)
				 ? parse(&schema_sink, bytes, length)
				 : NULL;
	if (text == NULL)
		return false;
	xmlSchemaParserCtxtPtr context = xmlSchemaNewDocParserCtxt(text);
	xmlSchemaSetParserStructuredErrors(context, on_schema_error, &schema_sink);
	xmlSchemaPtr schema = xmlSchemaParse(context);
	xmlSchemaFreeParserCtxt(context);
	sink->schema = text;
	if (schema == NULL && schema_sink.errors == 0)
		diagnose(sink->diagnostics, DIAGNOSTIC_SCHEMA_UNUSABLE, schema_path, 0, "expected a schema");
	bool valid = schema != NULL && validate_with(sink, schema, document);
	sink->schema = NULL;
	xmlSchemaFree(schema);
	xmlFreeDoc(text);
	return valid;
}

/* The root's namespace and name come first: without them every other complaint is noise. */
static bool check_root(struct sink *sink, const char *vocabulary, xmlNodePtr root)
{
	struct arena *arena = sink->diagnostics->arena;
	const char *wanted = arena_format(arena, "urn:gpubound:%s:1", vocabulary);
	const char *got = root->ns != NULL && root->ns->href != NULL ? (const char *)root->ns->href : "";
	long line = line_of(root);
	if (strcmp(got, wanted) == 0 && strcmp((const char *)root->name, vocabulary) == 0)
		return true;
	bool other_version = strncmp(got, wanted, strlen(wanted) - 1) == 0 && strcmp(got, wanted) != 0;
	enum diagnostic_code code = other_version ? DIAGNOSTIC_XML_VERSION : DIAGNOSTIC_XML_ROOT;
	diagnose(sink->diagnostics, code, sink->path, line, "expected <%s xmlns=\"%s\">; got <%s xmlns=\"%s\">", vocabulary, wanted,
		element_shorten(arena, (const char *)root->name, SHORT_VALUE), element_shorten(arena, got, SHORT_VALUE));
	return false;
}

/* ---- the tree of our own */

static void copy_attributes(struct arena *arena, struct xml_element *element, const xmlNode *node)
{
	for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next)
		element->attribute_count++;
	element->attributes = arena_allocate(arena, (size_t)element->attribute_count, sizeof *element->attributes);
	struct xml_attribute *to = element->attributes;
	for (xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next, to++) {
		xmlChar *value = xmlNodeGetContent((xmlNodePtr)attribute);
		*to = (struct xml_attribute){
			arena_copy(arena, (const char *)attribute->name), arena_copy(arena, value != NULL ? (const char *)value : "")};
		xmlFree(value);
	}
}

/* The texts among the children, runs of white space as one space, none at the ends. */
static const char *copy_text(struct arena *arena, const xmlNode *node)
{
	size_t length = 0;
	for (const xmlNode *child = node->children; child != NULL; child = child->next)
		length += child->type == XML_TEXT_NODE ? strlen((const char *)child->content) + 1 : 0;
	char *text = arena_allocate(arena, length + 1, 1), *to = text;
	bool space = false;
	for (const xmlNode *child = node->children; child != NULL; child = child->next) {
		for (const char *from = child->type == XML_TEXT_NODE ? (const char *)child->content : ""; *from != '\0'; from++) {
			bool blank = strchr(" \t\r\n", *from) != NULL;
			if (!blank && space && to > text)
				*to++ = ' ';
			if (!blank)
				*to++ = *from;
			space = blank;
		}
	}
	*to = '\0';
	return text;
}

static struct xml_element *copy_element(struct arena *arena, xmlNodePtr node)
{
	struct xml_element *element = arena_allocate(arena, 1, sizeof *element);
	*element = (struct xml_element){.name = arena_copy(arena, (const char *)node->name), .line = line_of(node)};
	element->text = copy_text(arena, node);
	copy_attributes(arena, element, node);
	struct xml_element **link = &element->first;
	for (xmlNodePtr child = node->children; child != NULL; child = child->next) {
		if (child->type != XML_ELEMENT_NODE)
			continue;
		*link = copy_element(arena, child);
		link = &(*link)->next;
	}
	return element;
}

struct xml_element *xml_read(struct arena *arena, struct diagnostics *diagnostics, const char *vocabulary, const char *schemas,
	const char *path, const char *bytes, size_t length)
{
	static pthread_once_t started = PTHREAD_ONCE_INIT;
	pthread_once(&started, start);
	struct sink sink = {diagnostics, path, 0, NULL};
	if (schemas == NULL) {
		diagnose(diagnostics, DIAGNOSTIC_SCHEMA_UNUSABLE, path, 0,
			"expected the folder of the schemas; set GPUBOUND_DATA to the folder above it");
		return NULL;
	}
	if (!scan_xml(diagnostics, path, bytes, length, strcmp(vocabulary, "report") == 0 ? SCAN_REPORT_NODES : SCAN_NODES))
		return NULL;
	xmlDocPtr document = parse(&sink, bytes, length);
	if (document == NULL)
		return NULL;
	xmlNodePtr node = xmlDocGetRootElement(document);
	struct xml_element *root = NULL;
	if (check_root(&sink, vocabulary, node) &&
		validate(&sink, arena, arena_format(arena, "%s/%s-1.xsd", schemas, vocabulary), document))
		root = copy_element(arena, node);
	xmlFreeDoc(document);
	return root;
}
