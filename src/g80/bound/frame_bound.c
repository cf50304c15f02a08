/* Counts the warps of each texture processor window by window; a window's time is that of its slowest processor. */
#include "g80/bound/frame_bound.h"

#include "base/assert.h"
#include "base/checked.h"
#include "g80/bound/spans.h"

#include <stdlib.h>

struct place {           /* a superfragment with slow fragments */
	int row, column; /* its tile */
	int x, y;        /* of superfragments on the screen */
	uint32_t branches;
};

struct slow_warp {
	int64_t warp;
	uint32_t branches;
};

struct processor {     /* what of the batch it has been given */
	int64_t room;  /* the room of its superfragments, warps of WARP_ROOM in sequence */
	int64_t begin; /* its first warp of the window */
	struct slow_warp *slow;
	int slow_count, slow_capacity, slow_next;
};

struct counter {
	struct arena *arena;
	const struct frame *frame;
	const struct frame_hardware *hardware;
	const struct shader *shader;
	const struct drawing *draw;
	struct processor processors[FRAME_PROCESSORS];
	struct place *places; /* of the batch, by tiles */
	int place_count;
	struct spans halves[2]; /* the triangles of a primitive; its only shape is the first */
	int half_count;
	struct batch_bound *result;
	struct frame_bound *total;
};

/* The texture processor that a tile of the screen is bound to. E1, conclusions. */
static int processor_of(const struct frame *frame, int processors, int column, int row)
{
	return (column + frame->shifts[row % frame->shift_count]) % processors;
}

/* ---- costs */

/* With the surcharge of a warp that runs beside another one. */
static int64_t dearest(const struct shader *shader, int64_t cost)
{
	return shader->waits ? checked_add(cost, checked_div_ceil(checked_mul(cost, OVERLAP_PERCENT), 100)) : cost;
}

static int64_t cost_of_branches(const struct shader *shader, uint32_t branches)
{
	int64_t sum = 0;
	for (int i = 0; i < shader->branch_count; i++)
		if (branches >> i & 1)
			sum = checked_add(sum, shader->branches[i].wcet);
	return sum;
}

static int64_t cost_of_warp(const struct counter *counter, struct processor *processor, int64_t warp)
{
	uint32_t branches = 0;
	for (; processor->slow_next < processor->slow_count && processor->slow[processor->slow_next].warp <= warp; processor->slow_next++)
		branches |= processor->slow[processor->slow_next].branches;
	return dearest(counter->shader, checked_add(counter->shader->wcet, cost_of_branches(counter->shader, branches)));
}

/* ---- windows */

/* The warps from first to before last, all of them there, one tile's worth of warps at a time: on each multiprocessor in order, on the
 * slot that is idle first. */
static int64_t time_of_group(const struct counter *counter, struct processor *processor, int64_t first, int64_t last)
{
	int64_t slots[FRAME_MULTIPROCESSORS][OVERLAPPING_WARPS] = {{0}}, end = 0;
	for (int64_t warp = first; warp < last; warp++) {
		int64_t *slot = slots[warp % counter->hardware->multiprocessors];
		int chosen = counter->shader->waits && slot[1] < slot[0];
		slot[chosen] = checked_add(slot[chosen], cost_of_warp(counter, processor, warp));
		end = checked_max(end, slot[chosen]);
	}
	return end;
}

static int64_t time_of_processor(const struct counter *counter, struct processor *processor, int64_t last)
{
	int64_t time = 0;
	while (processor->begin < last) {
		int64_t end = checked_min(last, (processor->begin / TILE_WARPS + 1) * TILE_WARPS);
		time = checked_add(time, time_of_group(counter, processor, processor->begin, end));
		processor->begin = end;
	}
	return time;
}

/* The window ends here: as if everything waited until the slowest is done. */
static void close_window(struct counter *counter)
{
	int64_t slowest = 0, warps = 0;
	for (int i = 0; i < counter->hardware->processors; i++) {
		struct processor *processor = &counter->processors[i];
		int64_t last = processor->room / WARP_ROOM;
		warps += last - processor->begin;
		slowest = checked_max(slowest, time_of_processor(counter, processor, last));
	}
	counter->result->value = checked_add(counter->result->value, slowest);
	counter->result->warps += warps;
	counter->result->windows += warps > 0;
}

/* How many superfragments the window can still take on this processor without one warp more than its FIFO holds. */
static int64_t capacity(const struct counter *counter, const struct processor *processor, int64_t room)
{
	return ((processor->begin + counter->hardware->fifo + 1) * WARP_ROOM - 1 - processor->room) / room;
}

static void give(struct counter *counter, struct processor *processor, int64_t superfragments, int64_t room)
{
	while (superfragments > 0) {
		int64_t some = checked_min(superfragments, capacity(counter, processor, room));
		processor->room += some * room;
		superfragments -= some;
		if (superfragments > 0)
			close_window(counter);
	}
}

