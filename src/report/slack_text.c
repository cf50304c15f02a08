/* Thousandths as per cent with one digit, times exactly. */
#include "report/slack_text.h"

#include "report/duration.h"
#include "report/text_write.h"

#include <inttypes.h>
#include <stdio.h>

#define CELL 48

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

/* Past this, more would not be proven; what is NONE was not found within the limits. */
void slack_text_of(struct output *output, const char *task, enum verdict verdict, const struct slack *slack, bool colour)
{
	char all[CELL], own[CELL], period[DURATION_TEXT], deadline[DURATION_TEXT];
	struct output text = {0};
	bool proven = verdict == VERDICT_PROVEN;
	text_heading(output, proven ? "How much each may move alone" : "What would have to change, each alone", colour);
	if (proven)
		output_print(&text,
			"%s stays proven while all WCETs grow by at most %s, or its own by %s, or its period shrinks by at most %s, or its "
			"deadline by %s; one unit further (0.1 %%, 1 ns) it is not.",
			task, share(slack->all_wcets, all), share(slack->own_wcets, own), time_of(slack->period, period),
			time_of(slack->deadline, deadline));
	else
		output_print(&text,
			"%s is proven when all WCETs change by %s, or its own by %s, or its period grows by %s, or its deadline by %s; one "
			"unit "
			"less (0.1 %%, 1 ns) does not do.",
			task, share(slack->all_wcets, all), share(slack->own_wcets, own),
			time_of(checked_is_none(slack->period) ? NONE : -slack->period, period),
			time_of(checked_is_none(slack->deadline) ? NONE : -slack->deadline, deadline));
	output_add(&text, " A \"-\": no change of it alone does it, within 100 times the WCETs and 1000 times the period.");
	text_paragraph(output, "  ", 2, text.text);
	output_finish(&text);
}

void slack_text(struct output *output, const struct report *report, bool colour)
{
	text_heading(output, "Slack: by how much each may move alone (negative: has to) until the task's verdict changes", colour);
	output_print(output, "%-28s%14s%14s%18s%18s\n", "task", "all WCETs", "its WCETs", "its period", "its deadline");
	for (int i = 0; i < report->set->task_count; i++) {
		const struct slack *slack = &report->slack[i];
		char all[CELL], own[CELL], period[DURATION_TEXT], deadline[DURATION_TEXT];
		text_cell(output, report->set->tasks[i].id, 28, STYLE_PLAIN, false);
		text_cell(output, share(slack->all_wcets, all), -14, STYLE_PLAIN, false);
		text_cell(output, share(slack->own_wcets, own), -14, STYLE_PLAIN, false);
		text_cell(output, time_of(slack->period, period), -18, STYLE_PLAIN, false);
		text_cell(output, time_of(slack->deadline, deadline), -18, STYLE_PLAIN, false);
		output_add(output, "\n");
	}
	output_add(output, "WCETs may grow, periods and deadlines shrink by so much; exact to 0.1 % and to 1 ns\n");
}
