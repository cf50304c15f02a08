/* What stops, other contexts' copies and other contexts' turns cost a window: the equations of response/supply.h in numbers. */
#include "report/explain_engines.h"

#include "base/checked.h"
#include "response/runlist.h"

#include <inttypes.h>

/* The task that an item of the runlist is of: its arrivals are those of the task set, which are each at its own place. */
static const char *task_of_item(const struct explanation *e, const struct demand_item *item)
{
	const struct taskset *set = e->report->set;
	for (int i = 0; i < set->task_count; i++)
		if (item->arrivals.model == &set->tasks[i].arrival)
			return set->tasks[i].id;
	return "a task";
}

static const char *context_name(const struct explanation *e, int context)
{
	return e->report->response->basis.runlist->contexts[context].name;
}

int64_t explain_stops(struct terms *terms, const struct supply *supply, int64_t window)
{
	int64_t stopped = supply_stopped(supply, window);
	if (supply->stop_length != NONE)
		terms_add(terms, stopped, "stops: ceil(%" PRId64 " / %" PRId64 ") * %" PRId64 " = %" PRId64 "; stops.distance%s, a stop%s",
			window, supply->stop_distance, supply->stop_length, stopped,
			terms_step(terms->e, terms->e->report->response->basis.costs->parameter_steps[PARAMETER_STOPS_DISTANCE]),
			terms_step(terms->e, terms->e->report->response->basis.costs->stop.step));
	return stopped;
}

void explain_copied(struct terms *terms, const struct supply *supply, int engine, int64_t window)
{
	for (int i = 0; supply->entries != NULL && i < supply->entries->copy_count; i++) {
		const struct demand_item *item = &supply->entries->copies[i];
		if (item->engine != engine || item->context == supply->context)
			continue;
		int64_t count = arrivals_in(&item->arrivals, checked_add(window, item->lookback));
		terms_add(terms, checked_mul(count, item->work), "copies of %s, of another context, on the same copy engine: %s; jobs: %s",
			task_of_item(terms->e, item), terms_product(terms->e, count, item->work),
			terms_count(terms->e, &item->arrivals, window, item->lookback));
	}
}

/* What the jobs of another entry want that are there at some time of the window, as a list of its own. */
static struct wants wants_of(struct explanation *e, const struct entry *entry, const char *name, int64_t window)
{
	struct wants wants = {0, 0, 0};
	struct terms work = terms_of(e), volume = terms_of(e), ends = terms_of(e);
	for (int i = 0; i < entry->count; i++) {
		const struct demand_item *item = &entry->items[i];
		int64_t count = arrivals_in(&item->arrivals, checked_add(window, item->lookback));
		const char *jobs = terms_count(e, &item->arrivals, window, item->lookback), *task = task_of_item(e, item);
		terms_add(&work, checked_mul(count, item->work), "%s: %s; jobs: %s", task, terms_product(e, count, item->work), jobs);
		terms_add(&volume, checked_mul(count, item->volume), "%s: %s", task, terms_product(e, count, item->volume));
		terms_add(&ends, checked_mul(count, item->turns), "%s: %s", task, terms_product(e, count, item->turns));
	}
	explain_line(e, 6, "What %s of %s want together while the window lasts, and for how long their jobs were there before:",
		entry->copies ? "copies" : "kernels", name);
	wants.work = terms_print(&work, 8, "time at the engine", false);
	if (volume.sum > 0)
		wants.volume = terms_print(&volume, 8, "block time besides last blocks", false);
	wants.ends = terms_print(&ends, 8, "k, operations: each may end a turn", false);
	return wants;
}

struct gaps {
	int64_t of[SUPPLY_USES], all, windows;
};

static struct gaps gaps_of(struct explanation *e, const struct supply_use *uses, int count, int64_t stopped)
{
	struct gaps gaps = {{0}, 0, 0};
	for (int i = 0; i < count; i++) {
		const struct entry *own = uses[i].supply->own;
		if (own == NULL || uses[i].windows == 0)
			continue;
		int64_t slices = checked_div_ceil(checked_add(uses[i].service, stopped), own->slice);
		gaps.of[i] = checked_max(uses[i].windows, checked_add(slices, uses[i].windows - 1));
		explain_line(e, 6,
			"Gaps between own turns of %s, with a slice of %" PRId64 ", in %" PRId64 " window%s: ceil((%" PRId64 " + %" PRId64
			") / %" PRId64 ") + %" PRId64 " = %" PRId64 "%s",
			own->copies ? "copies" : "kernels", own->slice, uses[i].windows, uses[i].windows == 1 ? "" : "s", uses[i].service,
			stopped, own->slice, uses[i].windows - 1, slices + uses[i].windows - 1,
			gaps.of[i] > slices + uses[i].windows - 1 ? ", but one a window at least" : "");
		gaps.all = checked_add(gaps.all, gaps.of[i]);
		gaps.windows += uses[i].windows;
	}
	return gaps;
}

