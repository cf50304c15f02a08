/* A tile's pixels, all 16 rows of them as bits: an edge that meets the tile is walked from row to row. */
#include "verify/frame_cover.h"

#include <string.h>

#define LAST (TILE_SIDE - 1)
#define WHOLE_ROW ((1u << TILE_SIDE) - 1)
#define EVERY_SECOND 0x5555u /* the left pixel of each superfragment */

/* A pixel's centre is to the right of an edge that goes by (dx, dy) where dx (y - from y) - dy (x - from x) > 0, or = 0 on an upper or a
 * left edge. `side` is twice that of the tile's first pixel, one less on other edges: not negative means inside. */
struct edge {
	int64_t side, by_row, by_pixel; /* what it gains from one pixel to the one below, and to the one right of it */
};

static struct edge edge_of(const int *from, const int *to, int left, int top)
{
	int64_t dx = to[0] - from[0], dy = to[1] - from[1];
	bool upper_or_left = dy < 0 || (dy == 0 && dx > 0);
	int64_t side = dx * (2 * (int64_t)(top - from[1]) + 1) - dy * (2 * (int64_t)(left - from[0]) + 1);
	return (struct edge){side - !upper_or_left, 2 * dx, -2 * dy};
}

/* All pixels of the tile are outside: even the one that is farthest to the right of the edge. */
static bool misses(const struct edge *edge)
{
	return edge->side + (edge->by_row > 0 ? LAST * edge->by_row : 0) + (edge->by_pixel > 0 ? LAST * edge->by_pixel : 0) < 0;
}

static bool keeps(const struct edge *edge)
{
	return edge->side + (edge->by_row < 0 ? LAST * edge->by_row : 0) + (edge->by_pixel < 0 ? LAST * edge->by_pixel : 0) >= 0;
}

/* The bits of the pixels left of this one, of the tile's. */
static unsigned left_of(int x)
{
	if (x <= 0)
		return 0;
	return x >= TILE_SIDE ? WHOLE_ROW : (1u << x) - 1;
}

/* Inside are a row's first x pixels, where the edge goes down or is level, or all but its first x. */
static void cut(uint16_t *rows, const struct edge *edge)
{
	bool down = edge->by_pixel <= 0;
	int64_t first = down ? edge->side : -1 - edge->side; /* of pixel x: not negative if it is one of the first */
	int64_t by_row = down ? edge->by_row : -edge->by_row, by_pixel = down ? edge->by_pixel : -edge->by_pixel;
	for (int y = 0, x = 0; y < TILE_SIDE; y++, first += by_row) {
		for (; x < TILE_SIDE && first >= 0; x++)
			first += by_pixel;
		for (; x > 0 && first - by_pixel < 0; x--)
			first -= by_pixel;
		rows[y] &= (uint16_t)(down ? left_of(x) : ~left_of(x));
	}
}

static void cover_box(uint16_t *rows, int left, int top, int right, int bottom)
{
	unsigned columns = left_of(right) & ~left_of(left);
	for (int y = 0; y < TILE_SIDE; y++)
		rows[y] = (uint16_t)(y >= top && y < bottom ? columns : 0);
}

static void hide(uint16_t *rows, const struct frame *frame, int left, int top)
{
	uint16_t under[TILE_SIDE];
	for (int i = 0; i < frame->hidden_count; i++) {
		const struct hidden *part = &frame->hidden[i];
		int x = frame->x + part->x - left, y = frame->y + part->y - top;
		cover_box(under, x, y, x + part->width, y + part->height);
		for (int k = 0; k < TILE_SIDE; k++)
			rows[k] &= (uint16_t)~under[k];
	}
}

static void count(struct tile *tile)
{
	for (int y = 0; y < TILE_SIDE; y += 2) {
		unsigned upper = tile->rows[y], lower = tile->rows[y + 1], either = upper | lower;
		tile->cells += __builtin_popcount((either | either >> 1) & EVERY_SECOND);
		tile->pixels += __builtin_popcount(upper << TILE_SIDE | lower);
	}
}

struct tile frame_cover(const struct frame *frame, const struct shape *shape, int column, int row)
{
	struct tile tile = {.column = column, .row = row};
	struct edge edges[3];
	int left = column * TILE_SIDE, top = row * TILE_SIDE, count_of_edges = shape->triangle ? 3 : 0;
	bool whole = frame->hidden_count == 0 && shape->left <= left && shape->top <= top && shape->right > left + LAST &&
		     shape->bottom > top + LAST;
	for (int i = 0; i < count_of_edges; i++) {
		edges[i] = edge_of(shape->corners[i], shape->corners[(i + 1) % 3], left, top);
		if (misses(&edges[i]))
			return tile;
		whole = whole && keeps(&edges[i]);
	}
	if (whole) {
		memset(tile.rows, 0xff, sizeof tile.rows);
		tile.cells = TILE_CELLS * TILE_CELLS;
		tile.pixels = TILE_SIDE * TILE_SIDE;
		return tile;
	}
	cover_box(tile.rows, shape->left - left, shape->top - top, shape->right - left, shape->bottom - top);
	for (int i = 0; i < count_of_edges; i++)
		cut(tile.rows, &edges[i]);
	hide(tile.rows, frame, left, top);
	count(&tile);
	return tile;
}
