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

int64_t reserved_lag(const struct taskset *set, int core)
{
	int64_t reservations = 0;
	for (int t = 0; t < set->task_count; t++)
		reservations += set->tasks[t].core == core && set->tasks[t].sched_runtime > 0;
	return checked_add(set->cores[core - 1].blocking, checked_mul(reservations, set->cores[core - 1].overrun));
}

bool reserved_room(const struct taskset *set, int core)
{
	int64_t overrun = set->cores[core - 1].overrun, lag = reserved_lag(set, core);
	bool room = units_of(set, core) <= UNITS;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		if (overrun > 0 && task->core == core && task->sched_runtime > 0)
			room = room && task->sched_runtime > overrun && task->sched_period >= lag;
	}
	return room;
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
	if (set->cores[core - 1].overrun > 0)
		fact_from(check, time, "V",
			fact_given(check, set->cores[core - 1].overrun, "core:%s@sched-overrun", set->cores[core - 1].id));
}

void reserved_given(struct check *check, struct fact *time, int index)
{
	const struct task *task = &check->set->tasks[index];
	fact_from(check, time, "Q", fact_given(check, task->sched_runtime, "task:%s@sched-runtime", task->id));
	fact_from(check, time, "D", fact_given(check, task->sched_deadline, "task:%s@sched-deadline", task->id));
	fact_from(check, time, "P", fact_given(check, task->sched_period, "task:%s@sched-period", task->id));
}

int64_t reserved_anew(const struct taskset *set, int index, int64_t wcet)
{
	const struct task *task = &set->tasks[index];
	int64_t overrun = set->cores[task->core - 1].overrun, needs = checked_add(wcet, overrun);
	if (checked_is_none(needs))
		return NONE;
	return checked_add(overrun, checked_mul(task->sched_period - task->sched_runtime, 1 + (needs - 1) / task->sched_runtime));
}

/* The budget is there at its deadline, or so much later; so is what is left of one whose thread had it before. */
int64_t reserved_time(const struct taskset *set, int index, int64_t wcet, int64_t waits)
{
	const struct task *task = &set->tasks[index];
	int64_t lag = reserved_lag(set, task->core), time = checked_add(wcet, lag);
	time = checked_add(time, task->sched_deadline - task->sched_runtime);
	if (lag > task->sched_period)
		return NONE;
	return checked_add(time, waits);
}

/* Runtimes come a period apart, the first one late by all that it may be; where they may come sooner, the first one a part of it. */
int64_t reserved_most(const struct taskset *set, int index, int64_t window)
{
	const struct task *task = &set->tasks[index];
	int64_t late = checked_add(reserved_lag(set, task->core), task->sched_deadline);
	int64_t span = checked_sub(checked_add(window, late), task->sched_runtime), most = 0;
	if (checked_is_none(span))
		return NONE;
	if (task->sched_period > task->sched_deadline)
		most = checked_mul(task->sched_runtime, checked_round_up(span, task->sched_period) / task->sched_period);
	else
		most = checked_add(checked_mul_div_ceil(task->sched_runtime, span, task->sched_period), task->sched_runtime);
	return checked_add(most, set->cores[task->core - 1].overrun);
}
