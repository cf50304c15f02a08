/* Events kept, and joined to operations. */
#include "simulate/record.h"

void record_init(struct record *record, struct arena *arena, const struct platform *platform, const struct taskset *set, uint64_t seed)
{
	*record = (struct record){.arena = arena, .platform = platform, .set = set, .seed = seed, .plot = 1500};
}

void record_see(void *context, const struct event *event)
{
	struct record *record = context;
	record->events = arena_grow(record->arena, record->events, &record->capacity, record->count + 1, sizeof *record->events);
	record->events[record->count++] = *event;
	record->end = event->time;
}

static bool is_host(const struct record *record, const struct event *event)
{
	return event->operation != NO_ID && record->set->operations[event->operation].kind == OPERATION_HOST;
}

static bool opens(const struct record *record, const struct event *event)
{
	return event->kind == EVENT_ISSUE || (event->kind == EVENT_BEGIN && is_host(record, event));
}

static struct activity opened(const struct record *record, const struct event *event)
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

struct activities record_activities(const struct record *record)
{
	struct activities activities = {0};
	int issued = 0, *by_instance = arena_allocate(record->arena, (size_t)record->count + 1, sizeof *by_instance);
	int64_t readies = 0;
	activities.items = arena_allocate(record->arena, (size_t)record->count + 1, sizeof *activities.items);
	for (int i = 0; i < record->count; i++) {
		const struct event *event = &record->events[i];
		if (opens(record, event)) {
			if (event->kind == EVENT_ISSUE)
				by_instance[issued++] = activities.count;
			activities.items[activities.count++] = opened(record, event);
		} else if (is_host(record, event)) {
			struct activity *host = host_of(&activities, event);
			if (host != NULL)
				host->end = event->time;
		} else if (event->instance != NO_ID)
			fill(&activities.items[by_instance[event->instance]], event, &readies);
	}
	return activities;
}
