/* Occupancy: what an SM holds at most, and what it surely holds before it refuses. */
#include "map/occupancy.h"

#include "base/assert.h"
#include "base/plant.h"

#include <stddef.h>

const char *const resource_names[] = {"warps", "blocks", "registers", "shared", NULL};

/* ---- demand */

/* Registers a thread for which CC 2.x allocates in twice its unit. [HW-OCCUPANCY]. */
static const int64_t fermi_odd_registers[] = {21, 22, 29, 30, 37, 38, 45, 46};
#define FERMI_ODD_UNIT 128

static int64_t register_unit(const struct platform *platform, int64_t registers)
{
	if (platform->compute_capability / 10 == 2)
		for (size_t i = 0; i < sizeof fermi_odd_registers / sizeof *fermi_odd_registers; i++)
			if (registers == fermi_odd_registers[i])
				return FERMI_ODD_UNIT;
	return platform_value(platform, PARAMETER_REGISTER_UNIT);
}

/* The driver reserves shared memory from CC 8.0 on. [HW-OCCUPANCY]. */
static int64_t shared_reserve(const struct platform *platform)
{
	int64_t reserve = platform_value(platform, PARAMETER_SHARED_RESERVED);
	return reserve == NONE && platform->compute_capability < 80 ? 0 : reserve;
}

static struct demand kernel_demand(const struct platform *platform, const struct kernel *kernel)
{
	int64_t shared = checked_add(checked_add(kernel->shared_static, kernel->shared_dynamic), shared_reserve(platform));
	return (struct demand){
		.warps = kernel_warps(kernel),
		.staying = kernel->warps_stay || planted(PLANT_LEAVERS) ? kernel_warps(kernel) : checked_min(kernel_warps(kernel), 1),
		.warp_registers =
			checked_round_up(checked_mul(kernel->registers, THREADS_A_WARP), register_unit(platform, kernel->registers)),
		.shared = checked_round_up(shared, platform_value(platform, PARAMETER_SHARED_UNIT)),
	};
}

/* ---- limits of a block: may it be launched at all? What the platform does not state refuses nothing. */

static bool exceeds(const struct platform *platform, enum parameter parameter, int64_t value)
{
	return value != NONE && value > platform_value(platform, parameter);
}

static bool registers_refused(const struct platform *platform, const struct kernel *kernel, const struct demand *demand)
{
	int64_t parts = platform_value(platform, PARAMETER_SM_SUBPARTITIONS);
	int64_t of_block = checked_mul(demand->warp_registers, checked_round_up(demand->warps, parts));
	return exceeds(platform, PARAMETER_THREAD_REGISTERS, kernel->registers) || exceeds(platform, PARAMETER_BLOCK_REGISTERS, of_block);
}

static bool shared_refused(const struct platform *platform, const struct kernel *kernel)
{
	bool optin = platform->parameters[PARAMETER_BLOCK_SHARED_OPTIN].present;
	int64_t all = checked_add(kernel->shared_static, kernel->shared_dynamic);
	return exceeds(platform, PARAMETER_BLOCK_SHARED, kernel->shared_static) ||
	       exceeds(platform, optin ? PARAMETER_BLOCK_SHARED_OPTIN : PARAMETER_BLOCK_SHARED, all);
}

/* ---- the greatest: whole, and with what is left of those that warps have left */

static int64_t shared_capacity(const struct platform *platform)
{
	return checked_round_down(platform_value(platform, PARAMETER_SM_SHARED), platform_value(platform, PARAMETER_SHARED_UNIT));
}

/* Warps with so many registers that one sub-partition holds. */
static int64_t partition_register_warps(const struct platform *platform, int64_t warp_registers)
{
	int64_t parts = platform_value(platform, PARAMETER_SM_SUBPARTITIONS);
	return checked_div_floor(checked_div_floor(platform_value(platform, PARAMETER_SM_REGISTERS), parts), warp_registers);
}

/* Warps with so many registers that an SM holds. */
static int64_t register_warps(const struct platform *platform, int64_t warp_registers)
{
	return checked_mul(partition_register_warps(platform, warp_registers), platform_value(platform, PARAMETER_SM_SUBPARTITIONS));
}

/* Where amounts decide, sub-partitions do not. */
static int64_t register_warps_by_amount(const struct platform *platform, int64_t warp_registers)
{
	int64_t unit = platform_value(platform, PARAMETER_REGISTER_UNIT), all = platform_value(platform, PARAMETER_SM_REGISTERS);
	return checked_div_floor(checked_round_down(all, unit), warp_registers);
}

