#include "response/cover_packing.h"

#include "base/assert.h"
#include "base/plant.h"

#include <string.h>

/* ---- who may be there, and when an SM is full */

struct amounts { /* of one block, in units */
	int64_t of[RESOURCE_COUNT];
};

static struct amounts amounts_of(const struct platform *platform, const struct demand *demand)
{
	int64_t registers = checked_mul(demand->warps, demand->warp_registers);
	return (struct amounts){{demand->warps, 1, checked_div_ceil(registers, platform_value(platform, PARAMETER_REGISTER_UNIT)),
		checked_div_ceil(demand->shared, platform_value(platform, PARAMETER_SHARED_UNIT))}};
}

/* What nobody uses needs no unit. */
static struct amounts sparse(const struct platform *platform, const struct demand *demand)
{
	struct amounts amounts = amounts_of(platform, demand);
	amounts.of[RESOURCE_REGISTERS] = demand->warp_registers == 0 ? 0 : amounts.of[RESOURCE_REGISTERS];
	amounts.of[RESOURCE_SHARED] = demand->shared == 0 ? 0 : amounts.of[RESOURCE_SHARED];
	return amounts;
}

static void set_capacities(struct packing *packing, const struct platform *platform)
{
	packing->capacity[RESOURCE_WARPS] = platform_value(platform, PARAMETER_SM_WARPS);
	packing->capacity[RESOURCE_BLOCKS] = platform_value(platform, PARAMETER_SM_BLOCKS);
	packing->capacity[RESOURCE_REGISTERS] =
		checked_div_floor(platform_value(platform, PARAMETER_SM_REGISTERS), platform_value(platform, PARAMETER_REGISTER_UNIT));
	packing->capacity[RESOURCE_SHARED] =
		checked_div_floor(platform_value(platform, PARAMETER_SM_SHARED), platform_value(platform, PARAMETER_SHARED_UNIT));
}

static bool add(struct packing *packing, const struct platform *platform, const struct map *map, const struct classes *classes, int class)
{
	const struct class *of = &classes->items[class];
	const struct occupancy *occupancy = &map->kernels[of->operation].occupancy;
	bool own = packing->count == 0;
	if (packing->count == PACKING_KERNELS)
		return false;
	struct packed *kernel = &packing->kernels[packing->count++];
	*kernel = (struct packed){.class = class, .stream = of->stream};
	kernel->most = checked_min(255, checked_min(occupancy->greatest, own ? of->blocks - 1 : of->blocks));
	struct demand left = occupancy->demand;
	left.warps = left.staying;
	memcpy(kernel->charged, sparse(platform, &occupancy->demand).of, sizeof kernel->charged);
	memcpy(kernel->left, sparse(platform, &left).of, sizeof kernel->left);
	if (kernel->charged[RESOURCE_REGISTERS] != 0)
		kernel->charged[RESOURCE_REGISTERS] = checked_div_floor(
			occupancy_charged_registers(platform, occupancy), platform_value(platform, PARAMETER_REGISTER_UNIT));
	bool known = occupancy->greatest != NONE && occupancy->greatest <= 255;
	for (int r = 0; r < RESOURCE_COUNT; r++)
		known = known && kernel->charged[r] != NONE && (kernel->charged[r] == 0 || packing->capacity[r] != NONE);
	return known;
}

/* [COV-FULL]: full for a head where one more of its blocks does not fit. Of all heads of a group the most demanding one decides. */
static void set_full(struct packing *packing, const struct classes *classes)
{
	int level = classes->items[packing->kernels[0].class].level;
	for (int g = 0; g < GROUP_COUNT; g++)
		for (int r = 0; r < RESOURCE_COUNT; r++)
			packing->full[g][r] = NONE;
	for (int i = 0; i < packing->count; i++) {
		const struct packed *head = &packing->kernels[i];
		int of = classes->items[head->class].level;
		if (i > 0 && planted(PLANT_HEADS))
			break;
		for (int r = 0; r < RESOURCE_COUNT && of <= level; r++) {
			if (head->charged[r] == 0)
				continue;
			int64_t full = checked_max(1, packing->capacity[r] - head->charged[r] + 1);
			packing->full[GROUP_OTHERS][r] = checked_min(packing->full[GROUP_OTHERS][r], full);
			if (i == 0 || of < level)
				packing->full[GROUP_OWN][r] = checked_min(packing->full[GROUP_OWN][r], full);
		}
	}
}

