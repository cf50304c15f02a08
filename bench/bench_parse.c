/* How long it takes to read a task set and its platform: schema, rules, model. */
#include "bench.h"
#include "workload.h"

#include <stdio.h>

struct parse {
	struct workload workload;
	struct input_folders folders;
};

static void parse(void *context)
{
	struct parse *work = context;
	const struct platform *platform;
	struct arena *arena = arena_create();
	workload_read(&work->workload, arena, &work->folders, &platform);
	arena_destroy(arena);
}

static bool run(int streams, int operations, const struct input_folders *folders)
{
	char name[80];
	snprintf(name, sizeof name, "parse, %d streams, %d operations", streams, operations);
	struct parse work = {workload_create(streams, operations), *folders};
	bool met = bench_run(name, 0, parse, &work);
	workload_destroy(&work.workload);
	return met;
}

int main(void)
{
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	bool met = run(8, 40, &folders);
	met &= run(64, 1000, &folders);
	arena_destroy(arena);
	return met ? 0 : 1;
}
