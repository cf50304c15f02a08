#include "verify/times_of_code.h"

#include "verify/frame_bound.h"
#include "verify/program_bound.h"
#include "verify/sized_times.h"
#include "verify/slack.h"

static int64_t draw(struct check *check, struct operation *operation)
{
	int64_t sum = 0;
	operation->batches = frame_draw(check->arena, operation->frame);
	for (int k = 0; k < operation->frame->batch_count; k++)
		sum = checked_add(sum, operation->batches[k]);
	return checked_max(1, sum);
}

const struct taskset *timing_derive(struct check *check, const struct resident *residents)
{
	const struct taskset *stated = check->set;
	struct taskset *set = arena_allocate(check->arena, 1, sizeof *set);
	struct task *tasks = arena_allocate(check->arena, (size_t)stated->task_count + 1, sizeof *tasks);
	struct operation *operations = arena_allocate(check->arena, (size_t)stated->operation_count + 1, sizeof *operations);
	const struct code_times *by_program = program_bound_derive(check, residents);
	for (int i = 0; i < stated->task_count; i++)
		tasks[i] = stated->tasks[i];
	for (int i = 0; i < stated->operation_count; i++) {
		struct operation *operation = &operations[i];
		*operation = stated->operations[i];
		if (operation->size_count > 0)
			sized_derive(check, operation);
		if (operation->frame == NULL && operation->program == NULL)
			continue;
		operation->wcet = operation->frame != NULL ? draw(check, operation) : by_program[i].wcet;
		operation->kernel.launch = by_program[i].launch;
		operation->bcet = checked_min(operation->bcet, operation->wcet);
	}
	slack_move_inputs(check, tasks, operations);
	*set = *stated;
	set->tasks = tasks;
	set->operations = operations;
	return set;
}
