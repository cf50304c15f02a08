/* The assurance case as a picture in the Goal Structuring Notation (Community Standard 3): goals are rectangles, strategies parallelograms,
 * solutions circles, contexts rounded, assumptions ellipses with an A; a solid arrow is "supported by", a hollow one "in context of", a
 * diamond below a goal says that it is not developed here. A trunk goes down at the left from the first strategy; what it supports hangs on
 * it. Texts that a shape has no room for are cut, and whole in its title. */
#include "render/assurance_case.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 1180 /* px */
#define MARGIN 20
#define LINE 15
#define LETTER 63 /* tenths of a px: about the width of one */
#define PAD 10
#define TRUNK 40 /* px from the left */
#define INDENT 80
#define GOAL_WIDTH 360
#define STRATEGY_LEFT 500
#define STRATEGY_WIDTH 300
#define SLANT 14
#define RADIUS 46
#define GAP 34
#define ASSUMPTION_WIDTH 560
#define TEXT_LINES 10
#define SOLUTION_LINES 4
#define DIAMOND 9

struct picture {
	struct output *output; /* of what is below the head */
	struct arena *arena;
	const struct assurance_case *graph;
	int top;
};

struct box {
	int left, top, width, height;
};

/* ---- text */

/* Bytes of the next line of at most `most` characters; words are kept whole where they fit. */
static size_t next_line(const char *text, int most)
{
	size_t end = 0, space = 0;
	int letters = 0;
	while (text[end] != '\0' && letters < most) {
		if (text[end] == ' ')
			space = end;
		end++;
		while (((unsigned char)text[end] & 0xc0) == 0x80)
			end++;
		letters++;
	}
	return text[end] == '\0' || text[end] == ' ' || space == 0 ? end : space;
}

static int letters_of(int width)
{
	return width * 10 / LETTER;
}

static int count_lines(const char *text, int width, int most)
{
	int lines = 0;
	while (*text != '\0' && lines < most) {
		text += next_line(text, letters_of(width));
		text += strspn(text, " ");
		lines++;
	}
	return lines;
}

/* Lines about a middle; returns how many. What does not fit ends in three dots. */
static int add_lines(struct picture *p, const char *text, int middle, int top, int width, int most)
{
	int lines = 0;
	while (*text != '\0' && lines < most) {
		size_t length = next_line(text, letters_of(width));
		const char *rest = text + length + strspn(text + length, " ");
		bool cut = *rest != '\0' && lines + 1 == most;
		output_print(p->output, "<text x=\"%d\" y=\"%d\">", middle, top + ++lines * LINE - 4);
		output_add_xml(p->output, arena_format(p->arena, "%.*s%s", (int)length, text, cut ? " ..." : ""));
		output_add(p->output, "</text>\n");
		text = rest;
	}
	return lines;
}

static void add_title(struct picture *p, const struct case_node *node)
{
	output_add(p->output, "<title>");
	output_add_xml(p->output, arena_format(p->arena, "%s: %s%s%s%s%s%s", node->id, node->text, node->hash != NULL ? "; SHA-256 " : "",
					  node->hash != NULL ? node->hash : "", node->who != NULL ? "; " : "",
					  node->who == NULL               ? ""
					  : node->kind == CASE_ASSUMPTION ? "discharged by "
									  : "to be shown by ",
					  node->who != NULL ? node->who : ""));
	output_add(p->output, "</title>\n");
}

static const char *words_of(struct picture *p, const struct case_node *node)
{
	size_t length = strlen(node->text);
	bool ends = length > 0 && strchr(".?!", node->text[length - 1]) != NULL;
	const char *words = arena_format(p->arena, "%s%s", node->text, ends ? "" : ".");
	if (node->who != NULL)
		words = arena_format(
			p->arena, "%s %s %s.", words, node->kind == CASE_ASSUMPTION ? "Discharged by" : "To be shown by", node->who);
	if (node->hash != NULL)
		words = arena_format(p->arena, "%s SHA-256: %.16s...", words, node->hash);
	if (node->unvouched)
		words = arena_format(
			p->arena, "%s %s", words, node->kind == CASE_ASSUMPTION ? "NOBODY VOUCHES FOR IT." : "On a condition.");
	return words;
}

/* ---- shapes */

static void begin_node(struct picture *p, const struct case_node *node)
{
	static const char *const classes[] = {"goal", "strategy", "solution", "context", "assumption"};
	output_print(p->output, "<g class=\"%s%s\" id=\"%s\">\n", classes[node->kind], node->unvouched ? " unvouched" : "", node->id);
	add_title(p, node);
}

