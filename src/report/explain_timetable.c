/* TT: the worst job of a hyperperiod. */
#include "report/explain_waiting.h"

#include <inttypes.h>

void explain_timetable(struct explanation *e, int step, int segment)
{
	struct listing terms = listing_of(e);
	const struct response_basis *basis = &e->report->response->basis;
	int worst = basis->tt == NULL ? NO_ID : basis->tt->worst[segment], jobs = explain_input(e, step, "jobs");
	if (worst == NO_ID)
		return;
	const struct tt_job *job = &basis->tt->jobs[worst];
	int64_t host = basis->segments->items[segment].host_most;
	explain_line(e, 2,
		"In a hyperperiod of %" PRId64 " ns the worst job is released at %" PRId64 " and complete by %" PRId64
		", host segments of %" PRId64 " before: %" PRId64 " - %" PRId64 " - %" PRId64 " = %" PRId64,
		explain_value(e, jobs), job->release, job->complete, host, job->complete, job->release, host,
		job->complete - job->release - host);
	explain_waiting(&terms, basis->tt, job);
	listing_print_all(&terms, 4, explain_value(e, step), "the bound", true);
}
