/* Lines, or points with the line below which none of them is, in a plane with two axes, as SVG.
 *
 * Requires: values in millionths.
 * Provides: one picture; a line a series with its name on the right, in colours that readers who confuse some can tell apart and, as print
 *           has none, in dashes of different lengths. The same bytes for the same values; light and dark screens.
 * Fails:    never.
 */
#ifndef STUDY_CHART_H
#define STUDY_CHART_H

#include "base/output.h"

#include <stdint.h>

#define CHART_UNIT INT64_C(1000000)
#define CHART_MOST (INT64_C(1) << 56) /* millionths */

struct chart_point {
	int64_t x, y;
};

struct chart_series {
	const char *name;
	const struct chart_point *points; /* by x */
	int count;
};

struct chart {
	const char *title, *x_name, *y_name;
	bool shares; /* y is from 0 to 1, in percent */
	bool front;  /* points, and the line of those that no other one is below in both */
	const struct chart_series *series;
	int series_count;
};

void chart_svg(struct output *output, const struct chart *chart);

#endif
