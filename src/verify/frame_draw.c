/* Drawing: primitives into tiles, tiles into superfragments, superfragments into warps, warps into windows. */
#include "verify/frame.h"

#include <stddef.h>
#include <string.h>

#define CELL 2                     /* pixels of a superfragment's side */
#define THICK_LINE (2 * TILE_SIDE) /* of pixels: two rows of tiles */
#define NOWHERE (-1)

struct shape { /* on the screen */
	bool triangle;
	int corners[3][2]; /* of a triangle, clockwise as one sees it */
	int left, top, right, bottom;
};

struct mark {     /* a slow fragment at a known place */
	int x, y; /* of its superfragment, in pixels of the screen */
	uint32_t branch;
	int next; /* in the same tile; NOWHERE: none */
};

struct queue { /* of a texture processor: the warp that is being filled, and those of the window */
	int64_t filled;
	uint32_t branches;
	int64_t *costs;
	int count, capacity;
	int64_t before; /* warps of the batch in earlier windows */
};

struct painter {
	struct arena *arena;
	const struct frame *frame;
	const struct shader *shader;
	const struct drawing *draw;
	struct queue *queues;
	struct mark *marks;
	int *first_mark;                /* [tile of the window] */
	int column, row, columns, rows; /* the tiles that the window meets */
	bool counting;                  /* the superfragments, before they are drawn */
	int64_t cells, pixels, room;
	int64_t value, warps; /* of the batch */
};

/* ---- windows: all warps of one are there at once, the next one begins when the last of them is written */

static int64_t group_end(const struct painter *painter, const struct queue *queue, int from, int until)
{
	int64_t ends[FRAME_MULTIPROCESSORS][OVERLAPPING_WARPS] = {{0}}, last = 0;
	for (int i = from; i < until; i++) {
		int64_t *lane = ends[(queue->before + i) % painter->frame->hardware.multiprocessors];
		if (painter->shader->waits && lane[1] < lane[0])
			lane++;
		*lane = checked_add(*lane, queue->costs[i]);
		last = checked_max(last, *lane);
	}
	return last;
}

static int64_t queue_time(const struct painter *painter, const struct queue *queue)
{
	int64_t time = 0;
	for (int from = 0, until; from < queue->count; from = until) {
		int64_t in_group = (queue->before + from) % TILE_WARPS;
		until = (int)checked_min(queue->count, from + TILE_WARPS - in_group);
		time = checked_add(time, group_end(painter, queue, from, until));
	}
	return time;
}

static void end_window(struct painter *painter)
{
	int64_t longest = 0;
	for (int i = 0; i < painter->frame->hardware.processors; i++) {
		struct queue *queue = &painter->queues[i];
		longest = checked_max(longest, queue_time(painter, queue));
		queue->before += queue->count;
		painter->warps += queue->count;
		queue->count = 0;
	}
	painter->value = checked_add(painter->value, longest);
}

/* ---- warps */

static int64_t beside_another(const struct shader *shader, int64_t cost)
{
	return shader->waits ? checked_add(cost, checked_div_ceil(checked_mul(cost, OVERLAP_PERCENT), 100)) : cost;
}

static int64_t cost_of(const struct shader *shader, uint32_t branches)
{
	int64_t cost = shader->wcet;
	for (int i = 0; i < shader->branch_count; i++)
		cost = checked_add(cost, branches >> i & 1 ? shader->branches[i].wcet : 0);
	return beside_another(shader, cost);
}

static void push_warp(struct painter *painter, struct queue *queue)
{
	queue->costs = arena_grow(painter->arena, queue->costs, &queue->capacity, queue->count + 1, sizeof *queue->costs);
	queue->costs[queue->count++] = cost_of(painter->shader, queue->branches);
	queue->branches = 0;
}

