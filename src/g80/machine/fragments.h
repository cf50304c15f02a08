/* A frame on a G80-class part, executed: rasteriser, FIFOs, multiprocessors.
 *
 * Requires: a validated frame whose shaders have costs; a platform that states its texture processors, their multiprocessors and the FIFO.
 * Provides: one run: when each warp enters its FIFO, begins and is written, when each tile is done, how long the rasteriser stalled.
 * Source:   seed 003, figure 4, E1 and its notes, section 5. What the seed leaves open is decided so that its measurements come out:
 *           - a texture processor works on as many consecutive warps at once as a tile has (E1.3: two slow pixels in tiles Ti and Ti+6j
 * cost 2T, two in one tile overlap; 5.4: 1,500 pixels are in work, which is 6 x 8 warps); its multiprocessors take them by turns, which
 * makes the two columns of a tile (E1) and uses both for points of one pixel (E4.4);
 *           - results leave in the order of the FIFO, and an entry is free once its warp has left (black tiles, E1);
 *           - rasterising takes no time, as measured with slow shaders (section 3).
 * Fails:    a time beyond 64 bits is NONE.
 */
#ifndef G80_MACHINE_FRAGMENTS_H
#define G80_MACHINE_FRAGMENTS_H

#include "g80/machine/rasteriser.h"

struct raster_part {                     /* what of the platform matters */
	int processors, multiprocessors; /* texture processors; multiprocessors of each */
	int fifo;                        /* warps that are in a texture processor at most, those in work included */
};

struct raster_choices { /* what the description leaves open */
	uint64_t seed;  /* places the slow fragments that are anywhere, and draws what follows */
	bool shorter;   /* each shader and branch takes any time up to its WCET, else its WCET */
	bool partial;   /* at each batch's end the parts may go on or wait for all, else all wait */
};

struct raster_tile {
	int processor;
	int warps;     /* with a fragment of it */
	int64_t begun; /* ns: the first warp begins; NONE: nothing is drawn there */
	int64_t done;  /* the last one is written */
};

struct raster_processor {
	int64_t warps, busy; /* busy: ns of multiprocessor time */
	int64_t stalled;     /* ns: the rasteriser waits for room in its FIFO */
	int64_t done;
};

struct raster_run {
	int64_t time; /* ns: the last warp is written; NONE: beyond 64 bits */
	struct warps *warps;
	struct raster_tile *tiles; /* row by row, warps->columns times warps->rows of them */
	struct raster_processor *processors;
	int processor_count;
};

struct raster_run *machine_run(
	struct arena *arena, const struct frame *frame, const struct raster_part *part, const struct raster_choices *choices);

#endif
