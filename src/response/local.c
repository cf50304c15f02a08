#include "response/local.h"

#include "base/plant.h"
#include "response/level.h"
#include "response/load.h"
#include "response/siblings.h"

#define ITERATIONS 100000
#define CANDIDATES 4096     /* arrivals at which a busy window may begin; beyond, the other bounds stand alone */
#define LEVEL_CANDIDATES 64 /* the same where higher levels come between: a fixed point for each */
#define LEVEL_CLASSES 64    /* of operations up to which that is tried */

static bool is_kernel_of(const struct class *class, int level)
{
	return class->place == PLACE_EXECUTION && class->level == level;
}

static bool is_above(const struct class *class, int level)
{
	return class->place == PLACE_EXECUTION && class->level < level;
}

void local_begin_round(struct local *local, const struct classes *classes, const struct local_rules *rules)
{
	*local = (struct local){.classes = classes, .rules = rules};
	for (int i = 0; i < CLASS_LEVELS; i++)
		local->window_of_level[i] = -1;
	for (int i = 0; i < CLASS_ENGINES; i++)
		local->window_of_engine[i] = -1;
}

static bool has_higher(const struct local *local, int level)
{
	return local->classes->highest_level < level;
}

static int kernels_above(const struct classes *classes, int level, struct customer *customers)
{
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (is_above(&classes->items[i], level))
			customers[count++] = (struct customer){&classes->items[i].arrivals, classes->items[i].high};
	return count;
}

static bool higher_outgrow(const struct local *local, int level)
{
	struct customer above[LEVEL_CLASSES];
	return local->classes->count <= LEVEL_CLASSES && level_outgrows(above, kernels_above(local->classes, level, above));
}

/* ---- SER-OPS (6.3): at most one operation of each other stream is in the engine when this one arrives; [WHO-WAS-THERE] */

/* Of a stream of a higher level: the kernel that is at the engine at the beginning of a window, and those that come until its end. */
static int64_t above(const struct classes *classes, int stream, int64_t window)
{
	int64_t there = 0, come = 0;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		const struct class *class = &classes->items[classes->of_stream[stream][i]];
		int64_t arrivals = arrivals_in_closed(&class->arrivals, window, 1);
		there = checked_add(there, checked_mul(class_there_of(class, window, arrivals), class->high));
		come = checked_add(come, checked_mul(arrivals, class->high));
	}
	return checked_min(there, checked_add(come, classes->sums[stream].dearest_high));
}

static bool has_siblings(const struct classes *classes, const struct class *own)
{
	return classes->siblings[classes->chains[own->chain].segment].before != NULL;
}

/* Of a stream the dearest that may be at the engine together with a sibling of its operations. */
static int64_t dearest_met(const struct classes *classes, int stream, const struct class *own)
{
	for (int i = 0; i < classes->of_stream_count[stream]; i++)
		if (siblings_meet(classes, own, &classes->items[classes->of_stream[stream][i]]))
			return classes->items[classes->of_stream[stream][i]].makespan;
	return 0;
}

/* Of the streams of the own level. */
static int64_t beside(const struct classes *classes, const struct class *own)
{
	int64_t sum = 0;
	if (!has_siblings(classes, own))
		return classes->sums[own->stream].kernel_beside;
	for (int s = 0; s < classes->stream_count; s++)
		if (s != own->stream && classes_level(classes, s) == own->level)
			sum = checked_add(sum, dearest_met(classes, s, own));
	return sum;
}

/* Of the streams of higher levels. */
static int64_t all_above(const struct local *local, const struct class *own, int64_t window)
{
	const struct classes *classes = local->classes;
	int64_t sum = 0;
	for (int s = 0; has_higher(local, own->level) && s < classes->stream_count; s++)
		if (s != own->stream && classes_level(classes, s) < own->level)
			sum = checked_add(sum, above(classes, s, window));
	return sum;
}

static int64_t ser_ops(const struct local *local, const struct class *own)
{
	int64_t base = checked_add(local->classes->lower_block[own->level], checked_sub(own->makespan, class_last(own)));
	int64_t theta = 0;
	base = checked_add(base, beside(local->classes, own));
	for (int i = 0; i < ITERATIONS && theta <= local->rules->horizon; i++) {
		if (i == LEVEL_PATIENCE && higher_outgrow(local, own->level))
			return NONE;
		int64_t ahead = checked_add(base, all_above(local, own, theta));
		int64_t next = supply_begin_step(local->rules->kernels, ahead, theta);
		if (next <= theta)
			return supply_end(local->rules->kernels, ENGINE_NONE, checked_add(ahead, class_last(own)), local->rules->horizon);
		theta = next;
	}
	return NONE;
}

