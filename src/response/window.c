#include "response/window.h"

#include "base/plant.h"
#include "response/aligned.h"

#define ITERATIONS 100000

enum weight { WEIGHT_MAKESPAN, WEIGHT_HIGH, WEIGHT_TOTAL, WEIGHT_COPY };

static int64_t weight_of(const struct class *class, enum weight weight)
{
	switch (weight) {
	case WEIGHT_MAKESPAN: return class->makespan;
	case WEIGHT_HIGH: return class->high;
	case WEIGHT_TOTAL: return class_total(class);
	default: return class->block;
	}
}

/* cnt: at most one is carried in, or those that arrived within its response before the window. */
int64_t window_count(const struct class *class, int64_t length)
{
	int64_t reached = arrivals_in(&class->arrivals, checked_add(length, class->response));
	return reached <= 1 ? reached : checked_min(checked_add(arrivals_in(&class->arrivals, length), 1), reached);
}

/* A window in which each class has one instance, whatever its length: up to the chain's `lone`. */
#define LONE ALIGNED_LONE

static int64_t come(const struct class *class, int64_t length)
{
	return length == LONE ? 1 : window_count(class, length);
}

static int64_t arrive(const struct class *class, int64_t length)
{
	return length == LONE ? 1 : arrivals_in(&class->arrivals, length);
}

/* The classes of one stream on one engine; engine ENGINE_NONE: the execution engine. */
struct group {
	const struct classes *classes;
	const int *items;
	int count;
	int engine;
};

static bool is_in(const struct group *group, int i)
{
	return group->engine == ENGINE_NONE || group->classes->items[group->items[i]].engine == group->engine;
}

/* all: every instance; at most one of the whole stream is carried in (A-ONE). */
static int64_t all(const struct group *group, enum weight weight, int64_t length)
{
	int64_t by_class = 0, by_stream = 0, dearest = 0;
	for (int i = 0; i < group->count; i++) {
		if (!is_in(group, i))
			continue;
		const struct class *class = &group->classes->items[group->items[i]];
		int64_t each = weight_of(class, weight);
		by_class = checked_add(by_class, checked_mul(come(class, length), each));
		by_stream = checked_add(by_stream, checked_mul(arrive(class, length), each));
		dearest = checked_max(dearest, each);
	}
	return checked_min(by_class, checked_add(by_stream, dearest));
}

/* top: the n dearest instances; the items are sorted by the weight. */
static int64_t top(const struct group *group, enum weight weight, int64_t length, int64_t n)
{
	int64_t sum = 0;
	n -= planted(PLANT_CHAIN);
	for (int i = 0; i < group->count && n > 0; i++) {
		if (!is_in(group, i))
			continue;
		const struct class *class = &group->classes->items[group->items[i]];
		int64_t count = checked_min(n, come(class, length));
		sum = checked_add(sum, checked_mul(count, weight_of(class, weight)));
		n -= count;
	}
	return sum;
}

struct run { /* of a chain's operations */
	const struct classes *classes;
	const struct window_rules *rules;
	const struct class *items;
	int count, stream, level;
	int64_t kernels, copies;                          /* how many */
	int64_t own, own_kernels, own_copies, own_volume; /* own: with o_dep */
};

static struct run survey(
	const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first, int last)
{
	struct run run = {classes, rules, &classes->items[chain->first + first], last - first + 1, chain->stream,
		classes->items[chain->first].level, 0, 0, 0, 0, 0, 0};
	for (int i = 0; i < run.count; i++) {
		const struct class *class = &run.items[i];
		run.own = checked_add(run.own, class->dependency);
		if (class->place == PLACE_COPY) {
			run.copies++;
			run.own_copies = checked_add(run.own_copies, class->block);
			run.own = checked_add(run.own, class->block);
		}
		if (class->place != PLACE_EXECUTION)
			continue;
		int64_t lower = run.kernels++ > 0 && planted(PLANT_ONCE) ? 0 : classes->lower_block[class->level];
		run.own_volume = checked_add(run.own_volume, class->volume);
		int64_t cost = rules->volume ? checked_add(class->dispatch, class->block) : checked_add(class->makespan, lower);
		run.own_kernels = checked_add(run.own_kernels, cost);
		run.own = checked_add(run.own, cost);
	}
	return run;
}

