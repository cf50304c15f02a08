/* What a counterexample is made smaller by. */
#include "falsify/shrink.h"
#include "model/draft.h"

#include <stddef.h>
#include <string.h>

/* ---- copies */

static void *copy_array(struct arena *arena, const void *items, size_t count, size_t size)
{
	if (items == NULL)
		return NULL;
	void *copy = arena_allocate(arena, count + 1, size);
	memcpy(copy, items, count * size);
	return copy;
}

#define COPY(array, count) (array) = copy_array(arena, (array), (size_t)(count), sizeof *(array))

static struct platform *copy_platform(struct arena *arena, const struct platform *of)
{
	struct platform *platform = copy_array(arena, of, 1, sizeof *of);
	int64_t sms = platform_value(of, PARAMETER_SM_COUNT);
	COPY(platform->sms, sms == NONE ? 0 : sms);
	COPY(platform->order, sms == NONE ? 0 : sms);
	COPY(platform->interference, of->interference_count);
	return platform;
}

static struct taskset *copy_taskset(struct arena *arena, const struct taskset *of)
{
	struct taskset *set = copy_array(arena, of, 1, sizeof *of);
	COPY(set->applications, of->application_count);
	COPY(set->partitions, of->partition_count);
	COPY(set->streams, of->stream_count);
	COPY(set->tasks, of->task_count);
	COPY(set->operations, of->operation_count);
	COPY(set->events, of->event_count);
	COPY(set->end_to_end, of->end_to_end_count);
	for (int i = 0; i < of->end_to_end_count; i++) {
		struct end_to_end *chain = &DRAFT(set->end_to_end)[i];
		COPY(chain->tasks, chain->task_count);
	}
	return set;
}

struct falsify_case shrink_copy(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	return (struct falsify_case){copy_platform(arena, platform), copy_taskset(arena, set)};
}

/* ---- taking out */

static void remove_item(void *items, int *count, int at, size_t size)
{
	char *bytes = items;
	memmove(bytes + (size_t)at * size, bytes + (size_t)(at + 1) * size, (size_t)(*count - at - 1) * size);
	(*count)--;
}

static void remove_operation(struct taskset *set, int at)
{
	set->company_count = 0; /* which are numbers of operations and of tasks */
	remove_item(DRAFT(set->operations), &set->operation_count, at, sizeof *set->operations);
	for (int i = 0; i < set->task_count; i++) {
		struct task *task = &DRAFT(set->tasks)[i];
		if (at < task->first_operation)
			task->first_operation--;
		else if (at < task->first_operation + task->operation_count)
			task->operation_count--;
	}
}

/* A chain goes with any task of it. */
static void remove_from_chains(struct taskset *set, int task)
{
	for (int i = set->end_to_end_count - 1; i >= 0; i--) {
		const struct end_to_end *chain = &set->end_to_end[i];
		bool member = false;
		for (int k = 0; k < chain->task_count; k++) {
			member |= chain->tasks[k] == task;
			DRAFT(chain->tasks)[k] -= chain->tasks[k] > task;
		}
		if (member)
			remove_item(DRAFT(set->end_to_end), &set->end_to_end_count, i, sizeof *set->end_to_end);
	}
}

static void remove_task(struct taskset *set, int at)
{
	remove_from_chains(set, at);
	while (set->tasks[at].operation_count > 0)
		remove_operation(set, set->tasks[at].first_operation);
	remove_item(DRAFT(set->tasks), &set->task_count, at, sizeof *set->tasks);
}

static bool stream_used(const struct taskset *set, int stream)
{
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].stream == stream)
			return true;
	return false;
}

static bool event_whole(const struct taskset *set, int event)
{
	bool recorded = false, waited = false;
	for (int i = 0; i < set->operation_count; i++) {
		recorded |= set->operations[i].event == event && set->operations[i].kind == OPERATION_RECORD;
		waited |= set->operations[i].event == event && set->operations[i].kind == OPERATION_WAIT;
	}
	return recorded && waited;
}

