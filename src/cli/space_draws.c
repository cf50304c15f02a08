/* Options, and seeds. */
#include "cli/space_draws.h"

#include "base/hash.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SETS 1000000
#define GREATEST_PERIOD INT64_C(1000000000000000) /* ns: eleven days */

static bool read_value(const char *text, enum unit unit, struct rational *value)
{
	return units_parse(text, unit, RATIONAL_NONE, value) == UNITS_OK && value->num >= 0;
}

/* A time, or a utilisation in parts of SHARES_WHOLE; NONE: it is none. */
static int64_t number_of(const char *text, enum unit unit)
{
	struct rational value;
	if (!read_value(text, unit, &value))
		return NONE;
	return unit == UNIT_TIME ? rational_ceil(value) : rational_scale_down(SHARES_WHOLE, value);
}

/* FROM:TO, and :STEP where step is wanted; NONE where it is not there. */
static bool read_span(const struct arguments *arguments, const char *name, const char *text, enum unit unit, int64_t values[3])
{
	int64_t most = unit == UNIT_TIME ? GREATEST_PERIOD : SHARES_WHOLE * SHARES_MOST;
	int count = 0;
	values[2] = NONE;
	for (const char *from = text; count < 3; from = strchr(from, ':') + 1) {
		values[count++] = number_of(arena_format(arguments->arena, "%.*s", (int)strcspn(from, ":"), from), unit);
		if (strchr(from, ':') == NULL)
			break;
	}
	bool good = count >= 2 && (count == 2 || unit == UNIT_TIME) && values[0] <= values[1] && values[1] <= most;
	good = good && (unit != UNIT_TIME || (values[0] > 0 && (count == 2 || (values[2] > 0 && values[2] <= most))));
	if (!good)
		usage_error(arguments->command, "option '--%s' wants %s, not '%s'", name,
			unit == UNIT_TIME ? "FROM:TO or FROM:TO:STEP, times as 10ms:1s:1ms" : "FROM:TO, as 0.01:0.5", text);
	return good;
}

/* What goes with --draw alone. */
static bool refuse_others(const struct arguments *arguments)
{
	static const char *const others[] = {"utilization", "periods", "generator", "share", "seed"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (arguments_has(arguments, others[i])) {
			usage_error(arguments->command, "option '--%s' goes with --draw", others[i]);
			return false;
		}
	return true;
}

static bool read_loads(const struct arguments *arguments, struct draws *draws)
{
	const char *text = arguments_value(arguments, "utilization", "0.1:1:0.1");
	bool good = axis_read(arguments->arena, &draws->loads, text);
	for (int i = 0; i < draws->loads.count && good; i++) {
		int64_t load = number_of(draws->loads.values[i], UNIT_FACTOR);
		good = load > 0 && load <= SHARES_WHOLE * SHARES_MOST;
	}
	if (!good)
		usage_error(arguments->command, "option '--utilization' wants numbers above 0, VALUE,VALUE,... or FROM:TO:STEP, not '%s'",
			text);
	return good;
}

bool draws_read(const struct arguments *arguments, struct draws *draws)
{
	static const char *const generators[] = {"uunifast", "dirichlet"};
	int64_t periods[3], shares[3], seed = 1;
	*draws = (struct draws){.count = 1};
	if (!arguments_has(arguments, "draw"))
		return refuse_others(arguments);
	const char *spans[] = {arguments_value(arguments, "periods", "10ms:1s"), arguments_value(arguments, "share", "0:1")};
	if (!arguments_integer(arguments, "draw", 1, MOST_SETS, &draws->sets) ||
		!arguments_integer(arguments, "seed", 0, INT64_MAX - 1, &seed) || !read_loads(arguments, draws) ||
		!read_span(arguments, "periods", spans[0], UNIT_TIME, periods) ||
		!read_span(arguments, "share", spans[1], UNIT_FACTOR, shares))
		return false;
	int by = arguments_choice(arguments, "generator");
	draws->count = checked_mul(draws->sets, draws->loads.count);
	draws->drawing = (struct set_draw){.by = by == 0 ? SHARES_UUNIFAST : SHARES_DIRICHLET,
		.least = shares[0],
		.most = shares[1],
		.period_least = periods[0],
		.period_most = periods[1],
		.period_step = checked_is_none(periods[2]) ? 1 : periods[2]};
	draws->rest = arena_format(arguments->arena, "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
		generators[by], shares[0], shares[1], periods[0], periods[1], draws->drawing.period_step, seed);
	return true;
}

const char *draws_load(const struct draws *draws, int64_t draw)
{
	return draws->loads.values[draw / draws->sets];
}

int64_t draws_number(const struct draws *draws, int64_t draw)
{
	return draw % draws->sets;
}

struct set_draw draws_drawing(const struct draws *draws, int64_t draw, int tasks)
{
	struct set_draw drawing = draws->drawing;
	char text[512], hash[HASH_TEXT], first[17];
	drawing.total = number_of(draws_load(draws, draw), UNIT_FACTOR);
	int length =
		snprintf(text, sizeof text, "%s %d %" PRId64 " %" PRId64, draws->rest, tasks, drawing.total, draws_number(draws, draw));
	hash_bytes(text, (size_t)length, hash);
	memcpy(first, hash, 16);
	first[16] = '\0';
	drawing.seed = strtoull(first, NULL, 16);
	return drawing;
}
