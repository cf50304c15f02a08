#include "response/local_bounds.h"

#include "base/plant.h"
#include "model/limits.h"
#include "response/nonpreemptive_server.h"
#include "response/load.h"
#include "response/siblings.h"

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

/* Whose work it is, with the parts of what it costs lower levels. */
static struct term name_of(const struct class *class, enum term_kind kind)
{
	return (struct term){
		.kind = kind, .of = class->operation, .n = {class->makespan, checked_sub(class->high, class->makespan), class->high}};
}

static bool higher_outgrow(const struct local *local, int level)
{
	struct customer above[LIMIT_LEVEL_CLASSES];
	return local->classes->count <= LIMIT_LEVEL_CLASSES && nonpreemptive_outgrows(above, kernels_above(local->classes, level, above));
}

/* ---- SER-OPS (6.3): at most one operation of each other stream is in the engine when this one arrives; [WHO-WAS-THERE] */

TERMS_APART static void add_one(const struct class *class, enum term_kind kind, int64_t amount, struct terms *terms)
{
	terms_add(terms, (struct term){.kind = kind, .of = class->operation, .amount = amount});
}

/* Those that were there or come; or those that come, and the dearest, which was there. */
TERMS_APART static void add_above(const struct classes *classes, int stream, int64_t window, bool since, struct terms *terms)
{
	const struct class *dearest = NULL;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		const struct class *class = &classes->items[classes->of_stream[stream][i]];
		struct term term = name_of(class, since ? TERM_HIGHER_THERE : TERM_HIGHER);
		term.count = since ? class_there(class, window) : arrivals_in_closed(&class->arrivals, window, 1);
		term.arrivals = class->arrivals;
		term.window = window;
		term.early = since ? class->response : 1;
		terms_add_each(terms, term, term.kind, class->high);
		dearest = dearest == NULL || class->high > dearest->high ? class : dearest;
	}
	struct term was_there = name_of(dearest, TERM_HIGHER_DEAREST);
	was_there.amount = since ? 0 : dearest->high;
	terms_add(terms, was_there);
}

/* Of a stream of a higher level: the kernel that is at the engine at the beginning of a window, and those that come until its end. */
static inline int64_t above(const struct classes *classes, int stream, int64_t window, struct terms *terms)
{
	int64_t there = 0, come = 0;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		const struct class *class = &classes->items[classes->of_stream[stream][i]];
		int64_t arrivals = arrivals_in_closed(&class->arrivals, window, 1);
		there = checked_add(there, checked_mul(class_there_of(class, window, arrivals), class->high));
		come = checked_add(come, checked_mul(arrivals, class->high));
	}
	come = checked_add(come, classes->sums[stream].dearest_high);
	if (terms != NULL)
		add_above(classes, stream, window, there <= come, terms);
	return checked_min(there, come);
}

static bool has_siblings(const struct classes *classes, const struct class *own)
{
	return classes->siblings[classes->chains[own->chain].place].apart;
}

/* Of a stream the dearest that may be at the engine together with a sibling of its operations. NULL: there is none. */
static const struct class *dearest_met(const struct classes *classes, int stream, const struct class *own)
{
	for (int i = 0; i < classes->of_stream_count[stream]; i++)
		if (siblings_meet(classes, own, &classes->items[classes->of_stream[stream][i]]))
			return &classes->items[classes->of_stream[stream][i]];
	return NULL;
}

/* Of the streams of the own level. */
static inline int64_t beside(const struct classes *classes, const struct class *own, struct terms *terms)
{
	int64_t sum = 0;
	if (terms == NULL && !has_siblings(classes, own))
		return classes->sums[own->stream].kernel_beside;
	for (int s = 0; s < classes->stream_count; s++) {
		bool meets = s != own->stream && classes_level(classes, s) == own->level;
		const struct class *dearest = meets ? dearest_met(classes, s, own) : NULL;
		if (dearest == NULL)
			continue;
		sum = checked_add(sum, dearest->makespan);
		if (terms != NULL)
			add_one(dearest, TERM_AHEAD, dearest->makespan, terms);
	}
	return sum;
}

/* Of the streams of higher levels. */
static inline int64_t all_above(const struct local *local, const struct class *own, int64_t window, struct terms *terms)
{
	const struct classes *classes = local->classes;
	int64_t sum = 0;
	for (int s = 0; has_higher(local, own->level) && s < classes->stream_count; s++)
		if (s != own->stream && classes_level(classes, s) < own->level)
			sum = checked_add(sum, above(classes, s, window, terms));
	return sum;
}