static void add_head(struct picture *p, const struct case_node *node, int middle, int y)
{
	output_print(p->output, "<text class=\"id\" x=\"%d\" y=\"%d\">", middle, y);
	output_add_xml(p->output, node->kind == CASE_SOLUTION ? node->id : arena_format(p->arena, "%s: %s", node->id, node->name));
	output_add(p->output, "</text>\n");
}

/* A goal, strategy or context as high as its text; its box. */
static struct box add_box(struct picture *p, const struct case_node *node, int left, int top, int width)
{
	const char *words = words_of(p, node);
	int inner = width - 2 * PAD - (node->kind == CASE_STRATEGY ? 2 * SLANT : 0), middle = left + width / 2;
	struct box box = {left, top, width, (count_lines(words, inner, TEXT_LINES) + 1) * LINE + 2 * PAD};
	int bottom = top + box.height;
	begin_node(p, node);
	if (node->kind == CASE_STRATEGY)
		output_print(p->output, "<path d=\"M%d %dH%dL%d %dH%dZ\"/>\n", left + SLANT, top, left + width, left + width - SLANT,
			bottom, left);
	else
		output_print(p->output, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"%s/>\n", left, top, width, box.height,
			node->kind == CASE_CONTEXT ? " rx=\"16\"" : "");
	if (node->undeveloped)
		output_print(p->output, "<path class=\"diamond\" d=\"M%d %dl%d %dl%d %dl%d %dZ\"/>\n", middle, bottom, DIAMOND, DIAMOND,
			-DIAMOND, DIAMOND, -DIAMOND, -DIAMOND);
	add_head(p, node, middle, top + PAD + LINE - 4);
	add_lines(p, words, middle, top + PAD + LINE, inner, TEXT_LINES);
	output_add(p->output, "</g>\n");
	return box;
}

