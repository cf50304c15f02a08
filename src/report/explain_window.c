/* (C.1) and (V.3): a run of operations against everybody at once. */
#include "report/explain_engines.h"

#include "base/checked.h"
#include "response/aligned.h"
#include "response/siblings.h"

#include <inttypes.h>

struct run {
	const struct view *view;
	const struct classes *classes;
	const struct window_rules *rules;
	const struct class *items;
	int count, stream, level, kernels, copies;
	int64_t length;
};

enum charge { CHARGE_MAKESPAN, CHARGE_HIGH, CHARGE_TOTAL, CHARGE_COPY };

static int64_t weight_of(const struct class *class, enum charge charge)
{
	switch (charge) {
	case CHARGE_MAKESPAN: return class->makespan;
	case CHARGE_HIGH: return class->high;
	case CHARGE_TOTAL: return class_total(class);
	default: return class->block;
	}
}

static const char *weight_text(const struct run *run, const struct class *class, enum charge charge)
{
	struct explanation *e = run->view->e;
	const struct operation_cost *cost = explain_cost(run->view, class);
	switch (charge) {
	case CHARGE_MAKESPAN: return arena_format(e->arena, "M%s", terms_step(e, cost->makespan.step));
	case CHARGE_HIGH: return explain_high(run->view, class);
	case CHARGE_TOTAL:
		return arena_format(e->arena, "%s, v%s + %s%s, %" PRId64 " + %" PRId64 " = %" PRId64,
			explain_is_late(e) ? "all blocks" : "N C", terms_step(e, cost->volume.step), explain_is_late(e) ? "B" : "C",
			terms_step(e, cost->tail.step), class->volume, class->block, class_total(class));
	default: return arena_format(e->arena, "the copy%s", terms_step(e, cost->transfer.step));
	}
}

static int64_t siblings(const struct run *run, const struct class *class)
{
	return siblings_most(run->classes, run->items, &run->items[run->count - 1], class, run->length);
}

/* Outstanding at some time of the window; arriving in it. */
static int64_t come(const struct run *run, const struct class *class)
{
	return checked_min(window_count(class, run->length), siblings(run, class));
}

static int64_t arrive(const struct run *run, const struct class *class)
{
	return checked_min(arrivals_in(&class->arrivals, run->length), siblings(run, class));
}

/* How many these are, with the equation. */
static const char *come_text(const struct run *run, const struct class *class)
{
	struct explanation *e = run->view->e;
	if (siblings(run, class) < window_count(class, run->length))
		return arena_format(e->arena, "%" PRId64 ", as it is of the same job", siblings(run, class));
	int64_t reached = arrivals_in(&class->arrivals, checked_add(run->length, class->response));
	const char *by_reach = terms_count(e, &class->arrivals, run->length, class->response);
	if (reached <= 1 || reached == NONE)
		return by_reach;
	int64_t in = arrivals_in(&class->arrivals, run->length);
	return arena_format(e->arena, "the less of %s, and %" PRId64 " + 1 = %" PRId64 " with %s", by_reach, in, in + 1,
		terms_count(e, &class->arrivals, run->length, 0));
}

struct group { /* classes of one stream on one engine; ENGINE_NONE: the execution engine */
	const int *items;
	int count, engine;
	enum charge charge;
};

static const struct class *next_of(const struct run *run, const struct group *group, int *i)
{
	for (; *i < group->count; (*i)++) {
		const struct class *class = &run->classes->items[group->items[*i]];
		if (group->engine == ENGINE_NONE || class->engine == group->engine)
			return class;
	}
	return NULL;
}

static const char *whose(const struct run *run, const struct class *class, enum charge charge)
{
	return explain_culprit(run->view, class, charge == CHARGE_HIGH ? class->high : NONE);
}