static void add_kernel(const struct classes *classes, const struct class *own, struct terms *terms)
{
	add_one(own, TERM_OWN_KERNEL, own->makespan, terms);
	terms_add(terms, classes_lower(classes, own->level));
}

/* theta: up to which higher levels count. */
TERMS_APART static void ser_ops_terms(const struct local *local, const struct class *own, int64_t theta, struct terms *terms)
{
	add_kernel(local->classes, own, terms);
	beside(local->classes, own, terms);
	if (all_above(local, own, theta, NULL) > 0)
		terms_add(terms, (struct term){.kind = TERM_HIGHER_UNTIL, .n = {theta}});
	all_above(local, own, theta, terms);
}

static inline int64_t ser_ops(const struct local *local, const struct class *own, struct terms *terms)
{
	int64_t base = checked_add(local->classes->lower_block[own->level], checked_sub(own->makespan, class_last(own)));
	int64_t theta = 0;
	base = checked_add(base, beside(local->classes, own, NULL));
	for (int i = 0; i < LIMIT_ITERATIONS && theta <= local->rules->horizon; i++) {
		if (i == LEVEL_PATIENCE && higher_outgrow(local, own->level))
			return NONE;
		int64_t ahead = checked_add(base, all_above(local, own, theta, NULL));
		int64_t next = supply_begin_step(local->rules->kernels, ahead, theta);
		if (next <= theta) {
			if (terms != NULL)
				ser_ops_terms(local, own, theta, terms);
			return supply_end(local->rules->kernels, ENGINE_NONE, checked_add(ahead, class_last(own)), local->rules->horizon);
		}
		theta = next;
	}
	return NONE;
}

/* Without higher levels and siblings nothing of it depends on when others come. */
static int64_t ser_ops_once(const struct local *local, const struct class *own)
{
	const struct classes *classes = local->classes;
	if (local->rules->serial == NULL || has_higher(local, own->level) || has_siblings(classes, own))
		return ser_ops(local, own, NULL);
	int64_t *known = &local->rules->serial[own - classes->items];
	if (*known == 0)
		*known = ser_ops(local, own, NULL);
	return *known;
}

/* ---- busy windows (6.4), (7.2), (8.1) */

#define CUSTOMERS 1024

static struct nonpreemptive served(const struct customer *customers, int count, int64_t blocking, int64_t horizon)
{
	return (struct nonpreemptive){.ahead = customers,
		.ahead_count = count,
		.blocking = blocking,
		.tick = 1,
		.horizon = horizon,
		.candidates = LIMIT_CANDIDATES,
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
		struct nonpreemptive level = served(customers, count, local->classes->lower_block[own->level], local->rules->horizon);
		level.supply = needed(local->rules->kernels);
		*known = count == CUSTOMERS ? NONE : nonpreemptive_response(&level);
	}
	return *known;
}

/* (6.4) below the top level: what arrives above until the last dispatch goes first. Room for both. */
static inline struct nonpreemptive level_of(struct local *local, const struct class *own, struct customer *ahead, struct customer *above)
{
	struct nonpreemptive level = served(
		ahead, kernels_of_level(local->classes, own->level, ahead), local->classes->lower_block[own->level], local->rules->horizon);
	level.until = above;
	level.until_count = kernels_above(local->classes, own->level, above);
	level.last = level.until_count > 0 ? class_last(own) : 0;
	level.candidates = LIMIT_LEVEL_CANDIDATES;
	level.supply = needed(local->rules->kernels);
	return level;
}

static int64_t ser_window(struct local *local, const struct class *own)
{
	struct customer ahead[LIMIT_LEVEL_CLASSES], above[LIMIT_LEVEL_CLASSES];
	if (!has_higher(local, own->level))
		return top_window(local, own);
	if (local->classes->count > LIMIT_LEVEL_CLASSES)
		return NONE;
	struct nonpreemptive level = level_of(local, own, ahead, above);
	return nonpreemptive_response(&level);
}

