/* A plan as a picture: time to the right, SMs downwards by GPC, a bar a block, a colour a task. */
#include "simulate/launch_plan.h"

#include "base/palette.h"

#include <limits.h>

#define LEFT 110
#define TOP 74
#define WIDTH 1000
#define LANES_MOST 64

struct picture {
	struct arena *arena;
	const struct launch_plan *plan;
	struct output *output;
	int *row_of;  /* [sm] */
	int *sm_of;   /* [row] */
	int *lane_of; /* [block] */
	int *lanes;   /* [sm] */
	int row_height, gap;
	int count;   /* of blocks drawn */
	int64_t end; /* of the last of them */
};

/* All rules are below one class, so that the picture can stand inside of a page. */
static const char style[] =
	".placement text{font:12px sans-serif;fill:#222}.placement .title{font-size:16px}.placement .s{text-anchor:end;font-size:11px}"
	".placement .g{font-weight:bold;font-size:11px}.placement .s.small{font-size:7px}.placement .g.small{font-size:8px}"
	".placement .t{text-anchor:middle;fill:#555}.placement .b{font-size:10px;fill:#111}"
	".placement .paper{fill:#fff}.placement .r{fill:#f1f1f1}.placement line{stroke:#999;stroke-width:.6}" PALETTE_STYLE(
		".placement ") "@media screen and (prefers-color-scheme:dark){.placement text{fill:#e3e7eb}.placement .b{fill:#111}"
			       ".placement .t{fill:#a3adb7}.placement .paper{fill:#15181c}.placement .r{fill:#262c32}}";

/* Of the operation's task. */
static int colour_of(const struct picture *p, int operation)
{
	int task = 0;
	while (operation >= p->plan->set->tasks[task].first_operation + p->plan->set->tasks[task].operation_count)
		task++;
	return task % PALETTE_COLOURS;
}

static int gpc_of(const struct launch_plan *plan, int sm)
{
	return plan->platform->sms != NULL && plan->platform->map_source != NULL ? plan->platform->sms[sm].gpc : NO_ID;
}

/* ---- rows: SMs by GPC, those of none last */

static void order_rows(struct picture *p)
{
	int count = p->plan->limits.sm_count, row = 0;
	for (int gpc = 0; gpc <= count; gpc++)
		for (int sm = 0; sm < count; sm++) {
			int of = gpc_of(p->plan, sm);
			if ((of == NO_ID || of > count ? count : of) != gpc)
				continue;
			p->row_of[sm] = row;
			p->sm_of[row++] = sm;
		}
}

/* The lowest lane of its SM that is free when a block begins; a lane is busy until `until`. */
static void assign_lanes(struct picture *p)
{
	int64_t(*until)[LANES_MOST] = arena_allocate(p->arena, (size_t)p->plan->limits.sm_count, sizeof *until);
	for (int i = 0; i < p->count; i++) {
		const struct planned_block *block = &p->plan->blocks[i];
		int lane = 0;
		while (lane < LANES_MOST - 1 && until[block->sm][lane] > block->begin)
			lane++;
		until[block->sm][lane] = block->end;
		p->lane_of[i] = lane;
		if (lane + 1 > p->lanes[block->sm])
			p->lanes[block->sm] = lane + 1;
	}
}

/* ---- drawing; tenths of a pixel, so that nothing is rounded twice */

static int64_t across(const struct picture *p, int64_t time)
{
	return p->end == 0 ? 0 : checked_mul_div_floor(time, WIDTH * 10, p->end);
}

static void length(struct output *output, const char *name, int64_t tenths)
{
	output_print(output, " %s=\"%lld.%lld\"", name, (long long)(tenths / 10), (long long)(tenths % 10));
}

static int64_t row_top(const struct picture *p, int row)
{
	return (int64_t)10 * (TOP + row * (p->row_height + p->gap));
}

static void draw_block(const struct picture *p, int index)
{
	const struct planned_block *block = &p->plan->blocks[index];
	const struct operation *operation = &p->plan->set->operations[block->operation];
	int64_t x = across(p, block->begin), width = across(p, block->end) - x, lanes = p->lanes[block->sm];
	int64_t height = 10 * p->row_height / lanes, y = row_top(p, p->row_of[block->sm]) + height * p->lane_of[index];
	output_add(p->output, "<rect");
	length(p->output, "x", LEFT * 10 + x);
	length(p->output, "y", y);
	length(p->output, "width", width > 8 ? width - 4 : width);
	length(p->output, "height", height > 12 ? height - 4 : height);
	output_print(p->output, " class=\"c%d\"><title>%s block %lld on SM %d: %s</title></rect>\n", colour_of(p, block->operation),
		operation->id, (long long)block->block, block->sm, decision_names[block->decision]);
	if (height < 110 || width < 300)
		return;
	output_add(p->output, "<text class=\"b\"");
	length(p->output, "x", LEFT * 10 + x + 40);
	length(p->output, "y", y + height / 2 + 30);
	output_print(p->output, ">%s.%lld</text>\n", operation->id, (long long)block->block);
}

