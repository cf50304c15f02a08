#include "response/window.h"

#include "model/limits.h"
#include "response/window_lone.h"
#include "response/window_run.h"

/* ---- what is kept: the numbers of a run never change, nor what it is charged while nobody comes twice */

struct window_known {
	struct run run;
	bool surveyed;
	bool settled; /* `length` is the fixed point as long as nobody comes twice in it */
	struct charges lone;
	int64_t length; /* that no window is below; the fixed point only grows from round to round */
};

static void forget(struct window_known *known)
{
	known->surveyed = known->settled = false;
	known->length = 0;
}

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
	*shape = (struct shape){.one_job = arena_allocate(classes->arena, (size_t)classes->chain_count, sizeof *shape->one_job),
		.charges = arena_allocate(classes->arena, (size_t)classes->stream_count, sizeof(struct stream_charge *))};
	return shape;
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
	bool served = window_takes_turns(w) || !w->rules->fifo_copies;
	const struct window_lone_rules rules = {w->rules->volume, w->rules->fifo_copies, w->rules->in_order, served};
	const struct run whole = {.count = w->chain->count};
	struct volume volume = {0, 0};
	struct window_lone survey;
	window_lone_chain(w->classes, &rules, w->chain, &survey);
	if (w->rules->volume)
		volume = run_volume(w, &whole, LONE, NULL);
	for (int first = 0; first < w->chain->count; first++) {
		struct run run = {.first = first};
		for (int last = first; last < w->chain->count; last++) {
			struct window_known *known = known_of(w, first, last);
			run_extend(w, &run);
			forget(known);
			known->run = run;
			known->surveyed = true;
			known->lone = run_charges_by(w, &run, &volume);
			charge_once(w, &survey, known);
		}
	}
}

/* Siblings may not come at all: no window is `lone`, and nothing is known to be charged. */
static bool has_siblings(const struct window *w)
{
	return w->classes->siblings[w->chain->place].apart;
}

static void survey(const struct window *w, int first, int last, struct window_known *known)
{
	known->run = run_make(w, first, last - first + 1);
	known->lone = has_siblings(w) ? (struct charges){0, 0, 0} : run_charges(w, &known->run, LONE, NULL);
	known->surveyed = true;
}

void window_keep(struct classes *classes, const struct window_rules *rules)
{
	for (int i = 0; i < classes->chain_count; i++) {
		struct chain_of_classes *chain = &classes->chains[i];
		const struct window w = window_of(classes, rules, chain);
		int runs = chain->count <= CLASS_KNOWN ? chain->count * (chain->count + 1) / 2 : 0;
		if (runs > 0)
			chain->known = arena_reserve(classes->arena, (size_t)runs, sizeof(struct window_known));
		if (chain->count <= LIMIT_ALIGNED)
			chain->shape = shape_of(classes, i);
		if (chain->shape != NULL && !has_siblings(&w))
			survey_all(&w);
		for (int k = 0; k < runs && (chain->shape == NULL || has_siblings(&w)); k++)
			forget(&chain->known[k]);
	}
}

int64_t window_lone_length(const struct classes *classes, const struct chain_of_classes *chain)
{
	int64_t lone = NONE - 1, reach = arrivals_lone(chain->arrivals.model);
	for (int i = chain->first; i < chain->first + chain->count; i++) {
		const struct class *class = &classes->items[i];
		int64_t before = checked_sub(class->early, classes->items[chain->first].early);
		int64_t early = checked_add(checked_add(class->arrivals.jitter, class->response), before);
		lone = early == NONE ? 0 : checked_min(lone, checked_sub(reach, early));
	}
	return lone;
}

/* ---- the fixed point */

static int64_t solve(const struct window *w, struct window_known *known, int64_t enough)
{
	const struct run *run = &known->run;
	known->length = checked_max(checked_max(1, known->length), checked_add(run->own, known->lone.delay));
	for (int i = 0; i < LIMIT_ITERATIONS && known->length < enough; i++) {
		bool alone = known->length <= w->chain->lone;
		struct charges charges = alone ? known->lone : run_charges(w, run, known->length, NULL);
		int64_t next = checked_add(checked_add(run->own, charges.delay), run_lost(w, run, &charges, known->length, NULL));
		if (next > w->rules->horizon)
			return NONE;
		known->settled = alone && next <= known->length;
		if (next <= known->length)
			return known->length;
		known->length = next;
	}
	return NONE;
}

/* known: as it is kept; NULL: nothing is. */
static inline int64_t time_of(const struct window *w, int first, int last, struct window_known *known, int64_t enough)
{
	struct window_known fresh;
	if (known == NULL)
		forget(known = &fresh);
	if (known->length >= enough)
		return NONE;
	if (known->settled && known->length <= w->chain->lone)
		return known->length;
	if (!known->surveyed)
		survey(w, first, last, known);
	return solve(w, known, enough);
}

int64_t window_time(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first,
	int last, int64_t enough)
{
	const struct window w = window_of(classes, rules, chain);
	return time_of(&w, first, last, chain->known == NULL ? NULL : known_of(&w, first, last), enough);
}

/* Is the run worth a fixed point? All runs of short chains; of long ones those from the start and of 2^k operations. */
static bool tried(const struct chain_of_classes *chain, int first, int last)
{
	int length = last + 1 - first;
	return chain->count <= LIMIT_WHOLE_RUNS || first == 0 || (length & (length - 1)) == 0;
}

int64_t window_complete(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int last,
	int64_t best, int64_t *runs)
{
	const struct window w = window_of(classes, rules, chain);
	struct window_known *known = chain->known == NULL ? NULL : known_of(&w, 0, last);
	for (int first = 0; first < last; first++) {
		int64_t before = chain->completion[first];
		int64_t enough = best == NONE || chain->hold_count > 0 ? NONE : checked_sub(best, before);
		bool try = tried(chain, first, last);
		runs[first] = try ? time_of(&w, first, last, known == NULL ? NULL : &known[first], enough) : NONE;
		best = checked_min(best, checked_add(before, runs[first]));
	}
	return best;
}

void window_terms(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first,
	int last, int64_t length, struct terms *terms)
{
	const struct window w = window_of(classes, rules, chain);
	const struct run run = run_make(&w, first, last - first + 1);
	run_add_own(&w, &run, true, true, terms);
	const struct charges charges = run_charges(&w, &run, length, terms);
	run_lost(&w, &run, &charges, length, terms);
}
