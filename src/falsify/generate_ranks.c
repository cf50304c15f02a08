/* Contexts by priority, as GCAPS has them, and threads that hold the GPU before and behind what they issue ([P-PRIO]); or by interleave
 * levels ([BETWEEN]); clients of an MPS server, which are one ([MPS]). */
#include "falsify/generate_parts.h"
#include "model/draft.h"

static bool may_be_ranked(const struct taskset *set)
{
	return taskset_contexts(set) > 1 && set->hold_count == 0 && set->partition_count == 0;
}

/* Each another one, in any order; the last one or more may have none. */
static void draw_priorities(struct draw *draw, struct taskset *set)
{
	int contexts = 0;
	for (int i = 0; i < set->application_count; i++)
		contexts += taskset_context(set, i) == i;
	int64_t best_effort = draw_range(draw, 0, contexts - 1), next = draw_range(draw, 0, 2);
	set->best_effort_slices = draw_percent(draw, 50);
	best_effort = set->best_effort_slices ? best_effort : checked_min(best_effort, 1);
	for (int left = contexts; left > best_effort; left--) {
		int64_t skip = draw_range(draw, 0, left - 1);
		for (int i = 0; i < set->application_count; i++)
			if (taskset_context(set, i) == i && set->applications[i].priority == NONE && skip-- == 0)
				DRAFT(set->applications)[i].priority = next;
		next += draw_range(draw, 1, 2);
	}
}

static bool is_work(const struct taskset *set, const struct task *task, int index)
{
	return index >= 0 && index < task->operation_count && task_operation(set, task, index)->kind != OPERATION_HOST;
}

static void hold(struct draw *draw, struct taskset *set, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++) {
		bool before = is_work(set, task, i - 1), behind = is_work(set, task, i + 1);
		bool held = i > 0 && !is_work(set, task, i - 1) && task_operation(set, task, i - 1)->held;
		if (!is_work(set, task, i) && (before || behind || (held && behind)))
			DRAFT(set->operations)[task->first_operation + i].held = draw_percent(draw, 65);
	}
}

void generate_ranks(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	int64_t longest = 1;
	if (!may_be_ranked(set))
		return;
	draw_priorities(draw, set);
	of->platform->assumptions[ASSUMPTION_PREEMPT].status = STATUS_ASSUMED;
	for (int i = 0; i < set->operation_count; i++)
		longest = checked_max(longest, set->operations[i].wcet == NONE ? 1 : set->operations[i].wcet);
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		if (task->operation_count > 0 && draw_percent(draw, 40))
			generate_host_segment(arena, draw, set, t, task->first_operation, longest);
		task = &set->tasks[t];
		if (task->operation_count > 0 && draw_percent(draw, 40))
			generate_host_segment(arena, draw, set, t, task->first_operation + task->operation_count, longest);
		hold(draw, set, &set->tasks[t]);
	}
	taskset_settle(arena, set);
}

void generate_levels(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	if (taskset_contexts(set) < 2 || set->ranked)
		return;
	for (int i = 0; i < set->application_count; i++)
		if (taskset_context(set, i) == i)
			DRAFT(set->applications)
	[i].interleave = (enum interleave)DRAW_AMONG(draw, INTERLEAVE_LOW, INTERLEAVE_MEDIUM, INTERLEAVE_HIGH);
	of->platform->assumptions[ASSUMPTION_INTERLEAVE].status = STATUS_ASSUMED;
	taskset_settle(arena, set);
}

void generate_servers(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	bool first = true;
	for (int i = 0; i < set->application_count && set->application_count > 1 && !set->merged_context; i++)
		if (draw_percent(draw, 60)) {
			DRAFT(set->applications)[i].server = "mps";
			DRAFT(set->applications)[i].timeslice = first ? set->applications[i].timeslice : NONE;
			first = false;
		}
	taskset_settle(arena, set);
}
