/* Thick scan lines, tiles, subtiles, superfragments, warps. */
#include "g80/machine/rasteriser.h"

#include "base/assert.h"
#include "g80/machine/coverage.h"

#include <stdlib.h>

#define TOUCHES_AT_ONCE (WARP_ROOM / SUPERFRAGMENT_ROOM + 1)

struct mark { /* a superfragment with fragments that take branches */
	int64_t key;
	uint32_t branches;
};

struct assembly { /* the warp that a texture processor is being given */
	int64_t filled;
	uint32_t branches;
	int emitted; /* warps of the batch so far */
	int tiles[TOUCHES_AT_ONCE], tile_count;
};

struct rasteriser {
	struct arena *arena;
	const struct frame *frame;
	const struct drawing *draw;
	int processors, batch;
	struct view view;
	struct warps *warps;
	struct assembly assemblies[FRAME_PROCESSORS];
	struct mark *marks; /* of the batch, ascending */
	int mark_count;
	bool *marked;          /* tiles that have any */
	int64_t room;          /* of a superfragment of the primitive */
	bool counts;           /* the superfragments are counted, not given to warps */
	int64_t cells, pixels; /* counted */
};

static int floor_mod(int a, int b)
{
	return (a % b + b) % b;
}

/* The tiles are bound to the screen; the first row and column of the pattern are the screen's (i0 = j0 = 0). */
int machine_processor(const struct frame *frame, int processors, int column, int row)
{
	return floor_mod(column + frame->shifts[floor_mod(row, frame->shift_count)], processors);
}

/* ---- warps */

static void emit(struct rasteriser *r, int processor)
{
	struct assembly *assembly = &r->assemblies[processor];
	struct warps *warps = r->warps;
	warps->items = arena_grow(r->arena, warps->items, &warps->capacity, warps->count + 1, sizeof *warps->items);
	warps->touches = arena_grow(
		r->arena, warps->touches, &warps->touch_capacity, warps->touch_count + assembly->tile_count, sizeof *warps->touches);
	warps->items[warps->count++] = (struct warp){
		.processor = processor,
		.batch = r->batch,
		.index = assembly->emitted++,
		.branches = assembly->branches,
		.first_touch = warps->touch_count,
		.touch_count = assembly->tile_count,
	};
	for (int i = 0; i < assembly->tile_count; i++)
		warps->touches[warps->touch_count++] = assembly->tiles[i];
	assembly->branches = 0;
	assembly->tile_count = 0;
}

static void touch(struct assembly *assembly, int tile)
{
	if (assembly->tile_count > 0 && assembly->tiles[assembly->tile_count - 1] == tile)
		return;
	assert(assembly->tile_count < TOUCHES_AT_ONCE);
	assembly->tiles[assembly->tile_count++] = tile;
}

static int compare_marks(const void *a, const void *b)
{
	int64_t left = ((const struct mark *)a)->key, right = ((const struct mark *)b)->key;
	return left < right ? -1 : left > right;
}

/* Superfragments of the screen are numbered by rows. */
static int64_t key_of(int x, int y)
{
	return (int64_t)(y / 2) * (1 << 20) + x / 2;
}

static uint32_t branches_at(const struct rasteriser *r, int x, int y)
{
	struct mark wanted = {.key = key_of(x, y)};
	const struct mark *found = bsearch(&wanted, r->marks, (size_t)r->mark_count, sizeof wanted, compare_marks);
	return found != NULL ? found->branches : 0;
}

/* A superfragment: four threads, whatever is covered of them; the others are ghosts. */
static void add_cell(struct rasteriser *r, int processor, int tile, int x, int y, unsigned covered)
{
	int pixels = (covered & 1) + (covered >> 1 & 1) + (covered >> 2 & 1) + (covered >> 3 & 1);
	r->cells++;
	r->pixels += pixels;
	if (r->counts)
		return;
	struct assembly *assembly = &r->assemblies[processor];
	if (r->marked[tile])
		assembly->branches |= branches_at(r, x, y);
	touch(assembly, tile);
	assembly->filled += r->room;
	for (; assembly->filled >= WARP_ROOM; assembly->filled -= WARP_ROOM)
		emit(r, processor);
}

