#include "response/cores.h"

#include "base/assert.h"
#include "base/plant.h"
#include "response/arrival.h"
#include "response/reservations.h"
#include "response/response.h"

#define ROUNDS 100 /* of the analysis of the GPU: each makes some delay longer, or is the last one */

struct settling {
	struct arena *arena;
	const struct platform *platform;
	const struct map *map;
	int solver_iterations;
	struct taskset set;
	struct core_times times;
	int64_t *delays, *responses;
	const char *const **reasons;
	struct reserved *reserved;
	bool changed;
};

static void raise(struct settling *s, int64_t *value, int64_t to)
{
	s->changed |= to > *value;
	*value = checked_max(*value, to);
}

/* No claim of the task from here on; `reasons` has one for each bound. */
static void give_up_for(struct settling *s, int index, const char *const *reasons)
{
	const struct task *task = &s->set.tasks[index];
	raise(s, &s->responses[index], NONE);
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (s->set.operations[i].kind == OPERATION_HOST)
			s->delays[i] = NONE;
	if (s->reasons[index] == NULL)
		s->reasons[index] = reasons;
}

static void give_up(struct settling *s, int index, const char *reason)
{
	const char **same = arena_allocate(s->arena, BOUND_COUNT, sizeof *same);
	for (int i = 0; i < BOUND_COUNT; i++)
		same[i] = reason;
	give_up_for(s, index, same);
}

static struct arrivals releases_of(const struct task *task)
{
	return (struct arrivals){&task->arrival, task->arrival.jitter, true};
}

/* ---- what others execute in a window in which a thread is ready and does not: [CORES] */

/* One job's time on the core. */
static int64_t executes(const struct settling *s, int index)
{
	const struct task *task = &s->set.tasks[index];
	int64_t sum = 0;
	if (task_spins(task) && !planted(PLANT_SPINNING))
		return s->responses[index];
	for (int i = 0; i < task->operation_count; i++)
		if (task_operation(&s->set, task, i)->kind == OPERATION_HOST)
			sum = checked_add(sum, task_operation(&s->set, task, i)->wcet);
	return sum;
}

static int64_t interference(const struct settling *s, int index, int64_t window)
{
	const struct task *task = &s->set.tasks[index];
	const struct arrivals releases = releases_of(task);
	int64_t time = executes(s, index), late = planted(PLANT_SUSPENSION) ? 0 : checked_sub(s->responses[index], time);
	int64_t jobs = checked_mul(arrivals_in(&releases, checked_add(window, late)), time);
	return task_reserves(task)
		       ? checked_min(jobs, reservations_most(&s->set, task, window, s->responses[index], s->reserved[task->core - 1].late))
		       : jobs;
}

/* From the begin of a host segment until it is over and what it issued is at the GPU ([SUBMISSION]); NONE where the next job may be
 * released before. */
static int64_t host_time(const struct settling *s, const struct task *task, const struct operation *host)
{
	const struct arrivals releases = releases_of(task);
	int index = (int)(task - s->set.tasks);
	int64_t submission = planted(PLANT_SUBMISSION) ? 0 : taskset_submission(&s->set, task, host);
	if (task_reserves(task)) {
		int64_t late = s->reserved[task->core - 1].late;
		int64_t waits = reservations_waits(&s->set, task, host->wcet, s->responses[index], executes(s, index), late);
		int64_t time = reservations_response(&s->set, task, host->wcet, waits, late);
		return arrivals_in(&releases, time) <= 1 ? checked_add(time, submission) : NONE;
	}
	int64_t blocking = planted(PLANT_PREEMPTION) ? 0 : s->set.cores[task->core - 1].blocking;
	int64_t window = checked_add(blocking, host->wcet), before = 0;
	while (window != before && window != NONE && arrivals_in(&releases, window) <= 1) {
		before = window;
		window = checked_add(blocking, host->wcet);
		for (int i = 0; i < s->set.task_count; i++) {
			const struct task *other = &s->set.tasks[i];
			if (task_interferes(other, task) && !(planted(PLANT_EQUAL_THREADS) && other->fifo == task->fifo))
				window = checked_add(window, interference(s, i, before));
		}
	}
	return window == before ? checked_add(window, submission) : NONE;
}

