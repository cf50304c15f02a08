#include "response/window_run.h"

#include "base/plant.h"
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
	const struct class *first, *last; /* of the run that they meet; NULL: of several jobs */
};

/* No more than so many of siblings of the run. */
static int64_t siblings_of(const struct group *group, const struct class *class, int64_t length)
{
	return group->first == NULL ? NONE : siblings_most(group->classes, group->first, group->last, class, length);
}

/* Outstanding at some time of the window; arriving in it. */
static int64_t come(const struct group *group, const struct class *class, int64_t length)
{
	return checked_min(count_of(class, length), siblings_of(group, class, length));
}

static int64_t arrive(const struct group *group, const struct class *class, int64_t length)
{
	int64_t siblings = siblings_of(group, class, length);
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
			weight_of(class, weight), siblings_of(group, class, length)}};
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

/* Is it a kernel that is ready as the kernel before it is complete? */
static bool follows_at_once(const struct class *class, const struct class *before)
{
	return class->place == PLACE_EXECUTION && before->place == PLACE_EXECUTION && class->dependency == 0;
}

/* A kernel alone; lower: the longest block of any lower level, if that counts. */
static int64_t kernel_alone(const struct window *w, const struct class *class, int64_t lower)
{
	return w->rules->volume ? checked_add(class->dispatch, class->block) : checked_add(class->makespan, lower);
}

int64_t run_own(const struct window *w)
{
	int64_t own = 0, lower;
	bool first = true;
	for (int i = 0; i < w->chain->count; i++) {
		const struct class *class = &w->items[i];
		own = checked_add(own, class->dependency);
		if (class->place == PLACE_COPY)
			own = checked_add(own, class->block);
		if (class->place != PLACE_EXECUTION)
			continue;
		lower = !first && planted(PLANT_ONCE) ? 0 : w->classes->lower_block[class->level];
		own = checked_add(own, kernel_alone(w, class, lower));
		first = false;
	}
	return own;
}

void run_extend(const struct window *w, struct run *run)
{
	const struct class *class = &w->items[run->first + run->count++];
	bool joined = run->count > 1 && follows_at_once(class, class - 1);
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
	int64_t cost = kernel_alone(w, class, lower);
	run->windows = checked_add(run->windows, joined ? class->turns - 1 : class->turns);
	run->own_volume = checked_add(run->own_volume, class->volume);
	run->own_kernels = checked_add(run->own_kernels, cost);
	run->own = checked_add(run->own, cost);
}

struct run run_make(const struct window *w, int first, int count)
{
	struct run run = {.first = first};
	while (run.count < count)
		run_extend(w, &run);
	return run;
}

/* ---- what the others do meanwhile */

static struct group kernels_of(const struct window *w, const struct run *run, int stream)
{
	const struct class *first = run->jobs ? NULL : &w->items[run->first];
	const struct class *last = run->jobs ? NULL : first + run->count - 1;
	return (struct group){w->classes, w->classes->of_stream[stream], w->classes->of_stream_count[stream], ENGINE_NONE, first, last};
}

struct volume run_volume(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
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

enum jobs_part { JOBS_ALL, JOBS_KERNELS, JOBS_COPIES, JOBS_VOLUME };

static int64_t part_of(const struct window *w, const struct class *class, enum jobs_part part)
{
	bool kernel = class->place == PLACE_EXECUTION;
	int64_t lower = w->classes->lower_block[class->level], time = class->place == PLACE_COPY ? class->block : 0;
	if (kernel)
		time = kernel_alone(w, class, lower);
	switch (part) {
	case JOBS_ALL: return checked_add(class->dependency, time);
	case JOBS_KERNELS: return kernel ? time : 0;
	case JOBS_COPIES: return kernel ? 0 : time;
	default: return kernel ? class->volume : 0;
	}
}

/* Of all jobs in the window, operation by operation. */
TERMS_APART static void add_jobs(const struct window *w, const struct run *run, enum jobs_part part, struct terms *terms)
{
	const struct classes *classes = w->classes;
	for (int i = classes->chain_of[w->chain->stream]; i != NO_ID; i = classes->chains[i].after) {
		const struct chain_of_classes *chain = &classes->chains[i];
		int64_t count = arrivals_in(&chain->arrivals, run->length);
		for (int k = 0; k < chain->count; k++) {
			const struct class *class = &classes->items[chain->first + k];
			struct term term = {.of = class->operation, .count = count, .arrivals = chain->arrivals, .window = run->length};
			terms_add_each(terms, term, part == JOBS_VOLUME ? TERM_JOBS_VOLUME : TERM_JOBS_OWN, part_of(w, class, part));
		}
	}
}

/* The list of it, what it takes on g SMs, and the dispatcher's time. */
TERMS_APART static void add_volume(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
{
	struct terms *list = terms_list(terms, (struct term){.kind = TERM_VOLUME, .amount = NONE});
	if (run->jobs)
		add_jobs(w, run, JOBS_VOLUME, list);
	for (int i = run->first; i < run->first + run->count; i++)
		if (w->items[i].place == PLACE_EXECUTION)
			terms_add(list, (struct term){.kind = TERM_OWN_VOLUME, .of = w->items[i].operation, .amount = w->items[i].volume});
	run_volume(w, run, length, list);
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
	struct group group = kernels_of(w, run, stream);
	group.items = classes->copies[stream];
	group.count = classes->copies_count[stream];
	group.engine = classes->engines[at];
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
	if (w->rules->in_order && met > 0 && run->count > 1 && !run->jobs) {
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
struct charges run_charges_by(const struct window *w, const struct run *run, const struct volume *volume)
{
	struct charges charges = {0, run->own_kernels, run->own_copies};
	if (w->rules->volume && run->kernels > 0) {
		charges.delay = shared_volume(w, run, volume);
		charges.kernels = checked_add(charges.kernels, charges.delay);
	}
	return charges;
}

struct charges run_charges(const struct window *w, const struct run *run, int64_t length, struct terms *terms)
{
	struct volume volume = {0, 0};
	if (w->rules->volume && run->kernels > 0)
		volume = run_volume(w, run, length, NULL);
	if (w->rules->volume && run->kernels > 0 && terms != NULL)
		add_volume(w, run, length, terms);
	struct charges charges = run_charges_by(w, run, &volume);
	for (int s = 0; s < w->classes->stream_count; s++)
		if (s != w->chain->stream)
			charge(w, run, s, length, &charges, terms);
	return charges;
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

void run_add_own(const struct window *w, const struct run *run, bool kernels, bool copies, struct terms *terms)
{
	if (run->jobs)
		add_jobs(w, run, kernels && copies ? JOBS_ALL : kernels ? JOBS_KERNELS : JOBS_COPIES, terms);
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
	run_add_own(w, run, !copies, copies, served);
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

int64_t run_lost(const struct window *w, const struct run *run, const struct charges *charges, int64_t length, struct terms *terms)
{
	const struct supply *kernels = &w->rules->kernels, *copies = &w->rules->copies;
	int64_t stopped = supply_stopped(kernels, length, terms), sum = checked_add(stopped, shared_copies(w, run, length, terms));
	if (!window_takes_turns(w))
		return sum;
	const struct supply_use uses[SUPPLY_USES] = {{kernels, charges->kernels, run->windows}, {copies, charges->copies, run->copies}};
	for (int i = 0; i < SUPPLY_USES && terms != NULL; i++)
		if (uses[i].windows > 0 && uses[i].supply->entries != NULL)
			add_served(w, run, charges, i == 1, length, terms);
	return checked_add(sum, supply_lost(uses, SUPPLY_USES, stopped, length, terms));
}
