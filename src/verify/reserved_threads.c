#include "verify/reserved_threads.h"

#include "verify/claimed_bounds.h"

static bool is_of(const struct task *task, int core)
{
	return task->core == core && task->sched_runtime > 0;
}

/* How much longer than in a world without units a thread may execute for each time that it wakes. */
static int64_t grown(const struct taskset *set, int index, int64_t window)
{
	const struct task *task = &set->tasks[index];
	const struct arrivals_at releases = {&task->arrival, task->arrival.jitter, true};
	int64_t unit = set->cores[task->core - 1].unit, response = set->core_times->responses[index], host = 0, segments = 0;
	if (unit < 2)
		return 0;
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (set->operations[i].kind == OPERATION_HOST) {
			segments++;
			host = checked_add(host, set->operations[i].bcet);
		}
	int64_t jobs = checked_is_none(response) ? NONE : bounds_arrivals(&releases, checked_add(response, window));
	int64_t serial = host == 0 ? NONE : checked_add(window / host, 2);
	return checked_mul(checked_mul(segments, unit), checked_mul(2, checked_min(jobs, serial)));
}

#define UNITS 1000000000 /* of a core, of which each part is rounded up to one where the sum is too long a fraction */

static struct rational share_of(const struct taskset *set, int core)
{
	struct rational sum = rational_of(0);
	int64_t units = 0;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		int64_t more = is_of(task, core) ? grown(set, t, task->sched_period) : 0;
		if (!is_of(task, core))
			continue;
		sum = rational_add(rational_add(sum, rational_make(task->sched_runtime, task->sched_deadline)),
			rational_make(more, task->sched_period));
		units = checked_add(units, checked_mul_div_ceil(UNITS, task->sched_runtime, task->sched_deadline));
		units = checked_add(units, checked_mul_div_ceil(UNITS, more, task->sched_period));
	}
	return rational_is_none(sum) ? rational_make(units, UNITS) : sum;
}

int64_t reserved_lag(const struct taskset *set, int core)
{
	const struct core *of = &set->cores[core - 1];
	int64_t lag = of->blocking;
	for (int t = 0; t < set->task_count; t++) {
		if (!is_of(&set->tasks[t], core))
			continue;
		lag = checked_add(lag, checked_add(of->overrun, grown(set, t, set->tasks[t].sched_period)));
		lag = checked_add(lag, of->unit > 1 ? checked_mul(of->unit, 2) : 0);
	}
	return lag;
}

bool reserved_room(const struct taskset *set, int core)
{
	int64_t overrun = set->cores[core - 1].overrun, lag = reserved_lag(set, core);
	struct rational share = share_of(set, core);
	bool room = !rational_is_none(share) && rational_compare(share, rational_of(1)) <= 0;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		if (overrun > 0 && is_of(task, core))
			room = room && task->sched_runtime > overrun && task->sched_period >= lag;
	}
	return room;
}

/* Of a step on all of a core's: its reservations, and how often their threads wake. */
static void rests_on(struct check *check, struct node *node, int core)
{
	const struct taskset *set = check->set;
	bool units = set->cores[core - 1].unit > 1;
	if (units)
		factor_from(
			check, node, "u", fact_given(check, set->cores[core - 1].unit, "core:%s@sched-unit", set->cores[core - 1].id).node);
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		int64_t response = set->core_times->responses[t];
		if (!is_of(task, core))
			continue;
		factor_from(check, node, "Q", fact_given(check, task->sched_runtime, "task:%s@sched-runtime", task->id).node);
		factor_from(check, node, "D", fact_given(check, task->sched_deadline, "task:%s@sched-deadline", task->id).node);
		if (!units)
			continue;
		factor_from(check, node, "P", fact_given(check, task->sched_period, "task:%s@sched-period", task->id).node);
		if (!checked_is_none(response))
			factor_from(check, node, "R",
				fact_make(check, RULE_CLAIM_TASK, arena_format(check->arena, "task:%s", task->id), response).node);
		for (int i = 0; i < task->operation_count; i++) {
			const struct operation *host = task_operation(set, task, i);
			if (host->kind == OPERATION_HOST)
				factor_from(check, node, "b", fact_given(check, host->bcet, "task:%s/op:%s@bcet", task->id, host->id).node);
		}
	}
}

static bool has_any(const struct taskset *set, int core)
{
	bool found = false;
	for (int t = 0; t < set->task_count; t++)
		found |= is_of(&set->tasks[t], core);
	return found;
}

void reserved_all(struct check *check, struct fact *time, int core)
{
	const struct taskset *set = check->set;
	const struct core *of = &set->cores[core - 1];
	const char *about = arena_format(check->arena, "core:%s", of->id);
	int64_t later = checked_sub(reserved_lag(set, core), of->blocking);
	if (!has_any(set, core))
		return;
	struct factor sum = factor_make(check, RULE_RESERVED, about, share_of(set, core));
	rests_on(check, sum.node, core);
	factor_from(check, time->node, "U", sum.node);
	if (later > 0) {
		struct fact late = fact_make(check, RULE_RESERVED_LATE, about, later);
		if (of->overrun > 0)
			fact_from(check, &late, "V", fact_given(check, of->overrun, "core:%s@sched-overrun", of->id));
		rests_on(check, late.node, core);
		fact_from(check, time, "K", late);
	}
	if (of->overrun > 0)
		fact_from(check, time, "V", fact_given(check, of->overrun, "core:%s@sched-overrun", of->id));
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
	if (task->sched_period > task->sched_deadline && set->cores[task->core - 1].unit > 1) /* a runtime was revised, as Linux does it */
		time = checked_add(time, checked_round_up(task->sched_deadline, 1 << 20) / (1 << 20));
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
	most = checked_add(most, grown(set, index, window));
	return checked_add(most, set->cores[task->core - 1].overrun);
}
