/* Events kept, and joined to operations. */
#include "simulate/run_record.h"

void run_record_init(
	struct run_record *record, struct arena *arena, const struct platform *platform, const struct taskset *set, uint64_t seed)
{
	*record = (struct run_record){.arena = arena, .platform = platform, .set = set, .seed = seed, .plot = 1500};
	record->blocks = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *record->blocks);
	record->threads = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *record->threads);
}

/* ---- events: a million of them is what a run is cut short at */

struct kept_event {
	int64_t time, start, about; /* about: the instance; where a job has it, its nominal release */
	int task, operation;
	int job, block; /* there are no more of either than events */
	int sm;         /* of slices: the application */
	int16_t slot;
	uint8_t kind;
};

/* Is it about a job, not about an instance? */
static bool is_of_job(const struct run_record *record, enum event_kind kind, int operation)
{
	return kind == EVENT_RELEASE || kind == EVENT_COMPLETE ||
	       (operation != NO_ID && record->set->operations[operation].kind == OPERATION_HOST);
}

static bool is_slice(enum event_kind kind)
{
	return kind == EVENT_SLICE_BEGIN || kind == EVENT_SLICE_END;
}

void run_record_see(void *context, const struct event *event)
{
	struct run_record *record = context;
	int part = record->count / RECORD_PART;
	record->parts = arena_grow(record->arena, record->parts, &record->part_capacity, part + 1, sizeof *record->parts);
	if (part == record->part_count)
		record->parts[record->part_count++] = arena_reserve(record->arena, RECORD_PART, sizeof **record->parts);
	record->parts[part][record->count++ % RECORD_PART] = (struct kept_event){event->time, event->start,
		is_of_job(record, event->kind, event->operation) ? event->nominal : event->instance, event->task, event->operation,
		(int)event->job, (int)event->block, is_slice(event->kind) ? event->application : event->sm, (int16_t)event->slot,
		(uint8_t)event->kind};
	record->end = event->time;
	if (event->operation == NO_ID)
		return;
	record->blocks[event->operation] = event->blocks;
	record->threads[event->operation] = event->threads;
}

struct event run_record_event(const struct run_record *record, int index)
{
	const struct kept_event *kept = &record->parts[index / RECORD_PART][index % RECORD_PART];
	bool of_job = is_of_job(record, kept->kind, kept->operation), slice = is_slice(kept->kind), about = kept->operation != NO_ID;
	return (struct event){.time = kept->time,
		.kind = kept->kind,
		.application = slice                 ? kept->sm
			       : kept->task == NO_ID ? NO_ID
						     : record->set->tasks[kept->task].application,
		.task = kept->task,
		.operation = kept->operation,
		.job = kept->job,
		.instance = of_job ? NO_ID : kept->about,
		.nominal = of_job ? kept->about : 0,
		.sm = kept->sm,
		.slot = kept->slot,
		.block = kept->block,
		.blocks = about ? record->blocks[kept->operation] : 0,
		.threads = about ? record->threads[kept->operation] : 0,
		.start = kept->start};
}

/* ---- activities */

static bool is_host(const struct run_record *record, const struct event *event)
{
	return event->operation != NO_ID && record->set->operations[event->operation].kind == OPERATION_HOST;
}

static bool opens(const struct run_record *record, const struct event *event)
{
	return event->kind == EVENT_ISSUE || (event->kind == EVENT_BEGIN && is_host(record, event));
}

static struct activity opened(const struct run_record *record, const struct event *event)
{
	bool host = is_host(record, event);
	return (struct activity){.operation = event->operation,
		.task = event->task,
		.application = event->application,
		.engine = NO_ID,
		.instance = event->instance,
		.job = event->job,
		.blocks = event->blocks,
		.threads = event->threads,
		.ready = host ? event->time : -1,
		.begin = host ? event->time : -1,
		.end = -1,
		.order = -1};
}

/* The host segment that this event ends: the last one of the job. */
static struct activity *host_of(const struct activities *activities, const struct event *event)
{
	for (int i = activities->count - 1; i >= 0; i--) {
		struct activity *activity = &activities->items[i];
		if (activity->operation == event->operation && activity->job == event->job && activity->end < 0)
			return activity;
	}
	return NULL;
}

static void fill(struct activity *activity, const struct event *event, int64_t *readies)
{
	if (event->kind == EVENT_READY) {
		activity->ready = event->time;
		activity->order = (*readies)++;
	} else if (event->kind == EVENT_BEGIN) {
		activity->begin = event->time;
		activity->engine = event->sm;
	} else if (event->kind == EVENT_END) {
		activity->begin = activity->begin < 0 ? event->time : activity->begin;
		activity->end = event->time;
	}
}

static int count_opened(const struct run_record *record)
{
	int count = 0;
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		count += opens(record, &event);
	}
	return count;
}

struct activities run_record_activities(const struct run_record *record)
{
	struct activities activities = {0};
	int count = count_opened(record), *by_instance = arena_allocate(record->arena, (size_t)count + 1, sizeof *by_instance);
	int64_t readies = 0;
	activities.items = arena_allocate(record->arena, (size_t)count + 1, sizeof *activities.items);
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (opens(record, &event)) {
			if (event.kind == EVENT_ISSUE)
				by_instance[activities.issued++] = activities.count;
			activities.items[activities.count++] = opened(record, &event);
		} else if (is_host(record, &event)) {
			struct activity *host = host_of(&activities, &event);
			if (host != NULL)
				host->end = event.time;
		} else if (event.instance != NO_ID)
			fill(&activities.items[by_instance[event.instance]], &event, &readies);
	}
	return activities;
}