static void drop_event(struct taskset *set, int event)
{
	for (int i = set->operation_count - 1; i >= 0; i--)
		if (set->operations[i].event == event)
			remove_operation(set, i);
	for (int i = 0; i < set->operation_count; i++)
		DRAFT(set->operations)[i].event -= DRAFT(set->operations)[i].event > event;
	remove_item(set->events, &set->event_count, event, sizeof *set->events);
}

static void drop_stream(struct taskset *set, int stream)
{
	for (int i = 0; i < set->operation_count; i++)
		DRAFT(set->operations)[i].stream -= DRAFT(set->operations)[i].stream > stream;
	remove_item(DRAFT(set->streams), &set->stream_count, stream, sizeof *set->streams);
}

static bool application_used(const struct taskset *set, int application)
{
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].application == application)
			return true;
	return false;
}

static void drop_application(struct taskset *set, int application)
{
	for (int i = 0; i < set->stream_count; i++)
		DRAFT(set->streams)[i].application -= DRAFT(set->streams)[i].application > application;
	for (int i = 0; i < set->task_count; i++)
		DRAFT(set->tasks)[i].application -= DRAFT(set->tasks)[i].application > application;
	remove_item(DRAFT(set->applications), &set->application_count, application, sizeof *set->applications);
}

void shrink_tidy(struct falsify_case *of)
{
	struct taskset *set = of->set;
	for (int i = set->event_count - 1; i >= 0; i--)
		if (!event_whole(set, i))
			drop_event(set, i);
	for (int i = set->task_count - 1; i >= 0; i--)
		if (set->tasks[i].operation_count == 0)
			remove_task(set, i);
	for (int i = set->application_count - 1; i >= 0; i--)
		if (!application_used(set, i))
			drop_application(set, i);
	set->merged_context &= set->application_count > 1;
}

/* ---- changes of the task set */

static enum shrink_outcome take_chain(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->end_to_end_count)
		return SHRINK_END;
	remove_item(DRAFT(to->set->end_to_end), &to->set->end_to_end_count, place, sizeof *to->set->end_to_end);
	return SHRINK_DONE;
}

static enum shrink_outcome take_task(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->task_count)
		return SHRINK_END;
	remove_task(to->set, place);
	return SHRINK_DONE;
}

static enum shrink_outcome take_operation(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->operation_count)
		return SHRINK_END;
	remove_operation(to->set, place);
	return SHRINK_DONE;
}

/* An idle one may hold a hardware queue that the others lack. */
static enum shrink_outcome take_stream(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->stream_count)
		return SHRINK_END;
	if (stream_used(to->set, place))
		return SHRINK_SAME;
	drop_stream(to->set, place);
	return SHRINK_DONE;
}

/* A call that does not wait. */
static enum shrink_outcome return_at_once(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->operation_count)
		return SHRINK_END;
	if (!to->set->operations[place].copy.synchronous)
		return SHRINK_SAME;
	DRAFT(to->set->operations)[place].copy.synchronous = false;
	return SHRINK_DONE;
}

/* A graph less: its nodes are issued by themselves. */
static enum shrink_outcome take_graph(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->operation_count)
		return SHRINK_END;
	int graph = to->set->operations[place].graph;
	if (graph == 0)
		return SHRINK_SAME;
	for (int i = place; i < to->set->operation_count; i++)
		if (to->set->operations[i].graph == graph)
			DRAFT(to->set->operations)[i].graph = 0;
	return SHRINK_DONE;
}

static enum shrink_outcome lessen(int64_t *value, int64_t to)
{
	if (*value == NONE || *value <= to)
		return SHRINK_SAME;
	*value = to;
	return SHRINK_DONE;
}

static enum shrink_outcome few_blocks(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= 2 * to->set->operation_count)
		return SHRINK_END;
	struct operation *operation = &DRAFT(to->set->operations)[place / 2];
	struct kernel *kernel = &operation->kernel;
	if (operation->kind != OPERATION_KERNEL || kernel->blocks == NONE || kernel->blocks <= 1 || kernel->curve != NULL)
		return SHRINK_SAME;
	kernel->blocks = place % 2 == 0 ? kernel->blocks / 2 : kernel->blocks - 1;
	kernel->grid[0] = kernel->blocks;
	kernel->grid[1] = kernel->grid[2] = 1;
	kernel->active_blocks = NONE;
	return SHRINK_DONE;
}

