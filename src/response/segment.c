#include "response/segment.h"

#include "base/plant.h"
#include "model/rules.h"

/* Operations of one stream follow one another, so their best cases add up; streams may overlap. */
static int64_t least_of(const struct taskset *set, const struct segment *segment)
{
	int64_t least = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++) {
		int64_t sum = 0;
		for (int j = segment->first; j < segment->first + segment->count; j++)
			if (set->operations[j].stream == set->operations[i].stream)
				sum = checked_add(sum, set->operations[j].bcet);
		least = sum == NONE ? least : checked_max(least, sum);
	}
	return least;
}

static void close_segment(struct segments *segments, const struct taskset *set, struct segment *open)
{
	if (open->count == 0)
		return;
	open->least = least_of(set, open);
	segments->items[segments->count++] = *open;
	open->number++;
	open->count = 0;
}

static void cut(struct segments *segments, struct arena *arena, const struct taskset *set, const struct costs *costs, int index)
{
	const struct task *task = &set->tasks[index];
	struct segment open = {.task = index, .name = arena_format(arena, "task:%s", task->id)};
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind == OPERATION_HOST) {
			close_segment(segments, set, &open);
			open.host_most = checked_add(open.host_most, taskset_host_time(set, operation));
			open.host_least = checked_add(open.host_least, operation->bcet);
			continue;
		}
		if (i > task->first_operation && operation->hold != operation[-1].hold)
			close_segment(segments, set, &open);
		if (open.count++ == 0)
			open.first = i;
		open.context = costs->operations[i].context;
		if (task_returns(set, task, i - task->first_operation) && !planted(PLANT_RETURNED))
			close_segment(segments, set, &open);
	}
	close_segment(segments, set, &open);
	segments->host_of_task[index] = open.host_most;
}

/* Tables of a context are indexed by these places: those of all contexts together then grow with the task set, not with its square. */
static void number_places(struct segments *segments, struct arena *arena, const struct taskset *set, const struct costs *costs)
{
	int *context = arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *context); /* 1 + that of a stream; 0: no operations */
	segments->of_context = arena_allocate(arena, (size_t)costs->context_count + 1, sizeof *segments->of_context);
	segments->streams_of = arena_allocate(arena, (size_t)costs->context_count + 1, sizeof *segments->streams_of);
	segments->stream_place = arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *segments->stream_place);
	for (int i = 0; i < segments->count; i++) {
		struct segment *segment = &segments->items[i];
		segment->place = segments->of_context[segment->context]++;
		for (int k = segment->first; k < segment->first + segment->count; k++)
			context[set->operations[k].stream] = 1 + segment->context;
	}
	for (int s = 0; s < set->stream_count; s++)
		if (context[s] > 0)
			segments->stream_place[s] = segments->streams_of[context[s] - 1]++;
}

struct segments *segments_build(struct arena *arena, const struct taskset *set, const struct costs *costs)
{
	struct segments *segments = arena_allocate(arena, 1, sizeof *segments);
	segments->costs = costs;
	segments->items = arena_reserve(arena, (size_t)set->operation_count + 1, sizeof *segments->items);
	segments->of_task = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *segments->of_task);
	segments->host_of_task = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *segments->host_of_task);
	for (int i = 0; i < set->task_count; i++) {
		cut(segments, arena, set, costs, i);
		segments->of_task[i + 1] = segments->count;
	}
	number_places(segments, arena, set, costs);
	return segments;
}

struct release_part segment_release_part(
	const struct segments *segments, const struct taskset *set, int index, int part, const int64_t *before)
{
	const struct segment *segment = &segments->items[index];
	if (part == 0)
		return (struct release_part){set->tasks[segment->task].arrival.jitter, 0};
	if (part == 1)
		return (struct release_part){segment->host_most, segment->host_least};
	int64_t least = segments->items[index - segment->number + part - 2].least;
	return (struct release_part){checked_max(least, before[part - 2]), least};
}

