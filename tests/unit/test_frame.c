/* The bound of frames never lies below a run of the machine, what both count is the same, and verify derives the same bound. */
#include "g80/bound/frame_bound.h"
#include "g80/bound/spans.h"
#include "g80/machine/coverage.h"
#include "g80/machine/fragments.h"
#include "unit/run.h"
#include "verify/frame_bound.h"

#define MOST_DRAWS 6
#define MOST_SLOW 8

struct scene {
	struct frame frame;
	struct shader shaders[2];
	struct branch branches[3];
	struct batch batches[3];
	struct drawing draws[3][MOST_DRAWS];
	struct slow slows[3][MOST_SLOW];
	int shifts[6];
	struct hidden hidden[FRAME_HIDDEN];
	struct frame_hardware hardware;
};

static uint64_t state;

static int lot(int least, int most)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return least + (int)((state >> 33) % (uint64_t)(most - least + 1));
}

static void make_triangle(struct scene *s, struct primitive *p)
{
	for (int i = 0; i < 3; i++) {
		p->corners[i][0] = lot(-20, s->frame.width + 20);
		p->corners[i][1] = lot(-20, s->frame.height + 20);
	}
	p->kind = PRIMITIVE_TRIANGLE;
	p->x = p->y = -20;
	p->width = s->frame.width + 40;
	p->height = lot(1, 200);
}

static void make_drawing(struct scene *s, struct drawing *d)
{
	static const int sides[] = {1, 2, 3, 4, 5, 8, 16, 17, 64, 130};
	enum primitive_kind kind = (enum primitive_kind)lot(PRIMITIVE_QUAD, PRIMITIVE_POINT);
	int width = sides[lot(0, 9)], height = sides[lot(0, 9)];
	*d = (struct drawing){.first = {.kind = kind, .x = lot(-10, s->frame.width), .y = lot(-10, s->frame.height)}, .repeat = lot(1, 4)};
	d->columns = lot(1, 3) == 1 ? lot(1, 20) : 1;
	d->rows = lot(1, 3) == 1 ? lot(1, 20) : 1;
	d->block_columns = lot(1, d->columns);
	d->block_rows = lot(1, d->rows);
	d->stacked = lot(0, 1);
	d->first.width = kind == PRIMITIVE_POINT ? 1 : width;
	d->first.height = kind == PRIMITIVE_QUAD ? height : 1;
	d->step_x = kind == PRIMITIVE_POINT ? lot(1, 17) : width;
	d->step_y = kind == PRIMITIVE_POINT ? lot(1, 17) : d->first.height;
	if (kind == PRIMITIVE_TRIANGLE) {
		d->columns = d->rows = d->block_columns = d->block_rows = 1;
		make_triangle(s, &d->first);
	}
}

static void hide(struct frame *frame, struct hidden *parts, int count)
{
	frame->hidden = parts;
	frame->hidden_count = count;
	for (int i = 0; i < count; i++) {
		parts[i] = (struct hidden){.x = lot(0, frame->width - 1), .y = lot(0, frame->height - 1)};
		parts[i].width = lot(1, frame->width - parts[i].x);
		parts[i].height = lot(1, frame->height - parts[i].y);
	}
}

static void make_batch(struct scene *s, int index)
{
	struct batch *batch = &s->batches[index];
	*batch = (struct batch){.shader = lot(0, 1), .draws = s->draws[index], .slows = s->slows[index]};
	batch->draw_count = lot(1, MOST_DRAWS);
	batch->slow_count = lot(0, MOST_SLOW);
	for (int i = 0; i < batch->draw_count; i++)
		make_drawing(s, &batch->draws[i]);
	for (int i = 0; i < batch->slow_count; i++)
		batch->slows[i] = (struct slow){.branch = lot(0, 2),
			.count = lot(0, 2) == 0 ? lot(1, 20) : NONE,
			.x = lot(0, s->frame.width - 1),
			.y = lot(0, s->frame.height - 1)};
}

static void make_scene(struct scene *s, int seed)
{
	state = (uint64_t)seed;
	lot(0, 1);
	*s = (struct scene){.hardware = {lot(1, 8), lot(1, 3), lot(1, 3) == 1 ? lot(1, 12) : lot(8, 40)}};
	s->frame = (struct frame){.x = lot(0, 40),
		.y = lot(0, 40),
		.width = lot(1, 300),
		.height = lot(1, 300),
		.shifts = s->shifts,
		.shift_count = lot(1, 6),
		.shaders = s->shaders,
		.shader_count = 2,
		.batches = s->batches,
		.batch_count = lot(1, 3)};
	s->frame.hardware = s->hardware;
	for (int i = 0; i < 6; i++)
		s->shifts[i] = lot(0, s->hardware.processors - 1);
	for (int i = 0; i < 3; i++)
		s->branches[i].wcet = lot(0, 10000);
	for (int i = 0; i < 2; i++)
		s->shaders[i] = (struct shader){.wcet = lot(0, 3) * 100, .waits = lot(0, 1), .branches = s->branches, .branch_count = 3};
	for (int i = 0; i < s->frame.batch_count; i++)
		make_batch(s, i);
	hide(&s->frame, s->hidden, lot(0, 2) == 0 ? lot(1, FRAME_HIDDEN) : 0);
}

