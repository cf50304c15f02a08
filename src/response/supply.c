#include "response/supply.h"

#include "base/plant.h"

#include <stddef.h>

#define ITERATIONS 100000

bool supply_is_whole(const struct supply *supply)
{
	return supply->own == NULL && supply->stop_length == NONE && (supply->entries == NULL || supply->entries->copy_count == 0);
}

TERMS_APART static void add_stops(const struct supply *supply, int64_t window, int64_t time, struct terms *terms)
{
	const struct term stops = {.kind = TERM_STOPS, .amount = time, .each = supply->stop_length, .n = {window, supply->stop_distance}};
	terms_add(terms, stops);
}

int64_t supply_stopped(const struct supply *supply, int64_t window, struct terms *terms)
{
	if (supply->stop_length == NONE)
		return 0;
	int64_t count = planted(PLANT_STOPS) ? 1 : checked_div_ceil(window, supply->stop_distance);
	int64_t time = checked_mul(count, supply->stop_length);
	if (terms != NULL)
		add_stops(supply, window, time, terms);
	return time;
}

static int64_t jobs_in(const struct demand_item *item, int64_t window, int64_t lookback)
{
	return planted(PLANT_DEMAND) ? 1 : arrivals_in(&item->arrivals, checked_add(window, lookback));
}

static int64_t jobs(const struct demand_item *item, int64_t window)
{
	return jobs_in(item, window, item->lookback);
}

#define LONE (NONE - 1) /* a window in which each item has one job */

/* The same as lists. left: of work and volume what arrives in the window, and so much besides; 0: what is there. */
TERMS_APART static void add_wants(const struct entry *entry, int64_t window, int64_t left, struct terms *terms)
{
	struct terms *work = terms_list(
			     terms, (struct term){.kind = TERM_WANTS, .of = entry->context, .amount = NONE, .copies = entry->copies}),
		     *volume = terms_list(terms, (struct term){.kind = TERM_WANTS_VOLUME, .amount = NONE}),
		     *ends = terms_list(terms, (struct term){.kind = TERM_WANTS_TURNS, .amount = NONE});
	for (int i = 0; i < entry->count; i++) {
		const struct demand_item *item = &entry->items[i];
		const struct term jobs_of = {.of = item->task,
			.count = jobs(item, window),
			.arrivals = item->arrivals,
			.window = window,
			.early = item->lookback};
		struct term arrive = jobs_of;
		arrive.early = left > 0 ? 0 : item->lookback;
		arrive.count = jobs_in(item, window, arrive.early);
		terms_add_each(work, arrive, TERM_WANT_WORK, item->work);
		terms_add_each(volume, arrive, TERM_WANT, item->volume);
		terms_add_each(ends, jobs_of, TERM_WANT, item->turns);
	}
	terms_add(work, (struct term){.kind = TERM_WANT_LEFT, .of = entry->context, .amount = left});
}

static inline struct wants wants_of(const struct entry *entry, int64_t window)
{
	struct wants wants = {0, 0, 0};
	for (int i = 0; i < entry->count; i++) {
		const struct demand_item *item = &entry->items[i];
		int64_t count = window == LONE ? 1 : jobs(item, window);
		wants.work = checked_add(wants.work, checked_mul(count, item->work));
		wants.volume = checked_add(wants.volume, checked_mul(count, item->volume));
		wants.ends = checked_add(wants.ends, checked_mul(count, item->turns));
	}
	return wants;
}

/* The longest window in which one job of it is there at most. */
static int64_t lone_of(const struct demand_item *item)
{
	int64_t early = checked_add(item->arrivals.jitter, item->lookback);
	int64_t lone = early == NONE ? 0 : checked_sub(arrivals_lone(item->arrivals.model), early);
	return lone == NONE ? 0 : lone;
}

/* Of kernels' volume what the SMs share, with the rest. */
static inline int64_t shared(const struct entry *entry, int64_t volume)
{
	int64_t all = checked_add(volume, entry->rest);
	return all == 0 && entry->sms > 0 && entry->sms != NONE ? 0 : checked_div_floor(all, entry->sms);
}

