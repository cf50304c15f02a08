/* Attributes that are a field of the model each, by their rows. */
#include "input/reader.h"

#include <string.h>

static void read_one(struct reader *reader, const struct xml_element *element, const struct attribute_row *row, char *field)
{
	const char *text = element_get(element, row->name);
	enum rounding rounding = rounding_to(row->side);
	int64_t number;
	int level;
	bool flag;
	struct rational factor;
	int64_t extents[3] = {0};
	switch (row->kind) {
	case ATTRIBUTE_TEXT: memcpy(field, &text, sizeof text); break;
	case ATTRIBUTE_NUMBER:
		number = read_number(reader, element, row->name, row->unit, rounding, row->absent);
		memcpy(field, &number, sizeof number);
		break;
	case ATTRIBUTE_LEVEL:
		level = (int)read_number(reader, element, row->name, row->unit, rounding, row->absent);
		memcpy(field, &level, sizeof level);
		break;
	case ATTRIBUTE_CHOICE: /* enums are ints */
		level = read_choice(element, row->name, row->names, row->absent == NONE ? 0 : (int)row->absent);
		memcpy(field, &level, sizeof level);
		break;
	case ATTRIBUTE_FLAG:
		flag = text != NULL && strcmp(text, row->names[1]) == 0;
		memcpy(field, &flag, sizeof flag);
		break;
	case ATTRIBUTE_FACTOR:
		factor = read_factor(reader, element, row->name);
		memcpy(field, &factor, sizeof factor);
		break;
	case ATTRIBUTE_EXTENTS:
		if (text != NULL)
			read_extents(reader, element, row->name, extents);
		memcpy(field, extents, sizeof extents);
		break;
	}
}

void read_attributes(struct reader *reader, const struct xml_element *element, enum element_kind kind, void *to)
{
	for (const struct attribute_row *row = attribute_rows_of(kind); row->element == kind; row++)
		read_one(reader, element, row, (char *)to + row->offset);
}
