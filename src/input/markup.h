/* Where in a file's text its elements and their attributes stand, so that the text can be changed and the rest of it stays.
 *
 * Requires: text that xml_read has taken.
 * Provides: the elements in the order of their tags, with the places of their parts; and splices, which are changes of places that do not
 *           overlap, done at once. What is put in becomes right or wrong when the text is read again.
 * Fails:    never.
 */
#ifndef INPUT_MARKUP_H
#define INPUT_MARKUP_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

struct markup_attribute {
	const char *name, *value; /* as it stands there, references to characters included */
	size_t before;            /* the blank before the name */
	size_t from, to;          /* of the value, without its quotes */
};

struct markup_element {
	const char *name, *id; /* id: NULL where it has none */
	int parent;            /* NO_ID for the root */
	long line;
	size_t from, name_to, tag_to; /* "<", behind the name, behind ">" */
	size_t end_from, to;          /* "</", behind its ">"; both tag_to where the tag closes itself */
	struct markup_attribute *attributes;
	int attribute_count, attribute_capacity;
};

struct markup {
	struct arena *arena;
	const char *bytes;
	size_t length;
	struct markup_element *elements;
	int count, capacity;
};

struct markup markup_read(struct arena *arena, const char *bytes, size_t length);

/* The first element from `after` + 1 on with this name (NULL: any) and id (NULL: any) in this parent (MARKUP_ANY: anywhere); NO_ID: none.
 */
#define MARKUP_ANY (-2)
int markup_find(const struct markup *markup, int after, int parent, const char *name, const char *id);

/* NULL: it has none of that name. */
const struct markup_attribute *markup_attribute(const struct markup_element *element, const char *name);

struct splice {
	size_t from, to;
	const char *text; /* in place of what is there */
};

struct splices {
	struct arena *arena;
	struct splice *items;
	int count, capacity;
};

void splice_add(struct splices *splices, size_t from, size_t to, const char *text);
/* The value is text that is quoted here as XML wants it. value NULL: without the attribute. */
void splice_attribute(struct splices *splices, const struct markup_element *element, const char *name, const char *value);
/* The changed text, in the splices' arena; of two at one place the one that was added first stands first. */
const char *splice_apply(const struct markup *markup, const struct splices *splices, size_t *length);

/* Text as XML wants it in a value. */
const char *markup_quote(struct arena *arena, const char *text);

#endif
