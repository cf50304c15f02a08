/* COV (6.6): samples of blocks that fill SMs while a kernel waits, and the dispatcher's time. */
#include "report/explain_engines.h"

#include "base/checked.h"
#include "response/cover.h"

#include <inttypes.h>

#define ITERATIONS 100000

struct wait { /* one way to count */
	const struct view *view;
	const struct cover *cover;
	const struct class *own;
	const struct cover_weights *weights;
	bool after_lower;
	int64_t begins, window, delta;
};

static bool is_lower(const struct wait *w, int stream)
{
	const struct classes *classes = w->cover->classes;
	return classes->of_stream_count[stream] > 0 &&
	       cover_rank(w->cover, w->own, &classes->items[classes->of_stream[stream][0]]) == COVER_LOWER;
}

static bool is_higher(const struct wait *w, int stream)
{
	const struct classes *classes = w->cover->classes;
	return stream != w->own->stream && classes->of_stream_count[stream] > 0 &&
	       cover_rank(w->cover, w->own, &classes->items[classes->of_stream[stream][0]]) == COVER_HIGHER;
}

static int64_t samples_of(const struct wait *w, int index, int64_t blocks)
{
	int64_t each = checked_div_ceil(w->cover->classes->items[index].block, w->delta);
	return checked_mul(checked_mul(blocks, each), w->weights->of[index]);
}

static int64_t all_of(const struct wait *w, int index)
{
	return samples_of(w, index, w->cover->classes->items[index].blocks);
}

static int64_t blocks_of(const struct wait *w, int index)
{
	return w->cover->classes->items[index].blocks;
}

static int64_t one_of(const struct wait *w, int index)
{
	(void)w;
	(void)index;
	return 1;
}

/* Is it least to count of each kernel of a higher stream those that were there or come, as none was there for longer than its response?
 * Else the one that was there may be any, and all come. [WHO-WAS-THERE]. */
static bool since(const struct wait *w, int stream, int64_t (*each)(const struct wait *w, int index))
{
	const struct classes *classes = w->cover->classes;
	int64_t there = 0, come = 0, most = 0;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		int index = classes->of_stream[stream][i];
		const struct class *class = &classes->items[index];
		there = checked_add(there, checked_mul(class_there(class, w->window), each(w, index)));
		come = checked_add(come, checked_mul(arrivals_in_closed(&class->arrivals, w->window, 1), each(w, index)));
		most = checked_max(most, each(w, index));
	}
	return is_higher(w, stream) && there <= checked_add(come, most);
}

/* The class of a stream's one kernel at the engine whose blocks weigh most; -1: none. */
static int heaviest_of(const struct wait *w, int stream)
{
	const struct classes *classes = w->cover->classes;
	int64_t most = 0;
	int heaviest = -1;
	if (stream == w->own->stream || (w->after_lower && is_lower(w, stream)))
		return -1;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		int index = classes->of_stream[stream][i];
		int64_t samples = samples_of(w, index, cover_carried(w->cover, w->own, index));
		heaviest = samples > most ? index : heaviest;
		most = checked_max(most, samples);
	}
	return heaviest;
}

static void add_samples(struct terms *terms, const struct wait *w, int index, int64_t blocks, const char *why)
{
	const struct class *class = &w->cover->classes->items[index];
	int64_t each = checked_div_ceil(class->block, w->delta), all = samples_of(w, index, blocks);
	terms_add(terms, all,
		"%s%s: %" PRId64 " * %" PRId64 " * %" PRId64 " = %" PRId64 ", blocks, samples of one, weight; ceil(%" PRId64 " / %" PRId64
		") = %" PRId64,
		explain_name(w->view, class), why, blocks, each, w->weights->of[index], all, class->block, w->delta, each);
}

static const char *above_text(const struct wait *w)
{
	return w->cover->passing ? ", which may pass it" : ", of a higher level";
}

static const char *arrivals_text(const struct wait *w, const struct class *class)
{
	return arena_format(w->view->e->arena, "%s, arrivals %s", above_text(w), terms_count(w->view->e, &class->arrivals, w->window, 1));
}