int64_t segment_jitter(const struct segments *segments, const struct taskset *set, int index, const int64_t *before)
{
	int parts = planted(PLANT_JITTER) ? 1 : segments->items[index].number + 2;
	int64_t jitter = 0;
	for (int i = 0; i < parts; i++) {
		const struct release_part part = segment_release_part(segments, set, index, i, before);
		jitter = checked_add(jitter, checked_sub(part.most, part.least));
	}
	return jitter;
}

static bool is_over_by_the_next(const struct task *task, int64_t time)
{
	const struct arrivals releases = {&task->arrival, task->arrival.jitter, true};
	return time != NONE && arrivals_in(&releases, time) <= 1;
}

bool segment_jobs_apart(const struct segments *segments, const struct taskset *set, int last, const int64_t *responses)
{
	const struct segment *segment = &segments->items[last];
	int64_t time = segment->host_most;
	for (int i = 0; i <= segment->number; i++)
		time = checked_add(time, responses[i]);
	return is_over_by_the_next(&set->tasks[segment->task], time);
}

bool segment_thread_punctual(const struct segments *segments, const struct taskset *set, int first, const int64_t *responses)
{
	int task = segments->items[first].task;
	int64_t time = segments->host_of_task[task];
	for (int i = first; i < segments->count && segments->items[i].task == task; i++)
		time = checked_add(time, responses[i - first]);
	return is_over_by_the_next(&set->tasks[task], time);
}

/* The least time of a segment, from the best cases of its operations. */
static int least_step(const struct taskset *set, const struct segment *segment, struct arena *arena, struct derivation *derivation)
{
	int *best = arena_allocate(arena, (size_t)segment->count, sizeof *best);
	for (int i = 0; i < segment->count; i++) {
		const struct operation *operation = &set->operations[segment->first + i];
		best[i] = cost_given(derivation, operation->bcet, "%s/op:%s@bcet", segment->name, operation->id);
	}
	int step = derivation_integer(derivation, RULE_LEAST, segment->name, segment->least);
	for (int i = 0; i < segment->count; i++)
		derivation_input(derivation, "b", best[i]);
	return step;
}

struct inputs {
	struct {
		const char *role;
		int step;
	} * items;
	int count;
};

static void add(struct inputs *inputs, const char *role, int step)
{
	inputs->items[inputs->count].role = role;
	inputs->items[inputs->count++].step = step;
}

/* Everything of the task before the segment, in order: host segments with both their bounds, GPU segments with theirs. */
static void add_before(struct inputs *inputs, const struct segments *segments, const struct taskset *set, int index, const int *claims,
	struct arena *arena, struct derivation *derivation)
{
	const struct segment *segment = &segments->items[index];
	for (int i = set->tasks[segment->task].first_operation; i < segment->first; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind != OPERATION_HOST)
			continue;
		add(inputs, "C", cost_host(segments->costs, set, i, derivation, segment->name));
		add(inputs, "b", cost_given(derivation, operation->bcet, "%s/op:%s@bcet", segment->name, operation->id));
	}
	for (int i = index - segment->number; i < index; i++) {
		add(inputs, "P", claims[i]);
		add(inputs, "l", least_step(set, &segments->items[i], arena, derivation));
	}
}

int segment_jitter_step(const struct segments *segments, const struct taskset *set, int index, const int64_t *responses, const int *claims,
	struct arena *arena, struct derivation *derivation)
{
	const struct segment *segment = &segments->items[index];
	const struct task *task = &set->tasks[segment->task];
	if (!derivation_is_read(derivation))
		return 0;
	struct inputs inputs = {.items = arena_allocate(arena, (size_t)(2 * task->operation_count + 1), sizeof *inputs.items)};
	int release = cost_given(derivation, task->arrival.jitter, "task:%s@jitter", task->id, NULL);
	add_before(&inputs, segments, set, index, claims, arena, derivation);
	if (inputs.count == 0)
		return release;
	int step = derivation_integer(
		derivation, RULE_JITTER, segment->name, segment_jitter(segments, set, index, responses + index - segment->number));
	derivation_input(derivation, "Jr", release);
	for (int i = 0; i < inputs.count; i++)
		derivation_input(derivation, inputs.items[i].role, inputs.items[i].step);
	return step;
}