bool packing_build(struct packing *packing, struct arena *arena, const struct platform *platform, const struct map *map,
	const struct classes *classes, int own)
{
	*packing = (struct packing){.arena = arena};
	set_capacities(packing, platform);
	bool known = add(packing, platform, map, classes, own);
	for (int s = 0; s < classes->stream_count && known; s++)
		for (int i = 0; i < classes->of_stream_count[s] && known && s != classes->items[own].stream; i++)
			known = add(packing, platform, map, classes, classes->of_stream[s][i]);
	if (!known)
		return false;
	set_full(packing, classes);
	return true;
}

/* ---- minimal full configurations */

struct search {
	const struct packing *packing;
	struct configurations *found;
	unsigned char blocks[PACKING_KERNELS];
	int64_t used[RESOURCE_COUNT], charged[RESOURCE_COUNT];
	int64_t nodes;
};

static bool is_full(const struct packing *packing, const int64_t *charged, bool own)
{
	const int64_t *full = packing->full[own ? GROUP_OWN : GROUP_OTHERS];
	for (int r = 0; r < RESOURCE_COUNT; r++)
		if (charged[r] >= full[r])
			return true;
	return false;
}

static bool is_minimal(const struct search *search)
{
	const struct packing *packing = search->packing;
	for (int i = 0; i < packing->count; i++) {
		int64_t charged[RESOURCE_COUNT];
		if (search->blocks[i] == 0)
			continue;
		for (int r = 0; r < RESOURCE_COUNT; r++)
			charged[r] = search->charged[r] - packing->kernels[i].charged[r];
		if (is_full(packing, charged, search->blocks[0] > (i == 0)))
			return false;
	}
	return true;
}

static bool keep(struct search *search)
{
	struct configurations *found = search->found;
	size_t kernels = (size_t)search->packing->count;
	if (!is_minimal(search))
		return true;
	if (found->count == PACKING_CONFIGURATIONS)
		return false;
	found->blocks = arena_grow(search->packing->arena, found->blocks, &found->capacity, found->count + 1, kernels);
	memcpy(&found->blocks[(size_t)found->count++ * kernels], search->blocks, kernels);
	return true;
}

static bool take(struct search *search, int kernel)
{
	const struct packing *packing = search->packing;
	if (search->blocks[kernel] == packing->kernels[kernel].most)
		return false;
	for (int r = 0; r < RESOURCE_COUNT; r++)
		if (packing->kernels[kernel].left[r] > 0 && search->used[r] + packing->kernels[kernel].left[r] > packing->capacity[r])
			return false;
	for (int r = 0; r < RESOURCE_COUNT; r++) {
		search->used[r] += packing->kernels[kernel].left[r];
		search->charged[r] += packing->kernels[kernel].charged[r];
	}
	search->blocks[kernel]++;
	return true;
}

static void put_back(struct search *search, int kernel)
{
	const struct packed *of = &search->packing->kernels[kernel];
	for (int r = 0; r < RESOURCE_COUNT; r++) {
		search->used[r] -= search->blocks[kernel] * of->left[r];
		search->charged[r] -= search->blocks[kernel] * of->charged[r];
	}
	search->blocks[kernel] = 0;
}

static int next_stream(const struct packing *packing, int kernel)
{
	int next = kernel + 1;
	while (next < packing->count && packing->kernels[next].stream == packing->kernels[kernel].stream)
		next++;
	return next;
}

/* All ways to fill up with kernels from this one on; false: too many. */
static bool fill_up(struct search *search, int from)
{
	const struct packing *packing = search->packing;
	if (++search->nodes > PACKING_NODES)
		return false;
	if (is_full(packing, search->charged, search->blocks[0] > 0))
		return keep(search);
	if (from >= packing->count)
		return true;
	int next = next_stream(packing, from);
	if (!fill_up(search, next))
		return false;
	for (int i = from; i < next; i++) {
		bool good = true;
		while (good && take(search, i))
			good = fill_up(search, next);
		put_back(search, i);
		if (!good)
			return false;
	}
	return true;
}

bool packing_enumerate(const struct packing *packing, struct configurations *found)
{
	struct search search = {.packing = packing, .found = found};
	*found = (struct configurations){NULL, 0, 0};
	return fill_up(&search, 0);
}
