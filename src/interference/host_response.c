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

/* A reservation, and what says how often its thread wakes where that counts. */
static void add_reservation(struct inputs *inputs, const struct taskset *set, const struct task *task, struct derivation *derivation)
{
	int64_t response = set->core_times->responses[task - set->tasks];
	add(inputs, "Q", given(derivation, task->sched_runtime, "task:%s@sched-runtime", task->id, NULL));
	add(inputs, "D", given(derivation, task->sched_deadline, "task:%s@sched-deadline", task->id, NULL));
	if (set->cores[task->core - 1].unit <= 1)
		return;
	add(inputs, "P", given(derivation, task->sched_period, "task:%s@sched-period", task->id, NULL));
	if (response != NONE)
		add(inputs, "R", derivation_named(derivation, RULE_CLAIM_TASK, rational_of(response), "task:%s", task->id, NULL));
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(set, task, i);
		if (operation->kind == OPERATION_HOST)
			add(inputs, "b", given(derivation, operation->bcet, "task:%s/op:%s@bcet", task->id, operation->id));
	}
}

static int step_of(
	const struct inputs *of, int first, int rule, struct rational value, const struct core *core, struct derivation *derivation)
{
	int step = derivation_named(derivation, rule, value, "core:%s", core->id, NULL);
	for (int i = first; i < of->count; i++)
		derivation_input(derivation, of->items[i].role, of->items[i].step);
	return step;
}

/* What all reservations of the core ask for, that it is no more than all of it, and how much later one is served for the others. */
static void add_reserved(struct inputs *inputs, const struct taskset *set, int index, struct derivation *derivation)
{
	struct inputs of = {inputs->items + inputs->count, 0}; /* behind those that are there: they are read before others are added */
	const struct core *core = &set->cores[index];
	const struct reserved *reserved = &set->core_times->reserved[index];
	int64_t later = checked_sub(reserved->late, core->blocking);
	int overrun = STEP_ABSENT, first = core->overrun > 0;
	if (first)
		add(&of, "V", overrun = given(derivation, core->overrun, "core:%s@sched-overrun", core->id, NULL));
	if (core->unit > 1)
		add(&of, "u", given(derivation, core->unit, "core:%s@sched-unit", core->id, NULL));
	int before = of.count;
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].core == index + 1 && task_reserves(&set->tasks[i]))
			add_reservation(&of, set, &set->tasks[i], derivation);
	if (of.count == before)
		return;
	int share = step_of(&of, first, RULE_RESERVED, reserved->share, core, derivation);
	int late = later > 0 ? step_of(&of, 0, RULE_RESERVED_LATE, rational_of(later), core, derivation) : STEP_ABSENT;
	add(inputs, "U", share);
	if (late != STEP_ABSENT)
		add(inputs, "K", late);
	if (first)
		add(inputs, "V", overrun);
}

static int derive(struct arena *arena, const struct taskset *set, const struct task *own, const struct operation *host, int isolated,
	struct derivation *derivation)
{
	struct inputs inputs = {
		arena_allocate(arena, (size_t)(2 * set->operation_count + 8 * set->task_count + 9), sizeof *inputs.items), 0};
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