static const char *there_text(const struct wait *w, const struct class *class)
{
	return arena_format(w->view->e->arena, "%s, arrivals %s", above_text(w), explain_there(w->view, class, w->window));
}

static struct terms all_samples(const struct wait *w)
{
	const struct classes *classes = w->cover->classes;
	struct terms terms = terms_of(w->view->e);
	for (int s = 0; s < classes->stream_count; s++) {
		int index = s != w->own->stream && since(w, s, all_of) ? -1 : heaviest_of(w, s);
		if (index >= 0)
			add_samples(&terms, w, index, cover_carried(w->cover, w->own, index),
				is_lower(w, s) ? ", blocks of a lower level that the chip may hold"
					       : ", the one of its stream at the engine");
	}
	for (int i = 0; i < classes->count; i++) {
		int64_t certain = cover_certain(w->cover, w->own, i, w->window);
		const struct class *class = &classes->items[i];
		if (class->place == PLACE_EXECUTION && cover_rank(w->cover, w->own, class) == COVER_HIGHER &&
			since(w, class->stream, all_of))
			add_samples(&terms, w, i, checked_mul(class_there(class, w->window), class->blocks), there_text(w, class));
		else if (certain != 0)
			add_samples(&terms, w, i, certain, class == w->own ? ", own blocks but the last" : arrivals_text(w, class));
	}
	return terms;
}

/* Blocks and kernels that the dispatcher works on meanwhile. */
static void add_dispatcher(struct terms *terms, const struct wait *w)
{
	const struct classes *classes = w->cover->classes;
	struct terms blocks = terms_of(w->view->e), kernels = terms_of(w->view->e);
	const char *name = explain_name(w->view, w->own);
	terms_add(&blocks, w->own->blocks, "%s", name);
	terms_add(&blocks, !w->cover->passing && classes->lower_block[w->own->level] > 0, "a block of a lower level, under way");
	terms_add(&kernels, 1, "%s", name);
	for (int s = 0; s < classes->stream_count; s++) {
		const struct class *most = NULL;
		for (int i = 0; i < classes->of_stream_count[s] && s != w->own->stream && !is_lower(w, s); i++) {
			const struct class *class = &classes->items[classes->of_stream[s][i]];
			most = most == NULL || class->blocks > most->blocks ? class : most;
		}
		if (most == NULL)
			continue;
		if (!since(w, s, blocks_of))
			terms_add(&blocks, most->blocks, "%s, the most of its stream", explain_name(w->view, most));
		if (!since(w, s, one_of))
			terms_add(&kernels, 1, "one of the stream of %s", explain_name(w->view, most));
	}
	for (int i = 0; i < classes->count; i++) {
		const struct class *class = &classes->items[i];
		if (class->place != PLACE_EXECUTION || cover_rank(w->cover, w->own, class) != COVER_HIGHER)
			continue;
		int64_t come = arrivals_in_closed(&class->arrivals, w->window, 1), there = class_there(class, w->window);
		bool by_blocks = since(w, class->stream, blocks_of);
		int64_t arrivals = by_blocks ? there : come;
		terms_add(&blocks, checked_mul(arrivals, class->blocks), "%s%s: %s", explain_name(w->view, class),
			by_blocks ? there_text(w, class) : arrivals_text(w, class), terms_product(w->view->e, arrivals, class->blocks));
		terms_add(&kernels, since(w, class->stream, one_of) ? there : come, "%s", explain_name(w->view, class));
	}
	if (w->cover->launch == 0 && w->cover->dispatch == 0 && w->cover->delay == 0)
		return;
	explain_line(w->view->e, 6, "Blocks that are dispatched meanwhile, and their kernels:");
	int64_t b = terms_print(&blocks, 8, "blocks", false), k = terms_print(&kernels, 8, "kernels", false);
	terms_add(terms, checked_mul(w->cover->launch, k), "o_launch: %s", terms_product(w->view->e, w->cover->launch, k));
	terms_add(terms, checked_mul(w->cover->dispatch, checked_add(b, k)),
		"o_blk for each block, and for one of each kernel that another may break off: %" PRId64 " * (%" PRId64 " + %" PRId64
		") = %" PRId64,
		w->cover->dispatch, b, k, checked_mul(w->cover->dispatch, checked_add(b, k)));
	terms_add(terms, checked_mul(w->cover->delay, 3 * k), "start delays: %" PRId64 " * 3 * %" PRId64 " = %" PRId64, w->cover->delay, k,
		checked_mul(w->cover->delay, 3 * k));
}

