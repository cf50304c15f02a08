#include "model/vocabulary.h"

static const struct attribute_row rows[] = {
#define BY_HAND(of, text)
#define TEXT(of, tag, text, field) {ELEMENT_##of, text, ATTRIBUTE_TEXT, offsetof(struct tag, field), UNIT_COUNT, SIDE_EXACT, NONE, NULL},
#define NUMBER(of, tag, text, field, unit, side, absent)                                                                                   \
	{ELEMENT_##of, text, ATTRIBUTE_NUMBER, offsetof(struct tag, field), UNIT_##unit, SIDE_##side, absent, NULL},
#define LEVEL(of, tag, text, field) {ELEMENT_##of, text, ATTRIBUTE_LEVEL, offsetof(struct tag, field), UNIT_COUNT, SIDE_EXACT, 0, NULL},
#define CHOICE(of, tag, text, field, names, absent)                                                                                        \
	{ELEMENT_##of, text, ATTRIBUTE_CHOICE, offsetof(struct tag, field), UNIT_COUNT, SIDE_EXACT, absent, names},
#define FLAG(of, tag, text, field, no, yes)                                                                                                \
	{ELEMENT_##of, text, ATTRIBUTE_FLAG, offsetof(struct tag, field), UNIT_COUNT, SIDE_EXACT, 0, (const char *const[]){no, yes}},
#define FACTOR(of, tag, text, field)                                                                                                       \
	{ELEMENT_##of, text, ATTRIBUTE_FACTOR, offsetof(struct tag, field), UNIT_FACTOR, SIDE_EXACT, NONE, NULL},
#define EXTENTS(of, tag, text, field) {ELEMENT_##of, text, ATTRIBUTE_EXTENTS, offsetof(struct tag, field), UNIT_COUNT, SIDE_EXACT, 0, NULL},
#include "model/vocabulary.def"
	{.element = ELEMENT_COUNT},
};

const struct attribute_row *attribute_rows_of(enum element_kind kind)
{
	const struct attribute_row *from = rows, *behind = rows + sizeof rows / sizeof *rows - 1;
	while (from < behind) {
		const struct attribute_row *middle = from + (behind - from) / 2;
		if (middle->element < kind)
			from = middle + 1;
		else
			behind = middle;
	}
	return from;
}
