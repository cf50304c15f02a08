/* Weights for COV by linear programs, one waiting kernel after the other. */
#include "response/cover.h"
#include "response/cover_weights.h"

#define TURNS 2 /* lighter weights make the window shorter in which higher levels arrive, and other weights may fit it better */

struct sharpener {
	struct arena *arena;
	struct cover *cover;
	const struct class *own;
	struct packing packing;
	struct weigher weigher;
};

/* False: more than can be counted, or in a window without end. */
static bool count_samples(const struct sharpener *s, int64_t window, int64_t delta, struct samples *samples)
{
	int64_t all = 0;
	*samples = (struct samples){{0}, {0}};
	for (int i = 0; i < s->packing.count; i++) {
		int class = s->packing.kernels[i].class;
		int64_t each = checked_div_ceil(s->cover->classes->items[class].block, delta);
		samples->certain[i] = checked_mul(cover_certain(s->cover, s->own, class, window), each);
		samples->carried[i] = i == 0 ? 0 : checked_mul(cover_carried(s->cover, s->own, class), each);
		all = checked_add(all, checked_add(samples->certain[i], samples->carried[i]));
	}
	return all != NONE;
}

static struct cover_weights spread(const struct sharpener *s, const int64_t *weights, int64_t unit)
{
	struct cover_weights spread = {unit, arena_allocate(s->arena, (size_t)s->cover->classes->count, sizeof *spread.of)};
	for (int i = 0; i < s->packing.count; i++)
		spread.of[s->packing.kernels[i].class] = weights[i];
	return spread;
}

/* The best of all deltas for a window; unit 0: none is better than `below`. False: the solver failed. */
static bool find(struct sharpener *s, int64_t window, int64_t below, struct cover_weights *best)
{
	struct samples samples, chosen = {{0}, {0}};
	int64_t weights[PACKING_KERNELS], kept[PACKING_KERNELS];
	bool found = false;
	for (int i = 0; i < s->cover->delta_count; i++) {
		if (!count_samples(s, window, s->cover->deltas[i], &samples))
			continue;
		if (!weights_solve(&s->weigher, &samples, weights))
			return false;
		struct cover_weights tried = spread(s, weights, WEIGHTS_UNIT);
		int64_t delay = cover_delay(s->cover, s->own, &tried, window, false);
		if (delay >= below)
			continue;
		below = delay;
		found = true;
		chosen = samples;
		for (int k = 0; k < s->packing.count; k++)
			kept[k] = weights[k];
	}
	if (found)
		*best = spread(s, kept, weights_finish(&s->weigher, &chosen, kept));
	return true;
}

static int64_t window_of(const struct sharpener *s)
{
	int64_t response = cover_response(s->cover, s->own, NONE);
	return response == NONE ? s->own->response : checked_min(s->own->response, response - s->own->block);
}

/* Can a kernel's response fall? Not below its last block after all dispatches, and not where nothing waits. */
static bool may_fall(const struct cover *cover, const struct class *own)
{
	int index = (int)(own - cover->classes->items);
	int64_t least = checked_add(own->block, cover_dispatcher(cover, own, 0));
	return cover->closed[index].unit > 0 && checked_sub(own->response, own->dependency) > least &&
	       cover_delay(cover, own, &cover->closed[index], 0, false) > 0;
}

static bool has_higher(const struct sharpener *s)
{
	for (int i = 0; i < s->cover->classes->count; i++)
		if (s->cover->classes->items[i].place == PLACE_EXECUTION && s->cover->classes->items[i].level < s->own->level)
			return true;
	return false;
}

static bool sharpen(struct sharpener *s)
{
	int index = (int)(s->own - s->cover->classes->items);
	struct cover_weights *sharp = &s->cover->sharp[index];
	for (int turn = 0; turn < TURNS; turn++) {
		int64_t window = window_of(s), now = cover_delay(s->cover, s->own, &s->cover->closed[index], window, false);
		if (sharp->unit > 0)
			now = checked_min(now, cover_delay(s->cover, s->own, sharp, window, false));
		if (!find(s, window, now, sharp))
			return false;
		if (!has_higher(s) || window_of(s) == window)
			break;
	}
	return true;
}

void cover_sharpen(struct arena *arena, struct cover *cover, const struct lp_limits *limits, int *failed)
{
	*failed = 0;
	for (int i = 0; i < cover->classes->count && cover_amounts_decide(cover->platform); i++) {
		struct sharpener s = {.arena = arena, .cover = cover, .own = &cover->classes->items[i]};
		if (!may_fall(cover, s.own) || !packing_build(&s.packing, arena, cover->platform, cover->map, cover->classes, i))
			continue;
		if (!weights_open(&s.weigher, &s.packing, limits))
			continue;
		*failed += !sharpen(&s);
		weights_close(&s.weigher);
	}
}
