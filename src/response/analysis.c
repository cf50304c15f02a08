/* Rounds of inflation and response, each from what the one before has proved. */
#include "response/analysis.h"

#include "base/plant.h"
#include "interference/environment.h"
#include "response/arrival.h"

#include <stddef.h>

#define ROUNDS 16
#define ITERATIONS 10000

struct analyzer {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	struct derivation *derivation;
	int solver_iterations, without;
};

/* ---- how long copies may run beside a block */

/* Time on copy engines that one job's copies take, of those that may be beside the victim. */
static int64_t copies_of_job(
	const struct platform *platform, const struct taskset *set, const struct inflation *inflation, int victim, const struct task *task)
{
	int64_t sum = 0, overhead = platform_value(platform, PARAMETER_OVERHEAD_COPY);
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (environment_copies_beside(platform, set, victim, i))
			sum = checked_add(sum, checked_add(inflation->operations[i].wcet, overhead));
	return sum;
}

static int64_t copies_in(const struct platform *platform, const struct taskset *set, const struct inflation *inflation, int victim,
	const int64_t *responses, int64_t window)
{
	int64_t sum = 0;
	for (int t = 0; t < set->task_count; t++) {
		int64_t each = copies_of_job(platform, set, inflation, victim, &set->tasks[t]);
		struct arrivals arrivals = {&set->tasks[t].arrival, set->tasks[t].arrival.jitter, true};
		if (each == 0)
			continue;
		int64_t reach = planted(PLANT_CARRIED) ? window : checked_add(window, responses[t]);
		sum = checked_add(sum, checked_mul(arrivals_in(&arrivals, reach), each));
	}
	return sum;
}

int64_t analysis_beside_copies(const struct platform *platform, const struct taskset *set, const struct inflation *inflation, int operation,
	const int64_t *responses)
{
	const struct inflated *inflated = &inflation->operations[operation];
	if (inflated->wcet == NONE || rational_is_none(inflated->idle))
		return NONE;
	struct rational lost = rational_sub(rational_of(1), rational_div(inflated->idle, inflated->factor));
	int64_t base = rational_scale_up(set->operations[operation].wcet, inflated->idle), wcet = base;
	for (int i = 0; i < ITERATIONS && wcet < inflated->wcet; i++) {
		int64_t beside = checked_min(wcet, copies_in(platform, set, inflation, operation, responses, wcet));
		int64_t next = checked_add(base, rational_scale_up(beside, lost));
		if (next <= wcet)
			return wcet;
		wcet = next;
	}
	return NONE;
}

/* ---- rounds */

static int context_of(const struct taskset *set, const struct operation *operation)
{
	return set->merged_context ? 0 : set->streams[operation->stream].application;
}

/* With slices a block stands still while copies go on, and a stop stretches it: its window would be longer than its WCET. */
static bool stands_still(const struct platform *platform, const struct taskset *set)
{
	int context = NO_ID;
	for (int i = 0; i < set->operation_count; i++) {
		if (!environment_is_compute(platform, &set->operations[i]))
			continue;
		int of = context_of(set, &set->operations[i]);
		if (context != NO_ID && of != context)
			return true;
		context = of;
	}
	return platform->copy_runlist != COPY_RUNLIST_OWN || platform->parameters[PARAMETER_STOPS_LENGTH].present;
}

static struct inflation_beside_copies claim(struct arena *arena, const struct taskset *set, const struct response *response)
{
	struct inflation_beside_copies beside = {arena_allocate(arena, (size_t)set->operation_count + 1, sizeof(int64_t)),
		arena_allocate(arena, (size_t)set->task_count + 1, sizeof(int64_t)),
		arena_allocate(arena, (size_t)set->task_count + 1, sizeof(uint64_t))};
	for (int t = 0; t < set->task_count; t++) {
		const struct response_of *of = &response->tasks[t];
		beside.responses[t] = of->winner < 0 ? NONE : of->bounds[of->winner].value;
		beside.assumptions[t] = of->assumptions;
	}
	return beside;
}

static bool is_confirmed(
	const struct taskset *set, const struct inflation_beside_copies *claimed, const struct inflation_beside_copies *found)
{
	for (int t = 0; t < set->task_count; t++)
		if (claimed->responses[t] != found->responses[t] || claimed->assumptions[t] != found->assumptions[t])
			return false;
	return true;
}

/* first: with whole factors. False: copies make no block's WCET less. */
static bool find_wcets(const struct analyzer *a, const struct inflation *first, struct inflation_beside_copies *beside)
{
	bool any = false;
	for (int i = 0; i < a->set->operation_count; i++) {
		beside->wcets[i] = analysis_beside_copies(a->platform, a->set, first, i, beside->responses);
		any |= beside->wcets[i] != NONE;
	}
	return any;
}

static struct analysis run(const struct analyzer *a, struct diagnostics *diagnostics, const struct inflation_beside_copies *beside)
{
	struct analysis analysis;
	analysis.inflation =
		inflation_compute_limited(a->arena, a->platform, a->set, a->map, a->derivation, a->solver_iterations, diagnostics, beside);
	analysis.response = response_compute_without(
		a->arena, a->platform, a->set, a->map, analysis.inflation, a->derivation, a->solver_iterations, diagnostics, a->without);
	return analysis;
}

struct analysis analysis_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics)
{
	return analysis_compute_without(arena, platform, set, map, derivation, solver_iterations, diagnostics, 0);
}

struct analysis analysis_compute_without(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics, int without)
{
	struct analyzer a = {arena, platform, set, map, derivation, solver_iterations, without};
	const struct derivation empty = *derivation;
	struct analysis first = run(&a, diagnostics, NULL);
	struct derivation whole = *derivation;
	struct inflation_beside_copies claimed = claim(arena, set, first.response);
	for (int round = 0; round < ROUNDS && (without & REFINEMENT_BESIDE) == 0 && !stands_still(platform, set) &&
			    find_wcets(&a, first.inflation, &claimed);
		round++) {
		*derivation = empty;
		struct analysis next = run(&a, NULL, &claimed);
		struct inflation_beside_copies found = claim(arena, set, next.response);
		if (is_confirmed(set, &claimed, &found))
			return next;
		claimed = found;
	}
	*derivation = whole;
	return first;
}
