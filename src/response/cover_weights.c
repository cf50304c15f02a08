#include "response/cover_weights.h"

#include "base/plant.h"
#include "lp/glpk.h"

#include <string.h>

#define ROUNDS 300
#define COEFFICIENTS (INT64_C(1) << 20) /* the dearest kernel's samples as the solver sees them */

/* ---- the program: maximise -(samples weighed), rows: configurations weigh at least one */

static bool shares_stream(const struct packing *packing, int kernel)
{
	return (kernel > 0 && packing->kernels[kernel - 1].stream == packing->kernels[kernel].stream) ||
	       (kernel + 1 < packing->count && packing->kernels[kernel + 1].stream == packing->kernels[kernel].stream);
}

static void add_stream_rows(struct weigher *weigher)
{
	const struct packing *packing = weigher->packing;
	int dearest = NO_ID, stream = NO_ID;
	for (int i = 0; i < packing->count; i++) {
		weigher->first_bound[i] = NO_ID;
		if (!shares_stream(packing, i))
			continue;
		if (packing->kernels[i].stream != stream)
			dearest = lp_column(&weigher->lp, -1, NONE);
		stream = packing->kernels[i].stream;
		lp_row(&weigher->lp, LP_AT_MOST, 0);
		weigher->first_bound[i] = weigher->lp.entry_count;
		lp_entry(&weigher->lp, i, 1);
		lp_entry(&weigher->lp, dearest, -1);
	}
}

bool weights_open(struct weigher *weigher, const struct packing *packing, const struct lp_limits *limits)
{
	*weigher = (struct weigher){.packing = packing};
	if (!packing_enumerate(packing, &weigher->configurations))
		return false;
	lp_init(&weigher->lp, packing->arena);
	for (int i = 0; i < packing->count; i++)
		lp_column(&weigher->lp, 0, WEIGHTS_UNIT);
	add_stream_rows(weigher);
	weigher->session = lp_session_open(&weigher->lp, limits);
	return true;
}

void weights_close(struct weigher *weigher)
{
	lp_session_close(weigher->session);
}

static int64_t greatest(const struct packing *packing, const struct samples *samples)
{
	int64_t greatest = 1;
	for (int i = 0; i < packing->count; i++)
		greatest = checked_max(greatest, checked_add(samples->certain[i], samples->carried[i]));
	return greatest;
}

/* Every weight costs a little, so that none is higher than it has to be. */
static void set_costs(struct weigher *weigher, const struct samples *samples)
{
	int64_t all = greatest(weigher->packing, samples);
	for (int i = 0; i < weigher->packing->count; i++) {
		int64_t carried = checked_mul_div_ceil(samples->carried[i], COEFFICIENTS, all);
		int64_t certain = checked_mul_div_ceil(samples->certain[i], COEFFICIENTS, all);
		int bound = weigher->first_bound[i];
		weigher->lp.columns[i].cost = -1 - certain - (bound == NO_ID ? carried : 0);
		if (bound != NO_ID)
			weigher->lp.entries[bound].factor = checked_max(1, carried);
	}
}

static void add_configuration(struct weigher *weigher, const unsigned char *blocks)
{
	lp_row(&weigher->lp, LP_AT_MOST, -WEIGHTS_UNIT);
	for (int i = 0; i < weigher->packing->count; i++)
		if (blocks[i] > 0)
			lp_entry(&weigher->lp, i, -(int64_t)blocks[i]);
}

/* ---- what a full SM weighs */

static int64_t weigh(const struct packing *packing, const unsigned char *blocks, const int64_t *weights)
{
	int64_t sum = 0;
	for (int i = 0; i < packing->count; i++)
		sum += blocks[i] * weights[i];
	return sum;
}

static const unsigned char *configuration(const struct weigher *weigher, int index)
{
	return &weigher->configurations.blocks[(size_t)index * (size_t)weigher->packing->count];
}

int64_t weights_lightest(const struct weigher *weigher, const int64_t *weights, unsigned char *blocks)
{
	int64_t least = NONE;
	for (int i = 0; i < weigher->configurations.count; i++) {
		int64_t sum = weigh(weigher->packing, configuration(weigher, i), weights);
		if (sum >= least)
			continue;
		least = sum;
		memcpy(blocks, configuration(weigher, i), (size_t)weigher->packing->count);
	}
	return least;
}

/* The least weight of a kernel, the others as they are. */
static int64_t least_weight(const struct weigher *weigher, const int64_t *weights, int kernel, int64_t unit)
{
	int64_t least = 0;
	for (int i = 0; i < weigher->configurations.count; i++) {
		const unsigned char *blocks = configuration(weigher, i);
		if (blocks[kernel] == 0)
			continue;
		int64_t others = weigh(weigher->packing, blocks, weights) - blocks[kernel] * weights[kernel];
		least = checked_max(least, checked_div_ceil(unit - others, blocks[kernel]));
	}
	return least;
}

