/* What was measured, as pictures in SVG: whole pixels, so that the bytes do not depend on the machine. */
#include "calibrate/calibrate_parts.h"
#include "base/palette.h"
#include "calibrate/pictures.h"
#include "simulate/delays.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 640
#define LEFT 200 /* of bars' labels */

static void open_svg(struct output *o, int height, const char *title)
{
	output_print(o, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>", WIDTH, height, WIDTH, height);
	output_add_xml(o, title);
	output_add(o, "</title>\n");
}

static void text(struct output *o, int x, int y, const char *anchor, const char *words)
{
	output_print(o, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
	output_add_xml(o, words);
	output_add(o, "</text>\n");
}

static int bits(int64_t count)
{
	int n = 0;
	for (; count > 0; count >>= 1)
		n++;
	return n;
}

/* ---- how a greatest grew: samples from left to right, each twice as many as at half the way before */

#define STEPS_WIDTH 120
#define STEPS_HEIGHT 24

void picture_growth(struct output *o, const struct growth *growth)
{
	int most = bits(growth->count);
	if (growth->recording == NULL || growth->value <= 0)
		return;
	output_print(o, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"><path class=\"line\" d=\"M0 %d", STEPS_WIDTH, STEPS_HEIGHT,
		STEPS_WIDTH, STEPS_HEIGHT, STEPS_HEIGHT);
	for (int i = 0; i < growth->raise_count; i++) {
		int x = (bits(growth->raises[i].at) - 1) * STEPS_WIDTH / (most > 1 ? most : 1);
		output_print(o, "H%dV%d", x,
			STEPS_HEIGHT - 1 -
				(int)checked_mul_div_ceil(checked_max(0, growth->raises[i].value), STEPS_HEIGHT - 2, growth->value));
	}
	output_print(o, "H%d\"/></svg>", STEPS_WIDTH);
}

/* ---- the order of SMs, coloured by GPC */

#define CELL 18
#define CELLS (WIDTH / CELL)

void picture_order(struct output *o, const struct platform *platform)
{
	int sms = (int)platform_value(platform, PARAMETER_SM_COUNT);
	if (platform->order == NULL || platform->sms == NULL)
		return;
	open_svg(o, (sms + CELLS - 1) / CELLS * CELL, "The order of choice among equal SMs, coloured by GPC");
	for (int i = 0; i < sms; i++) {
		int sm = platform->order[i], x = i % CELLS * CELL, y = i / CELLS * CELL;
		output_print(o, "<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>SM %d, GPC %d</title></rect>",
			platform->sms[sm].gpc % PALETTE_COLOURS, x, y, CELL - 1, CELL - 1, sm, platform->sms[sm].gpc);
		output_print(o, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"small\">%d</text>\n", x + CELL / 2, y + 12, sm);
	}
	output_add(o, "</svg>\n");
}

/* ---- start delays: each bar twice as high for each doubling of blocks */

#define BAR_STEPS 8 /* of DELAY_STEP a bar */
#define BARS (DELAY_BUCKETS / BAR_STEPS)
#define UNIT 6 /* px a doubling */

void picture_delays(struct output *o, const struct delays *delays)
{
	open_svg(o, 32 * UNIT, "Start delays of blocks");
	for (int bar = 0; bar <= BARS; bar++) {
		int64_t count = 0;
		for (int w = 0; w <= DELAY_WARPS; w++)
			for (int i = bar * BAR_STEPS; i < (bar + 1) * BAR_STEPS && i <= DELAY_BUCKETS; i++)
				count += delays->count[w][i];
		int height = bits(count) * UNIT;
		output_print(o,
			"<rect class=\"c3\" x=\"%d\" y=\"%d\" width=\"8\" height=\"%d\"><title>from %d ns: %" PRId64
			" blocks</title></rect>\n",
			bar * 9, 30 * UNIT - height, height, bar * BAR_STEPS * DELAY_STEP, count);
	}
	text(o, 0, 32 * UNIT - 2, "start", "0 us");
	text(o, BARS * 9, 32 * UNIT - 2, "end", "16 us and more");
	output_add(o, "</svg>\n");
}

/* ---- factors of interference */

static const char *sized(struct arena *arena, int64_t bytes)
{
	bool whole = bytes >= 1 << 20 && bytes % (1 << 20) == 0;
	return arena_format(arena, "%" PRId64 " %s", bytes / (whole ? 1 << 20 : 1 << 10), whole ? "MiB" : "KiB");
}

static int64_t hundredths_of(const struct interference_entry *e)
{
	return rational_ceil(rational_mul(e->factor, rational_of(100)));
}

void picture_factors(struct output *o, struct arena *arena, const struct platform *platform)
{
	int row = 16;
	int64_t greatest = 100;
	for (int i = 0; i < platform->interference_count; i++)
		greatest = checked_max(greatest, hundredths_of(&platform->interference[i]));
	open_svg(o, row * platform->interference_count + 4, "Interference by victim, footprint and source");
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *e = &platform->interference[i];
		int64_t hundredths = hundredths_of(e), width = checked_mul_div_ceil(hundredths, WIDTH - LEFT - 50, greatest);
		text(o, LEFT - 6, row * i + 12, "end",
			arena_format(arena, "%s %s, %s %" PRId64, e->is_copy ? "copy between" : access_names[e->victim],
				sized(arena, e->footprint), interferer_names[e->source], e->count == NONE ? 0 : e->count));
		output_print(o, "<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"%" PRId64 "\" height=\"%d\"/>",
			(int)e->source % PALETTE_COLOURS, LEFT, row * i + 2, width, row - 4);
		text(o, LEFT + (int)width + 4, row * i + 12, "start",
			arena_format(arena, "%" PRId64 ".%02" PRId64, hundredths / 100, hundredths % 100));
	}
	output_add(o, "</svg>\n");
}

/* ---- slices: of each process the first ones, from left to right as recorded */

#define SLICES_MOST 240 /* of all processes */
#define SLICES_LEFT 150 /* of the bars' labels */
#define HALF 58         /* px: the longest */

struct shown {
	int64_t ran, gap;
	int process, x;
};

/* So many of them, in order of processes. */
static int choose_slices(const struct recording *r, struct shown *shown)
{
	int ran = recording_column(r, "ran_ns"), gap = recording_column(r, "gap_ns"), process = recording_column(r, "process");
	int64_t processes = 1;
	int count = 0;
	for (int i = 0; i < r->row_count; i++)
		processes = checked_max(processes, recording_count(r, &r->rows[i], process) + 1);
	int each = (int)(SLICES_MOST / checked_min(processes, SLICES_MOST));
	for (int p = 0; p < processes && count < SLICES_MOST; p++)
		for (int i = 0, k = 0; i < r->row_count && k < each; i++)
			if (recording_count(r, &r->rows[i], process) == p) {
				shown[count++] = (struct shown){recording_count(r, &r->rows[i], ran), recording_count(r, &r->rows[i], gap),
					p, SLICES_LEFT + p * (2 * each + 4) + 2 * k};
				k++;
			}
	return count;
}

void picture_slices(struct output *o, struct arena *arena, const struct recording *r)
{
	struct shown shown[SLICES_MOST];
	int count = choose_slices(r, shown);
	int64_t ran = 1, gap = 1;
	for (int i = 0; i < count; i++) {
		ran = checked_max(ran, shown[i].ran);
		gap = checked_max(gap, shown[i].gap);
	}
	open_svg(o, 2 * HALF + 4, "How long each process ran, and below how long it then waited");
	text(o, SLICES_LEFT - 6, HALF - 6, "end", arena_format(arena, "ran, at most %" PRId64 " us", ran / 1000));
	text(o, SLICES_LEFT - 6, HALF + 16, "end", arena_format(arena, "waited, at most %" PRId64 " us", gap / 1000));
	for (int i = 0; i < count; i++) {
		int up = (int)checked_mul_div_ceil(shown[i].ran, HALF, checked_max(ran, gap));
		int down = (int)checked_mul_div_ceil(shown[i].gap, HALF, checked_max(ran, gap));
		output_print(o,
			"<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"2\" height=\"%d\"/><rect class=\"c6\" x=\"%d\" y=\"%d\" width=\"2\" "
			"height=\"%d\"/>\n",
			shown[i].process % PALETTE_COLOURS, shown[i].x, HALF - up, up, shown[i].x, HALF, down);
	}
	output_add(o, "</svg>\n");
}
