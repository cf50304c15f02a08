#include "response/charged_once.h"

#include "base/plant.h"
#include "interference/environment.h"
#include "model/rules.h"

/* By how much copies slow blocks at most, and the execution engine copies; no value: not known. */
struct slowing {
	struct rational blocks, copies;
	bool has_blocks, has_copies;
	uint64_t assumptions;
};

static void join(struct rational *greatest, struct rational with, struct rational without)
{
	*greatest = rational_max(*greatest, rational_div(with, without));
}

static struct slowing find_slowing(
	const struct platform *platform, const struct taskset *set, const struct inflation *inflation, const struct inflation *apart)
{
	struct slowing slowing = {rational_of(1), rational_of(1), false, false, 0};
	for (int i = 0; i < set->operation_count; i++) {
		const struct inflated *with = &inflation->operations[i], *without = &apart->operations[i];
		enum operation_kind kind = set->operations[i].kind;
		if (kind == OPERATION_HOST || kind == OPERATION_WAIT || kind == OPERATION_RECORD)
			continue;
		if (with->wcet == NONE || without->wcet == NONE)
			return (struct slowing){RATIONAL_NONE, RATIONAL_NONE, false, false, 0};
		slowing.assumptions |= with->most_assumptions | without->most_assumptions;
		if (environment_is_compute(platform, &set->operations[i])) {
			join(&slowing.blocks, with->most, without->most);
			if (with->has_apart || without->has_apart) /* else they are the same */
				join(&slowing.blocks, with->most_apart, without->most_apart);
			slowing.has_blocks = true;
		} else {
			join(&slowing.copies, with->most, without->most);
			slowing.has_copies = true;
		}
	}
	return slowing;
}

static int weight(struct derivation *derivation, const char *about, struct rational value)
{
	return derivation_step(derivation, RULE_ONCE_WEIGHT, about, value);
}

/* The other weight that goes with 1: F' (1 - 1 / F). */
static struct rational against_one(struct rational own, struct rational other)
{
	return rational_mul(own, rational_sub(rational_of(1), rational_div(rational_of(1), other)));
}

static bool add(struct charged_once *corner, const struct costs *costs, const struct slowing *slowing, struct derivation *derivation,
	struct rational y, struct rational z)
{
	struct rational beside = against_one(slowing->copies, slowing->blocks);

	if (rational_is_none(y) || rational_is_none(z) || rational_is_none(beside))
		return false;
	*corner = (struct charged_once){.costs = costs,
		.kernels = y,
		.copies = z,
		.beside = beside,
		.kernels_step = weight(derivation, "gpu:kernels", y),
		.copies_step = weight(derivation, "gpu:copies", z),
		.beside_step = weight(derivation, "gpu:beside", beside),
		.assumptions = slowing->assumptions};
	return true;
}

int charged_once_find(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct inflation *inflation, struct derivation *derivation, struct charged_once corners[ONCE_CORNERS])
{
	const struct rational one = rational_of(1);
	if (platform->interference_count == 0 || set->company_count > 0) /* the factor of a whole span is none of any part of it */
		return 0;
	for (int i = 0; i < map->domains->count; i++) /* [ONCE] takes the engines to be one of kernels and those of copies */
		if (map->domains->items[i].parted)
			return 0;
	const struct inflation *apart = inflation_compute_engines_apart(arena, platform, set, map, inflation, derivation);
	struct slowing slowing = find_slowing(platform, set, inflation, apart);
	if (!slowing.has_blocks || !slowing.has_copies || rational_is_none(slowing.blocks) || rational_is_none(slowing.copies))
		return 0;
	struct rational shares = rational_add(rational_div(one, slowing.blocks), rational_div(one, slowing.copies));
	if (rational_is_none(shares) || (rational_compare(slowing.blocks, one) <= 0 && rational_compare(slowing.copies, one) <= 0))
		return 0;
	const struct costs *costs = costs_compute(arena, platform, set, map, apart, derivation);
	if (rational_compare(shares, one) >= 0 || planted(PLANT_MUTUAL))
		return add(&corners[0], costs, &slowing, derivation, one, one);
	int count = add(&corners[0], costs, &slowing, derivation, one, against_one(slowing.copies, slowing.blocks));
	return count + add(&corners[count], costs, &slowing, derivation, against_one(slowing.blocks, slowing.copies), one);
}
