/* Drawing: primitives into tiles, tiles into superfragments, superfragments into warps, warps into windows. */
#include "verify/frame_bound.h"
#include "verify/frame_cover.h"

#include <stddef.h>
#include <string.h>

#define CELL 2                     /* pixels of a superfragment's side */
#define THICK_LINE (2 * TILE_SIDE) /* of pixels: two rows of tiles */
#define NOWHERE (-1)

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
	struct tile *tiles;             /* of the primitive, in the order in which they are drawn */
	int tile_count, tile_capacity;
	int64_t cells, pixels, room; /* of the primitive; room: that each of its superfragments takes in a warp */
	int64_t value, warps;        /* of the batch */
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

/* Superfragments that do not complete the warp that is being filled; how many. */
static int push_into_warp(struct painter *painter, struct queue *queue, int most)
{
	int count = (int)checked_min(most, (WARP_ROOM - 1 - queue->filled) / painter->room);
	queue->filled += count * painter->room;
	return count;
}

/* One that does: what it has too much goes into the next warp. */
static void push_last_of_warp(struct painter *painter, struct queue *queue)
{
	if (queue->count + (queue->filled + painter->room) / WARP_ROOM > painter->frame->hardware.fifo)
		end_window(painter);
	for (queue->filled += painter->room; queue->filled >= WARP_ROOM; queue->filled -= WARP_ROOM)
		push_warp(painter, queue);
}

/* Of one tile and with the same branches. */
static void push_cells(struct painter *painter, int processor, int count, uint32_t branches)
{
	struct queue *queue = &painter->queues[processor];
	while (count > 0) {
		queue->branches |= branches;
		count -= push_into_warp(painter, queue, count);
		if (count-- > 0)
			push_last_of_warp(painter, queue);
	}
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

/* ---- tiles */

static uint32_t branches_at(const struct painter *painter, int mark, int x, int y)
{
	uint32_t branches = 0;
	for (; mark != NOWHERE; mark = painter->marks[mark].next)
		if (painter->marks[mark].x == x && painter->marks[mark].y == y)
			branches |= painter->marks[mark].branch;
	return branches;
}

static void add_tile(struct painter *painter, const struct shape *shape, int column, int row)
{
	struct tile tile = frame_cover(painter->frame, shape, column, row);
	if (tile.cells == 0)
		return;
	painter->tiles = arena_grow(painter->arena, painter->tiles, &painter->tile_capacity, painter->tile_count + 1, sizeof tile);
	painter->tiles[painter->tile_count++] = tile;
	painter->cells += tile.cells;
	painter->pixels += tile.pixels;
}

/* Subtiles by turns left and right, in each row by row. */
static void draw_marked(struct painter *painter, const struct tile *tile, int processor, int mark)
{
	for (int i = 0; i < TILE_CELLS * TILE_CELLS; i++) {
		int subtile = i / (TILE_CELLS * TILE_CELLS / TILE_WARPS), in_subtile = i % (TILE_CELLS * TILE_CELLS / TILE_WARPS);
		int x = subtile % 2 * SUBTILE_WIDTH + in_subtile % (SUBTILE_WIDTH / CELL) * CELL;
		int y = subtile / 2 * SUBTILE_HEIGHT + in_subtile / (SUBTILE_WIDTH / CELL) * CELL;
		uint32_t branches = branches_at(painter, mark, tile->column * TILE_SIDE + x, tile->row * TILE_SIDE + y);
		push_cells(painter, processor, ((tile->rows[y] | tile->rows[y + 1]) >> x & 3) != 0, branches);
	}
}

static void draw_tile(struct painter *painter, const struct tile *tile)
{
	const struct frame *frame = painter->frame;
	int processor = (tile->column + frame->shifts[tile->row % frame->shift_count]) % frame->hardware.processors;
	int mark = painter->first_mark[(tile->row - painter->row) * painter->columns + tile->column - painter->column];
	if (mark == NOWHERE)
		push_cells(painter, processor, tile->cells, 0);
	else
		draw_marked(painter, tile, processor, mark);
}

/* Two rows of tiles at a time, from the top; every second time from the right where it goes to and fro. */
static void add_shape(struct painter *painter, const struct shape *shape, bool to_and_fro)
{
	if (shape->left >= shape->right || shape->top >= shape->bottom)
		return;
	int first = shape->left / TILE_SIDE, last = (shape->right - 1) / TILE_SIDE, top = shape->top / THICK_LINE;
	for (int line = top; line * THICK_LINE < shape->bottom; line++)
		for (int i = first; i <= last; i++) {
			int column = to_and_fro && (line - top) % 2 == 1 ? first + last - i : i;
			for (int row = 2 * line; row < 2 * line + 2; row++)
				if (row >= painter->row && row < painter->row + painter->rows)
					add_tile(painter, shape, column, row);
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

static void add_quad(struct painter *painter, const struct primitive *p)
{
	int right = p->x + p->width, bottom = p->y + p->height;
	const int lower[3][2] = {{p->x, p->y}, {p->x, bottom}, {right, bottom}},
		  upper[3][2] = {{p->x, p->y}, {right, p->y}, {right, bottom}};
	struct shape first = triangle(painter->frame, lower), second = triangle(painter->frame, upper);
	add_shape(painter, &first, true);
	add_shape(painter, &second, false);
}

static void add_primitive(struct painter *painter, const struct primitive *p)
{
	const struct frame *frame = painter->frame;
	int x = p->x + frame->x, y = p->y + frame->y;
	struct shape shape = {.left = x, .top = y, .right = x + p->width, .bottom = y + p->height};
	if (p->kind == PRIMITIVE_QUAD) {
		add_quad(painter, p);
		return;
	}
	shape = p->kind == PRIMITIVE_TRIANGLE ? triangle(frame, p->corners) : cut(frame, shape);
	add_shape(painter, &shape, p->kind == PRIMITIVE_TRIANGLE);
}

static void draw_primitive(void *context, const struct primitive *primitive)
{
	struct painter *painter = context;
	painter->cells = painter->pixels = 0;
	painter->tile_count = 0;
	add_primitive(painter, primitive);
	painter->room = drawing_room(painter->draw, drawing_arrangement(painter->draw, primitive, primitive->x + painter->frame->x),
		painter->cells, painter->pixels);
	for (int i = 0; i < painter->tile_count; i++)
		draw_tile(painter, &painter->tiles[i]);
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
