/* Programs for tests. */
#include "kernel/build.h"

#include <stdlib.h>

struct program *build_empty(struct arena *arena, int blocks)
{
	struct program *program = arena_allocate(arena, 1, sizeof *program);
	*program = (struct program){.path = "test", .id = "test", .threads = 32, .block_count = blocks};
	program->blocks = arena_allocate(arena, (size_t)blocks, sizeof *program->blocks);
	program->edges = arena_allocate(arena, (size_t)(blocks * blocks), sizeof *program->edges);
	program->loops = arena_allocate(arena, (size_t)blocks, sizeof *program->loops);
	program->branches = arena_allocate(arena, (size_t)blocks, sizeof *program->branches);
	for (int i = 0; i < blocks; i++)
		program->blocks[i].id = arena_format(arena, "%c%s", 'a' + i % 26, i < 26 ? "" : "x");
	program->declared_divergence = (struct divergence_cost){16, 4, 32, 84, "seed 004"};
	for (int i = 0; i < CLASS_COUNT; i++)
		program->declared[i] = (struct class_cost){1, 1, false, NULL, "test", "test"};
	return program;
}

void build_edge(struct program *program, int from, int to)
{
	program->edges[program->edge_count++] = (struct program_edge){from, to, 0};
}

void build_loop(struct program *program, int header, int64_t bound)
{
	program->loops[program->loop_count++] = (struct program_loop){header, bound, true, 0};
}

void build_finish(struct arena *arena, struct program *program)
{
	bool *followed = arena_allocate(arena, (size_t)program->block_count, sizeof *followed);
	for (int i = 0; i < program->edge_count; i++)
		followed[program->edges[i].from] = true;
	for (int i = 0; i < program->block_count; i++)
		program->blocks[i].leaves |= !followed[i];
}

struct program *build_program(struct arena *arena, const char *edges, const char *loops, const int64_t *weights)
{
	char last = 'a';
	for (const char *at = edges; *at != '\0'; at++)
		last = *at > last ? *at : last;
	struct program *program = build_empty(arena, last - 'a' + 1);
	for (const char *at = edges; at[0] != '\0' && at[1] != '\0'; at += at[2] == ' ' ? 3 : 2)
		build_edge(program, at[0] - 'a', at[1] - 'a');
	for (char *at = arena_copy(arena, loops); *at != '\0'; at += *at == ' ') {
		int header = *at++ - 'a';
		build_loop(program, header, strtoll(at, &at, 10));
	}
	for (int i = 0; i < program->block_count; i++)
		program->blocks[i].counts[CLASS_INT32] = weights == NULL ? 1 : weights[i];
	build_finish(arena, program);
	return program;
}
