/* Events: who records, who waits, and whether that can ever come together. */
#include "input/validate_rules.h"

#include <stddef.h>

/* Of each event the operation that records it, of each operation its task; indices plus one, 0: none. */
struct uses {
	int *record_of, *task_of;
	bool *waited, *ambiguous;
};

static struct uses find_uses(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	struct arena *arena = validation->diagnostics->arena;
	size_t events = (size_t)set->event_count + 1, operations = (size_t)set->operation_count + 1;
	struct uses uses = {
		.record_of = arena_allocate(arena, events, sizeof *uses.record_of),
		.task_of = arena_allocate(arena, operations, sizeof *uses.task_of),
		.waited = arena_allocate(arena, events, sizeof *uses.waited),
		.ambiguous = arena_allocate(arena, events, sizeof *uses.ambiguous),
	};
	for (int i = 0; i < set->task_count; i++)
		for (int k = 0; k < set->tasks[i].operation_count; k++)
			uses.task_of[set->tasks[i].first_operation + k] = i;
	return uses;
}

static void note_record(const struct validation *validation, struct uses *uses, int index)
{
	const struct taskset *set = validation->set;
	const struct operation *operation = &set->operations[index];
	int *record = &uses->record_of[operation->event];
	if (*record == 0) {
		*record = index + 1;
		return;
	}
	uses->ambiguous[operation->event] = true;
	diagnose(validation->diagnostics, DIAGNOSTIC_EVENT_RECORDED_TWICE, set->path, operation->line,
		"'%s' records event '%s', which '%s' records already", operation->id, set->events[operation->event],
		set->operations[*record - 1].id);
}

/* Between jobs of two tasks only a common period says which record a wait means. */
static bool share_period(const struct task *a, const struct task *b)
{
	return a->arrival.kind == ARRIVAL_PERIODIC && b->arrival.kind == ARRIVAL_PERIODIC && a->arrival.period == b->arrival.period;
}

static bool share_context(const struct taskset *set, const struct task *a, const struct task *b)
{
	return a->application != NO_ID && b->application != NO_ID &&
	       taskset_context(set, a->application) == taskset_context(set, b->application);
}

static void hold_pair(const struct validation *validation, const struct uses *uses, int record, int wait)
{
	const struct taskset *set = validation->set;
	const struct operation *from = &set->operations[record], *to = &set->operations[wait];
	const struct task *recorder = &set->tasks[uses->task_of[record]], *waiter = &set->tasks[uses->task_of[wait]];
	if (recorder == waiter && wait < record)
		diagnose(validation->diagnostics, DIAGNOSTIC_WAIT_BEFORE_RECORD, set->path, to->line,
			"'%s' waits for event '%s', which task '%s' records only afterwards, in '%s'", to->id, set->events[to->event],
			waiter->id, from->id);
	else if (recorder->application != waiter->application && !share_context(set, recorder, waiter))
		diagnose(validation->diagnostics, DIAGNOSTIC_EVENT_ACROSS_APPLICATIONS, set->path, to->line,
			"'%s' waits for event '%s', which task '%s' of another application records", to->id, set->events[to->event],
			recorder->id);
	else if (recorder != waiter && !share_period(recorder, waiter))
		diagnose(validation->diagnostics, DIAGNOSTIC_EVENT_ACROSS_PERIODS, set->path, to->line,
			"'%s' of task '%s' waits for event '%s' of task '%s', and the two are not periodic with one period; in the place "
			"of the "
			"event write, behind all tasks, for the value that is there <chain id=\"%s\" kind=\"age\" deadline=\"...\">"
			"<member task=\"%s\"/><member task=\"%s\"/></chain>, or for each value once <member task=\"%s\" via=\"queue\"/>; "
			"if a "
			"host thread waits for both, it is a task of its own between them",
			to->id, waiter->id, set->events[to->event], recorder->id, set->events[to->event], recorder->id, waiter->id,
			waiter->id);
}

static void hold_wait(const struct validation *validation, struct uses *uses, int index)
{
	const struct taskset *set = validation->set;
	const struct operation *operation = &set->operations[index];
	uses->waited[operation->event] = true;
	if (uses->record_of[operation->event] == 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_EVENT_NEVER_RECORDED, set->path, operation->line,
			"'%s' waits for event '%s', which no operation records", operation->id, set->events[operation->event]);
	else if (!uses->ambiguous[operation->event])
		hold_pair(validation, uses, uses->record_of[operation->event] - 1, index);
}

void rules_events(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	struct uses uses = find_uses(validation);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_RECORD && set->operations[i].event != NO_ID)
			note_record(validation, &uses, i);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_WAIT && set->operations[i].event != NO_ID)
			hold_wait(validation, &uses, i);
	for (int i = 0; i < set->event_count; i++)
		if (!uses.waited[i])
			diagnose(validation->diagnostics, DIAGNOSTIC_EVENT_UNUSED, set->path,
				uses.record_of[i] > 0 ? set->operations[uses.record_of[i] - 1].line : 0, "nobody waits for event '%s'",
				set->events[i]);
}
