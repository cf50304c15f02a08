#include "response/serial.h"

#include "base/plant.h"
#include "response/load.h"

static int64_t count_of(const struct serial_item *item, int64_t delta)
{
	return arrivals_in(&item->arrivals, checked_add(delta, item->lookback));
}

/* What the items of a group cost by themselves, and the time of their engine. */
static int64_t group_time(const struct serial *serial, int group, int64_t delta)
{
	const struct serial_group *of = &serial->groups[group];
	int64_t cost = 0, volume = 0, work = 0, kernels = 0;
	for (int i = 0; i < serial->item_count; i++) {
		const struct serial_item *item = &serial->items[i];
		if (item->group != group)
			continue;
		int64_t count = count_of(item, delta);
		cost = checked_add(cost, checked_mul(count, item->cost));
		volume = checked_add(volume, checked_mul(count, item->volume));
		work = checked_add(work, checked_mul(count, item->work));
		kernels = checked_add(kernels, checked_mul(count, item->kernels));
	}
	int64_t busy = checked_add(checked_div_floor(checked_add(volume, of->rest), of->g), work);
	int64_t sum = of->gaps_only ? cost : checked_add(cost, busy);
	if (of->slice == NONE)
		return sum;
	int64_t slices = of->round_up ? checked_div_ceil(busy, of->slice) : checked_div_floor(busy, of->slice);
	return checked_add(sum, checked_mul(checked_add(slices, kernels), of->gap));
}

static int64_t stop_time(const struct serial *serial, int64_t delta)
{
	if (serial->stop_length == NONE)
		return 0;
	int64_t count = planted(PLANT_STOPS) ? 1 : checked_div_ceil(delta, serial->stop_distance);
	return checked_mul(count, serial->stop_length);
}

int64_t serial_evaluate(const struct serial *serial, int64_t delta)
{
	int64_t sum = stop_time(serial, delta);
	for (int i = 0; i < serial->group_count; i++)
		sum = checked_add(sum, group_time(serial, i, delta));
	return sum;
}

/* Long-run share of the time line of one item: its cost, its engine time and volume with the gaps that they bring. */
static void add_item_load(struct load *load, const struct serial *serial, const struct serial_item *item)
{
	const struct serial_group *group = &serial->groups[item->group];
	int64_t count, window;
	struct load engine;
	arrivals_rate(item->arrivals.model, &count, &window);
	load_add(load, item->cost, count, window, 1);
	load_init(&engine);
	load_add(&engine, group->gaps_only && group->slice == NONE ? 0 : item->work, count, window, 1);
	load_add(&engine, item->volume, count, window, group->g);
	if (group->slice != NONE) {
		load_scale(&engine, checked_add(group->gaps_only ? 0 : group->slice, group->gap), group->slice);
		load_add(load, checked_mul(item->kernels, group->gap), count, window, 1);
	}
	mpq_add(load->sum, load->sum, engine.sum);
	load_finish(&engine);
}

/* The same rounded up, in 2^-30: enough to see that a load is below one where it is not close to it. */
static int64_t item_share(const struct serial *serial, const struct serial_item *item)
{
	const struct serial_group *group = &serial->groups[item->group];
	int64_t count, window;
	arrivals_rate(item->arrivals.model, &count, &window);
	int64_t engine = checked_add(load_share(item->work, count, window, 1), load_share(item->volume, count, window, group->g));
	int64_t share = load_share(item->cost, count, window, 1);
	if (group->slice == NONE)
		return group->gaps_only ? share : checked_add(share, engine);
	engine = checked_mul_div_ceil(engine, checked_add(group->gaps_only ? 0 : group->slice, group->gap), group->slice);
	return checked_add(share, checked_add(engine, load_share(checked_mul(item->kernels, group->gap), count, window, 1)));
}

static bool surely_below_one(const struct serial *serial)
{
	int64_t shares = serial->stop_length == NONE ? 0 : load_share(serial->stop_length, 1, serial->stop_distance, 1);
	for (int i = 0; i < serial->item_count; i++)
		shares = checked_add(shares, item_share(serial, &serial->items[i]));
	return shares < LOAD_ONE;
}

/* Is every number of the problem there? Otherwise what has none. */
static const char *missing(struct arena *arena, const struct serial *serial)
{
	for (int i = 0; i < serial->item_count; i++) {
		const struct serial_item *item = &serial->items[i];
		if (item->lookback == NONE)
			return arena_format(arena, "%s uses the same copy engine and has no bound itself", item->name);
		if (item->cost == NONE || item->work == NONE || item->volume == NONE || item->arrivals.jitter == NONE ||
			checked_mul(item->kernels, serial->groups[item->group].gap) == NONE)
			return arena_format(arena, "a number of %s does not fit 64 bits", item->name);
	}
	return NULL;
}

