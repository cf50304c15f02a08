/* COV term by term: samples of blocks that fill SMs while a kernel waits, and the dispatcher's time. */
#include "response/cover_parts.h"

struct way { /* to count, of one kernel */
	const struct cover *cover;
	const struct class *own;
	const struct cover_weights *weights;
	const struct cover_counts *counts;
	int64_t window;
	bool after_lower;
	int delta;
};

static int64_t samples_of(const struct way *way, int index, int64_t blocks)
{
	return checked_mul(checked_mul(blocks, way->weights->of[index]), way->cover->each[index * COVER_DELTAS + way->delta]);
}

static int64_t all_samples_of(const struct way *way, int index)
{
	return samples_of(way, index, way->cover->classes->items[index].blocks);
}

static int64_t blocks_of(const struct way *way, int index)
{
	return way->cover->classes->items[index].blocks;
}

static int64_t one_of(const struct way *way, int index)
{
	(void)way;
	(void)index;
	return 1;
}

/* Of a higher stream: is it least to count of each kernel those that were there or come? [WHO-WAS-THERE]. */
static bool since(const struct way *way, int stream, int64_t (*each)(const struct way *way, int index))
{
	const struct classes *classes = way->cover->classes;
	int64_t there = 0, come = 0, most = 0;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		int index = classes->of_stream[stream][i];
		there = checked_add(there, checked_mul(way->counts->there[index], each(way, index)));
		come = checked_add(come, checked_mul(way->counts->come[index], each(way, index)));
		most = checked_max(most, each(way, index));
	}
	return stream != way->own->stream && cover_is_higher(way->cover, way->own, stream) && there <= checked_add(come, most);
}

/* The kernel at the engine that counts most of its stream; NO_ID: none counts. */
static int most_of(const struct way *way, int stream, int64_t (*each)(const struct way *way, int index))
{
	const struct classes *classes = way->cover->classes;
	int found = NO_ID;
	if (stream == way->own->stream || since(way, stream, each))
		return NO_ID;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		int index = classes->of_stream[stream][i];
		found = each(way, index) > (found == NO_ID ? 0 : each(way, found)) ? index : found;
	}
	return found;
}

static int64_t carried_samples_of(const struct way *way, int index)
{
	return samples_of(way, index, cover_carried(way->cover, way->own, index));
}

/* Arrivals of a higher kernel. */
static struct term coming(const struct way *way, int index, bool there)
{
	const struct class *class = &way->cover->classes->items[index];
	return (struct term){.of = class->operation,
		.count = there ? way->counts->there[index] : way->counts->come[index],
		.arrivals = class->arrivals,
		.window = way->window,
		.early = there ? class->response : 1,
		.up = way->cover->passing};
}

static void add_samples(const struct way *way, int index, int64_t blocks, struct term term, enum term_kind kind, struct terms *terms)
{
	const struct class *class = &way->cover->classes->items[index];
	term.kind = kind;
	term.of = class->operation;
	term.amount = samples_of(way, index, blocks);
	term.n[0] = blocks;
	term.n[1] = way->cover->each[index * COVER_DELTAS + way->delta];
	term.n[2] = way->weights->of[index];
	term.n[3] = class->block;
	term.n[4] = way->cover->deltas[way->delta];
	terms_add(terms, term);
}

static void add_all_samples(const struct way *way, struct terms *terms)
{
	const struct classes *classes = way->cover->classes;
	const struct term none = {.kind = TERM_SAMPLES_OWN};
	for (int s = 0; s < classes->stream_count; s++) {
		bool lower = cover_is_lower(way->cover, way->own, s), higher = cover_is_higher(way->cover, way->own, s), there;
		int at = lower && way->after_lower ? NO_ID : most_of(way, s, carried_samples_of);
		if (at != NO_ID)
			add_samples(way, at, cover_carried(way->cover, way->own, at), none, lower ? TERM_SAMPLES_BELOW : TERM_SAMPLES_AT,
				terms);
		there = since(way, s, all_samples_of);
		for (int i = 0; i < classes->of_stream_count[s] && higher && s != way->own->stream; i++) {
			int index = classes->of_stream[s][i];
			struct term term = coming(way, index, there);
			add_samples(way, index, checked_mul(term.count, blocks_of(way, index)), term,
				there ? TERM_SAMPLES_THERE : TERM_SAMPLES_ABOVE, terms);
		}
	}
	add_samples(way, (int)(way->own - classes->items), way->own->blocks - 1, none, TERM_SAMPLES_OWN, terms);
}

