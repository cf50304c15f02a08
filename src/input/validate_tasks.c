/* Tasks: arrivals and deadlines; end-to-end flows; origins of numbers. */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define PERIODS_OF_JITTER 1000 /* more jobs at once than this are a mistake, and their bounds useless */
#define STEPS_LIMIT 1024       /* of an arrival curve: its consistency is checked in their square */

/* ---- arrival curves: steps are "in any window of at most this length at most so many" */

/* The least that a window's two parts allow: eta(a + b) <= eta(a) + eta(b). As i grows the other part shrinks. */
static int64_t least_sum(const struct arrival *arrival, int64_t window)
{
	int64_t least = NONE;
	for (int i = 0, j = arrival->step_count - 1; i < arrival->step_count; i++) {
		while (j > 0 && checked_add(arrival->steps[i].window, arrival->steps[j - 1].window) >= window)
			j--;
		if (checked_add(arrival->steps[i].window, arrival->steps[j].window) >= window)
			least = checked_min(least, checked_add(arrival->steps[i].count, arrival->steps[j].count));
	}
	return least;
}

static void hold_consistency(const struct validation *validation, const struct task *task)
{
	for (int i = 0; i < task->arrival.step_count; i++) {
		const struct curve_step *step = &task->arrival.steps[i];
		int64_t least = least_sum(&task->arrival, step->window);
		if (step->count <= least)
			continue;
		diagnose(validation->diagnostics, DIAGNOSTIC_CURVE_INCONSISTENT, validation->set->path, task->line,
			"task '%s': %" PRId64 " releases in windows of %" PRId64
			"ns, but the shorter windows that these consist of hold %" PRId64,
			task->id, step->count, step->window, least);
		return;
	}
}

static void hold_curve(const struct validation *validation, const struct task *task)
{
	const struct arrival *arrival = &task->arrival;
	if (arrival->step_count > STEPS_LIMIT) {
		diagnose(validation->diagnostics, DIAGNOSTIC_CURVE_TOO_LONG, validation->set->path, task->line,
			"task '%s': the arrival curve has %d steps, the limit is %d", task->id, arrival->step_count, STEPS_LIMIT);
		return;
	}
	int64_t last = arrival->steps[arrival->step_count - 1].window;
	if (arrival->period != last)
		diagnose(validation->diagnostics, DIAGNOSTIC_CURVE_HORIZON, validation->set->path, task->line,
			"task '%s': the horizon is %" PRId64 "ns, the last step ends at %" PRId64 "ns: nothing counts the windows between",
			task->id, arrival->period, last);
	hold_consistency(validation, task);
}

/* ---- all arrivals */

/* A least distance that the other numbers do not imply anyway. */
static void hold_least_distance(const struct validation *validation, const struct task *task)
{
	const struct arrival *arrival = &task->arrival;
	int64_t implied = arrival->period - arrival->jitter;
	if (arrival->min_distance > arrival->period)
		diagnose(validation->diagnostics, DIAGNOSTIC_MIN_DISTANCE, validation->set->path, task->line,
			"task '%s': min-distance is %" PRId64 "ns, above the period of %" PRId64 "ns", task->id, arrival->min_distance,
			arrival->period);
	else if (arrival->min_distance < arrival->period && arrival->jitter == 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_MIN_DISTANCE_ALONE, validation->set->path, task->line,
			"task '%s': expected a jitter beside min-distance, or an arrival curve if the period of %" PRId64 "ns is a mean",
			task->id, arrival->period);
	else if (arrival->min_distance < implied)
		diagnose(validation->diagnostics, DIAGNOSTIC_MIN_DISTANCE_IDLE, validation->set->path, task->line,
			"task '%s': min-distance says nothing: by period and jitter no two releases are closer than %" PRId64 "ns",
			task->id, implied);
}

static void hold_distance(const struct validation *validation, const struct task *task)
{
	const struct arrival *arrival = &task->arrival;
	if (arrival->min_distance != NONE)
		hold_least_distance(validation, task);
	if (arrival->kind == ARRIVAL_SPORADIC && arrival->max_distance != NONE && arrival->max_distance < arrival->period)
		diagnose(validation->diagnostics, DIAGNOSTIC_MAX_DISTANCE, validation->set->path, task->line,
			"task '%s': max-distance is %" PRId64 "ns, below the period of %" PRId64 "ns", task->id, arrival->max_distance,
			arrival->period);
}

static void hold_task(const struct validation *validation, const struct task *task)
{
	const struct arrival *arrival = &task->arrival;
	if (task->deadline <= 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_DEADLINE_ZERO, validation->set->path, task->line,
			"task '%s': the deadline has no length", task->id);
	if (task->best_effort && (task->deadline != NONE || task->requirement != NULL))
		diagnose(validation->diagnostics, DIAGNOSTIC_BEST_EFFORT, validation->set->path, task->line,
			"task '%s' is best effort and has a %s: either it needs a bound or it does not", task->id,
			task->deadline != NONE ? "deadline" : "requirement");
	if (arrival->kind == ARRIVAL_CURVE)
		hold_curve(validation, task);
	if (arrival->jitter > checked_mul(arrival->period, PERIODS_OF_JITTER))
		diagnose(validation->diagnostics, DIAGNOSTIC_JITTER_TOO_LARGE, validation->set->path, task->line,
			"task '%s': the jitter is %" PRId64 "ns, more than %d times the period of %" PRId64 "ns", task->id, arrival->jitter,
			PERIODS_OF_JITTER, arrival->period);
	hold_distance(validation, task);
	if (task->offset != NONE && task->offset >= arrival->period)
		diagnose(validation->diagnostics, DIAGNOSTIC_OFFSET_BEYOND_PERIOD, validation->set->path, task->line,
			"task '%s': the offset is %" PRId64 "ns, the period %" PRId64 "ns", task->id, task->offset, arrival->period);
}