/* ---- which way, window and delta */

static int64_t step(const struct wait *w)
{
	int index = (int)(w->own - w->cover->classes->items);
	int64_t next = cover_delay(w->cover, w->own, &w->cover->closed[index], w->window, w->after_lower);
	if (w->cover->sharp[index].unit > 0)
		next = checked_min(next, cover_delay(w->cover, w->own, &w->cover->sharp[index], w->window, w->after_lower));
	return checked_add(next, cover_dispatcher(w->cover, w->own, w->window));
}

static int64_t end_of(struct wait *w)
{
	for (int i = 0; i < ITERATIONS; i++) {
		int64_t next = step(w), begin = supply_begin_step(w->cover->supply, next, w->window);
		if (begin == NONE || begin > w->cover->horizon)
			return NONE;
		if (begin <= w->window)
			return supply_end(
				w->cover->supply, ENGINE_NONE, checked_add(next, checked_add(w->begins, w->own->block)), w->cover->horizon);
		w->window = begin;
	}
	return NONE;
}

static int64_t delay_of(const struct wait *w)
{
	int64_t full = checked_mul(w->cover->sms, w->weights->unit);
	return checked_mul(w->delta, checked_div_floor(all_samples(w).sum, full));
}

/* The weights and the delta by which the delay is least. */
static void find_least(struct wait *w)
{
	int index = (int)(w->own - w->cover->classes->items);
	const struct cover_weights *both[] = {&w->cover->closed[index], &w->cover->sharp[index]};
	struct wait best = *w;
	int64_t least = NONE;
	for (int i = 0; i < 2; i++)
		for (int d = 0; d < w->cover->delta_count && both[i]->unit > 0; d++) {
			w->weights = both[i];
			w->delta = w->cover->deltas[d];
			if (delay_of(w) >= least)
				continue;
			best = *w;
			least = delay_of(w);
		}
	*w = best;
}

void explain_cover(const struct view *view, const struct class *class, int64_t response)
{
	const struct cover *cover = view->engines->rules.cover;
	struct wait w = {.view = view, .cover = cover, .own = class};
	int64_t lower = cover->passing ? 0 : cover->classes->lower_block[class->level];
	if (end_of(&w) != response && lower > 0) {
		w = (struct wait){.view = view, .cover = cover, .own = class, .after_lower = true, .begins = lower};
		end_of(&w);
	}
	find_least(&w);
	struct terms terms = terms_of(view->e), samples = all_samples(&w);
	const char *sharp = w.weights == &cover->closed[class - cover->classes->items] ? "level 0, a closed form"
										       : "found by a linear program, checked";
	explain_line(view->e, 6,
		"Samples of blocks at most while it waits up to %" PRId64 ", one each %" PRId64 " ns; a full SM weighs %" PRId64
		" at least (weights: %s):",
		w.window, w.delta, w.weights->unit, sharp);
	int64_t all = terms_print(&samples, 8, "weight of all samples", false), full = checked_mul(cover->sms, w.weights->unit);
	int64_t times = checked_div_floor(all, full);
	if (w.after_lower)
		terms_add(&terms, lower, "%s; it is waited for first", explain_lower(view, class->level));
	terms_add(&terms, checked_mul(w.delta, times),
		"all SMs are full: %" PRId64 " * floor(%" PRId64 " / (%" PRId64 " * %" PRId64 ")) = %" PRId64 "; SMs, weight of one",
		w.delta, all, cover->sms, w.weights->unit, checked_mul(w.delta, times));
	add_dispatcher(&terms, &w);
	terms_add(&terms, class->block, "C of %s%s: its last block", explain_name(view, class),
		terms_step(view->e, explain_cost(view, class)->residence.step));
	explain_window_end(&terms, cover->supply, ENGINE_NONE, terms.sum, response);
	terms_print_all(&terms, 8, response, "from its engine to completion", true);
}
