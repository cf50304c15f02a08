/* How long the analysis takes on task sets of POET: map, inflation, all bounds. bench_poet FOLDER PROGRAM...: the sets are its *.yaml or
 * those in its folder cases; the program, a direct evaluation of the equations of the same sets, is run afterwards and prints its own time.
 */
#include "base/output.h"
#include "bench.h"
#include "import/import.h"
#include "input/input.h"
#include "interference/inflation.h"
#include "response/response.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SETS_OF_TARGET 125 /* take 20 ms */
#define TARGET_NS 20000000

struct sets {
	const struct taskset **sets;
	const struct platform **platforms;
	int count;
};

/* As for a report, with each step, or the bounds alone. */
static void analyze_all(const struct sets *sets, bool derived)
{
	for (int i = 0; i < sets->count; i++) {
		struct arena *arena = arena_create();
		struct derivation derivation;
		if (derived)
			derivation_init(&derivation, arena);
		else
			derivation_init_mute(&derivation);
		struct map *map = map_build(arena, sets->platforms[i], sets->sets[i]);
		struct inflation *inflation = inflation_compute(arena, sets->platforms[i], sets->sets[i], map, &derivation);
		response_compute(arena, sets->platforms[i], sets->sets[i], map, inflation, &derivation);
		arena_destroy(arena);
	}
}

static void analyze(void *context)
{
	analyze_all(context, false);
}

static void derive(void *context)
{
	analyze_all(context, true);
}

static void fail(struct diagnostics *diagnostics, const char *path)
{
	diagnostics_print(diagnostics, 0, LEVEL_NOTE, false, stderr);
	fprintf(stderr, "%s: not read\n", path);
	exit(1);
}

static void write_both(const char *folder, const struct output *taskset, const struct output *platform, char paths[2][300])
{
	snprintf(paths[0], sizeof paths[0], "%s/taskset.xml", folder);
	snprintf(paths[1], sizeof paths[1], "%s/platform.xml", folder);
	if (output_write(taskset, paths[0]) && output_write(platform, paths[1]))
		return;
	perror(folder);
	exit(1);
}

static void read_set(struct sets *sets, struct arena *arena, const char *path, const char *folder)
{
	struct diagnostics diagnostics;
	struct import_source source = {import_find_format("poet"), path};
	struct import_options options = {.sources = &source,
		.source_count = 1,
		.platform = "./platform.xml",
		.by = "bench",
		.margin = rational_of(0),
		.jobs = NONE,
		.registers = NONE};
	struct output taskset = {0}, platform = {0};
	struct input_folders folders = input_find_folders(arena);
	char paths[2][300];
	diagnostics_init(&diagnostics, arena);
	if (!import_run(arena, &diagnostics, &options, &taskset, &platform))
		fail(&diagnostics, path);
	write_both(folder, &taskset, &platform, paths);
	output_finish(&taskset);
	output_finish(&platform);
	sets->sets[sets->count] = input_read_taskset(arena, &diagnostics, &folders, paths[0], NULL, &sets->platforms[sets->count]);
	if (sets->sets[sets->count++] == NULL)
		fail(&diagnostics, path);
	unlink(paths[0]);
	unlink(paths[1]);
}

static void read_sets(struct sets *sets, struct arena *arena, const char *folder)
{
	char temporary[256], pattern[1024];
	glob_t found;
	const char *parent = getenv("TMPDIR");
	snprintf(temporary, sizeof temporary, "%s/gpubound-bench.XXXXXX", parent != NULL ? parent : "/tmp");
	snprintf(pattern, sizeof pattern, "%s/*.yaml", folder);
	glob(pattern, 0, NULL, &found);
	snprintf(pattern, sizeof pattern, "%s/cases/*.yaml", folder);
	glob(pattern, GLOB_APPEND, NULL, &found);
	if (mkdtemp(temporary) == NULL || found.gl_pathc == 0) {
		fprintf(stderr, "%s: expected task sets of POET, *.yaml or cases/*.yaml\n", folder);
		exit(1);
	}
	sets->sets = arena_allocate(arena, found.gl_pathc, sizeof *sets->sets);
	sets->platforms = arena_allocate(arena, found.gl_pathc, sizeof *sets->platforms);
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_set(sets, arena, found.gl_pathv[i], temporary);
	globfree(&found);
	rmdir(temporary);
}

/* The direct evaluation, in the same run. */
static int run_program(char **words)
{
	char line[2048] = "";
	size_t length = 0;
	for (; *words != NULL && length < sizeof line; words++)
		length += (size_t)snprintf(line + length, sizeof line - length, "'%s' ", *words);
	fflush(stdout);
	return length == 0 || length >= sizeof line ? 0 : system(line);
}

int main(int count, char **words)
{
	struct arena *arena = arena_create();
	struct sets sets = {0};
	char name[80];
	if (count < 2) {
		fprintf(stderr, "usage: bench_poet FOLDER [PROGRAM...]\n");
		return 2;
	}
	read_sets(&sets, arena, words[1]);
	snprintf(name, sizeof name, "all bounds of %d task sets of POET", sets.count);
	bool met = bench_run(name, (int64_t)TARGET_NS * sets.count / SETS_OF_TARGET, analyze, &sets);
	bench_run("the same, derived", 0, derive, &sets);
	int status = run_program(words + 2);
	arena_destroy(arena);
	return met && status == 0 ? 0 : 1;
}
