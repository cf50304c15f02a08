/* Pairs of kernels: what one leaves on an SM against what the other needs there. */
#include "map/pairs.h"

#include <stddef.h>

/* What decides about a pair, computed once a kernel so that a pair costs comparisons only. */
struct profile {
	bool sized;
	bool leaves_idle;             /* fewer blocks than SMs */
	int64_t left[RESOURCE_COUNT]; /* what an SM has beside one of its blocks */
	int64_t full[RESOURCE_COUNT]; /* what all its blocks that fit an empty SM take */
	int64_t target;               /* as in struct pairs */
	int64_t required;             /* a busy SM must be configured to so much shared memory before it may enter; NONE: unknown */
	bool stated;                  /* it has an explicit preference: and to no more than its target */
};

struct counter {
	const struct platform *platform;
	const struct taskset *set;
	struct profile *profiles;
	struct pairs *pairs;
	/* [stream]: the kernels that matter of streams that overlap with it, in the order of the task set, and NO_ID; NULL: not yet asked
	 */
	int **others;
};

void tally_add(struct tally *tally, const struct operation *operation)
{
	if (tally->count++ == 0)
		tally->first = operation;
}

/* An explicit preference: the share of the SM's shared memory, or where that is more the blocks that fit into it, one reserve aside, by
 * what they ask for themselves, each with its reserve (gpubound-machine(7)). */
static int64_t preferred(const struct platform *platform, const struct kernel *kernel, const struct demand *demand, int64_t plain)
{
	int64_t all = platform_value(platform, PARAMETER_SM_SHARED), reserved = platform_value(platform, PARAMETER_SHARED_RESERVED);
	int64_t share = checked_mul_div_ceil(all, kernel->carveout, 100),
		asked = checked_add(kernel->shared_static, kernel->shared_dynamic);
	if (asked == 0)
		return checked_max(share, plain);
	int64_t blocks =
		checked_div_floor(checked_max(0, checked_sub(checked_div_floor(checked_mul(all, kernel->carveout), 100), reserved)), asked);
	return checked_max(checked_max(share, demand->shared), checked_min(all, checked_mul(blocks, demand->shared)));
}

/* [HOPPER] P7; static shared memory counts as dynamic. */
static int64_t target(const struct platform *platform, const struct kernel *kernel, const struct occupancy *occupancy)
{
	int64_t blocks = occupancy->whole, warps = occupancy->demand.warps, shared = occupancy->demand.shared;
	if (platform->placement != PLACEMENT_HOPPER || blocks == NONE)
		return NONE;
	int64_t plain = blocks == 1 || warps >= 24 ? 8 * 1024 : warps >= 16 ? 16 * 1024 : 32 * 1024;
	if (kernel->carveout != NONE)
		return occupancy_configuration(platform, preferred(platform, kernel, &occupancy->demand, plain));
	int64_t wanted = blocks == 1 || warps >= 29 ? blocks : checked_min(2 * blocks, 32);
	bool none = kernel->shared_static == 0 && kernel->shared_dynamic == 0;
	wanted = none ? plain : checked_min(checked_mul(wanted, shared), 132 * 1024);
	return occupancy_configuration(platform, checked_max(checked_mul(blocks, shared), wanted));
}

/* [HOPPER] P6: the smallest configuration that holds as many of its blocks as an SM with its own does. */
static int64_t required(const struct platform *platform, const struct occupancy *occupancy, int64_t of_target)
{
	int64_t blocks = occupancy->whole, shared = occupancy->demand.shared;
	if (of_target != NONE && shared > 0)
		blocks = checked_min(blocks, checked_div_floor(of_target, shared));
	int64_t full = checked_mul(blocks, shared);
	return full == NONE ? NONE : occupancy_configuration(platform, full);
}