void supply_settle(struct entry *entry)
{
	const struct wants once = wants_of(entry, LONE);
	int64_t work = checked_add(once.work, shared(entry, once.volume));
	entry->lone = LONE - 1;
	entry->once = (struct wanted){work, once.ends, checked_div_floor(work, entry->slice)};
	entry->filled = once.ends == 0 || entry->turn <= 0 ? 0 : checked_div_floor(work, entry->turn);
	for (int i = 0; i < entry->count; i++)
		entry->lone = checked_min(entry->lone, lone_of(&entry->items[i]));
}

/* Of another entry in the window: how long its turns are together, how many begin and how many end with a drain. */
struct share {
	int64_t time, begun, drained;
	int64_t under_way; /* one that is there when the windows begin, and may still refill caches */
};

/* used_up: turns that are. */
TERMS_APART static void add_wanted(const struct entry *entry, const struct wants *wants, int64_t work, int64_t stopped, int64_t used_up,
	int64_t most, struct terms *terms)
{
	const struct term all = {.kind = TERM_WANTS_ALL,
		.of = entry->context,
		.n = {wants->work, wants->volume, entry->sms, work, stopped, entry->slice, used_up, wants->ends,
			checked_add(used_up, wants->ends), checked_add(used_up, 1), most},
		.up = entry->rest > 0};
	terms_add(terms, all);
}

static inline struct share share_with(const struct entry *entry, int64_t most, int64_t full, int64_t work, int64_t used_up, int64_t ends)
{
	int64_t begun = checked_add(used_up, planted(PLANT_SWITCHES) ? 0 : ends);
	return (struct share){checked_min(full, work), checked_min(most, begun), checked_min(most, checked_add(used_up, 1)),
		entry->refill > 0 && begun < most};
}

/* Where each item has one job: what that takes is known. */
static inline struct share share_once(const struct entry *entry, int64_t most, int64_t full, int64_t stopped)
{
	const struct wanted *once = &entry->once;
	if (once->ends == 0)
		return (struct share){0, 0, 0, 0};
	int64_t used_up = stopped == 0 ? once->used_up : checked_div_floor(checked_add(once->work, stopped), entry->slice);
	return share_with(entry, most, full, once->work, used_up, once->ends);
}

/* [LEFT-BEHIND]: what arrives in one window and a slice of what was there, where that is less. Returns what was there, 0 where it is not.
 */
static int64_t leave_behind(const struct entry *entry, int64_t window, struct wants *wants)
{
	struct wants arrive = {entry->slice, 0, wants->ends};
	for (int i = 0; i < entry->count; i++) {
		const struct demand_item *item = &entry->items[i];
		int64_t count = jobs_in(item, window, 0);
		arrive.work = checked_add(arrive.work, checked_mul(count, item->work));
		arrive.volume = checked_add(arrive.volume, checked_mul(count, item->volume));
	}
	if (checked_add(arrive.work, shared(entry, arrive.volume)) >= checked_add(wants->work, shared(entry, wants->volume)))
		return 0;
	*wants = arrive;
	return entry->slice;
}

/* one: what is served is served in one window, by whole slices. */
static inline struct share share_of(const struct entry *entry, int64_t most, int64_t window, int64_t stopped, bool one, struct terms *terms)
{
	int64_t full = checked_mul(most, entry->turn);
	if (entry->unknown)
		return (struct share){full, most, most, 0};
	if (terms == NULL && window >= 1 && window <= entry->lone)
		return share_once(entry, most, full, stopped);
	struct wants wants = wants_of(entry, window);
	int64_t left = one && entry->prompt ? leave_behind(entry, window, &wants) : 0;
	if (terms != NULL)
		add_wants(entry, window, left, terms);
	int64_t work = checked_add(wants.work, shared(entry, wants.volume));
	if (wants.ends == 0)
		return (struct share){0, 0, 0, 0};
	if (work >= full && terms == NULL) /* all of its turns, whatever is left */
		return (struct share){full, most, most, 0};
	int64_t used_up = checked_div_floor(checked_add(work, stopped), entry->slice);
	if (terms != NULL)
		add_wanted(entry, &wants, work, stopped, used_up, most, terms);
	return share_with(entry, most, full, work, used_up, wants.ends);
}

