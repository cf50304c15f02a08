/* Which pixels a shape covers, pixel by pixel.
 *
 * Provides: for a triangle those whose centre lies inside of its edges (a centre on an edge belongs to the triangle below or to the right
 *           of it), for a rectangle all of it; both within the window and not hidden.
 * Source:   the usual rule of rasterisers; the seed only has "the triangle diagonal is strictly respected".
 */
#ifndef G80_MACHINE_COVERAGE_H
#define G80_MACHINE_COVERAGE_H

#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

struct edge {
	int64_t a, b, c; /* inside: a X + b Y + c >= 0 in half pixels */
};

struct box {
	int x, y, width, height;
};

struct view { /* what of the screen shows the window */
	struct box window;
	struct box hidden[FRAME_HIDDEN]; /* by other windows */
	int hidden_count;
};

struct shape {                        /* on the screen */
	int left, top, right, bottom; /* its bounding box and the window's in common; right and bottom are outside */
	bool triangle;
	struct edge edges[3];
	const struct view *view;
};

/* Corners in pixels, in any order; one without area covers nothing. */
struct shape coverage_triangle(const struct view *view, int corners[3][2]);
struct shape coverage_rectangle(const struct view *view, const struct box *box);

bool coverage_is_empty(const struct shape *shape);
unsigned coverage_cell(const struct shape *shape, int x, int y);          /* of the 2 x 2 pixels from x, y on: a bit each */
bool coverage_is_full(const struct shape *shape, int x, int y, int side); /* the square from x, y on */

#endif
