/* Periods by levels, utilisations, and times by proportions. */
#include "study/drawn_set.h"

#include "model/draft.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_drawn(const struct operation *operation)
{
	return operation->stream != NO_ID && operation->kind != OPERATION_WAIT && operation->kind != OPERATION_RECORD;
}

static bool has_drawn(const struct taskset *set, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++)
		if (is_drawn(task_operation(set, task, i)))
			return true;
	return false;
}

int drawn_tasks(const struct taskset *set)
{
	int count = 0;
	for (int i = 0; i < set->task_count; i++)
		count += has_drawn(set, &set->tasks[i]);
	return count;
}

/* How often its WCET, alone: once, or once a wave of blocks. NONE: unknown. */
static int64_t waves(const struct taskset *set, const struct map *map, int index)
{
	const struct operation *operation = &set->operations[index];
	if (operation->kind != OPERATION_KERNEL || operation->kernel.scope == SCOPE_GRID)
		return 1;
	int64_t slots = map->kernels[index].slots_least;
	return checked_is_none(slots) || slots < 1 ? NONE : checked_max(1, checked_div_ceil(operation->kernel.blocks, slots));
}

/* ---- what can be drawn */

static const char *task_lacks(const struct task *task)
{
	if (task->arrival.kind == ARRIVAL_CURVE || !checked_is_none(task->arrival.min_distance) || task->arrival.jitter != 0)
		return "arrives by a curve, in bursts or with jitter";
	return checked_is_none(task->offset) ? NULL : "has a known phase";
}

static const char *operation_lacks(const struct taskset *set, const struct map *map, int index)
{
	const struct operation *operation = &set->operations[index];
	if (operation->kind == OPERATION_FRAGMENT || operation->program_name != NULL || operation->kernel.curve != NULL)
		return "has more than one WCET, or one that follows from a program or a frame";
	if (!checked_is_none(operation->span.longest) && operation_is_span(operation))
		return "has a longest operation of its own";
	return checked_is_none(waves(set, map, index)) ? "has blocks of which nobody knows how many an SM holds" : NULL;
}

const char *drawn_fits(struct arena *arena, const struct taskset *set, const struct map *map)
{
	int count = drawn_tasks(set);
	if (count == 0 || count > SHARES_MOST)
		return arena_format(arena, "there are %d tasks with work on the GPU; expected 1 to %d", count, SHARES_MOST);
	if (set->event_count > 0 || set->end_to_end_count > 0)
		return "events and chains want tasks of related periods";
	for (int i = 0; i < set->task_count; i++)
		if (task_lacks(&set->tasks[i]) != NULL)
			return arena_format(arena, "task '%s' %s", set->tasks[i].id, task_lacks(&set->tasks[i]));
	for (int i = 0; i < set->operation_count; i++)
		if (is_drawn(&set->operations[i]) && operation_lacks(set, map, i) != NULL)
			return arena_format(arena, "'%s' %s", set->operations[i].id, operation_lacks(set, map, i));
	return NULL;
}

/* ---- periods */

struct ranked {
	int task, level;
	int64_t period;
};

static int by_level(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;
	int level = (a->level > b->level) - (a->level < b->level), period = (a->period > b->period) - (a->period < b->period);
	return level != 0 ? level : period != 0 ? period : a->task - b->task;
}

/* That of its first operation on a stream: of its unit where that is locked. */
static int level_of(const struct taskset *set, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(set, task, i);
		if (is_drawn(operation))
			return operation->hold > 0 ? set->holds[operation->hold - 1].priority : set->streams[operation->stream].level;
	}
	return 0;
}

