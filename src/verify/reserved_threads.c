#include "verify/reserved_threads.h"

#define UNITS 1000000000 /* of a core, in which its reservations are counted */

static int64_t units_of(const struct taskset *set, int core)
{
	int64_t units = 0;
	for (const struct task *task = set->tasks; task < set->tasks + set->task_count; task++)
		if (task->core == core && task->sched_runtime > 0)
			units = checked_add(units, checked_mul_div_ceil(UNITS, task->sched_runtime, task->sched_deadline));
	return units;
}

bool reserved_room(const struct taskset *set, int core)
{
	return units_of(set, core) <= UNITS;
}

void reserved_all(struct check *check, struct fact *time, int core)
{
	const struct taskset *set = check->set;
	int64_t units = units_of(set, core);
	if (units == 0)
		return;
	struct factor sum = factor_make(
		check, RULE_RESERVED, arena_format(check->arena, "core:%s", set->cores[core - 1].id), rational_make(units, UNITS));
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		if (task->core != core || task->sched_runtime == 0)
			continue;
		factor_from(check, sum.node, "Q", fact_given(check, task->sched_runtime, "task:%s@sched-runtime", task->id).node);
		factor_from(check, sum.node, "D", fact_given(check, task->sched_deadline, "task:%s@sched-deadline", task->id).node);
	}
	factor_from(check, time->node, "U", sum.node);
}

void reserved_given(struct check *check, struct fact *time, int index)
{
	const struct task *task = &check->set->tasks[index];
	fact_from(check, time, "Q", fact_given(check, task->sched_runtime, "task:%s@sched-runtime", task->id));
	fact_from(check, time, "D", fact_given(check, task->sched_deadline, "task:%s@sched-deadline", task->id));
	fact_from(check, time, "P", fact_given(check, task->sched_period, "task:%s@sched-period", task->id));
}

int64_t reserved_anew(const struct task *task, int64_t wcet)
{
	return checked_mul(task->sched_period - task->sched_runtime, 1 + (wcet - 1) / task->sched_runtime);
}

/* The budget is there at its deadline, or `blocking` later; so is what is left of one whose thread had it before. */
int64_t reserved_time(const struct taskset *set, int index, int64_t wcet, int64_t waits)
{
	const struct task *task = &set->tasks[index];
	int64_t time = checked_add(wcet, set->cores[task->core - 1].blocking);
	time = checked_add(time, task->sched_deadline - task->sched_runtime);
	if (set->cores[task->core - 1].blocking > task->sched_period)
		return NONE;
	return checked_add(time, waits);
}

/* Runtimes come a period apart, the first one late by all that it may be; where they may come sooner, the first one a part of it. */
int64_t reserved_most(const struct taskset *set, int index, int64_t window)
{
	const struct task *task = &set->tasks[index];
	int64_t late = checked_add(set->cores[task->core - 1].blocking, task->sched_deadline);
	int64_t span = checked_sub(checked_add(window, late), task->sched_runtime);
	if (checked_is_none(span))
		return NONE;
	if (task->sched_period > task->sched_deadline)
		return checked_mul(task->sched_runtime, checked_round_up(span, task->sched_period) / task->sched_period);
	return checked_add(checked_mul_div_ceil(task->sched_runtime, span, task->sched_period), task->sched_runtime);
}