static void ser_window_terms(struct local *local, const struct class *own, int64_t response, struct terms *terms)
{
	const struct classes *classes = local->classes;
	struct customer *ahead = arena_allocate(terms->arena, CUSTOMERS, sizeof *ahead),
			*above = arena_allocate(terms->arena, (size_t)classes->count + 1, sizeof *above);
	struct term *names = arena_allocate(terms->arena, (size_t)classes->count + 1, sizeof *names),
		    lower = classes_lower(classes, own->level);
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (is_kernel_of(&classes->items[i], own->level))
			names[count++] = name_of(&classes->items[i], TERM_LEVEL_KERNEL);
	for (int i = 0; i < classes->count; i++)
		if (is_above(&classes->items[i], own->level))
			names[count++] = name_of(&classes->items[i], TERM_LEVEL_HIGHER);
	struct nonpreemptive level = level_of(local, own, ahead, above);
	nonpreemptive_terms(&level, names, &lower, response, terms);
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
	if (local->rules->parted)
		return NONE;
	if (local->rules->passing)
		return cover(local, class, NONE);
	if (is_flooded(local, class->level))
		return NONE;
	int64_t serial = ser_ops_once(local, class);
	if (serial == NONE || has_higher(local, class->level)) /* else SER-BW is no less: [SER-BW] */
		serial = checked_min(serial, ser_window(local, class));
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

/* The dearest copy of a stream on the engine that may be there together with a sibling of its operations. NULL: there is none. */
static const struct class *copy_met(const struct classes *classes, int stream, const struct class *own)
{
	for (int i = 0; i < classes->copies_count[stream]; i++) {
		const struct class *class = &classes->items[classes->copies[stream][i]];
		if (class->engine == own->engine && siblings_meet(classes, own, class))
			return class;
	}
	return NULL;
}

/* Of each stream's copies, the dearest first, the first on that engine. */
static inline int64_t one_copy_a_stream(const struct local *local, const struct class *own, struct terms *terms)
{
	const struct classes *classes = local->classes;
	int64_t sum = own->block;
	if (terms == NULL && !has_siblings(classes, own))
		return checked_add(sum, classes->sums[own->stream].copy_beside[classes_engine(classes, own->engine)]);
	if (terms != NULL)
		add_one(own, TERM_OWN_COPY, own->block, terms);
	for (int s = 0; s < classes->stream_count; s++) {
		const struct class *met = s == own->stream ? NULL : copy_met(classes, s, own);
		if (met == NULL)
			continue;
		sum = checked_add(sum, met->block);
		if (terms != NULL)
			add_one(met, TERM_COPY_AHEAD, met->block, terms);
	}
	return sum;
}

static inline struct nonpreemptive copies_at(const struct local *local, int engine, struct customer *customers)
{
	struct nonpreemptive level = served(customers, copies_of_engine(local->classes, engine, customers), 0, local->rules->horizon);
	level.supply = needed(local->rules->copies);
	level.engine = engine;
	return level;
}

/* The same for all copies of the engine. */
static int64_t engine_window(struct local *local, int engine, int at)
{
	struct customer customers[CUSTOMERS];
	int64_t *known = &local->window_of_engine[at];
	if (*known < 0) {
		struct nonpreemptive level = copies_at(local, engine, customers);
		bool many = level.ahead_count == CUSTOMERS;
		*known = many ? NONE : local->rules->fifo_copies ? nonpreemptive_response(&level) : nonpreemptive_busy_window(&level);
	}
	return *known;
}

static void engine_window_terms(const struct local *local, int engine, int64_t response, struct terms *terms)
{
	const struct classes *classes = local->classes;
	struct customer *customers = arena_allocate(terms->arena, CUSTOMERS, sizeof *customers);
	struct term *names = arena_allocate(terms->arena, (size_t)classes->count + 1, sizeof *names), none = {.kind = TERM_LOWER};
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == PLACE_COPY && classes->items[i].engine == engine)
			names[count++] = name_of(&classes->items[i], TERM_ENGINE_COPY);
	struct nonpreemptive level = copies_at(local, engine, customers);
	nonpreemptive_terms(&level, names, &none, response, terms);
}

static int64_t copy_ops(const struct local *local, const struct class *class)
{
	return supply_end(local->rules->copies, class->engine, one_copy_a_stream(local, class, NULL), local->rules->horizon);
}