static enum shrink_outcome short_times(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= 3 * to->set->operation_count)
		return SHRINK_END;
	struct operation *operation = &DRAFT(to->set->operations)[place / 3];
	if (operation->kernel.curve != NULL || operation->wcet == NONE || operation->wcet <= 1)
		return SHRINK_SAME;
	int64_t shorter = place % 3 == 0 ? 1 : place % 3 == 1 ? operation->wcet / 2 : operation->wcet - 1;
	operation->wcet = shorter;
	operation->bcet = checked_min(operation->bcet, shorter);
	return SHRINK_DONE;
}

static enum shrink_outcome plain_operation(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= 7 * to->set->operation_count)
		return SHRINK_END;
	struct operation *operation = &DRAFT(to->set->operations)[place / 7];
	struct kernel *kernel = &operation->kernel;
	bool curve = kernel->curve != NULL, kind = operation->kind == OPERATION_KERNEL;
	bool sized = operation->size_count > 0;
	switch (place % 7) {
	case 6: operation->size_count = 0; return sized ? SHRINK_DONE : SHRINK_SAME;
	case 0:
		kernel->curve = NULL;
		kernel->curve_count = 0;
		return curve ? SHRINK_DONE : SHRINK_SAME;
	case 1: return kind ? lessen(&kernel->shared_dynamic, 0) : SHRINK_SAME;
	case 2: return kind ? lessen(&kernel->registers, 8) : SHRINK_SAME;
	case 3: return kind ? lessen(&kernel->threads, THREADS_A_WARP) : SHRINK_SAME;
	case 4: return lessen(&operation->bcet, 0);
	default:
		if (!kind || (kernel->carveout == NONE && kernel->cache == CACHE_NONE))
			return SHRINK_SAME;
		kernel->carveout = NONE;
		kernel->cache = CACHE_NONE;
		return SHRINK_DONE;
	}
}

static enum shrink_outcome plain_task(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= 3 * to->set->task_count)
		return SHRINK_END;
	struct arrival *arrival = &DRAFT(to->set->tasks)[place / 3].arrival;
	if (place % 3 < 2) {
		int64_t less = place % 3 == 0 ? 0 : arrival->jitter / 2;
		if (less == 0)
			arrival->min_distance = NONE; /* without jitter it is refused, and says nothing */
		return lessen(&arrival->jitter, less);
	}
	if (arrival->kind != ARRIVAL_SPORADIC)
		return SHRINK_SAME;
	arrival->kind = ARRIVAL_PERIODIC;
	arrival->min_distance = NONE;
	arrival->max_distance = NONE;
	return SHRINK_DONE;
}

static enum shrink_outcome plain_stream(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= 2 * to->set->stream_count)
		return SHRINK_END;
	struct stream *stream = &DRAFT(to->set->streams)[place / 2];
	bool levels = place % 2 == 0;
	if (levels ? stream->level == 0 : stream->kind == STREAM_BLOCKING)
		return SHRINK_SAME;
	stream->level = levels ? 0 : stream->level;
	stream->kind = levels ? stream->kind : STREAM_BLOCKING;
	return SHRINK_DONE;
}

static enum shrink_outcome one_context(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	const struct taskset *set = to->set;
	if (place >= set->application_count)
		return SHRINK_END;
	int context = taskset_context(set, place);
	if (context == place)
		return SHRINK_SAME;
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].application == place)
			DRAFT(set->streams)[i].application = context;
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].application == place)
			DRAFT(set->tasks)[i].application = context;
	return SHRINK_DONE;
}

