/* COV (6.6): samples of full SMs, covered by blocks that each count by their weight; [COV-WEIGHTS] level 0. */
#include "model/limits.h"
#include "verify/cover_weights.h"
#include "verify/engines.h"
#include "verify/usable_sms.h"

#define ONE_WEIGHT (INT64_C(1) << 20)

struct share {
	int64_t used, all, unit;
};

static void shares_of(const struct platform *platform, const struct resident *of, struct share shares[LIMIT_COUNT])
{
	shares[LIMIT_WARPS] = (struct share){of->warps, platform_value(platform, PARAMETER_SM_WARPS), 1};
	shares[LIMIT_BLOCKS] = (struct share){1, platform_value(platform, PARAMETER_SM_BLOCKS), 1};
	int64_t registers = platform_value(platform, PARAMETER_REGISTER_UNIT), shared = platform_value(platform, PARAMETER_SHARED_UNIT);
	shares[LIMIT_REGISTERS] =
		(struct share){of->filling, checked_round_down(platform_value(platform, PARAMETER_SM_REGISTERS), registers), registers};
	shares[LIMIT_SHARED] =
		(struct share){of->shared, checked_round_down(platform_value(platform, PARAMETER_SM_SHARED), shared), shared};
}

/* The greatest part of what makes an SM full for `head` that one block of `of` holds. */
static int64_t weight(const struct platform *platform, const struct resident *of, const struct resident *head)
{
	struct share own[LIMIT_COUNT], other[LIMIT_COUNT];
	int64_t greatest = 0;
	shares_of(platform, of, own);
	shares_of(platform, head, other);
	for (int i = 0; i < LIMIT_COUNT; i++) {
		int64_t full = checked_add(checked_sub(other[i].all, other[i].used), other[i].unit);
		if (other[i].used == 0)
			continue;
		int64_t part = checked_is_none(full) || full <= 0 ? ONE_WEIGHT : checked_mul_div_ceil(own[i].used, ONE_WEIGHT, full);
		greatest = checked_max(greatest, checked_min(part, ONE_WEIGHT));
	}
	return greatest;
}

/* While a kernel of a level waits, heads are of this level or higher; while its own blocks wait, itself or higher. Amounts decide only
 * where resources are fungible and an SM is not configured by whoever came first. */
static int64_t weight_at(const struct engines *engines, int index, int level, bool own)
{
	const struct platform *platform = engines->work->check->platform;
	const struct resident *residents = engines->work->residents, *of = &residents[engines->classes[index].operation];
	if (!platform_grants(platform, ASSUMPTION_FRAG) || resident_configurable(platform))
		return ONE_WEIGHT;
	int64_t greatest = own ? weight(platform, of, of) : 0;
	for (int i = 0; i < engines->count; i++) {
		const struct class *head = &engines->classes[i];
		if (head->runs == RUNS_ON_SMS && (own ? head->level < level : head->level <= level))
			greatest = checked_max(greatest, weight(platform, of, &residents[head->operation]));
	}
	return greatest;
}

/* Where kernels pass one another the SMs are full for the one that waits, whatever the others do. */
static int64_t weight_for(const struct engines *engines, int index, int waiting)
{
	const struct platform *platform = engines->work->check->platform;
	const struct resident *residents = engines->work->residents;
	if (!platform_grants(platform, ASSUMPTION_FRAG) || resident_configurable(platform))
		return ONE_WEIGHT;
	return weight(platform, &residents[engines->classes[index].operation], &residents[engines->classes[waiting].operation]);
}

static bool is_counted(const struct engines *engines, const struct class *class)
{
	const struct operation *operation = &engines->work->check->set->operations[class->operation];
	const struct resident *resident = &engines->work->residents[class->operation];
	return operation->kind == OPERATION_KERNEL && operation->kernel.scope == SCOPE_BLOCK && !checked_is_none(class->blocks) &&
	       resident->sized && !checked_is_none(resident->slots_greatest);
}

