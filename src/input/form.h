/* What elements, attributes and values a vocabulary has, as tables: a quick reader of files that are as they should be.
 *
 * Requires: the tables, which form_tables.py writes from the schemas when the program is built.
 * Provides: form_begin, form_enter, form_leave: false where a file may not be valid against its schema. Whoever hears true from all of
 *           them has a valid file. False says no more than that the schema has to be asked: a few valid files are refused, too
 *           (those with elements of other vocabularies, with prefixed attributes, or with letters beyond ASCII in an id).
 * Source:   W3C XML Schema 1.0, part 1, 3.4.4 (elements), 3.8 (particles); part 2, 4.3 (facets).
 */
#ifndef INPUT_FORM_H
#define INPUT_FORM_H

#include "input/xml.h"

struct form_text {                   /* a simple type */
	const char *const *values;   /* one of these, ended by NULL; NULL: any */
	const unsigned char *states; /* of its pattern, form_classes + 1 a row: does the text match if it ends here, then where each class
					of bytes leads; row 0: no match any more, row 1: the beginning; NULL: no pattern */
	bool filled;                 /* it is not empty */
	bool collapsed;              /* white space does not fill it */
	bool list;                   /* each word matches the pattern, with one space between two */
};

struct form_attribute {
	const char *name;
	const struct form_text *text;
	bool required;
};

struct form_child {
	const char *name;
	const struct form_type *type;
	int particle;
};

struct form_particle { /* one of some children, in its place in the sequence */
	bool required;
	int most;
};

struct form_type {
	const struct form_attribute *attributes;
	int attribute_count, required_count;
	const struct form_child *children;
	int child_count;
	const struct form_particle *particles; /* in their order */
	int particle_count;
	const struct form_text *content; /* text of its own; NULL: none */
};

struct form {
	const char *vocabulary;
	const struct form_type *root;
};

extern const struct form forms[]; /* ended by NULL */
extern const int form_classes;
extern const unsigned char form_class_of[256];

/* An element that is open. */
struct form_place {
	const struct form_type *type;
	int particle, count; /* the last child's, and how many of its children came in a row */
};

const struct form *form_find(const char *vocabulary); /* NULL: has none */

/* An element begins: the root, or a child of one that is open. Its attributes have no prefixes. */
bool form_begin(struct form_place *place, const struct form *form, const struct xml_element *element);
bool form_enter(struct form_place *place, struct form_place *parent, const struct xml_element *element);

/* It ends. text: there was some in it, be it white space that the element does not keep. */
bool form_leave(struct form_place *place, const struct xml_element *element, bool text);

#endif