TERMS_APART static void add_share(const struct entry *entry, const struct share *share, int64_t most, int64_t theta, struct terms *terms)
{
	const struct term of = {.of = entry->context, .copies = entry->copies, .count = most};
	struct term turns = of, switches = of, drains = of;
	turns.kind = entry->unknown ? TERM_TURNS_OF_UNKNOWN : TERM_TURNS_OF;
	turns.amount = share->time;
	turns.each = entry->turn;
	terms_add(terms, turns);
	switches.count = share->begun;
	terms_add_each(terms, switches, TERM_SWITCHES, theta);
	drains.count = share->drained;
	terms_add_each(terms, drains, TERM_DRAINS, entry->overrun);
	if (share->under_way > 0)
		terms_add_each(terms, (struct term){.count = 1}, TERM_REFILLS, entry->refill);
}

TERMS_APART static void add_gaps(const struct supply_use *use, int64_t stopped, int64_t most, struct terms *terms)
{
	const struct entry *own = use->supply->own;
	terms_add(terms,
		(struct term){
			.kind = TERM_GAPS, .each = own->slice, .n = {0, use->windows, use->service, stopped, most}, .copies = own->copies});
}

/* Gaps in which another entry may have a turn. */
static inline int64_t gaps_of(const struct supply_use *use, int64_t stopped, struct terms *terms)
{
	const struct entry *own = use->supply->own;
	int64_t slices = checked_div_ceil(checked_add(use->service, stopped), own->slice), most = checked_add(slices, use->windows - 1);
	if (terms != NULL)
		add_gaps(use, stopped, most, terms);
	return planted(PLANT_TURNS) ? 1 : checked_max(use->windows, most);
}

static bool waits_for(const struct supply *supply, const struct entry *entry)
{
	return entry != supply->own && entry != supply->none;
}

TERMS_APART static void add_switches(int64_t count, int64_t each, enum term_kind kind, struct terms *terms)
{
	terms_add_each(terms, (struct term){.count = count}, kind, each);
}

/* Own turns that are under way when a window begins, and are no more than what others' turns make of them. */
static int64_t refilled(const struct supply_use *use, int64_t gaps, int64_t all, int64_t turns, struct terms *terms)
{
	int64_t more = gaps == 0 ? 0 : checked_min(use->windows, checked_max(0, checked_sub(turns, all)));
	if (more == 0 || use->supply->own->refill == 0)
		return 0;
	if (terms != NULL)
		add_switches(more, use->supply->own->refill, TERM_REFILLS, terms);
	return checked_mul(more, use->supply->own->refill);
}

/* What goes on while all of these are served. */
struct meanwhile {
	const struct supply_use *uses;
	int count;
	int64_t gaps[SUPPLY_USES], all; /* of each, and together */
	enum interleave own;            /* the level of whom they are */
	bool one; /* window in all, of an entry whose turns are whole slices, and beside which every other one counts */
	int64_t stopped, window;
};

/* What entries have in it. */
struct taken {
	int64_t lost, begun;
};

static inline bool is_below(const struct meanwhile *of, const struct entry *entry)
{
	return interleave_is_below(&of->uses[0].supply->entries->round, of->own, entry->level);
}

/* `most`: as many turns as it may have. */
static struct taken take_up_to(const struct meanwhile *of, const struct entry *entry, int64_t most, struct terms *terms)
{
	const struct entries *entries = of->uses[0].supply->entries;
	struct share share = share_of(entry, most, of->window, of->stopped, of->one, most > 0 ? terms : NULL);
	int64_t lost = checked_add(share.time, checked_mul(share.begun, entries->theta));
	lost = checked_add(lost, checked_mul(share.drained, entry->overrun));
	lost = checked_add(lost, checked_mul(share.under_way, entry->refill));
	if (terms != NULL)
		add_share(entry, &share, most, entries->theta, terms);
	return (struct taken){lost, share.begun};
}

