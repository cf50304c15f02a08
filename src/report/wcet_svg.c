/* The graph as a picture: the blocks in their order from top to bottom, ways forward on the right, ways back on the left; what lies on the
 * worst path is bold, with its count. */
#include "report/report_wcet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BOX_WIDTH 300
#define BOX_HEIGHT 40
#define PITCH 72 /* from one box to the next */
#define LANE 18  /* from one way beside the boxes to the next */
#define MARGIN 24
#define HEAD 64
#define ROW 18   /* of a line of text below the graph */
#define SHORT 34 /* characters of a name */

struct way {
	int edge, top, bottom; /* blocks, in their order */
	bool back;
	int lane;
};

struct picture {
	struct output *output;
	const struct wcet_report *report;
	struct way *ways;
	int way_count;
	int lanes[2]; /* forward, back */
	int left;     /* of the boxes */
};

static const struct program_edge *edge_of(const struct picture *p, int edge)
{
	return &p->report->program->edges[edge];
}

static int64_t count_of(const int64_t *counts, int number)
{
	return counts == NULL ? 0 : counts[number];
}

/* ---- lanes: ways of one side that overlap stand side by side, short ones nearer to the boxes where they begin together */

static int compare(const void *a, const void *b)
{
	const struct way *one = a, *two = b;
	if (one->top != two->top)
		return one->top < two->top ? -1 : 1;
	if (one->bottom != two->bottom)
		return one->bottom < two->bottom ? -1 : 1;
	return one->edge < two->edge ? -1 : 1;
}

static void find_ways(struct picture *p, struct arena *arena)
{
	const struct program *program = p->report->program;
	p->ways = arena_allocate(arena, (size_t)program->edge_count, sizeof *p->ways);
	for (int i = 0; i < program->edge_count; i++) {
		int from = program->edges[i].from, to = program->edges[i].to;
		if (to == from + 1)
			continue;
		bool back = to <= from;
		p->ways[p->way_count++] = (struct way){i, back ? to : from, back ? from : to, back, 0};
	}
	if (p->way_count > 0)
		qsort(p->ways, (size_t)p->way_count, sizeof *p->ways, compare);
}

static void place_ways(struct picture *p, struct arena *arena)
{
	int *ends[2];
	for (int side = 0; side < 2; side++)
		ends[side] = arena_allocate(arena, (size_t)p->way_count, sizeof **ends);
	for (int i = 0; i < p->way_count; i++) {
		struct way *way = &p->ways[i];
		int *end = ends[way->back], *count = &p->lanes[way->back];
		while (way->lane < *count && end[way->lane] > way->top)
			way->lane++;
		*count += way->lane == *count;
		end[way->lane] = way->bottom;
	}
	p->left = MARGIN + LANE * (p->lanes[1] + 3);
}

/* ---- drawing */

static void add_escaped(struct output *output, const char *text, int most)
{
	for (int i = 0; text[i] != '\0'; i++) {
		if (i >= most && ((unsigned char)text[i] & 0xc0) != 0x80) {
			output_add(output, "…");
			return;
		}
		if (text[i] == '<' || text[i] == '&')
			output_add(output, text[i] == '<' ? "&lt;" : "&amp;");
		else
			output_add_bytes(output, text + i, 1);
	}
}

static int top_of(int block)
{
	return HEAD + block * PITCH;
}

/* The lines of the source from which the block comes: sum.cu:5, 6. */
static void add_places(const struct picture *p, int number)
{
	const struct program_block *block = &p->report->program->blocks[number];
	struct output places = {0};
	for (int i = 0; i < block->part_count; i++) {
		bool same = i > 0 && strcmp(block->parts[i - 1].place.file, block->parts[i].place.file) == 0;
		output_print(&places, "%s%s%s%ld", i > 0 ? ", " : "", same ? "" : wcet_file_name(block->parts[i].place.file),
			same ? "" : ":", block->parts[i].place.line);
	}
	if (block->part_count > 0) {
		output_print(p->output, "<text x=\"%d\" y=\"%d\" class=\"small\" text-anchor=\"end\">", p->left + BOX_WIDTH - 8,
			top_of(number) + 16);
		add_escaped(p->output, places.text, SHORT - 10);
		output_add(p->output, "</text>\n");
	}
	output_finish(&places);
}

static void add_box(const struct picture *p, int number)
{
	const struct program_block *block = &p->report->program->blocks[number];
	int64_t count = count_of(p->report->wcet->chain.program.block_counts, number);
	int64_t cycles = instruction_costs_latency(&p->report->wcet->costs, block);
	output_print(p->output, "<g%s><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", count > 0 ? " class=\"worst\"" : "", p->left,
		top_of(number), BOX_WIDTH, BOX_HEIGHT);
	output_print(p->output, "<text x=\"%d\" y=\"%d\">", p->left + 8, top_of(number) + 16);
	add_escaped(p->output, block->id, SHORT);
	output_print(p->output, "</text><text x=\"%d\" y=\"%d\" class=\"small\">", p->left + 8, top_of(number) + 33);
	if (count > 0)
		output_print(p->output, "%" PRId64 " × ", count);
	output_print(p->output, "%" PRId64 " cycles%s</text></g>\n", cycles, block->leaves ? ", may end" : "");
	add_places(p, number);
}

