/* Small systems for tests of the analysis, built in C: a platform of m SMs with 64 warps each, streams, tasks of one or more
 * operations. Map and inflation are filled by hand: a kernel's slots an SM are given, its WCET is taken as it is. */
#ifndef TESTS_UNIT_SYSTEMS_H
#define TESTS_UNIT_SYSTEMS_H

#include "base/derivation.h"
#include "response/response.h"

#include <string.h>

#define SYSTEM_TASKS 16
#define SYSTEM_OPERATIONS 64

struct system {
	struct arena *arena;
	struct platform platform;
	struct taskset set;
	struct map map;
	struct inflation inflation;
	struct derivation derivation;
	struct application applications[8];
	struct stream streams[16];
	struct task tasks[SYSTEM_TASKS];
	struct operation operations[SYSTEM_OPERATIONS];
	struct kernel_map kernels[SYSTEM_OPERATIONS];
	struct inflated inflated[SYSTEM_OPERATIONS];
	struct origin origin;
};

static inline void system_parameter(struct system *s, enum parameter which, int64_t value)
{
	s->platform.parameters[which] = (struct quantity){true, value, rational_of(value), "test", NULL, 0};
}

static inline void system_init(struct system *s, int sms)
{
	memset(s, 0, sizeof *s);
	s->arena = arena_create();
	derivation_init(&s->derivation, s->arena);
	s->platform.name = s->platform.id = "test";
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		s->platform.assumptions[i].status = i == ASSUMPTION_ORDER || i == ASSUMPTION_FIT ? STATUS_UNSTATED : STATUS_ASSUMED;
	s->platform.copy_runlist = COPY_RUNLIST_OWN;
	s->platform.preemption = PREEMPTION_INSTRUCTION;
	s->platform.per_sm_carveout = TERNARY_YES;
	for (int i = 0; i < DIRECTION_COUNT; i++)
		s->platform.engine_of[i] = 0;
	system_parameter(s, PARAMETER_SM_COUNT, sms);
	system_parameter(s, PARAMETER_SM_BLOCKS, 32);
	system_parameter(s, PARAMETER_SM_WARPS, 64);
	system_parameter(s, PARAMETER_OVERHEAD_LAUNCH, 0);
	system_parameter(s, PARAMETER_OVERHEAD_BLOCK, 0);
	system_parameter(s, PARAMETER_OVERHEAD_DEPENDENCY, 0);
	system_parameter(s, PARAMETER_OVERHEAD_COPY, 0);
	system_parameter(s, PARAMETER_QUEUES_GRIDS, 32);
	s->set = (struct taskset){.id = "test",
		.title = "test",
		.origins = &s->origin,
		.origin_count = 1,
		.applications = s->applications,
		.streams = s->streams,
		.tasks = s->tasks,
		.operations = s->operations};
	s->map.kernels = s->kernels;
	s->inflation.operations = s->inflated;
}

static inline void system_finish(struct system *s)
{
	arena_destroy(s->arena);
}

static inline int system_application(struct system *s, int64_t timeslice)
{
	int index = s->set.application_count++;
	s->applications[index] = (struct application){arena_format(s->arena, "a%d", index), timeslice, 0};
	return index;
}

static inline int system_stream(struct system *s, int application, int level)
{
	int index = s->set.stream_count++;
	s->streams[index] = (struct stream){arena_format(s->arena, "s%d", index), application, level, STREAM_BLOCKING, 0};
	return index;
}

static inline int system_task(struct system *s, int64_t period, int64_t jitter)
{
	int index = s->set.task_count++;
	s->tasks[index] = (struct task){.id = arena_format(s->arena, "t%d", index),
		.application = 0,
		.arrival = {ARRIVAL_PERIODIC, period, jitter, NONE, NULL, 0},
		.deadline = period,
		.offset = NONE,
		.first_operation = s->set.operation_count};
	return index;
}

/* Adds an operation to the task added last. */
static inline int system_operation(struct system *s, enum operation_kind kind, int stream, int64_t bcet, int64_t wcet)
{
	int index = s->set.operation_count++;
	struct task *task = &s->tasks[s->set.task_count - 1];
	task->operation_count++;
	s->operations[index] = (struct operation){.id = arena_format(s->arena, "o%d", index),
		.kind = kind,
		.stream = stream,
		.event = NO_ID,
		.wcet = wcet,
		.bcet = bcet,
		.kernel = {.blocks = NONE, .carveout = NONE}};
	s->inflated[index].wcet = wcet;
	s->inflated[index].step = s->inflated[index].isolated_step = derivation_integer(&s->derivation, 0, "test", wcet);
	return index;
}

/* A kernel of scope block; slots an SM at the least and at most. */
static inline int system_kernel(struct system *s, int stream, int64_t blocks, int64_t least, int64_t greatest, int64_t wcet)
{
	int index = system_operation(s, OPERATION_KERNEL, stream, 0, wcet);
	int64_t sms = platform_value(&s->platform, PARAMETER_SM_COUNT);
	s->operations[index].kernel.blocks = blocks;
	s->kernels[index] = (struct kernel_map){.is_kernel = true,
		.sized = true,
		.mixes = true,
		.slots_least = sms * least,
		.slots_greatest = sms * greatest,
		.occupancy = {.demand = {.warps = 64 / greatest, .staying = 64 / greatest},
			.whole = greatest,
			.least = least,
			.greatest = greatest}};
	return index;
}

static inline int system_grid(struct system *s, int stream, int64_t wcet)
{
	int index = system_operation(s, OPERATION_KERNEL, stream, 0, wcet);
	s->operations[index].kernel.scope = SCOPE_GRID;
	s->kernels[index].is_kernel = true;
	return index;
}

static inline struct response *system_analyze(struct system *s)
{
	s->map.domains = domains_find(s->arena, &s->platform, &s->set);
	return response_compute(s->arena, &s->platform, &s->set, &s->map, &s->inflation, &s->derivation);
}

/* A task of one kernel on a stream of its own. */
static inline void system_one_kernel(struct system *s, int level, int64_t period, int64_t blocks, int64_t slots, int64_t wcet)
{
	int stream = system_stream(s, 0, level);
	system_task(s, period, 0);
	system_kernel(s, stream, blocks, slots, slots, wcet);
}

static inline int64_t system_bound(const struct response *response, int task, enum bound which)
{
	return response->tasks[task].bounds[which].value;
}

/* X4 of the review: two streams, T = 60: k (3 blocks, two fit an SM, C = 4); k and a copy of 3. Levels 0 and 1, m = 2. */
static inline void system_x4(struct system *s)
{
	system_init(s, 2);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_application(s, NONE);
	system_stream(s, 0, 0);
	system_stream(s, 0, 1);
	system_task(s, 60, 0);
	system_kernel(s, 0, 3, 2, 2, 4);
	system_task(s, 60, 0);
	system_kernel(s, 1, 3, 2, 2, 4);
	system_operation(s, OPERATION_COPY, 1, 0, 3);
}

#endif
