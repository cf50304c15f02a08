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

void picture_factors(struct output *o, struct arena *arena, const struct platform *platform)
{
	int row = 16;
	open_svg(o, row * platform->interference_count + 4, "Interference by victim, footprint and source");
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *e = &platform->interference[i];
		int64_t hundredths = rational_ceil(rational_mul(e->factor, rational_of(100)));
		int64_t width = checked_min(hundredths * 40 / 100, WIDTH - LEFT - 50);
		text(o, LEFT - 6, row * i + 12, "end",
			arena_format(arena, "%s %" PRId64 " KiB, %s %" PRId64, e->is_copy ? "copy between" : access_names[e->victim],
				e->footprint / 1024, interferer_names[e->source], e->count == NONE ? 0 : e->count));
		output_print(o, "<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"%" PRId64 "\" height=\"%d\"/>",
			(int)e->source % PALETTE_COLOURS, LEFT, row * i + 2, width, row - 4);
		text(o, LEFT + (int)width + 4, row * i + 12, "start",
			arena_format(arena, "%" PRId64 ".%02" PRId64, hundredths / 100, hundredths % 100));
	}
	output_add(o, "</svg>\n");
}

/* ---- slices: from left to right as recorded */

#define SLICES_MOST 320

void picture_slices(struct output *o, const struct recording *r)
{
	int ran = recording_column(r, "ran_ns"), gap = recording_column(r, "gap_ns"), process = recording_column(r, "process");
	int64_t longest = 1;
	int rows = r->row_count < SLICES_MOST ? r->row_count : SLICES_MOST;
	for (int i = 0; i < rows; i++)
		longest = checked_max(longest, checked_max(recording_count(r, &r->rows[i], ran), recording_count(r, &r->rows[i], gap)));
	open_svg(o, 120, "How long each process ran, and below how long it then waited");
	for (int i = 0; i < rows; i++) {
		int up = (int)checked_mul_div_ceil(recording_count(r, &r->rows[i], ran), 58, longest);
		int down = (int)checked_mul_div_ceil(recording_count(r, &r->rows[i], gap), 58, longest);
		output_print(o,
			"<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"2\" height=\"%d\"/><rect class=\"c6\" x=\"%d\" y=\"60\" width=\"2\" "
			"height=\"%d\"/>\n",
			(int)(recording_count(r, &r->rows[i], process) % PALETTE_COLOURS), 2 * i, 60 - up, up, 2 * i, down);
	}
	output_add(o, "</svg>\n");
}
