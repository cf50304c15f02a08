/* Attributes by their rows: what input/attributes.c reads. */
#include "write/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Sizes in the greatest of B, KiB and MiB of which they are a multiple. */
void write_number(struct xml *xml, const char *name, int64_t value, enum unit unit)
{
	static const char *const sizes[] = {"B", "KiB", "MiB"};
	char text[40];
	int power = 0;
	for (; unit == UNIT_BYTES && power < 2 && value > 0 && value % 1024 == 0; power++)
		value /= 1024;
	snprintf(text, sizeof text, "%" PRId64 "%s", value, unit == UNIT_BYTES ? sizes[power] : units_symbol(unit));
	xml_attribute(xml, name, value != NONE ? text : NULL);
}

/* "1.25", or "4/3" where hundredths do not say it. */
static void write_factor(struct xml *xml, const char *name, struct rational value)
{
	char text[48];
	int64_t hundredths = 100 % value.den == 0 ? checked_mul(value.num, 100 / value.den) : NONE;
	if (value.den == 1)
		snprintf(text, sizeof text, "%" PRId64, value.num);
	else if (hundredths != NONE)
		snprintf(text, sizeof text, "%" PRId64 ".%02" PRId64, hundredths / 100, hundredths % 100);
	else
		snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, value.num, value.den);
	xml_attribute(xml, name, text);
}

/* "64x18x1" without ones at its end. */
static void write_extents(struct xml *xml, const char *name, const int64_t e[3])
{
	char text[64];
	if (e[0] == 0)
		return;
	int length = snprintf(text, sizeof text, "%" PRId64, e[0]);
	if (e[1] != 1 || e[2] != 1)
		length += snprintf(text + length, sizeof text - (size_t)length, "x%" PRId64, e[1]);
	if (e[2] != 1)
		snprintf(text + length, sizeof text - (size_t)length, "x%" PRId64, e[2]);
	xml_attribute(xml, name, text);
}

static void write_one(struct xml *xml, const struct attribute_row *row, const void *field)
{
	static const size_t sizes[] = {[ATTRIBUTE_TEXT] = sizeof(char *),
		[ATTRIBUTE_NUMBER] = sizeof(int64_t),
		[ATTRIBUTE_LEVEL] = sizeof(int),
		[ATTRIBUTE_CHOICE] = sizeof(int),
		[ATTRIBUTE_FLAG] = sizeof(bool),
		[ATTRIBUTE_FACTOR] = sizeof(struct rational),
		[ATTRIBUTE_EXTENTS] = sizeof(int64_t[3])};
	union {
		const char *text;
		int64_t number;
		int choice; /* enums are ints */
		bool flag;
		struct rational factor;
		int64_t extents[3];
	} value;
	memcpy(&value, field, sizes[row->kind]);
	switch (row->kind) {
	case ATTRIBUTE_TEXT: xml_attribute(xml, row->name, value.text); break;
	case ATTRIBUTE_NUMBER: write_number(xml, row->name, value.number, row->unit); break;
	case ATTRIBUTE_LEVEL: xml_integer(xml, row->name, value.choice != row->absent ? value.choice : NONE); break;
	case ATTRIBUTE_CHOICE: xml_attribute(xml, row->name, value.choice != row->absent ? row->names[value.choice] : NULL); break;
	case ATTRIBUTE_FLAG: xml_attribute(xml, row->name, value.flag ? row->names[1] : NULL); break;
	case ATTRIBUTE_FACTOR: write_factor(xml, row->name, value.factor); break;
	case ATTRIBUTE_EXTENTS: write_extents(xml, row->name, value.extents); break;
	}
}

void write_attributes(struct xml *xml, enum element_kind kind, const void *from)
{
	for (const struct attribute_row *row = attribute_rows_of(kind); row->element == kind; row++)
		write_one(xml, row, (const char *)from + row->offset);
}

void write_element(struct xml *xml, const char *name, enum element_kind kind, const void *from)
{
	xml_begin(xml, name);
	write_attributes(xml, kind, from);
	xml_end(xml);
}