static void draw_rows(const struct picture *p)
{
	const char *small = p->row_height < 11 ? " small" : "";
	for (int row = 0; row < p->plan->limits.sm_count; row++) {
		int sm = p->sm_of[row], gpc = gpc_of(p->plan, sm);
		int64_t y = row_top(p, row);
		output_add(p->output, "<rect class=\"r\"");
		length(p->output, "x", LEFT * 10);
		length(p->output, "y", y);
		length(p->output, "width", WIDTH * 10);
		length(p->output, "height", p->row_height * 10);
		output_print(p->output, "/>\n<text class=\"s%s\"", small);
		length(p->output, "x", (LEFT - 8) * 10);
		length(p->output, "y", y + 5 * p->row_height + 30);
		output_print(p->output, ">SM %d</text>\n", sm);
		if (gpc == NO_ID || (row > 0 && gpc_of(p->plan, p->sm_of[row - 1]) == gpc))
			continue;
		output_print(p->output, "<text class=\"g%s\"", small);
		length(p->output, "x", 40);
		length(p->output, "y", y + 5 * p->row_height + 30);
		output_print(p->output, ">GPC %d</text>\n<line", gpc);
		length(p->output, "x1", 40);
		length(p->output, "x2", (LEFT + WIDTH) * 10);
		length(p->output, "y1", y - 5 * p->gap);
		length(p->output, "y2", y - 5 * p->gap);
		output_add(p->output, "/>\n");
	}
}

static void draw_legend(const struct picture *p)
{
	int x = LEFT;
	for (int t = 0; t < p->plan->set->task_count; t++) {
		output_print(p->output, "<rect x=\"%d\" y=\"40\" width=\"14\" height=\"14\" class=\"c%d\"/><text x=\"%d\" y=\"52\">", x,
			t % PALETTE_COLOURS, x + 19);
		output_add_xml(p->output, p->plan->set->tasks[t].id);
		output_add(p->output, "</text>\n");
		x += 150;
		if (x > LEFT + WIDTH - 140)
			break;
	}
}

static void draw_axis(const struct picture *p, int bottom)
{
	for (int i = 0; i <= 4; i++) {
		int64_t time = p->end / 4 * i;
		output_print(p->output, "<text class=\"t\" x=\"%d\" y=\"%d\">%lld.%03lld us</text>\n", LEFT + WIDTH / 4 * i, bottom + 16,
			(long long)(time / 1000), (long long)(time % 1000));
	}
}

static void draw(const struct picture *p)
{
	int rows = p->plan->limits.sm_count, bottom = TOP + rows * (p->row_height + p->gap);
	output_print(p->output,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"placement\" role=\"img\" viewBox=\"0 0 %d %d\">\n<title>Where the "
		"blocks go</title>\n"
		"<desc>A row an SM, a bar a block, by time. As a table: gpubound map.</desc>\n<style>%s</style>\n"
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"title\" x=\"%d\" y=\"24\">",
		LEFT + WIDTH + 60, bottom + 30, style, LEFT);
	output_add_xml(p->output, p->plan->set->id);
	output_add(p->output, " on ");
	output_add_xml(p->output, p->plan->platform->name);
	output_add(p->output, ": where the blocks go");
	if (p->count < p->plan->block_count)
		output_print(p->output, ", the first %d of %d", p->count, p->plan->block_count);
	output_add(p->output, "</text>\n");
	draw_legend(p);
	draw_rows(p);
	for (int i = 0; i < p->count; i++)
		draw_block(p, i);
	draw_axis(p, bottom);
	output_add(p->output, "</svg>\n");
}

void launch_plan_write_svg(const struct launch_plan *plan, struct output *output)
{
	launch_plan_draw(plan, INT_MAX, output);
}

void launch_plan_draw(const struct launch_plan *plan, int most, struct output *output)
{
	struct arena *arena = arena_create();
	size_t sms = (size_t)plan->limits.sm_count;
	struct picture picture = {.arena = arena, .plan = plan, .output = output};
	picture.row_height = plan->limits.sm_count <= 24 ? 34 : 9;
	picture.gap = plan->limits.sm_count <= 24 ? 6 : 2;
	picture.row_of = arena_allocate(arena, sms, sizeof *picture.row_of);
	picture.sm_of = arena_allocate(arena, sms, sizeof *picture.sm_of);
	picture.lanes = arena_allocate(arena, sms, sizeof *picture.lanes);
	picture.lane_of = arena_allocate(arena, (size_t)plan->block_count + 1, sizeof *picture.lane_of);
	picture.count = plan->block_count < most ? plan->block_count : most;
	for (int i = 0; i < picture.count; i++)
		picture.end = checked_max(picture.end, plan->blocks[i].end);
	order_rows(&picture);
	assign_lanes(&picture);
	draw(&picture);
	arena_destroy(arena);
}
