/* An XML file as a tree of plain structs.
 *
 * Requires: a file's bytes and the folder of the schemas.
 * Provides: the elements of a file that is well-formed, of the expected vocabulary, and valid against its schema, with their lines.
 *           Comments, processing instructions and default values are not there. Nothing outside of the bytes and the schema is opened.
 * Fails:    with diagnostics, the result is NULL. What could make a parser slow or large is refused before it runs (scan.h).
 */
#ifndef INPUT_XML_H
#define INPUT_XML_H

#include "base/diagnostics.h"

struct xml_attribute {
	const char *name, *value;
};

struct xml_element {
	const char *name;
	const char *space; /* its namespace; NULL: the file's own. No other one is found by its name */
	const char *text;  /* of the element itself, spaces collapsed; "" where there is none */
	long line;
	struct xml_attribute *attributes;
	int attribute_count;              /* without those that have a prefix */
	bool prefixed;                    /* there are such */
	struct xml_element *first, *next; /* child, sibling */
};

/* vocabulary: "taskset": the namespace is urn:gpubound:taskset:1, the schema taskset-1.xsd in the folder `schemas` (NULL: none found). */
struct xml_element *xml_read(struct arena *arena, struct diagnostics *diagnostics, const char *vocabulary, const char *schemas,
	const char *path, const char *bytes, size_t length);

/* The same for bytes that are known to be valid. */
struct xml_element *xml_read_valid(
	struct arena *arena, struct diagnostics *diagnostics, const char *vocabulary, const char *path, const char *bytes, size_t length);

const char *element_get(const struct xml_element *element, const char *name);                 /* NULL: not there */
const struct xml_element *element_child(const struct xml_element *element, const char *name); /* the first of that name, or NULL */
int element_count(const struct xml_element *element, const char *name);                       /* children of that name */
bool element_is(const struct xml_element *element, const char *name);

/* At most so many bytes of a text and three dots, without control characters, for a message. */
const char *element_shorten(struct arena *arena, const char *text, size_t most);

#define MOST_HINTS 16      /* errors of a file that get a guess at what was meant: guessing is slow */
#define SHORT_VALUE 100    /* bytes: a value in a message */
#define SHORT_MESSAGE 2000 /* bytes: a message of libxml2 */

#endif
