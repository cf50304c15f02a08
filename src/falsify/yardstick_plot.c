/* The yardstick as a picture: the gap to the right, the share of all tasks that have the bound with at most that gap upwards, a line a
 * bound. */
#include "falsify/yardstick.h"

#include <inttypes.h>

#define LEFT 60
#define TOP 56
#define WIDTH 420
#define HEIGHT 300
#define APART 90  /* px between the two charts; the legend stands to the right of them */
#define MOST 1500 /* thousandths: the right end */
#define EVERY 250
#define COLOURS 10

/* All rules are below one class, so that the picture can stand inside of a page. Colours that readers who confuse some can tell apart. */
#define T ".yardstick "
static const char style[] =
	T "text{font:12px sans-serif;fill:#222}" T ".title{font-size:15px;font-weight:bold}" T ".paper{fill:#fff}" T ".grid{stroke:#ddd}" T
	  ".y{text-anchor:end}" T ".x{text-anchor:middle}" T ".line{fill:none;stroke-width:1.8}" T ".c0{stroke:#56b4e9}" T
	  ".c1{stroke:#e69f00}" T ".c2{stroke:#999}" T ".c3{stroke:#cc79a7}" T ".c4{stroke:#b8a800}" T ".c5{stroke:#0072b2}" T
	  ".c6{stroke:#d55e00}" T ".c7{stroke:#009e73}" T ".c8{stroke:#882255}" T ".c9{stroke:#44aa99}" T
	  ".least{stroke:#111;stroke-width:3}@media screen and (prefers-color-scheme:dark){" T "text{fill:#e3e7eb}" T
	  ".paper{fill:#15181c}" T ".grid{stroke:#30373e}" T ".least{stroke:#fff}}";
#undef T

static void add_class(struct output *output, int bound)
{
	if (bound == YARDSTICK_LEAST)
		output_add(output, " class=\"line least\"");
	else
		output_print(output, " class=\"line c%d\"", bound % COLOURS);
}

static void add_grid(struct output *output, int left)
{
	for (int i = 0; i <= 4; i++) {
		int y = TOP + HEIGHT - HEIGHT / 4 * i;
		output_print(output, "<path class=\"grid\" d=\"M%d %dh%d\"/>\n<text class=\"y\" x=\"%d\" y=\"%d\">%d %%</text>\n", left, y,
			WIDTH, left - 6, y + 4, 25 * i);
	}
	for (int gap = 0; gap <= MOST; gap += EVERY) {
		int x = left + gap * WIDTH / MOST;
		output_print(output, "<path class=\"grid\" d=\"M%d %dv%d\"/>\n<text class=\"x\" x=\"%d\" y=\"%d\">%d %%</text>\n", x, TOP,
			HEIGHT, x, TOP + HEIGHT + 18, gap / 10);
	}
}

/* A staircase; a step where the share grows, in tenths of a pixel. */
static void add_line(struct output *output, int left, int bound, const struct yardstick_tally *tally, int64_t tasks)
{
	int64_t seen = 0, before = -1;
	output_add(output, "<path");
	add_class(output, bound);
	for (int i = 0; i <= MOST; i++) {
		seen += tally->histogram[i];
		int64_t y = 10 * (TOP + HEIGHT) - checked_mul_div_floor(seen, 10 * HEIGHT, tasks),
			x = 10 * left + (int64_t)i * 10 * WIDTH / MOST;
		if (i == 0)
			output_print(output, " d=\"M%" PRId64 ".%d %" PRId64 ".%d", x / 10, (int)(x % 10), y / 10, (int)(y % 10));
		else if (y != before)
			output_print(output, "H%" PRId64 ".%dV%" PRId64 ".%d", x / 10, (int)(x % 10), y / 10, (int)(y % 10));
		before = y;
	}
	output_print(output, "H%d\"/>\n", left + WIDTH);
}

static void add_legend(struct output *output, const struct yardstick *yardstick, int left)
{
	int y = TOP + 10;
	for (int j = BOUND_COUNT; j >= 0; j--) {
		if (yardstick->of[GROUP_ANY][j].tasks + yardstick->of[GROUP_KNOWN][j].tasks == 0)
			continue;
		output_print(output, "<path d=\"M%d %dh24\"", left, y - 4);
		add_class(output, j);
		output_print(output, "/>\n<text x=\"%d\" y=\"%d\">%s</text>\n", left + 32, y,
			j == YARDSTICK_LEAST ? "least" : bound_kinds[j].name);
		y += 20;
	}
}

void yardstick_svg(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	int charts = (yardstick->systems[GROUP_ANY] > 0) + (yardstick->systems[GROUP_KNOWN] > 0), left = LEFT;
	int width = LEFT + charts * (WIDTH + APART) + 60, height = TOP + HEIGHT + 50;
	output_print(output,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"yardstick\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
		"%d\">\n"
		"<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
		width, height, width, height, style);
	output_print(output,
		"<text class=\"title\" x=\"%d\" y=\"22\">Bounds of %" PRId64 " small systems against their exact worst cases (seed %" PRIu64
		")</text>\n",
		LEFT, yardstick->systems[GROUP_ANY] + yardstick->systems[GROUP_KNOWN], options->seed);
	for (int group = 0; group < GROUP_COUNT; group++) {
		if (yardstick->systems[group] == 0)
			continue;
		output_print(output,
			"<text x=\"%d\" y=\"44\">Phases %s: %" PRId64 " systems. Share of all tasks by bound/exact &#8722; 1</text>\n",
			left, yardstick_groups[group], yardstick->systems[group]);
		add_grid(output, left);
		for (int j = 0; j <= BOUND_COUNT; j++)
			if (yardstick->of[group][j].tasks > 0)
				add_line(output, left, j, &yardstick->of[group][j], yardstick->tasks[group]);
		left += WIDTH + APART;
	}
	add_legend(output, yardstick, left - APART + 30);
	output_add(output, "</svg>\n");
}