/* ---- proposal and proof */

bool weights_raise(const struct weigher *weigher, int64_t *weights)
{
	unsigned char blocks[PACKING_KERNELS];
	int64_t least = weights_lightest(weigher, weights, blocks);
	if (least == NONE || planted(PLANT_WEIGHTS))
		return true;
	if (least <= 0)
		return false;
	for (int i = 0; i < weigher->packing->count; i++)
		weights[i] = checked_min(WEIGHTS_UNIT, checked_mul_div_ceil(weights[i], WEIGHTS_UNIT, least));
	return true;
}

bool weights_solve(struct weigher *weigher, const struct samples *samples, int64_t *weights)
{
	unsigned char blocks[PACKING_KERNELS];
	int kernels = weigher->packing->count;
	set_costs(weigher, samples);
	for (int round = 0; round < ROUNDS; round++) {
		struct lp_proposal proposal = lp_session_propose(weigher->session);
		if (proposal.status != LP_SOLVED)
			return false;
		for (int i = 0; i < kernels; i++)
			weights[i] = checked_max(0, checked_min(WEIGHTS_UNIT, proposal.counts[i]));
		int64_t least = weights_lightest(weigher, weights, blocks);
		if (least >= WEIGHTS_UNIT - 256 || (planted(PLANT_WEIGHTS) && round == 1))
			break;
		add_configuration(weigher, blocks);
	}
	return weights_raise(weigher, weights);
}

int64_t weights_total(const struct packing *packing, const struct samples *samples, const int64_t *weights)
{
	int64_t sum = 0, dearest = 0;
	for (int i = 0; i < packing->count; i++) {
		sum = checked_add(sum, checked_mul(samples->certain[i], weights[i]));
		if (i == 0 || packing->kernels[i].stream != packing->kernels[i - 1].stream) {
			sum = checked_add(sum, dearest);
			dearest = 0;
		}
		dearest = checked_max(dearest, checked_mul(samples->carried[i], weights[i]));
	}
	return checked_add(sum, dearest);
}

/* ---- lowering, the kernels with most samples first */

static void lower(const struct weigher *weigher, const struct samples *samples, int64_t *weights, int64_t unit)
{
	bool done[PACKING_KERNELS] = {false};
	for (int turn = 0; turn < weigher->packing->count; turn++) {
		int next = NO_ID;
		for (int i = 0; i < weigher->packing->count; i++)
			if (!done[i] && (next == NO_ID || checked_add(samples->certain[i], samples->carried[i]) >
								  checked_add(samples->certain[next], samples->carried[next])))
				next = i;
		done[next] = true;
		weights[next] = least_weight(weigher, weights, next, unit);
	}
}

/* Units in which weights are often whole: a reviewer can check thirds by hand. */
static const int64_t units[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 28, 30, 32, 36, 40, 42, 48, 60, 64};

static bool try_unit(const struct weigher *weigher, const struct samples *samples, const int64_t *weights, int64_t unit, int64_t *found)
{
	unsigned char blocks[PACKING_KERNELS];
	const struct packing *packing = weigher->packing;
	for (int i = 0; i < packing->count; i++)
		found[i] = (weights[i] * unit + WEIGHTS_UNIT / 2) / WEIGHTS_UNIT;
	if (weights_lightest(weigher, found, blocks) < unit)
		return false;
	lower(weigher, samples, found, unit);
	int64_t fine = checked_mul(weights_total(packing, samples, weights), unit);
	int64_t coarse = checked_mul(weights_total(packing, samples, found), WEIGHTS_UNIT);
	return coarse != NONE && coarse <= checked_add(fine, fine / 4096);
}

static int64_t reduce(const struct packing *packing, int64_t *weights, int64_t unit)
{
	int64_t divisor = unit;
	for (int i = 0; i < packing->count; i++)
		divisor = checked_divisor(divisor, weights[i]);
	for (int i = 0; i < packing->count; i++)
		weights[i] /= divisor;
	return unit / divisor;
}

int64_t weights_finish(const struct weigher *weigher, const struct samples *samples, int64_t *weights)
{
	int64_t found[PACKING_KERNELS];
	const struct packing *packing = weigher->packing;
	if (planted(PLANT_WEIGHTS))
		return WEIGHTS_UNIT;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (try_unit(weigher, samples, weights, units[i], found)) {
			memcpy(weights, found, sizeof *weights * (size_t)packing->count);
			return reduce(packing, weights, units[i]);
		}
	lower(weigher, samples, weights, WEIGHTS_UNIT);
	return reduce(packing, weights, WEIGHTS_UNIT);
}
