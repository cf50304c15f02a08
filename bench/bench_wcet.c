/* How long it takes to bound a kernel's paths: a graph of a thousand blocks, by the certified linear program and by the closed form; and
 * to bound each kernel of examples/kernels, from its file. In the source's folder. */
#include "bench.h"
#include "input/input.h"
#include "wcet/closed_form.h"
#include "wcet/wcet.h"

#include "base/assert.h"
#include <glob.h>
#include <stdio.h>

#define BLOCKS 1000
#define TARGET_NS 10000000
#define TARGET_EXAMPLE_NS 100000000

struct work {
	struct program program;
	int64_t weights[BLOCKS];
};

static void add_edge(struct program *program, int from, int to)
{
	program->edges[program->edge_count++] = (struct program_edge){from, to, 0};
}

/* A hundred loops of ten blocks each, one after the other and every fifth around the four before it: four branches, a way back. */
static void build(struct work *work, struct arena *arena)
{
	struct program *program = &work->program;
	*program = (struct program){.path = "bench", .id = "bench", .threads = 32, .block_count = BLOCKS};
	program->blocks = arena_allocate(arena, BLOCKS, sizeof *program->blocks);
	program->edges = arena_allocate(arena, 3 * BLOCKS, sizeof *program->edges);
	program->loops = arena_allocate(arena, BLOCKS, sizeof *program->loops);
	for (int i = 0; i < BLOCKS; i++) {
		work->weights[i] = 10 + i * 37 % 90;
		if (i + 1 < BLOCKS)
			add_edge(program, i, i + 1);
		if (i % 10 >= 3 && i % 10 < 7)
			add_edge(program, i, i + 2);
		if (i % 10 == 9 && i > 9) {
			add_edge(program, i, i - 7);
			program->loops[program->loop_count++] = (struct program_loop){i - 7, 1 + i % 13, true, 0};
		}
		if (i % 50 == 49) {
			add_edge(program, i, i - 48);
			program->loops[program->loop_count++] = (struct program_loop){i - 48, 5, true, 0};
		}
	}
	program->blocks[BLOCKS - 1].leaves = true;
}

static void analyse(struct flow *flow, struct loops *loops, struct divergence *divergence, const struct work *work, struct arena *arena)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	bool accepted = flow_build(flow, &work->program, arena, &diagnostics) && loops_find(loops, flow, NULL, &diagnostics) &&
			divergence_find(divergence, flow, loops, NULL, &diagnostics);
	diagnostics_print(&diagnostics, 0, LEVEL_NOTE, false, stderr);
	assert(accepted);
	(void)accepted;
}

static void by_program(void *context)
{
	const struct work *work = context;
	struct arena *arena = arena_create();
	struct flow flow;
	struct loops loops;
	struct divergence divergence;
	analyse(&flow, &loops, &divergence, work, arena);
	struct ipet_weights weights = {work->weights, 0, 0};
	struct ipet_result result = ipet_solve(&flow, &loops, &divergence, &weights, true, &(struct lp_limits){0, 0});
	assert(result.value == result.closed);
	(void)result;
	arena_destroy(arena);
}

static void by_closed_form(void *context)
{
	const struct work *work = context;
	struct arena *arena = arena_create();
	struct flow flow;
	struct loops loops;
	struct divergence divergence;
	analyse(&flow, &loops, &divergence, work, arena);
	closed_form(&flow, &loops, work->weights);
	arena_destroy(arena);
}

static void by_file(void *context)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	const struct platform *platform;
	struct wcet wcet;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	const struct program *program = input_read_program(arena, &diagnostics, &folders, context, NULL, &platform);
	bool found = program != NULL && wcet_find(&wcet, program, platform, arena, &(struct lp_limits){0, 0}, &diagnostics);
	diagnostics_print(&diagnostics, 0, LEVEL_NOTE, false, stderr);
	assert(found);
	(void)found;
	arena_destroy(arena);
}

static bool run_examples(void)
{
	glob_t found;
	bool met = glob("examples/kernels/*.xml", 0, NULL, &found) == 0;
	for (size_t i = 0; met && i < found.gl_pathc; i++)
		met &= bench_run(found.gl_pathv[i], TARGET_EXAMPLE_NS, by_file, found.gl_pathv[i]);
	globfree(&found);
	return met;
}

int main(void)
{
	struct arena *arena = arena_create();
	struct work *work = arena_allocate(arena, 1, sizeof *work);
	build(work, arena);
	bool met = bench_run("wcet, 1000 blocks, certified linear program", TARGET_NS, by_program, work);
	met &= bench_run("wcet, 1000 blocks, closed form", TARGET_NS, by_closed_form, work);
	arena_destroy(arena);
	met &= run_examples();
	return met ? 0 : 1;
}
