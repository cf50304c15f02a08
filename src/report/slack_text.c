/* Thousandths as per cent with one digit, times exactly. */
#include "report/slack_text.h"

#include "base/duration_text.h"
#include "report/text_write.h"

#include <inttypes.h>
#include <stdio.h>

#define CELL 48
#define NAME 22 /* with the other columns this is 80 */

static const char *share(int64_t thousandths, char text[CELL])
{
	if (checked_is_none(thousandths))
		return "-";
	int64_t size = thousandths < 0 ? -thousandths : thousandths;
	snprintf(text, CELL, "%s%" PRId64 ".%" PRId64 " %%", thousandths < 0 ? "-" : "+", size / 10, size % 10);
	return text;
}

static const char *time_of(int64_t ns, char text[DURATION_TEXT])
{
	return checked_is_none(ns) ? "-" : duration_text(ns, ROUND_NEVER, text);
}

struct move {                               /* one thing that may move, alone */
	const char *what, *grows, *shrinks; /* where it is proven, and where it is not */
	const char *by;                     /* NULL: none of the limits of the search changes the verdict */
};

static void add_moves(struct output *text, const struct move *moves, int count, bool proven, bool present)
{
	int found = 0, all = 0;
	for (int i = 0; i < count; i++)
		all += (moves[i].by != NULL) == present;
	for (int i = 0; i < count; i++) {
		if ((moves[i].by != NULL) != present)
			continue;
		output_add(text, found == 0 ? "" : found + 1 < all ? ", " : " or ");
		output_add(text, moves[i].what);
		if (present)
			output_print(text, " %s %s", proven ? moves[i].grows : moves[i].shrinks, moves[i].by);
		found++;
	}
}

/* What the figures keep, or bring about: a task that is proven stays so without conditions; another one's deadline is met, under them or
 * not. */
static const char *verdict_kept(enum verdict verdict, bool conditions)
{
	if (verdict_meets(verdict))
		return verdict == VERDICT_PROVEN ? "%s stays proven while " : "%s stays proven, under conditions, while ";
	return conditions ? "%s is proven, under conditions or without, when " : "%s is proven when ";
}

/* Past this, more would not be proven; what is NONE was not found within the limits. conditions: some are assumed. */
void slack_text_of(struct output *output, const char *task, enum verdict verdict, const struct slack *slack, bool conditions, bool colour)
{
	char all[CELL], own[CELL], period[DURATION_TEXT], deadline[DURATION_TEXT];
	struct output text = {0};
	bool proven = verdict_meets(verdict), absent = false, any = false;
	int64_t sign = proven ? 1 : -1;
	struct move moves[] = {
		{"all WCETs", "grow by at most", "change by", checked_is_none(slack->all_wcets) ? NULL : share(slack->all_wcets, all)},
		{"its own WCETs", "grow by at most", "change by", checked_is_none(slack->own_wcets) ? NULL : share(slack->own_wcets, own)},
		{"its period", "shrinks by at most", "grows by",
			checked_is_none(slack->period) ? NULL : time_of(sign * slack->period, period)},
		{"its deadline", "shrinks by at most", "grows by",
			checked_is_none(slack->deadline) ? NULL : time_of(sign * slack->deadline, deadline)},
	};
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		any |= moves[i].by != NULL;
		absent |= moves[i].by == NULL;
	}
	text_heading(output, proven ? "How much each may move alone" : "What would have to change, each alone", colour);
	if (any) {
		output_print(&text, verdict_kept(verdict, conditions), task);
		add_moves(&text, moves, 4, proven, true);
		output_add(&text, proven ? "; one unit further (0.1 %, 1 ns) this analysis does not prove it."
					 : "; by one unit less (0.1 %, 1 ns) this analysis does not prove it.");
	}
	if (absent) {
		output_add(&text, any ? " Of " : "Of ");
		add_moves(&text, moves, 4, proven, false);
		output_add(&text,
			" no change alone alters the verdict, within 100 times the WCETs and 1000 times the period, or none is possible "
			"alone: of a period beside an offset or an event that tasks share, and of an arrival curve.");
	}
	text_paragraph(output, "  ", 2, text.text);
	output_finish(&text);
}

/* How much single operations may take, all else as it is: --set says the same of each. */
static void add_reserves(struct output *output, const struct report *report)
{
	struct output text = {0};
	char wcet[DURATION_TEXT];
	bool meets = verdict_meets(report->response->worst);
	if (meets)
		output_print(&text, verdict_kept(report->response->worst, false), "All");
	output_add(&text, meets ? "one of these alone grows:" : "All would be proven, were one of these alone shorter:");
	for (int i = 0; i < report->reserve_count; i++) {
		const struct operation *operation = &report->set->operations[report->reserves[i].operation];
		int64_t most = slack_scaled(operation->wcet, report->reserves[i].grows);
		output_print(&text, "%s '%s' to at most %s",
			i == 0                          ? ""
			: i + 1 < report->reserve_count ? ","
							: " or",
			operation->id, duration_text(most, ROUND_DOWN, wcet));
	}
	if (report->reserve_count > 0)
		text_paragraph(output, "", 2, text.text);
	else if (!meets)
		text_paragraph(output, "", 2, "No single operation's WCET, however short, would make all of it proven.");
	output_finish(&text);
}

void slack_text(struct output *output, const struct report *report, bool colour)
{
	text_heading(output, "Slack: how far each may move alone (negative: has to) until its verdict changes", colour);
	output_print(output, "%-*s%13s%13s%16s%16s\n", NAME, "task", "all WCETs", "its WCETs", "its period", "its deadline");
	for (int i = 0; i < report->set->task_count; i++) {
		const struct slack *slack = &report->slack[i];
		const char *name = report->set->tasks[i].id;
		char all[CELL], own[CELL], period[DURATION_TEXT], deadline[DURATION_TEXT];
		if (text_columns(name) >= NAME) { /* on a line of its own */
			text_add(output, name);
			output_add(output, "\n");
			name = "";
		}
		text_cell(output, name, NAME, STYLE_PLAIN, false);
		text_cell(output, share(slack->all_wcets, all), -13, STYLE_PLAIN, false);
		text_cell(output, share(slack->own_wcets, own), -13, STYLE_PLAIN, false);
		text_cell(output, time_of(slack->period, period), -16, STYLE_PLAIN, false);
		text_cell(output, time_of(slack->deadline, deadline), -16, STYLE_PLAIN, false);
		output_add(output, "\n");
	}
	text_paragraph(output, "", 2, "WCETs may grow, periods and deadlines shrink by so much; exact to 0.1 % and to 1 ns.");
	text_paragraph(output, "", 2,
		"\"-\": no change of it alone alters the verdict, within 100 times the WCETs and 1000 times the period; or it cannot "
		"change "
		"alone, as a period beside an offset");
	add_reserves(output, report);
}
