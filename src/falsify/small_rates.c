/* How fast blocks and copies of a small system progress beside what is active: [COMPOSE], A-RATE. */
#include "falsify/small_parts.h"

#define UNITS_MOST 12 /* a ns */

static const enum interferer sources_of_blocks[] = {
	INTERFERER_SM, INTERFERER_GPC, INTERFERER_H2D, INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET};
static const enum interferer sources_of_copies[] = {
	INTERFERER_EE, INTERFERER_ALL, INTERFERER_H2D, INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET};
#define SOURCES 6

/* ---- what can be followed */

static const char *refuse_entry(const struct interference_entry *entry)
{
	if (entry->count != NONE || entry->footprint != NONE || entry->victim != ACCESS_ANY)
		return "factors by number, footprint or kind of access";
	return entry->source == INTERFERER_CPU || entry->source == INTERFERER_OTHER ? "factors of other masters" : NULL;
}

/* SMs must be alike to one another: each a TPC of its own in one GPC. Where all factors are 1 it does not matter. */
static bool alike(const struct platform *platform, int sms)
{
	for (int i = 0; i < sms && platform->sms != NULL; i++)
		for (int j = 0; j < i; j++)
			if (platform->sms[i].gpc != platform->sms[j].gpc || platform->sms[i].gpc == NO_ID ||
				platform->sms[i].tpc == platform->sms[j].tpc)
				return false;
	return platform->sms != NULL || sms == 1;
}

/* ---- a factor, and all of a set */

/* No value: the table has none. */
static struct rational factor_of(const struct platform *platform, bool is_copy, enum interferer source)
{
	struct rational least = RATIONAL_NONE;
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		if (entry->is_copy == is_copy && entry->source == source)
			least = rational_is_none(least) ? entry->factor : rational_min(least, entry->factor);
	}
	return least;
}

static struct rational join(enum composition composition, struct rational a, struct rational b)
{
	if (composition == COMPOSITION_ADDITIVE)
		return rational_sub(rational_add(a, b), rational_of(1));
	return composition == COMPOSITION_MULTIPLICATIVE ? rational_mul(a, b) : rational_max(a, b);
}

/* By how much the set slows it; no value: nobody says. */
static struct rational slowness_of(const struct platform *platform, bool is_copy, int set)
{
	const enum interferer *sources = is_copy ? sources_of_copies : sources_of_blocks;
	struct rational slowness = rational_of(1), all = factor_of(platform, is_copy, INTERFERER_ALL);
	bool unknown = false;
	for (int i = 0; i < SOURCES; i++) {
		if ((set >> i & 1) == 0 || (is_copy && i == 1))
			continue;
		struct rational factor = factor_of(platform, is_copy, sources[i]);
		unknown |= rational_is_none(factor);
		slowness = rational_is_none(factor) ? slowness : join(platform->composition, slowness, factor);
	}
	if (!rational_is_none(all) && (unknown || rational_compare(all, slowness) < 0))
		return all;
	return unknown ? RATIONAL_NONE : slowness;
}

/* ---- the unit */

/* All that can be beside a block, or a copy, in this set. A direction has one engine, so its copies are never beside each other. */
static int possible(const struct small *small, const struct taskset *set, bool is_copy)
{
	int kernels = 0, copies = 0;
	for (int i = 0; i < set->operation_count; i++) {
		kernels |= small->operations[i].copy ? 0 : BESIDE_SM | (small->sm_count > 1 && !is_copy ? BESIDE_ELSEWHERE : 0);
		copies |= small->operations[i].source;
	}
	bool alone = (copies & (copies - 1)) == 0;
	return is_copy && alone ? kernels : kernels | copies;
}

static const char *find_rates(struct small *small, const struct platform *platform, const struct taskset *set)
{
	struct rational slowness[2][BESIDE_SETS];
	int all[2] = {possible(small, set, false), possible(small, set, true)};
	int64_t units = 1;
	for (int i = 0; i < 2 * BESIDE_SETS; i++) {
		struct rational *of = &slowness[i / BESIDE_SETS][i % BESIDE_SETS];
		*of = slowness_of(platform, i >= BESIDE_SETS, i % BESIDE_SETS & all[i / BESIDE_SETS]);
		if (rational_is_none(*of))
			return "nobody says by how much something slows another";
		units = checked_multiple(units, of->num);
		if (units > UNITS_MOST)
			return "factors of which a ns has no common part";
	}
	small->units = (int)units;
	for (int i = 0; i < set->operation_count; i++)
		for (int j = 0; j < BESIDE_SETS; j++) {
			struct rational of = slowness[small->operations[i].copy][j];
			small->operations[i].rates[j] = (uint8_t)(units * of.den / of.num);
		}
	return NULL;
}

const char *small_rate(struct small *small, const struct platform *platform, const struct taskset *set)
{
	const char *reason = NULL;
	small->units = 1;
	if (!platform_slows(platform))
		return NULL;
	for (int i = 0; i < platform->interference_count && reason == NULL; i++)
		reason = refuse_entry(&platform->interference[i]);
	if (reason == NULL && !alike(platform, small->sm_count))
		reason = "SMs of which nobody knows that each is a TPC of one GPC, with factors";
	return reason != NULL ? reason : find_rates(small, platform, set);
}
