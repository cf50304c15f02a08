/* What all output formats ask of a report. */
#include "report/report.h"

#include <string.h>

static uint64_t relied_on(const struct response_of *results, int count)
{
	uint64_t assumptions = 0;
	for (int i = 0; i < count; i++)
		if (results[i].winner >= 0)
			assumptions |= results[i].assumptions;
	return assumptions;
}

uint64_t report_assumptions(const struct report *report)
{
	uint64_t assumptions = relied_on(report->response->tasks, report->set->task_count) |
			       relied_on(report->response->streams, report->set->stream_count);
	for (int i = 0; i < report->set->end_to_end_count; i++)
		assumptions |= report->response->end_to_end[i].assumptions; /* none without a bound */
	return assumptions;
}

const char *report_left_out(struct arena *arena, const struct report *report, const char *between)
{
	const char *list = NULL;
	for (int i = 0; i < report->set->task_count; i++)
		if (report->response->left_out[i])
			list = list == NULL ? report->set->tasks[i].id
					    : arena_format(arena, "%s%s%s", list, between, report->set->tasks[i].id);
	return list;
}

const char *report_path(const struct report *report, const char *file)
{
	if (file != NULL && report->platform->path != NULL && strcmp(file, report->platform->path) == 0)
		return report->platform_path;
	return file;
}
