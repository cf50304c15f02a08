/* A kernel's demand on an SM in allocation units. */
#include "placement/sm.h"

static struct divisor divisor_of(int n)
{
	return (struct divisor){n == 0 ? 0 : (UINT64_C(1) << 32) / (uint64_t)n + 1, n};
}

/* [HOPPER] P4: w / parts warps on every part, the remaining r from the start on; the next start is r further, or 1 if r = 0. */
static void deal(struct shape *shape, const struct sm_limits *limits)
{
	int parts = limits->parts, each = shape->warps / parts, rest = shape->warps % parts;
	for (int start = 0; start < parts; start++) {
		for (int i = 0; i < parts; i++) {
			uint64_t warps = (uint64_t)each + ((i - start + parts) % parts < rest);
			shape->take_warps[start] |= warps << 16 * i;
			shape->take_registers[start] |= warps * (uint64_t)shape->registers.divisor << 16 * i;
		}
		shape->next[start] = (start + (rest == 0 ? 1 : rest)) % parts;
	}
	shape->period = 1;
	while (shape->period * rest % parts != 0)
		shape->period++;
	shape->period_warps = divisor_of(shape->period * shape->warps / parts);
}

/* A demand that no SM could meet is refused before it is packed into 16-bit lanes. */
static bool could_fit(const struct sm_limits *limits, int64_t warps, int64_t registers, int64_t shared)
{
	int64_t most = checked_div_ceil(warps, limits->parts);
	return warps >= 1 && most <= limits->part_warps && checked_mul(most, registers) <= limits->part_registers &&
	       shared <= limits->shared;
}

bool shape_init(struct shape *shape, const struct sm_limits *limits, const struct kernel *kernel)
{
	int64_t warps = kernel_warps(kernel);
	int64_t registers = kernel->registers == NONE || limits->part_registers == UNLIMITED
				    ? 0
				    : checked_div_ceil(checked_mul(kernel->registers, THREADS_A_WARP), limits->register_unit);
	int64_t bytes = checked_add(checked_add(kernel->shared_static, kernel->shared_dynamic), limits->shared_reserved);
	int64_t shared = limits->shared == UNLIMITED ? 0 : checked_div_ceil(bytes, limits->shared_unit);
	*shape = (struct shape){0};
	if (!could_fit(limits, warps, registers, shared))
		return false;
	shape->warps = (int)warps;
	shape->registers = divisor_of((int)registers);
	shape->shared = divisor_of((int)shared);
	deal(shape, limits);
	shape->per_sm = sm_empty_room(limits, shape);
	configuration_set(shape, limits, kernel);
	return shape->per_sm > 0;
}