/* Below the graph: what each line of the source costs on the worst path. */
static void add_lines(const struct picture *p, const struct wcet_line *lines, int count, int top)
{
	for (int i = 0; i < count; i++) {
		output_print(p->output, "<text x=\"%d\" y=\"%d\" class=\"small\">", p->left, top + ROW * (i + 1));
		struct output name = {0};
		output_print(&name, "%s:%ld", wcet_file_name(lines[i].place.file), lines[i].place.line);
		add_escaped(p->output, name.text, SHORT);
		output_finish(&name);
		output_print(p->output, ": %" PRId64 " instructions, %" PRId64 " cycles</text>\n", lines[i].instructions, lines[i].cycles);
	}
}

static void begin_edge(const struct picture *p, int edge)
{
	bool worst = count_of(p->report->wcet->chain.program.edge_counts, edge) > 0;
	output_print(p->output, "<path%s marker-end=\"url(#%s)\" d=\"", worst ? " class=\"worst\"" : "", worst ? "bold" : "thin");
}

static void add_count(const struct picture *p, int edge, int x, int y, bool before)
{
	int64_t count = count_of(p->report->wcet->chain.program.edge_counts, edge);
	if (count > 0)
		output_print(p->output, "<text x=\"%d\" y=\"%d\" class=\"small\"%s>%" PRId64 "</text>\n", x, y,
			before ? " text-anchor=\"end\"" : "", count);
}

static void add_straight(const struct picture *p, int edge)
{
	int from = edge_of(p, edge)->from, x = p->left + BOX_WIDTH / 2;
	begin_edge(p, edge);
	output_print(p->output, "M%d %dV%d\"/>\n", x, top_of(from) + BOX_HEIGHT, top_of(from + 1) - 1);
	add_count(p, edge, x + 6, top_of(from) + BOX_HEIGHT + 20, false);
}

static void add_way(const struct picture *p, const struct way *way)
{
	const struct program_edge *edge = edge_of(p, way->edge);
	int side = way->back ? p->left : p->left + BOX_WIDTH, sign = way->back ? -1 : 1;
	int x = side + sign * LANE * (way->lane + 1), from = top_of(edge->from) + BOX_HEIGHT - 10, to = top_of(edge->to) + 10;
	begin_edge(p, way->edge);
	output_print(p->output, "M%d %dH%dV%dH%d\"/>\n", side, from, x, to, side + sign);
	add_count(p, way->edge, x + sign * 4, (from + to) / 2 + 4, way->back);
}

static void add_head(const struct picture *p, int width, int height)
{
	output_print(p->output,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		"<style>text{font:14px sans-serif;fill:#111}.small{font-size:12px}rect{fill:#fff;stroke:#555}"
		"path{fill:none;stroke:#777}.worst rect{fill:#fff3d6;stroke:#000;stroke-width:3}path.worst{stroke:#b34700;stroke-width:3}"
		".worst text{font-weight:bold}</style>\n"
		"<defs><marker id=\"thin\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">"
		"<path d=\"M0 0L8 4L0 8z\" style=\"fill:#777;stroke:none\"/></marker>"
		"<marker id=\"bold\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"12\" markerHeight=\"12\" "
		"markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
		"style=\"fill:#b34700;stroke:none\"/></marker></defs>\n"
		"<rect width=\"100%%\" height=\"100%%\" style=\"stroke:none\"/>\n<text x=\"%d\" y=\"26\">",
		width, height, width, height, MARGIN);
	add_escaped(p->output, p->report->program->id, SHORT);
	output_print(p->output, ": the chain, %" PRId64 " cycles</text>\n<text x=\"%d\" y=\"46\" class=\"small\">%s</text>\n",
		p->report->wcet->chain.cycles, MARGIN,
		p->report->wcet->chain.program.block_counts == NULL ? "no whole counts reach the bound: no worst path to show"
								    : "bold: the worst path of one warp, with counts");
}

void wcet_svg(struct output *output, const struct wcet_report *report)
{
	struct arena *arena = arena_create();
	const struct program *program = report->program;
	struct picture picture = {.output = output, .report = report};
	find_ways(&picture, arena);
	place_ways(&picture, arena);
	int width = picture.left + BOX_WIDTH + LANE * (picture.lanes[0] + 3) + MARGIN;
	int line_count, bottom = top_of(program->block_count);
	const struct wcet_line *lines = wcet_lines(report, &line_count);
	add_head(&picture, width, bottom + (line_count > 0 ? ROW * (line_count + 1) : 0));
	for (int i = 0; i < program->edge_count; i++)
		if (edge_of(&picture, i)->to == edge_of(&picture, i)->from + 1)
			add_straight(&picture, i);
	for (int i = 0; i < picture.way_count; i++)
		add_way(&picture, &picture.ways[i]);
	for (int i = 0; i < program->block_count; i++)
		add_box(&picture, i);
	add_lines(&picture, lines, line_count, bottom);
	output_add(output, "</svg>\n");
	arena_destroy(arena);
}
