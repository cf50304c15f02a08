#include "falsify/reasons.h"

#define LOADED 90 /* percent */

const struct reason_kind reason_kinds[] = {
#define REASON(symbol, name, meaning) {name, meaning},
#include "falsify/reasons.def"
#undef REASON
};

static bool has(const struct subject *subject, int task, enum bound bound)
{
	return subject->response->tasks[task].bounds[bound].value != NONE;
}

/* What one job wants of the context as a serial server; NONE: not known. */
static int64_t work_of(const struct subject *subject, const struct task *task)
{
	int64_t sum = 0;
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
		const struct operation_cost *cost = &subject->costs->operations[i];
		sum = checked_add(sum, cost->dependency.value);
		if (cost->place == PLACE_COPY)
			sum = checked_add(sum, cost->transfer.value);
		if (cost->place == PLACE_EXECUTION)
			sum = checked_add(sum, checked_add(cost->makespan.value, cost->waste.value));
	}
	return sum;
}

static bool is_loaded(const struct subject *subject)
{
	struct rational load = rational_of(0);
	for (int i = 0; i < subject->set->task_count; i++) {
		const struct task *task = &subject->set->tasks[i];
		load = rational_add(load, rational_make(work_of(subject, task), task->arrival.period));
	}
	return rational_is_none(load) || rational_compare(load, rational_make(LOADED, 100)) >= 0;
}

static bool has_levels(const struct taskset *set)
{
	for (int i = 1; i < set->stream_count; i++)
		if (set->streams[i].level != set->streams[0].level)
			return true;
	return false;
}

static bool has_jitter(const struct taskset *set)
{
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].arrival.jitter > 0)
			return true;
	return false;
}

static bool has_both(const struct subject *subject)
{
	bool kernels = false, copies = false;
	for (int i = 0; i < subject->set->operation_count; i++) {
		kernels |= subject->costs->operations[i].place == PLACE_EXECUTION;
		copies |= subject->costs->operations[i].place == PLACE_COPY;
	}
	return kernels && copies;
}

enum reason reason_of(const struct subject *subject, int task)
{
	const struct taskset *set = subject->set;
	if (set->tasks[task].offset != NONE && !has(subject, task, BOUND_TT))
		return REASON_PHASES;
	if (!has(subject, task, BOUND_H) && !has(subject, task, BOUND_CHAIN) && !has(subject, task, BOUND_FP) &&
		!has(subject, task, BOUND_TT))
		return REASON_SERIAL;
	if (is_loaded(subject))
		return REASON_LOAD;
	if (has_jitter(set))
		return REASON_JITTER;
	if (has_levels(set))
		return REASON_LEVELS;
	if (set->task_count > set->stream_count)
		return REASON_STREAM;
	return has_both(subject) ? REASON_COPIES : REASON_REST;
}
