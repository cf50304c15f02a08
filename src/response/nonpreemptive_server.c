#include "response/nonpreemptive_server.h"

#include "model/limits.h"
#include "response/load.h"

/* Does a window of length x hold at least x times its rate, for every x? Those of a curve only if no step is below the line. */
static bool keeps_rate(const struct arrivals *arrivals)
{
	int64_t count, window, least, of;
	if (arrivals->at_release && arrivals->model->min_distance != NONE)
		return false;
	arrivals_rate(arrivals->model, &count, &window);
	arrivals_least_rate(arrivals->model, &least, &of);
	return least == count && of == window;
}

bool nonpreemptive_outgrows(const struct customer *customers, int count)
{
	int64_t shares = 0, arrivals, window;
	for (int i = 0; i < count; i++) {
		if (!keeps_rate(customers[i].arrivals))
			continue;
		arrivals_rate(customers[i].arrivals->model, &arrivals, &window);
		int64_t share = load_share(customers[i].cost, arrivals, window, 1);
		shares = checked_add(shares, share == NONE ? LOAD_ONE : share - 1); /* rounded down, or less */
	}
	return shares >= LOAD_ONE;
}

static bool outgrows(const struct nonpreemptive *level)
{
	struct customer all[64];
	if (level->ahead_count + level->until_count > 64)
		return false;
	for (int i = 0; i < level->ahead_count + level->until_count; i++)
		all[i] = i < level->ahead_count ? level->ahead[i] : level->until[i - level->ahead_count];
	return nonpreemptive_outgrows(all, level->ahead_count + level->until_count);
}

static int64_t demand(const struct customer *customers, int count, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum = checked_add(sum, checked_mul(arrivals_in(customers[i].arrivals, window), customers[i].cost));
	return sum;
}

static int64_t demand_closed(const struct customer *customers, int count, int64_t window, int64_t tick)
{
	int64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum = checked_add(sum, checked_mul(arrivals_in_closed(customers[i].arrivals, window, tick), customers[i].cost));
	return sum;
}

static int64_t demand_ahead(const struct nonpreemptive *level, int64_t a)
{
	int64_t sum = 0;
	for (int i = 0; i < level->ahead_count; i++) {
		int64_t window = checked_add(checked_add(a, level->ahead[i].later), level->tick);
		sum = checked_add(sum, checked_mul(arrivals_in(level->ahead[i].arrivals, window), level->ahead[i].cost));
	}
	return sum;
}

/* When the one that is looked at arrives where what counts of a customer ahead grows at `arrival`. */
static int64_t instant_of(const struct nonpreemptive *level, const struct customer *ahead, int64_t arrival)
{
	return checked_sub(checked_mul(checked_div_ceil(arrival, level->tick), level->tick), ahead->later);
}

static int64_t end_step(const struct nonpreemptive *level, int64_t work, int64_t window, struct terms *terms)
{
	return level->supply == NULL ? work : supply_end_step(level->supply, level->engine, work, window, terms);
}

static int64_t begin_step(const struct nonpreemptive *level, int64_t work, int64_t window)
{
	return level->supply == NULL ? work : supply_begin_step(level->supply, work, window);
}

static int64_t end_of(const struct nonpreemptive *level, int64_t work)
{
	return level->supply == NULL ? work : supply_end(level->supply, level->engine, work, level->horizon);
}

int64_t nonpreemptive_busy_window(const struct nonpreemptive *level)
{
	int64_t length = 1;
	for (int i = 0; i < LIMIT_ITERATIONS && length <= level->horizon; i++) {
		if (i == LEVEL_PATIENCE && outgrows(level))
			return NONE;
		int64_t next = checked_add(level->blocking,
			checked_add(demand(level->ahead, level->ahead_count, length), demand(level->until, level->until_count, length)));
		next = end_step(level, next, length, NULL);
		if (next <= length)
			return length;
		length = next;
	}
	return NONE;
}

/* What others take: where there is one ahead, up to T of an earlier a, which is no less up to a later one; and in a window that was looked
 * at. */
struct taken {
	int64_t least, window, within;
};

#define FEW_AHEAD 4 /* customers for which all their arrivals are looked at */

static const struct taken nothing_taken = {0, 0, NONE};

/* Is T(a) - a + last no more than `worst`? Surely, if base + others(T) <= T for some T that is no more than worst + a - last: the one that
 * was looked at for an earlier a, where others are counted already, or worst + a - last itself. */
static bool is_no_worse(const struct nonpreemptive *level, int64_t base, int64_t a, int64_t worst, struct taken *taken)
{
	int64_t theta = checked_sub(checked_add(worst, a), level->last);
	if (taken->window <= theta && checked_add(base, taken->within) <= taken->window)
		return true;
	taken->window = theta;
	taken->within = demand_closed(level->until, level->until_count, theta, level->tick);
	return checked_add(base, taken->within) <= theta;
}

