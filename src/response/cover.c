#include "response/cover.h"

#define SCALE_BITS 20
#define SCALE (INT64_C(1) << SCALE_BITS)

struct resource_demand { /* of one block, and what an SM has, in the resource's units */
	int64_t demand, capacity, unit;
};

#define RESOURCES 4

static void demands(const struct platform *platform, const struct demand *demand, struct resource_demand of[RESOURCES])
{
	of[0] = (struct resource_demand){demand->warps, platform_value(platform, PARAMETER_SM_WARPS), 1};
	of[1] = (struct resource_demand){1, platform_value(platform, PARAMETER_SM_BLOCKS), 1};
	of[2] = (struct resource_demand){checked_mul(demand->warps, demand->warp_registers),
		platform_value(platform, PARAMETER_SM_REGISTERS), platform_value(platform, PARAMETER_REGISTER_UNIT)};
	of[3] = (struct resource_demand){
		demand->shared, platform_value(platform, PARAMETER_SM_SHARED), platform_value(platform, PARAMETER_SHARED_UNIT)};
}

/* omega of block j for head x: the largest share of a fullness threshold that one block of j covers; scaled, rounded up. */
static int64_t share(const struct platform *platform, const struct demand *j, const struct demand *x)
{
	struct resource_demand of_j[RESOURCES], of_x[RESOURCES];
	int64_t largest = 0;
	demands(platform, j, of_j);
	demands(platform, x, of_x);
	for (int r = 0; r < RESOURCES; r++) {
		if (of_x[r].demand == 0)
			continue;
		int64_t threshold = checked_add(checked_sub(of_x[r].capacity, of_x[r].demand), of_x[r].unit);
		int64_t scaled = threshold == NONE || threshold <= 0 ? SCALE : checked_mul_div_ceil(of_j[r].demand, SCALE, threshold);
		largest = checked_max(largest, checked_min(scaled, SCALE));
	}
	return largest;
}

/* Amounts decide when an SM is full only if they are fungible and the SM is not configured by whoever came first; else every full SM
 * holds one block at least, and pi = 1. */
static bool amounts_decide(const struct platform *platform)
{
	return platform_grants(platform, ASSUMPTION_FRAG) && !occupancy_is_configurable(platform);
}

/* pi of a class for the heads that may stand at the queue while a kernel of `level` waits, or, for its own blocks, `own` and higher. */
static int64_t weight_of(
	const struct platform *platform, const struct map *map, const struct classes *classes, int index, int level, bool own)
{
	const struct class *class = &classes->items[index];
	const struct demand *demand = &map->kernels[class->operation].occupancy.demand;
	int64_t weight = own ? share(platform, demand, demand) : 0;
	if (!amounts_decide(platform))
		return SCALE;
	for (int i = 0; i < classes->count; i++) {
		const struct class *head = &classes->items[i];
		if (head->place == PLACE_EXECUTION && (own ? head->level < level : head->level <= level))
			weight = checked_max(weight, share(platform, demand, &map->kernels[head->operation].occupancy.demand));
	}
	return weight;
}

static bool level_used(const struct classes *classes, int level)
{
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == PLACE_EXECUTION && classes->items[i].level == level)
			return true;
	return false;
}

static void weigh(struct arena *arena, struct cover *cover, const struct platform *platform, const struct map *map)
{
	const struct classes *classes = cover->classes;
	for (int level = 0; level < CLASS_LEVELS; level++) {
		if (!level_used(classes, level))
			continue;
		cover->weight[level] = arena_allocate(arena, (size_t)classes->count, sizeof(int64_t));
		for (int i = 0; i < classes->count; i++)
			if (classes->items[i].place == PLACE_EXECUTION)
				cover->weight[level][i] = weight_of(platform, map, classes, i, level, false);
	}
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == PLACE_EXECUTION)
			cover->own_weight[i] = weight_of(platform, map, classes, i, classes->items[i].level, true);
}

static void add_delta(struct cover *cover, int64_t delta)
{
	for (int i = 0; i < cover->delta_count; i++)
		if (cover->deltas[i] == delta)
			return;
	if (delta > 0 && cover->delta_count < COVER_DELTAS)
		cover->deltas[cover->delta_count++] = delta;
}

/* 1, and the block times of the first kernels with their halves and thirds: all are sound, a few are enough. */
static void choose_deltas(struct cover *cover)
{
	add_delta(cover, 1);
	for (int part = 1; part <= 3; part++)
		for (int i = 0; i < cover->classes->count; i++)
			if (cover->classes->items[i].place == PLACE_EXECUTION && cover->delta_count < 1 + 4 * part)
				add_delta(cover, cover->classes->items[i].block / part);
}