static inline struct taken take(const struct meanwhile *of, const struct entry *entry, struct terms *terms)
{
	const struct entries *entries = of->uses[0].supply->entries;
	int64_t most = 0;
	for (int i = 0; i < of->count; i++)
		most = checked_add(most, waits_for(of->uses[i].supply, entry) ? of->gaps[i] : 0);
	if (entries->round.levels)
		most = checked_mul(most, interleave_turns(&entries->round, of->own, entry->level));
	if (terms == NULL && (entry->unknown || (of->window >= 1 && most <= entry->filled))) /* each of its turns, in full */
		return (struct taken){checked_mul(most, checked_add(checked_add(entry->turn, entry->overrun), entries->theta)), most};
	return take_up_to(of, entry, most, terms);
}

/* [BETWEEN]: of entries of lower levels one has a turn in each gap, however much each of them wants. */
static struct taken take_lower(const struct meanwhile *of, struct terms *terms)
{
	const struct entries *entries = of->uses[0].supply->entries;
	const struct entry *longest = NULL;
	struct taken each = {0, 0};
	int64_t most = -1;
	for (int e = 0; e < entries->count; e++) {
		const struct entry *entry = &entries->items[e];
		int64_t turn = checked_add(checked_add(entry->turn, entry->overrun), entries->theta);
		if (!is_below(of, entry))
			continue;
		struct taken one = take(of, entry, NULL);
		each = (struct taken){checked_add(each.lost, one.lost), checked_add(each.begun, one.begun)};
		longest = one.lost > 0 && turn > most ? entry : longest;
		most = one.lost > 0 ? checked_max(most, turn) : most;
	}
	if (longest == NULL)
		return each;
	int64_t all = checked_mul(of->all, most);
	if (terms != NULL && all < each.lost)
		terms_add_each(
			terms, (struct term){.of = longest->context, .count = of->all, .copies = longest->copies}, TERM_TURNS_BELOW, most);
	for (int e = 0; e < entries->count && terms != NULL && all >= each.lost; e++)
		if (is_below(of, &entries->items[e]))
			take(of, &entries->items[e], terms);
	return (struct taken){checked_min(all, each.lost), checked_min(of->all, each.begun)};
}

static struct taken take_all(const struct meanwhile *of, struct terms *terms)
{
	const struct entries *entries = of->uses[0].supply->entries;
	struct taken sum = {0, 0};
	if (entries->round.levels)
		sum = take_lower(of, terms);
	for (int e = 0; e < entries->count; e++) {
		if (is_below(of, &entries->items[e]))
			continue;
		struct taken one = take(of, &entries->items[e], terms);
		sum = (struct taken){checked_add(sum.lost, one.lost), checked_add(sum.begun, one.begun)};
	}
	return sum;
}

int64_t supply_lost(const struct supply_use *uses, int count, int64_t stopped, int64_t window, struct terms *terms)
{
	const struct entries *entries = uses[0].supply->entries;
	struct meanwhile of = {.uses = uses, .count = count, .stopped = stopped, .window = window};
	struct taken others = {0, 0};
	int64_t windows = 0;
	for (int i = 0; i < count; i++) {
		if (uses[i].supply->own == NULL || uses[i].windows == 0)
			continue;
		of.gaps[i] = gaps_of(&uses[i], stopped, terms);
		of.all = checked_add(of.all, of.gaps[i]);
		of.own = uses[i].supply->own->level; /* of kernels and of copies the same */
		of.one = windows == 0 && uses[i].windows == 1 && uses[i].supply->none == NULL &&
			 uses[i].supply->own->turn == uses[i].supply->own->slice;
		windows += uses[i].windows;
	}
	if (of.all > 0)
		others = take_all(&of, terms);
	const int64_t *gaps = of.gaps, all = of.all, begun = others.begun;
	int64_t lost = others.lost;
	int64_t back = planted(PLANT_THETA) || all == 0 ? 0 : checked_min(all, checked_add(windows, begun));
	lost = checked_add(lost, checked_mul(back, all > 0 ? entries->theta : 0));
	if (terms != NULL && back > 0)
		add_switches(back, entries->theta, TERM_SWITCHES_BACK, terms);
	for (int i = 0; i < count && all > 0; i++)
		lost = checked_add(lost, refilled(&uses[i], gaps[i], all, checked_add(windows, begun), terms));
	for (int i = 0; i < count && !planted(PLANT_DRAIN); i++) {
		if (gaps[i] == 0)
			continue;
		int64_t overrun = uses[i].supply->own->overrun, drains = checked_min(gaps[i], begun);
		lost = checked_add(lost, checked_mul(drains, overrun));
		if (terms != NULL)
			add_switches(drains, overrun, TERM_OWN_DRAINS, terms);
	}
	return lost;
}

