/* libxml2 behind one file: parsing without network, entities or document types, validation, and its errors as diagnostics. */
#include "input/xml.h"

#include "base/suggest.h"
#include "input/schema_complaint.h"
#include "input/input.h"
#include "input/read_report.h"
#include "input/scan.h"
#include "input/schema.h"
#include "input/xml_stream.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlmemory.h>
#include <libxml/xmlschemas.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

#define SMALL ((size_t)16384) /* bytes: larger ones take longer to search for names than a schema to compile */

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

/* libxml2 allocates through us, before its first allocation, unless the program that uses this library has given it something of its own.
 * Once, whatever thread comes first. */
static void start(void)
{
	xmlFreeFunc release = NULL;
	xmlMemGet(&release, NULL, NULL, NULL);
	if (release == NULL || release == free)
		xmlMemSetup(memory_free, memory_allocate, memory_resize, memory_copy_string);
	xmlInitParser();
}

/* libxml2's other errors: a handler of the thread, which may be that of whoever uses this library. */
struct listener {
	xmlGenericErrorFunc function;
	void *context;
};

static struct listener silence(void)
{
	struct listener before = {xmlGenericError, xmlGenericErrorContext};
	xmlSetGenericErrorFunc(NULL, stay_silent);
	return before;
}

static void give_back(const struct listener *before)
{
	xmlSetGenericErrorFunc(before->context, before->function);
}

/* ---- parsing */

static void on_parse_error(void *context, error_pointer error)
{
	struct sink *sink = ((xmlParserCtxtPtr)context)->_private;
	if (error->level < XML_ERR_ERROR || sink->errors++ > 0)
		return;
	const char *said = error->message != NULL ? error->message : "", *end = said + strcspn(said, "\n");
	while (end > said && end[-1] == ' ')
		end--;
	const char *message = element_shorten(
		sink->diagnostics->arena, arena_format(sink->diagnostics->arena, "%.*s", (int)(end - said), said), SHORT_MESSAGE);
	diagnose(sink->diagnostics, DIAGNOSTIC_XML_MALFORMED, sink->path, error->line, "expected well-formed XML; %s", message);
}

/* An element's line is where its tag begins. */
static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces, const xmlChar **namespace,
	int attributes, int defaulted, const xmlChar **attribute)
{
	xmlParserCtxtPtr context = data;
	xmlSAX2StartElementNs(data, name, prefix, uri, namespaces, namespace, attributes, defaulted, attribute);
	if (context->node != NULL)
		context->node->_private = (void *)(intptr_t)xml_line_of_tag(context);
}

static long line_of(const xmlNode *element)
{
	return (long)(intptr_t)element->_private;
}

/* libxml2's own limits are wider than scan.h's but for the length of the file: "huge" takes them off. */
static int options_for(size_t length)
{
	return XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA | (length > INPUT_LIMIT ? XML_PARSE_HUGE : 0);
}

static xmlDocPtr parse(struct sink *sink, const char *bytes, size_t length)
{
	xmlParserCtxtPtr context = xmlNewParserCtxt();
	context->_private = sink;
	context->sax->serror = on_parse_error;
	context->sax->startElementNs = on_start;
	xmlDocPtr document = xmlCtxtReadMemory(context, bytes, (int)length, NULL, "UTF-8", options_for(length));
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

/* Words of CUDA and its tools that are far from ours by their letters. */
static const char *by_meaning(const char *name)
{
	static const char *const words[][2] = {{"regs", "registers"}, {"numRegs", "registers"}, {"size", "bytes"}, {"threads", "block"},
		{"blockDim", "block"}, {"blocks", "grid"}, {"gridDim", "grid"}, {"smem", "shared-static"}, {"shared", "shared-static"},
		{"dynamic-smem", "shared-dynamic"}, {"duration", "wcet"}, {"time", "wcet"}, {"prio", "priority"}, {"name", "id"}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(name, words[i][0]) == 0)
			return words[i][1];
	return NULL;
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
	if (attribute != NULL && by_meaning(name) != NULL) {
		struct suggestion known = suggest_for(by_meaning(name));
		offer_names(&known, xmlDocGetRootElement(sink->schema), "attribute");
		if (known.least == 0) /* this vocabulary has it */
			return by_meaning(name);
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
	const char *text = schema_complaint_explain(arena, message, name, guess(sink, message, name));
	xmlFree(value);
	sink->errors++;
	if (text != NULL)
		diagnose(sink->diagnostics, DIAGNOSTIC_SCHEMA_VIOLATION, sink->path, owner != NULL ? line_of(owner) : error->line, "%s",
			text);
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

/* What is wrong with a file, read once more as a whole, so that each complaint has its place. */
static void explain(struct sink *sink, const struct schema *schema, const char *vocabulary, const char *bytes, size_t length)
{
	xmlDocPtr document = parse(sink, bytes, length);
	if (document == NULL)
		return;
	sink->schema = schema->text;
	if (check_root(sink, vocabulary, xmlDocGetRootElement(document)) && validate_with(sink, schema->schema, document))
		diagnose(sink->diagnostics, DIAGNOSTIC_SCHEMA_VIOLATION, sink->path, 0, "expected a file that is valid against its schema");
	xmlFreeDoc(document);
}

static struct xml_element *stream(
	struct arena *arena, const struct schema *schema, const char *vocabulary, const char *bytes, size_t length)
{
	return schema != NULL ? xml_stream(arena, schema->schema, vocabulary, bytes, length, options_for(length)) : NULL;
}

static void start_once(void)
{
	static pthread_once_t started = PTHREAD_ONCE_INIT;
	pthread_once(&started, start);
}

struct xml_element *xml_read(struct arena *arena, struct diagnostics *diagnostics, const char *vocabulary, const char *schemas,
	const char *path, const char *bytes, size_t length)
{
	struct sink sink = {.diagnostics = diagnostics, .path = path};
	start_once();
	if (schemas == NULL) {
		diagnose(diagnostics, DIAGNOSTIC_SCHEMA_UNUSABLE, path, 0,
			"expected the folder of the schemas; set GPUBOUND_DATA to the folder above it");
		return NULL;
	}
	if (!scan_xml(diagnostics, path, bytes, length, strcmp(vocabulary, "report") == 0 ? REPORT_NODES : SCAN_NODES))
		return NULL;
	struct listener before = silence();
	const char *wanted = arena_format(arena, "%s/%s-1.xsd", schemas, vocabulary);
	struct schema *schema = schema_take(diagnostics, wanted, length <= SMALL ? bytes : NULL);
	struct xml_element *root = stream(arena, schema, vocabulary, bytes, length);
	if (root == NULL && schema != NULL && schema->reduced) {
		schema->refused = true;
		schema_put_back(schema);
		schema = schema_take(diagnostics, wanted, NULL);
		root = stream(arena, schema, vocabulary, bytes, length);
	}
	if (root == NULL && schema != NULL)
		explain(&sink, schema, vocabulary, bytes, length);
	if (schema != NULL)
		schema_put_back(schema);
	give_back(&before);
	return root;
}

struct xml_element *xml_read_valid(
	struct arena *arena, struct diagnostics *diagnostics, const char *vocabulary, const char *path, const char *bytes, size_t length)
{
	start_once();
	if (!scan_xml(diagnostics, path, bytes, length, SCAN_NODES))
		return NULL;
	struct listener before = silence();
	struct xml_element *root = xml_stream(arena, NULL, vocabulary, bytes, length, options_for(length));
	give_back(&before);
	return root;
}
