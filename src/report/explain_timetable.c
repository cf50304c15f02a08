/* TT: what the task takes alone, and the rest. */
#include "report/explain_terms.h"

#include "base/checked.h"
#include "response/cost.h"

#include <inttypes.h>
#include <string.h>

/* Costs of the timetable in the order of the task set's operations: o_dep, then the cost. */
void explain_timetable(struct explanation *e, int step)
{
	struct terms terms = terms_of(e);
	int jobs = explain_input(e, step, "jobs");
	const struct taskset *set = e->report->set;
	explain_line(e, 2, "The operations of the worst job, and the rest, in a hyperperiod of %" PRId64 " ns:", explain_value(e, jobs));
	for (int i = 0; i < e->task->operation_count; i++) {
		const struct operation *operation = task_operation(set, e->task, i);
		const struct operation_cost *cost = &e->report->response->basis.costs->operations[operation - set->operations];
		const char *name = operation->id;
		terms_add(&terms, cost->dependency.value, "o_dep%s", terms_step(e, cost->dependency.step));
		if (cost->place == PLACE_COPY)
			terms_add(&terms, cost->transfer.value, "%s%s", name, terms_step(e, cost->transfer.step));
		if (cost->place == PLACE_EXECUTION)
			terms_add(&terms, cost->makespan.value, "%s%s", name, terms_step(e, cost->makespan.step));
	}
	terms_add(&terms, checked_sub(e->value, terms.sum), "release jitter, and waiting for other jobs, as found by following all orders");
	terms_print(&terms, 4, "the bound", true);
}
