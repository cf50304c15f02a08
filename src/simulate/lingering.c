/* Whose threads may take their time between the operations that they issue. */
#include "simulate/lingering.h"

static bool is_shared(const struct taskset *set, const struct operation *mine, const struct operation *other)
{
	if (other->event != NO_ID && other->event == mine->event)
		return true;
	if (mine->stream == NO_ID || other->stream == NO_ID)
		return false;
	const struct stream *theirs = &set->streams[other->stream];
	bool legacy = theirs->kind == STREAM_NULL || set->streams[mine->stream].kind == STREAM_NULL;
	return mine->stream == other->stream || (legacy && theirs->application == set->streams[mine->stream].application);
}

static bool shares(const struct taskset *set, const struct task *task, const struct task *other)
{
	for (int i = 0; i < task->operation_count; i++)
		for (int j = 0; j < other->operation_count; j++)
			if (is_shared(set, task_operation(set, task, i), task_operation(set, other, j)))
				return true;
	return false;
}

bool task_may_linger(const struct taskset *set, const struct task *task)
{
	if (task->core > 0 || set->end_to_end_count > 0 || task->operation_count < 2)
		return false;
	for (int i = 0; i < task->operation_count; i++)
		if (task_operation(set, task, i)->hold != 0 || task_operation(set, task, i)->held)
			return false;
	for (int t = 0; t < set->task_count; t++)
		if (&set->tasks[t] != task && shares(set, task, &set->tasks[t]))
			return false;
	return true;
}