static enum shrink_outcome no_partition(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place > to->set->stream_count || to->set->partition_count == 0)
		return SHRINK_END;
	bool any = false;
	for (int i = 0; i < to->set->stream_count; i++) {
		struct stream *stream = &DRAFT(to->set->streams)[i];
		if (place > 0 && place - 1 != i)
			continue;
		any |= stream->partition > 0;
		stream->partition = 0;
	}
	return any ? SHRINK_DONE : SHRINK_SAME;
}

static void drop_partition(struct taskset *set, int partition)
{
	for (int i = 0; i < set->stream_count; i++)
		DRAFT(set->streams)[i].partition -= DRAFT(set->streams)[i].partition > partition + 1;
	remove_item(DRAFT(set->partitions), &set->partition_count, partition, sizeof *set->partitions);
}

/* One that no stream names. */
static enum shrink_outcome take_partition(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= to->set->partition_count)
		return SHRINK_END;
	for (int i = 0; i < to->set->stream_count; i++)
		if (to->set->streams[i].partition == place + 1)
			return SHRINK_SAME;
	drop_partition(to->set, place);
	return SHRINK_DONE;
}

/* ---- changes of the platform */

static void forget(struct platform *platform, enum parameter parameter)
{
	platform->parameters[parameter].present = false;
}

static enum shrink_outcome plain_platform(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	struct platform *platform = to->platform;
	bool changed;
	switch (place) {
	case 0:
		changed = platform->parameters[PARAMETER_STOPS_LENGTH].present;
		forget(platform, PARAMETER_STOPS_LENGTH);
		forget(platform, PARAMETER_STOPS_DISTANCE);
		break;
	case 1:
		changed = platform->carveout_count > 0;
		platform->carveout_count = 0;
		platform->carveouts = NULL;
		platform->carveout_source = NULL;
		break;
	case 2:
		changed = platform->map_source != NULL;
		platform->map_source = NULL;
		platform->gpc_count = 0;
		break;
	case 3:
		changed = platform->order != NULL;
		platform->order = NULL;
		platform->order_source = NULL;
		break;
	case 4:
		changed = platform->copy_runlist != COPY_RUNLIST_OWN;
		platform->copy_runlist = COPY_RUNLIST_OWN;
		break;
	case 5:
		changed = platform->placement != PLACEMENT_UNKNOWN;
		platform->placement = PLACEMENT_UNKNOWN;
		platform->placement_source = NULL;
		break;
	default: return SHRINK_END;
	}
	return changed ? SHRINK_DONE : SHRINK_SAME;
}

static enum shrink_outcome less_platform(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place >= 3 * PARAMETER_COUNT)
		return SHRINK_END;
	struct quantity *quantity = &to->platform->parameters[place / 3];
	int64_t least = place % 3 == 0 ? 1 : place % 3 == 1 ? quantity->value / 2 : quantity->value - 1;
	if (!parameter_kinds[place / 3].lessened || !quantity->present || least < 1)
		return SHRINK_SAME;
	if (place / 3 == PARAMETER_SM_COUNT) { /* fewer SMs: the map and the order are of the others */
		to->platform->map_source = NULL;
		to->platform->gpc_count = 0;
		to->platform->order = NULL;
		to->platform->order_source = NULL;
		lessen(&to->platform->parameters[PARAMETER_DISPATCH_NONEMPTY].value, least);
	}
	return lessen(&quantity->value, least);
}

static enum shrink_outcome no_factors(struct arena *arena, struct falsify_case *to, int place)
{
	(void)arena;
	if (place > 0)
		return SHRINK_END;
	bool any = false;
	for (int i = 0; i < to->platform->interference_count; i++) {
		any |= to->platform->interference[i].factor.num != to->platform->interference[i].factor.den;
		DRAFT(to->platform->interference)[i].factor = rational_of(1);
	}
	return any ? SHRINK_DONE : SHRINK_SAME;
}

shrink_change *const shrink_changes[] = {
	take_chain,
	take_task,
	take_operation,
	take_stream,
	return_at_once,
	take_graph,
	no_partition,
	take_partition,
	plain_platform,
	no_factors,
	plain_stream,
	one_context,
	plain_task,
	few_blocks,
	plain_operation,
	less_platform,
	short_times,
	NULL,
};