static struct profile profile_of(
	const struct platform *platform, const struct taskset *set, const struct operation *operation, const struct kernel_map *map)
{
	const struct occupancy *occupancy = &map->occupancy;
	const struct demand *demand = &occupancy->demand;
	const int64_t block[] = {demand->warps, 1, checked_mul(demand->warps, demand->warp_registers), demand->shared};
	const int64_t capacity[] = {platform_value(platform, PARAMETER_SM_WARPS), platform_value(platform, PARAMETER_SM_BLOCKS),
		platform_value(platform, PARAMETER_SM_REGISTERS), platform_value(platform, PARAMETER_SM_SHARED)};
	int64_t sms = sm_set_of_stream(platform, set, operation->stream).size;
	struct profile profile = {.sized = map->sized && occupancy->whole != NONE && occupancy->whole > 0};
	profile.leaves_idle = operation->kernel.blocks != NONE && sms != NONE && operation->kernel.blocks < sms;
	for (int i = 0; i < RESOURCE_COUNT; i++) {
		profile.left[i] = checked_sub(capacity[i], block[i]);
		profile.full[i] = checked_mul(occupancy->whole, block[i]);
	}
	profile.target = target(platform, &operation->kernel, occupancy);
	profile.required = required(platform, occupancy, profile.target);
	profile.stated = operation->kernel.carveout != NONE;
	return profile;
}

static bool shuts_out(const struct profile *resident, const struct profile *kernel)
{
	if (resident->target == NONE || kernel->required == NONE)
		return false;
	return resident->target < kernel->required || (kernel->stated && resident->target > kernel->target);
}

/* [SAME-SM]: the resident block does not reduce the room, so the order among equals picks its SM again. */
static bool joins(const struct profile *resident, const struct profile *kernel)
{
	bool all = resident->leaves_idle && !shuts_out(resident, kernel);
	for (int i = 0; i < RESOURCE_COUNT; i++)
		all = all && resident->left[i] >= kernel->full[i];
	return all;
}

static void meet(const struct counter *counter, int resident, int kernel)
{
	const struct profile *there = &counter->profiles[resident], *comes = &counter->profiles[kernel];
	const struct operation *operations = counter->set->operations;
	if (joins(there, comes))
		tally_add(&counter->pairs[kernel].joins, &operations[resident]);
	if (shuts_out(there, comes)) {
		tally_add(&counter->pairs[kernel].shut_out_by, &operations[resident]);
		tally_add(&counter->pairs[resident].shuts_out, &operations[kernel]);
	}
}

/* Can it do anything to a kernel that comes? */
static bool matters(const struct profile *resident)
{
	return resident->sized && (resident->leaves_idle || resident->target != NONE);
}

static int *find_others(struct arena *arena, const struct counter *counter, int stream)
{
	const struct taskset *set = counter->set;
	int *others = arena_reserve(arena, (size_t)set->operation_count + 1, sizeof *others), count = 0;
	bool *overlaps = arena_reserve(arena, (size_t)set->stream_count, sizeof *overlaps);
	for (int s = 0; s < set->stream_count; s++)
		overlaps[s] = map_streams_mix(counter->platform, set, s, stream);
	for (int i = 0; i < set->operation_count; i++)
		if (matters(&counter->profiles[i]) && overlaps[set->operations[i].stream])
			others[count++] = i;
	others[count] = NO_ID;
	return others;
}

/* All that may be there as one kernel comes. */
static void meet_others(struct arena *arena, const struct counter *counter, int kernel)
{
	int **others = &counter->others[counter->set->operations[kernel].stream];
	if (!counter->profiles[kernel].sized)
		return;
	if (*others == NULL)
		*others = find_others(arena, counter, counter->set->operations[kernel].stream);
	for (int i = 0; (*others)[i] != NO_ID; i++)
		meet(counter, (*others)[i], kernel);
}

struct pairs *pairs_count(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map)
{
	size_t operations = (size_t)set->operation_count, streams = (size_t)set->stream_count;
	struct counter counter = {.platform = platform,
		.set = set,
		.profiles = arena_allocate(arena, operations, sizeof(struct profile)),
		.pairs = arena_allocate(arena, operations, sizeof(struct pairs)),
		.others = arena_allocate(arena, streams, sizeof(int *))};
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL) {
			counter.profiles[i] = profile_of(platform, set, &set->operations[i], &map->kernels[i]);
			counter.pairs[i].target = counter.profiles[i].target;
		}
	for (int kernel = 0; kernel < set->operation_count; kernel++)
		meet_others(arena, &counter, kernel);
	return counter.pairs;
}