static int64_t limit_registers(const struct platform *platform, const struct demand *demand)
{
	if (demand->warp_registers == 0)
		return platform_value(platform, PARAMETER_SM_BLOCKS);
	return checked_div_floor(register_warps(platform, demand->warp_registers), demand->warps);
}

static int64_t limit_registers_by_amount(const struct platform *platform, const struct demand *demand)
{
	if (demand->warp_registers == 0)
		return platform_value(platform, PARAMETER_SM_BLOCKS);
	return checked_div_floor(register_warps_by_amount(platform, demand->warp_registers), demand->warps);
}

int64_t occupancy_charged_registers(const struct platform *platform, const struct occupancy *occupancy)
{
	const struct demand *demand = &occupancy->demand;
	int64_t unit = platform_value(platform, PARAMETER_REGISTER_UNIT), takes = checked_mul(demand->warps, demand->warp_registers);
	int64_t all = checked_div_floor(platform_value(platform, PARAMETER_SM_REGISTERS), unit);
	if (takes == 0 || planted(PLANT_PARTITIONS))
		return takes;
	int64_t one_too_many = checked_add(checked_div_floor(all, checked_add(occupancy->limit[RESOURCE_REGISTERS], 1)), 1);
	return checked_max(takes, checked_mul(one_too_many, unit));
}

static int64_t limit_shared(const struct platform *platform, int64_t capacity, const struct demand *demand)
{
	return demand->shared == 0 ? platform_value(platform, PARAMETER_SM_BLOCKS) : checked_div_floor(capacity, demand->shared);
}

static void set_limits(const struct platform *platform, const struct demand *demand, int64_t limit[RESOURCE_COUNT])
{
	limit[RESOURCE_WARPS] = checked_div_floor(platform_value(platform, PARAMETER_SM_WARPS), demand->warps);
	limit[RESOURCE_BLOCKS] = platform_value(platform, PARAMETER_SM_BLOCKS);
	limit[RESOURCE_REGISTERS] = limit_registers(platform, demand);
	limit[RESOURCE_SHARED] = limit_shared(platform, shared_capacity(platform), demand);
}

static void refuse(const struct platform *platform, const struct kernel *kernel, const struct demand *demand, int64_t limit[RESOURCE_COUNT])
{
	if (exceeds(platform, PARAMETER_BLOCK_THREADS, kernel->threads))
		limit[RESOURCE_WARPS] = 0;
	if (registers_refused(platform, kernel, demand))
		limit[RESOURCE_REGISTERS] = 0;
	if (shared_refused(platform, kernel))
		limit[RESOURCE_SHARED] = 0;
}

static enum resource smallest(const int64_t limit[RESOURCE_COUNT])
{
	enum resource least = RESOURCE_WARPS;
	for (int i = 1; i < RESOURCE_COUNT; i++)
		if (limit[i] < limit[least])
			least = (enum resource)i;
	return least;
}

/* The least of all; NONE if one is unknown, but 0 if one is 0 whatever the others are. */
static int64_t together(const int64_t limit[RESOURCE_COUNT])
{
	int64_t least = limit[smallest(limit)];
	for (int i = 0; i < RESOURCE_COUNT && least != 0; i++)
		if (limit[i] == NONE)
			return NONE;
	return least;
}

/* [LEAVERS]: as the last one came all of its warps found room beside those that each of the others has left. warps: that the registers
 * hold.
 */
static int64_t greatest_of(const struct platform *platform, const struct occupancy *occupancy, int64_t warps)
{
	const struct demand *demand = &occupancy->demand;
	int64_t live = platform_value(platform, PARAMETER_SM_WARPS);
	if (occupancy->whole == NONE || occupancy->whole == 0 || demand->staying == demand->warps)
		return occupancy->whole;
	if (demand->warp_registers != 0)
		live = checked_min(live, warps);
	int64_t beside = checked_div_floor(checked_sub(live, demand->warps), demand->staying);
	return checked_min(checked_add(beside, 1), checked_min(occupancy->limit[RESOURCE_BLOCKS], occupancy->limit[RESOURCE_SHARED]));
}

struct rational occupancy_used(const struct platform *platform, const struct occupancy *occupancy, enum resource resource)
{
	const struct demand *demand = &occupancy->demand;
	const int64_t demands[] = {demand->warps, 1, checked_mul(demand->warps, demand->warp_registers), demand->shared};
	static const enum parameter capacities[] = {PARAMETER_SM_WARPS, PARAMETER_SM_BLOCKS, PARAMETER_SM_REGISTERS, PARAMETER_SM_SHARED};
	int64_t capacity = platform_value(platform, capacities[resource]);
	return rational_div(rational_of(checked_mul(occupancy->whole, demands[resource])), rational_of(capacity));
}