/* Another thread that spins at the task's priority, where it spins, too: each waits for the other's whole response. */
static const struct task *equal_spinner(const struct settling *s, const struct task *task)
{
	for (int i = 0; i < s->set.task_count; i++)
		if (task_interferes(&s->set.tasks[i], task) && s->set.tasks[i].fifo == task->fifo && task_spins(&s->set.tasks[i]))
			return task_spins(task) ? &s->set.tasks[i] : NULL;
	return NULL;
}

static const char *too_busy(const struct settling *s, const struct task *task, const struct operation *host)
{
	const struct task *equal = equal_spinner(s, task);
	if (equal != NULL)
		return arena_format(s->arena,
			"task:%s and task:%s spin at one priority, and each may wait for all of the other: give them different priorities, "
			"or "
			"waiting=\"suspend\"",
			task->id, equal->id);
	if (task_reserves(task) && s->reserved[task->core - 1].late > task->sched_period)
		return arena_format(s->arena,
			"the blocking of core:%s, with what its sched-unit gives, is longer than the sched-period of task:%s: give it a "
			"longer "
			"one",
			s->set.cores[task->core - 1].id, task->id);
	if (task_reserves(task))
		return arena_format(s->arena,
			"%s may not be complete in its thread's reservation before the next job is released: give it more sched-runtime, "
			"or an "
			"earlier sched-deadline",
			host->id);
	return arena_format(s->arena, "the core may be too busy for %s before the next job is released", host->id);
}

static const char *overbooked(const struct settling *s, const struct task *task)
{
	const struct task *brief = reservations_short(&s->set, task->core - 1, s->reserved[task->core - 1].late);
	const struct task *restless = reservations_restless(&s->set, task->core - 1, s->responses);
	if (restless != NULL)
		return arena_format(s->arena,
			"nothing says how often the thread of task:%s wakes, and by the sched-unit of core:%s its reservation may grow "
			"each "
			"time: give its host segments a bcet",
			restless->id, s->set.cores[task->core - 1].id);
	if (brief != NULL)
		return arena_format(s->arena,
			"the sched-overrun of core:%s is no less than the sched-runtime of task:%s, or all of them and its blocking are "
			"more "
			"than its sched-period: give it longer ones, or switch hrtick on",
			s->set.cores[task->core - 1].id, brief->id);
	return arena_format(s->arena,
		"core:%s has reservations of more than all of it, their sched-runtimes divided by their sched-deadlines, and twice its "
		"sched-unit for each time that their threads may wake in a sched-period, divided by that: give some a "
		"shorter "
		"runtime or a later deadline, or another core",
		s->set.cores[task->core - 1].id);
}

static void delay(struct settling *s, int index)
{
	const struct task *task = &s->set.tasks[index];
	struct reserved *reserved = &s->reserved[task->core - 1];
	*reserved = reservations_find(&s->set, task->core - 1, s->responses);
	if (!reservations_fit(reserved) || reservations_short(&s->set, task->core - 1, reserved->late) != NULL) {
		give_up(s, index, overbooked(s, task));
		return;
	}
	for (int i = 0; i < s->set.task_count; i++)
		if (task_interferes(&s->set.tasks[i], task) && s->responses[i] == NONE && !task_reserves(&s->set.tasks[i])) {
			give_up(s, index,
				arena_format(s->arena, "task:%s may keep its thread from the core, and has no bound", s->set.tasks[i].id));
			return;
		}
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
		const struct operation *host = &s->set.operations[i];
		if (host->kind != OPERATION_HOST)
			continue;
		int64_t time = host_time(s, task, host);
		if (time == NONE) {
			give_up(s, index, too_busy(s, task, host));
			return;
		}
		raise(s, &s->delays[i], checked_sub(time, host->wcet));
	}
}

