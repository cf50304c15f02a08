#include "response/busy_interval.h"

#include "base/plant.h"
#include "response/load.h"

static int64_t count_of(const struct busy_interval_item *item, int64_t delta)
{
	return item->only != NONE ? item->only : arrivals_in(&item->arrivals, checked_add(delta, item->lookback));
}

static int64_t stops_in(const struct busy_interval *serial, int64_t delta)
{
	return planted(PLANT_STOPS) ? 1 : checked_div_ceil(delta, serial->stop_distance);
}

/* ---- terms */

struct group_terms {
	struct terms *all, *work, *volume, *turns;
	const struct busy_interval *serial;
};

/* So much of a cost is lost between slices. */
static int64_t lost_time(const struct busy_interval *serial, const struct gaps_lost *lost)
{
	int64_t kernels = lost->kernels == 0 ? 0 : checked_mul(lost->kernels, serial->kernel_gap->length);
	return lost->copies == 0 ? kernels : checked_add(kernels, checked_mul(lost->copies, serial->copy_gap->length));
}

TERMS_APART static struct group_terms group_terms(const struct busy_interval *serial, struct terms *all)
{
	return (struct group_terms){all, terms_list(all, (struct term){.kind = TERM_INTERVAL_WORK, .amount = NONE}),
		terms_list(all, (struct term){.kind = TERM_INTERVAL_VOLUME, .amount = NONE}),
		terms_list(all, (struct term){.kind = TERM_INTERVAL_TURNS, .amount = NONE}), serial};
}

static void add_jobs(struct terms *terms, struct term job, enum term_kind kind, int64_t each, int step)
{
	job.step = step;
	terms_add_each(terms, job, kind, each);
}

/* NONE: its number is known without arrivals. */
static int64_t counted_in(const struct busy_interval_item *item, int64_t delta)
{
	return item->only == NONE ? delta : NONE;
}

TERMS_APART static void add_item_terms(const struct group_terms *terms, const struct busy_interval_item *item, int64_t count, int64_t delta)
{
	struct term job = {
		.of = item->task, .count = count, .arrivals = item->arrivals, .window = counted_in(item, delta), .early = item->lookback};
	job.n[0] = item->cost;
	job.n[1] = lost_time(terms->serial, &item->lost);
	add_jobs(terms->all, job, job.n[1] == 0 ? TERM_JOB_COST : TERM_JOB_OWN_COST, checked_sub(item->cost, job.n[1]), item->cost_step);
	add_jobs(terms->work, job, TERM_JOB_WORK, item->work, item->work_step);
	add_jobs(terms->volume, job, TERM_JOB_VOLUME, item->volume, item->volume_step);
	add_jobs(terms->turns, job, TERM_JOB_TURNS, item->kernels, item->kernels_step);
}

/* lost: in turns. */
TERMS_APART static void add_group_terms(const struct group_terms *terms, const struct busy_interval_group *of, int64_t busy, int64_t lost)
{
	struct term spread = {
		.kind = TERM_SPREAD, .step = of->g_step, .n = {terms->volume->sum, of->g}, .up = of->rest > 0, .parts = terms->volume};
	struct term work = {.kind = TERM_WORK, .amount = of->gaps_only ? 0 : terms->work->sum, .parts = terms->work};
	struct term gaps = {.kind = of->by_share ? TERM_TURNS_BY_SHARE : TERM_TURNS,
		.amount = lost,
		.each = of->gap,
		.n = {busy, of->slice, terms->turns->sum},
		.step = of->slice_step,
		.second = of->gap_step,
		.up = of->round_up};
	spread.amount = checked_sub(busy, terms->work->sum);
	terms_add(terms->all, spread);
	terms_add(terms->all, work);
	if (of->slice != NONE && terms->serial->kernel_gap == NULL) /* else they are taken apart */
		terms_add(terms->all, gaps);
}

/* ---- the equation */

struct group_sums {
	int64_t cost, work, volume, kernels;
};

static struct group_sums group_sums(const struct busy_interval *serial, int group, int64_t delta, const struct group_terms *terms)
{
	struct group_sums sums = {0};
	for (int i = 0; i < serial->item_count; i++) {
		const struct busy_interval_item *item = &serial->items[i];
		if (item->group != group)
			continue;
		int64_t count = count_of(item, delta);
		sums.cost = checked_add(sums.cost, checked_mul(count, item->cost));
		sums.volume = checked_add(sums.volume, checked_mul(count, item->volume));
		sums.work = checked_add(sums.work, checked_mul(count, item->work));
		sums.kernels = checked_add(sums.kernels, checked_mul(count, item->kernels));
		if (terms != NULL)
			add_item_terms(terms, item, count, delta);
	}
	return sums;
}

