/* How long the analysis takes once a task set is read: map, hazards, inflation, response. */
#include "bench.h"
#include "interference/inflation.h"
#include "map/hazards.h"
#include "response/response.h"
#include "workload.h"

#include <stdio.h>

struct analysis {
	const struct platform *platform;
	const struct taskset *set;
	bool derives; /* as for a report; results alone are what the table, slack and the falsifier take */
	enum verdict worst;
};

static void analyze(void *context)
{
	struct analysis *work = context;
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct derivation derivation;
	diagnostics_init(&diagnostics, arena);
	if (work->derives)
		derivation_init(&derivation, arena);
	else
		derivation_init_mute(&derivation);
	struct map *map = map_build(arena, work->platform, work->set);
	hazards_report(work->platform, work->set, map, &diagnostics);
	hazards_channels(arena, work->platform, work->set, map);
	struct inflation *inflation = inflation_compute(arena, work->platform, work->set, map, &derivation);
	work->worst = response_compute(arena, work->platform, work->set, map, inflation, &derivation)->worst;
	arena_destroy(arena);
}

static bool run(int streams, int operations, int64_t target_ns, const struct input_folders *folders)
{
	char name[80], with[96];
	snprintf(name, sizeof name, "analysis, %d streams, %d operations", streams, operations);
	snprintf(with, sizeof with, "%s, derived", name);
	struct workload workload = workload_create(streams, operations);
	struct arena *arena = arena_create();
	struct analysis work = {.worst = VERDICT_NO_BOUND};
	work.set = workload_read(&workload, arena, folders, &work.platform);
	bool met = bench_run(name, target_ns, analyze, &work);
	work.derives = true;
	bench_run(with, 0, analyze, &work);
	if (work.worst == VERDICT_NO_BOUND)
		printf("%s: no bound was found, so this times something else\n", name);
	workload_destroy(&workload);
	arena_destroy(arena);
	return met && work.worst != VERDICT_NO_BOUND;
}

int main(void)
{
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	bool met = run(8, 40, 60000, &folders);
	met &= run(64, 1000, 50000000, &folders);
	arena_destroy(arena);
	return met ? 0 : 1;
}
