/* TT: what the task takes alone, and how long its worst job waits, for whom it may be. */
#include "report/explain_terms.h"

#include "base/checked.h"
#include "response/offsets.h"

#include <inttypes.h>

/* Operations of another job on an engine that this task's operations use, and what they take. */
static void list_operations(const struct explanation *e, const struct segment *segment, const struct phases_job *job)
{
	const struct response_basis *basis = &e->report->response->basis;
	for (int i = segment->first; i < segment->first + segment->count; i++) {
		const struct operation_cost *cost = &basis->costs->operations[i];
		bool meets = false;
		for (int j = 0; j < e->task->operation_count; j++) {
			const struct operation_cost *own = &basis->costs->operations[e->task->first_operation + j];
			meets |= own->place == cost->place && (cost->place != PLACE_COPY || own->engine == cost->engine);
		}
		if (!meets || cost->place == PLACE_NOWHERE)
			continue;
		int64_t time = cost->place == PLACE_COPY ? cost->transfer.value : cost->makespan.value;
		explain_line(e, 4, "%s: up to %" PRId64 "%s, of the job released at %" PRId64 " and complete by %" PRId64,
			terms_name(cost->name), time, terms_step(e, cost->place == PLACE_COPY ? cost->transfer.step : cost->makespan.step),
			job->release, job->complete);
	}
}

/* Jobs of other tasks that are there while the worst one is. */
static void list_others(const struct explanation *e, const struct phases_basis *phases, const struct phases_job *worst)
{
	const struct segments *segments = e->report->response->basis.segments;
	explain_line(e, 2, "Who may be on its engines before it, from the nominal release to the latest completion of its worst job:");
	for (int i = 0; i < phases->count; i++) {
		const struct phases_job *job = &phases->jobs[i];
		const struct segment *segment = &segments->items[job->segment];
		if (&e->report->set->tasks[segment->task] != e->task && job->release < worst->complete && job->complete > worst->release)
			list_operations(e, segment, job);
	}
}

static void add_operation(struct terms *terms, const struct operation *operation, const struct operation_cost *cost)
{
	struct explanation *e = terms->e;
	terms_add(terms, cost->dependency.value, "o_dep%s", terms_step(e, cost->dependency.step));
	if (cost->place == PLACE_COPY)
		terms_add(terms, cost->transfer.value, "%s%s", operation->id, terms_step(e, cost->transfer.step));
	if (cost->place == PLACE_EXECUTION)
		terms_add(terms, cost->makespan.value, "M of %s%s", operation->id, terms_step(e, cost->makespan.step));
}

void explain_timetable(struct explanation *e, int step, int segment)
{
	struct terms terms = terms_of(e);
	const struct taskset *set = e->report->set;
	const struct response_basis *basis = &e->report->response->basis;
	int worst = basis->phases == NULL ? NO_ID : basis->phases->worst[segment], jobs = explain_input(e, step, "jobs");
	if (worst == NO_ID)
		return;
	const struct phases_job *job = &basis->phases->jobs[worst];
	int64_t host = basis->segments->items[segment].host_most;
	explain_line(e, 2,
		"In a hyperperiod of %" PRId64 " ns the worst job is released at %" PRId64 " and complete by %" PRId64
		", host segments of %" PRId64 " before: %" PRId64 " - %" PRId64 " - %" PRId64 " = %" PRId64,
		explain_value(e, jobs), job->release, job->complete, host, job->complete, job->release, host,
		job->complete - job->release - host);
	for (int i = 0; i < e->task->operation_count; i++) {
		const struct operation *operation = task_operation(set, e->task, i);
		add_operation(&terms, operation, &basis->costs->operations[operation - set->operations]);
	}
	int64_t jitter = e->task->arrival.jitter, rest = checked_sub(e->value, checked_add(terms.sum, jitter));
	if (rest != 0)
		list_others(e, basis->phases, job);
	terms_add(&terms, jitter, "release jitter: so much later it is released");
	terms_add(&terms, rest,
		rest > 0 ? "waiting for those, in the worst of all orders" : "what of this can not come together, in any order");
	terms_print(&terms, 4, "the bound", true);
}
