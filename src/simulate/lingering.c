/* Whose threads may take their time between the operations that they issue. */
#include "simulate/lingering.h"

/* Does one of the two wait for the other where it was issued behind that? */
static bool ordered(const struct taskset *set, const struct operation *mine, const struct operation *other)
{
	if (mine->stream == NO_ID || other->stream == NO_ID)
		return false;
	const struct stream *theirs = &set->streams[other->stream], *own = &set->streams[mine->stream];
	bool legacy = theirs->kind != STREAM_NON_BLOCKING && own->kind != STREAM_NON_BLOCKING &&
		      (theirs->kind == STREAM_NULL || own->kind == STREAM_NULL);
	return mine->stream == other->stream || (legacy && theirs->application == own->application);
}

static bool are_ordered(const struct taskset *set, const struct task *task, const struct task *other)
{
	for (int i = 0; i < task->operation_count; i++)
		for (int j = 0; j < other->operation_count; j++)
			if (ordered(set, task_operation(set, task, i), task_operation(set, other, j)))
				return true;
	return false;
}

bool *lingering_order(struct arena *arena, const struct taskset *set)
{
	size_t count = (size_t)set->task_count;
	bool *order = arena_allocate(arena, count * count + 1, sizeof *order);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			order[i * count + k] = are_ordered(set, &set->tasks[i], &set->tasks[k]);
	return order;
}

static bool is_alone(const struct taskset *set, const struct task *task)
{
	for (int t = 0; t < set->task_count; t++)
		if (&set->tasks[t] != task && are_ordered(set, task, &set->tasks[t]))
			return false;
	return true;
}

static bool may_linger(const struct taskset *set, const struct task *task)
{
	if (task->operation_count < 2)
		return false;
	for (int i = 0; i < task->operation_count; i++)
		if (task_operation(set, task, i)->hold != 0)
			return false;
	return true;
}

/* Does the thread issue to one stream, or to the NULL stream and one beside it, before and behind this point, no host segment between? */
static bool parts_stream(const struct taskset *set, const struct task *task, int point)
{
	for (int i = point - 1; i >= 0 && task_operation(set, task, i)->kind != OPERATION_HOST; i--)
		for (int j = point; j < task->operation_count && task_operation(set, task, j)->kind != OPERATION_HOST; j++)
			if (ordered(set, task_operation(set, task, i), task_operation(set, task, j)))
				return true;
	return false;
}

bool *lingering_find(struct arena *arena, const struct taskset *set)
{
	bool *pauses = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *pauses);
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		bool lingers = may_linger(set, task), anywhere = lingers && (task->core == 0 || is_alone(set, task));
		for (int i = 0; i < task->operation_count && lingers; i++)
			pauses[task->first_operation + i] = anywhere || !parts_stream(set, task, i);
	}
	return pauses;
}