int64_t local_copy(struct local *local, const struct class *class)
{
	int64_t ops = local->rules->fifo_copies ? copy_ops(local, class) : NONE; /* (7.2) in order is no less: [COPY-OPS] */
	return ops == NONE ? engine_window(local, class->engine, classes_engine(local->classes, class->engine)) : ops;
}

/* ---- terms */

const char *const local_names[LOCAL_KINDS] = {"SER-OPS", "SER-BW", "COV", "OPS", "BW"};

static int64_t value_by(struct local *local, const struct class *class, enum local_kind kind)
{
	if ((kind < LOCAL_OPS) != (class->place == PLACE_EXECUTION))
		return NONE;
	switch (kind) {
	case LOCAL_SER_OPS: return local->rules->passing ? NONE : ser_ops(local, class, NULL);
	case LOCAL_SER_BW: return local->rules->passing ? NONE : ser_window(local, class);
	case LOCAL_COV: return cover(local, class, NONE);
	case LOCAL_OPS: return local->rules->fifo_copies ? copy_ops(local, class) : NONE;
	default: return engine_window(local, class->engine, classes_engine(local->classes, class->engine));
	}
}

static void add_local(struct local *local, const struct class *class, enum local_kind kind, int64_t response, struct terms *terms)
{
	const struct local_rules *rules = local->rules;
	switch (kind) {
	case LOCAL_SER_OPS: ser_ops(local, class, terms); break;
	case LOCAL_SER_BW: ser_window_terms(local, class, response, terms); return;
	case LOCAL_COV: cover_terms(rules->cover, class, response, terms); break;
	case LOCAL_OPS: one_copy_a_stream(local, class, terms); break;
	default: engine_window_terms(local, class->engine, response, terms); return;
	}
	bool copy = class->place == PLACE_COPY;
	supply_end_step(copy ? rules->copies : rules->kernels, copy ? class->engine : ENGINE_NONE, terms->sum, response, terms);
}

void local_terms(struct local *local, const struct class *class, struct terms *terms)
{
	static const enum term_kind lists[LOCAL_KINDS] = {TERM_SER_OPS, TERM_SER_BW, TERM_COV, TERM_OPS, TERM_BW};
	int64_t response = checked_sub(class->response, class->dependency);
	struct term least = {.kind = class->dependency > 0 ? TERM_LEAST_AFTER : TERM_LEAST, .of = class->operation, .amount = response};
	int winner = -1;
	for (int i = 0; i < LOCAL_KINDS; i++) {
		least.n[i] = value_by(local, class, (enum local_kind)i);
		winner = winner < 0 && least.n[i] == response ? i : winner;
	}
	least.each = class->dependency;
	least.count = class->response;
	terms_add(terms, least);
	if (winner >= 0)
		add_local(local, class, (enum local_kind)winner, response,
			terms_list(terms, (struct term){.kind = lists[winner], .amount = response}));
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

static int64_t in_order(const struct nonpreemptive *level)
{
	int64_t by_arrival = nonpreemptive_response(level);
	return by_arrival != NONE ? by_arrival : nonpreemptive_busy_window(level);
}

int64_t local_held(const struct classes *classes, const struct chain_of_classes *chain, int hold)
{
	const struct class *wait = &classes->items[chain->first + chain->holds[hold].position];
	return planted(PLANT_EVENTS) ? 0 : classes->items[wait->record].reach;
}

/* ---- what one who comes finds on the stream: [ONE-JOB] */

/* Jobs of a chain that are there at an instant. */
static int64_t there(const struct classes *classes, const struct chain_of_classes *chain)
{
	const struct presence *presence = &classes->presence[chain->place];
	return presence->one_job ? 1 : arrivals_in(&chain->arrivals, presence->response);
}

static int64_t left_of(const struct classes *classes, const struct chain_of_classes *chain, struct terms *terms)
{
	int64_t count = chain == NULL ? 0 : there(classes, chain);
	if (terms != NULL && count > 0) {
		const struct presence *presence = &classes->presence[chain->place];
		struct term term = {.of = chain->segment, .count = count, .arrivals = chain->arrivals, .window = presence->response};
		terms_add_each(terms, term, presence->one_job ? TERM_STREAM_ONE : TERM_STREAM_LEFT, chain->completion[chain->count]);
	}
	return chain == NULL ? 0 : checked_mul(count, chain->completion[chain->count]);
}

/* All that is there of other tasks as the own job comes: of a task of which one job is there one segment, else all segments. NONE: other
 * jobs of the own task may be there, or a wait for an event on the stream. A task's chains follow one another. */
static int64_t left_on_stream(const struct classes *classes, const struct chain_of_classes *own, struct terms *terms)
{
	const struct chain_of_classes *dearest = NULL;
	int64_t sum = 0;
	bool known = classes->presence[own->place].one_job;
	for (int i = classes->chain_of[own->stream]; i != NO_ID && known; i = classes->chains[i].after) {
		const struct chain_of_classes *chain = &classes->chains[i];
		known = chain->hold_count == 0;
		if (siblings_are(classes, chain, own))
			continue;
		bool instead = dearest != NULL && siblings_never_meet(classes, dearest, chain);
		if (instead && chain->completion[chain->count] <= dearest->completion[dearest->count])
			continue;
		if (!instead)
			sum = checked_add(sum, left_of(classes, dearest, terms));
		dearest = chain;
	}
	return known ? checked_add(sum, left_of(classes, dearest, terms)) : NONE;
}

static int64_t wait_behind(const struct classes *classes, const struct chain_of_classes *own, int64_t horizon)
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
	struct nonpreemptive level = served(customers, count, foreign, horizon);
	int64_t response = in_order(&level);
	if (same > foreign) {
		level.blocking = same;
		level.from = next_job(own);
		response = checked_max(response, in_order(&level));
	}
	return checked_max(0, checked_sub(response, own->completion[own->count]));
}

