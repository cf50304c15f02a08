/* Contexts that have priorities ([P-PRIO]) or interleave levels. */
#include "input/validate_rules.h"

#include "model/limits.h"
#include "model/taskset.h"

#include <inttypes.h>

/* Somebody does not wait for a turn of his equals: the runlist has one entry at a time. */
static void hold_different(const struct validation *validation, int index)
{
	const struct taskset *set = validation->set;
	const struct application *application = &set->applications[index];
	for (int i = 0; i < index && application->priority != NONE; i++)
		if (set->applications[i].priority == application->priority) {
			diagnose(validation->diagnostics, DIAGNOSTIC_CONTEXT_PRIORITY, set->path, application->line,
				"applications '%s' and '%s' have the priority %" PRId64 "; expected another one for each",
				set->applications[i].id, application->id, application->priority);
			return;
		}
}

static void hold_nothing_else(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	const char *beside = set->merged_context        ? "mps=\"merged\" makes one context of all applications"
			     : set->hold_count > 0      ? "work is done under a lock"
			     : set->partition_count > 0 ? "SMs are parted"
							: NULL;
	for (int i = 0; i < set->application_count && beside != NULL; i++)
		if (set->applications[i].priority != NONE) {
			diagnose(validation->diagnostics, DIAGNOSTIC_CONTEXT_PRIORITY, set->path, set->applications[i].line,
				"application '%s' has a priority, and %s; expected one of the two", set->applications[i].id, beside);
			return;
		}
}

/* The published driver puts back what waits in place of what runs, when a best-effort job is done. */
static void hold_best_effort(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	const struct application *first = NULL;
	for (int i = 0; i < set->application_count && set->ranked && !set->best_effort_slices; i++) {
		const struct application *application = &set->applications[i];
		if (application->priority != NONE || taskset_context(set, i) != i)
			continue;
		if (first != NULL) {
			diagnose(validation->diagnostics, DIAGNOSTIC_BEST_EFFORT_CONTEXTS, set->path, application->line,
				"applications '%s' and '%s' have no priority beside others with one: as GCAPS was published, the first "
				"of them that is done takes the other one off the runlist, which then waits for ever; expected a "
				"priority "
				"for all but one, or best-effort-contexts=\"slices\" where the driver keeps all of them",
				first->id, application->id);
			return;
		}
		first = application;
	}
}

/* Turns in a round of the runlist, if each application has an entry for copies, too ([BETWEEN]). */
static int64_t round_of(const struct taskset *set)
{
	int64_t of[INTERLEAVE_COUNT] = {0};
	for (int i = 0; i < set->application_count; i++)
		of[set->applications[i].interleave] += taskset_context(set, i) == i ? 2 : 0;
	int64_t medium = checked_mul(of[INTERLEAVE_MEDIUM], of[INTERLEAVE_HIGH] + 1);
	return checked_add(medium, checked_mul(of[INTERLEAVE_LOW], checked_add(medium, of[INTERLEAVE_HIGH] + 1)));
}

/* Levels are about turns that contexts have, in a list that is not too long. */
static void hold_levels(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	const char *beside = set->merged_context ? "mps=\"merged\" makes one context of all applications"
			     : set->ranked       ? "applications have priorities"
						 : NULL;
	for (int i = 0; i < set->application_count && beside != NULL; i++)
		if (set->applications[i].interleave != INTERLEAVE_LOW) {
			diagnose(validation->diagnostics, DIAGNOSTIC_INTERLEAVE, set->path, set->applications[i].line,
				"application '%s' has an interleave level, and %s; expected one of the two", set->applications[i].id,
				beside);
			return;
		}
	if (set->interleaved && round_of(set) > LIMIT_ROUND)
		diagnose(validation->diagnostics, DIAGNOSTIC_INTERLEAVE, set->path, set->applications[0].line,
			"with these interleave levels a round of the runlist may have %" PRId64 " turns; expected %d at most",
			round_of(set), LIMIT_ROUND);
}

/* What is the context's is said once, in its first application. */
static void hold_client(const struct validation *validation, int index)
{
	const struct taskset *set = validation->set;
	const struct application *client = &set->applications[index], *first = &set->applications[taskset_context(set, index)];
	if (client->server == NULL)
		return;
	if (set->merged_context)
		diagnose(validation->diagnostics, DIAGNOSTIC_MPS_SERVER, set->path, client->line,
			"application '%s' names the MPS server '%s', and mps=\"merged\" says that all are clients of one; expected one of "
			"the two",
			client->id, client->server);
	else if (client != first && (client->timeslice != NONE || client->priority != NONE || client->interleave != INTERLEAVE_LOW))
		diagnose(validation->diagnostics, DIAGNOSTIC_MPS_SERVER, set->path, client->line,
			"application '%s' has a time slice, a priority or a level, and is a client of the MPS server '%s', whose context "
			"has one "
			"of each; expected it in '%s', the first client, alone",
			client->id, client->server, first->id);
}

static bool is_held(const struct taskset *set, const struct task *task, int index)
{
	return index >= 0 && index < task->operation_count && task_operation(set, task, index)->held;
}

static bool is_gpu(const struct taskset *set, const struct task *task, int index)
{
	return index >= 0 && index < task->operation_count && task_operation(set, task, index)->kind != OPERATION_HOST;
}

/* A host segment that holds the GPU is next to work for it, or to one that is. */
static void hold_next(const struct validation *validation, const struct task *task, int index)
{
	const struct taskset *set = validation->set;
	int first = index, last = index;
	while (is_held(set, task, first - 1))
		first--;
	while (is_held(set, task, last + 1))
		last++;
	if (first == index && !is_gpu(set, task, first - 1) && !is_gpu(set, task, last + 1))
		diagnose(validation->diagnostics, DIAGNOSTIC_HELD_APART, set->path, task_operation(set, task, index)->line,
			"'%s' of task '%s' holds the GPU, and no work on it is next to it; expected it right before such work, or right "
			"behind",
			task_operation(set, task, index)->id, task->id);
}

void rules_contexts(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	for (int i = 0; i < set->application_count; i++) {
		hold_client(validation, i);
		hold_different(validation, i);
	}
	hold_nothing_else(validation);
	hold_best_effort(validation);
	hold_levels(validation);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			if (is_held(set, &set->tasks[t], i))
				hold_next(validation, &set->tasks[t], i);
}