struct cover *cover_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct classes *classes)
{
	struct cover *cover = arena_allocate(arena, 1, sizeof *cover);
	cover->classes = classes;
	cover->sms = platform_value(platform, PARAMETER_SM_COUNT);
	cover->own_weight = arena_allocate(arena, (size_t)classes->count + 1, sizeof *cover->own_weight);
	cover->resident = arena_allocate(arena, (size_t)classes->count + 1, sizeof *cover->resident);
	if (classes->count > COVER_CLASSES)
		return NULL;
	for (int i = 0; i < classes->count; i++) {
		const struct class *class = &classes->items[i];
		if (class->place != PLACE_EXECUTION)
			continue;
		const struct kernel_map *kernel = &map->kernels[class->operation];
		if (set->operations[class->operation].kind != OPERATION_KERNEL || class->blocks == NONE || !kernel->sized ||
			set->operations[class->operation].kernel.scope == SCOPE_GRID || kernel->slots_greatest == NONE)
			return NULL;
		cover->resident[i] = checked_min(class->blocks, kernel->slots_greatest);
	}
	weigh(arena, cover, platform, map);
	choose_deltas(cover);
	return cover->sms == NONE ? NULL : cover;
}

/* Weighted samples of `blocks` blocks of a class. */
static int64_t samples(const struct cover *cover, int index, int64_t weight, int64_t blocks, int64_t delta)
{
	int64_t each = checked_div_ceil(cover->classes->items[index].block, delta);
	return checked_mul(checked_mul(blocks, each), weight);
}

/* What one other stream can have in the engine: one kernel of its own or a higher level, queued or running, or the residents of a lower. */
static int64_t stream_samples(const struct cover *cover, const struct class *own, int stream, int64_t delta)
{
	int64_t most = 0;
	for (int i = 0; i < cover->classes->of_stream_count[stream]; i++) {
		int index = cover->classes->of_stream[stream][i];
		const struct class *class = &cover->classes->items[index];
		int64_t blocks = class->level > own->level ? cover->resident[index] : class->blocks;
		most = checked_max(most, samples(cover, index, cover->weight[own->level][index], blocks, delta));
	}
	return most;
}

static int64_t total_samples(const struct cover *cover, const struct class *own, int64_t window, int64_t delta)
{
	int own_index = (int)(own - cover->classes->items);
	int64_t sum = samples(cover, own_index, cover->own_weight[own_index], own->blocks - 1, delta);
	for (int s = 0; s < cover->classes->stream_count; s++)
		if (s != own->stream)
			sum = checked_add(sum, stream_samples(cover, own, s, delta));
	for (int i = 0; i < cover->classes->count; i++) {
		const struct class *class = &cover->classes->items[i];
		if (class->place != PLACE_EXECUTION || class->level >= own->level)
			continue;
		int64_t arrivals = arrivals_in(&class->arrivals, checked_add(window, 1));
		sum = checked_add(sum, samples(cover, i, cover->weight[own->level][i], checked_mul(arrivals, class->blocks), delta));
	}
	return sum;
}

/* Dispatcher time of everything counted: launches of the own and each higher kernel, every block, and one more for each that may be
 * under way when a higher one arrives (theory-review.md V5). */
static int64_t dispatcher_time(const struct cover *cover, const struct class *own, int64_t window, int64_t launch, int64_t dispatch)
{
	int64_t blocks = own->blocks, kernels = 1;
	for (int s = 0; s < cover->classes->stream_count; s++) {
		int64_t most = 0;
		for (int i = 0; i < cover->classes->of_stream_count[s] && s != own->stream; i++)
			most = checked_max(most, cover->classes->items[cover->classes->of_stream[s][i]].blocks);
		blocks = checked_add(blocks, most);
		kernels += s != own->stream && most > 0;
	}
	for (int i = 0; i < cover->classes->count; i++) {
		const struct class *class = &cover->classes->items[i];
		if (class->place != PLACE_EXECUTION || class->level >= own->level)
			continue;
		int64_t arrivals = arrivals_in(&class->arrivals, checked_add(window, 1));
		kernels = checked_add(kernels, arrivals);
		blocks = checked_add(blocks, checked_mul(arrivals, class->blocks));
	}
	return checked_add(checked_mul(launch, kernels), checked_mul(dispatch, checked_add(blocks, kernels)));
}

int64_t cover_delay(const struct cover *cover, const struct class *class, int64_t window, int64_t launch, int64_t dispatch)
{
	int64_t least = NONE;
	for (int i = 0; i < cover->delta_count; i++) {
		int64_t sum = total_samples(cover, class, window, cover->deltas[i]);
		int64_t full = checked_div_floor(sum, checked_mul(cover->sms, SCALE));
		least = checked_min(least, checked_mul(cover->deltas[i], full));
	}
	return checked_add(least, dispatcher_time(cover, class, window, launch, dispatch));
}
