/* The points of a sweep: what --set and --scale list, each with each.
 *
 * Requires: options of the form TARGET=VALUE,... or TARGET=FROM:TO:STEP.
 * Provides: for each point the words that analyze would be given; the hash that says of which space a point is.
 * Source:   gpubound-sweep(1).
 * Fails:    false after a usage error: a range does not go from a number to one of the same unit, or there are too many points.
 */
#ifndef CLI_SPACE_POINTS_H
#define CLI_SPACE_POINTS_H

#include "cli/arguments.h"

struct axis {
	const char *option, *target; /* "set" or "scale" */
	const char **values;
	int count, capacity;
};

struct points {
	struct axis *axes;
	int axis_count;
	int64_t count;
};

/* VALUE,VALUE,... or FROM:TO:STEP, as values of the axis. False: it is neither. */
bool axis_read(struct arena *arena, struct axis *axis, const char *text);

bool points_read(const struct arguments *arguments, struct points *points);

/* The value of an axis at a point; the last axis moves fastest. */
const char *points_value(const struct points *points, int64_t point, int axis);
/* "--set=TARGET=VALUE", one an axis. */
const char *const *points_changes(struct arena *arena, const struct points *points, int64_t point);

#endif
