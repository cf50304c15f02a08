/* libxml2's parser calls the validator, and the validator calls what builds the tree here. */
#include "input/xml_stream.h"

#include "input/scan.h"

#include <libxml/parserInternals.h>
#include <stdint.h>
#include <string.h>

#define KNOWN_NAMES 256 /* of elements and attributes, which the parser keeps once each */

struct open_element {
	struct xml_element *element, **next_child;
	char *text; /* of the element itself so far */
	int length, capacity;
	bool blank; /* white space came last */
};

struct known_name {
	const xmlChar *theirs;
	const char *ours;
};

struct stream {
	struct arena *arena;
	xmlParserCtxtPtr parser;
	const char *vocabulary;
	const xmlChar *space; /* the root's namespace; the parser keeps each once */
	struct xml_element *root;
	struct open_element open[SCAN_DEPTH + 1];
	int depth, errors;
	struct known_name known[KNOWN_NAMES];
};

/* Is one of these eight bytes that one? */
static bool any_is(uint64_t eight, unsigned char byte)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), differ = eight ^ (ones * byte);
	return ((differ - ones) & ~differ & (ones << 7)) != 0;
}

/* Eights of bytes before `at` without a "<" or a line feed, which most of a tag is. */
static const xmlChar *skip_back(const xmlChar *at, const xmlChar *base)
{
	for (uint64_t eight; at - base >= (ptrdiff_t)sizeof eight; at -= sizeof eight) {
		memcpy(&eight, at - (sizeof eight - 1), sizeof eight);
		if (any_is(eight, '<') || any_is(eight, '\n'))
			break;
	}
	return at;
}

/* No value has a "<", scan.h sees to it. */
long xml_line_of_tag(xmlParserCtxtPtr parser)
{
	const xmlChar *base = parser->input->base;
	long line = parser->input->line;
	for (const xmlChar *at = skip_back(parser->input->cur, base); at > base && *at != '<'; at = skip_back(at - 1, base))
		line -= *at == '\n';
	return line;
}

static const char *name_of(struct stream *stream, const xmlChar *theirs)
{
	struct known_name *known = &stream->known[(uintptr_t)theirs / sizeof(int) % KNOWN_NAMES];
	if (known->theirs != theirs)
		*known = (struct known_name){theirs, arena_copy(stream->arena, (const char *)theirs)};
	return known->ours;
}

/* Five pointers each: name, prefix, namespace, the value and its end. */
static void add_attributes(struct stream *stream, struct xml_element *element, int count, const xmlChar **attributes)
{
	element->attributes = count > 0 ? arena_allocate(stream->arena, (size_t)count, sizeof *element->attributes) : NULL;
	for (int i = 0; i < count; i++, attributes += 5) {
		if (attributes[1] != NULL) {
			element->prefixed = true;
			continue;
		}
		size_t length = (size_t)(attributes[4] - attributes[3]);
		char *value = arena_allocate(stream->arena, length + 1, 1);
		memcpy(value, attributes[3], length);
		element->attributes[element->attribute_count++] = (struct xml_attribute){name_of(stream, attributes[0]), value};
	}
}

/* The namespace of an element; NULL: the root's. The parser keeps each once. */
static const char *space_of(struct stream *stream, const xmlChar *space)
{
	return space == stream->space ? NULL : arena_copy(stream->arena, space == NULL ? "" : (const char *)space);
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
	const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes)
{
	struct stream *stream = data;
	(void)prefix, (void)namespace_count, (void)namespaces, (void)defaulted;
	if (stream->errors > 0 || stream->depth > SCAN_DEPTH) {
		stream->errors++;
		return;
	}
	struct xml_element *element = arena_allocate(stream->arena, 1, sizeof *element);
	element->name = name_of(stream, name);
	element->text = "";
	element->line = xml_line_of_tag(stream->parser);
	add_attributes(stream, element, attribute_count, attributes);
	if (stream->depth == 0) {
		const char *wanted = arena_format(stream->arena, "urn:gpubound:%s:1", stream->vocabulary);
		stream->root = element;
		stream->space = uri;
		stream->errors += uri == NULL || strcmp((const char *)uri, wanted) != 0 || strcmp(element->name, stream->vocabulary) != 0;
	} else {
		element->space = space_of(stream, uri);
		struct open_element *parent = &stream->open[stream->depth - 1];
		*parent->next_child = element;
		parent->next_child = &element->next;
	}
	struct open_element *open = &stream->open[stream->depth++];
	open->element = element;
	open->next_child = &element->first;
	open->length = 0;
	open->blank = false;
}

