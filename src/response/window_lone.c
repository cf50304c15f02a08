#include "response/window_lone.h"

#include "base/plant.h"

#include <string.h>

/* What one stream costs all runs of a shape. */
struct stream_charge {
	struct tariff tariff;
	int64_t met[];
};

int window_lone_met(int64_t n, int count)
{
	int64_t met = n - planted(PLANT_CHAIN);
	return met < 0 ? 0 : met < count ? (int)met : count;
}

static void make_tariff(const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain,
	int stream, struct tariff *tariff)
{
	const struct sums *sums = &classes->sums[stream];
	int kernels = rules->volume ? 0 : classes->of_stream_count[stream], copies = classes->copies_count[stream];
	int own = classes->items[chain->first].level, level = rules->volume ? CLASS_LEVELS : classes_level(classes, stream);
	tariff->above = level < own ? sums->high : 0;
	for (int n = 0; n <= chain->count; n++) {
		int met = window_lone_met(n, copies);
		tariff->beside[n] = level == own ? sums->makespans[window_lone_met(n, kernels)] : 0;
		for (int e = 0; e < classes->engine_count; e++)
			tariff->copies[e][n] = n == 0 ? 0 : sums->copies[e][rules->fifo_copies ? met : copies];
	}
}

/* What meets the runs: by the stream's order, if that is less. A single operation meets the dearest. */
static void find_met(const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain,
	struct stream_charge *charge)
{
	for (int first = 0; first < chain->count; first++) {
		int kernels = 0, on_engine[CLASS_ENGINES] = {0};
		for (int last = first; last < chain->count; last++) {
			const struct class *class = &classes->items[chain->first + last];
			int64_t *in_order = &charge->met[first * chain->count + last], met;
			kernels += class->place == PLACE_EXECUTION;
			if (class->place == PLACE_COPY)
				on_engine[classes_engine(classes, class->engine)]++;
			met = charge->tariff.beside[kernels];
			for (int e = 0; e < classes->engine_count && rules->fifo_copies; e++)
				met = checked_add(met, charge->tariff.copies[e][on_engine[e]]);
			*in_order = rules->in_order && last > first ? checked_min(met, *in_order) : met;
		}
	}
}

static const struct stream_charge *charge_of(
	const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain, int stream)
{
	struct stream_charge **charge = &chain->shape->charges[stream];
	if (*charge != NULL)
		return *charge;
	size_t met = (size_t)(chain->count * chain->count) * sizeof *(*charge)->met;
	*charge = arena_reserve(classes->arena, 1, sizeof **charge + met);
	memset((*charge)->met, 0, met);
	make_tariff(classes, rules, chain, stream, &(*charge)->tariff);
	if (rules->in_order) {
		const struct in_order_run run = {classes, &classes->items[chain->first], chain->count, !rules->volume, rules->fifo_copies};
		in_order_charge_once(&run, stream, (*charge)->met);
	}
	find_met(classes, rules, chain, *charge);
	return *charge;
}

static void add_tariff(const struct classes *classes, int count, const struct tariff *tariff, struct tariff *sum)
{
	for (int n = 0; n <= count; n++)
		sum->beside[n] = checked_add(sum->beside[n], tariff->beside[n]);
	for (int e = 0; e < classes->engine_count; e++)
		for (int n = 0; n <= count; n++)
			sum->copies[e][n] = checked_add(sum->copies[e][n], tariff->copies[e][n]);
}

/* but: the chain's own stream; NO_ID: none is left out. */
static void add_streams(const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain, int but,
	struct window_lone *survey)
{
	survey->others = (struct tariff){.above = 0};
	memset(survey->met, 0, (size_t)(chain->count * chain->count) * sizeof *survey->met);
	for (int s = 0; s < classes->stream_count; s++) {
		if (s == but || classes->of_stream_count[s] + classes->copies_count[s] == 0)
			continue;
		const struct stream_charge *charge = charge_of(classes, rules, chain, s);
		survey->others.above = checked_add(survey->others.above, charge->tariff.above);
		if (rules->served)
			add_tariff(classes, chain->count, &charge->tariff, &survey->others);
		for (int i = 0; i < chain->count * chain->count; i++)
			survey->met[i] = checked_add(survey->met[i], charge->met[i]);
	}
}

/* No sum of it overflows. */
static bool fits(const struct classes *classes, int count, const struct window_lone *sum)
{
	int64_t most = sum->others.above;
	for (int n = 0; n <= count; n++)
		most = checked_max(most, sum->others.beside[n]);
	for (int e = 0; e < classes->engine_count; e++)
		for (int n = 0; n <= count; n++)
			most = checked_max(most, sum->others.copies[e][n]);
	for (int i = 0; i < count * count; i++)
		most = checked_max(most, sum->met[i]);
	return most != NONE;
}

/* What all streams of the context cost the chains of a shape, the chain's own one included; NULL: a sum overflows. */
static const struct window_lone *all_streams(
	const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain)
{
	struct shape *shape = chain->shape;
	if (shape->all == NULL) {
		shape->all = arena_reserve(classes->arena, 1, sizeof *shape->all);
		add_streams(classes, rules, chain, NO_ID, shape->all);
		shape->all_fit = fits(classes, chain->count, shape->all);
	}
	return shape->all_fit ? shape->all : NULL;
}

void window_lone_chain(const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain,
	struct window_lone *survey)
{
	const struct window_lone *all = classes->stream_count > 1 ? all_streams(classes, rules, chain) : NULL;
	if (all == NULL) {
		add_streams(classes, rules, chain, chain->stream, survey);
		return;
	}
	const struct stream_charge *own = charge_of(classes, rules, chain, chain->stream);
	survey->others = all->others;
	survey->others.above -= own->tariff.above;
	for (int n = 0; n <= chain->count && rules->served; n++) {
		survey->others.beside[n] -= own->tariff.beside[n];
		for (int e = 0; e < classes->engine_count; e++)
			survey->others.copies[e][n] -= own->tariff.copies[e][n];
	}
	for (int i = 0; i < chain->count * chain->count; i++)
		survey->met[i] = all->met[i] - own->met[i];
}