/* ---- tiles */

static void fill_subtile(struct rasteriser *r, const struct shape *shape, int processor, int tile, int left, int top, bool full)
{
	for (int y = top; y < top + SUBTILE_HEIGHT; y += 2)
		for (int x = left; x < left + SUBTILE_WIDTH; x += 2) {
			unsigned covered = full ? 15 : coverage_cell(shape, x, y);
			if (covered != 0)
				add_cell(r, processor, tile, x, y, covered);
		}
}

static bool meets(const struct shape *shape, int left, int top, int width, int height)
{
	return left < shape->right && left + width > shape->left && top < shape->bottom && top + height > shape->top;
}

/* The curtain: horizontal segments from the top, in the left column and in the right one by turns. */
static void fill_tile(struct rasteriser *r, const struct shape *shape, int column, int row)
{
	const struct warps *warps = r->warps;
	int left = column * TILE_SIDE, top = row * TILE_SIDE;
	int tile = (row - warps->first_row) * warps->columns + column - warps->first_column;
	int processor = machine_processor(r->frame, r->processors, column, row);
	bool full = coverage_is_full(shape, left, top, TILE_SIDE);
	for (int y = top; y < top + TILE_SIDE; y += SUBTILE_HEIGHT)
		for (int x = left; x < left + TILE_SIDE; x += SUBTILE_WIDTH)
			if (meets(shape, x, y, SUBTILE_WIDTH, SUBTILE_HEIGHT))
				fill_subtile(r, shape, processor, tile, x, y, full);
}

struct span {
	int first, last;
};

static void fill_column(struct rasteriser *r, const struct shape *shape, int column, struct span rows, int line)
{
	for (int row = 2 * line; row <= 2 * line + 1; row++)
		if (row >= rows.first && row <= rows.last)
			fill_tile(r, shape, column, row);
}

static void fill_shape(struct rasteriser *r, const struct shape *shape, bool ping_pong)
{
	if (coverage_is_empty(shape))
		return;
	struct span columns = {shape->left / TILE_SIDE, (shape->right - 1) / TILE_SIDE};
	struct span rows = {shape->top / TILE_SIDE, (shape->bottom - 1) / TILE_SIDE};
	bool backwards = false;
	for (int line = rows.first / 2; line <= rows.last / 2; line++, backwards = ping_pong && !backwards)
		for (int i = 0; i <= columns.last - columns.first; i++)
			fill_column(r, shape, backwards ? columns.last - i : columns.first + i, rows, line);
}

/* ---- primitives */

/* A quad is two triangles, the one at the left of the falling diagonal first; strips change nothing (E2). */
static void fill_quad(struct rasteriser *r, const struct box *box)
{
	int right = box->x + box->width, bottom = box->y + box->height;
	int first[3][2] = {{box->x, box->y}, {right, bottom}, {box->x, bottom}};
	int second[3][2] = {{box->x, box->y}, {right, box->y}, {right, bottom}};
	struct shape left = coverage_triangle(&r->view, first), other = coverage_triangle(&r->view, second);
	fill_shape(r, &left, true);
	fill_shape(r, &other, false);
}

static void fill_triangle(struct rasteriser *r, const struct primitive *primitive)
{
	int corners[3][2];
	for (int i = 0; i < 3; i++) {
		corners[i][0] = primitive->corners[i][0] + r->view.window.x;
		corners[i][1] = primitive->corners[i][1] + r->view.window.y;
	}
	struct shape shape = coverage_triangle(&r->view, corners);
	fill_shape(r, &shape, true);
}

static void fill_primitive(struct rasteriser *r, const struct primitive *primitive)
{
	struct box box = {primitive->x + r->view.window.x, primitive->y + r->view.window.y, primitive->width, primitive->height};
	if (primitive->kind == PRIMITIVE_QUAD) {
		fill_quad(r, &box);
	} else if (primitive->kind == PRIMITIVE_TRIANGLE) {
		fill_triangle(r, primitive);
	} else {
		struct shape shape = coverage_rectangle(&r->view, &box);
		fill_shape(r, &shape, false);
	}
}

