/* Axes with round steps, lines, and names. */
#include "study/chart.h"

#include "base/checked.h"

#include <inttypes.h>

#define LEFT 90
#define TOP 50
#define WIDTH 520
#define HEIGHT 320
#define LEGEND 230 /* px to the right */
#define FOOT 60
#define COLOURS 8
#define MOST_STEPS 8

/* All rules are below one class, so that the picture can stand inside of a page. */
#define C ".chart "
static const char style[] =
	C "text{font:13px sans-serif;fill:#222}" C ".title{font-size:15px;font-weight:bold}" C ".paper{fill:#fff}" C ".grid{stroke:#ddd}" C
	  ".y{text-anchor:end}" C ".x{text-anchor:middle}" C ".line{fill:none;stroke-width:2.2}" C ".c0{stroke:#0072b2}" C
	  ".c1{stroke:#d55e00;stroke-dasharray:9 3}" C ".c2{stroke:#009e73;stroke-dasharray:3 3}" C
	  ".c3{stroke:#cc79a7;stroke-dasharray:12 3 3 3}" C ".c4{stroke:#b8a800;stroke-dasharray:6 6}" C
	  ".c5{stroke:#56b4e9;stroke-dasharray:1 3}" C ".c6{stroke:#882255;stroke-dasharray:15 5}" C
	  ".c7{stroke:#666;stroke-dasharray:2 6}@media screen and (prefers-color-scheme:dark){" C "text{fill:#e3e7eb}" C
	  ".paper{fill:#15181c}" C ".grid{stroke:#30373e}}";
#undef C

struct axis_range {
	int64_t from, to, step;
};

struct drawing_of {
	struct output *output;
	const struct chart *chart;
	struct axis_range x, y;
};

/* 1, 2 or 5 of a power of ten, at most MOST_STEPS of them in the range; both ends are whole steps. */
static struct axis_range round_range(int64_t from, int64_t to)
{
	static const int64_t leading[] = {1, 2, 5};
	int64_t step = 1;
	for (int i = 0; (to - from) / step > MOST_STEPS; i++) {
		int64_t power = 1;
		for (int k = 0; k < i / 3; k++)
			power *= 10;
		step = leading[i % 3] * power;
	}
	int64_t end = checked_mul(checked_div_ceil(to, step), step);
	return (struct axis_range){checked_div_floor(from, step) * step, end > from ? end : from + step, step};
}

static void find_ranges(struct drawing_of *drawing)
{
	const struct chart *chart = drawing->chart;
	int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {0, 0};
	for (int i = 0; i < chart->series_count; i++)
		for (int k = 0; k < chart->series[i].count; k++) {
			const struct chart_point *point = &chart->series[i].points[k];
			low[0] = checked_min(low[0], point->x);
			high[0] = checked_max(high[0], point->x);
			low[1] = checked_min(low[1], point->y);
			high[1] = checked_max(high[1], point->y);
		}
	drawing->x = round_range(checked_min(low[0], high[0]), high[0]);
	drawing->y =
		chart->shares ? (struct axis_range){0, CHART_UNIT, CHART_UNIT / 5} : round_range(checked_min(low[1], high[1]), high[1]);
}

/* In tenths of a pixel. */
static int64_t place_x(const struct drawing_of *drawing, int64_t x)
{
	return 10 * LEFT + checked_mul_div_floor(x - drawing->x.from, 10 * WIDTH, drawing->x.to - drawing->x.from);
}

static int64_t place_y(const struct drawing_of *drawing, int64_t y)
{
	return 10 * (TOP + HEIGHT) - checked_mul_div_floor(y - drawing->y.from, 10 * HEIGHT, drawing->y.to - drawing->y.from);
}

static void add_place(struct output *output, const char *before, int64_t tenths)
{
	output_print(output, "%s%" PRId64 ".%d", before, tenths / 10, (int)(tenths % 10));
}

/* Without zeros at its end. */
static void add_number(struct output *output, int64_t millionths)
{
	int digits = 6;
	int64_t rest = millionths % CHART_UNIT;
	output_print(output, "%" PRId64, millionths / CHART_UNIT);
	if (rest == 0)
		return;
	for (; rest % 10 == 0; rest /= 10)
		digits--;
	output_print(output, ".%0*" PRId64, digits, rest);
}

