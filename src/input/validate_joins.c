/* Synchronous calls: the thread that calls goes on when the operation is complete, and then all that its job issued before has to be.
 *
 * Backwards from the call to where the job went on before it: an operation is complete with the call if one behind it that is waits for
 * it, on its stream, by an event, or across the NULL stream ([D-RULES] D10). */
#include "input/validate_rules.h"

#include <stddef.h>

struct ordered { /* what some operation that is complete with the call waits for; marks are of the call that they are equal to */
	int *stream, *event;
	int null, blocking; /* one of the NULL stream is among them; one of a blocking stream */
};

static bool is_before(const struct taskset *set, const struct ordered *ordered, const struct operation *operation, int call)
{
	enum stream_kind kind = set->streams[operation->stream].kind;
	return ordered->stream[operation->stream] == call || (kind == STREAM_BLOCKING && ordered->null == call) ||
	       (kind == STREAM_NULL && ordered->blocking == call) ||
	       (operation->kind == OPERATION_RECORD && operation->event != NO_ID && ordered->event[operation->event] == call);
}

static void add(const struct taskset *set, struct ordered *ordered, const struct operation *operation, int call)
{
	enum stream_kind kind = set->streams[operation->stream].kind;
	ordered->stream[operation->stream] = call;
	ordered->null = kind == STREAM_NULL ? call : ordered->null;
	ordered->blocking = kind == STREAM_BLOCKING ? call : ordered->blocking;
	if (operation->kind == OPERATION_WAIT && operation->event != NO_ID)
		ordered->event[operation->event] = call;
}

/* From the call back to the host segment or the call before it. */
static void hold_call(const struct validation *validation, struct ordered *ordered, const struct task *task, int call)
{
	const struct taskset *set = validation->set;
	const struct operation *calling = &set->operations[call];
	add(set, ordered, calling, call);
	for (int i = call - 1; i >= task->first_operation; i--) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind == OPERATION_HOST || operation->copy.synchronous)
			return;
		if (is_before(set, ordered, operation, call)) {
			add(set, ordered, operation, call);
			continue;
		}
		diagnose(validation->diagnostics, DIAGNOSTIC_SYNCHRONOUS_BESIDE, set->path, calling->line,
			"the synchronous call of '%s' returns while '%s', issued before it on stream '%s', may still run; expected all "
			"that is issued before to be complete then: let stream '%s' wait for an event recorded behind '%s', or put a "
			"<host> segment before the call",
			calling->id, operation->id, set->streams[operation->stream].id, set->streams[calling->stream].id, operation->id);
		return;
	}
}

static bool issues_behind(const struct taskset *set, const struct task *task, int call)
{
	for (int i = call + 1; i < task->operation_count; i++)
		if (task_operation(set, task, i)->kind != OPERATION_HOST)
			return true;
	return false;
}

/* A host segment behind a call is what its thread does as the call returns, and waits for no more than the call does. */
void rules_joins(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	struct arena *arena = validation->diagnostics->arena;
	struct ordered ordered = {arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *ordered.stream),
		arena_allocate(arena, (size_t)set->event_count + 1, sizeof *ordered.event), -1, -1};
	for (int i = 0; i < set->stream_count; i++)
		ordered.stream[i] = -1;
	for (int i = 0; i < set->event_count; i++)
		ordered.event[i] = -1;
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			if (task_returns(set, &set->tasks[t], i) && issues_behind(set, &set->tasks[t], i))
				hold_call(validation, &ordered, &set->tasks[t], set->tasks[t].first_operation + i);
}
