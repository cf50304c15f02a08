/* What each bound takes, and how often it is the one that counts.
 *
 * usage: bounds_least SYSTEMS [FILE...]    systems of the falsifier, seed 1, and the tasks of these files
 *
 * Of each bound: the least time of all its contexts in an analysis of 8 streams with 40 operations (bench_analysis), and its share of the
 * time of analysing the drawn systems; of the tasks of the drawn systems and of the files, in how many it has a value, in how many that is
 * the only one, in how many it is less than every other, and in how many systems it is so for some task. Values are from the nominal
 * release. What bounds share is charged to the first that asks for it, and `turns`, which all bounds of segments rest on, has a row of its
 * own. */
#include "base/derivation.h"
#include "bounds_timed.h"
#include "falsify/generate.h"
#include "pipeline.h"
#include "response/analysis.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

#define REPETITIONS 500

/* Times of its parts are in `timed`. */
static const struct response *analyze(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct derivation derivation;
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	derivation_init_mute(&derivation);
	timed_start();
	const struct map *map = map_build(arena, platform, set);
	const struct response *response =
		analysis_compute(arena, platform, set, map, &derivation, RESPONSE_SOLVER_ITERATIONS, &diagnostics).response;
	timed_stop();
	return response;
}

/* ---- how often it counts */

struct counts {
	long tasks, systems;
	long has[BOUND_COUNT], only[BOUND_COUNT], least[BOUND_COUNT], in_systems[BOUND_COUNT];
};

/* The bound that is less than every other; NO_ID: none is. */
static int strictly_least(const struct bound_value *bounds, const struct task *task, int *having)
{
	int winner = NO_ID;
	int64_t least = NONE;
	*having = 0;
	for (int i = 0; i < BOUND_COUNT; i++) {
		int64_t value = bound_from_nominal((enum bound)i, task, bounds[i].value);
		*having += value != NONE;
		if (value == NONE || (least != NONE && value > least))
			continue;
		winner = value == least ? NO_ID : i;
		least = value;
	}
	return winner;
}

static void count(struct counts *counts, const struct taskset *set, const struct response *response)
{
	bool seen[BOUND_COUNT] = {false};
	for (int t = 0; t < set->task_count; t++) {
		int having, winner = strictly_least(response->tasks[t].bounds, &set->tasks[t], &having);
		for (int i = 0; i < BOUND_COUNT; i++)
			counts->has[i] += response->tasks[t].bounds[i].value != NONE;
		if (winner == NO_ID)
			continue;
		counts->only[winner] += having == 1;
		counts->least[winner] += having > 1;
		seen[winner] = true;
	}
	for (int i = 0; i < BOUND_COUNT; i++)
		counts->in_systems[i] += seen[i];
	counts->tasks += set->task_count;
	counts->systems++;
}

/* ---- the three lots */

static void time_workload(int64_t least[PART_COUNT], const struct input_folders *folders)
{
	struct workload workload = workload_create(8, 40);
	struct arena *arena = arena_create();
	const struct platform *platform;
	const struct taskset *set = workload_read(&workload, arena, folders, &platform);
	for (int i = 0; i < REPETITIONS; i++) {
		struct arena *own = arena_create();
		analyze(own, platform, set);
		arena_destroy(own);
		for (int part = 0; part < PART_COUNT; part++)
			least[part] = i == 0 ? timed[part] : checked_min(least[part], timed[part]);
	}
	workload_destroy(&workload);
	arena_destroy(arena);
}

static void draw_systems(struct counts *counts, int64_t all[PART_COUNT], long systems)
{
	for (long i = 0; i < systems; i++) {
		struct arena *arena = arena_create();
		struct falsify_case drawn = generate_case(arena, 1, (uint64_t)i);
		if (drawn.set != NULL) {
			count(counts, drawn.set, analyze(arena, drawn.platform, drawn.set));
			for (int part = 0; part < PART_COUNT; part++)
				all[part] += timed[part];
		}
		arena_destroy(arena);
	}
}

static void read_files(struct counts *counts, char **files)
{
	for (; *files != NULL; files++) {
		struct pipeline pipeline;
		pipeline_init(&pipeline);
		if (pipeline_run(&pipeline, *files, &(struct pipeline_options){.results_only = true}))
			count(counts, pipeline.set, pipeline.response);
		pipeline_finish(&pipeline);
	}
}

static void print_row(int bound, const int64_t *least, const int64_t *all, const struct counts *drawn, const struct counts *files)
{
	printf("| %-7s | %6.2f | %4.1f |", bound_kinds[bound].name, (double)least[bound] / 1000,
		100.0 * (double)all[bound] / (double)all[PART_ALL]);
	for (int i = 0; i < 2; i++) {
		const struct counts *counts = i == 0 ? drawn : files;
		printf(" %ld | %ld | %ld | %ld |", counts->has[bound], counts->only[bound], counts->least[bound],
			counts->in_systems[bound]);
	}
	printf("\n");
}

static void print_part(const char *label, int64_t least, int64_t all, const int64_t *total)
{
	printf("| %-7s | %6.2f | %4.1f | | | | | | | | |\n", label, (double)least / 1000, 100.0 * (double)all / (double)total[PART_ALL]);
}

int main(int words, char **arguments)
{
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	int64_t least[PART_COUNT] = {0}, all[PART_COUNT] = {0};
	struct counts drawn = {0}, files = {0};
	time_workload(least, &folders);
	draw_systems(&drawn, all, words > 1 ? strtol(arguments[1], NULL, 10) : 100);
	if (words > 2)
		read_files(&files, arguments + 2);
	printf("%ld drawn systems with %ld tasks, %ld files with %ld tasks\n\n", drawn.systems, drawn.tasks, files.systems, files.tasks);
	printf("| bound | us | %% | drawn: has | only | least | systems | files: has | only | least | files |\n");
	printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (int i = 0; i < BOUND_COUNT; i++)
		print_row(i, least, all, &drawn, &files);
	print_part("turns", least[PART_TURNS], all[PART_TURNS], all);
	print_part("all", least[PART_ALL], all[PART_ALL], all);
	arena_destroy(arena);
	return drawn.systems == 0;
}