/* What is drawn in all: both count every superfragment and every warp by means of their own. */
START_TEST(bound_holds)
{
	struct arena *arena = arena_create();
	struct scene *scene = arena_allocate(arena, 1, sizeof *scene);
	make_scene(scene, _i);
	struct raster_part part = {scene->hardware.processors, scene->hardware.multiprocessors, scene->hardware.fifo};
	struct frame_bound *bound = frame_bound_compute(arena, &scene->frame, &scene->hardware);
	int64_t *again = frame_draw(arena, &scene->frame); /* by verify */
	for (int i = 0; i < scene->frame.batch_count; i++)
		ck_assert_msg(again[i] == bound->batches[i].value, "frame %d, batch %d: %lld ns, drawn again %lld ns", _i, i,
			(long long)bound->batches[i].value, (long long)again[i]);
	for (int i = 0; i < 4; i++) {
		struct raster_choices choices = {.seed = (uint64_t)i, .shorter = i >= 2, .partial = i % 2 == 1};
		struct raster_run *run = machine_run(arena, &scene->frame, &part, &choices);
		ck_assert_msg(run->time <= bound->value, "frame %d, run %d: %lld ns, bound %lld ns", _i, i, (long long)run->time,
			(long long)bound->value);
		ck_assert_int_eq(run->warps->count, bound->warps);
		ck_assert_int_eq(run->warps->superfragments, bound->superfragments);
		ck_assert_int_eq(run->warps->pixels, bound->pixels);
	}
	arena_destroy(arena);
}
END_TEST

/* Spans by division and edge functions agree on every superfragment. */
START_TEST(two_coverages)
{
	struct arena *arena = arena_create();
	state = (uint64_t)_i;
	struct frame window = {.x = lot(0, 9), .y = lot(0, 9), .width = lot(1, 40), .height = lot(1, 40)};
	struct hidden hidden[FRAME_HIDDEN];
	struct view view = {{window.x, window.y, window.width, window.height}, {{0}}, lot(0, 2) == 0 ? lot(1, FRAME_HIDDEN) : 0};
	hide(&window, hidden, view.hidden_count);
	for (int i = 0; i < view.hidden_count; i++)
		view.hidden[i] = (struct box){window.x + hidden[i].x, window.y + hidden[i].y, hidden[i].width, hidden[i].height};
	int corners[3][2];
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 2; j++)
			corners[i][j] = lot(-10, 60);
	struct spans spans = {0};
	struct shape shape = coverage_triangle(&view, corners);
	spans_of_triangle(arena, &spans, &window, corners);
	for (int y = 0; y < 30; y++)
		for (int x = 0; x < 30; x++)
			ck_assert_int_eq(spans_covers(&spans, x, y), coverage_cell(&shape, 2 * x, 2 * y) != 0);
	arena_destroy(arena);
}
END_TEST

/* Two triangles with a common edge cover no pixel twice and leave none out. */
START_TEST(common_edge)
{
	struct arena *arena = arena_create();
	state = (uint64_t)_i;
	struct frame window = {.width = 50, .height = 50};
	int x = lot(0, 20), y = lot(0, 20), right = x + lot(1, 29), bottom = y + lot(1, 29);
	int left_half[3][2] = {{x, y}, {right, bottom}, {x, bottom}}, other[3][2] = {{right, y}, {x, y}, {right, bottom}};
	struct spans spans = {0};
	spans_of_triangle(arena, &spans, &window, left_half);
	int64_t pixels = spans.pixels;
	spans_of_triangle(arena, &spans, &window, other);
	ck_assert_int_eq(pixels + spans.pixels, (int64_t)(right - x) * (bottom - y));
	arena_destroy(arena);
}
END_TEST

/* One quad in one tile and one slow fragment: what can be said by hand. */
START_TEST(by_hand)
{
	struct arena *arena = arena_create();
	struct branch branch = {"b", 1000, 0};
	struct shader shader = {"s", 10, false, &branch, 1, 0};
	struct drawing draw = {.first = {PRIMITIVE_LINE, 0, 0, 16, 1, {{0}}},
		.columns = 1,
		.rows = 8,
		.step_x = 1,
		.step_y = 2,
		.block_columns = 1,
		.block_rows = 8,
		.repeat = 1};
	struct slow slow = {0, NONE, 0, 0, 0};
	struct batch batch = {0, &draw, 1, &slow, 1, 0};
	struct frame frame = {.width = 16, .height = 16, .shaders = &shader, .shader_count = 1, .batches = &batch, .batch_count = 1};
	frame.shifts = frame_known_pattern(6, &frame.shift_count);
	struct frame_hardware hardware = {6, 2, 26};
	/* eight lines of eight superfragments: eight warps, four on each multiprocessor; the first one pays the branch */
	ck_assert_int_eq(frame_bound_compute(arena, &frame, &hardware)->value, 1000 + 4 * 10);
	slow.count = 3;
	ck_assert_int_eq(frame_bound_compute(arena, &frame, &hardware)->value, 3 * 1000 + 4 * 10);
	slow.count = 100; /* there are eight warps */
	ck_assert_int_eq(frame_bound_compute(arena, &frame, &hardware)->value, 8 * 1000 + 4 * 10);
	shader.waits = true; /* two at a time, a tenth more */
	slow.count = 1;
	ck_assert_int_eq(frame_bound_compute(arena, &frame, &hardware)->value, 1100 + 2 * 11);
	shader.wcet = INT64_MAX / 2;
	ck_assert_int_eq(frame_bound_compute(arena, &frame, &hardware)->value, NONE);
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("frame");
	TCase *tests = tcase_create("frame");
	tcase_add_loop_test(tests, bound_holds, 0, 600);
	tcase_add_loop_test(tests, two_coverages, 0, 1000);
	tcase_add_loop_test(tests, common_edge, 0, 500);
	tcase_add_test(tests, by_hand);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
