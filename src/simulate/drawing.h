/* A drawing of time from left to right, in rows, as SVG.
 *
 * Requires: times from `from` to `to`; rows added from top to bottom.
 * Provides: bars, marks, labels and an axis at integer hundredths of a pixel, so that the bytes do not depend on the machine.
 * Fails:    never. What is outside of the times is cut off.
 */
#ifndef SIMULATE_DRAWING_H
#define SIMULATE_DRAWING_H

#include "base/palette.h"
#include "base/output.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

#define DRAWING_LEFT 170 /* px: labels of rows */
#define DRAWING_RIGHT 30
#define DRAWING_COLOURS PALETTE_COLOURS

struct drawing {
	struct output *output;
	int64_t from, to;
	int plot; /* px: the times */
	int top;  /* px: the next row's */
};

struct bar {
	int64_t begin, end;
	int top, height;                   /* px */
	const char *class, *label, *title; /* label: drawn where it fits; NULL: none. title: shown on pointing at it */
	int colour;                        /* modulo DRAWING_COLOURS; -1: the class's */
};

void drawing_bar(struct drawing *drawing, const struct bar *bar);
void drawing_arrow(struct drawing *drawing, int64_t time, int top, int height, bool up, const char *class);
void drawing_line(struct drawing *drawing, int64_t time, int top, int bottom, const char *class, const char *label); /* label above it */
void drawing_row(struct drawing *drawing, int height, const char *label); /* its line and label; advances top */
void drawing_heading(struct drawing *drawing, const char *text);
void drawing_grid(struct drawing *drawing, int bottom); /* lines and times from the present top to there */
void drawing_text(struct drawing *drawing, int x, int y, const char *class, const char *text);

#endif
