/* The rasteriser of a G80-class part: from the primitives of a frame to the warps of each texture processor.
 *
 * Requires: a validated frame with a pattern of tiles; the number of texture processors.
 * Provides: the warps in the order in which the rasteriser finishes them, each with its texture processor, its number there in its batch,
 *           its branches, and the tiles that its fragments come from.
 * Source:   seed 003: E1, observations (thick scan lines of two rows of tiles, ping-pong for the first triangle, classical for the second;
 *           8 x 4 subtiles in two columns), E2-E4 (superfragments and ghosts, what fits a warp), figure 4. The order inside of a thick line
 * is not printed: column by column, the upper tile first.
 */
#ifndef G80_MACHINE_RASTERISER_H
#define G80_MACHINE_RASTERISER_H

#include "base/memory.h"
#include "model/frame.h"

struct warp {
	int processor, batch;
	int index;                       /* among the warps of its processor in its batch */
	uint32_t branches;               /* bit set: one of its fragments goes this way */
	int64_t cost;                    /* ns alone on a multiprocessor */
	int first_touch, touch_count;    /* the tiles that its fragments come from, in `touches` */
	int64_t emitted, begun, written; /* ns: into the FIFO, on a multiprocessor, out of it in order */
};

struct warps {
	struct warp *items;
	int count, capacity;
	int *touches; /* tile numbers, row by row from the window's first tile */
	int touch_count, touch_capacity;
	int first_column, first_row, columns, rows; /* the tiles that the window meets */
	int64_t superfragments, pixels;             /* pixels: covered ones; the other fragments are ghosts */
};

/* The texture processor of a tile of the screen. */
int machine_processor(const struct frame *frame, int processors, int column, int row);

struct warps *machine_rasterise(struct arena *arena, const struct frame *frame, int processors);

#endif
