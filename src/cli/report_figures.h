/* The pictures of a report's page: what each response is made of, streams and engines, the greatest responses seen, where the blocks go.
 *
 * Requires: a report that input_read_report accepted; the inputs that it names, at their paths.
 * Provides: figures for render_html, with the command that draws the same, or the reason why one cannot be drawn. What responses are made
 *           of follows from the analysis made again by the report's own command line, which has to give the report's own numbers. The
 *           others illustrate: a prediction and runs, not bounds. The same report gives the same bytes.
 * Source:   gpubound-report(1).
 * Fails:    false with diagnostics where an input is not the one that the report was made from.
 */
#ifndef CLI_REPORT_FIGURES_H
#define CLI_REPORT_FIGURES_H

#include "render/render.h"

#define REPORT_FIGURES 5

bool report_figures_draw(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct render_figure figures[REPORT_FIGURES]);

void report_figures_finish(struct render_figure figures[REPORT_FIGURES]);

#endif
