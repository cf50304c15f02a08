#include "response/whole_kernels.h"

/* Makespans where they are known, else slots; of a kernel of unknown size an SM may hold one block in place of all that it has room for. */
static int64_t times_of(const struct platform *platform, const struct operation_cost *cost, const struct kernel_map *map)
{
	if (cost->makespan.reason == NULL && cost->makespan.value != NONE && cost->block.value > 0)
		return cost->makespan.value / cost->block.value;
	if (!map->mixes)
		return 1;
	if (map->sized && map->slots_least > 0 && map->slots_greatest != NONE)
		return map->slots_greatest / map->slots_least;
	return platform->parameters[PARAMETER_SM_BLOCKS].present ? platform_value(platform, PARAMETER_SM_BLOCKS) : 1;
}

struct whole_kernel whole_kernels_worst(
	const struct platform *platform, const struct taskset *set, const struct costs *costs, const struct map *map, int context)
{
	struct whole_kernel worst = {NO_ID, WHOLE_KERNELS_WORTH - 1};
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_GRID || costs->operations[i].context != context)
			continue;
		int64_t times = times_of(platform, &costs->operations[i], &map->kernels[i]);
		if (times > worst.times)
			worst = (struct whole_kernel){i, times};
	}
	return worst;
}
