/* An XML file in one pass: the tree of our own, validated while it grows.
 *
 * Requires: bytes that scan.h lets pass; a schema, or NULL for bytes that are known to be valid.
 * Provides: the root, if the file is well-formed, has the expected root, and is valid.
 * Fails:    NULL, without a word: xml.c looks for the place then.
 */
#ifndef INPUT_XML_STREAM_H
#define INPUT_XML_STREAM_H

#include "input/xml.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

struct xml_element *xml_stream(
	struct arena *arena, xmlSchemaPtr schema, const char *vocabulary, const char *bytes, size_t length, int options);

/* The line in which the tag begins that the parser has just read; libxml2 itself keeps 16 bits of where it ends. */
long xml_line_of_tag(xmlParserCtxtPtr parser);

#endif