static inline int64_t lost_in_one(const struct supply *supply, int64_t service, int64_t stopped, int64_t window, struct terms *terms)
{
	const struct supply_use use = {supply, service, 1};
	return supply->own == NULL ? 0 : supply_lost(&use, 1, stopped, window, terms);
}

TERMS_APART static void add_copies(const struct demand_item *item, int64_t count, int64_t window, struct terms *terms)
{
	const struct term copies = {
		.of = item->task, .count = count, .arrivals = item->arrivals, .window = window, .early = item->lookback};
	terms_add_each(terms, copies, TERM_FOREIGN_COPIES, item->work);
}

static inline int64_t copied(const struct supply *supply, int engine, int64_t window, struct terms *terms)
{
	int64_t sum = 0;
	for (int i = 0; supply->entries != NULL && i < supply->entries->copy_count; i++) {
		const struct demand_item *item = &supply->entries->copies[i];
		if (item->engine != engine || item->context == supply->context || planted(PLANT_FOREIGN))
			continue;
		int64_t count = item->work == NONE ? NONE : window == LONE ? 1 : jobs(item, window);
		sum = checked_add(sum, checked_mul(count, item->work));
		if (terms != NULL)
			add_copies(item, count, window, terms);
	}
	return sum;
}

void supply_settle_copies(struct arena *arena, struct supply *supply, int engines)
{
	struct foreign_copies *foreign = arena_reserve(arena, (size_t)engines + 1, sizeof *foreign);
	for (int e = 0; e < engines; e++)
		foreign[e] = (struct foreign_copies){LONE - 1, copied(supply, e, LONE, NULL)};
	for (int i = 0; i < supply->entries->copy_count; i++) {
		const struct demand_item *item = &supply->entries->copies[i];
		int64_t *lone = &foreign[item->engine].lone;
		if (item->context != supply->context)
			*lone = checked_min(*lone, item->work == NONE ? 0 : lone_of(item));
	}
	supply->foreign = foreign;
	supply->foreign_count = engines;
}

int64_t supply_copied(const struct supply *supply, int engine, int64_t window, struct terms *terms)
{
	bool once = engine >= 0 && engine < supply->foreign_count && window >= 1 && window <= supply->foreign[engine].lone;
	return once && terms == NULL ? supply->foreign[engine].once : copied(supply, engine, window, terms);
}

int64_t supply_end_step(const struct supply *supply, int engine, int64_t work, int64_t window, struct terms *terms)
{
	int64_t stopped = supply_stopped(supply, window, terms), end = checked_add(work, stopped);
	if (engine != ENGINE_NONE)
		end = checked_add(end, supply_copied(supply, engine, window, terms));
	return checked_add(end, lost_in_one(supply, work, stopped, window, terms));
}

/* What is served until then comes before it: with nothing served yet, the first turn has still to come. */
int64_t supply_begin_step(const struct supply *supply, int64_t work, int64_t window)
{
	int64_t closed = checked_add(window, 1), stopped = supply_stopped(supply, closed, NULL);
	return checked_add(checked_add(work, stopped), lost_in_one(supply, checked_add(work, 1), stopped, closed, NULL));
}

int64_t supply_end(const struct supply *supply, int engine, int64_t work, int64_t horizon)
{
	int64_t window = work;
	for (int i = 0; i < ITERATIONS && window <= horizon; i++) {
		int64_t next = supply_end_step(supply, engine, work, window, NULL);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}