/* Runs of white space as one space, none at the ends. */
static void on_text(void *data, const xmlChar *text, int length)
{
	struct stream *stream = data;
	if (stream->depth == 0 || stream->depth > SCAN_DEPTH)
		return;
	struct open_element *open = &stream->open[stream->depth - 1];
	for (int i = 0; i < length; i++) {
		bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';
		if (!blank) {
			open->text = arena_grow(stream->arena, open->text, &open->capacity, open->length + 2, 1);
			if (open->blank && open->length > 0)
				open->text[open->length++] = ' ';
			open->text[open->length++] = (char)text[i];
		}
		open->blank = blank;
	}
}

static void keep_text(struct stream *stream, const struct open_element *open)
{
	char *text = arena_allocate(stream->arena, (size_t)open->length + 1, 1);
	memcpy(text, open->text, (size_t)open->length);
	open->element->text = text;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	struct stream *stream = data;
	(void)name, (void)prefix, (void)uri;
	if (stream->depth == 0)
		return;
	struct open_element *open = &stream->open[--stream->depth];
	if (open->length > 0)
		keep_text(stream, open);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

/* A warning is no error. The parser runs on: libxml2 2.9.14 does not survive being stopped here. */
static void count(struct stream *stream, error_pointer error)
{
	if (error->level < XML_ERR_ERROR)
		return;
	stream->errors++;
}

static void on_violation(void *data, error_pointer error)
{
	count(data, error);
}

static void on_parse_error(void *data, error_pointer error)
{
	(void)data;
	count(((xmlParserCtxtPtr)error->ctxt)->_private, error);
}

/* Parses with a handler, which calls with `user`. */
static bool parse(struct stream *stream, xmlSAXHandlerPtr handler, void *user, int options)
{
	xmlSAXHandlerPtr own = stream->parser->sax;
	xmlCtxtUseOptions(stream->parser, options);
	handler->serror = on_parse_error;
	stream->parser->sax = handler;
	stream->parser->userData = user;
	stream->parser->_private = stream;
	xmlParseDocument(stream->parser);
	stream->parser->sax = own;
	return stream->parser->wellFormed && stream->errors == 0;
}

static bool validate(struct stream *stream, xmlSAXHandlerPtr handler, xmlSchemaPtr schema, int options)
{
	void *user = stream;
	xmlSchemaValidCtxtPtr validator = xmlSchemaNewValidCtxt(schema);
	xmlSchemaSetValidStructuredErrors(validator, on_violation, stream);
	xmlSchemaSAXPlugPtr plug = xmlSchemaSAXPlug(validator, &handler, &user);
	bool valid = plug != NULL && parse(stream, handler, user, options);
	xmlSchemaSAXUnplug(plug);
	valid = valid && xmlSchemaIsValid(validator) == 1;
	xmlSchemaFreeValidCtxt(validator);
	return valid;
}

/* Character references are text, not nodes; scan.h has refused all other entities, and read the encoding. */
struct xml_element *xml_stream(
	struct arena *arena, xmlSchemaPtr schema, const char *vocabulary, const char *bytes, size_t length, int options)
{
	xmlSAXHandler handler = {.startElementNs = on_start,
		.endElementNs = on_end,
		.characters = on_text,
		.ignorableWhitespace = on_text,
		.cdataBlock = on_text,
		.initialized = XML_SAX2_MAGIC};
	struct stream *stream = arena_allocate(arena, 1, sizeof *stream);
	stream->arena = arena;
	stream->vocabulary = vocabulary;
	stream->parser = xmlCreateMemoryParserCtxt(bytes, (int)length);
	if (stream->parser == NULL)
		return NULL;
	options |= XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC;
	bool valid = schema != NULL ? validate(stream, &handler, schema, options) : parse(stream, &handler, stream, options);
	xmlFreeParserCtxt(stream->parser);
	return valid ? stream->root : NULL;
}
