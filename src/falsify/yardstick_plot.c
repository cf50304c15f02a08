/* The yardstick as a picture: the gap to the right, the share of all tasks that have a bound with at most that gap upwards. A row a group
 * of systems: on the left a line a bound, on the right the least one with items of the analysis taken away. */
#include "falsify/yardstick.h"

#include <inttypes.h>

#define LEFT 60
#define TOP 64  /* px above a chart: its titles */
#define HEAD 24 /* px above all */
#define WIDTH 400
#define HEIGHT 260
#define LEGEND 150 /* px to the right of a chart */
#define ROW (TOP + HEIGHT + 40)
#define MOST 1500 /* thousandths: the right end */
#define EVERY 250
#define COLOURS 10

/* All rules are below one class, so that the picture can stand inside of a page. Colours that readers who confuse some can tell apart. */
#define T ".yardstick "
static const char style[] =
	T "text{font:12px sans-serif;fill:#222}" T ".title{font-size:15px;font-weight:bold}" T ".group{font-weight:bold}" T
	  ".paper{fill:#fff}" T ".grid{stroke:#ddd}" T ".y{text-anchor:end}" T ".x{text-anchor:middle}" T
	  ".line{fill:none;stroke-width:1.8}" T ".c0{stroke:#56b4e9}" T ".c1{stroke:#e69f00}" T ".c2{stroke:#999}" T ".c3{stroke:#cc79a7}" T
	  ".c4{stroke:#b8a800}" T ".c5{stroke:#0072b2}" T ".c6{stroke:#d55e00}" T ".c7{stroke:#009e73}" T ".c8{stroke:#882255}" T
	  ".c9{stroke:#44aa99}" T ".least{stroke:#111;stroke-width:3}@media screen and (prefers-color-scheme:dark){" T
	  "text{fill:#e3e7eb}" T ".paper{fill:#15181c}" T ".grid{stroke:#30373e}" T ".least{stroke:#fff}}";
#undef T

struct chart {
	int left, top; /* of its plane */
	int64_t tasks; /* all of the group */
	int lines;     /* so far */
};

static void add_class(struct output *output, int colour, bool first)
{
	if (first)
		output_add(output, " class=\"line least\"");
	else
		output_print(output, " class=\"line c%d\"", colour % COLOURS);
}

static void add_grid(struct output *output, const struct chart *chart)
{
	for (int i = 0; i <= 4; i++) {
		int y = chart->top + HEIGHT - HEIGHT / 4 * i;
		output_print(output, "<path class=\"grid\" d=\"M%d %dh%d\"/>\n<text class=\"y\" x=\"%d\" y=\"%d\">%d %%</text>\n",
			chart->left, y, WIDTH, chart->left - 6, y + 4, 25 * i);
	}
	for (int gap = 0; gap <= MOST; gap += EVERY) {
		int x = chart->left + gap * WIDTH / MOST;
		output_print(output, "<path class=\"grid\" d=\"M%d %dv%d\"/>\n<text class=\"x\" x=\"%d\" y=\"%d\">%d %%</text>\n", x,
			chart->top, HEIGHT, x, chart->top + HEIGHT + 18, gap / 10);
	}
}

/* A staircase; a step where the share grows, in tenths of a pixel. */
static void add_stairs(struct output *output, const struct chart *chart, const struct yardstick_tally *tally)
{
	int64_t seen = 0, before = -1;
	for (int i = 0; i <= MOST; i++) {
		seen += tally->histogram[i];
		int64_t y = 10 * (chart->top + HEIGHT) - checked_mul_div_floor(seen, 10 * HEIGHT, checked_max(1, chart->tasks)),
			x = 10 * chart->left + (int64_t)i * 10 * WIDTH / MOST;
		if (i == 0)
			output_print(output, " d=\"M%" PRId64 ".%d %" PRId64 ".%d", x / 10, (int)(x % 10), y / 10, (int)(y % 10));
		else if (y != before)
			output_print(output, "H%" PRId64 ".%dV%" PRId64 ".%d", x / 10, (int)(x % 10), y / 10, (int)(y % 10));
		before = y;
	}
	output_print(output, "H%d\"/>\n", chart->left + WIDTH);
}

