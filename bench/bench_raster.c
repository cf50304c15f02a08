/* How long a frame takes to bound and to run: 1920 x 1080 pixels of large primitives. */
#include "bench.h"
#include "g80/bound/frame_bound.h"
#include "g80/machine/fragments.h"

struct work {
	struct frame frame;
	int64_t sum; /* so that nothing is left out */
};

static void bound(void *context)
{
	struct work *work = context;
	struct arena *arena = arena_create();
	work->sum += frame_bound_compute(arena, &work->frame, &(struct frame_hardware){6, 2, 26})->warps;
	arena_destroy(arena);
}

static void run(void *context)
{
	struct work *work = context;
	struct arena *arena = arena_create();
	work->sum += machine_run(arena, &work->frame, &(struct raster_part){6, 2, 26}, &(struct raster_choices){0})->time;
	arena_destroy(arena);
}

static void both(void *context)
{
	bound(context);
	run(context);
}

int main(void)
{
	struct shader shader = {.id = "s", .wcet = 1000};
	struct drawing draw = {.first = {.kind = PRIMITIVE_QUAD, .width = 1920, .height = 1080},
		.columns = 1,
		.rows = 1,
		.step_x = 1,
		.step_y = 1,
		.block_columns = 1,
		.block_rows = 1,
		.repeat = 1};
	struct batch batch = {.draws = &draw, .draw_count = 1};
	struct work work = {
		.frame = {.width = 1920, .height = 1080, .shaders = &shader, .shader_count = 1, .batches = &batch, .batch_count = 1}};
	work.frame.shifts = frame_known_pattern(6, &work.frame.shift_count);
	bool met = bench_run("frame of 1920 x 1080, bound", 0, bound, &work);
	met &= bench_run("frame of 1920 x 1080, run", 0, run, &work);
	met &= bench_run("frame of 1920 x 1080, bound and run", 50000000, both, &work);
	return met && work.sum > 0 ? 0 : 1;
}
