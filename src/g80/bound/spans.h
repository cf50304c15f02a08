/* Which superfragments a shape covers, row by row, from where each row of pixels begins and ends.
 *
 * Requires: integer corners; a window.
 * Provides: for each row of superfragments the columns that are covered and not hidden, as intervals; how many there are, and how many
 *           visible pixels.
 *           A pixel is covered where its centre is inside of a triangle; a centre on an edge belongs to the triangle that has it on its
 *           upper or left side.
 * Source:   seed 003, [*4]: whatever is not covered of a superfragment is a ghost and costs the same.
 */
#ifndef G80_BOUND_SPANS_H
#define G80_BOUND_SPANS_H

#include "base/memory.h"
#include "model/frame.h"

#define SPAN_PIECES (2 * (FRAME_HIDDEN + 1)) /* of two rows of pixels */

struct interval {
	int first, last; /* columns of superfragments on the screen; last < first: empty */
};

struct span_row { /* ascending, apart from one another */
	int count;
	struct interval items[SPAN_PIECES];
};

struct spans {
	int top, rows; /* rows of superfragments, from `top` on */
	struct span_row *items;
	int capacity;
	int64_t superfragments, pixels;
};

/* corners: on the screen. The memory of `spans` is used again. */
void spans_of_triangle(struct arena *arena, struct spans *spans, const struct frame *window, int corners[3][2]);
void spans_of_rectangle(struct arena *arena, struct spans *spans, const struct frame *window, int x, int y, int width, int height);

/* How many of a tile's superfragments are covered. */
int spans_in_tile(const struct spans *spans, int column, int row);
bool spans_covers(const struct spans *spans, int x, int y); /* the superfragment in column x, row y */

#endif
