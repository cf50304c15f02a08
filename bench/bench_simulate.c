/* Block events (begins and ends) a second of the simulator on the 132 SMs of the H200 model with 8 streams, what a long run needs in
 * memory, and beside it the straightforward event loop, which looks at all SMs for the next end and for each block's place. */
#include "bench.h"
#include "input/input.h"
#include "machine/machine.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define STREAMS 8
#define JOBS 50              /* a task: 8 * 50 * 2,500 blocks */
#define GRID 2500            /* blocks a kernel */
#define TARGET_NS 400000000  /* 2 million events at 5 million a second */
#define LONG_RUN 20          /* times as many jobs, for the memory */
#define MEMORY_LIMIT_KIB 512 /* that a long run may need more than a short one */

struct scene {
	const struct platform *platform;
	struct taskset set;
	struct application application;
	struct stream streams[STREAMS];
	struct task tasks[STREAMS];
	struct operation operations[STREAMS];
	struct simulate_options options;
	int64_t events; /* block events of the last run */
};

static void build(struct scene *scene)
{
	static const int threads[STREAMS] = {64, 96, 128, 160, 192, 256, 384, 512};
	scene->set = (struct taskset){.id = "bench",
		.applications = &scene->application,
		.application_count = 1,
		.streams = scene->streams,
		.stream_count = STREAMS,
		.tasks = scene->tasks,
		.task_count = STREAMS,
		.operations = scene->operations,
		.operation_count = STREAMS};
	scene->application = (struct application){"bench", NONE, 0};
	for (int i = 0; i < STREAMS; i++) {
		struct kernel kernel = {.grid = {GRID, 1, 1}, .blocks = GRID, .threads = threads[i], .registers = 32, .carveout = 100};
		kernel.active_blocks = kernel.footprint = NONE;
		scene->streams[i] = (struct stream){"s", 0, 0, STREAM_NON_BLOCKING, 0};
		scene->tasks[i] = (struct task){.id = "t", .deadline = NONE, .offset = NONE, .first_operation = i, .operation_count = 1};
		scene->tasks[i].arrival = (struct arrival){.period = 12000000, .min_distance = NONE};
		scene->operations[i] = (struct operation){
			.id = "k", .kind = OPERATION_KERNEL, .stream = i, .event = NO_ID, .wcet = 100000, .bcet = 50000, .kernel = kernel};
	}
	scene->options = (struct simulate_options){.seed = 1, .durations.mode = DURATIONS_UNIFORM, .releases.jobs = JOBS};
}

static void simulate(void *context)
{
	struct scene *scene = context;
	struct arena *arena = arena_create();
	struct simulate_result result;
	if (simulate_run(arena, scene->platform, &scene->set, &scene->options, &result) != SIMULATE_DONE) {
		fprintf(stderr, "bench_simulate: %s\n", result.refusal);
		exit(1);
	}
	scene->events = result.block_events;
	arena_destroy(arena);
}

/* ---- the straightforward way */
struct straightforward {
	struct sm_limits limits;
	struct chip chip;
	struct shape shapes[STREAMS];
	struct random random;
	int64_t (*ends)[BLOCKS_MOST]; /* by SM and slot; INT64_MAX: free */
	int64_t now;
};

static int most_room(const struct straightforward *loop, const struct shape *shape)
{
	int best = NO_ID, most = 0;
	for (int rank = 0; rank < loop->limits.sm_count; rank++) {
		int sm = loop->limits.order[rank], room = sm_room(&loop->chip.sms[sm], &loop->limits, shape);
		if (room > most) {
			most = room;
			best = sm;
		}
	}
	return best;
}

static void end_next(struct straightforward *loop)
{
	int next_sm = 0, next_slot = 0;
	for (int sm = 0; sm < loop->limits.sm_count; sm++)
		for (int slot = 0; slot < loop->limits.blocks; slot++)
			if (loop->ends[sm][slot] < loop->ends[next_sm][next_slot]) {
				next_sm = sm;
				next_slot = slot;
			}
	loop->now = loop->ends[next_sm][next_slot];
	loop->ends[next_sm][next_slot] = INT64_MAX;
	chip_release(&loop->chip, next_sm, next_slot);
}

static void place_all(struct straightforward *loop, int stream)
{
	for (int placed = 0; placed < GRID; placed++) {
		int sm = most_room(loop, &loop->shapes[stream]);
		while (sm == NO_ID) {
			end_next(loop);
			sm = most_room(loop, &loop->shapes[stream]);
		}
		int slot = chip_take(&loop->chip, sm, &loop->shapes[stream]);
		loop->ends[sm][slot] = loop->now + random_between(&loop->random, 50000, 100000);
	}
}

static void straightforward(void *context)
{
	struct scene *scene = context;
	struct arena *arena = arena_create();
	struct straightforward *loop = arena_allocate(arena, 1, sizeof *loop);
	const char *missing;
	sm_limits_read(&loop->limits, arena, scene->platform, NULL, &missing);
	chip_init(&loop->chip, arena, &loop->limits);
	random_seed(&loop->random, 1, 0);
	loop->ends = arena_allocate(arena, (size_t)loop->limits.sm_count, sizeof *loop->ends);
	for (int sm = 0; sm < loop->limits.sm_count; sm++)
		for (int slot = 0; slot < BLOCKS_MOST; slot++)
			loop->ends[sm][slot] = INT64_MAX;
	for (int i = 0; i < STREAMS; i++)
		shape_init(&loop->shapes[i], &loop->limits, &scene->operations[i].kernel);
	for (int job = 0; job < JOBS / 10; job++)
		for (int stream = 0; stream < STREAMS; stream++)
			place_all(loop, stream);
	while (loop->chip.residents > 0)
		end_next(loop);
	arena_destroy(arena);
}

static long peak_kib(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static bool memory_stays(struct scene *scene)
{
	simulate(scene);
	long before = peak_kib();
	scene->options.releases.jobs = JOBS * LONG_RUN;
	simulate(scene);
	long after = peak_kib();
	printf("%-44s  %ld KiB after %d jobs, %ld KiB after %d\n", "simulate: peak memory", before, JOBS * STREAMS, after,
		JOBS * LONG_RUN * STREAMS);
	return after - before <= MEMORY_LIMIT_KIB;
}

int main(void)
{
	static struct scene scene;
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	scene.platform = input_read_platform(arena, &diagnostics, &folders, "h200");
	if (scene.platform == NULL)
		return 1;
	build(&scene);
	bool fine = bench_run("simulate: 2,000,000 block events", TARGET_NS, simulate, &scene);
	fine &= scene.events == INT64_C(2) * STREAMS * JOBS * GRID;
	bench_run("straightforward: 200,000 block events", 0, straightforward, &scene);
	fine &= memory_stays(&scene);
	arena_destroy(arena);
	return fine ? 0 : 1;
}
