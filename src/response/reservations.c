#include "response/reservations.h"

#include "base/plant.h"
#include "response/arrival.h"

static int64_t jobs_in(const struct task *task, int64_t window)
{
	const struct arrivals releases = {&task->arrival, task->arrival.jitter, true};
	return arrivals_in(&releases, window);
}

bool reservations_fit(const struct taskset *set, int core)
{
	return taskset_reserved(set, core) <= WHOLE_CORE || planted(PLANT_RESERVATIONS);
}

static int64_t overrun_of(const struct taskset *set, int core)
{
	return planted(PLANT_PAST_RUNTIME) ? 0 : set->cores[core].overrun;
}

int64_t reservations_late(const struct taskset *set, int core)
{
	int64_t late = set->cores[core].blocking;
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].core == core + 1 && task_reserves(&set->tasks[i]))
			late = checked_add(late, overrun_of(set, core));
	return late;
}

const struct task *reservations_short(const struct taskset *set, int core)
{
	int64_t overrun = overrun_of(set, core), late = reservations_late(set, core);
	for (int i = 0; i < set->task_count && overrun > 0; i++)
		if (set->tasks[i].core == core + 1 && task_reserves(&set->tasks[i]) &&
			(overrun >= set->tasks[i].sched_runtime || late > set->tasks[i].sched_period))
			return &set->tasks[i];
	return NULL;
}

int64_t reservations_waits(const struct taskset *set, const struct task *task, int64_t wcet, int64_t response, int64_t executes)
{
	int64_t period = task->sched_period, late = set->cores[task->core - 1].blocking, early = checked_sub(response, executes);
	bool implicit = task->sched_deadline == period || planted(PLANT_UNTHROTTLED);
	int64_t overrun = overrun_of(set, task->core - 1),
		most = task->sched_runtime - (overrun > 0); /* then it is not to be used up at all */
	int64_t span = checked_add(checked_add(period, early), overrun > 0 ? reservations_late(set, task->core - 1) : 0);
	bool one_each = task->operation_count == 1 && wcet < task->sched_runtime + implicit && jobs_in(task, period) <= 1;
	int64_t runtimes = checked_div_ceil(checked_add(wcet, overrun), task->sched_runtime);
	int64_t anew = checked_add(overrun, checked_mul(runtimes, period - task->sched_runtime));
	if (implicit && checked_mul(jobs_in(task, span), executes) <= most)
		return 0;
	if (one_each && (jobs_in(task, checked_add(period, late)) <= 1 || planted(PLANT_PUNCTUAL)))
		return 0;
	return one_each ? checked_min(late, anew) : anew;
}

int64_t reservations_response(const struct taskset *set, const struct task *task, int64_t wcet, int64_t waits)
{
	int64_t late = reservations_late(set, task->core - 1);
	if (late > task->sched_period)
		return NONE; /* a runtime may be used up when the next deadline has passed, too, and then the period begins anew */
	int64_t first = checked_add(late, checked_sub(task->sched_deadline, task->sched_runtime));
	return checked_add(checked_add(first, wcet), planted(PLANT_THROTTLED) ? 0 : waits);
}

int64_t reservations_most(const struct taskset *set, const struct task *task, int64_t window)
{
	int64_t runtime = task->sched_runtime, period = task->sched_period;
	int64_t reach = checked_add(checked_add(window, reservations_late(set, task->core - 1)), task->sched_deadline - runtime);
	if (planted(PLANT_REPLENISHED))
		reach = window;
	if (reach == NONE)
		return NONE;
	int64_t runtimes = task->sched_deadline < period ? checked_mul(checked_div_ceil(reach, period), runtime)
							 : checked_add(runtime, checked_mul_div_ceil(reach, runtime, period));
	return checked_add(runtimes, overrun_of(set, task->core - 1));
}
