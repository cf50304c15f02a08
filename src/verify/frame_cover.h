/* What a shape covers: tile by tile, the pixels.
 *
 * Requires: a triangle's corners in pixels of the screen, clockwise as one sees it; a box that lies in the frame's window.
 * Provides: the pixels of a tile whose centres are inside the shape and that nothing hides, and how many superfragments have any.
 * Source:   seed 003, E1: tiles of 16 x 16 pixels, superfragments of 2 x 2; centres on an edge count where it is an upper or a left one.
 * Fails:    never.
 */
#ifndef VERIFY_FRAME_COVER_H
#define VERIFY_FRAME_COVER_H

#include "model/frame.h"

struct shape { /* on the screen */
	bool triangle;
	int corners[3][2]; /* of a triangle, clockwise as one sees it */
	int left, top, right, bottom;
};

struct tile {
	int column, row;
	int cells, pixels;        /* superfragments with a covered pixel; covered pixels */
	uint16_t rows[TILE_SIDE]; /* of pixels, from the top; a bit is set where one is covered, the lowest is the leftmost */
};

/* Of the tile at this column and row. */
struct tile frame_cover(const struct frame *frame, const struct shape *shape, int column, int row);

#endif