int64_t local_stream_wait(const struct classes *classes, const struct chain_of_classes *own, int64_t horizon)
{
	int64_t left = left_on_stream(classes, own, NULL);
	return left == 0 ? 0 : checked_min(left, wait_behind(classes, own, horizon));
}

/* The chain of the stream, but for `own`, whose job holds it up longest; `own` where there is no other. */
TERMS_APART static const struct chain_of_classes *holder(const struct classes *classes, const struct chain_of_classes *own)
{
	const struct chain_of_classes *found = own;
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		bool other = chain->stream == own->stream && chain != own;
		if (other && (found == own || excess(classes, chain) > excess(classes, found)))
			found = chain;
	}
	return found;
}

/* As in local_stream_wait: behind a job of another chain, or behind an earlier one of its own. */
TERMS_APART static void stream_terms(const struct classes *classes, const struct chain_of_classes *own, struct nonpreemptive *level,
	const struct term *names, struct terms *terms)
{
	int64_t response = checked_add(own->wait, own->completion[own->count]);
	const struct chain_of_classes *held = holder(classes, own);
	level->blocking = held == own ? 0 : excess(classes, held);
	if (excess(classes, own) > level->blocking && in_order(level) != response) {
		held = own;
		level->blocking = excess(classes, own);
		level->from = next_job(own);
	}
	const struct term lower = {.kind = TERM_HELD, .of = held->segment, .amount = level->blocking};
	nonpreemptive_terms(level, names, &lower, response, terms);
}

static void busy_stream_terms(const struct classes *classes, const struct chain_of_classes *own, int64_t horizon, struct terms *terms)
{
	struct customer *customers = arena_allocate(terms->arena, (size_t)classes->chain_count, sizeof *customers);
	struct term *names = arena_allocate(terms->arena, (size_t)classes->chain_count, sizeof *names);
	int count = 0;
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		if (chain->stream != own->stream)
			continue;
		names[count] = (struct term){.kind = TERM_STREAM_JOB, .of = chain->segment};
		customers[count++] = (struct customer){&chain->arrivals, chain->completion[chain->count]};
	}
	struct nonpreemptive level = served(customers, count, 0, horizon);
	stream_terms(classes, own, &level, names, terms);
}

void local_stream_terms(
	const struct classes *classes, const struct chain_of_classes *own, int64_t horizon, struct term stream, struct terms *terms)
{
	bool left = own->wait == left_on_stream(classes, own, NULL) && own->wait < wait_behind(classes, own, horizon);
	stream.kind = left ? TERM_STREAM_FOUND : TERM_STREAM;
	struct terms *list = terms_list(terms, stream);
	if (!left) {
		busy_stream_terms(classes, own, horizon, list);
		return;
	}
	terms_add(list, (struct term){.kind = TERM_STREAM_OWN, .of = own->segment, .amount = own->completion[own->count]});
	left_on_stream(classes, own, list);
}
