/* Numbers, choices and references in attributes. */
#include "input/reader.h"

#include "base/suggest.h"

#include <stdlib.h>
#include <string.h>

/* A number where it stands. */
struct stated {
	const struct xml_element *element;
	const char *attribute; /* NULL: in its text */
	const char *name;      /* of what it is; NULL: of the attribute */
	const char *text;
	enum unit unit;
};

static const char *what_is(struct reader *reader, const struct stated *stated)
{
	if (stated->name != NULL)
		return stated->name;
	if (stated->attribute == NULL)
		return arena_format(reader->arena, "text of <%s>", stated->element->name);
	return arena_format(reader->arena, "attribute \"%s\" of <%s>", stated->attribute, stated->element->name);
}

static void complain(struct reader *reader, const struct stated *stated, enum units_status status)
{
	const char *what = what_is(reader, stated), *got = element_shorten(reader->arena, stated->text, SHORT_VALUE);
	switch (status) {
	case UNITS_NO_CLOCK:
		COMPLAIN(reader, stated->element, CLOCK_MISSING,
			"%s: expected a time in ns, us, ms or s, or a clock.sm that says what a cycle is; got \"%s\"", what, got);
		break;
	case UNITS_TOO_LARGE:
		COMPLAIN(reader, stated->element, NUMBER_TOO_LARGE, "%s: expected %s whose value and fraction fit 64 bits; got \"%s\"",
			what, units_expected(stated->unit), got);
		break;
	default:
		COMPLAIN(reader, stated->element, NUMBER_MALFORMED, "%s: expected %s; got \"%s\"", what, units_expected(stated->unit), got);
	}
}

/* The exact value, or no value after a diagnostic. */
static struct rational parse(struct reader *reader, const struct stated *stated)
{
	struct rational value = RATIONAL_NONE;
	enum units_status status = units_parse(stated->text, stated->unit, reader->clock, &value);
	if (status == UNITS_OK)
		return value;
	complain(reader, stated, status);
	return RATIONAL_NONE;
}

static int64_t round_number(struct reader *reader, const struct stated *stated, struct rational exact, enum rounding rounding)
{
	if (rounding == ROUND_NEVER && exact.den != 1) {
		COMPLAIN(reader, stated->element, NUMBER_INEXACT, "%s: expected a whole number of %s; got \"%s\"", what_is(reader, stated),
			units_symbol(stated->unit), element_shorten(reader->arena, stated->text, SHORT_VALUE));
		return NONE;
	}
	return rounding == ROUND_UP ? rational_ceil(exact) : rational_floor(exact);
}

int64_t read_number(struct reader *reader, const struct xml_element *element, const char *attribute, enum unit unit, enum rounding rounding,
	int64_t absent)
{
	const struct stated stated = {element, attribute, NULL, element_get(element, attribute), unit};
	if (stated.text == NULL)
		return absent;
	struct rational exact = parse(reader, &stated);
	if (rational_is_none(exact))
		return absent;
	int64_t value = round_number(reader, &stated, exact, rounding);
	return value != NONE ? value : absent;
}

struct rational read_factor(struct reader *reader, const struct xml_element *element, const char *attribute)
{
	const struct stated stated = {element, attribute, NULL, element_get(element, attribute), UNIT_FACTOR};
	struct rational value = parse(reader, &stated), one = rational_of(1);
	if (rational_is_none(value))
		return one;
	if (rational_compare(value, one) >= 0)
		return value;
	COMPLAIN(reader, element, NUMBER_RANGE, "%s: expected a factor of at least 1; got \"%s\"", what_is(reader, &stated),
		element_shorten(reader->arena, stated.text, SHORT_VALUE));
	return one;
}

void read_parameter(struct reader *reader, const struct xml_element *element, enum parameter parameter, struct quantity *quantity)
{
	const struct parameter_kind *kind = &parameter_kinds[parameter];
	const struct stated stated = {element, "value", kind->name, element_get(element, "value"), kind->unit};
	quantity->exact = parse(reader, &stated);
	if (rational_is_none(quantity->exact))
		return;
	quantity->value = round_number(reader, &stated, quantity->exact, rounding_to(kind->side));
	quantity->present = quantity->value != NONE;
	quantity->line = element->line;
}

const char *const per_names[] = {"sm", "partition", NULL};

int read_choice(const struct xml_element *element, const char *attribute, const char *const *names, int absent)
{
	const char *text = element_get(element, attribute);
	for (int i = 0; text != NULL && names[i] != NULL; i++)
		if (strcmp(names[i], text) == 0)
			return i;
	return absent;
}

bool read_flag(const struct xml_element *element, const char *attribute)
{
	const char *text = element_get(element, attribute);
	return text != NULL && strcmp(text, "true") == 0;
}

int64_t *read_list(struct reader *reader, const struct xml_element *element, enum unit unit, int *count)
{
	char *text = arena_copy(reader->arena, element->text), *rest = NULL;
	int capacity = 0;
	int64_t *items = NULL;
	*count = 0;
	for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
		const struct stated stated = {element, NULL, NULL, word, unit};
		struct rational exact = parse(reader, &stated);
		if (rational_is_none(exact))
			continue;
		items = arena_grow(reader->arena, items, &capacity, *count + 1, sizeof *items);
		items[(*count)++] = round_number(reader, &stated, exact, ROUND_NEVER);
	}
	return items;
}

int64_t read_extents(struct reader *reader, const struct xml_element *element, const char *attribute, int64_t extents[3])
{
	const char *text = element_get(element, attribute), *at = text;
	int64_t product = 1;
	for (int i = 0; i < 3; i++) {
		char *end = NULL;
		extents[i] = *at != '\0' ? strtoll(at, &end, 10) : 1;
		at = end == NULL ? at : *end == 'x' ? end + 1 : end;
		product = checked_mul(product, extents[i]);
	}
	if (product == NONE)
		COMPLAIN(reader, element, NUMBER_TOO_LARGE,
			"attribute \"%s\" of <%s>: expected extents whose product fits 64 bits; got \"%s\"", attribute, element->name,
			text);
	return product;
}

/* ---- references */

int read_reference(
	struct reader *reader, const struct xml_element *element, const char *attribute, const struct names *names, const char *what)
{
	const char *id = element_get(element, attribute);
	int number = names_find(names, id);
	if (number < 0) {
		const char *nearest = reader->diagnostics->errors < MOST_HINTS ? names_nearest(names, id) : NULL;
		COMPLAIN(reader, element, UNKNOWN_REFERENCE, "attribute \"%s\" of <%s>: expected one of this file's %ss; got \"%s\"%s",
			attribute, element->name, what, element_shorten(reader->arena, id, SHORT_VALUE),
			suggest_hint(reader->arena, nearest, '"'));
	}
	return number;
}

void read_identifier(struct reader *reader, const struct xml_element *element, struct names *names, int number, const char *what)
{
	const char *id = element_get(element, "id");
	if (!names_add(names, id, number))
		COMPLAIN(reader, element, DUPLICATE_ID, "expected an id that no other %s has; got \"%s\" again", what,
			element_shorten(reader->arena, id, SHORT_VALUE));
}
