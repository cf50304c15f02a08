/* Intervals by exact division at the edges of each row. */
#include "g80/bound/spans.h"

#include "base/assert.h"
#include "base/checked.h"

#include <string.h>

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

/* Joins the interval with all that it meets or touches. */
static void add(struct span_row *row, struct interval interval)
{
	int first = 0, last;
	while (first < row->count && row->items[first].last + 1 < interval.first)
		first++;
	for (last = first; last < row->count && row->items[last].first <= interval.last + 1; last++) {
		interval.first = (int)checked_min(interval.first, row->items[last].first);
		interval.last = (int)checked_max(interval.last, row->items[last].last);
	}
	assert(row->count - (last - first) < SPAN_PIECES);
	memmove(&row->items[first + 1], &row->items[last], (size_t)(row->count - last) * sizeof *row->items);
	row->items[first] = interval;
	row->count += 1 - (last - first);
}

static void add_pixels(struct spans *spans, int y, int64_t first, int64_t last)
{
	spans->pixels += last - first + 1;
	add(&spans->items[y / 2 - spans->top], (struct interval){(int)(first / 2), (int)(last / 2)});
}

/* The end of what is hidden at x, or x itself; *next: where the next hidden part begins, if that is before *next. */
static int64_t skip_hidden(const struct frame *window, int64_t x, int y, int64_t *next)
{
	for (int i = 0; i < window->hidden_count; i++) {
		const struct hidden *part = &window->hidden[i];
		int64_t left = window->x + part->x, right = left + part->width, top = window->y + part->y;
		if (y < top || y >= top + part->height)
			continue;
		if (left <= x && x < right)
			return right;
		if (left > x)
			*next = checked_min(*next, left);
	}
	return x;
}

static void add_visible(struct spans *spans, const struct frame *window, int y, struct pixels row)
{
	while (row.first <= row.last) {
		int64_t next = row.last + 1, visible = skip_hidden(window, row.first, y, &next);
		if (visible == row.first) {
			add_pixels(spans, y, row.first, next - 1);
			visible = next;
		}
		row.first = visible;
	}
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
		spans->items[i].count = 0;
	return true;
}

static void finish(struct spans *spans)
{
	for (int i = 0; i < spans->rows; i++)
		for (int j = 0; j < spans->items[i].count; j++)
			spans->superfragments += spans->items[i].items[j].last - spans->items[i].items[j].first + 1;
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
		add_visible(spans, window, y, row);
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
		struct pixels pixels = {checked_max(all.first, x), checked_min(all.last, (int64_t)x + width - 1)};
		add_visible(spans, window, row, pixels);
	}
	finish(spans);
}

static int common(struct interval a, int first, int last)
{
	int64_t count = checked_min(a.last, last) - checked_max(a.first, first) + 1;
	return count > 0 ? (int)count : 0;
}

static int common_of_row(const struct spans *spans, int y, int first, int last)
{
	int count = 0;
	if (y < spans->top || y >= spans->top + spans->rows)
		return 0;
	const struct span_row *row = &spans->items[y - spans->top];
	for (int i = 0; i < row->count; i++)
		count += common(row->items[i], first, last);
	return count;
}

int spans_in_tile(const struct spans *spans, int column, int row)
{
	int count = 0, first = column * TILE_CELLS;
	for (int y = row * TILE_CELLS; y < (row + 1) * TILE_CELLS; y++)
		count += common_of_row(spans, y, first, first + TILE_CELLS - 1);
	return count;
}

bool spans_covers(const struct spans *spans, int x, int y)
{
	return common_of_row(spans, y, x, x) > 0;
}
