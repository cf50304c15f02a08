#include "response/window.h"

#include "base/plant.h"
#include "model/limits.h"
#include "response/in_order.h"
#include "response/siblings.h"
#include "response/window_lone.h"

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
static int64_t count_of(const struct class *class, int64_t length)
{
	int64_t reached = arrivals_in(&class->arrivals, checked_add(length, class->response));
	return reached <= 1 ? reached : checked_min(checked_add(arrivals_in(&class->arrivals, length), 1), reached);
}

/* The classes of one stream on one engine; engine ENGINE_NONE: the execution engine. */
struct group {
	const struct classes *classes;
	const int *items;
	int count;
	int engine;
	const struct class *first, *last; /* of the run that they meet */
};

/* Outstanding at some time of the window; arriving in it. */
static int64_t come(const struct group *group, const struct class *class, int64_t length)
{
	return checked_min(count_of(class, length), siblings_most(group->classes, group->first, group->last, class, length));
}

static int64_t arrive(const struct group *group, const struct class *class, int64_t length)
{
	int64_t siblings = siblings_most(group->classes, group->first, group->last, class, length);
	return checked_min(arrivals_in(&class->arrivals, length), siblings);
}

static bool is_in(const struct group *group, int i)
{
	return group->engine == ENGINE_NONE || group->classes->items[group->items[i]].engine == group->engine;
}

static struct term instances(const struct group *group, const struct class *class, enum weight weight, int64_t length)
{
	static const enum term_kind kinds[] = {TERM_WINDOW_KERNEL, TERM_WINDOW_HIGHER, TERM_WINDOW_VOLUME, TERM_WINDOW_COPY};
	bool total = weight == WEIGHT_TOTAL;
	return (struct term){.kind = kinds[weight],
		.of = class->operation,
		.arrivals = class->arrivals,
		.window = length,
		.early = class->response,
		.n = {total ? class->volume : class->makespan, total ? class->block : checked_sub(class->high, class->makespan),
			weight_of(class, weight), siblings_most(group->classes, group->first, group->last, class, length)}};
}

/* together: those that come, and the dearest, which was there. */
TERMS_APART static void add_all(const struct group *group, enum weight weight, int64_t length, bool together, struct terms *terms)
{
	struct term dearest = {.amount = 0};
	for (int i = 0; i < group->count; i++) {
		if (!is_in(group, i))
			continue;
		const struct class *class = &group->classes->items[group->items[i]];
		int64_t each = weight_of(class, weight);
		struct term term = instances(group, class, weight, length);
		term.count = together ? arrive(group, class, length) : come(group, class, length);
		term.early = together ? 0 : term.early;
		terms_add_each(terms, term, term.kind, each);
		term.amount = each;
		dearest = together && each > dearest.amount ? term : dearest;
	}
	dearest.kind = weight == WEIGHT_HIGH ? TERM_WINDOW_DEAREST_HIGHER : TERM_WINDOW_DEAREST;
	terms_add(terms, dearest);
}

/* all: every instance; at most one of the whole stream is carried in (A-ONE). */
static inline int64_t all(const struct group *group, enum weight weight, int64_t length, struct terms *terms)
{
	int64_t by_class = 0, by_stream = 0, dearest = 0;
	for (int i = 0; i < group->count; i++) {
		if (!is_in(group, i))
			continue;
		const struct class *class = &group->classes->items[group->items[i]];
		int64_t each = weight_of(class, weight);
		by_class = checked_add(by_class, checked_mul(come(group, class, length), each));
		by_stream = checked_add(by_stream, checked_mul(arrive(group, class, length), each));
		dearest = checked_max(dearest, each);
	}
	by_stream = checked_add(by_stream, dearest);
	if (terms != NULL)
		add_all(group, weight, length, by_stream < by_class, terms);
	return checked_min(by_class, by_stream);
}

TERMS_APART static void add_top(
	const struct group *group, const struct class *class, enum weight weight, int64_t length, int64_t count, struct terms *terms)
{
	struct term term = instances(group, class, weight, length);
	term.count = count;
	terms_add_each(terms, term, term.kind, weight_of(class, weight));
}

