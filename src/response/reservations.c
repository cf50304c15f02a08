#include "response/reservations.h"

#include "base/plant.h"
#include "response/arrival.h"

static int64_t jobs_in(const struct task *task, int64_t window)
{
	const struct arrivals releases = {&task->arrival, task->arrival.jitter, true};
	return arrivals_in(&releases, window);
}

static bool is_of(const struct task *task, int core)
{
	return task->core == core + 1 && task_reserves(task);
}

static int64_t overrun_of(const struct taskset *set, int core)
{
	return planted(PLANT_PAST_RUNTIME) ? 0 : set->cores[core].overrun;
}

/* ---- what comparing whole units gives at a wake-up */

static int64_t given_of(const struct taskset *set, int core)
{
	return set->cores[core].unit <= 1 || planted(PLANT_EXACT_UNITS) ? 0 : checked_mul(2, set->cores[core].unit);
}

/* How often the thread becomes ready in a window: for each segment of jobs that are there, as they are complete by their responses or as
 * they take as long as they take at least. */
static int64_t wakes_in(const struct taskset *set, const struct task *task, int64_t window, int64_t response)
{
	int64_t segments = 0, least = 0;
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(set, task, i);
		segments += operation->kind == OPERATION_HOST;
		least = checked_add(least, operation->kind == OPERATION_HOST ? operation->bcet : 0);
	}
	int64_t jobs = response == NONE ? NONE : jobs_in(task, checked_add(window, response));
	if (least > 0)
		jobs = checked_min(jobs, checked_add(2, window / least));
	return checked_mul(segments, jobs);
}

static int64_t given_in(const struct taskset *set, const struct task *task, int64_t window, int64_t response)
{
	int64_t given = given_of(set, task->core - 1);
	return given == 0 ? 0 : checked_mul(given, wakes_in(set, task, window, response));
}

const struct task *reservations_restless(const struct taskset *set, int core, const int64_t *responses)
{
	for (int i = 0; i < set->task_count; i++)
		if (is_of(&set->tasks[i], core) && given_in(set, &set->tasks[i], set->tasks[i].sched_period, responses[i]) == NONE)
			return &set->tasks[i];
	return NULL;
}

/* ---- all of a core */

#define ROUNDED 1000000000 /* where the sum is no fraction of 64 bits: each part up to one of so many */

struct reserved reservations_find(const struct taskset *set, int core, const int64_t *responses)
{
	struct rational exact = rational_of(0);
	int64_t rounded = 0, late = set->cores[core].blocking;
	for (int i = 0; i < set->task_count; i++) {
		const struct task *task = &set->tasks[i];
		if (!is_of(task, core))
			continue;
		int64_t given = given_in(set, task, task->sched_period, responses[i]);
		exact = rational_add(exact, rational_make(task->sched_runtime, task->sched_deadline));
		exact = rational_add(exact, rational_make(given, task->sched_period));
		rounded = checked_add(rounded, checked_mul_div_ceil(task->sched_runtime, ROUNDED, task->sched_deadline));
		rounded = checked_add(rounded, checked_mul_div_ceil(given, ROUNDED, task->sched_period));
		late = checked_add(checked_add(late, overrun_of(set, core)), checked_add(given_of(set, core), given));
	}
	return (struct reserved){rational_is_none(exact) ? rational_make(rounded, ROUNDED) : exact, late};
}

bool reservations_fit(const struct reserved *reserved)
{
	bool fit = !rational_is_none(reserved->share) && rational_compare(reserved->share, rational_of(1)) <= 0;
	return fit || planted(PLANT_RESERVATIONS);
}

const struct task *reservations_short(const struct taskset *set, int core, int64_t late)
{
	int64_t overrun = overrun_of(set, core);
	for (int i = 0; i < set->task_count && overrun > 0; i++)
		if (is_of(&set->tasks[i], core) && (overrun >= set->tasks[i].sched_runtime || late > set->tasks[i].sched_period))
			return &set->tasks[i];
	return NULL;
}

/* ---- one of them */

int64_t reservations_waits(
	const struct taskset *set, const struct task *task, int64_t wcet, int64_t response, int64_t executes, int64_t late)
{
	int64_t period = task->sched_period, blocking = set->cores[task->core - 1].blocking, early = checked_sub(response, executes);
	bool implicit = task->sched_deadline == period || planted(PLANT_UNTHROTTLED);
	int64_t overrun = overrun_of(set, task->core - 1),
		most = task->sched_runtime - (overrun > 0); /* then it is not to be used up at all */
	int64_t span = checked_add(checked_add(period, early), overrun > 0 ? late : 0);
	bool one_each = task->operation_count == 1 && wcet < task->sched_runtime + implicit && jobs_in(task, period) <= 1;
	int64_t runtimes = checked_div_ceil(checked_add(wcet, overrun), task->sched_runtime);
	int64_t anew = checked_add(overrun, checked_mul(runtimes, period - task->sched_runtime));
	if (implicit && checked_mul(jobs_in(task, span), executes) <= most)
		return 0;
	if (one_each && (jobs_in(task, checked_add(period, blocking)) <= 1 || planted(PLANT_PUNCTUAL)))
		return 0;
	return one_each ? checked_min(blocking, anew) : anew;
}

int64_t reservations_lack(const struct taskset *set, const struct task *task)
{
	bool revised = task->sched_deadline < task->sched_period && set->cores[task->core - 1].unit > 1;
	return revised ? checked_div_ceil(task->sched_deadline, 1 << 20) : 0;
}

int64_t reservations_response(const struct taskset *set, const struct task *task, int64_t wcet, int64_t waits, int64_t late)
{
	if (late > task->sched_period)
		return NONE; /* a runtime may be used up when the next deadline has passed, too, and then the period begins anew */
	int64_t first = checked_add(late, checked_sub(task->sched_deadline, task->sched_runtime));
	first = checked_add(first, reservations_lack(set, task));
	return checked_add(checked_add(first, wcet), planted(PLANT_THROTTLED) ? 0 : waits);
}

int64_t reservations_most(const struct taskset *set, const struct task *task, int64_t window, int64_t response, int64_t late)
{
	int64_t runtime = task->sched_runtime, period = task->sched_period;
	int64_t reach = checked_add(checked_add(window, late), task->sched_deadline - runtime);
	if (planted(PLANT_REPLENISHED))
		reach = window;
	if (reach == NONE)
		return NONE;
	int64_t runtimes = task->sched_deadline < period ? checked_mul(checked_div_ceil(reach, period), runtime)
							 : checked_add(runtime, checked_mul_div_ceil(reach, runtime, period));
	return checked_add(checked_add(runtimes, overrun_of(set, task->core - 1)), given_in(set, task, window, response));
}