/* All instances; at most one of the stream was there before. */
static void add_all(struct terms *terms, const struct run *run, const struct group *group, const char *why)
{
	int64_t by_class = 0, by_stream = 0, dearest = 0;
	const struct class *class, *first = NULL;
	for (int i = 0; (class = next_of(run, group, &i)) != NULL; i++) {
		int64_t each = weight_of(class, group->charge);
		by_class = checked_add(by_class, checked_mul(come(run, class), each));
		by_stream = checked_add(by_stream, checked_mul(arrive(run, class), each));
		first = each > dearest ? class : first;
		dearest = checked_max(dearest, each);
	}
	bool together = checked_add(by_stream, dearest) < by_class;
	for (int i = 0; (class = next_of(run, group, &i)) != NULL; i++) {
		int64_t each = weight_of(class, group->charge);
		int64_t count = together ? arrive(run, class) : come(run, class);
		terms_add(terms, checked_mul(count, each), "%s%s: %s; each %s; arrivals: %s", whose(run, class, group->charge), why,
			terms_product(run->view->e, count, each), weight_text(run, class, group->charge),
			together ? terms_count(run->view->e, &class->arrivals, run->length, 0) : come_text(run, class));
	}
	if (together)
		terms_add(terms, dearest, "%s: one operation of its stream was there before the window began, the dearest",
			whose(run, first, group->charge));
}

/* The n dearest. */
static int64_t add_top(struct terms *terms, const struct run *run, const struct group *group, int64_t n, const char *why)
{
	const struct class *class;
	int64_t sum = 0;
	for (int i = 0; n > 0 && (class = next_of(run, group, &i)) != NULL; i++) {
		int64_t each = weight_of(class, group->charge), count = checked_min(n, come(run, class));
		if (terms != NULL && count > 0)
			terms_add(terms, checked_mul(count, each), "%s%s: %s; each %s; arrivals: %s", whose(run, class, group->charge), why,
				terms_product(run->view->e, count, each), weight_text(run, class, group->charge), come_text(run, class));
		sum = checked_add(sum, checked_mul(count, each));
		n -= count;
	}
	return sum;
}

