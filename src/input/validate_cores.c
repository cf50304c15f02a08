/* Tasks with a core: a thread's priority or reservation, and what its calls cost it. */
#include "input/validate_rules.h"

#include "model/taskset.h"

#include <inttypes.h>

static void hold_priority(const struct validation *validation, const struct task *task)
{
	bool asked = task->core > 0, reserves = task->sched_runtime != 0 || task->sched_deadline != 0 || task->sched_period != 0;
	if (asked != ((task->fifo > 0) != reserves) || (!asked && (reserves || task->suspends)))
		diagnose(validation->diagnostics, DIAGNOSTIC_CORE_PRIORITY, validation->set->path, task->line, "task '%s': expected %s",
			task->id,
			!asked     ? "neither fifo-priority, a reservation (sched-runtime) nor waiting=\"suspend\" without a core"
			: reserves ? "a fifo-priority or a reservation (sched-runtime) of its thread, and not both"
				   : "a fifo-priority or a reservation (sched-runtime) of its thread on its core");
	if (reserves &&
		(task->sched_runtime < 1 || task->sched_deadline < task->sched_runtime || task->sched_period < task->sched_deadline))
		diagnose(validation->diagnostics, DIAGNOSTIC_CORE_RESERVATION, validation->set->path, task->line,
			"task '%s': expected 0ns < sched-runtime <= sched-deadline <= sched-period; got %" PRId64 "ns, %" PRId64
			"ns and %" PRId64 "ns",
			task->id, task->sched_runtime, task->sched_deadline, task->sched_period);
}

/* What is issued behind this operation, or first, is issued by a host segment that stands before it. */
static void hold_launch(const struct validation *validation, const struct task *task, int index)
{
	const struct operation *operation = task_operation(validation->set, task, index);
	if (operation->kind == OPERATION_HOST || (index > 0 && !task_returns(validation->set, task, index - 1)))
		return;
	diagnose(validation->diagnostics, DIAGNOSTIC_CORE_LAUNCH, validation->set->path, operation->line,
		"nothing says what it costs to issue '%s' on the core of task '%s'; expected a <host> before it whose wcet contains the "
		"call",
		operation->id, task->id);
}

void rules_cores(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		hold_priority(validation, task);
		for (int i = 0; i < task->operation_count && task->core > 0; i++) {
			const struct operation *operation = task_operation(set, task, i);
			hold_launch(validation, task, i);
			if (operation->hold != 0)
				diagnose(validation->diagnostics, DIAGNOSTIC_CORE_LOCK, set->path, operation->line,
					"'%s' is under a lock, and its task '%s' has a core; expected one of the two", operation->id,
					task->id);
		}
	}
}