/* A superfragment goes into the warp that is being filled; what it has too much goes into the next one. */
static void push_cell(struct painter *painter, int processor, uint32_t branches)
{
	struct queue *queue = &painter->queues[processor];
	bool completes = queue->filled + painter->room >= WARP_ROOM;
	if (completes && queue->count + (queue->filled + painter->room) / WARP_ROOM > painter->frame->hardware.fifo)
		end_window(painter);
	queue->branches |= branches;
	for (queue->filled += painter->room; queue->filled >= WARP_ROOM; queue->filled -= WARP_ROOM)
		push_warp(painter, queue);
}

static void end_batch(struct painter *painter)
{
	for (int i = 0; i < painter->frame->hardware.processors; i++) {
		struct queue *queue = &painter->queues[i];
		if (queue->filled == 0)
			continue;
		if (queue->count == painter->frame->hardware.fifo)
			end_window(painter);
		push_warp(painter, queue);
	}
	end_window(painter);
}

/* ---- what a shape covers */

/* Is the centre of this pixel to the right of the edge, or on an edge that is an upper or a left one? */
static bool right_of(const int *from, const int *to, int x, int y)
{
	int64_t dx = to[0] - from[0], dy = to[1] - from[1];
	int64_t side = dx * (2 * (int64_t)(y - from[1]) + 1) - dy * (2 * (int64_t)(x - from[0]) + 1);
	return side > 0 || (side == 0 && (dy < 0 || (dy == 0 && dx > 0)));
}

static bool in_triangle(const struct shape *shape, int x, int y)
{
	return right_of(shape->corners[0], shape->corners[1], x, y) && right_of(shape->corners[1], shape->corners[2], x, y) &&
	       right_of(shape->corners[2], shape->corners[0], x, y);
}

static bool covers(const struct painter *painter, const struct shape *shape, int x, int y)
{
	return x >= shape->left && x < shape->right && y >= shape->top && y < shape->bottom &&
	       (!shape->triangle || in_triangle(shape, x, y)) && !frame_hides(painter->frame, x - painter->frame->x, y - painter->frame->y);
}

static int covered_pixels(const struct painter *painter, const struct shape *shape, int x, int y)
{
	return covers(painter, shape, x, y) + covers(painter, shape, x + 1, y) + covers(painter, shape, x, y + 1) +
	       covers(painter, shape, x + 1, y + 1);
}

/* All of the tile, as a triangle is convex; nothing may be said where it meets something hidden. */
static bool covers_tile(const struct painter *painter, const struct shape *shape, int x, int y)
{
	int last = TILE_SIDE - 1;
	return painter->frame->hidden_count == 0 && covers(painter, shape, x, y) && covers(painter, shape, x + last, y) &&
	       covers(painter, shape, x, y + last) && covers(painter, shape, x + last, y + last);
}

/* All four corners of the tile are on the wrong side of one edge. */
static bool misses_tile(const struct shape *shape, int x, int y)
{
	int last = TILE_SIDE - 1;
	for (int i = 0; shape->triangle && i < 3; i++) {
		const int *from = shape->corners[i], *to = shape->corners[(i + 1) % 3];
		if (!right_of(from, to, x, y) && !right_of(from, to, x + last, y) && !right_of(from, to, x, y + last) &&
			!right_of(from, to, x + last, y + last))
			return true;
	}
	return false;
}

/* ---- tiles */

static uint32_t branches_at(const struct painter *painter, int mark, int x, int y)
{
	uint32_t branches = 0;
	for (; mark != NOWHERE; mark = painter->marks[mark].next)
		if (painter->marks[mark].x == x && painter->marks[mark].y == y)
			branches |= painter->marks[mark].branch;
	return branches;
}