/* ---- slow fragments at known places */

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a, *right = b;
	return left->row != right->row ? left->row - right->row : left->column - right->column;
}

static const struct place *first_place(const struct counter *counter, int column, int row)
{
	const struct place wanted = {.row = row, .column = column};
	int low = 0, high = counter->place_count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (compare_places(&counter->places[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < counter->place_count ? &counter->places[low] : NULL;
}

/* The place in the order of a tile's superfragments: subtiles left and right by turns from the top, in each row by row. */
static int order_in_tile(int x, int y)
{
	int column = x % TILE_CELLS, row = y % TILE_CELLS, width = SUBTILE_WIDTH / 2, height = SUBTILE_HEIGHT / 2;
	int subtile = row / height * 2 + column / width;
	return (subtile * height + row % height) * width + column % width;
}

static int covered_before(const struct spans *spans, const struct place *place)
{
	int count = 0, order = order_in_tile(place->x, place->y), left = place->x - place->x % TILE_CELLS;
	for (int y = place->y - place->y % TILE_CELLS, i = 0; i < TILE_CELLS; i++)
		for (int x = left; x < left + TILE_CELLS; x++)
			count += order_in_tile(x, y + i) < order && spans_covers(spans, x, y + i);
	return count;
}

static int compare_slow(const void *a, const void *b)
{
	int64_t left = ((const struct slow_warp *)a)->warp, right = ((const struct slow_warp *)b)->warp;
	return left < right ? -1 : left > right;
}

static void mark_slow(struct counter *counter, struct processor *processor, const struct spans *spans, int column, int row, int64_t room)
{
	const struct place *place = counter->place_count > 0 ? first_place(counter, column, row) : NULL,
			   *end = counter->places + counter->place_count;
	int before = processor->slow_count;
	for (; place != NULL && place < end && place->row == row && place->column == column; place++) {
		if (!spans_covers(spans, place->x, place->y))
			continue;
		int64_t warp = (processor->room + covered_before(spans, place) * room) / WARP_ROOM;
		processor->slow = arena_grow(
			counter->arena, processor->slow, &processor->slow_capacity, processor->slow_count + 1, sizeof *processor->slow);
		processor->slow[processor->slow_count++] = (struct slow_warp){warp, place->branches};
	}
	if (processor->slow_count > before + 1)
		qsort(processor->slow + before, (size_t)(processor->slow_count - before), sizeof *processor->slow, compare_slow);
}

static void place_slow(struct counter *counter, const struct batch *batch)
{
	counter->places = arena_allocate(counter->arena, (size_t)batch->slow_count + 1, sizeof *counter->places);
	counter->place_count = 0;
	for (int i = 0; i < batch->slow_count; i++) {
		int x = batch->slows[i].x + counter->frame->x, y = batch->slows[i].y + counter->frame->y;
		if (batch->slows[i].count == NONE)
			counter->places[counter->place_count++] =
				(struct place){y / TILE_SIDE, x / TILE_SIDE, x / 2, y / 2, UINT32_C(1) << batch->slows[i].branch};
	}
	qsort(counter->places, (size_t)counter->place_count, sizeof *counter->places, compare_places);
}

/* ---- primitives, in the order of the rasteriser */

static void give_tile(struct counter *counter, const struct spans *spans, int column, int row, int64_t room)
{
	int count = spans_in_tile(spans, column, row);
	if (count == 0)
		return;
	struct processor *processor = &counter->processors[processor_of(counter->frame, counter->hardware->processors, column, row)];
	mark_slow(counter, processor, spans, column, row, room);
	give(counter, processor, count, room);
}

/* The columns of tiles that a pair of rows of tiles meets. */
static struct interval columns_of(const struct spans *spans, int top, int bottom)
{
	struct interval all = {FRAME_COORDINATE, -1};
	for (int y = (int)checked_max(top, spans->top); y < checked_min(bottom, spans->top + spans->rows); y++) {
		const struct span_row *row = &spans->items[y - spans->top];
		if (row->count == 0)
			continue;
		all.first = (int)checked_min(all.first, row->items[0].first / TILE_CELLS);
		all.last = (int)checked_max(all.last, row->items[row->count - 1].last / TILE_CELLS);
	}
	return all;
}

/* Two rows of tiles at a time; every second pair from the right where it goes to and fro. */
static void give_shape(struct counter *counter, const struct spans *spans, bool to_and_fro, int64_t room)
{
	int pair = 2 * TILE_CELLS, first = spans->top / pair;
	for (int line = first; line * pair < spans->top + spans->rows; line++) {
		struct interval columns = columns_of(spans, line * pair, (line + 1) * pair);
		bool leftwards = to_and_fro && (line - first) % 2 == 1;
		for (int i = 0; i <= columns.last - columns.first; i++) {
			int column = leftwards ? columns.last - i : columns.first + i;
			give_tile(counter, spans, column, 2 * line, room);
			give_tile(counter, spans, column, 2 * line + 1, room);
		}
	}
}

/* A quad falls into the triangle at the left of its falling diagonal and the one at the right. */
static void span_quad(struct counter *counter, int x, int y, int width, int height)
{
	int left[3][2] = {{x, y}, {x + width, y + height}, {x, y + height}},
	    right[3][2] = {{x, y}, {x + width, y}, {x + width, y + height}};
	counter->half_count = 2;
	spans_of_triangle(counter->arena, &counter->halves[0], counter->frame, left);
	spans_of_triangle(counter->arena, &counter->halves[1], counter->frame, right);
}

static void span_triangle(struct counter *counter, const struct primitive *primitive)
{
	int corners[3][2];
	for (int i = 0; i < 3; i++) {
		corners[i][0] = primitive->corners[i][0] + counter->frame->x;
		corners[i][1] = primitive->corners[i][1] + counter->frame->y;
	}
	spans_of_triangle(counter->arena, &counter->halves[0], counter->frame, corners);
}

static void count_primitive(void *context, const struct primitive *primitive)
{
	struct counter *counter = context;
	int x = primitive->x + counter->frame->x, y = primitive->y + counter->frame->y;
	counter->half_count = 1;
	if (primitive->kind == PRIMITIVE_QUAD)
		span_quad(counter, x, y, primitive->width, primitive->height);
	else if (primitive->kind == PRIMITIVE_TRIANGLE)
		span_triangle(counter, primitive);
	else
		spans_of_rectangle(counter->arena, &counter->halves[0], counter->frame, x, y, primitive->width, primitive->height);
	int64_t superfragments = 0, pixels = 0;
	for (int i = 0; i < counter->half_count; i++) {
		superfragments += counter->halves[i].superfragments;
		pixels += counter->halves[i].pixels;
	}
	counter->total->superfragments += superfragments;
	counter->total->pixels += pixels;
	int64_t room = drawing_room(counter->draw, drawing_arrangement(counter->draw, primitive, x), superfragments, pixels);
	bool triangles = primitive->kind == PRIMITIVE_QUAD || primitive->kind == PRIMITIVE_TRIANGLE;
	for (int i = 0; i < counter->half_count; i++)
		give_shape(counter, &counter->halves[i], triangles && i == 0, room);
}

/* ---- batches */

/* What is assembled at the batch's end goes out as it is. */
static void finish_batch(struct counter *counter)
{
	for (int i = 0; i < counter->hardware->processors; i++) {
		struct processor *processor = &counter->processors[i];
		int64_t missing = checked_sub(checked_round_up(processor->room, WARP_ROOM), processor->room);
		if (missing > 0 && processor->room / WARP_ROOM + 1 - processor->begin > counter->hardware->fifo)
			close_window(counter);
		processor->room += missing;
	}
	close_window(counter);
}

/* One warp that costs more delays the frame by no more than that, wherever it is; a batch has only so many warps. */
static int64_t cost_anywhere(const struct counter *counter, const struct batch *batch)
{
	int64_t sum = 0;
	for (int i = 0; i < batch->slow_count; i++) {
		if (batch->slows[i].count == NONE)
			continue;
		int64_t each = dearest(counter->shader, counter->shader->branches[batch->slows[i].branch].wcet);
		sum = checked_add(sum, checked_mul(each, checked_min(batch->slows[i].count, counter->result->warps)));
	}
	return sum;
}

static void count_batch(struct counter *counter, const struct batch *batch, struct batch_bound *result)
{
	counter->shader = &counter->frame->shaders[batch->shader];
	counter->result = result;
	for (int i = 0; i < counter->hardware->processors; i++)
		counter->processors[i] = (struct processor){0};
	place_slow(counter, batch);
	for (int i = 0; i < batch->draw_count; i++) {
		counter->draw = &batch->draws[i];
		drawing_visit(counter->draw, count_primitive, counter);
	}
	finish_batch(counter);
	result->anywhere = cost_anywhere(counter, batch);
	result->value = checked_add(result->value, result->anywhere);
}

struct frame_bound *frame_bound_compute(struct arena *arena, const struct frame *frame, const struct frame_hardware *hardware)
{
	struct frame_bound *bound = arena_allocate(arena, 1, sizeof *bound);
	struct counter *counter = arena_allocate(arena, 1, sizeof *counter);
	assert(hardware->processors <= FRAME_PROCESSORS && frame->shift_count > 0 && hardware->fifo > 0);
	*counter = (struct counter){.arena = arena, .frame = frame, .hardware = hardware, .total = bound};
	bound->batches = arena_allocate(arena, (size_t)frame->batch_count + 1, sizeof *bound->batches);
	for (int i = 0; i < frame->batch_count; i++) {
		count_batch(counter, &frame->batches[i], &bound->batches[i]);
		bound->value = checked_add(bound->value, bound->batches[i].value);
		bound->warps += bound->batches[i].warps;
	}
	return bound;
}