static bool applies(const struct engines *engines)
{
	const struct work *work = engines->work;
	int64_t grids = platform_value(work->check->platform, PARAMETER_QUEUES_GRIDS);
	if (checked_is_none(grids) || grids < bounds_kernel_streams(work, engines->context) ||
		work->sharing->owners[engines->context].several || !bounds_one_configuration(work, engines->context) ||
		engines->count > LIMIT_COVER_CLASSES || checked_is_none(sms_of_context(work, engines->context)))
		return false;
	for (int i = 0; i < engines->count; i++)
		if (engines->classes[i].runs == RUNS_ON_SMS && !is_counted(engines, &engines->classes[i]))
			return false;
	return true;
}

/* All lengths are sound. Tried: 1, and block times with their halves and thirds, rounded up, four of each. */
static void add_deltas(const struct engines *engines, struct cover *cover, int part)
{
	for (int i = 0; i < engines->count && cover->delta_count < 1 + 4 * part && cover->delta_count < ENGINES_DELTAS; i++) {
		int64_t delta = checked_div_ceil(engines->classes[i].block, part);
		bool known = delta == 0 || engines->classes[i].runs != RUNS_ON_SMS;
		for (int k = 0; k < cover->delta_count; k++)
			known = known || cover->deltas[k] == delta;
		if (!known)
			cover->deltas[cover->delta_count++] = delta;
	}
}

struct cover *cover_make(const struct engines *engines)
{
	struct arena *arena = engines->work->check->arena;
	struct cover *cover = arena_allocate(arena, 1, sizeof *cover);
	size_t count = (size_t)engines->count + 1;
	if (!applies(engines))
		return NULL;
	cover->sms = sms_of_context(engines->work, engines->context);
	cover->own = arena_allocate(arena, count, sizeof *cover->own);
	cover->resident = arena_allocate(arena, count, sizeof *cover->resident);
	cover->claimed = arena_allocate(arena, count, sizeof *cover->claimed);
	cover->weight = arena_allocate(arena, (size_t)engines->levels, sizeof *cover->weight);
	for (int i = 0; i < engines->count; i++) {
		const struct class *class = &engines->classes[i];
		if (class->runs != RUNS_ON_SMS)
			continue;
		int64_t **weights = &cover->weight[class->level];
		if (engines->passing)
			continue;
		cover->own[i] = weight_at(engines, i, class->level, true);
		cover->resident[i] = checked_min(class->blocks, engines->work->residents[class->operation].slots_greatest);
		if (*weights != NULL)
			continue;
		*weights = arena_allocate(arena, count, sizeof **weights);
		for (int k = 0; k < engines->count; k++)
			if (engines->classes[k].runs == RUNS_ON_SMS)
				(*weights)[k] = weight_at(engines, k, class->level, false);
	}
	cover->deltas[cover->delta_count++] = 1;
	for (int part = 1; part <= 3; part++)
		add_deltas(engines, cover, part);
	return cover;
}

static bool is_above(const struct engines *engines, int stream, const struct class *own)
{
	const int *first = engines->kernels[stream];
	if (engines->passing)
		return *first >= 0 && stream != own->stream;
	return *first >= 0 && engines->classes[*first].level < own->level;
}

static int64_t samples(const struct engines *engines, int index, int64_t blocks, int64_t each_weight, int64_t delta)
{
	return checked_mul(checked_mul(blocks, checked_div_ceil(engines->classes[index].block, delta)), each_weight);
}

/* A window as it is sampled: all of it, or what is left of it when all blocks of lower levels have ended. */
struct sampling {
	int64_t window, delta;
	bool as_claimed, after_lower;
};