static void draw_periods(struct arena *arena, struct random *random, struct taskset *set, const struct set_draw *drawing)
{
	struct ranked *ranked = arena_allocate(arena, (size_t)set->task_count, sizeof *ranked);
	int64_t *periods = arena_allocate(arena, (size_t)set->task_count, sizeof *periods);
	int count = 0;
	for (int i = 0; i < set->task_count; i++) {
		if (!has_drawn(set, &set->tasks[i]))
			continue;
		periods[count] = period_draw(random, drawing->period_least, drawing->period_most, drawing->period_step);
		ranked[count] = (struct ranked){i, level_of(set, &set->tasks[i]), periods[count]};
		count++;
	}
	qsort(ranked, (size_t)count, sizeof *ranked, by_level);
	qsort(periods, (size_t)count, sizeof *periods, checked_compare);
	for (int i = 0; i < count; i++) {
		struct task *task = &DRAFT(set->tasks)[ranked[i].task];
		if (!checked_is_none(task->deadline))
			task->deadline = checked_max(1, checked_mul_div_floor(task->deadline, periods[i], task->arrival.period));
		task->arrival.period = periods[i];
		task->arrival.rounded = false;
	}
}

/* ---- times */

static void set_times(struct taskset *set, const struct map *map, const struct task *task, int64_t time)
{
	int64_t stated = 0;
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (is_drawn(&set->operations[i]))
			stated = checked_add(stated, checked_mul(set->operations[i].wcet, waves(set, map, i)));
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		int64_t was = operation->wcet;
		if (!is_drawn(operation) || was == 0)
			continue;
		operation->wcet = checked_max(1, checked_mul_div_floor(was, time, stated));
		operation->bcet = checked_mul_div_floor(operation->bcet, operation->wcet, was);
	}
}

const struct taskset *drawn_set(struct arena *arena, const struct taskset *set, const struct map *map, const struct set_draw *drawing)
{
	struct random random;
	struct taskset *copy = arena_allocate(arena, 1, sizeof *copy);
	struct task *tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *tasks);
	struct operation *operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *operations);
	int64_t *shares = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *shares);
	for (int i = 0; i < set->task_count; i++)
		tasks[i] = set->tasks[i];
	for (int i = 0; i < set->operation_count; i++)
		operations[i] = set->operations[i];
	*copy = *set;
	copy->tasks = tasks;
	copy->operations = operations;
	random_seed(&random, drawing->seed, 0);
	if (!shares_draw(&random, drawing->by, drawn_tasks(set), drawing->total, drawing->least, drawing->most, shares))
		return NULL;
	draw_periods(arena, &random, copy, drawing);
	for (int i = 0, k = 0; i < set->task_count; i++)
		if (has_drawn(set, &tasks[i]))
			set_times(copy, map, &tasks[i], checked_mul_div_floor(tasks[i].arrival.period, shares[k++], SHARES_WHOLE));
	return copy;
}

/* ---- as changes of the text */

static void add_change(struct arena *arena, const char **changes, int *count, const char *kind, const char *id, const char *what,
	int64_t was, int64_t value)
{
	if (was != value)
		changes[(*count)++] = arena_format(arena, "--set=%s%s.%s=%" PRId64 "ns", kind, id, what, value);
}

const char *const *drawn_changes(struct arena *arena, const struct taskset *stated, const struct taskset *drawn, int *count)
{
	const char **changes =
		arena_allocate(arena, 2 * ((size_t)stated->task_count + (size_t)stated->operation_count) + 1, sizeof *changes);
	*count = 0;
	for (int i = 0; i < stated->task_count; i++) {
		const struct task *was = &stated->tasks[i], *is = &drawn->tasks[i];
		add_change(arena, changes, count, "task:", was->id, "period", was->arrival.period, is->arrival.period);
		add_change(arena, changes, count, "task:", was->id, "deadline", was->deadline, is->deadline);
	}
	for (int i = 0; i < stated->operation_count; i++) {
		const struct operation *was = &stated->operations[i], *is = &drawn->operations[i];
		add_change(arena, changes, count, "", was->id, "wcet", was->wcet, is->wcet);
		add_change(arena, changes, count, "", was->id, "bcet", was->bcet, is->bcet);
	}
	return changes;
}
