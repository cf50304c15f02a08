#include "response/level.h"

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

bool level_outgrows(const struct customer *customers, int count)
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

static bool outgrows(const struct level *level)
{
	struct customer all[64];
	if (level->ahead_count + level->until_count > 64)
		return false;
	for (int i = 0; i < level->ahead_count + level->until_count; i++)
		all[i] = i < level->ahead_count ? level->ahead[i] : level->until[i - level->ahead_count];
	return level_outgrows(all, level->ahead_count + level->until_count);
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

static int64_t end_step(const struct level *level, int64_t work, int64_t window)
{
	return level->supply == NULL ? work : supply_end_step(level->supply, level->engine, work, window);
}

static int64_t begin_step(const struct level *level, int64_t work, int64_t window)
{
	return level->supply == NULL ? work : supply_begin_step(level->supply, work, window);
}

static int64_t end_of(const struct level *level, int64_t work)
{
	return level->supply == NULL ? work : supply_end(level->supply, level->engine, work, level->horizon);
}

int64_t level_busy_window(const struct level *level)
{
	int64_t length = 1;
	for (int i = 0; i < LIMIT_ITERATIONS && length <= level->horizon; i++) {
		if (i == LEVEL_PATIENCE && outgrows(level))
			return NONE;
		int64_t next = checked_add(level->blocking,
			checked_add(demand(level->ahead, level->ahead_count, length), demand(level->until, level->until_count, length)));
		next = end_step(level, next, length);
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

static const struct taken nothing_taken = {0, 0, NONE};

/* Is T(a) - a + last no more than `worst`? Surely, if base + others(T) <= T for some T that is no more than worst + a - last: the one that
 * was looked at for an earlier a, where others are counted already, or worst + a - last itself. */
static bool is_no_worse(const struct level *level, int64_t base, int64_t a, int64_t worst, struct taken *taken)
{
	int64_t theta = checked_sub(checked_add(worst, a), level->last);
	if (taken->window <= theta && checked_add(base, taken->within) <= taken->window)
		return true;
	taken->window = theta;
	taken->within = demand_closed(level->until, level->until_count, theta, level->tick);
	return checked_add(base, taken->within) <= theta;
}

/* E(T(a)) - a, or worst if that is no less. */
static int64_t response_at(const struct level *level, int64_t a, int64_t worst, struct taken *taken)
{
	int64_t own = demand(level->ahead, level->ahead_count, checked_add(a, level->tick));
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

int64_t level_response(const struct level *level)
{
	struct taken taken = nothing_taken;
	int64_t length = level_busy_window(level), worst = length == NONE ? NONE : 0;
	worst = worst == NONE || level->from > 0 ? worst : response_at(level, 0, 0, &taken);
	int budget = level->candidates;
	for (int i = 0; i < level->ahead_count && worst != NONE; i++) {
		int64_t a = arrivals_next(level->ahead[i].arrivals, 0);
		for (; a < length && worst != NONE; a = arrivals_next(level->ahead[i].arrivals, a)) {
			int64_t instant = checked_mul(checked_div_ceil(a, level->tick), level->tick);
			if (instant >= level->from && instant < length)
				worst = budget-- == 0 ? NONE : checked_max(worst, response_at(level, instant, worst, &taken));
		}
	}
	return worst;
}

/* T(a), likewise from below. */
static int64_t theta_of(const struct level *level, int64_t a)
{
	int64_t own = demand(level->ahead, level->ahead_count, checked_add(a, level->tick));
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

static bool is_reached(const struct level *level, int64_t a, int64_t response)
{
	struct taken taken = nothing_taken;
	return response_at(level, a, 0, &taken) == response;
}

bool level_worst(const struct level *level, int64_t response, int64_t *a, int64_t *theta)
{
	int64_t length = level_busy_window(level);
	bool found = is_reached(level, 0, response);
	*a = 0;
	for (int i = 0; i < level->ahead_count && !found; i++)
		for (int64_t at = arrivals_next(level->ahead[i].arrivals, 0); at < length && !found;
			at = arrivals_next(level->ahead[i].arrivals, at)) {
			*a = checked_mul(checked_div_ceil(at, level->tick), level->tick);
			found = *a < length && is_reached(level, *a, response);
		}
	*theta = found ? theta_of(level, *a) : NONE;
	return found && *theta != NONE;
}