static void add_axes(const struct drawing_of *drawing)
{
	struct output *output = drawing->output;
	for (int64_t x = drawing->x.from; x <= drawing->x.to; x += drawing->x.step) {
		add_place(output, "<path class=\"grid\" d=\"M", place_x(drawing, x));
		output_print(output, " %dv%d\"/>", TOP, HEIGHT);
		add_place(output, "<text class=\"x\" x=\"", place_x(drawing, x));
		output_print(output, "\" y=\"%d\">", TOP + HEIGHT + 20);
		add_number(output, x);
		output_add(output, "</text>\n");
	}
	for (int64_t y = drawing->y.from; y <= drawing->y.to; y += drawing->y.step) {
		add_place(output, "<path class=\"grid\" d=\"M90 ", place_y(drawing, y));
		output_print(output, "h%d\"/>", WIDTH);
		add_place(output, "<text class=\"y\" x=\"82\" y=\"", place_y(drawing, y) + 40);
		output_add(output, "\">");
		add_number(output, drawing->chart->shares ? 100 * y : y);
		output_add(output, drawing->chart->shares ? " %</text>\n" : "</text>\n");
	}
	output_print(output, "<text class=\"x\" x=\"%d\" y=\"%d\">", LEFT + WIDTH / 2, TOP + HEIGHT + 44);
	output_add_xml(output, drawing->chart->x_name);
	output_print(output, "</text>\n<text x=\"%d\" y=\"%d\">", LEFT, TOP - 8);
	output_add_xml(output, drawing->chart->y_name);
	output_add(output, "</text>\n");
}

static void add_line(const struct drawing_of *drawing, const struct chart_series *series, int colour)
{
	output_print(drawing->output, "<path class=\"line c%d\" d=\"", colour);
	for (int i = 0; i < series->count; i++) {
		add_place(drawing->output, i == 0 ? "M" : "L", place_x(drawing, series->points[i].x));
		add_place(drawing->output, " ", place_y(drawing, series->points[i].y));
	}
	output_add(drawing->output, "\"/>\n");
}

/* Points are by x, then by y: of the front is who is below all before it. */
static void add_front(const struct drawing_of *drawing, const struct chart_series *series, int colour)
{
	struct output *output = drawing->output, line = {0};
	int64_t least = INT64_MAX;
	for (int i = 0; i < series->count; i++) {
		const struct chart_point *point = &series->points[i];
		output_print(output, "<circle class=\"line c%d\" r=\"3\"", colour);
		add_place(output, " cx=\"", place_x(drawing, point->x));
		add_place(output, "\" cy=\"", place_y(drawing, point->y));
		output_add(output, "\"/>\n");
		if (point->y >= least)
			continue;
		add_place(&line, least == INT64_MAX ? "M" : "H", place_x(drawing, point->x));
		add_place(&line, least == INT64_MAX ? " " : "V", place_y(drawing, point->y));
		least = point->y;
	}
	output_print(output, "<path class=\"line c%d\" d=\"%s\"/>\n", colour, line.length > 0 ? line.text : "");
	output_finish(&line);
}

void chart_svg(struct output *output, const struct chart *chart)
{
	struct drawing_of drawing = {.output = output, .chart = chart};
	int width = LEFT + WIDTH + LEGEND, height = TOP + HEIGHT + FOOT;
	find_ranges(&drawing);
	output_print(output,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		"<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"title\" x=\"%d\" y=\"24\">",
		width, height, width, height, style, LEFT);
	output_add_xml(output, chart->title);
	output_add(output, "</text>\n");
	add_axes(&drawing);
	for (int i = 0; i < chart->series_count; i++) {
		int y = TOP + 14 + 24 * i;
		(chart->front ? add_front : add_line)(&drawing, &chart->series[i], i % COLOURS);
		output_print(output, "<path class=\"line c%d\" d=\"M%d %dh34\"/>\n<text x=\"%d\" y=\"%d\">", i % COLOURS, LEFT + WIDTH + 16,
			y - 4, LEFT + WIDTH + 58, y);
		output_add_xml(output, chart->series[i].name);
		output_add(output, "</text>\n");
	}
	output_add(output, "</svg>\n");
}
