/* A frame's bound and one run of it, as a table, as CSV and as a picture.
 *
 * Requires: a bound and a run of one frame on one platform.
 * Provides: text of at most TEXT_WIDTH columns; CSV with a header line; an SVG of the tiles, once coloured by texture processor and once by
 *           the time at which they are done.
 * Source:   gpubound(1); seed 003, figures 2 and 3.
 * Fails:    never.
 */
#ifndef CLI_RASTER_OUTPUT_H
#define CLI_RASTER_OUTPUT_H

#include "base/output.h"
#include "g80/bound/frame_bound.h"
#include "g80/machine/fragments.h"

struct raster_result {
	struct arena *arena;
	const struct frame *frame;
	const struct platform *platform;
	const struct frame_bound *bound;
	const struct raster_run *run;
	int64_t seed;
};

void raster_text(struct output *output, const struct raster_result *result, bool colour);
void raster_csv_header(struct output *output);
void raster_csv(struct output *output, const struct raster_result *result);
void raster_svg(struct output *output, const struct raster_result *result);

#endif