/* First how many superfragments there are, from which follows what room each takes. */
static void draw_primitive(void *context, const struct primitive *primitive)
{
	struct rasteriser *r = context;
	r->counts = true;
	r->cells = r->pixels = 0;
	fill_primitive(r, primitive);
	r->room = drawing_room(r->draw, drawing_arrangement(r->draw, primitive, primitive->x + r->view.window.x), r->cells, r->pixels);
	r->warps->superfragments += r->cells;
	r->warps->pixels += r->pixels;
	r->counts = false;
	fill_primitive(r, primitive);
}

/* ---- batches */

static void mark_slow(struct rasteriser *r, const struct batch *batch)
{
	const struct warps *warps = r->warps;
	r->marks = arena_allocate(r->arena, (size_t)batch->slow_count + 1, sizeof *r->marks);
	r->marked = arena_allocate(r->arena, (size_t)(warps->columns * warps->rows), sizeof *r->marked);
	r->mark_count = 0;
	for (int i = 0; i < batch->slow_count; i++) {
		const struct slow *slow = &batch->slows[i];
		int x = slow->x + r->view.window.x, y = slow->y + r->view.window.y;
		if (slow->count != NONE)
			continue;
		r->marks[r->mark_count++] = (struct mark){key_of(x, y), UINT32_C(1) << slow->branch};
		r->marked[(y / TILE_SIDE - warps->first_row) * warps->columns + x / TILE_SIDE - warps->first_column] = true;
	}
	qsort(r->marks, (size_t)r->mark_count, sizeof *r->marks, compare_marks);
	int kept = 0;
	for (int i = 0; i < r->mark_count; i++) {
		if (kept > 0 && r->marks[kept - 1].key == r->marks[i].key)
			r->marks[kept - 1].branches |= r->marks[i].branches;
		else
			r->marks[kept++] = r->marks[i];
	}
	r->mark_count = kept;
}

/* At the end of a batch what is assembled goes out as it is. */
static void flush(struct rasteriser *r)
{
	for (int i = 0; i < r->processors; i++) {
		if (r->assemblies[i].filled > 0)
			emit(r, i);
		r->assemblies[i] = (struct assembly){0};
	}
}

static void draw_batch(struct rasteriser *r, int index)
{
	const struct batch *batch = &r->frame->batches[index];
	r->batch = index;
	mark_slow(r, batch);
	for (int i = 0; i < batch->draw_count; i++) {
		r->draw = &batch->draws[i];
		drawing_visit(r->draw, draw_primitive, r);
	}
	flush(r);
}

static void look(struct rasteriser *r)
{
	const struct frame *frame = r->frame;
	r->view = (struct view){.window = {frame->x, frame->y, frame->width, frame->height}, .hidden_count = frame->hidden_count};
	assert(frame->hidden_count <= FRAME_HIDDEN);
	for (int i = 0; i < frame->hidden_count; i++) {
		const struct hidden *part = &frame->hidden[i];
		r->view.hidden[i] = (struct box){frame->x + part->x, frame->y + part->y, part->width, part->height};
	}
}

struct warps *machine_rasterise(struct arena *arena, const struct frame *frame, int processors)
{
	struct warps *warps = arena_allocate(arena, 1, sizeof *warps);
	struct rasteriser *r = arena_allocate(arena, 1, sizeof *r);
	assert(processors <= FRAME_PROCESSORS && frame->shift_count > 0);
	warps->first_column = frame->x / TILE_SIDE;
	warps->first_row = frame->y / TILE_SIDE;
	warps->columns = (frame->x + frame->width - 1) / TILE_SIDE - warps->first_column + 1;
	warps->rows = (frame->y + frame->height - 1) / TILE_SIDE - warps->first_row + 1;
	*r = (struct rasteriser){.arena = arena, .frame = frame, .processors = processors, .warps = warps};
	look(r);
	for (int i = 0; i < frame->batch_count; i++)
		draw_batch(r, i);
	return warps;
}
