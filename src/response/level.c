#include "response/level.h"

#define ITERATIONS 100000

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

int64_t level_busy_window(const struct level *level)
{
	int64_t length = 1;
	for (int i = 0; i < ITERATIONS && length <= level->horizon; i++) {
		int64_t next = checked_add(level->blocking, checked_add(demand(level->ahead, level->ahead_count, length),
								    demand(level->until, level->until_count, length)));
		if (next <= length)
			return length;
		length = next;
	}
	return NONE;
}

/* T(a) - a + last. Where there is one ahead, *others is what others take up to T of an earlier a: no less up to a later one. */
static int64_t response_at(const struct level *level, int64_t a, int64_t *others)
{
	int64_t own = demand(level->ahead, level->ahead_count, checked_add(a, level->tick));
	int64_t base = checked_sub(checked_add(level->blocking, own), level->last), theta = checked_add(base, *others);
	if (level->until_count == 0)
		return checked_sub(checked_add(base, level->last), a);
	for (int i = 0; i < ITERATIONS && theta <= level->horizon; i++) {
		int64_t next = checked_add(base, demand_closed(level->until, level->until_count, theta, level->tick));
		if (next <= theta) {
			*others = level->ahead_count == 1 ? checked_sub(theta, base) : 0;
			return checked_sub(checked_add(theta, level->last), a);
		}
		theta = next;
	}
	return NONE;
}

int64_t level_response(const struct level *level)
{
	int64_t others = 0, length = level_busy_window(level), worst = length == NONE ? NONE : response_at(level, 0, &others);
	int budget = level->candidates;
	for (int i = 0; i < level->ahead_count && worst != NONE; i++) {
		int64_t a = arrivals_next(level->ahead[i].arrivals, 0);
		for (; a < length && worst != NONE; a = arrivals_next(level->ahead[i].arrivals, a)) {
			int64_t instant = checked_mul(checked_div_ceil(a, level->tick), level->tick);
			if (instant < length)
				worst = budget-- == 0 ? NONE : checked_max(worst, response_at(level, instant, &others));
		}
	}
	return worst;
}
