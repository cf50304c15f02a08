/* Terms and counts. */
#include "report/explain_terms.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct listing listing_of(struct explanation *e)
{
	return (struct listing){.e = e};
}

void listing_add(struct listing *terms, int64_t value, const char *format, ...)
{
	struct arena *arena = terms->e->arena;
	va_list arguments;
	if (value == 0)
		return;
	terms->items = arena_grow(arena, terms->items, &terms->capacity, terms->count + 1, sizeof *terms->items);
	va_start(arguments, format);
	terms->items[terms->count++] = (struct listed){value, arena_format_list(arena, format, arguments)};
	va_end(arguments);
	terms->sum = checked_add(terms->sum, value);
}

const char *terms_short(struct explanation *e, const char *what)
{
	size_t length = 0;
	while (what[length] != '\0' && strncmp(what + length, " [", 2) != 0 && strncmp(what + length, ": ", 2) != 0 &&
		strncmp(what + length, ", ", 2) != 0)
		length++;
	return arena_format(e->arena, "%.*s", (int)length, what);
}

int64_t listing_print(const struct listing *terms, int indent, const char *sum)
{
	for (int i = 0; i < terms->count; i++) {
		const struct listed *term = &terms->items[i];
		bool less = term->value < 0 && term->value != NONE;
		explain_line(terms->e, indent, "%c %" PRId64 ": %s", less ? '-' : '+', less ? -term->value : term->value, term->what);
	}
	explain_line(terms->e, indent, "= %" PRId64 ": %s", terms->sum, sum);
	return terms->sum;
}

void listing_print_all(struct listing *terms, int indent, int64_t total, const char *sum)
{
	if (terms->sum != total)
		listing_add(terms, checked_sub(total, terms->sum), "what has no term here");
	listing_print(terms, indent, sum);
}

const char *terms_product(const struct explanation *e, int64_t count, int64_t each)
{
	return arena_format(e->arena, "%" PRId64 " * %" PRId64 " = %" PRId64, count, each, checked_mul(count, each));
}

const char *terms_step(const struct explanation *e, int step)
{
	return step == STEP_ABSENT ? "" : arena_format(e->arena, " [%d]", e->numbers[step]);
}

const char *terms_name(const char *about)
{
	return strncmp(about, "task:", 5) == 0 ? about + 5 : about;
}

static const char *sum_text(struct explanation *e, const int64_t *parts, int count)
{
	const char *text = "";
	int shown = 0;
	for (int i = 0; i < count; i++)
		if (parts[i] != 0)
			text = arena_format(e->arena, "%s%s%" PRId64, text, shown++ > 0 ? " + " : "", parts[i]);
	return shown > 1 ? arena_format(e->arena, "(%s)", text) : shown == 1 ? text : "0";
}

static const char *curve_text(struct explanation *e, const struct arrival *model, const char *reach_text, int64_t reach, int64_t count)
{
	int64_t horizons = reach > model->period ? reach / model->period : 0, rest = reach - horizons * model->period;
	int64_t each = model->steps[model->step_count - 1].count, more = count - horizons * each;
	return arena_format(e->arena,
		"%s = %" PRId64 " by its arrival curve: %" PRId64 " * %" PRId64 " + %" PRId64 " = %" PRId64 ", the %" PRId64
		" in windows up to %" PRId64,
		reach_text, reach, horizons, each, more, count, more, rest);
}

const char *terms_count(struct explanation *e, const struct arrivals *arrivals, int64_t length, int64_t early)
{
	const struct arrival *model = arrivals->model;
	const int64_t parts[] = {length, early, arrivals->jitter};
	int64_t window = checked_add(length, early), count = arrivals_in(arrivals, window);
	const char *reach = sum_text(e, parts, 3);
	if (window <= 0)
		return "none in no time";
	if (count == NONE)
		return "in any number, as nothing bounds it";
	if (model->kind == ARRIVAL_CURVE)
		return curve_text(e, model, reach, checked_add(window, arrivals->jitter), count);
	int64_t by_period = checked_max(1, checked_div_ceil(checked_add(window, arrivals->jitter), model->period));
	const char *text = arena_format(e->arena, "ceil(%s / %" PRId64 ") = %" PRId64, reach, model->period, by_period);
	if (by_period == count)
		return text;
	return arena_format(e->arena, "ceil(%s / %" PRId64 ") = %" PRId64 " by its least distance, fewer than %s", sum_text(e, parts, 2),
		model->min_distance, count, text);
}