/* Foreign kernels: all block time shared by g SMs, with the dispatcher's time for each of them; or makespans. */
static int64_t foreign_volume(const struct run *run, int64_t length)
{
	int64_t volume = run->own_volume, dispatch = 0;
	for (int s = 0; s < run->classes->stream_count; s++) {
		if (s == run->stream)
			continue;
		struct group group = {run->classes, run->classes->by_volume[s], run->classes->of_stream_count[s], ENGINE_NONE};
		volume = checked_add(volume, all(&group, WEIGHT_TOTAL, length));
		for (int i = 0; i < group.count; i++) {
			const struct class *class = &run->classes->items[group.items[i]];
			dispatch = checked_add(dispatch, checked_mul(come(class, length), class->dispatch));
		}
	}
	return checked_add(checked_div_floor(volume, run->rules->g), dispatch);
}

/* Kernels of one stream: of a higher level all, of the same one at most one an own kernel. */
static int64_t makespans_of(const struct run *run, int stream, bool higher, int64_t length)
{
	struct group group = {run->classes, run->classes->of_stream[stream], run->classes->of_stream_count[stream], ENGINE_NONE};
	if (group.count == 0 || run->rules->volume || run->kernels == 0)
		return 0;
	int level = run->classes->items[group.items[0]].level;
	if (higher)
		return level < run->level ? all(&group, WEIGHT_HIGH, length) : 0;
	return level == run->level ? top(&group, WEIGHT_MAKESPAN, length, run->kernels) : 0;
}

static int64_t copies_on(const struct run *run, int engine)
{
	int64_t count = 0;
	for (int i = 0; i < run->count; i++)
		count += run->items[i].place == PLACE_COPY && run->items[i].engine == engine;
	return count;
}

static bool seen_before(const struct run *run, int index)
{
	for (int i = 0; i < index; i++)
		if (run->items[i].place == PLACE_COPY && run->items[i].engine == run->items[index].engine)
			return true;
	return false;
}

static int64_t copies_of(const struct run *run, int stream, int64_t length)
{
	int64_t sum = 0;
	for (int i = 0; i < run->count; i++) {
		if (run->items[i].place != PLACE_COPY || seen_before(run, i))
			continue;
		int engine = run->items[i].engine;
		struct group group = {run->classes, run->classes->copies[stream], run->classes->copies_count[stream], engine};
		sum = checked_add(sum, run->rules->fifo_copies ? top(&group, WEIGHT_COPY, length, copies_on(run, engine))
							       : all(&group, WEIGHT_COPY, length));
	}
	return sum;
}

/* One stream, but for volumes: what meets own operations, at most one each, counts by engine or in the stream's order. */
static int64_t charge(const struct run *run, int stream, int64_t length)
{
	const struct window_rules *rules = run->rules;
	struct aligned_run aligned = {run->classes, run->items, run->count, !rules->volume, rules->fifo_copies};
	int64_t always = makespans_of(run, stream, true, length), met = makespans_of(run, stream, false, length);
	int64_t copies = copies_of(run, stream, length);
	met = checked_add(met, rules->fifo_copies ? copies : 0);
	always = checked_add(always, rules->fifo_copies ? 0 : copies);
	if (rules->in_order && met > 0 && run->count > 1)
		met = checked_min(met, aligned_charge(&aligned, stream, length));
	return checked_add(always, met);
}

static int64_t foreign(const struct run *run, int64_t length)
{
	int64_t sum = run->rules->volume && run->kernels > 0 ? foreign_volume(run, length) : 0;
	for (int s = 0; s < run->classes->stream_count; s++)
		if (s != run->stream)
			sum = checked_add(sum, charge(run, s, length));
	return sum;
}

/* Copies of other contexts on the engines that the run uses. */
static int64_t shared_copies(const struct run *run, int64_t length)
{
	int64_t sum = 0;
	for (int i = 0; i < run->count; i++)
		if (run->items[i].place == PLACE_COPY && !seen_before(run, i))
			sum = checked_add(sum, supply_copied(&run->rules->copies, run->items[i].engine, length));
	return sum;
}