/* What the samples of a window weigh, and what one full SM does: by level 0, or as claimed. */
static int64_t all_samples(const struct engines *engines, const struct class *own, const struct sampling *sampling)
{
	bool as_claimed = sampling->as_claimed;
	int64_t delta = sampling->delta;
	const struct cover *cover = engines->cover;
	int self = (int)(own - engines->classes);
	int64_t passing[LIMIT_COVER_CLASSES];
	for (int i = 0; i < engines->count && engines->passing; i++)
		passing[i] = engines->classes[i].runs == RUNS_ON_SMS ? weight_for(engines, i, self) : 0;
	const int64_t *weights = as_claimed ? cover->claimed[self].of : engines->passing ? passing : cover->weight[own->level];
	int64_t of_own = as_claimed || engines->passing ? weights[self] : cover->own[self];
	int64_t sum = samples(engines, self, own->blocks - 1, of_own, delta);
	int64_t whole[LIMIT_COVER_CLASSES]; /* of all its blocks */
	for (int i = 0; i < engines->streams.count; i++) {
		int s = engines->streams.items[i];
		int64_t most = 0;
		for (const int *at = engines->kernels[s]; *at >= 0 && s != own->stream; at++) {
			const struct class *class = &engines->classes[*at];
			int64_t blocks = class->level <= own->level ? class->blocks : sampling->after_lower ? 0 : cover->resident[*at];
			whole[*at] = samples(engines, *at, class->blocks, weights[*at], delta);
			most = checked_max(most, samples(engines, *at, blocks, weights[*at], delta));
		}
		sum = checked_add(sum, is_above(engines, s, own) ? engines_above(engines, s, sampling->window, whole) : most);
	}
	return sum;
}

/* Launches and blocks of all that is counted, and one more dispatch for each kernel that may be under way ([V5]). No lower
 * level dispatches after the arrival, but for what was under way. */
static int64_t dispatcher(const struct engines *engines, const struct class *own, int64_t window)
{
	int64_t blocks = own->blocks, kernels = 1, whole[LIMIT_COVER_CLASSES];
	bool lower = false;
	for (int i = 0; i < engines->count; i++)
		whole[i] = engines->classes[i].blocks;
	for (int i = 0; i < engines->streams.count; i++) {
		int s = engines->streams.items[i];
		int64_t most = 0;
		bool above = is_above(engines, s, own);
		for (const int *at = engines->kernels[s]; *at >= 0 && s != own->stream; at++) {
			lower = lower || engines->classes[*at].level > own->level;
			if (engines->classes[*at].level <= own->level)
				most = checked_max(most, engines->classes[*at].blocks);
		}
		blocks = checked_add(blocks, above ? engines_above(engines, s, window, whole) : most);
		kernels = checked_add(kernels, above ? engines_above(engines, s, window, NULL) : most > 0);
	}
	blocks = checked_add(blocks, lower && !engines->passing);
	int64_t dispatches = checked_mul(engines->dispatch, checked_add(blocks, kernels));
	int64_t late = checked_mul(checked_mul(engines->delay, kernels), 3); /* no more than two when a head comes, one when it goes */
	return checked_add(checked_add(checked_mul(engines->launch, kernels), dispatches), late);
}

/* By all lengths of samples and both kinds of weights. */
static int64_t delay(const struct engines *engines, const struct class *own, int64_t window, bool after_lower)
{
	const struct cover *cover = engines->cover;
	const struct weights *claimed = &cover->claimed[own - engines->classes];
	int64_t least = NONE;
	for (int i = 0; i < 2 * cover->delta_count; i++) {
		struct sampling sampling = {window, cover->deltas[i % cover->delta_count], i >= cover->delta_count, after_lower};
		if (sampling.as_claimed && claimed->unit == 0)
			break;
		int64_t full = checked_mul(cover->sms, sampling.as_claimed ? claimed->unit : ONE_WEIGHT);
		int64_t sampled = checked_div_floor(all_samples(engines, own, &sampling), full);
		least = checked_min(least, checked_mul(sampling.delta, sampled));
	}
	return least;
}

int64_t cover_at(const struct engines *engines, const struct class *own, int64_t window, bool after_lower)
{
	return checked_add(delay(engines, own, window, after_lower), dispatcher(engines, own, window));
}
