/* SVG by hand: rectangles, arrows, texts. */
#include "simulate/drawing.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

#define LETTER 6 /* px: about the width of one at the font's size */

/* The x coordinate in hundredths of a pixel. */
static int64_t place(const struct drawing *drawing, int64_t time)
{
	int64_t within = checked_min(checked_max(time, drawing->from), drawing->to) - drawing->from;
	return DRAWING_LEFT * 100 + checked_mul_div_floor(within, drawing->plot * INT64_C(100), drawing->to - drawing->from);
}

static void add_number(struct output *output, const char *key, int64_t hundredths)
{
	output_print(output, " %s=\"%" PRId64 ".%02d\"", key, hundredths / 100, (int)(hundredths % 100));
}

void drawing_text(struct drawing *drawing, int x, int y, const char *class, const char *text)
{
	output_print(drawing->output, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
	output_add_xml(drawing->output, text);
	output_add(drawing->output, "</text>\n");
}

static void add_label(struct drawing *drawing, const struct bar *bar, int64_t x, int64_t width)
{
	if (bar->label == NULL || bar->height < 9 || (int64_t)strlen(bar->label) * LETTER * 100 > width - 400)
		return;
	output_print(drawing->output, "<text class=\"in of-%s\"", bar->class);
	add_number(drawing->output, "x", x + width / 2);
	output_print(drawing->output, " y=\"%d\">", bar->top + (bar->height + 8) / 2);
	output_add_xml(drawing->output, bar->label);
	output_add(drawing->output, "</text>\n");
}

void drawing_bar(struct drawing *drawing, const struct bar *bar)
{
	struct output *output = drawing->output;
	int64_t x = place(drawing, bar->begin), width = checked_max(place(drawing, bar->end) - x, 10);
	if (bar->end < drawing->from || bar->begin > drawing->to)
		return;
	output_print(output, "<rect class=\"%s", bar->class);
	if (bar->colour >= 0)
		output_print(output, " c%d", bar->colour % DRAWING_COLOURS);
	output_add(output, "\"");
	add_number(output, "x", x);
	add_number(output, "width", width);
	output_print(output, " y=\"%d\" height=\"%d\"", bar->top, bar->height);
	if (bar->title != NULL) {
		output_add(output, "><title>");
		output_add_xml(output, bar->title);
		output_add(output, "</title></rect>\n");
	} else
		output_add(output, "/>\n");
	add_label(drawing, bar, x, width);
}

void drawing_arrow(struct drawing *drawing, int64_t time, int top, int height, bool up, const char *class)
{
	struct output *output = drawing->output;
	int64_t x = place(drawing, time);
	int tip = up ? top : top + height, wing = up ? top + 5 : top + height - 5;
	if (time < drawing->from || time > drawing->to)
		return;
	output_print(output, "<path class=\"%s\" d=\"M%" PRId64 ".%02d %dv%dM%" PRId64 ".%02d %dl3 %dl-6 0z\"/>\n", class, x / 100,
		(int)(x % 100), top, height, x / 100, (int)(x % 100), tip, wing - tip);
}

void drawing_line(struct drawing *drawing, int64_t time, int top, int bottom, const char *class, const char *label)
{
	int64_t x = place(drawing, time);
	if (time < drawing->from || time > drawing->to)
		return;
	output_print(drawing->output, "<path class=\"%s\" d=\"M%" PRId64 ".%02d %dV%d\"/>\n<text class=\"of-%s\"", class, x / 100,
		(int)(x % 100), top, bottom, class);
	add_number(drawing->output, "x", x);
	output_print(drawing->output, " y=\"%d\">", top - 3);
	output_add_xml(drawing->output, label);
	output_add(drawing->output, "</text>\n");
}

void drawing_row(struct drawing *drawing, int height, const char *label)
{
	int bottom = drawing->top + height;
	output_print(drawing->output, "<path class=\"row\" d=\"M%d %dh%d\"/>\n", DRAWING_LEFT, bottom, drawing->plot);
	if (label != NULL)
		drawing_text(drawing, DRAWING_LEFT - 8, drawing->top + (height + 8) / 2, "name", label);
	drawing->top = bottom + (height > 10 ? 4 : 1);
}

void drawing_heading(struct drawing *drawing, const char *text)
{
	drawing->top += 22;
	drawing_text(drawing, 10, drawing->top - 5, "heading", text);
}

/* The least of 1, 2, 5 times a power of ten that leaves steps of 120 px or more. */
static int64_t step_of(const struct drawing *drawing)
{
	static const int64_t digits[] = {1, 2, 5};
	int64_t least = checked_max((drawing->to - drawing->from) / (drawing->plot / 120), 1);
	for (int64_t power = 1; power < INT64_MAX / 50; power *= 10)
		for (int i = 0; i < 3; i++)
			if (digits[i] * power >= least)
				return digits[i] * power;
	return least;
}

static void add_time(struct drawing *drawing, int64_t time, int64_t step, int y)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
	int unit = 0;
	while (step % (units[unit].ns >= 10 ? units[unit].ns / 10 : 1) != 0)
		unit++;
	int64_t tenths = time / (units[unit].ns >= 10 ? units[unit].ns / 10 : 1) % 10;
	output_add(drawing->output, "<text class=\"tick\"");
	add_number(drawing->output, "x", place(drawing, time));
	output_print(drawing->output, " y=\"%d\">%" PRId64, y, time / units[unit].ns);
	if (units[unit].ns >= 10 && tenths != 0)
		output_print(drawing->output, ".%d", (int)tenths);
	output_print(drawing->output, " %s</text>\n", units[unit].name);
}

void drawing_grid(struct drawing *drawing, int bottom)
{
	int64_t step = step_of(drawing), first = checked_round_up(drawing->from, step);
	for (int64_t time = first; time <= drawing->to; time += step) {
		int64_t x = place(drawing, time);
		output_print(drawing->output, "<path class=\"grid\" d=\"M%" PRId64 ".%02d %dV%d\"/>\n", x / 100, (int)(x % 100),
			drawing->top, bottom);
		add_time(drawing, time, step, drawing->top - 4);
		add_time(drawing, time, step, bottom + 14);
	}
}
