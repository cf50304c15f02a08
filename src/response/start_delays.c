#include "response/start_delays.h"

bool start_delays_replace_order(const struct platform *platform)
{
	return platform_grants(platform, ASSUMPTION_ORDER) &&
	       !(platform_grants(platform, ASSUMPTION_HOL) && platform_grants(platform, ASSUMPTION_PRIO) &&
		       platform_grants(platform, ASSUMPTION_WC));
}

/* Is it above 0, by whom it may be; declared: by the task set? */
static bool states(const struct platform *platform, enum parameter which, bool declared)
{
	const struct quantity *quantity = &platform->parameters[which];
	return quantity->present && quantity->value > 0 && (!declared || quantity->declared_by != NULL);
}

bool start_delays_exist(const struct platform *platform)
{
	bool strict = platform_grants(platform, ASSUMPTION_HOL) && platform_grants(platform, ASSUMPTION_PRIO) &&
		      platform_grants(platform, ASSUMPTION_WC);
	bool stated = states(platform, PARAMETER_DISPATCH_DELAY, strict) || states(platform, PARAMETER_DISPATCH_STALL, strict);
	return stated || (!strict && platform_grants(platform, ASSUMPTION_ORDER));
}

static bool exceeds(const struct platform *platform, enum parameter capacity, int64_t a, int64_t b)
{
	int64_t all = platform_value(platform, capacity), both = checked_add(a, b);
	return all != NONE && both != NONE && both > all;
}

/* Do two blocks surely never fit an SM together, wherever their warps, registers and bytes lie? */
static bool exclude(const struct platform *platform, const struct demand *a, const struct demand *b)
{
	return platform_value(platform, PARAMETER_SM_BLOCKS) == 1 || exceeds(platform, PARAMETER_SM_WARPS, a->warps, b->warps) ||
	       exceeds(platform, PARAMETER_SM_SHARED, a->shared, b->shared) ||
	       exceeds(platform, PARAMETER_SM_REGISTERS, checked_mul(a->warps, a->warp_registers),
		       checked_mul(b->warps, b->warp_registers));
}

bool start_delays_meet_company(const struct platform *platform, const struct taskset *set, const struct map *map, int operation)
{
	const struct kernel_map *own = &map->kernels[operation];
	bool span = operation_is_span(&set->operations[operation]); /* what its own blocks do to one another is in it */
	if (!span && (!own->is_kernel || !own->sized))
		return true;
	if (!span && set->operations[operation].kernel.blocks != 1 && (own->occupancy.greatest == NONE || own->occupancy.greatest > 1))
		return true;
	for (int i = 0; i < set->operation_count && (span || own->mixes); i++) {
		const struct operation *other = &set->operations[i];
		if (other->stream == NO_ID || !map_streams_mix(platform, set, set->operations[operation].stream, other->stream))
			continue;
		const struct kernel_map *kernel = &map->kernels[i];
		if (!span && kernel->is_kernel && kernel->sized && exclude(platform, &own->occupancy.demand, &kernel->occupancy.demand))
			continue;
		if (map_meets_blocks(platform, other))
			return true;
	}
	return false;
}