/* ---- configurations of shared memory */

bool occupancy_is_configurable(const struct platform *platform)
{
	int major = platform->compute_capability / 10;
	return platform->carveout_count > 0 || major == 2 || major == 3 || major >= 7;
}

int64_t occupancy_configuration(const struct platform *platform, int64_t bytes)
{
	for (int i = 0; i < platform->carveout_count; i++)
		if (platform->carveouts[i] >= bytes)
			return platform->carveouts[i];
	return bytes;
}

/* What an idle SM is configured to, at least, when this kernel comes to it. A preference for shared memory, or for all of it, gives the
 * largest; another explicit one is a hint from which the driver may depart, so that nothing is known. Without one, CC 2.x and 3.x start
 * at the largest, and from CC 7.0 on the driver avoids that shared memory binds ([HOPPER] P7). */
static int64_t configuration_of(const struct platform *platform, const struct kernel *kernel, const struct occupancy *occupancy)
{
	int64_t all = platform_value(platform, PARAMETER_SM_SHARED);
	bool preferred = kernel->carveout != NONE || kernel->cache != CACHE_NONE;
	if (!occupancy_is_configurable(platform) || kernel->carveout == 100 ||
		(kernel->carveout == NONE && kernel->cache == CACHE_PREFER_SHARED))
		return all == NONE ? 0 : all;
	if (preferred)
		return 0;
	int64_t needed = platform->compute_capability < 70 ? all : checked_mul(occupancy->whole, occupancy->demand.shared);
	return needed == NONE ? 0 : needed;
}

struct occupancy occupancy_compute(const struct platform *platform, const struct kernel *kernel)
{
	struct occupancy occupancy = {.demand = kernel_demand(platform, kernel)};
	set_limits(platform, &occupancy.demand, occupancy.limit);
	refuse(platform, kernel, &occupancy.demand, occupancy.limit);
	occupancy.binding = smallest(occupancy.limit);
	occupancy.whole = together(occupancy.limit);
	occupancy.greatest = greatest_of(platform, &occupancy, register_warps(platform, occupancy.demand.warp_registers));
	occupancy.demand.configuration = configuration_of(platform, kernel, &occupancy);
	occupancy.least = occupancy.whole;
	occupancy.least_binding = occupancy.binding;
	return occupancy;
}

/* ---- the least */

struct mixture { /* what the other kernels of the context have in common with this one */
	bool same_shape, same_registers;
	int64_t configuration; /* the smallest that one of them asks for */
};

static struct mixture mixture_of(const struct demand *own, const struct demand *others, int count)
{
	struct mixture mixture = {true, true, own->configuration};
	for (int i = 0; i < count; i++) {
		mixture.same_registers = mixture.same_registers && others[i].warp_registers == own->warp_registers;
		mixture.same_shape = mixture.same_shape && mixture.same_registers && others[i].warps == own->warps;
		mixture.configuration = checked_min(mixture.configuration, others[i].configuration);
	}
	return mixture;
}

/* Shared memory that an SM has for sure while a block of this kernel is on it. */
static int64_t least_configured(const struct platform *platform, const struct occupancy *occupancy, const struct mixture *mixture)
{
	int64_t all = shared_capacity(platform), d = occupancy->demand.shared;
	if (!occupancy_is_configurable(platform))
		return all;
	int64_t sure = checked_max(d, mixture->configuration);
	if (platform->placement == PLACEMENT_HOPPER && d > 0) { /* [HOPPER] P6; placement/configuration.c */
		int64_t of_target = checked_div_floor(occupancy->demand.configuration, d);
		sure = checked_max(sure, checked_mul(checked_min(occupancy->whole, of_target), d));
	}
	return checked_min(
		all, checked_round_down(occupancy_configuration(platform, sure), platform_value(platform, PARAMETER_SHARED_UNIT)));
}

/* (6.7): n blocks of d leave n + 1 holes, each smaller than d by at least a unit. */
static int64_t contiguous(int64_t capacity, int64_t d, int64_t unit)
{
	return checked_div_ceil(checked_add(checked_sub(capacity, d), unit), checked_sub(checked_mul(2, d), unit));
}

static int64_t least_shared(
	const struct platform *platform, const struct occupancy *occupancy, const struct mixture *mixture, bool fungible)
{
	int64_t capacity = least_configured(platform, occupancy, mixture), d = occupancy->demand.shared;
	if (d == 0 || fungible)
		return limit_shared(platform, capacity, &occupancy->demand);
	return contiguous(capacity, d, platform_value(platform, PARAMETER_SHARED_UNIT));
}

