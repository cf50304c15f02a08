/* How long all orders of a set of jobs take. usage: bench_explore [JOBS PRECEDENCE]
 * The files are jobset-pe2-400MHz.csv and jobset-pe2.prec.csv of np-schedulability-analysis: 37,459 jobs, for which the
 * schedule-abstraction tool 3.3.1 took 1.92 s and 53 MB on two cores. Without them a set is made up: the same number of jobs in chains of
 * eight. */
#include "bench.h"
#include "papers/sag.h"

#include <stdio.h>
#include <sys/resource.h>

#define JOBS 37459
#define CHAIN 8
#define SPACE 130000 /* between the releases of two chains */
#define TARGET_NS 1920000000

struct work {
	struct explore explore;
	int64_t sum; /* so that nothing is left out */
};

static void run(void *context)
{
	struct work *work = context;
	struct arena *arena = arena_create();
	struct explore_result result = explore_run(arena, &work->explore);
	work->sum += result.reason == NULL ? result.states : 0;
	arena_destroy(arena);
}

static struct explore make(struct arena *arena)
{
	static const struct explore_engine engine = {.order = EXPLORE_LEVEL, .slots = 1, .knows = true};
	struct explore_job *jobs = arena_allocate(arena, JOBS, sizeof *jobs);
	struct explore_edge *edges = arena_allocate(arena, JOBS, sizeof *edges);
	int edge_count = 0;
	for (int i = 0; i < JOBS; i++) {
		int64_t release = (int64_t)(i / CHAIN / 2) * 2 * SPACE, cost = 3000 + i * 7919 % 15000;
		jobs[i] = (struct explore_job){
			0, release, release + i % 3 * 1000, cost / 2 + 1, cost, i * 31 % JOBS, 1, edge_count, i % CHAIN > 0};
		if (i % CHAIN > 0)
			edges[edge_count++].from = i - 1;
	}
	return (struct explore){jobs, JOBS, edges, edge_count, &engine, 1, 0};
}

int main(int count, char **arguments)
{
	struct arena *arena = arena_create();
	struct work work = {.explore = count > 2 ? sag_read(arena, arguments[1], arguments[2], 1).explore : make(arena)};
	struct rusage usage;
	if (count <= 2)
		puts("skipped: the recorded job set, its files were not given");
	bool met = bench_run(count > 2 ? "37,459 jobs, recorded" : "37,459 jobs, made up", count > 2 ? TARGET_NS : 0, run, &work);
	getrusage(RUSAGE_SELF, &usage);
	printf("memory: %ld MB; schedule-abstraction tool 3.3.1 on the recorded set: 1.92 s, 53 MB\n", usage.ru_maxrss / 1024);
	arena_destroy(arena);
	return met && work.sum > 0 ? 0 : 1;
}