/* Returns how many turns of the entry begin. */
static int64_t add_entry(
	struct terms *terms, const struct entry *entry, const struct entries *entries, int64_t most, int64_t stopped, int64_t window)
{
	struct explanation *e = terms->e;
	const char *name = context_name(e, entry->context), *kind = entry->copies ? "copies" : "kernels";
	int64_t full = checked_mul(most, entry->slice), time = full, begun = most, drained = most;
	if (most == 0)
		return 0;
	if (!entry->unknown) {
		struct wants wants = wants_of(e, entry, name, window);
		int64_t work = checked_add(wants.work, checked_div_floor(checked_add(wants.volume, entry->rest), entry->sms));
		if (wants.ends == 0)
			return 0;
		int64_t used = checked_div_floor(checked_add(work, stopped), entry->slice);
		explain_line(e, 6,
			"F, what they want: %" PRId64 " + %s(%" PRId64 " / %" PRId64 ") = %" PRId64 "; turns used up: floor((%" PRId64
			" + %" PRId64 ") / %" PRId64 ") = %" PRId64 "; with k = %" PRId64 ": %" PRId64 " + %" PRId64 " = %" PRId64
			" may begin, and %" PRId64 " + 1 = %" PRId64 " end with a drain, in %" PRId64 " gaps",
			wants.work, entry->rest > 0 ? "ceil" : "floor", wants.volume, entry->sms, work, work, stopped, entry->slice, used, wants.ends, used, wants.ends,
			used + wants.ends, used, used + 1, most);
		time = checked_min(full, work);
		begun = checked_min(most, checked_add(used, wants.ends));
		drained = checked_min(most, checked_add(used, 1));
	}
	terms_add(terms, time, "turns of %s of %s%s: the less of F and all its slices, %s", kind, name,
		entry->unknown ? ", of which nothing is known" : "", terms_product(e, most, entry->slice));
	terms_add(
		terms, checked_mul(begun, entries->theta), "switches to %s of %s: %s", kind, name, terms_product(e, begun, entries->theta));
	terms_add(terms, checked_mul(drained, entry->overrun), "drains when turns of %s of %s end: %s", kind, name,
		terms_product(e, drained, entry->overrun));
	return begun;
}

void explain_lost(struct terms *terms, const struct supply_use *uses, int count, int64_t stopped, int64_t window)
{
	const struct entries *entries = uses[0].supply->entries;
	struct gaps gaps = gaps_of(terms->e, uses, count, stopped);
	int64_t begun = 0;
	for (int i = 0; gaps.all > 0 && i < entries->count; i++) {
		const struct entry *entry = &entries->items[i];
		int64_t most = 0;
		for (int u = 0; u < count; u++)
			most += entry != uses[u].supply->own && entry != uses[u].supply->none ? gaps.of[u] : 0;
		begun = checked_add(begun, add_entry(terms, entry, entries, most, stopped, window));
	}
	int64_t back = checked_min(gaps.all, checked_add(gaps.windows, begun));
	if (gaps.all > 0)
		terms_add(terms, checked_mul(back, entries->theta),
			"switches back: %s; at most one a gap, and one for each window and turn of others",
			terms_product(terms->e, back, entries->theta));
	for (int i = 0; i < count; i++) {
		int64_t drains = checked_min(gaps.of[i], begun), each = gaps.of[i] > 0 ? uses[i].supply->own->overrun : 0;
		terms_add(terms, checked_mul(drains, each), "own drains when own turns end: %s", terms_product(terms->e, drains, each));
	}
}

void explain_window_end(struct terms *terms, const struct supply *supply, int engine, int64_t work, int64_t window)
{
	int64_t stopped = explain_stops(terms, supply, window);
	const struct supply_use use = {supply, work, 1};
	if (engine != ENGINE_NONE)
		explain_copied(terms, supply, engine, window);
	if (supply->own != NULL)
		explain_lost(terms, &use, 1, stopped, window);
}