static int64_t group_busy(const struct busy_interval_group *of, const struct group_sums *sums)
{
	return checked_add(checked_div_floor(checked_add(sums->volume, of->rest), of->g), sums->work);
}

static int64_t group_turns(const struct busy_interval_group *of, const struct group_sums *sums)
{
	int64_t busy = group_busy(of, sums);
	return checked_add(of->round_up ? checked_div_ceil(busy, of->slice) : checked_div_floor(busy, of->slice), sums->kernels);
}

/* What the group's turns lose. */
static int64_t group_lost(const struct busy_interval_group *of, const struct group_sums *sums)
{
	if (!of->by_share)
		return checked_mul(group_turns(of, sums), of->gap);
	return checked_add(checked_mul_div_ceil(group_busy(of, sums), of->gap, of->slice), checked_mul(sums->kernels, of->gap));
}

/* What the items of a group cost by themselves, and the time of their engine. */
static int64_t group_time(const struct busy_interval *serial, int group, int64_t delta, struct terms *terms)
{
	const struct busy_interval_group *of = &serial->groups[group];
	struct group_terms lists = {0};
	if (terms != NULL)
		lists = group_terms(serial, terms);
	struct group_sums sums = group_sums(serial, group, delta, terms != NULL ? &lists : NULL);
	int64_t busy = group_busy(of, &sums), sum = of->gaps_only ? sums.cost : checked_add(sums.cost, busy);
	int64_t lost = of->slice == NONE ? 0 : group_lost(of, &sums);
	if (terms != NULL)
		add_group_terms(&lists, of, busy, lost);
	return checked_add(sum, lost);
}

/* ---- the gaps between slices: how many, then what others have in them */

struct lost_terms {
	const struct busy_interval *serial;
	int64_t delta;
	bool copies;
};

TERMS_APART static void add_job_gaps(const struct lost_terms *lost, const struct busy_interval_item *item, struct terms *terms)
{
	struct term job = {.of = item->task,
		.count = count_of(item, lost->delta),
		.arrivals = item->arrivals,
		.window = counted_in(item, lost->delta),
		.early = item->lookback};
	terms_add_each(terms, job, TERM_JOB_GAPS, lost->copies ? item->lost.copies : item->lost.kernels);
}

/* Those of the blocks of VOL-P. */
TERMS_APART static void add_group_gaps(const struct lost_terms *lost, int group, struct terms *terms)
{
	const struct busy_interval_group *of = &lost->serial->groups[group];
	const struct group_sums sums = group_sums(lost->serial, group, lost->delta, NULL);
	if (of->slice == NONE)
		return;
	struct term gaps = {.kind = TERM_SPREAD_GAPS, .step = of->slice_step, .up = of->round_up};
	gaps.n[0] = group_busy(of, &sums);
	gaps.n[1] = of->slice;
	gaps.n[2] = sums.kernels;
	gaps.amount = group_turns(of, &sums);
	terms_add(terms, gaps);
}

TERMS_APART static int64_t count_gaps(const struct lost_terms *lost, struct terms *terms)
{
	const struct busy_interval *serial = lost->serial;
	const struct gaps_lost *stop = &serial->stop_lost;
	for (int i = 0; i < serial->item_count; i++)
		add_job_gaps(lost, &serial->items[i], terms);
	for (int i = 0; i < serial->group_count && !lost->copies; i++)
		add_group_gaps(lost, i, terms);
	if (serial->stop_length != NONE)
		terms_add_each(terms, (struct term){.count = stops_in(serial, lost->delta)}, TERM_STOP_GAPS,
			lost->copies ? stop->copies : stop->kernels);
	return terms->sum;
}

TERMS_APART static void add_gaps(const struct lost_terms *lost, struct terms *terms)
{
	const struct gap *gap = lost->copies ? lost->serial->copy_gap : lost->serial->kernel_gap;
	if (gap == NULL)
		return;
	struct terms *gaps = terms_list(terms, (struct term){.kind = TERM_INTERVAL_GAPS, .amount = NONE, .copies = lost->copies});
	struct term each = {.count = count_gaps(lost, gaps), .copies = lost->copies};
	for (int i = 0; i < gap->count; i++) {
		const struct gap_turn *turn = &gap->turns[i];
		struct term turns = {.of = turn->context, .count = each.count, .copies = turn->copies};
		terms_add_each(terms, turns, TERM_GAP_TURNS, turn->length);
	}
	terms_add_each(terms, each, TERM_GAP_SWITCHES, gap->switches);
	terms_add_each(terms, each, TERM_GAP_DRAINS, gap->drain);
}

