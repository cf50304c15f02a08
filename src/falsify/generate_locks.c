/* A lock of the whole GPU, or of each partition of SMs: work between host segments becomes units under it, as a rule all of it. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

static bool waits_for_the_last(const struct operation *operation)
{
	return operation->kind == OPERATION_WAIT && operation[-1].kind == OPERATION_RECORD && operation[-1].event == operation->event;
}

/* Is it a node of the graph of the operation before it, or a wait for it? Then both are in one unit, or in none. */
static bool is_tied(const struct taskset *set, const struct task *task, int index)
{
	const struct operation *operation = task_operation(set, task, index);
	bool node = index > 0 && operation->graph != 0 && operation[-1].graph == operation->graph;
	return node || (index > 0 && waits_for_the_last(operation));
}

static bool may_be_locked(const struct taskset *set)
{
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			const struct operation *operation = task_operation(set, &set->tasks[t], i);
			bool waits = operation->kind == OPERATION_WAIT && !is_tied(set, &set->tasks[t], i);
			if (waits || operation->kind == OPERATION_FRAGMENT || operation->copy.synchronous)
				return false;
		}
	return set->operation_count > 0;
}

/* Is it in one unit with the operation before it? As often as not, if the lock is the same. */
static bool joins(struct draw *draw, const struct taskset *set, const struct task *task, int index, int lock)
{
	const struct operation *operation = task_operation(set, task, index), *before = operation - 1;
	if (index == 0 || before->hold == 0 || set->holds[before->hold - 1].lock != lock)
		return false;
	return draw_percent(draw, 60);
}

static int add_unit(struct draw *draw, struct taskset *set, int task, int lock, int64_t longest)
{
	bool ordered = set->locks[lock].protocol == LOCK_PRIORITY;
	DRAFT(set->holds)
	[set->hold_count++] = (struct locked_unit){.lock = lock,
		.task = task,
		.time = draw_percent(draw, 15) ? 0 : draw_range(draw, 1, longest),
		.priority = ordered ? (int)draw_range(draw, 0, 2) : 0};
	return set->hold_count;
}

void generate_locks(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	int64_t longest = 1;
	bool all = draw_percent(draw, 92);
	if (!may_be_locked(set))
		return;
	for (int i = 0; i < set->operation_count; i++)
		longest = checked_max(longest, set->operations[i].wcet);
	bool one = set->partition_count == 0 || draw_percent(draw, 30);
	set->lock_count = one ? 1 : set->partition_count + 1;
	set->locks = arena_allocate(arena, (size_t)set->lock_count, sizeof *set->locks);
	for (int i = 0; i < set->lock_count; i++)
		DRAFT(set->locks)
	[i] = (struct lock){
		.id = i == 0 ? "gpu" : arena_format(arena, "gpu%d", i), .protocol = draw_percent(draw, 65) ? LOCK_PRIORITY : LOCK_FIFO};
	set->holds = arena_allocate(arena, (size_t)set->operation_count, sizeof *set->holds);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			struct operation *operation = &DRAFT(set->operations)[set->tasks[t].first_operation + i];
			if (is_tied(set, &set->tasks[t], i))
				operation->hold = operation[-1].hold;
			if (operation->stream == NO_ID || is_tied(set, &set->tasks[t], i) || (!all && draw_percent(draw, 30)))
				continue;
			int lock = one ? 0 : set->streams[operation->stream].partition;
			bool joined = joins(draw, set, &set->tasks[t], i, lock);
			operation->hold = joined ? operation[-1].hold : add_unit(draw, set, t, lock, longest);
		}
	taskset_settle(arena, set);
}