/* A line and its name on the right. first: the thick one. */
static void add_line(
	struct output *output, struct chart *chart, const char *name, int colour, bool first, const struct yardstick_tally *tally)
{
	int x = chart->left + WIDTH + 14, y = chart->top + 12 + 20 * chart->lines++;
	output_add(output, "<path");
	add_class(output, colour, first);
	add_stairs(output, chart, tally);
	output_print(output, "<path d=\"M%d %dh22\"", x, y - 4);
	add_class(output, colour, first);
	output_print(output, "/>\n<text x=\"%d\" y=\"%d\">%s</text>\n", x + 28, y, name);
}

static struct chart open_chart(struct output *output, const struct yardstick *yardstick, int group, int column, int top, const char *what)
{
	struct chart chart = {LEFT + column * (WIDTH + LEGEND + LEFT), top + TOP, yardstick->tasks[group], 0};
	output_print(output, "<text class=\"group\" x=\"%d\" y=\"%d\">%s: %" PRId64 " systems</text>\n<text x=\"%d\" y=\"%d\">%s</text>\n",
		chart.left, top + 34, yardstick_groups[group].title, yardstick->systems[group], chart.left, top + 52, what);
	add_grid(output, &chart);
	return chart;
}

static void add_bounds(struct output *output, const struct yardstick *yardstick, int group, int top)
{
	const struct yardstick_tally *tallies = yardstick->of[group][VARIANT_ALL];
	struct chart chart = open_chart(output, yardstick, group, 0, top, "Share of all tasks by bound/exact &#8722; 1");
	for (int j = BOUND_COUNT; j >= 0; j--)
		if (tallies[j].tasks > 0)
			add_line(
				output, &chart, j == YARDSTICK_LEAST ? "least" : bound_kinds[j].name, j, j == YARDSTICK_LEAST, &tallies[j]);
}

static void add_items(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options, int group, int top)
{
	char name[32];
	struct chart chart = open_chart(output, yardstick, group, 1, top, "The least bound, and without items of the analysis");
	for (int variant = 0; variant < VARIANT_COUNT; variant++) {
		if (!yardstick_applies(options, (enum yardstick_group)group, variant))
			continue;
		snprintf(name, sizeof name, "without %s",
			variant == VARIANT_NONE  ? "all"
			: variant == VARIANT_ALL ? ""
						 : item_kinds[variant - 1].name);
		add_line(output, &chart, variant == VARIANT_ALL ? "with all" : name, variant, variant == VARIANT_ALL,
			&yardstick->of[group][variant][YARDSTICK_LEAST]);
	}
}

void yardstick_svg(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	int rows = 0, width = 2 * (LEFT + WIDTH + LEGEND), top = HEAD;
	int64_t systems = 0;
	for (int group = 0; group < GROUP_COUNT; group++) {
		rows += yardstick->systems[group] > 0;
		systems += yardstick->systems[group];
	}
	int height = HEAD + rows * ROW + 10;
	output_print(output,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"yardstick\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
		"%d\">\n"
		"<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n"
		"<text class=\"title\" x=\"%d\" y=\"26\">Bounds of %" PRId64 " small systems against their exact worst cases (seed %" PRIu64
		")</text>\n",
		width, height, width, height, style, LEFT, systems, options->seed);
	for (int group = 0; group < GROUP_COUNT; group++) {
		if (yardstick->systems[group] == 0)
			continue;
		add_bounds(output, yardstick, group, top);
		add_items(output, yardstick, options, group, top);
		top += ROW;
	}
	output_add(output, "</svg>\n");
}