/* The most warps of one block on one sub-partition. [V8]. */
static int64_t warps_a_partition(const struct platform *platform, const struct demand *demand)
{
	return checked_div_ceil(demand->warps, platform_value(platform, PARAMETER_SM_SUBPARTITIONS));
}

static int64_t least_warps(const struct platform *platform, const struct demand *demand)
{
	int64_t slots =
		checked_div_floor(platform_value(platform, PARAMETER_SM_WARPS), platform_value(platform, PARAMETER_SM_SUBPARTITIONS));
	return checked_div_floor(slots, warps_a_partition(platform, demand));
}

/* Contiguous registers inside a sub-partition: a block that wants k warps there is refused only if all holes together take at most k - 1.
 * c own warps and c + 1 holes: capacity <= c rho + (k - 1) rho + (c + 1)(rho - u), and c is at most k a block. */
static int64_t scattered_registers(const struct platform *platform, const struct demand *demand)
{
	int64_t k = warps_a_partition(platform, demand), rho = demand->warp_registers,
		unit = platform_value(platform, PARAMETER_REGISTER_UNIT);
	int64_t capacity =
		checked_div_floor(platform_value(platform, PARAMETER_SM_REGISTERS), platform_value(platform, PARAMETER_SM_SUBPARTITIONS));
	int64_t free = checked_add(checked_sub(checked_round_down(capacity, unit), checked_mul(k, rho)), unit);
	int64_t warps = checked_div_ceil(free, checked_sub(checked_mul(2, rho), unit));
	return checked_div_ceil(warps, k);
}

static int64_t least_registers(
	const struct platform *platform, const struct demand *demand, const struct mixture *mixture, enum fragments fragments)
{
	if (demand->warp_registers == 0)
		return platform_value(platform, PARAMETER_SM_BLOCKS);
	int64_t ordered =
		checked_div_floor(partition_register_warps(platform, demand->warp_registers), warps_a_partition(platform, demand));
	if (fragments == FRAGMENTS_OF_SHARED)
		return ordered;
	if (!mixture->same_shape && ordered < least_warps(platform, demand))
		return 1;
	return mixture->same_registers ? ordered : checked_min(ordered, scattered_registers(platform, demand));
}

/* What amounts alone allow, sub-partitions or not. */
static int64_t whole_by_amounts(const struct platform *platform, const struct occupancy *occupancy)
{
	int64_t limit[RESOURCE_COUNT];
	for (int i = 0; i < RESOURCE_COUNT; i++)
		limit[i] = occupancy->limit[i];
	limit[RESOURCE_REGISTERS] = limit_registers_by_amount(platform, &occupancy->demand);
	return together(limit);
}

static int64_t find_least(const struct platform *platform, const struct occupancy *occupancy, const struct mixture *mixture,
	enum fragments fragments, enum resource *binding)
{
	bool fungible = fragments == FRAGMENTS_NOWHERE;
	int64_t least[RESOURCE_COUNT];
	for (int i = 0; i < RESOURCE_COUNT; i++)
		least[i] = occupancy->limit[i];
	least[RESOURCE_SHARED] = checked_min(least[RESOURCE_SHARED], least_shared(platform, occupancy, mixture, fungible));
	if (!fungible) {
		least[RESOURCE_WARPS] = least_warps(platform, &occupancy->demand);
		least[RESOURCE_REGISTERS] = least_registers(platform, &occupancy->demand, mixture, fragments);
	}
	*binding = smallest(least);
	return checked_max(1, checked_min(occupancy->whole, together(least)));
}

void occupancy_fragment(const struct platform *platform, struct occupancy *occupancy, const struct demand *others, int other_count,
	enum fragments fragments)
{
	struct mixture mixture = mixture_of(&occupancy->demand, others, other_count);
	enum resource unused;
	occupancy->least = occupancy->whole;
	occupancy->least_binding = occupancy->binding;
	if (occupancy->whole == NONE || occupancy->whole == 0 || planted(PLANT_OCCUPANCY))
		return;
	occupancy->least = find_least(platform, occupancy, &mixture, fragments, &occupancy->least_binding);
	occupancy->rests_on_registers = fragments == FRAGMENTS_OF_SHARED &&
					occupancy->least > find_least(platform, occupancy, &mixture, FRAGMENTS_ANYWHERE, &unused);
	if (fragments == FRAGMENTS_NOWHERE && !planted(PLANT_PARTITIONS)) {
		occupancy->whole = whole_by_amounts(platform, occupancy);
		occupancy->greatest =
			greatest_of(platform, occupancy, register_warps_by_amount(platform, occupancy->demand.warp_registers));
	}
	assert(occupancy->least <= occupancy->whole && occupancy->whole <= occupancy->greatest);
}
