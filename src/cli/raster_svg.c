/* Two pictures of the tiles side by side: whose they are, and when they are done. */
#include "cli/raster_output.h"
#include "base/duration_text.h"

#include <inttypes.h>

#define PANEL 512 /* about so many pixels a side */
#define MARGIN 24
#define HEAD 56    /* above the pictures */
#define FOOT 64    /* below them: the legend */
#define LEVELS 48  /* colours of the time */
#define CLASSES 64 /* colours of a picture at most */

struct picture {
	struct output *output;
	const struct raster_result *result;
	int cell, columns, rows; /* cell: pixels of a tile */
	int width, height;       /* of one panel */
	int left;                /* of the panel being drawn */
};

/* ---- colours */

/* Told apart by most eyes: Okabe and Ito, Color Universal Design, 2008. Further processors are mixed. */
static const char *const okabe[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"};

static void add_processor_colour(struct output *output, int class)
{
	if (class < (int)(sizeof okabe / sizeof *okabe))
		output_add(output, okabe[class]);
	else
		output_print(output, "#%02x%02x%02x", class * 67 % 200 + 30, class * 131 % 200 + 30, class * 29 % 200 + 30);
}

/* From early to late, dark to light, readable in grey: between these corners in equal parts. */
static void add_time_colour(struct output *output, int level)
{
	static const int corners[][3] = {{48, 18, 92}, {60, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
	int scaled = level * 4, corner = scaled / (LEVELS - 1), rest = scaled % (LEVELS - 1);
	const int *from = corners[corner], *to = corners[corner < 4 ? corner + 1 : 4];
	output_add(output, "#");
	for (int i = 0; i < 3; i++)
		output_print(output, "%02x", (unsigned)(from[i] + (to[i] - from[i]) * rest / (LEVELS - 1)));
}

/* ---- the tiles of one colour are one path */

typedef int classifier(const struct raster_result *result, int tile); /* -1: not drawn */
typedef void colourist(struct output *output, int class);

static int class_by_processor(const struct raster_result *result, int tile)
{
	const struct raster_tile *item = &result->run->tiles[tile];
	return item->warps > 0 ? item->processor : -1;
}

static int class_by_time(const struct raster_result *result, int tile)
{
	const struct raster_tile *item = &result->run->tiles[tile];
	if (item->warps == 0)
		return -1;
	if (result->run->time == 0 || result->run->time == NONE)
		return 0;
	return (int)checked_mul_div_floor(item->done, LEVELS - 1, result->run->time);
}

static void add_class(const struct picture *p, classifier *classify, colourist *colour, int class)
{
	struct output path = {0};
	for (int i = 0; i < p->columns * p->rows; i++)
		if (classify(p->result, i) == class)
			output_print(&path, "M%d %dh%dv%dh-%dz", p->left + i % p->columns * p->cell, HEAD + i / p->columns * p->cell,
				p->cell, p->cell, p->cell);
	if (path.length > 0) {
		output_add(p->output, "<path fill=\"");
		colour(p->output, class);
		output_print(p->output, "\" d=\"%s\"/>\n", path.text);
	}
	output_finish(&path);
}

/* Lines between tiles where they are large enough to be told apart. */
static void add_lines(const struct picture *p)
{
	if (p->cell < 8)
		return;
	output_add(p->output, "<path stroke=\"#ffffff\" stroke-opacity=\"0.6\" fill=\"none\" d=\"");
	for (int i = 1; i < p->columns; i++)
		output_print(p->output, "M%d %dv%d", p->left + i * p->cell, HEAD, p->height);
	for (int i = 1; i < p->rows; i++)
		output_print(p->output, "M%d %dh%d", p->left, HEAD + i * p->cell, p->width);
	output_add(p->output, "\"/>\n");
}

static void add_slow(const struct picture *p)
{
	const struct frame *frame = p->result->frame;
	for (int i = 0; i < frame->batch_count; i++)
		for (int j = 0; j < frame->batches[i].slow_count; j++) {
			const struct slow *slow = &frame->batches[i].slows[j];
			int64_t x = slow->x + frame->x - (int64_t)p->result->run->warps->first_column * TILE_SIDE;
			int64_t y = slow->y + frame->y - (int64_t)p->result->run->warps->first_row * TILE_SIDE;
			if (slow->count == NONE)
				output_print(p->output,
					"<circle cx=\"%" PRId64 "\" cy=\"%" PRId64
					"\" r=\"3\" fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"1.5\"/>\n",
					p->left + (2 * x + 1) * p->cell / (2 * TILE_SIDE), HEAD + (2 * y + 1) * p->cell / (2 * TILE_SIDE));
		}
}

/* From a pixel of the screen to one of the panel. */
static int along(const struct picture *p, int pixel, int first_tile)
{
	return (pixel - first_tile * TILE_SIDE) * p->cell / TILE_SIDE;
}

static void add_hidden(const struct picture *p)
{
	const struct frame *frame = p->result->frame;
	const struct warps *warps = p->result->run->warps;
	for (int i = 0; i < frame->hidden_count; i++) {
		const struct hidden *part = &frame->hidden[i];
		int x = frame->x + part->x, y = frame->y + part->y;
		int left = along(p, x, warps->first_column), right = along(p, x + part->width, warps->first_column);
		int top = along(p, y, warps->first_row), bottom = along(p, y + part->height, warps->first_row);
		output_print(p->output,
			"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#e4e4e4\" stroke=\"#404040\" "
			"stroke-dasharray=\"4 3\"/>\n",
			p->left + left, HEAD + top, right - left, bottom - top);
	}
}

static void add_panel(const struct picture *p, const char *title, classifier *classify, colourist *colour)
{
	output_print(p->output, "<text x=\"%d\" y=\"%d\">%s</text>\n", p->left, HEAD - 8, title);
	output_print(
		p->output, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#e4e4e4\"/>\n", p->left, HEAD, p->width, p->height);
	for (int class = 0; class < CLASSES; class ++)
		add_class(p, classify, colour, class);
	add_lines(p);
	add_hidden(p);
	add_slow(p);
}

/* ---- legends */

static void add_processor_legend(const struct picture *p)
{
	int count = p->result->run->processor_count, top = HEAD + p->height + 14, width = p->width / count;
	int shown = count <= 16 ? count : 0;
	for (int i = 0; i < shown; i++) {
		output_print(p->output, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"", p->left + i * width, top);
		add_processor_colour(p->output, i);
		output_print(p->output, "\"/><text x=\"%d\" y=\"%d\">%d</text>\n", p->left + i * width + 17, top + 11, i);
	}
}

static void add_time_legend(const struct picture *p)
{
	char text[DURATION_TEXT];
	int top = HEAD + p->height + 14, last = p->left + p->width;
	for (int i = 0; i < LEVELS; i++) {
		int from = p->left + i * p->width / LEVELS, to = p->left + (i + 1) * p->width / LEVELS;
		output_print(p->output, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"12\" fill=\"", from, top, to - from);
		add_time_colour(p->output, i);
		output_add(p->output, "\"/>\n");
	}
	output_print(p->output, "<text x=\"%d\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", p->left,
		top + 28, last, top + 28, duration_text(p->result->run->time, ROUND_UP, text));
}

static void add_title(const struct picture *p)
{
	const struct frame *frame = p->result->frame;
	char bound[DURATION_TEXT];
	output_print(p->output, "<text x=\"%d\" y=\"22\" font-weight=\"bold\">", MARGIN);
	output_add_xml(p->output, frame->title != NULL ? frame->title : frame->id);
	output_print(p->output, "</text>\n<text x=\"%d\" y=\"%d\">bound %s; grey: nothing is drawn", MARGIN, HEAD + p->height + FOOT - 10,
		duration_text(p->result->bound->value, ROUND_UP, bound));
	output_print(p->output, "; circles: slow fragments at known places%s</text>\n", frame->hidden_count > 0 ? "; dashed: hidden" : "");
}

static int cell_size(int columns, int rows)
{
	int larger = columns > rows ? columns : rows, cell = PANEL / larger;
	return cell < 1 ? 1 : cell > 32 ? 32 : cell;
}

void raster_svg(struct output *output, const struct raster_result *result)
{
	const struct warps *warps = result->run->warps;
	struct picture p = {output, result, cell_size(warps->columns, warps->rows), warps->columns, warps->rows, 0, 0, MARGIN};
	p.width = p.cell * p.columns;
	p.height = p.cell * p.rows;
	int panel = p.width > 300 ? p.width : 300, width = 2 * panel + 3 * MARGIN, height = HEAD + p.height + FOOT;
	output_print(output,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
		"font-size=\"13\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
		width, height, width, height, width, height);
	add_title(&p);
	add_panel(&p, "Texture processor of each tile", class_by_processor, add_processor_colour);
	add_processor_legend(&p);
	p.left += panel + MARGIN;
	add_panel(&p, "When each tile is done, in this run", class_by_time, add_time_colour);
	add_time_legend(&p);
	output_add(output, "</svg>\n");
}