static void add_blocks_and_kernels(const struct way *way, struct terms *blocks, struct terms *kernels)
{
	const struct classes *classes = way->cover->classes;
	bool lower = !way->cover->passing && classes->lower_block[way->own->level] > 0;
	terms_add(blocks, (struct term){.kind = TERM_BLOCKS, .of = way->own->operation, .amount = way->own->blocks});
	terms_add(blocks, (struct term){.kind = TERM_BLOCK_BELOW, .amount = lower});
	terms_add(kernels, (struct term){.kind = TERM_BLOCKS, .of = way->own->operation, .amount = 1});
	for (int s = 0; s < classes->stream_count; s++) {
		if (s == way->own->stream || cover_is_lower(way->cover, way->own, s))
			continue;
		int most = most_of(way, s, blocks_of), one = most_of(way, s, one_of);
		bool there = since(way, s, blocks_of), there_too = since(way, s, one_of);
		if (most != NO_ID)
			terms_add(blocks,
				(struct term){
					.kind = TERM_BLOCKS_AT, .of = classes->items[most].operation, .amount = blocks_of(way, most)});
		if (one != NO_ID)
			terms_add(kernels, (struct term){.kind = TERM_KERNEL_AT, .of = classes->items[one].operation, .amount = 1});
		for (int i = 0; i < classes->of_stream_count[s]; i++) {
			int index = classes->of_stream[s][i];
			terms_add_each(
				blocks, coming(way, index, there), there ? TERM_BLOCKS_THERE : TERM_BLOCKS_ABOVE, blocks_of(way, index));
			terms_add_each(kernels, coming(way, index, there_too), TERM_BLOCKS, 1);
		}
	}
}

static void add_dispatcher(const struct way *way, struct terms *terms)
{
	const struct cover *cover = way->cover;
	if (cover->launch == 0 && cover->dispatch == 0 && cover->delay == 0)
		return;
	const struct cover_dispatched of = cover_dispatched(cover, way->own, way->counts);
	struct terms *blocks = terms_list(terms, (struct term){.kind = TERM_DISPATCHED, .amount = of.blocks}),
		     *kernels = terms_list(terms, (struct term){.kind = TERM_DISPATCHED_KERNELS, .amount = of.kernels});
	add_blocks_and_kernels(way, blocks, kernels);
	terms_add_each(terms, (struct term){.count = of.kernels}, TERM_LAUNCHES, cover->launch);
	terms_add(terms, (struct term){.kind = TERM_DISPATCHES,
				 .amount = checked_mul(cover->dispatch, checked_add(of.blocks, of.kernels)),
				 .each = cover->dispatch,
				 .n = {of.blocks, of.kernels}});
	terms_add(terms, (struct term){.kind = TERM_DELAYS,
				 .amount = checked_mul(cover->delay, checked_mul(3, of.kernels)),
				 .each = cover->delay,
				 .n = {of.kernels}});
}

/* The weights and the delta by which it waits least. */
static void find_least(struct way *way)
{
	int index = (int)(way->own - way->cover->classes->items);
	const struct cover_weights *both[] = {&way->cover->closed[index], &way->cover->sharp[index]};
	int64_t least = NONE, sums[COVER_DELTAS];
	for (int i = 0; i < 2 && (i == 0 || (!way->cover->closed_only && both[i]->unit > 0)); i++) {
		int64_t full = checked_mul(way->cover->sms, both[i]->unit);
		cover_weigh(way->cover, way->own, both[i], way->counts, way->after_lower, sums);
		for (int d = 0; d < way->cover->delta_count; d++) {
			int64_t delay = checked_mul(way->cover->deltas[d], checked_div_floor(sums[d], full));
			if (delay >= least)
				continue;
			least = delay;
			way->weights = both[i];
			way->delta = d;
		}
	}
}

static void add_full(struct way *way, struct terms *terms)
{
	const struct cover *cover = way->cover;
	int64_t delta = cover->deltas[way->delta], unit = way->weights->unit;
	terms_add(terms, (struct term){.kind = TERM_SAMPLED,
				 .n = {way->window, delta, unit},
				 .up = way->weights != &cover->closed[way->own - cover->classes->items]});
	struct terms *samples = terms_list(terms, (struct term){.kind = TERM_SAMPLES, .amount = NONE});
	add_all_samples(way, samples);
	terms_add(terms, (struct term){.kind = TERM_FULL,
				 .amount = checked_mul(delta, checked_div_floor(samples->sum, checked_mul(cover->sms, unit))),
				 .each = delta,
				 .n = {samples->sum, cover->sms, unit},
				 .parts = samples});
}

void cover_terms(const struct cover *cover, const struct class *own, int64_t response, struct terms *terms)
{
	struct cover_counts counts;
	struct way way = {.cover = cover, .own = own, .counts = &counts};
	struct term gone = classes_lower(cover->classes, own->level);
	if (cover_window(cover, own, 0, false, NONE, &way.window) != response && !cover->passing && gone.amount > 0) {
		way.after_lower = true;
		cover_window(cover, own, gone.amount, true, NONE, &way.window);
	}
	cover_count(cover, own, way.window, &counts);
	find_least(&way);
	gone.kind = TERM_GONE;
	if (way.after_lower)
		terms_add(terms, gone);
	add_full(&way, terms);
	add_dispatcher(&way, terms);
	terms_add(terms, (struct term){.kind = TERM_LAST_BLOCK, .of = own->operation, .amount = own->block});
}
