/* The calibration as a page of HTML, which an assessor can keep: what bounds can rest on, every number with how it grew, what broke,
 * pictures. */
#include "base/palette.h"
#include "calibrate/calibrate_parts.h"
#include "calibrate/pictures.h"

#include <inttypes.h>
#include <string.h>

static void heading(struct output *o, const char *words)
{
	output_print(o, "<h2>%s</h2>\n", words);
}

static void cell(struct output *o, const char *words)
{
	output_add(o, "<td>");
	output_add_xml(o, words != NULL ? words : "");
	output_add(o, "</td>");
}

/* Where a recording is the source its name, which leads to what is said of it at the end. */
static void source_cell(const struct calibration *c, struct output *o, const char *source)
{
	for (int i = 0; i < c->recording_count; i++)
		if (source != NULL && strcmp(source, c->recordings[i]->source) == 0) {
			output_print(o, "<td><a href=\"#r%d\">", i + 1);
			output_add_xml(o, arena_format(c->arena, "%.*s", (int)strcspn(source, ","), source));
			output_add(o, "</a></td>");
			return;
		}
	cell(o, source);
}

static void add_uses(const struct calibration *c, struct output *o)
{
	const char *what, *lacks, *discharge;
	heading(o, "What bounds can rest on");
	output_add(o, "<table><tr><th>a task set with</th><th></th><th>what lacks</th><th>else</th></tr>\n");
	for (int i = 0; (what = calibrate_use(c, i, &lacks, &discharge)) != NULL; i++) {
		output_print(o, "<tr class=\"%s\">", lacks == NULL ? "yes" : "no");
		cell(o, what);
		cell(o, lacks == NULL ? "yes" : "no");
		cell(o, lacks);
		cell(o, lacks == NULL ? NULL : discharge);
		output_add(o, "</tr>\n");
	}
	output_add(o, "</table>\n");
}

static void add_number(const struct calibration *c, struct output *o, int i)
{
	const struct quantity *quantity = &c->platform->parameters[i];
	const struct growth *growth = &c->growths[i];
	output_add(o, "<tr>");
	cell(o, parameter_kinds[i].name);
	output_print(o, "<td class=\"n\">%" PRId64 "</td><td>", quantity->value);
	if (growth->recording != NULL)
		picture_growth(o, growth);
	output_add(o, "</td>");
	cell(o, quantity->note);
	source_cell(c, o, quantity->source);
	output_add(o, "</tr>\n");
}

static void add_numbers(const struct calibration *c, struct output *o)
{
	heading(o, "Numbers");
	output_add(o,
		"<p>Values in ns, B, Hz or a count. The line is how the greatest grew while samples doubled: one that still rises at its "
		"right "
		"end will rise again.</p>\n<table><tr><th>number</th><th>value</th><th>growth</th><th>how</th><th>source</th></tr>\n");
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (c->platform->parameters[i].present)
			add_number(c, o, i);
	output_add(o, "</table>\n");
}

static void add_assumptions(const struct calibration *c, struct output *o)
{
	heading(o, "Assumptions: what broke, what held, what nobody looked for");
	output_add(o, "<table><tr><th>assumption</th><th>status</th><th>evidence</th><th>who answers for it</th></tr>\n");
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const struct assumption_state *state = &c->platform->assumptions[i];
		output_print(o, "<tr class=\"%s\">", state->status == STATUS_BROKEN ? "no" : state->source != NULL ? "yes" : "none");
		cell(o, arena_format(c->arena, "%s: %s", assumption_kinds[i].id, assumption_kinds[i].statement));
		cell(o, assumption_status_name(state->status));
		cell(o, state->why != NULL ? state->why : "not looked for");
		cell(o, assumption_kinds[i].discharge);
		output_add(o, "</tr>\n");
	}
	output_add(o, "</table>\n");
}

static void add_pictures(const struct calibration *c, struct output *o)
{
	if (c->platform->order != NULL) {
		heading(o, "The order in which SMs are chosen");
		picture_order(o, c->platform);
	}
	if (c->delays != NULL) {
		heading(o, "How late blocks begin (a doubling of blocks is a step of height)");
		picture_delays(o, c->delays);
	}
	if (c->platform->interference_count > 0) {
		heading(o, "Interference");
		picture_factors(o, c->arena, c->platform);
	}
	for (int i = calibrate_next(c, "slices", 0); i < c->recording_count; i = calibrate_next(c, "slices", i + 1)) {
		output_add(o, "<h2>Slices of ");
		output_add_xml(o, c->recordings[i]->path);
		output_add(o, "</h2>\n");
		picture_slices(o, c->arena, c->recordings[i]);
	}
}

static void add_notes(const struct calibration *c, struct output *o)
{
	heading(o, "What else was seen");
	output_add(o, "<ul>\n");
	for (int i = 0; i < c->notes.count; i++) {
		output_add(o, "<li>");
		output_add_xml(o, c->notes.of[i]);
		output_add(o, "</li>\n");
	}
	output_add(o, "</ul>\n");
	heading(o, "Recordings");
	output_add(o, "<ul>\n");
	for (int i = 0; i < c->recording_count; i++) {
		output_print(o, "<li id=\"r%d\">", i + 1);
		output_add_xml(o, c->recordings[i]->source);
		output_add(o, "</li>\n");
	}
	output_add(o, "</ul>\n");
}

void calibrate_write_page(struct calibration *c, struct output *o)
{
	output_add(o, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Calibration of ");
	output_add_xml(o, c->platform->name);
	output_add(o, "</title><style>body{font:14px sans-serif;max-width:1100px;margin:auto;padding:0 "
		      "16px;overflow-wrap:break-word}table{border-collapse:collapse}"
		      "td,th{border:1px solid #ccc;padding:3px 6px;text-align:left;vertical-align:top}.n{text-align:right}"
		      ".yes td:first-child{border-left:4px solid #2a7}.no td:first-child{border-left:4px solid #c33}"
		      "svg text{font-size:11px}svg .small{font-size:9px}.line{fill:none;stroke:#333}" PALETTE_STYLE(
			      " ") "</style></head><body>\n<h1>");
	output_add_xml(o, c->platform->name);
	output_add(o, ", calibrated</h1>\n<p>Measured on one board, with the margin that each number says. No measurement shows a worst "
		      "case.</p>\n");
	add_uses(c, o);
	add_numbers(c, o);
	add_assumptions(c, o);
	add_pictures(c, o);
	add_notes(c, o);
	output_add(o, "</body></html>\n");
}