static void draw_tile(struct painter *painter, const struct shape *shape, int column, int row)
{
	const struct frame *frame = painter->frame;
	int left = column * TILE_SIDE, top = row * TILE_SIDE;
	if (misses_tile(shape, left, top))
		return;
	bool all = covers_tile(painter, shape, left, top);
	if (all && painter->counting) {
		painter->cells += TILE_CELLS * TILE_CELLS;
		painter->pixels += TILE_SIDE * TILE_SIDE;
		return;
	}
	int processor = (column + frame->shifts[row % frame->shift_count]) % frame->hardware.processors;
	int mark = painter->first_mark[(row - painter->row) * painter->columns + column - painter->column];
	for (int i = 0; i < TILE_CELLS * TILE_CELLS; i++) { /* subtiles by turns left and right, in each row by row */
		int subtile = i / (TILE_CELLS * TILE_CELLS / TILE_WARPS), in_subtile = i % (TILE_CELLS * TILE_CELLS / TILE_WARPS);
		int x = left + subtile % 2 * SUBTILE_WIDTH + in_subtile % (SUBTILE_WIDTH / CELL) * CELL;
		int y = top + subtile / 2 * SUBTILE_HEIGHT + in_subtile / (SUBTILE_WIDTH / CELL) * CELL;
		int pixels = all ? CELL * CELL : covered_pixels(painter, shape, x, y);
		if (pixels == 0)
			continue;
		painter->cells += painter->counting;
		painter->pixels += painter->counting ? pixels : 0;
		if (!painter->counting)
			push_cell(painter, processor, branches_at(painter, mark, x, y));
	}
}

/* Two rows of tiles at a time, from the top; every second time from the right where it goes to and fro. */
static void draw_shape(struct painter *painter, const struct shape *shape, bool to_and_fro)
{
	if (shape->left >= shape->right || shape->top >= shape->bottom)
		return;
	int first = shape->left / TILE_SIDE, last = (shape->right - 1) / TILE_SIDE, top = shape->top / THICK_LINE;
	for (int line = top; line * THICK_LINE < shape->bottom; line++)
		for (int i = first; i <= last; i++) {
			int column = to_and_fro && (line - top) % 2 == 1 ? first + last - i : i;
			for (int row = 2 * line; row < 2 * line + 2; row++)
				if (row >= painter->row && row < painter->row + painter->rows)
					draw_tile(painter, shape, column, row);
		}
}

/* ---- primitives */

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

static int greatest_of(int a, int b)
{
	return a > b ? a : b;
}

static struct shape cut(const struct frame *frame, struct shape shape)
{
	shape.left = greatest_of(shape.left, frame->x);
	shape.top = greatest_of(shape.top, frame->y);
	shape.right = least_of(shape.right, frame->x + frame->width);
	shape.bottom = least_of(shape.bottom, frame->y + frame->height);
	return shape;
}