/* top: the n dearest instances; the items are sorted by the weight. */
static int64_t top(const struct group *group, enum weight weight, int64_t length, int64_t n, struct terms *terms)
{
	int64_t sum = 0;
	for (int i = 0; i < group->count && n > 0; i++) {
		if (!is_in(group, i))
			continue;
		const struct class *class = &group->classes->items[group->items[i]];
		int64_t count = checked_min(n, come(group, class, length));
		sum = checked_add(sum, checked_mul(count, weight_of(class, weight)));
		n -= count;
		if (terms != NULL)
			add_top(group, class, weight, length, count, terms);
	}
	return sum;
}

/* ---- runs */

struct run { /* of a chain's operations */
	int first, count, kernels, copies;
	int64_t turns;                                    /* of the kernels: of a sequence each operation */
	int on_engine[CLASS_ENGINES];                     /* copies on each of the classes' engines */
	int64_t own, own_kernels, own_copies, own_volume; /* own: with o_dep */
};

struct window { /* of a chain */
	const struct classes *classes;
	const struct window_rules *rules;
	const struct chain_of_classes *chain;
	const struct class *items;
	int level;
};

static bool takes_turns(const struct window *w)
{
	return w->rules->kernels.own != NULL || w->rules->copies.own != NULL;
}

static void extend(const struct window *w, struct run *run)
{
	const struct class *class = &w->items[run->first + run->count++];
	run->own = checked_add(run->own, class->dependency);
	if (class->place == PLACE_COPY) {
		run->copies++;
		run->on_engine[classes_engine(w->classes, class->engine)]++;
		run->own_copies = checked_add(run->own_copies, class->block);
		run->own = checked_add(run->own, class->block);
	}
	if (class->place != PLACE_EXECUTION)
		return;
	int64_t lower = run->kernels++ > 0 && planted(PLANT_ONCE) ? 0 : w->classes->lower_block[class->level];
	int64_t cost = w->rules->volume ? checked_add(class->dispatch, class->block) : checked_add(class->makespan, lower);
	run->turns = checked_add(run->turns, class->turns);
	run->own_volume = checked_add(run->own_volume, class->volume);
	run->own_kernels = checked_add(run->own_kernels, cost);
	run->own = checked_add(run->own, cost);
}

/* ---- what the others do meanwhile. LONE: each of their operations comes once, whatever the window's length; up to the chain's `lone`.
 * It is never less than that. */

#define LONE 0

struct charges { /* what it costs, and what of it kernels and copies are served */
	int64_t delay, kernels, copies;
};

static struct group kernels_of(const struct window *w, const struct run *run, int stream)
{
	const struct class *first = &w->items[run->first];
	return (struct group){
		w->classes, w->classes->of_stream[stream], w->classes->of_stream_count[stream], ENGINE_NONE, first, first + run->count - 1};
}

struct volume { /* of foreign kernels: block time, and what the dispatcher takes for each of them */
	int64_t blocks, dispatch;
};