TERMS_APART static void add_stops(const struct busy_interval *serial, int64_t count, int64_t delta, struct terms *terms)
{
	int64_t lost = lost_time(serial, &serial->stop_lost);
	const struct term stops = {.count = count,
		.n = {delta, serial->stop_distance, serial->stop_length, lost},
		.step = serial->stop_distance_step,
		.second = serial->stop_length_step};
	terms_add_each(terms, stops, lost == 0 ? TERM_INTERVAL_STOPS : TERM_INTERVAL_OWN_STOPS, checked_sub(serial->stop_length, lost));
}

static int64_t stop_time(const struct busy_interval *serial, int64_t delta, struct terms *terms)
{
	if (serial->stop_length == NONE)
		return 0;
	int64_t count = stops_in(serial, delta);
	if (terms != NULL)
		add_stops(serial, count, delta, terms);
	return checked_mul(count, serial->stop_length);
}

TERMS_APART static void add_end(const struct busy_interval *serial, int64_t delta, struct terms *terms)
{
	add_gaps(&(struct lost_terms){serial, delta, false}, terms);
	add_gaps(&(struct lost_terms){serial, delta, true}, terms);
	terms_add(terms, (struct term){.kind = TERM_ALL});
}

int64_t busy_interval_evaluate(const struct busy_interval *serial, int64_t delta, struct terms *terms)
{
	int64_t sum = 0;
	for (int i = 0; i < serial->group_count; i++)
		sum = checked_add(sum, group_time(serial, i, delta, terms));
	if (terms != NULL)
		add_end(serial, delta, terms);
	return checked_add(sum, stop_time(serial, delta, terms));
}

/* One job of the segment, none of the others of its task; what parts of an interval have, rounded up, is no less than what the whole has.
 * Where the whole counts full slices a part has their share of a gap. */
static void set_part(struct busy_interval *serial, int task, int segment)
{
	for (int i = 0; i < serial->item_count; i++)
		if (serial->items[i].task == task)
			serial->items[i].only = serial->items[i].segment == segment ? 1 : 0;
	for (int i = 0; i < serial->group_count; i++) {
		struct busy_interval_group *group = &serial->groups[i];
		group->whole_rest = group->rest;
		group->rest = group->g - 1;
		group->by_share = !group->round_up && !planted(PLANT_SHARE);
	}
}

static void set_whole(struct busy_interval *serial, int task)
{
	for (int i = 0; i < serial->item_count; i++)
		if (serial->items[i].task == task)
			serial->items[i].only = NONE;
	for (int i = 0; i < serial->group_count; i++) {
		serial->groups[i].rest = serial->groups[i].whole_rest;
		serial->groups[i].by_share = false;
	}
}

int64_t busy_interval_part(struct busy_interval *serial, int task, int segment, int64_t delta, struct terms *terms)
{
	set_part(serial, task, segment);
	int64_t sum = busy_interval_evaluate(serial, delta, terms);
	set_whole(serial, task);
	return sum;
}

