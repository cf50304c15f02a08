/* The results as comma-separated values: the columns of gpubound-analyze(1). */
#include "report/report.h"

#include <inttypes.h>

static void add_time(struct output *output, int64_t time)
{
	if (!checked_is_none(time))
		output_print(output, "%" PRId64, time);
	output_add(output, ",");
}

static void add_row(struct output *output, const char *kind, const char *task, const char *stream, const struct response_of *result)
{
	output_add(output, kind);
	output_add(output, ",");
	output_add_csv(output, task);
	output_add(output, ",");
	output_add_csv(output, stream);
	output_add(output, ",");
	add_time(output, result->response);
	add_time(output, result->deadline);
	output_add(output, verdict_names[result->verdict]);
	output_add(output, ",");
	output_add(output, result->winner >= 0 ? bound_kinds[result->winner].name : "");
	output_add(output, "\n");
}

static void add_chain(struct output *output, const struct report *report, int index)
{
	const struct end_to_end *flow = &report->set->end_to_end[index];
	const struct end_to_end_result *result = &report->response->end_to_end[index];
	output_add(output, "chain,");
	output_add_csv(output, flow->id);
	output_add(output, ",,");
	add_time(output, result->response);
	add_time(output, flow->deadline);
	output_print(output, "%s,%s\n", verdict_names[result->verdict], end_to_end_names[flow->kind]);
}

void report_csv_header(struct output *output)
{
	output_add(output, "kind,task,stream,response_ns,deadline_ns,verdict,bound\n");
}

void report_csv(struct output *output, const struct report *report)
{
	for (int i = 0; i < report->set->task_count; i++)
		add_row(output, "task", report->set->tasks[i].id, "", &report->response->tasks[i]);
	for (int i = 0; i < report->set->stream_count; i++)
		add_row(output, "stream", "", report->set->streams[i].id, &report->response->streams[i]);
	for (int i = 0; i < report->set->end_to_end_count; i++)
		add_chain(output, report, i);
}