/* ---- busy windows (6.4), (7.2), (8.1) */

#define CUSTOMERS 1024

static struct level served(const struct customer *customers, int count, int64_t blocking, int64_t horizon)
{
	return (struct level){.ahead = customers,
		.ahead_count = count,
		.blocking = blocking,
		.tick = 1,
		.horizon = horizon,
		.candidates = CANDIDATES,
		.engine = ENGINE_NONE};
}

/* NULL where the server is there always, which is answered faster. */
static const struct supply *needed(const struct supply *supply)
{
	return supply_is_whole(supply) ? NULL : supply;
}

static int kernels_of_level(const struct classes *classes, int level, struct customer *customers)
{
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (is_kernel_of(&classes->items[i], level) && count < CUSTOMERS)
			customers[count++] = (struct customer){&classes->items[i].arrivals, classes->items[i].makespan};
	return count;
}

/* (6.4) at the top level: the same for all kernels of the level. */
static int64_t top_window(struct local *local, const struct class *own)
{
	struct customer customers[CUSTOMERS];
	int64_t *known = &local->window_of_level[own->level];
	if (*known < 0) {
		int count = kernels_of_level(local->classes, own->level, customers);
		struct level level = served(customers, count, local->classes->lower_block[own->level], local->rules->horizon);
		level.supply = needed(local->rules->kernels);
		*known = count == CUSTOMERS ? NONE : level_response(&level);
	}
	return *known;
}

/* (6.4) below the top level: what arrives above until the last dispatch goes first. */
static int64_t ser_window(struct local *local, const struct class *own)
{
	struct customer ahead[LEVEL_CLASSES], above[LEVEL_CLASSES];
	if (!has_higher(local, own->level))
		return top_window(local, own);
	if (local->classes->count > LEVEL_CLASSES)
		return NONE;
	struct level level = served(
		ahead, kernels_of_level(local->classes, own->level, ahead), local->classes->lower_block[own->level], local->rules->horizon);
	level.until = above;
	level.until_count = kernels_above(local->classes, own->level, above);
	level.last = class_last(own);
	level.candidates = LEVEL_CANDIDATES;
	level.supply = needed(local->rules->kernels);
	return level_response(&level);
}

/* ---- COV-OPS (6.6) */

static int64_t cover(const struct local *local, const struct class *own, int64_t enough)
{
	return local->rules->cover == NULL ? NONE : cover_response(local->rules->cover, own, enough);
}

/* Is a kernel of a higher level there of which nobody knows how often it comes? Then none of the three ends. */
static bool is_flooded(const struct local *local, int level)
{
	for (int i = 0; i < local->classes->count && has_higher(local, level); i++)
		if (is_above(&local->classes->items[i], level) && local->classes->items[i].arrivals.jitter == NONE)
			return true;
	return false;
}

int64_t local_kernel(struct local *local, const struct class *class)
{
	if (local->rules->passing)
		return cover(local, class, NONE);
	if (is_flooded(local, class->level))
		return NONE;
	int64_t serial = checked_min(ser_ops(local, class), ser_window(local, class));
	return checked_min(serial, cover(local, class, serial));
}

/* ---- copies (7) */

static int copies_of_engine(const struct classes *classes, int engine, struct customer *customers)
{
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == PLACE_COPY && classes->items[i].engine == engine && count < CUSTOMERS)
			customers[count++] = (struct customer){&classes->items[i].arrivals, classes->items[i].block};
	return count;
}

/* Of each stream's copies, the dearest first, the first on that engine. */
static int64_t one_copy_a_stream(const struct local *local, const struct class *own)
{
	const struct classes *classes = local->classes;
	int64_t sum = own->block;
	if (!has_siblings(classes, own))
		return checked_add(sum, classes->sums[own->stream].copy_beside[classes_engine(classes, own->engine)]);
	for (int s = 0; s < classes->stream_count; s++) {
		int i = s == own->stream ? classes->copies_count[s] : 0;
		while (i < classes->copies_count[s] && (classes->items[classes->copies[s][i]].engine != own->engine ||
							      !siblings_meet(classes, own, &classes->items[classes->copies[s][i]])))
			i++;
		if (i < classes->copies_count[s])
			sum = checked_add(sum, classes->items[classes->copies[s][i]].block);
	}
	return sum;
}

