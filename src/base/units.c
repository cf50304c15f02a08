#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	enum unit unit;
	int64_t num, den; /* base units in one of these */
} units[] = {
	{"", UNIT_COUNT, 1, 1},
	{"", UNIT_FACTOR, 1, 1},
	{"ns", UNIT_TIME, 1, 1},
	{"us", UNIT_TIME, 1000, 1},
	{"ms", UNIT_TIME, 1000000, 1},
	{"s", UNIT_TIME, 1000000000, 1},
	{"cycles", UNIT_TIME, 0, 1}, /* needs a clock */
	{"B", UNIT_BYTES, 1, 1},
	{"kB", UNIT_BYTES, 1000, 1},
	{"MB", UNIT_BYTES, 1000000, 1},
	{"GB", UNIT_BYTES, 1000000000, 1},
	{"KiB", UNIT_BYTES, 1024, 1},
	{"MiB", UNIT_BYTES, 1048576, 1},
	{"GiB", UNIT_BYTES, 1073741824, 1},
	{"Hz", UNIT_FREQUENCY, 1, 1},
	{"kHz", UNIT_FREQUENCY, 1000, 1},
	{"MHz", UNIT_FREQUENCY, 1000000, 1},
	{"GHz", UNIT_FREQUENCY, 1000000000, 1},
};

static const struct {
	const char *expected, *symbol;
} kinds[] = {
	[UNIT_COUNT] = {"a whole number", ""},
	[UNIT_TIME] = {"a time with its unit, such as 33ms, 1.5us, 250ns or 41000000cycles", "ns"},
	[UNIT_BYTES] = {"a size with its unit, such as 2MiB, 48KiB, 24kB or 256B", "B"},
	[UNIT_FREQUENCY] = {"a frequency with its unit, such as 1.3005GHz or 600MHz", "Hz"},
	[UNIT_FACTOR] = {"a factor such as 1.25 or 5/2", ""},
};

/* Appends the digits at `text` to *num and counts them as powers of ten in *den; NONE when they do not fit. */
static const char *parse_digits(const char *text, int64_t *num, int64_t *den)
{
	for (; isdigit((unsigned char)*text); text++) {
		*num = checked_add(checked_mul(*num, 10), *text - '0');
		*den = checked_mul(*den, 10);
	}
	return text;
}

static const char *parse_decimal(const char *text, struct rational *value, enum units_status *status)
{
	int64_t num = 0, ignored = 1, den = 1;
	const char *end = parse_digits(text, &num, &ignored), *fraction = end + 1;
	bool malformed = end == text;
	if (*end == '.') {
		end = parse_digits(fraction, &num, &den);
		malformed |= end == fraction;
	}
	*status = malformed ? UNITS_MALFORMED : num == NONE || den == NONE ? UNITS_TOO_LARGE : UNITS_OK;
	*value = rational_make(num, den);
	return end;
}

/* An optional e[+-]DIGITS applied to *value. */
static const char *parse_exponent(const char *text, struct rational *value, enum units_status *status)
{
	if (*status != UNITS_OK || (*text != 'e' && *text != 'E'))
		return text;
	bool negative = text[1] == '-';
	const char *digits = text + 1 + (text[1] == '-' || text[1] == '+');
	if (!isdigit((unsigned char)*digits))
		return text;
	struct rational scale = negative ? rational_make(1, 10) : rational_of(10);
	int exponent = 0;
	for (; isdigit((unsigned char)*digits); digits++)
		exponent = exponent > 99 ? 99 : exponent * 10 + (*digits - '0');
	for (int i = 0; i < exponent && !rational_is_none(*value); i++)
		*value = rational_mul(*value, scale);
	*status = rational_is_none(*value) ? UNITS_TOO_LARGE : UNITS_OK;
	return digits;
}

static const char *parse_number(const char *text, struct rational *value, enum units_status *status)
{
	text = parse_exponent(parse_decimal(text, value, status), value, status);
	if (*status != UNITS_OK || *text != '/')
		return text;
	int64_t divisor = 0, ignored = 1;
	const char *end = parse_digits(text + 1, &divisor, &ignored);
	*value = rational_div(*value, rational_of(divisor));
	if (end == text + 1 || divisor == 0)
		*status = UNITS_MALFORMED;
	else if (rational_is_none(*value))
		*status = UNITS_TOO_LARGE;
	return end;
}

/* Base units in one `name`, or no value. */
static enum units_status find_scale(const char *name, enum unit unit, struct rational clock, struct rational *scale)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (units[i].unit != unit || strcmp(units[i].name, name) != 0)
			continue;
		if (units[i].num > 0)
			*scale = rational_make(units[i].num, units[i].den);
		else
			*scale = rational_div(rational_of(1000000000), clock);
		return rational_is_none(*scale) ? UNITS_NO_CLOCK : UNITS_OK;
	}
	return UNITS_WRONG_UNIT;
}

enum units_status units_parse(const char *text, enum unit unit, struct rational clock, struct rational *value)
{
	enum units_status status;
	struct rational number, scale;
	text = parse_number(text, &number, &status);
	if (status != UNITS_OK)
		return status;
	status = find_scale(*text == ' ' && text[1] != '\0' ? text + 1 : text, unit, clock, &scale);
	if (status != UNITS_OK)
		return status;
	*value = rational_mul(number, scale);
	if (rational_is_none(*value))
		return UNITS_TOO_LARGE;
	return unit == UNIT_COUNT && value->den != 1 ? UNITS_MALFORMED : UNITS_OK;
}

size_t units_number_length(const char *text)
{
	static const char digits[] = "0123456789";
	size_t length = strspn(text, "0123456789."), sign;
	if (length > 0 && (text[length] == 'e' || text[length] == 'E')) {
		sign = text[length + 1] == '-' || text[length + 1] == '+';
		length += isdigit((unsigned char)text[length + 1 + sign]) ? 1 + sign + strspn(text + length + 1 + sign, digits) : 0;
	}
	return length + (text[length] == '/' ? 1 + strspn(text + length + 1, digits) : 0);
}

const char *units_literal(struct arena *arena, struct rational value)
{
	int64_t den = value.den, ten = 1;
	int digits = 0;
	while (digits < 15 && ten % den != 0) {
		ten *= 10;
		digits++;
	}
	int64_t num = checked_mul(value.num, ten % den == 0 ? ten / den : NONE);
	if (checked_is_none(num))
		return arena_format(arena, "%" PRId64 "/%" PRId64, value.num, den);
	if (digits == 0)
		return arena_format(arena, "%" PRId64, num);
	return arena_format(arena, "%" PRId64 ".%0*" PRId64, num / ten, digits, num % ten);
}

const char *units_expected(enum unit unit)
{
	return kinds[unit].expected;
}

const char *units_symbol(enum unit unit)
{
	return kinds[unit].symbol;
}
