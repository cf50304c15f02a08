/* Which shared-memory configuration a kernel gives an idle SM, and which one it needs of a busy SM. */
#include "placement/shape.h"

#define KIB 1024
#define NEED_ANY 0

/* Hopper, no shared memory, static or dynamic ([HOPPER] P7, without shared memory; also the least with a stated preference): by warps a
 * block. */
static const struct {
	int warps;
	int64_t bytes;
} hopper_plain[] = {{24, 8 * KIB}, {16, 16 * KIB}, {0, 32 * KIB}};

/* The second line: room for `factor` times the occupancy, at most this much unless full occupancy needs more. */
#define HOPPER_FACTOR 2
#define HOPPER_BLOCKS 32
#define HOPPER_WIDE_WARPS 29 /* from here on the factor is 1 */
#define HOPPER_GENEROUS (132 * KIB)

/* The smallest configuration of at least `units`; the greatest one where there is none. */
static int level_of(const struct sm_limits *limits, int64_t units)
{
	for (int i = 0; i < limits->carveout_count; i++)
		if (limits->carveouts[i] >= units)
			return limits->carveouts[i];
	return limits->carveout_count == 0 ? limits->shared : limits->carveouts[limits->carveout_count - 1];
}

static int64_t hopper_plain_units(const struct sm_limits *limits, const struct shape *shape)
{
	int i = 0;
	while (shape->per_sm > 1 && shape->warps < hopper_plain[i].warps)
		i++;
	return hopper_plain[i].bytes / limits->shared_unit;
}

static int64_t hopper_dynamic_units(const struct sm_limits *limits, const struct shape *shape)
{
	int64_t factor = checked_min(HOPPER_FACTOR * shape->per_sm, HOPPER_BLOCKS);
	if (shape->per_sm == 1 || shape->warps >= HOPPER_WIDE_WARPS)
		factor = shape->per_sm;
	return checked_min(factor * shape->shared.divisor, HOPPER_GENEROUS / limits->shared_unit);
}

/* A carveout preference asks for a share of the largest configuration. */
static int64_t preferred_units(const struct sm_limits *limits, int64_t percent)
{
	return checked_mul_div_ceil(limits->shared, percent, 100);
}

/* With a preference of p percent an SM gets that share of its shared memory, less one block's reserve, divided into blocks by what they
 * ask for themselves, and each of these blocks with its reserve: however many an SM holds, and never less than the share. Recorded with
 * seven preferences (tests/silicon/traces/README.md): the sets of 3,153 of 3,153 kernels; without the division 97.9 %. */
static int64_t hopper_preferred_units(const struct sm_limits *limits, const struct shape *shape, const struct kernel *kernel)
{
	int64_t percent = kernel->carveout, share = preferred_units(limits, percent);
	int64_t asked = checked_add(kernel->shared_static, kernel->shared_dynamic);
	if (asked == 0)
		return checked_max(share, hopper_plain_units(limits, shape));
	int64_t bytes = checked_div_floor(checked_mul(checked_mul(limits->shared, limits->shared_unit), percent), 100);
	int64_t blocks = checked_div_floor(checked_max(0, checked_sub(bytes, limits->shared_reserved)), asked);
	return checked_max(share, checked_min(limits->shared, checked_mul(blocks, shape->shared.divisor)));
}

static int64_t hopper_wanted(const struct sm_limits *limits, const struct shape *shape, const struct kernel *kernel)
{
	if (kernel->carveout != NONE)
		return checked_max(shape->shared.divisor, hopper_preferred_units(limits, shape, kernel));
	int64_t occupied = (int64_t)shape->per_sm * shape->shared.divisor;
	bool plain = kernel->shared_static == 0 && kernel->shared_dynamic == 0;
	return checked_max(occupied, plain ? hopper_plain_units(limits, shape) : hopper_dynamic_units(limits, shape));
}

/* A busy SM must hold as many blocks of the kernel as one that is configured for it; with a stated preference it must not have more
 * shared memory than that either. */
static void set_hopper(struct shape *shape, const struct sm_limits *limits, const struct kernel *kernel)
{
	shape->target = level_of(limits, hopper_wanted(limits, shape, kernel));
	if (shape->shared.divisor > 0)
		shape->per_sm = (int)checked_min(shape->per_sm, shape->target / shape->shared.divisor);
	shape->need = level_of(limits, (int64_t)shape->per_sm * shape->shared.divisor);
	if (kernel->carveout != NONE)
		shape->most = shape->target;
}

/* Before Hopper: only a stated preference configures, and kernels of different configurations exclude each other (RTAS'20 III-C2). */
static void set_stated(struct shape *shape, const struct sm_limits *limits, const struct kernel *kernel)
{
	static const int64_t percent_of[] = {[CACHE_PREFER_SHARED] = 100, [CACHE_PREFER_L1] = 0, [CACHE_EQUAL] = 50};
	int64_t percent = kernel->carveout;
	if (percent == NONE && kernel->cache != CACHE_NONE)
		percent = percent_of[kernel->cache];
	if (percent == NONE)
		return;
	shape->target = level_of(limits, checked_max(shape->shared.divisor, preferred_units(limits, percent)));
	shape->need = shape->most = shape->target;
	if (shape->shared.divisor > 0)
		shape->per_sm = (int)checked_min(shape->per_sm, shape->target / shape->shared.divisor);
}

void configuration_set(struct shape *shape, const struct sm_limits *limits, const struct kernel *kernel)
{
	shape->target = limits->shared;
	shape->need = NEED_ANY;
	shape->most = UNLIMITED;
	if (!limits->configures)
		return;
	if (limits->platform->placement == PLACEMENT_HOPPER)
		set_hopper(shape, limits, kernel);
	else
		set_stated(shape, limits, kernel);
}