/* ---- the fixed point with the GPU */

/* Why the analysis of the GPU has no bound, copied, as that analysis does not last. */
static const char *const *reasons_of(const struct settling *s, const struct response_of *result)
{
	const char **reasons = arena_allocate(s->arena, BOUND_COUNT, sizeof *reasons);
	for (int i = 0; i < BOUND_COUNT; i++) {
		assert(result->bounds[i].reason != NULL);
		reasons[i] = arena_format(s->arena, "%s", result->bounds[i].reason);
	}
	return reasons;
}

/* The winner's, from the release; where jobs may overlap the thread begins the later one late, and nothing is claimed. */
static void respond(struct settling *s, int index, const struct response_of *result)
{
	const struct task *task = &s->set.tasks[index];
	const struct arrivals releases = releases_of(task);
	if (result->winner < 0) {
		give_up_for(s, index, reasons_of(s, result));
		return;
	}
	raise(s, &s->responses[index], result->bounds[result->winner].value);
	s->changed |= (result->assumptions & ~s->times.assumptions) != 0;
	s->times.assumptions |= result->assumptions;
	if (arrivals_in(&releases, s->responses[index]) > 1)
		give_up(s, index, "a job may last until the next one is released: its thread is late for that one");
}

/* The responses with these delays. */
static void analyse(struct settling *s)
{
	struct arena *scratch = arena_create();
	struct derivation mute;
	derivation_init_mute(&mute);
	struct inflation *inflation = inflation_compute_limited(scratch, s->platform, &s->set, s->map, &mute, s->solver_iterations, NULL);
	struct response *response =
		response_compute_limited(scratch, s->platform, &s->set, s->map, inflation, &mute, s->solver_iterations, NULL);
	for (int i = 0; i < s->set.task_count; i++)
		if (s->set.tasks[i].core > 0 && s->responses[i] != NONE)
			respond(s, i, &response->tasks[i]);
	arena_destroy(scratch);
}

static void round_of(struct settling *s)
{
	s->changed = false;
	analyse(s);
	for (int i = 0; i < s->set.task_count; i++)
		if (s->set.tasks[i].core > 0 && s->responses[i] != NONE)
			delay(s, i);
}

static bool claims_anything(const struct settling *s)
{
	bool found = false;
	for (int i = 0; i < s->set.task_count; i++)
		found |= s->set.tasks[i].core > 0 && s->responses[i] != NONE;
	return found;
}

const struct taskset *cores_settle(
	struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map, int solver_iterations)
{
	struct settling *s = arena_allocate(arena, 1, sizeof *s);
	*s = (struct settling){.arena = arena,
		.platform = platform,
		.map = map,
		.solver_iterations = solver_iterations,
		.set = *set,
		.delays = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *s->delays),
		.responses = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *s->responses),
		.reasons = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *s->reasons),
		.reserved = arena_allocate(arena, (size_t)set->core_count, sizeof *s->reserved)};
	s->times = (struct core_times){s->delays, s->responses, s->reasons, s->reserved, 0};
	if (taskset_concerns(set, ASSUMPTION_DEADLINE))
		s->times.assumptions = assumption_bit(ASSUMPTION_DEADLINE);
	s->set.core_times = &s->times;
	int rounds = 0;
	do
		round_of(s);
	while (s->changed && ++rounds < ROUNDS);
	for (int i = 0; i < set->task_count && s->changed; i++)
		if (set->tasks[i].core > 0)
			give_up(s, i, "delays on the core and responses on the GPU did not converge within the limit of rounds");
	if (!claims_anything(s))
		s->times.assumptions = 0;
	return &s->set;
}
