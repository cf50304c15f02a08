#include "response/supply.h"

#include "base/plant.h"

#include <stddef.h>

#define ITERATIONS 100000

bool supply_is_whole(const struct supply *supply)
{
	return supply->own == NULL && supply->stop_length == NONE && (supply->entries == NULL || supply->entries->copy_count == 0);
}

int64_t supply_stopped(const struct supply *supply, int64_t window)
{
	if (supply->stop_length == NONE)
		return 0;
	int64_t count = planted(PLANT_STOPS) ? 1 : checked_div_ceil(window, supply->stop_distance);
	return checked_mul(count, supply->stop_length);
}

static int64_t jobs(const struct demand_item *item, int64_t window)
{
	return arrivals_in(&item->arrivals, checked_add(window, item->lookback));
}

/* Of another entry in the window: how long its turns are together, how many begin and how many end with a drain. */
struct share {
	int64_t time, begun, drained;
};

static struct share share_of(const struct entry *entry, int64_t most, int64_t window, int64_t stopped)
{
	int64_t work = 0, volume = 0, ends = 0, full = checked_mul(most, entry->slice);
	if (entry->unknown)
		return (struct share){full, most, most};
	for (int i = 0; i < entry->count; i++) {
		int64_t count = jobs(&entry->items[i], window);
		work = checked_add(work, checked_mul(count, entry->items[i].work));
		volume = checked_add(volume, checked_mul(count, entry->items[i].volume));
		ends = checked_add(ends, checked_mul(count, entry->items[i].turns));
	}
	work = checked_add(work, checked_div_floor(volume, entry->sms));
	if (ends == 0)
		return (struct share){0, 0, 0};
	int64_t used_up = checked_div_floor(checked_add(work, stopped), entry->slice);
	int64_t begun = checked_add(used_up, planted(PLANT_SWITCHES) ? 0 : ends);
	return (struct share){checked_min(full, work), checked_min(most, begun), checked_min(most, checked_add(used_up, 1))};
}

int64_t supply_lost(const struct supply *supply, int64_t service, int64_t stopped, int64_t windows, int64_t window)
{
	if (supply->own == NULL)
		return 0;
	const struct entries *entries = supply->entries;
	int64_t used = checked_add(service, stopped), begun = 0, lost = 0;
	int64_t most = checked_max(windows, checked_add(checked_div_ceil(used, supply->own->slice), windows - 1));
	if (planted(PLANT_TURNS))
		most = 1;
	for (int i = 0; i < entries->count; i++) {
		const struct entry *entry = &entries->items[i];
		if (entry == supply->own || entry == supply->none)
			continue;
		struct share share = share_of(entry, most, window, stopped);
		lost = checked_add(lost, checked_add(share.time, checked_mul(share.begun, entries->theta)));
		lost = checked_add(lost, checked_mul(share.drained, entry->overrun));
		begun = checked_add(begun, share.begun);
	}
	int64_t loads = checked_min(most, checked_add(windows, begun)), drains = checked_min(most, begun);
	if (!planted(PLANT_THETA))
		lost = checked_add(lost, checked_mul(loads, entries->theta));
	return planted(PLANT_DRAIN) ? lost : checked_add(lost, checked_mul(drains, supply->own->overrun));
}

int64_t supply_copied(const struct supply *supply, int engine, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; supply->entries != NULL && i < supply->entries->copy_count; i++) {
		const struct demand_item *item = &supply->entries->copies[i];
		if (item->engine == engine && item->context != supply->context && !planted(PLANT_FOREIGN))
			sum = checked_add(sum, checked_mul(jobs(item, window), item->work));
	}
	return sum;
}

int64_t supply_end_step(const struct supply *supply, int engine, int64_t work, int64_t window)
{
	int64_t stopped = supply_stopped(supply, window);
	int64_t end = checked_add(checked_add(work, stopped), supply_lost(supply, work, stopped, 1, window));
	return engine == ENGINE_NONE ? end : checked_add(end, supply_copied(supply, engine, window));
}

/* What is served until then comes before it: with nothing served yet, the first turn has still to come. */
int64_t supply_begin_step(const struct supply *supply, int64_t work, int64_t window)
{
	int64_t closed = checked_add(window, 1), stopped = supply_stopped(supply, closed);
	return checked_add(checked_add(work, stopped), supply_lost(supply, checked_add(work, 1), stopped, 1, closed));
}

int64_t supply_end(const struct supply *supply, int engine, int64_t work, int64_t horizon)
{
	int64_t window = work;
	for (int i = 0; i < ITERATIONS && window <= horizon; i++) {
		int64_t next = supply_end_step(supply, engine, work, window);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}
