/* Walking the tables of form.h beside a file. */
#include "input/form.h"

#include <string.h>

/* ---- values */

static bool is_one_of(const char *const *values, const char *text)
{
	while (*values != NULL && strcmp(*values, text) != 0)
		values++;
	return *values != NULL;
}

static bool matches(const unsigned char *states, bool list, const char *text)
{
	const size_t row = (size_t)form_classes + 1;
	unsigned state = 1;
	if (list && *text == '\0') /* no word, no misfit */
		return true;
	for (; *text != '\0'; text++) {
		if (list && *text == ' ' && states[state * row] == 0)
			return false;
		state = list && *text == ' ' ? 1 : states[state * row + 1 + form_class_of[(unsigned char)*text]];
	}
	return states[state * row] != 0;
}

static bool accepts(const struct form_text *type, const char *text)
{
	if (type->filled && text[type->collapsed ? strspn(text, " \t\r\n") : 0] == '\0')
		return false;
	return (type->values == NULL || is_one_of(type->values, text)) && (type->states == NULL || matches(type->states, type->list, text));
}

/* ---- attributes */

/* Attributes mostly come in the order of the table: each is looked for behind the last one first. */
static const struct form_attribute *find_attribute(const struct form_type *type, int behind, const char *name)
{
	for (int i = 0; i < type->attribute_count; i++) {
		const struct form_attribute *attribute = &type->attributes[(behind + i) % type->attribute_count];
		if (strcmp(attribute->name, name) == 0)
			return attribute;
	}
	return NULL;
}

/* Two of one name are not well-formed, so that as many as are required are all of them. */
static bool accepts_attributes(const struct form_type *type, const struct xml_element *element)
{
	int required = 0, behind = 0;
	for (int i = 0; i < element->attribute_count; i++) {
		const struct form_attribute *attribute = find_attribute(type, behind, element->attributes[i].name);
		if (attribute == NULL || !accepts(attribute->text, element->attributes[i].value))
			return false;
		required += attribute->required;
		behind = (int)(attribute - type->attributes) + 1;
	}
	return required == type->required_count;
}

/* ---- elements */

const struct form *form_find(const char *vocabulary)
{
	const struct form *form = forms;
	while (form->vocabulary != NULL && strcmp(form->vocabulary, vocabulary) != 0)
		form++;
	return form->vocabulary != NULL ? form : NULL;
}

static bool begin(struct form_place *place, const struct form_type *type, const struct xml_element *element)
{
	*place = (struct form_place){type, 0, 0};
	return accepts_attributes(type, element);
}

bool form_begin(struct form_place *place, const struct form *form, const struct xml_element *element)
{
	return strcmp(element->name, form->vocabulary) == 0 && begin(place, form->root, element);
}

/* From the particle of the last child to a later one: none that is required lies between. */
static bool go_on(struct form_place *place, int particle)
{
	for (; place->particle < particle; place->particle++, place->count = 0)
		if (place->type->particles[place->particle].required && place->count == 0)
			return false;
	return place->particle == particle;
}

bool form_enter(struct form_place *place, struct form_place *parent, const struct xml_element *element)
{
	const struct form_type *type = parent->type;
	int which = 0;
	while (which < type->child_count && strcmp(type->children[which].name, element->name) != 0)
		which++;
	if (which == type->child_count)
		return false;
	int particle = type->children[which].particle;
	return go_on(parent, particle) && parent->count++ < type->particles[particle].most &&
	       begin(place, type->children[which].type, element);
}

bool form_leave(struct form_place *place, const struct xml_element *element, bool text)
{
	const struct form_type *type = place->type;
	if (!go_on(place, type->particle_count))
		return false;
	if (type->content != NULL)
		return accepts(type->content, element->text);
	return element->text[0] == '\0' && (!text || type->child_count > 0);
}
