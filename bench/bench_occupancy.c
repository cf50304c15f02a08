/* How long the occupancy of a kernel takes. */
#include "bench.h"
#include "map/occupancy.h"
#include "workload.h"

struct occupancies {
	const struct platform *platform;
	const struct taskset *set;
	int64_t sum; /* so that nothing is left out */
};

static void compute(void *context)
{
	struct occupancies *work = context;
	for (int i = 0; i < work->set->operation_count; i++)
		if (work->set->operations[i].kind == OPERATION_KERNEL)
			work->sum += occupancy_compute(work->platform, &work->set->operations[i].kernel).greatest;
}

int main(void)
{
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	struct workload workload = workload_create(64, 1000);
	const struct platform *platform;
	struct occupancies work = {.set = workload_read(&workload, arena, &folders, &platform)};
	work.platform = platform;
	bool met = bench_run("occupancy, 872 kernels", 0, compute, &work);
	workload_destroy(&workload);
	arena_destroy(arena);
	return met && work.sum > 0 ? 0 : 1;
}
