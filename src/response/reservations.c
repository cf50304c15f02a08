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

int64_t reservations_waits(const struct taskset *set, const struct task *task, int64_t wcet, int64_t response, int64_t executes)
{
	int64_t period = task->sched_period, late = set->cores[task->core - 1].blocking, early = checked_sub(response, executes);
	bool implicit = task->sched_deadline == period || planted(PLANT_UNTHROTTLED);
	bool one_each = task->operation_count == 1 && wcet < task->sched_runtime + implicit && jobs_in(task, period) <= 1;
	int64_t anew = checked_mul(checked_div_ceil(wcet, task->sched_runtime), period - task->sched_runtime);
	if (implicit && checked_mul(jobs_in(task, checked_add(period, early)), executes) <= task->sched_runtime)
		return 0;
	if (one_each && (jobs_in(task, checked_add(period, late)) <= 1 || planted(PLANT_PUNCTUAL)))
		return 0;
	return one_each ? checked_min(late, anew) : anew;
}

int64_t reservations_response(const struct taskset *set, const struct task *task, int64_t wcet, int64_t waits)
{
	if (set->cores[task->core - 1].blocking > task->sched_period)
		return NONE; /* a runtime may be used up when the next deadline has passed, too, and then the period begins anew */
	int64_t first = checked_add(set->cores[task->core - 1].blocking, checked_sub(task->sched_deadline, task->sched_runtime));
	return checked_add(checked_add(first, wcet), planted(PLANT_THROTTLED) ? 0 : waits);
}

int64_t reservations_most(const struct taskset *set, const struct task *task, int64_t window)
{
	int64_t runtime = task->sched_runtime, period = task->sched_period;
	int64_t reach = checked_add(checked_add(window, set->cores[task->core - 1].blocking), task->sched_deadline - runtime);
	if (planted(PLANT_REPLENISHED))
		reach = window;
	if (task->sched_deadline < period)
		return checked_mul(checked_div_ceil(reach, period), runtime);
	return reach == NONE ? NONE : checked_add(runtime, checked_mul_div_ceil(reach, runtime, period));
}