static inline struct volume volume_of(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
{
	struct volume volume = {0, 0};
	const struct classes *classes = w->classes;
	for (int s = 0; s < classes->stream_count; s++) {
		struct group group = kernels_of(w, run, s);
		if (s == w->chain->stream)
			continue;
		volume.blocks =
			checked_add(volume.blocks, length == LONE ? classes->sums[s].volume : all(&group, WEIGHT_TOTAL, length, terms));
		if (length == LONE)
			volume.dispatch = checked_add(volume.dispatch, classes->sums[s].dispatch);
		for (int i = 0; i < group.count && length != LONE; i++) {
			const struct class *class = &classes->items[group.items[i]];
			volume.dispatch = checked_add(volume.dispatch, checked_mul(come(&group, class, length), class->dispatch));
		}
	}
	return volume;
}

/* The list of it, what it takes on g SMs, and the dispatcher's time. */
TERMS_APART static void add_volume(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
{
	struct terms *list = terms_list(terms, (struct term){.kind = TERM_VOLUME, .amount = NONE});
	for (int i = run->first; i < run->first + run->count; i++)
		if (w->items[i].place == PLACE_EXECUTION)
			terms_add(list, (struct term){.kind = TERM_OWN_VOLUME, .of = w->items[i].operation, .amount = w->items[i].volume});
	volume_of(w, run, length, list);
	for (int i = 0; i < list->count; i++)
		terms_add(terms, (struct term){.kind = TERM_BLOCKS_SHARE,
					 .of = list->items[i].of,
					 .amount = checked_div_floor(list->items[i].amount, w->rules->g)});
	terms_add(terms, (struct term){.kind = TERM_WINDOW_SPREAD,
				 .amount = checked_div_floor(checked_add(list->sum, w->rules->rest), w->rules->g),
				 .n = {list->sum, w->rules->g},
				 .up = w->rules->rest > 0,
				 .parts = list});
	for (int s = 0; s < w->classes->stream_count; s++) {
		struct group group = kernels_of(w, run, s);
		for (int i = 0; i < group.count && s != w->chain->stream; i++) {
			const struct class *class = &w->classes->items[group.items[i]];
			struct term term = {.of = class->operation, .count = come(&group, class, length)};
			terms_add_each(terms, term, TERM_WINDOW_DISPATCH, class->dispatch);
		}
	}
}

/* All block time, shared by g SMs, with the dispatcher's time. */
static int64_t shared_volume(const struct window *w, const struct run *run, const struct volume *volume)
{
	int64_t all = checked_add(checked_add(run->own_volume, volume->blocks), w->rules->rest);
	return checked_add(checked_div_floor(all, w->rules->g), volume->dispatch);
}

/* Kernels of one stream: of a higher level all. */
static inline int64_t kernels_above(const struct window *w, const struct run *run, int stream, int64_t length, struct terms *terms)
{
	struct group group = kernels_of(w, run, stream);
	return length == LONE ? w->classes->sums[stream].high : all(&group, WEIGHT_HIGH, length, terms);
}

/* Of the same level at most one an own kernel. */
static inline int64_t kernels_beside(const struct window *w, const struct run *run, int stream, int64_t length, struct terms *terms)
{
	struct group group = kernels_of(w, run, stream);
	if (length == LONE)
		return w->classes->sums[stream].makespans[window_lone_met(run->kernels, group.count)];
	return top(&group, WEIGHT_MAKESPAN, length, run->kernels - planted(PLANT_CHAIN), terms);
}

static inline int64_t copies_on(const struct window *w, const struct run *run, int stream, int at, int64_t length, struct terms *terms)
{
	const struct classes *classes = w->classes;
	bool fifo = w->rules->fifo_copies;
	const struct class *first = &w->items[run->first];
	struct group group = {
		classes, classes->copies[stream], classes->copies_count[stream], classes->engines[at], first, first + run->count - 1};
	if (length == LONE)
		return classes->sums[stream].copies[at][fifo ? window_lone_met(run->on_engine[at], group.count) : group.count];
	return fifo ? top(&group, WEIGHT_COPY, length, run->on_engine[at] - planted(PLANT_CHAIN), terms)
		    : all(&group, WEIGHT_COPY, length, terms);
}

static inline int64_t copies_of(const struct window *w, const struct run *run, int stream, int64_t length, struct terms *terms)
{
	int64_t sum = 0;
	for (int e = 0; e < w->classes->engine_count; e++)
		if (run->on_engine[e] > 0)
			sum = checked_add(sum, copies_on(w, run, stream, e, length, terms));
	return sum;
}

struct stream_time { /* kernels of a higher level, of the same one, copies */
	int64_t above, beside, copies;
};

static struct in_order_run in_order_run(const struct window *w, const struct run *run)
{
	return (struct in_order_run){w->classes, &w->items[run->first], run->count, !w->rules->volume, w->rules->fifo_copies};
}

/* in_order: by the stream's order. Copies that are served in any order have none. */
TERMS_APART static void add_charge(const struct window *w, const struct run *run, int stream, int64_t length,
	const struct stream_time *time, bool in_order, struct terms *terms)
{
	if (time->above > 0)
		kernels_above(w, run, stream, length, terms);
	if (time->beside > 0 && !in_order)
		kernels_beside(w, run, stream, length, terms);
	if (!in_order || !w->rules->fifo_copies)
		copies_of(w, run, stream, length, terms);
	if (in_order) {
		struct in_order_run aligned = in_order_run(w, run);
		in_order_terms(&aligned, stream, length, terms);
	}
}

/* By engine. */
static inline struct stream_time time_of(const struct window *w, const struct run *run, int stream, int64_t length)
{
	const struct classes *classes = w->classes;
	struct stream_time time = {0, 0, copies_of(w, run, stream, length, NULL)};
	if (run->kernels > 0 && classes->of_stream_count[stream] > 0 && !w->rules->volume) {
		int level = classes->items[classes->of_stream[stream][0]].level;
		time.above = level < w->level ? kernels_above(w, run, stream, length, NULL) : 0;
		time.beside = level == w->level ? kernels_beside(w, run, stream, length, NULL) : 0;
	}
	return time;
}

/* One stream, but for volumes: what meets own operations, at most one each, counts by engine or in the stream's order. */
static inline void charge(
	const struct window *w, const struct run *run, int stream, int64_t length, struct charges *charges, struct terms *terms)
{
	const struct stream_time time = time_of(w, run, stream, length);
	int64_t always = w->rules->fifo_copies ? time.above : checked_add(time.above, time.copies);
	int64_t met = w->rules->fifo_copies ? checked_add(time.beside, time.copies) : time.beside, by_engine = met;
	if (w->rules->in_order && met > 0 && run->count > 1) {
		struct in_order_run aligned = in_order_run(w, run);
		met = checked_min(met, in_order_charge(&aligned, stream, length));
	}
	if (terms != NULL)
		add_charge(w, run, stream, length, &time, met < by_engine, terms);
	charges->delay = checked_add(charges->delay, checked_add(always, met));
	charges->kernels = checked_add(charges->kernels, checked_add(time.above, time.beside));
	charges->copies = checked_add(charges->copies, time.copies);
}

/* volume: of the others' kernels. */
static struct charges begin_charges(const struct window *w, const struct run *run, const struct volume *volume)
{
	struct charges charges = {0, run->own_kernels, run->own_copies};
	if (w->rules->volume && run->kernels > 0) {
		charges.delay = shared_volume(w, run, volume);
		charges.kernels = checked_add(charges.kernels, charges.delay);
	}
	return charges;
}

static inline struct charges charges_in(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
{
	struct volume volume = {0, 0};
	if (w->rules->volume && run->kernels > 0)
		volume = volume_of(w, run, length, NULL);
	if (w->rules->volume && run->kernels > 0 && terms != NULL)
		add_volume(w, run, length, terms);
	struct charges charges = begin_charges(w, run, &volume);
	for (int s = 0; s < w->classes->stream_count; s++)
		if (s != w->chain->stream)
			charge(w, run, s, length, &charges, terms);
	return charges;
}

/* ---- what is kept: the numbers of a run never change, nor what it is charged while nobody comes twice */

struct window_known {
	struct run run;
	bool surveyed;
	struct charges lone;
	int64_t length; /* that no window is below; the fixed point only grows from round to round */
};

static bool same_shape(const struct classes *classes, const struct chain_of_classes *a, const struct chain_of_classes *b)
{
	const struct class *first = &classes->items[a->first], *second = &classes->items[b->first];
	bool same = a->count == b->count && first->level == second->level;
	for (int i = 0; i < a->count && same; i++)
		same = first[i].place == second[i].place && (first[i].place != PLACE_COPY || first[i].engine == second[i].engine);
	return same;
}

static struct shape *shape_of(const struct classes *classes, int chain)
{
	const struct chain_of_classes *chains = classes->chains;
	for (int i = 0; i < chain; i++)
		if (chains[i].shape != NULL && same_shape(classes, &chains[i], &chains[chain]))
			return chains[i].shape;
	struct shape *shape = arena_allocate(classes->arena, 1, sizeof *shape);
	*shape = (struct shape){arena_allocate(classes->arena, (size_t)classes->chain_count, sizeof *shape->one_job),
		arena_allocate(classes->arena, (size_t)classes->stream_count, sizeof(struct stream_charge *))};
	return shape;
}

void window_keep(struct classes *classes)
{
	for (int i = 0; i < classes->chain_count; i++) {
		struct chain_of_classes *chain = &classes->chains[i];
		if (chain->count <= CLASS_KNOWN)
			chain->known = arena_allocate(
				classes->arena, (size_t)(chain->count * (chain->count + 1) / 2), sizeof(struct window_known));
		if (chain->count <= LIMIT_ALIGNED)
			chain->shape = shape_of(classes, i);
	}
}

static struct window_known *known_of(const struct window *w, int first, int last)
{
	return &w->chain->known[last * (last + 1) / 2 + first];
}

/* What of the others is served counts where turns are taken; copies that are served in any order, all of them, too. */
static void charge_once(const struct window *w, const struct window_lone *survey, struct window_known *known)
{
	const struct run *run = &known->run;
	const struct tariff *others = &survey->others;
	int64_t above = run->kernels > 0 ? others->above : 0, copies = 0, always = above;
	for (int e = 0; e < w->classes->engine_count; e++)
		copies = checked_add(copies, others->copies[e][run->on_engine[e]]);
	always = w->rules->fifo_copies ? above : checked_add(above, copies);
	int64_t met = survey->met[run->first * w->chain->count + run->first + run->count - 1];
	known->lone.delay = checked_add(known->lone.delay, checked_add(always, met));
	known->lone.kernels = checked_add(known->lone.kernels, checked_add(above, others->beside[run->kernels]));
	known->lone.copies = checked_add(known->lone.copies, copies);
}

/* All runs of a chain at once. */
static void survey_all(const struct window *w)
{
	bool served = takes_turns(w) || !w->rules->fifo_copies;
	const struct window_lone_rules rules = {w->rules->volume, w->rules->fifo_copies, w->rules->in_order, served};
	const struct run whole = {.count = w->chain->count};
	struct volume volume = {0, 0};
	struct window_lone survey;
	window_lone_chain(w->classes, &rules, w->chain, &survey);
	if (w->rules->volume)
		volume = volume_of(w, &whole, LONE, NULL);
	for (int first = 0; first < w->chain->count; first++) {
		struct run run = {.first = first};
		for (int last = first; last < w->chain->count; last++) {
			struct window_known *known = known_of(w, first, last);
			extend(w, &run);
			known->run = run;
			known->surveyed = true;
			known->lone = begin_charges(w, &run, &volume);
			charge_once(w, &survey, known);
		}
	}
}

/* Siblings may not come at all: no window is `lone`, and nothing is known to be charged. */
static bool has_siblings(const struct window *w)
{
	return w->classes->siblings[w->chain->place].before != NULL;
}

static void survey(const struct window *w, int first, int last, struct window_known *known)
{
	known->run.first = first;
	while (known->run.count <= last - first)
		extend(w, &known->run);
	if (!has_siblings(w))
		known->lone = charges_in(w, &known->run, LONE, NULL);
	known->surveyed = true;
}

/* ---- what is lost to others than this context */

/* Copies of other contexts on the engines that the run uses. */
static inline int64_t shared_copies(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
{
	int64_t sum = 0;
	for (int e = 0; e < w->classes->engine_count; e++)
		if (run->on_engine[e] > 0)
			sum = checked_add(sum, supply_copied(&w->rules->copies, w->classes->engines[e], length, terms));
	return sum;
}

static void add_own_kernel(const struct window *w, const struct class *class, struct terms *terms)
{
	struct term lower = classes_lower(w->classes, class->level);
	lower.kind = TERM_RUN_LOWER;
	lower.also = class->operation;
	if (w->rules->volume) {
		terms_add(terms, (struct term){.kind = TERM_OWN_DISPATCH, .of = class->operation, .amount = class->dispatch});
		terms_add(terms, (struct term){.kind = TERM_OWN_LAST, .of = class->operation, .amount = class->block});
		return;
	}
	terms_add(terms, (struct term){.kind = TERM_OWN_KERNEL, .of = class->operation, .amount = class->makespan});
	terms_add(terms, lower);
}

static void add_own(const struct window *w, const struct run *run, bool kernels, bool copies, struct terms *terms)
{
	for (int i = run->first; i < run->first + run->count; i++) {
		const struct class *class = &w->items[i];
		if (kernels && copies)
			terms_add(terms, (struct term){.kind = TERM_DEPENDENCY, .of = class->operation, .amount = class->dependency});
		if (copies && class->place == PLACE_COPY)
			terms_add(terms, (struct term){.kind = TERM_RUN_COPY, .of = class->operation, .amount = class->block});
		if (kernels && class->place == PLACE_EXECUTION)
			add_own_kernel(w, class, terms);
	}
}

/* What kernels, or copies, are served meanwhile, as lists of their own. */
TERMS_APART static void add_served(
	const struct window *w, const struct run *run, const struct charges *charges, bool copies, int64_t length, struct terms *terms)
{
	enum term_kind kind = copies ? TERM_SERVED_COPIES : TERM_SERVED_KERNELS;
	struct terms *served = terms_list(terms, (struct term){.kind = kind, .amount = copies ? charges->copies : charges->kernels});
	add_own(w, run, !copies, copies, served);
	if (!copies && w->rules->volume)
		add_volume(w, run, length, served);
	for (int s = 0; s < w->classes->stream_count; s++) {
		if (s == w->chain->stream)
			continue;
		const struct stream_time time = time_of(w, run, s, length);
		if (copies)
			copies_of(w, run, s, length, served);
		else if (time.above > 0)
			kernels_above(w, run, s, length, served);
		else if (time.beside > 0)
			kernels_beside(w, run, s, length, served);
	}
}

/* Stops count once; where there are time slices they use up those of the kernels or those of the copies. */
static inline int64_t lost(
	const struct window *w, const struct run *run, const struct charges *charges, int64_t length, struct terms *terms)
{
	const struct supply *kernels = &w->rules->kernels, *copies = &w->rules->copies;
	int64_t stopped = supply_stopped(kernels, length, terms), sum = checked_add(stopped, shared_copies(w, run, length, terms));
	if (!takes_turns(w))
		return sum;
	const struct supply_use uses[SUPPLY_USES] = {{kernels, charges->kernels, run->turns}, {copies, charges->copies, run->copies}};
	for (int i = 0; i < SUPPLY_USES && terms != NULL; i++)
		if (uses[i].windows > 0 && uses[i].supply->entries != NULL)
			add_served(w, run, charges, i == 1, length, terms);
	return checked_add(sum, supply_lost(uses, SUPPLY_USES, stopped, length, terms));
}

int64_t window_lone_length(const struct classes *classes, int stream)
{
	int64_t lone = NONE - 1;
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		int64_t reach = arrivals_lone(chain->arrivals.model);
		for (int j = 0; j < chain->count && chain->stream != stream; j++) {
			const struct class *class = &classes->items[chain->first + j];
			int64_t before = checked_sub(class->early, classes->items[chain->first].early);
			int64_t early = checked_add(checked_add(class->arrivals.jitter, class->response), before);
			lone = early == NONE ? 0 : checked_min(lone, checked_sub(reach, early));
		}
	}
	return lone;
}

/* ---- the fixed point */

static int64_t solve(const struct window *w, struct window_known *known, int64_t enough)
{
	const struct run *run = &known->run;
	known->length = checked_max(checked_max(1, known->length), checked_add(run->own, known->lone.delay));
	for (int i = 0; i < LIMIT_ITERATIONS && known->length < enough; i++) {
		struct charges charges = known->length <= w->chain->lone ? known->lone : charges_in(w, run, known->length, NULL);
		int64_t next = checked_add(checked_add(run->own, charges.delay), lost(w, run, &charges, known->length, NULL));
		if (next > w->rules->horizon)
			return NONE;
		if (next <= known->length)
			return known->length;
		known->length = next;
	}
	return NONE;
}

int64_t window_time(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first,
	int last, int64_t enough)
{
	const struct window w = {classes, rules, chain, &classes->items[chain->first], classes->items[chain->first].level};
	struct window_known fresh = {.surveyed = false}, *known = chain->known == NULL ? &fresh : known_of(&w, first, last);
	if (!known->surveyed && chain->shape != NULL && !has_siblings(&w))
		survey_all(&w);
	if (!known->surveyed)
		survey(&w, first, last, known);
	return solve(&w, known, enough);
}

void window_terms(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first,
	int last, int64_t length, struct terms *terms)
{
	const struct window w = {classes, rules, chain, &classes->items[chain->first], classes->items[chain->first].level};
	struct run run = {.first = first};
	while (run.count <= last - first)
		extend(&w, &run);
	add_own(&w, &run, true, true, terms);
	const struct charges charges = charges_in(&w, &run, length, terms);
	lost(&w, &run, &charges, length, terms);
}