static void add_solution(struct picture *p, const struct case_node *node, int x, int y)
{
	begin_node(p, node);
	output_print(p->output, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", x, y, RADIUS);
	add_head(p, node, x, y - RADIUS + 18);
	int lines = add_lines(p, node->name, x, y - RADIUS + 20, RADIUS * 2 - 24, SOLUTION_LINES - 1);
	if (node->hash != NULL)
		add_lines(p, arena_format(p->arena, "%.8s", node->hash), x, y - RADIUS + 20 + lines * LINE, RADIUS * 2, 1);
	output_add(p->output, "</g>\n");
}

static int assumption_height(struct picture *p, const struct case_node *node)
{
	return (count_lines(words_of(p, node), ASSUMPTION_WIDTH - 150, TEXT_LINES) + 1) * LINE + 3 * PAD;
}

static void add_assumption(struct picture *p, const struct case_node *node, int left, int top)
{
	int height = assumption_height(p, node), middle = left + ASSUMPTION_WIDTH / 2;
	begin_node(p, node);
	output_print(p->output, "<ellipse cx=\"%d\" cy=\"%d\" rx=\"%d\" ry=\"%d\"/>\n", middle, top + height / 2, ASSUMPTION_WIDTH / 2,
		height / 2);
	add_head(p, node, middle, top + PAD + LINE);
	add_lines(p, words_of(p, node), middle, top + PAD + LINE + 4, ASSUMPTION_WIDTH - 150, TEXT_LINES);
	output_print(p->output, "<text class=\"mark\" x=\"%d\" y=\"%d\">A</text>\n", left + ASSUMPTION_WIDTH - 34, top + height - 2);
	output_add(p->output, "</g>\n");
}

/* ---- arrows */

static void add_arrow(struct picture *p, int x1, int y1, int x2, int y2, bool in_context)
{
	output_print(p->output, "<path class=\"%s\" d=\"M%d %dL%d %d\"/>\n", in_context ? "context-of" : "supported-by", x1, y1, x2, y2);
}

/* ---- rows */

/* The next node that `from` has of this kind, behind the edge *at; -1: none more. */
static int next_of(const struct picture *p, int from, enum case_kind kind, int *at)
{
	for (; *at < p->graph->edge_count; (*at)++) {
		const struct case_edge *edge = &p->graph->edges[*at];
		if (edge->from == from && p->graph->nodes[edge->to].kind == kind) {
			(*at)++;
			return edge->to;
		}
	}
	return -1;
}

static int first_of(const struct picture *p, int from, enum case_kind kind)
{
	int at = 0;
	return next_of(p, from, kind, &at);
}

/* What a strategy assumes, by the ids of what is drawn below. */
static void add_assumed(struct picture *p, int strategy, const struct box *box)
{
	const char *list = "";
	int at = 0, node;
	while ((node = next_of(p, strategy, CASE_ASSUMPTION, &at)) >= 0)
		list = arena_format(p->arena, "%s%s%s", list, *list != '\0' ? " " : "", p->graph->nodes[node].name);
	if (*list == '\0')
		return;
	int left = STRATEGY_LEFT + STRATEGY_WIDTH + 50, width = WIDTH - MARGIN - left, middle = left + width / 2;
	int height = (count_lines(list, width - 90, TEXT_LINES) + 1) * LINE + 2 * PAD, y = box->top + box->height / 2;
	add_arrow(p, box->left + box->width - SLANT / 2, y, left, y, true);
	output_add(p->output, "<g class=\"assumption\">\n<title>");
	output_add_xml(p->output, list);
	output_print(p->output,
		"</title>\n<ellipse cx=\"%d\" cy=\"%d\" rx=\"%d\" ry=\"%d\"/>\n<text class=\"id\" x=\"%d\" y=\"%d\">below:</text>\n",
		middle, y, width / 2, height / 2, middle, y - height / 2 + PAD + 8);
	add_lines(p, list, middle, y - height / 2 + PAD + 10, width - 90, TEXT_LINES);
	output_add(p->output, "</g>\n");
}

static int greater(int a, int b)
{
	return a > b ? a : b;
}

/* Circles beside each other from `left` on, each supported by an arrow from the line above them; the bottom. */
static int add_solutions(struct picture *p, int from, int left, int top)
{
	int at = 0, node, x = left + RADIUS, y = top + RADIUS + 18;
	int last = x;
	while ((node = next_of(p, from, CASE_SOLUTION, &at)) >= 0) {
		if (x + RADIUS > WIDTH - MARGIN) {
			output_print(p->output, "<path class=\"line\" d=\"M%d %dH%d\"/>\n", left, y - RADIUS - 18, last);
			x = left + RADIUS;
			y += 2 * RADIUS + 36;
			output_print(p->output, "<path class=\"line\" d=\"M%d %dV%d\"/>\n", left, y - 3 * RADIUS - 54, y - RADIUS - 18);
		}
		add_arrow(p, x, y - RADIUS - 18, x, y - RADIUS, false);
		add_solution(p, &p->graph->nodes[node], x, y);
		last = x;
		x += 2 * RADIUS + 12;
	}
	output_print(p->output, "<path class=\"line\" d=\"M%d %dH%d\"/>\n", left, y - RADIUS - 18, last);
	return y + RADIUS;
}

/* A goal that hangs on the trunk, with what supports it; where its arrow begins. */
static int add_row(struct picture *p, int goal)
{
	int strategy = first_of(p, goal, CASE_STRATEGY), top = p->top;
	struct box box = add_box(p, &p->graph->nodes[goal], INDENT, top, GOAL_WIDTH);
	int middle = top + box.height / 2, bottom = top + box.height + (p->graph->nodes[goal].undeveloped ? 2 * DIAMOND : 0);
	add_arrow(p, TRUNK, middle, INDENT, middle, false);
	if (strategy >= 0) {
		struct box by = add_box(p, &p->graph->nodes[strategy], STRATEGY_LEFT, top, STRATEGY_WIDTH);
		add_arrow(p, INDENT + GOAL_WIDTH, middle, STRATEGY_LEFT + SLANT / 2, middle, false);
		add_assumed(p, strategy, &by);
		int below = top + by.height, x = STRATEGY_LEFT + STRATEGY_WIDTH / 2;
		add_arrow(p, x, below, x, below + 18, false);
		add_solution(p, &p->graph->nodes[first_of(p, strategy, CASE_SOLUTION)], x, below + 18 + RADIUS);
		bottom = greater(bottom, below + 18 + 2 * RADIUS);
	} else if (first_of(p, goal, CASE_SOLUTION) >= 0) {
		output_print(p->output, "<path class=\"line\" d=\"M%d %dH%dV%d\"/>\n", INDENT + GOAL_WIDTH, middle, STRATEGY_LEFT, middle);
		bottom = greater(bottom, add_solutions(p, goal, STRATEGY_LEFT, middle));
	}
	p->top = bottom + GAP;
	return middle;
}

static void add_rows(struct picture *p, int strategy, int from)
{
	int at = 0, node, last = from;
	while ((node = next_of(p, strategy, CASE_GOAL, &at)) >= 0)
		last = add_row(p, node);
	output_print(p->output, "<path class=\"line\" d=\"M%d %dV%d\"/>\n", TRUNK, from, last);
}

static void add_root(struct picture *p)
{
	int at = 0, node, left = (WIDTH - GOAL_WIDTH) / 2, bottom;
	struct box goal = add_box(p, &p->graph->nodes[0], left, p->top, GOAL_WIDTH);
	int side = left + GOAL_WIDTH + 50, y = p->top + goal.height / 2, top = p->top;
	bottom = p->top + goal.height;
	while ((node = next_of(p, 0, CASE_CONTEXT, &at)) >= 0) {
		struct box box = add_box(p, &p->graph->nodes[node], side, top, WIDTH - MARGIN - side);
		add_arrow(p, left + GOAL_WIDTH, y, side, greater(y, top + 20), true);
		top += box.height + 10;
		bottom = greater(bottom, top);
	}
	int strategy = first_of(p, 0, CASE_STRATEGY);
	p->top = bottom + GAP;
	add_arrow(p, WIDTH / 2, goal.top + goal.height + (p->graph->nodes[0].undeveloped ? 2 * DIAMOND : 0), WIDTH / 2, p->top, false);
	struct box by = add_box(p, &p->graph->nodes[strategy], left, p->top, GOAL_WIDTH);
	int middle = p->top + by.height / 2;
	output_print(p->output, "<path class=\"line\" d=\"M%d %dH%d\"/>\n", left + SLANT / 2, middle, TRUNK);
	p->top += by.height + GAP;
	add_rows(p, strategy, middle);
}

static void add_assumptions(struct picture *p)
{
	int column = 0, row = 0;
	output_print(p->output, "<text class=\"section\" x=\"%d\" y=\"%d\">Assumptions</text>\n", MARGIN, p->top + LINE);
	p->top += 2 * LINE;
	for (int i = 0; i < p->graph->node_count; i++) {
		if (p->graph->nodes[i].kind != CASE_ASSUMPTION)
			continue;
		add_assumption(p, &p->graph->nodes[i], MARGIN + column * (WIDTH - 2 * MARGIN - ASSUMPTION_WIDTH), p->top);
		row = greater(row, assumption_height(p, &p->graph->nodes[i]));
		column = 1 - column;
		if (column == 0) {
			p->top += row + 10;
			row = 0;
		}
	}
	p->top += row + 10;
}

static const char style[] =
	"text{font:11.5px "
	"sans-serif;fill:#1c2126;text-anchor:middle}.id{font-weight:bold}.section{font-weight:bold;font-size:14px;text-anchor:start}"
	".mark{font-weight:bold;font-size:13px}.goal rect{fill:#e8f0fa}.strategy path{fill:#eaf5ea}.solution circle{fill:#fdf3dc}"
	".context rect{fill:#f3f5f7}.assumption ellipse{fill:#faf0f6}"
	"rect,circle,ellipse,.strategy path,.diamond{stroke:#3c464f;stroke-width:1}.goal .diamond{fill:#fff}"
	".unvouched rect,.unvouched ellipse,.unvouched path{stroke-dasharray:5 3;stroke-width:2}"
	".line,.supported-by,.context-of{fill:none;stroke:#3c464f;stroke-width:1.2}.supported-by{marker-end:url(#solid)}"
	".context-of{marker-end:url(#hollow)}";

bool render_gsn(const struct render *render, struct output *output)
{
	const struct assurance_case graph = assurance_case_of(render);
	struct output body = {0};
	struct picture p = {&body, render->arena, &graph, MARGIN};
	add_root(&p);
	add_assumptions(&p);
	output_print(output,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n"
		"<title>",
		WIDTH, p.top + MARGIN, WIDTH, p.top + MARGIN);
	output_add_xml(output, arena_format(render->arena, "Assurance case of %s, of the report with the SHA-256 %s",
				       element_get(render->report->root, "taskset"), render->report->hash));
	output_print(output,
		"</title>\n<style>%s</style>\n<defs>\n"
		"<marker id=\"solid\" markerWidth=\"10\" markerHeight=\"8\" refX=\"9\" refY=\"4\" orient=\"auto\"><path d=\"M0 0L9 4L0 "
		"8Z\" fill=\"#3c464f\"/></marker>\n"
		"<marker id=\"hollow\" markerWidth=\"10\" markerHeight=\"8\" refX=\"9\" refY=\"4\" orient=\"auto\"><path d=\"M0 0L9 4L0 "
		"8Z\" fill=\"#fff\" stroke=\"#3c464f\"/></marker>\n"
		"</defs>\n<rect width=\"%d\" height=\"%d\" style=\"fill:#fff;stroke:none\"/>\n",
		style, WIDTH, p.top + MARGIN);
	output_add_bytes(output, body.text, body.length);
	output_add(output, "</svg>\n");
	output_finish(&body);
	return true;
}