/* Time of the kernels, or copies, of this context while own ones are at their engine: no more than this is served then. */
static int64_t served(const struct run *run, bool of_copies, int64_t length)
{
	int64_t sum = of_copies ? run->own_copies : run->own_kernels;
	if (!of_copies && run->rules->volume)
		return checked_add(sum, foreign_volume(run, length));
	for (int s = 0; s < run->classes->stream_count; s++) {
		if (s == run->stream)
			continue;
		int64_t kernels = of_copies ? 0 : makespans_of(run, s, true, length);
		sum = checked_add(sum, of_copies ? copies_of(run, s, length) : checked_add(kernels, makespans_of(run, s, false, length)));
	}
	return sum;
}

/* ---- what is kept: the numbers of a run never change, and while nobody comes twice the charge does not depend on the window */

struct charges { /* of the others: what they cost, and what of it kernels and copies are served */
	int64_t delay, kernels, copies;
};

struct window_known {
	struct run run;
	bool surveyed, charged;
	struct charges lone; /* in windows up to the chain's `lone` */
	int64_t length;      /* of the last round: the fixed point only grows */
};

static bool takes_turns(const struct run *run)
{
	return run->rules->kernels.own != NULL || run->rules->copies.own != NULL;
}

static struct charges charges_in(const struct run *run, int64_t length)
{
	struct charges charges = {foreign(run, length), 0, 0};
	if (takes_turns(run) && run->kernels > 0)
		charges.kernels = served(run, false, length);
	if (takes_turns(run) && run->copies > 0)
		charges.copies = served(run, true, length);
	return charges;
}

/* Stops count once; where there are time slices they use up those of the kernels or those of the copies. */
static int64_t lost(const struct run *run, const struct charges *charges, int64_t length)
{
	const struct supply *kernels = &run->rules->kernels, *copies = &run->rules->copies;
	int64_t stopped = supply_stopped(kernels, length), sum = checked_add(stopped, shared_copies(run, length));
	if (!takes_turns(run))
		return sum;
	const struct supply_use uses[SUPPLY_USES] = {{kernels, charges->kernels, run->kernels}, {copies, charges->copies, run->copies}};
	return checked_add(sum, supply_lost(uses, SUPPLY_USES, stopped, length));
}

struct window_known *window_known_create(struct arena *arena, int count)
{
	return arena_allocate(arena, (size_t)(count * (count + 1) / 2), sizeof(struct window_known));
}

int64_t window_lone(const struct classes *classes, int stream)
{
	int64_t lone = NONE - 1;
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		int64_t reach = arrivals_lone(chain->arrivals.model), before = 0;
		for (int j = 0; j < chain->count && chain->stream != stream; j++) {
			const struct class *class = &classes->items[chain->first + j];
			int64_t early = checked_add(checked_add(class->arrivals.jitter, class->response), before);
			lone = early == NONE ? 0 : checked_min(lone, checked_sub(reach, early));
			before = checked_add(before, class->least);
		}
	}
	return lone;
}

static struct charges known_charges(struct window_known *known, int64_t lone, int64_t length)
{
	if (length > lone)
		return charges_in(&known->run, length);
	if (!known->charged)
		known->lone = charges_in(&known->run, LONE);
	known->charged = true;
	return known->lone;
}

int64_t window_time(
	const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first, int last)
{
	struct window_known fresh = {.surveyed = false}, *known = &fresh;
	if (chain->known != NULL)
		known = &chain->known[last * (last + 1) / 2 + first];
	if (!known->surveyed)
		known->run = survey(classes, rules, chain, first, last);
	known->surveyed = true;
	int64_t length = checked_max(1, known->length);
	for (int i = 0; i < ITERATIONS; i++) {
		struct charges charges = known_charges(known, chain->lone, length);
		int64_t next = checked_add(checked_add(known->run.own, charges.delay), lost(&known->run, &charges, length));
		if (next > rules->horizon)
			return NONE;
		if (next <= length)
			return known->length = length;
		length = next;
	}
	return NONE;
}
