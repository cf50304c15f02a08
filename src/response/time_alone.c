#include "response/time_alone.h"

static int64_t stated(const struct workload *w, enum parameter which)
{
	return w->platform->parameters[which].present ? platform_value(w->platform, which) : 0;
}

/* How often the SMs are filled with its blocks; 1 where nobody knows. */
static int64_t waves(const struct workload *w, const struct map *map, int operation)
{
	const struct kernel_map *of = &map->kernels[operation];
	const int64_t *grid = w->set->operations[operation].kernel.grid;
	if (!of->is_kernel || w->costs->operations[operation].grid)
		return 1;
	int64_t slots = checked_mul(checked_div_floor(of->slots_greatest, of->occupancy.greatest), of->occupancy.whole);
	int64_t all = checked_div_ceil(checked_mul(grid[0], checked_mul(grid[1], grid[2])), slots);
	return all == NONE ? 1 : checked_max(1, all);
}

static int64_t time_of(const struct workload *w, const struct map *map, int operation)
{
	const struct operation_cost *cost = &w->costs->operations[operation];
	int64_t wcet = w->set->operations[operation].wcet, time = stated(w, PARAMETER_OVERHEAD_DEPENDENCY);
	if (cost->place == PLACE_COPY)
		return checked_add(time, checked_add(wcet, stated(w, PARAMETER_OVERHEAD_COPY)));
	if (cost->place == PLACE_EXECUTION)
		return checked_add(time, checked_add(checked_mul(wcet, waves(w, map, operation)), stated(w, PARAMETER_OVERHEAD_LAUNCH)));
	return time;
}

/* What a segment has on a stream, one after another. */
static int64_t time_on(const struct workload *w, const struct map *map, const struct segment *segment, int stream, struct time_alone *all)
{
	int64_t sum = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++) {
		if (w->set->operations[i].stream != stream)
			continue;
		int64_t time = time_of(w, map, i);
		sum = checked_add(sum, time);
		if (time > all->most) {
			all->most = time;
			all->operation = i;
		}
	}
	return sum;
}

struct time_alone time_alone(const struct workload *w, const struct map *map, int task)
{
	struct time_alone all = {w->segments->host_of_task[task], NO_ID, -1};
	for (int s = 0; s < w->segments->count; s++) {
		const struct segment *segment = &w->segments->items[s];
		int64_t longest = 0;
		for (int i = segment->first; i < segment->first + segment->count && segment->task == task; i++)
			longest = checked_max(longest, time_on(w, map, segment, w->set->operations[i].stream, &all));
		all.ns = checked_add(all.ns, longest);
	}
	return all;
}
