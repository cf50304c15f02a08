/* Scenes for the simulator: a small platform, streams, and tasks that each issue their operations once, at a stated time; every event
 * is kept, so that a test can ask what happened when. */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "simulate/simulate.h"

#include "base/assert.h"

#define SCENE_ITEMS 64
#define SCENE_EVENTS 8192

struct scene {
	struct arena *arena;
	struct platform platform;
	struct taskset set;
	struct application applications[4];
	struct stream streams[SCENE_ITEMS];
	struct task tasks[SCENE_ITEMS];
	struct operation operations[SCENE_ITEMS];
	const char *events_of_set[SCENE_ITEMS];
	int64_t phases[SCENE_ITEMS];
	struct simulate_options options;
	struct simulate_result result;
	struct event events[SCENE_EVENTS];
	int event_count;
};

static inline void scene_parameter(struct scene *scene, enum parameter which, int64_t value)
{
	scene->platform.parameters[which] = (struct quantity){true, value, rational_of(value), "test", NULL, NULL, 0};
}

static inline void scene_keep(void *context, const struct event *event)
{
	struct scene *scene = context;
	if (scene->event_count < SCENE_EVENTS)
		scene->events[scene->event_count] = *event;
	scene->event_count++;
}

/* SMs of 64 warps and 32 blocks, most-room, one application, no overheads; the run: one job a task, ties in order. */
static inline void scene_open(struct scene *scene, int sms)
{
	*scene = (struct scene){.arena = arena_create()};
	scene->platform = (struct platform){.id = "test", .name = "test", .compute_capability = 62, .placement = PLACEMENT_MOST_ROOM};
	scene_parameter(scene, PARAMETER_SM_COUNT, sms);
	scene_parameter(scene, PARAMETER_SM_WARPS, 64);
	scene_parameter(scene, PARAMETER_SM_BLOCKS, 32);
	scene->set = (struct taskset){.id = "test",
		.applications = scene->applications,
		.application_count = 1,
		.streams = scene->streams,
		.tasks = scene->tasks,
		.operations = scene->operations,
		.events = scene->events_of_set};
	for (int i = 0; i < 4; i++)
		scene->applications[i] = (struct application){"a", NONE, 0};
	scene->options = (struct simulate_options){.seed = 1,
		.releases = {.phases = PHASES_EXPLICIT, .jobs = 1, .phases_ns = scene->phases},
		.switches = {.in_order = true},
		.observer = {scene_keep, scene}};
}

static inline void scene_close(struct scene *scene)
{
	arena_destroy(scene->arena);
}

static inline int scene_stream(struct scene *scene, int application, int level, enum stream_kind kind)
{
	int stream = scene->set.stream_count++;
	assert(stream < SCENE_ITEMS);
	scene->streams[stream] = (struct stream){"s", application, level, kind, 0};
	return stream;
}

/* A task whose operations follow; it is released at `start`. */
static inline struct task *scene_task(struct scene *scene, int64_t start)
{
	int task = scene->set.task_count++;
	assert(task < SCENE_ITEMS);
	scene->phases[task] = start;
	scene->tasks[task] = (struct task){.id = "t",
		.arrival = {.kind = ARRIVAL_PERIODIC, .period = INT64_C(1000000000000), .min_distance = NONE, .max_distance = NONE},
		.deadline = NONE,
		.offset = NONE,
		.first_operation = scene->set.operation_count};
	return &scene->tasks[task];
}

static inline struct operation *scene_operation(struct scene *scene, enum operation_kind kind, int stream, int64_t wcet)
{
	int operation = scene->set.operation_count++;
	struct task *task = &scene->tasks[scene->set.task_count - 1];
	assert(operation < SCENE_ITEMS);
	scene->operations[operation] = (struct operation){
		.id = "o", .kind = kind, .stream = stream, .event = NO_ID, .wcet = wcet, .bcet = 1, .kernel = {.footprint = NONE}};
	task->operation_count++;
	task->application = stream == NO_ID ? NO_ID : scene->streams[stream].application;
	return &scene->operations[operation];
}

static inline struct operation *scene_kernel(struct scene *scene, int stream, int64_t blocks, int64_t threads, int64_t wcet)
{
	struct operation *operation = scene_operation(scene, OPERATION_KERNEL, stream, wcet);
	operation->kernel = (struct kernel){.scope = SCOPE_BLOCK,
		.grid = {blocks, 1, 1},
		.blocks = blocks,
		.threads = threads,
		.registers = NONE,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
	return operation;
}

static inline struct operation *scene_copy(struct scene *scene, int stream, enum direction direction, int64_t wcet)
{
	struct operation *operation = scene_operation(scene, OPERATION_COPY, stream, wcet);
	operation->copy = (struct copy){.direction = direction, .bytes = NONE};
	return operation;
}

static inline enum simulate_status scene_run(struct scene *scene)
{
	scene->event_count = 0;
	enum simulate_status status = simulate_run(scene->arena, &scene->platform, &scene->set, &scene->options, &scene->result);
	assert(scene->event_count <= SCENE_EVENTS);
	return status;
}

/* The time of the n-th event (from 0) of this kind about this operation; -1: there is none. */
static inline int64_t scene_time(const struct scene *scene, enum event_kind kind, int operation, int n)
{
	for (int i = 0; i < scene->event_count; i++)
		if (scene->events[i].kind == kind && scene->events[i].operation == operation && n-- == 0)
			return scene->events[i].time;
	return -1;
}

static inline int64_t scene_end(const struct scene *scene, int operation)
{
	return scene_time(scene, EVENT_END, operation, 0);
}

/* How many blocks of the operation began at this time, on this SM (NO_ID: on any). */
static inline int scene_blocks(const struct scene *scene, int operation, int64_t time, int sm)
{
	int count = 0;
	for (int i = 0; i < scene->event_count; i++) {
		const struct event *event = &scene->events[i];
		count += event->kind == EVENT_BLOCK_BEGIN && event->operation == operation && event->time == time &&
			 (sm == NO_ID || event->sm == sm);
	}
	return count;
}

#endif
