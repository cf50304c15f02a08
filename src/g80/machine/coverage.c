/* Edge functions. */
#include "g80/machine/coverage.h"

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int greatest(int a, int b)
{
	return a > b ? a : b;
}

static struct shape clip(const struct view *view, int left, int top, int right, int bottom)
{
	const struct box *window = &view->window;
	return (struct shape){
		.view = view,
		.left = greatest(left, window->x),
		.top = greatest(top, window->y),
		.right = least(right, window->x + window->width),
		.bottom = least(bottom, window->y + window->height),
	};
}

/* From a to b, clockwise as one sees it with y down: what is to the right is inside. Centres on an upper or left edge are, too. */
static struct edge make_edge(const int *a, const int *b)
{
	int64_t dx = 2 * (int64_t)(b[0] - a[0]), dy = 2 * (int64_t)(b[1] - a[1]);
	bool upper_or_left = dy < 0 || (dy == 0 && dx > 0);
	return (struct edge){.a = -dy, .b = dx, .c = 2 * (dy * a[0] - dx * a[1]) - !upper_or_left};
}

static int64_t doubled_area(int c[3][2])
{
	return (int64_t)(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (int64_t)(c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
}

struct shape coverage_triangle(const struct view *view, int c[3][2])
{
	int64_t area = doubled_area(c);
	const int *second = area > 0 ? c[1] : c[2], *third = area > 0 ? c[2] : c[1];
	struct shape shape = clip(view, least(c[0][0], least(c[1][0], c[2][0])), least(c[0][1], least(c[1][1], c[2][1])),
		greatest(c[0][0], greatest(c[1][0], c[2][0])), greatest(c[0][1], greatest(c[1][1], c[2][1])));
	shape.triangle = true;
	shape.edges[0] = make_edge(c[0], second);
	shape.edges[1] = make_edge(second, third);
	shape.edges[2] = make_edge(third, c[0]);
	if (area == 0)
		shape.right = shape.left;
	return shape;
}

struct shape coverage_rectangle(const struct view *view, const struct box *box)
{
	return clip(view, box->x, box->y, box->x + box->width, box->y + box->height);
}

bool coverage_is_empty(const struct shape *shape)
{
	return shape->left >= shape->right || shape->top >= shape->bottom;
}

static int64_t value(const struct edge *edge, int x, int y)
{
	return edge->a * (2 * x + 1) + edge->b * (2 * y + 1) + edge->c;
}

static bool meets(const struct box *box, int x, int y, int side)
{
	return x < box->x + box->width && x + side > box->x && y < box->y + box->height && y + side > box->y;
}

static bool hides(const struct view *view, int x, int y, int side)
{
	for (int i = 0; i < view->hidden_count; i++)
		if (meets(&view->hidden[i], x, y, side))
			return true;
	return false;
}

static bool covers(const struct shape *shape, int x, int y)
{
	if (x < shape->left || x >= shape->right || y < shape->top || y >= shape->bottom)
		return false;
	for (int i = 0; shape->triangle && i < 3; i++)
		if (value(&shape->edges[i], x, y) < 0)
			return false;
	return !hides(shape->view, x, y, 1);
}

unsigned coverage_cell(const struct shape *shape, int x, int y)
{
	return (unsigned)covers(shape, x, y) | (unsigned)covers(shape, x + 1, y) << 1 | (unsigned)covers(shape, x, y + 1) << 2 |
	       (unsigned)covers(shape, x + 1, y + 1) << 3;
}

/* A triangle is convex: a square whose corners it covers is covered. */
bool coverage_is_full(const struct shape *shape, int x, int y, int side)
{
	int last = side - 1;
	return !hides(shape->view, x, y, side) && covers(shape, x, y) && covers(shape, x + last, y) && covers(shape, x, y + last) &&
	       covers(shape, x + last, y + last);
}
