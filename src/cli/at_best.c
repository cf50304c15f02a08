#include "cli/at_best.h"

#include "response/analysis.h"
#include "response/whole_kernels.h"

#include <string.h>

#define SOLVER_ITERATIONS 1000

/* What was filled in has no source. Numbers that are the better the smaller they are, are the least that they may be. */
static struct platform *best_of(struct arena *arena, const struct missing_facts *facts)
{
	struct platform *best = arena_allocate(arena, 1, sizeof *best);
	size_t count = (size_t)facts->filled->interference_count;
	struct interference_entry *entries = arena_allocate(arena, count + 1, sizeof *entries);
	*best = *facts->filled;
	for (size_t i = 0; i < count; i++) {
		entries[i] = best->interference[i];
		if (entries[i].evidence[0] == '\0')
			entries[i].factor = rational_of(1);
	}
	best->interference = entries;
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		struct quantity *quantity = &best->parameters[i];
		bool filled = quantity->present && quantity->source != NULL && quantity->source[0] == '\0';
		if (filled && parameter_kinds[i].lessened) {
			quantity->value = parameter_kinds[i].least;
			quantity->exact = rational_of(parameter_kinds[i].least);
		}
	}
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (!platform_grants(best, (enum assumption)i))
			best->assumptions[i].status = STATUS_ASSUMED;
	return best;
}

/* Times that follow from programs are not known here; slices that are not stated may be any. */
static bool is_known(const struct platform *best, const struct taskset *set)
{
	const struct quantity *slice = &best->parameters[PARAMETER_RUNLIST_TIMESLICE];
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].wcet == NONE)
			return false;
	return !slice->present || slice->source == NULL || slice->source[0] != '\0';
}

/* The advice up to what points to --explain, which needs a bound's numbers. */
static const char *reason_of(struct arena *arena, const struct response_of *result)
{
	const char *advice = result->advice != NULL ? result->advice : "";
	static const char before[] = "no bound: ";
	advice += strncmp(advice, before, strlen(before)) == 0 ? strlen(before) : 0;
	const char *end = strstr(advice, "; --explain");
	size_t length = end != NULL ? (size_t)(end - advice) : strlen(advice);
	return arena_format(arena, "%.*s", (int)length, advice);
}

static int context_of(const struct costs *costs, const struct task *task)
{
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (costs->operations[i].context != NO_ID)
			return costs->operations[i].context;
	return NO_ID;
}

static struct at_best_task look_at(struct arena *arena, const struct platform *best, const struct taskset *set, const struct map *map,
	const struct response *response, int task)
{
	const struct costs *costs = response->basis.costs;
	struct at_best_task found = {.id = set->tasks[task].id, .reason = reason_of(arena, &response->tasks[task])};
	int context = context_of(costs, &set->tasks[task]);
	struct whole_kernel whole = {NO_ID, 0};
	if (context != NO_ID)
		whole = whole_kernels_worst(best, set, costs, map, context);
	found.kernel = whole.operation == NO_ID ? NULL : set->operations[whole.operation].id;
	found.times = whole.times;
	return found;
}

struct at_best at_best_find(struct arena *arena, const struct missing_facts *facts, const struct taskset *set)
{
	struct at_best found = {.tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *found.tasks)};
	const struct platform *best = best_of(arena, facts);
	if (!is_known(best, set))
		return found;
	struct map *map = map_build(arena, best, set);
	struct derivation mute;
	derivation_init_mute(&mute);
	struct analysis analysis = analysis_compute(arena, best, set, map, &mute, SOLVER_ITERATIONS, NULL);
	for (int t = 0; t < set->task_count; t++)
		if (!verdict_meets(analysis.response->tasks[t].verdict))
			found.tasks[found.count++] = look_at(arena, best, set, map, analysis.response, t);
	found.all = found.count == set->task_count;
	return found;
}
