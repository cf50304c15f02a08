#include "model/vocabulary.h"

const struct attribute_row attribute_rows[] = {
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
};

const int attribute_row_count = sizeof attribute_rows / sizeof *attribute_rows;
