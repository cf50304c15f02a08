/* XML files of other tools, whose vocabulary no schema of ours knows.
 *
 * Requires: a build.
 * Provides: a file as a tree with lines: elements by their names without prefixes, attributes of XML Schema's instance namespace as
 *           "xsi:NAME", other prefixed ones without their prefix. Text between tags is left out: the formats that are read here have none.
 * Source:   XML 1.0; Namespaces in XML 1.0.
 * Fails:    with a diagnostic for what is not well-formed, has a document type declaration, more than IMPORT_ROWS elements, or nests
 *           deeper than XML_FILE_DEPTH; the result is NULL. Nothing outside of the file is opened.
 */
#ifndef IMPORT_XML_FILES_H
#define IMPORT_XML_FILES_H

#include "import/build.h"

#define XML_FILE_DEPTH 64

struct xml_pair {
	const char *name, *value;
};

struct xml_node {
	const char *name;
	const char *space; /* the URI of its namespace; "": none */
	const char *path;  /* of its file */
	long line;
	struct xml_pair *pairs;
	int pair_count;
	struct xml_node *first, *next; /* child, sibling */
};

const struct xml_node *xml_file_read(struct import_build *build, const char *path);

const char *node_get(const struct xml_node *node, const char *name);              /* NULL: not there */
const struct xml_node *node_child(const struct xml_node *node, const char *name); /* the first of that name, or NULL */
bool node_is(const struct xml_node *node, const char *name);

#endif