/* Long-run share of the time line of one item: its cost, its engine time and volume with the gaps that they bring. */
static void add_item_load(struct load *load, const struct busy_interval *serial, const struct busy_interval_item *item)
{
	const struct busy_interval_group *group = &serial->groups[item->group];
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

/* The same rounded up, in 2^-30, and by less than how many of these. */
struct share {
	int64_t most, doubt;
};

#define SHARES 3 /* of an item: cost, work, volume; cost, turns of the engine, turns of kernels */

/* What the engine's share, of two parts, is in doubt by is scaled as it is. */
static struct share item_share(const struct busy_interval *serial, const struct busy_interval_item *item)
{
	const struct busy_interval_group *group = &serial->groups[item->group];
	int64_t count, window;
	arrivals_rate(item->arrivals.model, &count, &window);
	int64_t engine = checked_add(load_share(item->work, count, window, 1), load_share(item->volume, count, window, group->g));
	int64_t share = load_share(item->cost, count, window, 1);
	if (group->slice == NONE)
		return (struct share){group->gaps_only ? share : checked_add(share, engine), SHARES};
	int64_t scale = checked_add(group->gaps_only ? 0 : group->slice, group->gap);
	engine = checked_mul_div_ceil(engine, scale, group->slice);
	share = checked_add(share, checked_add(engine, load_share(checked_mul(item->kernels, group->gap), count, window, 1)));
	return (struct share){share, checked_add(SHARES, checked_mul_div_ceil(2, scale, group->slice))};
}

static struct share all_shares(const struct busy_interval *serial)
{
	struct share sum = {serial->stop_length == NONE ? 0 : load_share(serial->stop_length, 1, serial->stop_distance, 1), 1};
	for (int i = 0; i < serial->item_count; i++) {
		struct share share = item_share(serial, &serial->items[i]);
		sum = (struct share){checked_add(sum.most, share.most), checked_add(sum.doubt, share.doubt)};
	}
	return sum;
}

/* Is every number of the problem there? Otherwise what has none. */
static const char *missing(struct arena *arena, const struct busy_interval *serial)
{
	for (int i = 0; i < serial->item_count; i++) {
		const struct busy_interval_item *item = &serial->items[i];
		if (item->lookback == NONE)
			return arena_format(arena,
				item->held > 0 ? "%s holds the GPU behind its operations, which have no bound"
					       : "%s uses the same copy engine and has no bound itself",
				item->name);
		if (item->cost == NONE || item->work == NONE || item->volume == NONE || item->arrivals.jitter == NONE ||
			checked_mul(item->kernels, serial->groups[item->group].gap) == NONE)
			return arena_format(arena, "a number of %s does not fit 64 bits", item->name);
	}
	return NULL;
}

/* The item with the greatest load; its own load in *text. */
static const char *heaviest(struct arena *arena, const struct busy_interval *serial, const char **text)
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

/* The same by shares where they decide it: surely one or more, one item surely above all others, and no decimal in doubt. NULL: they do
 * not. */
static const char *clear_overload(struct arena *arena, const struct busy_interval *serial, const struct share *sum)
{
	struct share greatest = {0, 0};
	int64_t second = 0;
	const char *name = NULL;
	for (int i = 0; i < serial->item_count; i++) {
		struct share share = item_share(serial, &serial->items[i]);
		second = checked_max(second, checked_min(share.most, greatest.most));
		if (share.most > greatest.most) {
			greatest = share;
			name = serial->items[i].name;
		}
	}
	if (sum->most == NONE || checked_sub(sum->most, sum->doubt) < LOAD_ONE || second > checked_sub(greatest.most, greatest.doubt))
		return NULL;
	const char *all = load_share_text(sum->most, sum->doubt, arena), *most = load_share_text(greatest.most, greatest.doubt, arena);
	return all == NULL || most == NULL ? NULL : explain_overload(arena, all, name, most);
}

static const char *overload(struct arena *arena, const struct busy_interval *serial)
{
	struct load load;
	const char *reason = NULL, *most;
	const struct share sum = all_shares(serial);
	if (sum.most < LOAD_ONE)
		return NULL;
	reason = clear_overload(arena, serial, &sum);
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

struct busy_interval_result busy_interval_solve(struct arena *arena, const struct busy_interval *serial, int64_t from)
{
	struct busy_interval_result result = {NONE, NULL};
	result.reason = missing(arena, serial);
	if (result.reason == NULL)
		result.reason = overload(arena, serial);
	if (result.reason != NULL)
		return result;
	int64_t delta = from < 1 ? 1 : from;
	for (int i = 0; i < SERIAL_ITERATIONS && delta != NONE; i++) {
		int64_t next = checked_max(busy_interval_evaluate(serial, delta, NULL), delta);
		if (next == delta) {
			result.value = delta;
			return result;
		}
		delta = next;
	}
	result.reason = delta == NONE ? "the busy interval does not fit 64 bits"
				      : "the busy interval did not converge within the limit of iterations";
	return result;
}

int busy_interval_derive(struct derivation *derivation, const struct busy_interval *serial, int rule, const char *about, int64_t value)
{
	int step = derivation_integer(derivation, rule, about, value);
	for (int i = 0; i < serial->group_count; i++) {
		const struct busy_interval_group *group = &serial->groups[i];
		derivation_input(derivation, "g", group->g_step);
		derivation_input(derivation, "L", group->slice_step);
		derivation_input(derivation, "G", group->gap_step);
		for (int j = 0; j < serial->item_count; j++) {
			const struct busy_interval_item *item = &serial->items[j];
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