static int copies_on(const struct run *run, int engine)
{
	int count = 0;
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

static struct group kernels_of(const struct run *run, int stream, enum charge charge)
{
	return (struct group){run->classes->of_stream[stream], run->classes->of_stream_count[stream], ENGINE_NONE, charge};
}

/* Kernels of a stream by makespans: of a higher level all, of the same one as many as own kernels. NULL terms: their sum only. */
static int64_t add_kernels(struct terms *terms, const struct run *run, int stream, bool higher)
{
	struct group group = kernels_of(run, stream, higher ? CHARGE_HIGH : CHARGE_MAKESPAN);
	if (group.count == 0 || run->rules->volume || run->kernels == 0)
		return 0;
	int level = run->classes->items[group.items[0]].level;
	if (higher && level < run->level && terms != NULL)
		add_all(terms, run, &group, ", of a higher level");
	if (higher || level != run->level)
		return 0;
	return add_top(terms, run, &group, run->kernels,
		run->kernels == 1 ? ", one that is ahead" : ", ahead of own kernels, one of each stream at a time");
}

static int64_t add_copies(struct terms *terms, const struct run *run, int stream)
{
	int64_t sum = 0;
	for (int i = 0; i < run->count; i++) {
		if (run->items[i].place != PLACE_COPY || seen_before(run, i))
			continue;
		struct group group = {run->classes->copies[stream], run->classes->copies_count[stream], run->items[i].engine, CHARGE_COPY};
		if (run->rules->fifo_copies)
			sum = checked_add(sum, add_top(terms, run, &group, copies_on(run, group.engine), ", on the same copy engine"));
		else if (terms != NULL)
			add_all(terms, run, &group, ", on the same copy engine");
	}
	return sum;
}

static void add_pairs(struct terms *terms, const struct run *run, int stream, const struct aligned_run *aligned)
{
	struct aligned_pair pairs[ALIGNED_MOST * ALIGNED_MOST];
	int count = aligned_pairs(aligned, stream, run->length, pairs);
	for (int i = count - 1; i >= 0; i--)
		terms_add(terms, pairs[i].cost, "%s: met by %s; in the order of its stream own operations meet no dearer ones",
			explain_name(run->view, &run->classes->items[pairs[i].foreign]),
			explain_name(run->view, &run->items[pairs[i].own]));
}

static int chains_on(const struct run *run, int stream)
{
	int count = 0;
	for (int i = run->classes->chain_of[stream]; i != NO_ID; i = run->classes->chains[i].after)
		count++;
	return count;
}

/* What meets own operations, at most one each: by engine, or in the stream's order where that is less. */
static void add_stream(struct terms *terms, const struct run *run, int stream)
{
	struct aligned_run aligned = {run->classes, run->items, run->count, !run->rules->volume, run->rules->fifo_copies};
	int64_t met = checked_add(add_kernels(NULL, run, stream, false), run->rules->fifo_copies ? add_copies(NULL, run, stream) : 0);
	add_kernels(terms, run, stream, true);
	if (run->rules->in_order && met > 0 && run->count > 1 && run->count * chains_on(run, stream) <= ALIGNED_MOST * ALIGNED_MOST &&
		aligned_charge(&aligned, stream, run->length) < met) {
		if (!run->rules->fifo_copies)
			add_copies(terms, run, stream);
		add_pairs(terms, run, stream, &aligned);
		return;
	}
	add_kernels(terms, run, stream, false);
	add_copies(terms, run, stream);
}

/* Block time of everybody, but own last blocks, as a list of its own. */
static void add_volume(struct terms *terms, const struct run *run)
{
	struct explanation *e = run->view->e;
	struct terms volume = terms_of(e);
	for (int i = 0; i < run->count; i++)
		if (run->items[i].place == PLACE_EXECUTION)
			terms_add(&volume, run->items[i].volume, "%s%s: its blocks, but for the last",
				explain_name(run->view, &run->items[i]),
				terms_step(e, explain_cost(run->view, &run->items[i])->volume.step));
	for (int s = 0; s < run->classes->stream_count; s++) {
		struct group group = kernels_of(run, s, CHARGE_TOTAL);
		if (s != run->stream)
			add_all(&volume, run, &group, "");
	}
	explain_line(e, 6, "V, the time of all blocks that may be there in the window:");
	int64_t all = terms_print(&volume, 8, "V", true), spread = checked_div_floor(checked_add(all, run->rules->rest), run->rules->g);
	terms_add(terms, spread, "blocks, on g SMs at once: %s(%" PRId64 " / %" PRId64 ") = %" PRId64,
		run->rules->rest > 0 ? "ceil" : "floor", all, run->rules->g, spread);
	for (int s = 0; s < run->classes->stream_count; s++)
		for (int i = 0; i < run->classes->of_stream_count[s] && s != run->stream; i++) {
			const struct class *class = &run->classes->items[run->classes->of_stream[s][i]];
			int64_t count = come(run, class);
			terms_add(terms, checked_mul(count, class->dispatch), "dispatch of %s%s: %s", explain_name(run->view, class),
				terms_step(e, explain_cost(run->view, class)->dispatch.step), terms_product(e, count, class->dispatch));
		}
}

static void add_own(struct terms *terms, const struct run *run, bool kernels, bool copies, bool dependencies)
{
	struct explanation *e = run->view->e;
	for (int i = 0; i < run->count; i++) {
		const struct class *class = &run->items[i];
		const struct operation_cost *cost = explain_cost(run->view, class);
		const char *name = explain_name(run->view, class);
		if (dependencies)
			terms_add(terms, class->dependency, "o_dep%s, before %s", terms_step(e, cost->dependency.step), name);
		if (class->place == PLACE_COPY && copies)
			terms_add(terms, class->block, "%s%s, the copy itself", name, terms_step(e, cost->transfer.step));
		if (class->place != PLACE_EXECUTION || !kernels)
			continue;
		if (run->rules->volume) {
			terms_add(terms, class->dispatch, "o of %s%s: the dispatch of its blocks%s", name,
				terms_step(e, cost->dispatch.step), explain_is_late(e) ? ", and what is waited at the head" : "");
			terms_add(terms, class->block, "%s of %s%s: its last block%s", explain_is_late(e) ? "B" : "C", name,
				terms_step(e, cost->tail.step), explain_is_late(e) ? ", from its assignment on" : "");
			continue;
		}
		terms_add(terms, class->makespan, "M of %s%s: the kernel itself", name, terms_step(e, cost->makespan.step));
		terms_add(terms, run->classes->lower_block[class->level], "%s; it is there when %s arrives",
			explain_lower(run->view, class->level), name);
	}
}

static int64_t print_served(const struct run *run, bool copies)
{
	struct explanation *e = run->view->e;
	struct terms served = terms_of(e);
	add_own(&served, run, !copies, copies, false);
	explain_line(e, 6, "Time of this context's %s while own ones are at their engine: no more than this is served then:",
		copies ? "copies" : "kernels");
	if (!copies && run->rules->volume)
		add_volume(&served, run);
	for (int s = 0; s < run->classes->stream_count; s++) {
		if (s == run->stream || (!copies && run->rules->volume))
			continue;
		if (copies) {
			add_copies(&served, run, s);
		} else {
			add_kernels(&served, run, s, true);
			add_kernels(&served, run, s, false);
		}
	}
	return terms_print(&served, 8, copies ? "served to copies" : "served to kernels", false);
}

/* Others' copies on the engines of the run, stops, and others' turns. */
static void add_lost(struct terms *terms, const struct run *run)
{
	const struct supply *kernels = &run->rules->kernels, *copies = &run->rules->copies;
	struct supply_use uses[SUPPLY_USES] = {{kernels, 0, run->kernels}, {copies, 0, run->copies}};
	int64_t stopped = explain_stops(terms, kernels, run->length);
	for (int i = 0; i < run->count; i++)
		if (run->items[i].place == PLACE_COPY && !seen_before(run, i))
			explain_copied(terms, copies, run->items[i].engine, run->length);
	if (kernels->own == NULL && copies->own == NULL)
		return;
	for (int i = 0; i < SUPPLY_USES; i++)
		uses[i].service = uses[i].windows > 0 && uses[i].supply->entries != NULL ? print_served(run, i == 1) : 0;
	explain_lost(terms, uses, SUPPLY_USES, stopped, run->length);
}

void explain_run(const struct view *view, const struct chain_of_classes *chain, int first, int last, int64_t length)
{
	const struct engines *engines = view->engines;
	struct run run = {.view = view,
		.classes = engines->classes,
		.rules = &engines->windows,
		.items = &engines->classes->items[chain->first + first],
		.count = last - first + 1,
		.stream = chain->stream,
		.level = engines->classes->items[chain->first].level,
		.length = length};
	struct terms terms = terms_of(view->e);
	for (int i = 0; i < run.count; i++) {
		run.kernels += run.items[i].place == PLACE_EXECUTION;
		run.copies += run.items[i].place == PLACE_COPY;
	}
	explain_line(view->e, 4,
		"%s%s%s: together at most x = %" PRId64 " ns, by %s, counted in a window of x:", explain_name(view, run.items),
		run.count > 1 ? " to " : "", run.count > 1 ? explain_name(view, &run.items[run.count - 1]) : "", length,
		run.rules->volume ? "(V.3)" : "(C.1)");
	add_own(&terms, &run, true, true, true);
	if (run.rules->volume && run.kernels > 0)
		add_volume(&terms, &run);
	for (int s = 0; s < run.classes->stream_count; s++)
		if (s != run.stream)
			add_stream(&terms, &run, s);
	add_lost(&terms, &run);
	terms_print_all(&terms, 8, length, "x", true);
}
