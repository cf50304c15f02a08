/* The pictures of a report's page: where the blocks go, and a run in time.
 *
 * Requires: a report that input_read_report accepted; the inputs that it names, at their paths.
 * Provides: placement and timeline as SVG, with the command that draws the same, or the reason why one cannot be drawn. They illustrate:
 *           a prediction and one run, not bounds. The same report gives the same bytes.
 * Source:   issue 10, 2.
 * Fails:    false with diagnostics where an input is not the one that the report was made from.
 */
#ifndef CLI_REPORT_FIGURES_H
#define CLI_REPORT_FIGURES_H

#include "render/render.h"

#define REPORT_FIGURES 2

bool report_figures_draw(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct render_figure figures[REPORT_FIGURES]);

void report_figures_finish(struct render_figure figures[REPORT_FIGURES]);

#endif
