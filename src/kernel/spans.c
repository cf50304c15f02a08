/* Intervals by exact division at the edges of each row. */
#include "kernel/spans.h"

#include "base/checked.h"

struct pixels { /* of a row */
	int64_t first, last;
};

static struct pixels row_of_window(const struct frame *window, int y)
{
	if (y < window->y || y >= window->y + window->height)
		return (struct pixels){0, -1};
	return (struct pixels){window->x, window->x + window->width - 1};
}

/* Cuts the row where the edge from a to b, its inside on the right as one walks, ends it: pixel x is inside where
 * dx (2y + 1 - 2ay) - dy (2x + 1 - 2ax) > 0, or = 0 on an upper or left edge. */
static struct pixels cut(struct pixels row, const int *a, const int *b, int y)
{
	int64_t dx = b[0] - a[0], dy = b[1] - a[1];
	bool included = dy < 0 || (dy == 0 && dx > 0);
	int64_t rest = dx * (2 * (int64_t)y + 1 - 2 * (int64_t)a[1]) - dy * (1 - 2 * (int64_t)a[0]) - !included;
	if (dy == 0 && rest < 0)
		row.last = row.first - 1;
	if (dy < 0) /* rest + 2 |dy| x >= 0 */
		row.first = checked_max(row.first, checked_div_ceil(-rest, -2 * dy));
	if (dy > 0) /* rest >= 2 dy x */
		row.last = checked_min(row.last, checked_div_floor(rest, 2 * dy));
	return row;
}

static void add(struct spans *spans, int row, struct interval interval)
{
	struct interval *have = spans->items[row];
	if (interval.last < interval.first)
		return;
	if (have[0].last < have[0].first) {
		have[0] = interval;
	} else if (interval.first > have[0].last + 1 || interval.last < have[0].first - 1) {
		have[1] = interval;
	} else {
		have[0].first = (int)checked_min(have[0].first, interval.first);
		have[0].last = (int)checked_max(have[0].last, interval.last);
	}
}

static void add_pixels(struct spans *spans, int y, struct pixels row)
{
	if (row.last < row.first)
		return;
	spans->pixels += row.last - row.first + 1;
	add(spans, y / 2 - spans->top, (struct interval){(int)(row.first / 2), (int)(row.last / 2)});
}

/* The rows of the window from `top` to before `bottom`; false: none. */
static bool start(struct arena *arena, struct spans *spans, const struct frame *window, int64_t *top, int64_t *bottom)
{
	*top = checked_max(*top, window->y);
	*bottom = checked_min(*bottom, window->y + window->height);
	spans->rows = 0;
	spans->superfragments = spans->pixels = 0;
	if (*top >= *bottom)
		return false;
	spans->top = (int)(*top / 2);
	spans->rows = (int)((*bottom - 1) / 2) - spans->top + 1;
	spans->items = arena_grow(arena, spans->items, &spans->capacity, spans->rows, sizeof *spans->items);
	for (int i = 0; i < spans->rows; i++)
		spans->items[i][0] = spans->items[i][1] = (struct interval){0, -1};
	return true;
}

static void finish(struct spans *spans)
{
	for (int i = 0; i < spans->rows; i++)
		for (int j = 0; j < 2; j++)
			spans->superfragments += spans->items[i][j].last - spans->items[i][j].first + 1;
}

/* Twice the area, positive where the corners turn right. */
static int64_t turn(int c[3][2])
{
	return (int64_t)(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (int64_t)(c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
}

void spans_of_triangle(struct arena *arena, struct spans *spans, const struct frame *window, int corners[3][2])
{
	int64_t area = turn(corners), top = corners[0][1], bottom = corners[0][1];
	const int *order[4] = {corners[0], corners[area > 0 ? 1 : 2], corners[area > 0 ? 2 : 1], corners[0]};
	for (int i = 1; i < 3; i++) {
		top = checked_min(top, corners[i][1]);
		bottom = checked_max(bottom, corners[i][1]);
	}
	if (area == 0)
		bottom = top;
	if (!start(arena, spans, window, &top, &bottom))
		return;
	for (int y = (int)top; y < bottom; y++) {
		struct pixels row = row_of_window(window, y);
		for (int i = 0; i < 3; i++)
			row = cut(row, order[i], order[i + 1], y);
		add_pixels(spans, y, row);
	}
	finish(spans);
}

void spans_of_rectangle(struct arena *arena, struct spans *spans, const struct frame *window, int x, int y, int width, int height)
{
	int64_t top = y, bottom = (int64_t)y + height;
	if (!start(arena, spans, window, &top, &bottom))
		return;
	for (int row = (int)top; row < bottom; row++) {
		struct pixels all = row_of_window(window, row);
		add_pixels(spans, row, (struct pixels){checked_max(all.first, x), checked_min(all.last, (int64_t)x + width - 1)});
	}
	finish(spans);
}

static int common(struct interval a, int first, int last)
{
	int64_t count = checked_min(a.last, last) - checked_max(a.first, first) + 1;
	return count > 0 ? (int)count : 0;
}

int spans_in_tile(const struct spans *spans, int column, int row)
{
	int count = 0, first = column * TILE_CELLS;
	for (int y = row * TILE_CELLS; y < (row + 1) * TILE_CELLS; y++) {
		if (y < spans->top || y >= spans->top + spans->rows)
			continue;
		const struct interval *have = spans->items[y - spans->top];
		count += common(have[0], first, first + TILE_CELLS - 1) + common(have[1], first, first + TILE_CELLS - 1);
	}
	return count;
}

bool spans_covers(const struct spans *spans, int x, int y)
{
	if (y < spans->top || y >= spans->top + spans->rows)
		return false;
	const struct interval *have = spans->items[y - spans->top];
	return common(have[0], x, x) + common(have[1], x, x) > 0;
}
