/* Random programs of blocks, diamonds and loops, and random paths through them. */
#include "kernel/random_program.h"

#include "kernel/build.h"

#include <check.h>
#include <stdlib.h>

static int add_block(struct random_program *subject, bool barrier)
{
	struct program *program = subject->program;
	int block = program->block_count++;
	for (int i = rand() % 6; i > 0; i--)
		program->blocks[block].counts[rand() % CLASS_BARRIER]++;
	program->blocks[block].counts[CLASS_BARRIER] = barrier;
	if (block > 0 && subject->last >= 0)
		build_edge(program, subject->last, block);
	return subject->last = block;
}

/* Both sides have a barrier or none, or else the warps would wait for ever. */
static void add_diamond(struct random_program *subject, bool barrier)
{
	int top = subject->last, left = add_block(subject, barrier);
	subject->last = top;
	int right = add_block(subject, barrier), bottom = add_block(subject, false);
	build_edge(subject->program, left, bottom);
	(void)right;
}

static void add_loop(struct random_program *subject, bool barrier)
{
	int header = add_block(subject, false), bound = rand() % 5;
	bool uniform = barrier || rand() % 2 == 0;
	if (rand() % 2 == 0)
		add_diamond(subject, false);
	add_block(subject, barrier);
	build_edge(subject->program, subject->last, header);
	build_loop(subject->program, header, bound);
	subject->program->loops[subject->program->loop_count - 1].uniform = uniform;
	subject->turns[header] = uniform ? rand() % (bound + 1) : -1;
}

void random_program(struct random_program *subject, struct arena *arena, int kind, int most_warps)
{
	subject->program = build_empty(arena, RANDOM_BLOCKS);
	subject->program->block_count = 0;
	subject->program->threads = 32 * (1 + rand() % most_warps);
	subject->last = -1;
	add_block(subject, false);
	for (int i = 1 + rand() % 6; i > 0; i--) {
		bool barrier = kind > 0 && rand() % 2 == 0;
		switch (rand() % 3) {
		case 0: add_block(subject, barrier); break;
		case 1: add_diamond(subject, barrier && kind == 2); break;
		default: add_loop(subject, barrier);
		}
	}
	add_block(subject, false);
	build_finish(arena, subject->program);
}

static bool is_way_back(const struct random_program *subject, int edge, int *loop)
{
	for (*loop = 0; *loop < subject->program->loop_count; ++*loop)
		if (subject->program->loops[*loop].header == subject->program->edges[edge].to &&
			subject->program->edges[edge].from >= subject->program->edges[edge].to)
			return true;
	return false;
}

/* One of the edges out of a block that this warp takes. */
static int choose(const struct random_program *subject, int block, int *turns)
{
	int ways[4], count = 0, loop;
	for (int i = 0; i < subject->program->edge_count; i++) {
		if (subject->program->edges[i].from != block)
			continue;
		if (is_way_back(subject, i, &loop)) {
			int header = subject->program->loops[loop].header;
			int wanted = subject->turns[header] >= 0 ? subject->turns[header]
								 : rand() % ((int)subject->program->loops[loop].bound + 1);
			if (turns[header]++ < wanted)
				return subject->program->edges[i].to;
			continue;
		}
		ways[count++] = subject->program->edges[i].to;
	}
	return count == 0 ? -1 : ways[rand() % count];
}

struct warp_trace random_path(const struct random_program *subject, struct arena *arena)
{
	int *classes = arena_allocate(arena, RANDOM_LONGEST, sizeof *classes), count = 0, turns[RANDOM_BLOCKS] = {0};
	for (int block = 0; block >= 0; block = choose(subject, block, turns)) {
		for (int c = 0; c < CLASS_COUNT; c++)
			for (int64_t i = 0; i < subject->program->blocks[block].counts[c]; i++)
				classes[count++] = c;
		ck_assert_int_lt(count, RANDOM_LONGEST - 100);
	}
	return (struct warp_trace){.classes = classes, .count = count};
}