void rules_arrivals(const struct validation *validation)
{
	for (int i = 0; i < validation->set->task_count; i++)
		hold_task(validation, &validation->set->tasks[i]);
}

/* ---- end-to-end flows and origins */

/* The tables call whatever is bounded proven; that nothing was asked of it has to be said beside. */
static void hold_deadline(const struct validation *validation, const struct task *task, bool in_chain)
{
	if (task->deadline == NONE && !task->best_effort && !in_chain)
		diagnose(validation->diagnostics, DIAGNOSTIC_NO_DEADLINE, validation->set->path, task->line,
			"task '%s' has no deadline, and counts as proven with any response; add deadline=\"...\", or best-effort=\"true\" "
			"where it needs no bound",
			task->id);
}

static void hold_members(const struct validation *validation, const struct end_to_end *flow, int number, int *last_flow)
{
	for (int i = 0; i < flow->task_count; i++) {
		if (validation->set->tasks[flow->tasks[i]].best_effort)
			diagnose(validation->diagnostics, DIAGNOSTIC_BEST_EFFORT, validation->set->path, flow->line,
				"chain '%s' has task '%s', which is best effort: the chain's deadline needs its bound", flow->id,
				validation->set->tasks[flow->tasks[i]].id);
		if (last_flow[flow->tasks[i]] == number)
			diagnose(validation->diagnostics, DIAGNOSTIC_CHAIN_MEMBER_REPEATED, validation->set->path, flow->line,
				"chain '%s' has task '%s' twice", flow->id, validation->set->tasks[flow->tasks[i]].id);
		last_flow[flow->tasks[i]] = number;
	}
}

void rules_end_to_end(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	int *last_flow = arena_allocate(validation->diagnostics->arena, (size_t)set->task_count + 1, sizeof *last_flow);
	for (int i = 0; i < set->end_to_end_count; i++) {
		const struct end_to_end *flow = &set->end_to_end[i];
		if (flow->deadline == NONE || flow->deadline <= 0)
			diagnose(validation->diagnostics, DIAGNOSTIC_CHAIN_DEADLINE, set->path, flow->line, "chain '%s' has no deadline",
				flow->id);
		hold_members(validation, flow, i + 1, last_flow);
	}
	for (int i = 0; i < set->task_count; i++)
		hold_deadline(validation, &set->tasks[i], last_flow[i] != 0);
}

static const char *missing_of(const struct origin *origin)
{
	if (origin->source != NULL && strcmp(origin->source, PLACEHOLDER_SOURCE) == 0)
		return "is a placeholder of gpubound init: replace the numbers that it stands for, and name where yours come from";
	if (origin->kind == ORIGIN_MEASURED && origin->file == NULL)
		return "is measured, but does not say in which file";
	if (origin->kind == ORIGIN_MEASURED && (origin->samples == NONE || origin->samples == 0))
		return "is measured, but does not say how many samples";
	if (origin->kind == ORIGIN_DECLARED && origin->by == NULL)
		return "is declared, but does not say by whom";
	return NULL;
}

/* ---- stale evidence: measured under other conditions than the model states, or than the first measurement that states them */

static void hold_conditions(const struct validation *validation, const struct origin *origin)
{
	const struct taskset *set = validation->set;
	for (int c = 0; c < CONDITION_COUNT; c++) {
		const char *wanted = validation->platform->conditions[c];
		const char *whose = wanted != NULL ? validation->platform->id : NULL;
		for (int i = 0; i < set->origin_count && wanted == NULL; i++) {
			bool states = set->origins[i].kind == ORIGIN_MEASURED && set->origins[i].conditions[c] != NULL;
			wanted = states ? set->origins[i].conditions[c] : NULL;
			whose = states ? set->origins[i].id : NULL;
		}
		if (origin->conditions[c] != NULL && strcmp(origin->conditions[c], wanted) != 0)
			diagnose(validation->diagnostics, DIAGNOSTIC_EVIDENCE_STALE, set->path, origin->line,
				"origin '%s' was measured with %s '%s'; expected '%s', as '%s' says", origin->id, condition_names[c],
				origin->conditions[c], wanted, whose);
	}
}

static void hold_clock(const struct validation *validation, const struct origin *origin, enum parameter clock, int64_t measured)
{
	int64_t wanted = platform_value(validation->platform, clock);
	if (measured != NONE && wanted != NONE && measured != wanted)
		diagnose(validation->diagnostics, DIAGNOSTIC_EVIDENCE_STALE, validation->set->path, origin->line,
			"origin '%s' was measured with %s at %" PRId64 " Hz; expected %" PRId64 " Hz, as the platform says", origin->id,
			parameter_kinds[clock].name, measured, wanted);
}

static void hold_evidence(const struct validation *validation, const struct origin *origin)
{
	if (origin->kind != ORIGIN_MEASURED)
		return;
	hold_conditions(validation, origin);
	hold_clock(validation, origin, PARAMETER_CLOCK_SM, origin->clock_sm);
	hold_clock(validation, origin, PARAMETER_CLOCK_MEMORY, origin->clock_memory);
}

void rules_origins(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	for (int i = 0; i < set->origin_count; i++) {
		const char *missing = missing_of(&set->origins[i]);
		if (missing != NULL)
			diagnose(validation->diagnostics, DIAGNOSTIC_ORIGIN_INCOMPLETE, set->path, set->origins[i].line, "origin '%s' %s",
				set->origins[i].id, missing);
		hold_evidence(validation, &set->origins[i]);
	}
}
