/* Resolves a platform's quantities into the integers that the machine counts with. */
#include "placement/sm_limits.h"

const char *const allocation_names[] = {"fungible", "first-fit", "best-fit", "worst-fit", "partitions", "adversarial-fit", NULL};

/* The value of a parameter in units, `absent` where the platform has none; -1 and *missing where it is out of range. */
static int read_units(const struct platform *platform, enum parameter parameter, int64_t unit, int absent, const char **missing)
{
	int64_t value = platform_value(platform, parameter);
	if (value == NONE)
		return absent;
	value /= unit;
	if (value >= 0 && value < UNLIMITED)
		return (int)value;
	*missing = parameter_kinds[parameter].name;
	return -1;
}

static bool in_range(const struct sm_limits *limits, const char **missing)
{
	const struct {
		int value, most;
		enum parameter parameter;
	} ranges[] = {
		{limits->sm_count, SMS_MOST, PARAMETER_SM_COUNT},
		{limits->warps, UNLIMITED - 1, PARAMETER_SM_WARPS},
		{limits->blocks, BLOCKS_MOST, PARAMETER_SM_BLOCKS},
		{limits->parts, PARTS_MOST, PARAMETER_SM_SUBPARTITIONS},
	};
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (ranges[i].value < 1 || ranges[i].value > ranges[i].most)
			*missing = parameter_kinds[ranges[i].parameter].name;
	return *missing == NULL;
}

static void read_registers(struct sm_limits *limits, const struct platform *platform, const char **missing)
{
	limits->register_unit = read_units(platform, PARAMETER_REGISTER_UNIT, 1, 1, missing);
	if (limits->register_unit < 1)
		*missing = parameter_kinds[PARAMETER_REGISTER_UNIT].name;
	else if (limits->parts > 0 && platform_value(platform, PARAMETER_SM_REGISTERS) == NONE)
		limits->part_registers = UNLIMITED;
	else if (limits->parts > 0)
		limits->part_registers =
			read_units(platform, PARAMETER_SM_REGISTERS, (int64_t)limits->register_unit * limits->parts, UNLIMITED, missing);
}

static void read_shared(struct sm_limits *limits, struct arena *arena, const struct platform *platform, const char **missing)
{
	limits->shared_unit = read_units(platform, PARAMETER_SHARED_UNIT, 1, 1024, missing);
	if (limits->shared_unit < 1) {
		*missing = parameter_kinds[PARAMETER_SHARED_UNIT].name;
		return;
	}
	limits->shared = read_units(platform, PARAMETER_SM_SHARED, limits->shared_unit, UNLIMITED, missing);
	int64_t reserved = platform_value(platform, PARAMETER_SHARED_RESERVED);
	limits->shared_reserved = reserved == NONE ? 0 : reserved;
	limits->carveouts = arena_allocate(arena, (size_t)platform->carveout_count + 1, sizeof *limits->carveouts);
	for (int i = 0; i < platform->carveout_count; i++)
		limits->carveouts[limits->carveout_count++] = (int)checked_min(platform->carveouts[i] / limits->shared_unit, UNLIMITED);
	limits->configures = limits->carveout_count > 0;
	limits->chip_configures = limits->configures && platform->per_sm_carveout == TERNARY_NO;
}

static void read_order(struct sm_limits *limits, struct arena *arena, const struct platform *platform)
{
	limits->order = arena_allocate(arena, (size_t)limits->sm_count, sizeof *limits->order);
	limits->rank = arena_allocate(arena, (size_t)limits->sm_count, sizeof *limits->rank);
	for (int i = 0; i < limits->sm_count; i++) {
		limits->order[i] = platform->order != NULL ? platform->order[i] : i;
		limits->rank[limits->order[i]] = i;
	}
}

bool sm_limits_read(struct sm_limits *limits, struct arena *arena, const struct platform *platform,
	const struct allocation_options *options, const char **missing)
{
	*missing = NULL;
	*limits = (struct sm_limits){.platform = platform};
	limits->sm_count = read_units(platform, PARAMETER_SM_COUNT, 1, 0, missing);
	limits->warps = read_units(platform, PARAMETER_SM_WARPS, 1, 0, missing);
	limits->blocks = read_units(platform, PARAMETER_SM_BLOCKS, 1, 0, missing);
	limits->parts = read_units(platform, PARAMETER_SM_SUBPARTITIONS, 1, 1, missing);
	limits->registers_by = options != NULL ? options->registers_by : limits->parts > 1 ? ALLOCATION_PARTITIONS : ALLOCATION_FUNGIBLE;
	limits->shared_by = options != NULL ? options->shared_by : ALLOCATION_FUNGIBLE;
	limits->contiguous = allocation_contiguous(limits->registers_by) || allocation_contiguous(limits->shared_by);
	if (limits->registers_by != ALLOCATION_PARTITIONS)
		limits->parts = 1;
	read_registers(limits, platform, missing);
	read_shared(limits, arena, platform, missing);
	if (*missing != NULL || !in_range(limits, missing))
		return false;
	limits->plain = !limits->contiguous && !limits->chip_configures;
	limits->slots = UINT64_MAX >> (BLOCKS_MOST - limits->blocks);
	limits->part_warps = limits->warps / limits->parts;
	for (int i = 0; i < limits->parts; i++)
		limits->lanes |= UINT64_C(1) << 16 * i;
	limits->words = (limits->sm_count + 63) / 64;
	read_order(limits, arena, platform);
	return true;
}