/* Corners in the window's pixels. One without area has nothing inside. */
static struct shape triangle(const struct frame *frame, const int c[3][2])
{
	struct shape shape = {.triangle = true, .left = FRAME_COORDINATE * 4, .top = FRAME_COORDINATE * 4, .right = -FRAME_COORDINATE * 4};
	int64_t turn = (int64_t)(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (int64_t)(c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
	shape.bottom = shape.right;
	for (int i = 0; i < 3; i++) {
		const int *corner = c[turn > 0 ? i : 2 - i];
		shape.corners[i][0] = corner[0] + frame->x;
		shape.corners[i][1] = corner[1] + frame->y;
		shape.left = least_of(shape.left, shape.corners[i][0]);
		shape.right = greatest_of(shape.right, shape.corners[i][0]);
		shape.top = least_of(shape.top, shape.corners[i][1]);
		shape.bottom = greatest_of(shape.bottom, shape.corners[i][1]);
	}
	if (turn == 0)
		shape.right = shape.left;
	return cut(frame, shape);
}

static void draw_quad(struct painter *painter, const struct primitive *p)
{
	int right = p->x + p->width, bottom = p->y + p->height;
	const int lower[3][2] = {{p->x, p->y}, {p->x, bottom}, {right, bottom}},
		  upper[3][2] = {{p->x, p->y}, {right, p->y}, {right, bottom}};
	struct shape first = triangle(painter->frame, lower), second = triangle(painter->frame, upper);
	draw_shape(painter, &first, true);
	draw_shape(painter, &second, false);
}

static void draw_once(struct painter *painter, const struct primitive *p)
{
	const struct frame *frame = painter->frame;
	int x = p->x + frame->x, y = p->y + frame->y;
	struct shape shape = {.left = x, .top = y, .right = x + p->width, .bottom = y + p->height};
	if (p->kind == PRIMITIVE_QUAD) {
		draw_quad(painter, p);
		return;
	}
	shape = p->kind == PRIMITIVE_TRIANGLE ? triangle(frame, p->corners) : cut(frame, shape);
	draw_shape(painter, &shape, p->kind == PRIMITIVE_TRIANGLE);
}

static void draw_primitive(void *context, const struct primitive *primitive)
{
	struct painter *painter = context;
	painter->cells = painter->pixels = 0;
	painter->counting = true;
	draw_once(painter, primitive);
	painter->counting = false;
	painter->room = drawing_room(painter->draw, drawing_arrangement(painter->draw, primitive, primitive->x + painter->frame->x),
		painter->cells, painter->pixels);
	draw_once(painter, primitive);
}

/* ---- batches */

static void place_marks(struct painter *painter, const struct batch *batch)
{
	const struct frame *frame = painter->frame;
	painter->marks = arena_allocate(painter->arena, (size_t)batch->slow_count + 1, sizeof *painter->marks);
	for (int i = 0; i < painter->columns * painter->rows; i++)
		painter->first_mark[i] = NOWHERE;
	for (int i = 0; i < batch->slow_count; i++) {
		const struct slow *slow = &batch->slows[i];
		int x = slow->x + frame->x, y = slow->y + frame->y;
		if (!checked_is_none(slow->count))
			continue;
		int *first = &painter->first_mark[(y / TILE_SIDE - painter->row) * painter->columns + x / TILE_SIDE - painter->column];
		painter->marks[i] = (struct mark){x / CELL * CELL, y / CELL * CELL, UINT32_C(1) << slow->branch, *first};
		*first = i;
	}
}

/* Fragments that may be anywhere make so many warps dearer, and no more than there are. */
static int64_t anywhere(const struct painter *painter, const struct batch *batch)
{
	int64_t sum = 0;
	for (int i = 0; i < batch->slow_count; i++) {
		const struct slow *slow = &batch->slows[i];
		if (!checked_is_none(slow->count))
			sum = checked_add(sum, checked_mul(checked_min(slow->count, painter->warps),
						       beside_another(painter->shader, painter->shader->branches[slow->branch].wcet)));
	}
	return sum;
}

static int64_t draw_batch(struct painter *painter, const struct batch *batch)
{
	painter->shader = &painter->frame->shaders[batch->shader];
	painter->value = painter->warps = 0;
	for (int i = 0; i < painter->frame->hardware.processors; i++) {
		struct queue *queue = &painter->queues[i];
		queue->filled = queue->before = 0;
		queue->branches = 0;
	}
	place_marks(painter, batch);
	for (int i = 0; i < batch->draw_count; i++) {
		painter->draw = &batch->draws[i];
		drawing_visit(painter->draw, draw_primitive, painter);
	}
	end_batch(painter);
	return checked_add(painter->value, anywhere(painter, batch));
}

int64_t *frame_draw(struct arena *arena, const struct frame *frame)
{
	struct painter painter = {.arena = arena, .frame = frame, .column = frame->x / TILE_SIDE, .row = frame->y / TILE_SIDE};
	int64_t *bounds = arena_allocate(arena, (size_t)frame->batch_count + 1, sizeof *bounds);
	painter.columns = (frame->x + frame->width - 1) / TILE_SIDE - painter.column + 1;
	painter.rows = (frame->y + frame->height - 1) / TILE_SIDE - painter.row + 1;
	painter.queues = arena_allocate(arena, (size_t)frame->hardware.processors, sizeof *painter.queues);
	painter.first_mark = arena_allocate(arena, (size_t)painter.columns * (size_t)painter.rows, sizeof *painter.first_mark);
	for (int i = 0; i < frame->batch_count; i++)
		bounds[i] = draw_batch(&painter, &frame->batches[i]);
	return bounds;
}