/* E(T(a)) - a, or worst if that is no less. */
static int64_t response_at(const struct nonpreemptive *level, int64_t a, int64_t worst, struct taken *taken)
{
	int64_t own = demand_ahead(level, a);
	int64_t base = checked_sub(checked_add(level->blocking, own), level->last), theta = checked_add(base, taken->least);
	if (level->until_count == 0)
		return checked_sub(end_of(level, checked_add(base, level->last)), a);
	if (worst > 0 && level->supply == NULL && is_no_worse(level, base, a, worst, taken))
		return worst;
	for (int i = 0; i < LIMIT_ITERATIONS && theta <= level->horizon; i++) {
		int64_t ahead = checked_add(base, demand_closed(level->until, level->until_count, theta, level->tick));
		if (begin_step(level, ahead, theta) <= theta) {
			taken->least = level->ahead_count == 1 ? checked_sub(ahead, base) : 0;
			return checked_sub(end_of(level, checked_add(ahead, level->last)), a);
		}
		theta = begin_step(level, ahead, theta);
	}
	return NONE;
}

/* Who arrives then, or later and before `length`, does not wait longer than `worst`: E(T(a)) grows with a, so that from a = h + R(h) -
 * worst up to h none does. */
static int64_t none_worse_from(const struct nonpreemptive *level, int64_t length, int64_t worst)
{
	int64_t from = length;
	for (int i = 0; i < LEVEL_PATIENCE && from > 0; i++) {
		struct taken taken = nothing_taken;
		int64_t there = response_at(level, from, 0, &taken);
		if (there >= worst) /* NONE, too */
			break;
		from -= worst - there;
	}
	return from;
}

int64_t nonpreemptive_response(const struct nonpreemptive *level)
{
	struct taken taken = nothing_taken;
	int64_t length = nonpreemptive_busy_window(level), worst = length == NONE ? NONE : 0;
	worst = worst == NONE || level->from > 0 ? worst : response_at(level, 0, 0, &taken);
	int budget = level->candidates;
	int64_t reach = worst == NONE || level->ahead_count < FEW_AHEAD ? length : none_worse_from(level, length, worst);
	for (int i = 0; i < level->ahead_count && worst != NONE; i++) {
		const struct customer *ahead = &level->ahead[i];
		int64_t end = checked_add(length, ahead->later), at = arrivals_next(ahead->arrivals, ahead->later);
		for (; at < end && worst != NONE; at = arrivals_next(ahead->arrivals, at)) {
			int64_t instant = instant_of(level, ahead, at);
			if (instant < level->from || instant >= length)
				continue;
			if (budget-- == 0)
				worst = NONE;
			else if (instant < reach)
				worst = checked_max(worst, response_at(level, instant, worst, &taken));
		}
	}
	return worst;
}

/* T(a), likewise from below. */
static int64_t theta_of(const struct nonpreemptive *level, int64_t a)
{
	int64_t own = demand_ahead(level, a);
	int64_t base = checked_sub(checked_add(level->blocking, own), level->last), theta = base;
	for (int i = 0; i < LIMIT_ITERATIONS && theta <= level->horizon; i++) {
		int64_t ahead = checked_add(base, demand_closed(level->until, level->until_count, theta, level->tick));
		int64_t next = begin_step(level, ahead, theta);
		if (next <= theta)
			return theta;
		theta = next;
	}
	return NONE;
}

static bool is_reached(const struct nonpreemptive *level, int64_t a, int64_t response)
{
	struct taken taken = nothing_taken;
	return response_at(level, a, 0, &taken) == response;
}

/* Where R is reached: `a`, and T(a). False: it is not. */
static bool worst_of(const struct nonpreemptive *level, int64_t response, int64_t *a, int64_t *theta)
{
	int64_t length = nonpreemptive_busy_window(level);
	bool found = is_reached(level, 0, response);
	*a = 0;
	for (int i = 0; i < level->ahead_count && !found; i++) {
		const struct customer *ahead = &level->ahead[i];
		int64_t end = checked_add(length, ahead->later), at = arrivals_next(ahead->arrivals, ahead->later);
		for (; at < end && !found; at = arrivals_next(ahead->arrivals, at)) {
			*a = instant_of(level, ahead, at);
			found = *a < length && is_reached(level, *a, response);
		}
	}
	*theta = found ? theta_of(level, *a) : NONE;
	return found && *theta != NONE;
}

/* ---- terms */

static void add_customers(const struct customer *customers, int count, const struct term *names, int64_t window, bool later, int64_t tick,
	struct terms *terms)
{
	for (int i = 0; i < count; i++) {
		struct term term = names[i];
		term.arrivals = *customers[i].arrivals;
		term.window = checked_add(window, later ? customers[i].later : 0);
		term.early = tick;
		term.count = arrivals_in(customers[i].arrivals, checked_add(term.window, tick));
		terms_add_each(terms, term, term.kind, customers[i].cost);
	}
}

void nonpreemptive_terms(
	const struct nonpreemptive *level, const struct term *names, const struct term *lower, int64_t response, struct terms *terms)
{
	int64_t a = 0, theta = response, tick = level->tick;
	bool reached = worst_of(level, response, &a, &theta), until = level->until_count > 0;
	if (!reached) {
		a = 0;
		theta = response;
		tick = 0;
	}
	terms_add(terms, (struct term){.kind = !reached ? TERM_BUSY
					       : until  ? TERM_WORST_UNTIL
							: TERM_WORST,
				 .n = {reached ? a : response, theta}});
	terms_add(terms, *lower);
	add_customers(level->ahead, level->ahead_count, names, reached ? a : response, reached, tick, terms);
	add_customers(level->until, level->until_count, names + level->ahead_count, theta, false, tick, terms);
	end_step(level, terms->sum, checked_add(response, a), terms);
	terms_add(terms, (struct term){.kind = TERM_LATER, .amount = -a});
}
