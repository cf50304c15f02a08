#include "interference/host_response.h"

#include "model/rules.h"

static const struct task *task_of(const struct taskset *set, int index)
{
	const struct task *task = set->tasks;
	while (index >= task->first_operation + task->operation_count)
		task++;
	return task;
}

static int given(struct derivation *derivation, int64_t value, const char *format, const char *first, const char *second)
{
	return derivation_named(derivation, RULE_GIVEN, rational_of(value), format, first, second);
}

struct inputs {
	struct step_input *items;
	int count;
};

static void add(struct inputs *inputs, const char *role, int step)
{
	inputs->items[inputs->count++] = (struct step_input){role, step};
}

/* A task that interferes, or that has a reservation for the segment itself: its claimed response, if there is one, what it executes where
 * it suspends, and its reservation. */
static void add_task(struct inputs *inputs, const struct taskset *set, int index, struct derivation *derivation)
{
	const struct task *task = &set->tasks[index];
	int64_t response = set->core_times->responses[index];
	if (response != NONE)
		add(inputs, "R", derivation_named(derivation, RULE_CLAIM_TASK, rational_of(response), "task:%s", task->id, NULL));
	for (int i = 0; i < task->operation_count && !task_spins(task) && response != NONE; i++) {
		const struct operation *operation = task_operation(set, task, i);
		if (operation->kind == OPERATION_HOST)
			add(inputs, "c", given(derivation, operation->wcet, "task:%s/op:%s@wcet", task->id, operation->id));
	}
	if (!task_reserves(task))
		return;
	add(inputs, "Q", given(derivation, task->sched_runtime, "task:%s@sched-runtime", task->id, NULL));
	add(inputs, "D", given(derivation, task->sched_deadline, "task:%s@sched-deadline", task->id, NULL));
	add(inputs, "P", given(derivation, task->sched_period, "task:%s@sched-period", task->id, NULL));
}

/* What all reservations of the core ask for: that it is no more than all of it. */
static void add_reserved(struct inputs *inputs, const struct taskset *set, int core, struct derivation *derivation)
{
	struct inputs of = {inputs->items + inputs->count, 0}; /* behind those that are there: they are read before others are added */
	int64_t reserved = taskset_reserved(set, core);
	if (reserved == 0)
		return;
	for (int i = 0; i < set->task_count; i++) {
		const struct task *task = &set->tasks[i];
		if (task->core != core + 1 || !task_reserves(task))
			continue;
		add(&of, "Q", given(derivation, task->sched_runtime, "task:%s@sched-runtime", task->id, NULL));
		add(&of, "D", given(derivation, task->sched_deadline, "task:%s@sched-deadline", task->id, NULL));
	}
	int step = derivation_named(derivation, RULE_RESERVED, rational_make(reserved, WHOLE_CORE), "core:%s", set->cores[core].id, NULL);
	for (int i = 0; i < of.count; i++)
		derivation_input(derivation, of.items[i].role, of.items[i].step);
	add(inputs, "U", step);
	if (set->cores[core].overrun > 0)
		add(inputs, "V", given(derivation, set->cores[core].overrun, "core:%s@sched-overrun", set->cores[core].id, NULL));
}

static int derive(struct arena *arena, const struct taskset *set, const struct task *own, const struct operation *host, int isolated,
	struct derivation *derivation)
{
	struct inputs inputs = {arena_allocate(arena, (size_t)(set->operation_count + 6 * set->task_count + 5), sizeof *inputs.items), 0};
	const struct core *core = &set->cores[own->core - 1];
	add_reserved(&inputs, set, own->core - 1, derivation);
	add(&inputs, "B", given(derivation, core->blocking, "core:%s@blocking", core->id, NULL));
	add(&inputs, "C", isolated);
	if (taskset_submits(set, own, host))
		add(&inputs, "L", given(derivation, core->submission, "core:%s@submission", core->id, NULL));
	for (int i = 0; i < set->task_count; i++)
		if (task_interferes(&set->tasks[i], own) || (task_reserves(own) && own == &set->tasks[i]))
			add_task(&inputs, set, i, derivation);
	int step = derivation_named(derivation, task_reserves(own) ? RULE_RESERVED_RESPONSE : RULE_HOST_RESPONSE,
		rational_of(taskset_host_time(set, host)), "task:%s/op:%s", own->id, host->id);
	for (int i = 0; i < inputs.count; i++)
		derivation_input(derivation, inputs.items[i].role, inputs.items[i].step);
	return step;
}

void host_response_find(struct arena *arena, const struct taskset *set, int index, struct derivation *derivation, struct inflated *result)
{
	const struct task *task = task_of(set, index);
	const struct operation *host = &set->operations[index];
	bool known = task->core > 0 && set->core_times != NULL;
	result->assumptions = known ? assumption_bit(ASSUMPTION_CORE) | set->core_times->assumptions : assumption_bit(ASSUMPTION_HOST_WCRT);
	result->factor = rational_of(1);
	result->wcet = taskset_host_time(set, host);
	if (result->wcet == NONE)
		result->reason = set->core_times->reasons[task - set->tasks][0];
	else
		result->step = known ? derive(arena, set, task, host, result->isolated_step, derivation) : result->isolated_step;
}