/* The same for all copies of the engine. */
static int64_t engine_window(struct local *local, int engine, int at)
{
	struct customer customers[CUSTOMERS];
	int64_t *known = &local->window_of_engine[at];
	if (*known < 0) {
		int count = copies_of_engine(local->classes, engine, customers);
		struct level level = served(customers, count, 0, local->rules->horizon);
		level.supply = needed(local->rules->copies);
		level.engine = engine;
		*known = count == CUSTOMERS ? NONE : local->rules->fifo_copies ? level_response(&level) : level_busy_window(&level);
	}
	return *known;
}

static int64_t copy_ops(const struct local *local, const struct class *class)
{
	return supply_end(local->rules->copies, class->engine, one_copy_a_stream(local, class), local->rules->horizon);
}

int64_t local_copy(struct local *local, const struct class *class)
{
	int64_t window = engine_window(local, class->engine, classes_engine(local->classes, class->engine));
	return local->rules->fifo_copies ? checked_min(window, copy_ops(local, class)) : window;
}

int64_t local_by(struct local *local, const struct class *class, enum local_kind kind)
{
	switch (kind) {
	case LOCAL_SER_OPS: return local->rules->passing ? NONE : ser_ops(local, class);
	case LOCAL_SER_BW: return local->rules->passing ? NONE : ser_window(local, class);
	case LOCAL_COV: return cover(local, class, NONE);
	case LOCAL_OPS: return local->rules->fifo_copies ? copy_ops(local, class) : NONE;
	default: return engine_window(local, class->engine, classes_engine(local->classes, class->engine));
	}
}

/* ---- the stream server */

/* Below one in the long run? At one or more nothing is said, even where a busy window happens to close. */
static bool has_capacity(const struct customer *customers, int count)
{
	struct load load;
	bool below = true;
	int64_t shares = 0, arrivals, window;
	for (int i = 0; i < count; i++) {
		arrivals_rate(customers[i].arrivals->model, &arrivals, &window);
		shares = checked_add(shares, load_share(customers[i].cost, arrivals, window, 1));
	}
	if (shares < LOAD_ONE)
		return true;
	load_init(&load);
	for (int i = 0; i < count && below; i++) {
		arrivals_rate(customers[i].arrivals->model, &arrivals, &window);
		below = customers[i].cost != NONE;
		if (below)
			load_add(&load, customers[i].cost, arrivals, window, 1);
	}
	below = below && load_below_one(&load);
	load_finish(&load);
	return below;
}

/* What a job adds to the stream's work if it begins with an operation that was held back by an event. */
static int64_t excess(const struct classes *classes, const struct chain_of_classes *chain)
{
	int64_t most = chain->completion[chain->count];
	for (int i = 0; i < chain->hold_count && !planted(PLANT_HELD); i++)
		most = checked_max(most, checked_add(local_held(classes, chain, i), chain->holds[i].completion[chain->count]));
	return checked_sub(most, chain->completion[chain->count]);
}

/* The least distance to a job of the same chain behind. */
static int64_t next_job(const struct chain_of_classes *chain)
{
	return arrivals_in_closed(&chain->arrivals, 0, 1) > 1 ? 0 : arrivals_next(&chain->arrivals, 0);
}

static int64_t in_order(const struct level *level)
{
	int64_t by_arrival = level_response(level);
	return by_arrival != NONE ? by_arrival : level_busy_window(level);
}

int64_t local_held(const struct classes *classes, const struct chain_of_classes *chain, int hold)
{
	const struct class *wait = &classes->items[chain->first + chain->holds[hold].position];
	return planted(PLANT_EVENTS) ? 0 : classes->items[wait->record].reach;
}

int64_t local_stream_wait(const struct classes *classes, const struct chain_of_classes *own, int64_t horizon)
{
	struct customer customers[CUSTOMERS];
	int64_t foreign = 0, same = excess(classes, own);
	int count = 0;
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		if (chain->stream != own->stream || count == CUSTOMERS)
			continue;
		customers[count++] = (struct customer){&chain->arrivals, chain->completion[chain->count]};
		foreign = chain == own ? foreign : checked_max(foreign, excess(classes, chain));
	}
	if (count == CUSTOMERS || !has_capacity(customers, count))
		return NONE;
	struct level level = served(customers, count, foreign, horizon);
	int64_t response = in_order(&level);
	if (same > foreign) {
		level.blocking = same;
		level.from = next_job(own);
		response = checked_max(response, in_order(&level));
	}
	return checked_max(0, checked_sub(response, own->completion[own->count]));
}
