/* Elements and attributes as text, indented.
 *
 * Requires: names of elements and attributes that are valid; values may be anything.
 * Provides: well-formed XML 1.0 in UTF-8, whatever the values hold.
 * Fails:    never.
 */
#ifndef WRITE_XML_WRITE_H
#define WRITE_XML_WRITE_H

#include "base/output.h"
#include "base/rational.h"

#define XML_DEPTH 16

struct xml {
	struct output *output;
	const char *open[XML_DEPTH]; /* names of the open elements */
	int depth;
	bool in_tag, has_text;
};

void xml_start(struct xml *xml, struct output *output); /* with the declaration */
void xml_begin(struct xml *xml, const char *name);
void xml_end(struct xml *xml);
/* Attributes of the element just begun. A value that is NULL, NONE or RATIONAL_NONE leaves the attribute out. */
void xml_attribute(struct xml *xml, const char *name, const char *value);
void xml_integer(struct xml *xml, const char *name, int64_t value);
void xml_boolean(struct xml *xml, const char *name, bool value);
void xml_rational(struct xml *xml, const char *name, struct rational value); /* "3", "3/2" */
void xml_text(struct xml *xml, const char *text);
void xml_element(struct xml *xml, const char *name, const char *text); /* one that holds only text; NULL leaves it out */
void xml_comment(struct xml *xml, const char *text);

#endif