/* The item with the greatest load; its own load in *text. */
static const char *heaviest(struct arena *arena, const struct serial *serial, const char **text)
{
	const char *name = "nothing";
	struct load greatest;
	load_init(&greatest);
	for (int i = 0; i < serial->item_count; i++) {
		struct load load;
		load_init(&load);
		add_item_load(&load, serial, &serial->items[i]);
		if (mpq_cmp(load.sum, greatest.sum) > 0) {
			mpq_set(greatest.sum, load.sum);
			name = serial->items[i].name;
		}
		load_finish(&load);
	}
	*text = load_text(&greatest, arena);
	load_finish(&greatest);
	return name;
}

static const char *explain_overload(struct arena *arena, const char *load, const char *name, const char *most)
{
	return arena_format(arena, "the load, the sum of cost over period, is %s and has to be below 1; %s has %s of it", load, name, most);
}

#define SHARES 3 /* of an item: cost, work, volume */

/* The same by shares where they decide it, without slices and stops: surely one or more, one item surely above all others, and no decimal
 * in doubt. NULL: they do not. */
static const char *clear_overload(struct arena *arena, const struct serial *serial)
{
	int64_t sum = 0, greatest = 0, second = 0;
	const char *name = NULL;
	for (int i = 0; i < serial->group_count; i++)
		if (serial->groups[i].slice != NONE)
			return NULL;
	for (int i = 0; i < serial->item_count; i++) {
		int64_t share = item_share(serial, &serial->items[i]);
		sum = checked_add(sum, share);
		second = checked_max(second, checked_min(share, greatest));
		if (share > greatest) {
			greatest = share;
			name = serial->items[i].name;
		}
	}
	if (serial->stop_length != NONE || sum == NONE || sum - SHARES * serial->item_count < LOAD_ONE || second > greatest - SHARES)
		return NULL;
	const char *all = load_share_text(sum, SHARES * serial->item_count, arena), *most = load_share_text(greatest, SHARES, arena);
	return all == NULL || most == NULL ? NULL : explain_overload(arena, all, name, most);
}

static const char *overload(struct arena *arena, const struct serial *serial)
{
	struct load load;
	const char *reason = NULL, *most;
	if (surely_below_one(serial))
		return NULL;
	reason = clear_overload(arena, serial);
	if (reason != NULL)
		return reason;
	load_init(&load);
	for (int i = 0; i < serial->item_count; i++)
		add_item_load(&load, serial, &serial->items[i]);
	if (serial->stop_length != NONE)
		load_add(&load, serial->stop_length, 1, serial->stop_distance, 1);
	if (!load_below_one(&load)) {
		const char *name = heaviest(arena, serial, &most);
		reason = explain_overload(arena, load_text(&load, arena), name, most);
	}
	load_finish(&load);
	return reason;
}

/* The item whose arrivals in delta cost most. */
static const char *dominant(const struct serial *serial, int64_t delta)
{
	const char *name = "nothing";
	int64_t most = -1;
	for (int i = 0; i < serial->item_count; i++) {
		const struct serial_item *item = &serial->items[i];
		int64_t spread = checked_div_floor(item->volume, serial->groups[item->group].g);
		int64_t cost = checked_mul(count_of(item, delta), checked_add(item->cost, checked_add(item->work, spread)));
		if (cost > most) {
			most = cost;
			name = item->name;
		}
	}
	return name;
}

struct serial_result serial_solve(struct arena *arena, const struct serial *serial, int64_t from)
{
	struct serial_result result = {NONE, NULL, dominant(serial, 1)};
	result.reason = missing(arena, serial);
	if (result.reason == NULL)
		result.reason = overload(arena, serial);
	if (result.reason != NULL)
		return result;
	int64_t delta = from < 1 ? 1 : from;
	for (int i = 0; i < SERIAL_ITERATIONS && delta != NONE; i++) {
		int64_t next = checked_max(serial_evaluate(serial, delta), delta);
		if (next == delta) {
			result.dominant = dominant(serial, delta);
			result.value = delta;
			return result;
		}
		delta = next;
	}
	result.reason = delta == NONE ? "the busy interval does not fit 64 bits"
				      : "the busy interval did not converge within the limit of iterations";
	return result;
}

int serial_derive(struct derivation *derivation, const struct serial *serial, int rule, const char *about, int64_t value)
{
	int step = derivation_integer(derivation, rule, about, value);
	for (int i = 0; i < serial->group_count; i++) {
		const struct serial_group *group = &serial->groups[i];
		derivation_input(derivation, "g", group->g_step);
		derivation_input(derivation, "L", group->slice_step);
		derivation_input(derivation, "G", group->gap_step);
		for (int j = 0; j < serial->item_count; j++) {
			const struct serial_item *item = &serial->items[j];
			if (item->group != i)
				continue;
			derivation_input(derivation, "T", item->period_step);
			derivation_input(derivation, "J", item->jitter_step);
			derivation_input(derivation, "A", item->lookback_step);
			derivation_input(derivation, "e", item->cost_step);
			derivation_input(derivation, "x", item->work_step);
			derivation_input(derivation, "v", item->volume_step);
			derivation_input(derivation, "k", item->kernels_step);
		}
	}
	derivation_input(derivation, "theta_int", serial->stop_length_step);
	derivation_input(derivation, "T_int", serial->stop_distance_step);
	return step;
}
