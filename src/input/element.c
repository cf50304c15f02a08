/* Questions to the tree of elements. */
#include "input/xml.h"

#include <string.h>

/* Most names differ in their first byte. */
static bool same(const char *a, const char *b)
{
	return *a == *b && strcmp(a, b) == 0;
}

const char *element_get(const struct xml_element *element, const char *name)
{
	for (int i = 0; i < element->attribute_count; i++)
		if (same(element->attributes[i].name, name))
			return element->attributes[i].value;
	return NULL;
}

bool element_is(const struct xml_element *element, const char *name)
{
	return element->space == NULL && same(element->name, name);
}

const struct xml_element *element_child(const struct xml_element *element, const char *name)
{
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		if (element_is(child, name))
			return child;
	return NULL;
}

int element_count(const struct xml_element *element, const char *name)
{
	int count = 0;
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		count += element_is(child, name);
	return count;
}

const char *element_shorten(struct arena *arena, const char *text, size_t most)
{
	size_t length = strlen(text), kept = length < most ? length : most;
	while (kept < length && kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80)
		kept--; /* not inside of a character */
	char *result = arena_format(arena, "%.*s%s", (int)kept, text, kept < length ? "..." : "");
	for (char *at = result; *at != '\0'; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = ' ';
	return result;
}
