/* Times for a reader. */
#include "base/duration_text.h"

#include "base/assert.h"
#include "base/checked.h"

#include <inttypes.h>
#include <stdio.h>

#define DECIMALS 3

static const struct {
	const char *name;
	uint64_t ns;
	int digits; /* decimals that make it exact */
} scales[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}, {"ns", 1, 0}};

static int fitting_scale(uint64_t magnitude)
{
	int scale = 0;
	while (scales[scale].ns > 1 && magnitude < scales[scale].ns)
		scale++;
	return scale;
}

static uint64_t power_of_ten(int digits)
{
	uint64_t power = 1;
	while (digits-- > 0)
		power *= 10;
	return power;
}

/* Prints number / 10^digits of a unit, without trailing zeros. */
static void print_decimal(char *text, bool negative, uint64_t number, int digits, const char *unit, const char *mark)
{
	for (; digits > 0 && number % 10 == 0; digits--)
		number /= 10;
	uint64_t power = power_of_ten(digits);
	assert(digits >= 0 && digits <= 9);
	const char *sign = negative ? "-" : "";
	if (digits > 0)
		snprintf(text, DURATION_TEXT, "%s%" PRIu64 ".%0*" PRIu64 " %s%s", sign, number / power, digits, number % power, unit, mark);
	else
		snprintf(text, DURATION_TEXT, "%s%" PRIu64 " %s%s", sign, number, unit, mark);
}

const char *duration_text(int64_t ns, enum rounding rounding, char text[DURATION_TEXT])
{
	if (checked_is_none(ns)) {
		snprintf(text, DURATION_TEXT, "-");
		return text;
	}
	uint64_t magnitude = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	int scale = fitting_scale(magnitude), digits = scales[scale].digits;
	const char *mark = "";
	if (rounding != ROUND_NEVER && digits > DECIMALS) {
		uint64_t step = power_of_ten(digits - DECIMALS), rest = magnitude % step;
		bool away_from_zero = (rounding == ROUND_UP) == (ns >= 0);
		magnitude = magnitude / step + (rest > 0 && away_from_zero);
		digits = DECIMALS;
		mark = rest > 0 ? DURATION_MARK : "";
	}
	print_decimal(text, ns < 0, magnitude, digits, scales[scale].name, mark);
	return text;
}

const char *duration_exact(struct arena *arena, int64_t ns)
{
	char text[DURATION_TEXT];
	return arena_copy(arena, duration_text(ns, ROUND_NEVER, text));
}
