/* A task set drawn for a platform. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

#define TASKS_MOST 12

struct maker {
	const struct profile *p;
	const struct platform *platform;
	struct taskset *set;
	int64_t work; /* ns: all operations one after another, roughly */
};

static int64_t value(const struct maker *m, enum parameter parameter)
{
	return platform_value(m->platform, parameter);
}

/* ---- applications and streams */

static enum stream_kind draw_kind(const struct maker *m, bool first)
{
	if (!m->p->null_streams)
		return STREAM_BLOCKING;
	return first ? STREAM_NULL : draw_percent(m->p->draw, 60) ? STREAM_BLOCKING : STREAM_NON_BLOCKING;
}

static void draw_streams(struct maker *m)
{
	struct taskset *set = m->set;
	const struct profile *p = m->p;
	set->applications = arena_allocate(p->arena, (size_t)p->applications, sizeof *set->applications);
	set->streams = arena_allocate(p->arena, (size_t)p->streams, sizeof *set->streams);
	set->merged_context = p->applications > 1 && draw_percent(p->draw, 15);
	for (int i = 0; i < p->applications; i++) {
		bool own = !set->merged_context && draw_percent(p->draw, 70);
		DRAFT(set->applications)
		[set->application_count++] = (struct application){.id = arena_format(p->arena, "a%d", i),
			.timeslice = own ? draw_range(p->draw, 1, 4 * p->scale) : NONE,
			.priority = NONE};
	}
	for (int i = 0; i < p->streams; i++) {
		int application = i < p->applications ? i : (int)draw_range(p->draw, 0, p->applications - 1);
		DRAFT(set->streams)
		[set->stream_count++] = (struct stream){.id = arena_format(p->arena, "s%d", i),
			.application = application,
			.level = (int)draw_range(p->draw, 0, p->levels - 1),
			.kind = draw_kind(m, i < p->applications)};
	}
}

/* ---- operations */

static struct operation *add_operation(struct maker *m, struct task *task, enum operation_kind kind, int stream)
{
	struct taskset *set = m->set;
	struct operation *operation = &DRAFT(set->operations)[set->operation_count];
	*operation = (struct operation){.id = arena_format(m->p->arena, "o%d", set->operation_count),
		.kind = kind,
		.stream = stream,
		.event = NO_ID,
		.wcet = draw_range(m->p->draw, 1, m->p->scale)};
	operation->bcet = draw_percent(m->p->draw, 40) ? operation->wcet : draw_range(m->p->draw, 0, operation->wcet);
	set->operation_count++;
	task->operation_count++;
	return operation;
}

static int64_t draw_blocks(const struct maker *m)
{
	int64_t sms = value(m, PARAMETER_SM_COUNT), slots = sms * checked_min(4, value(m, PARAMETER_SM_BLOCKS));
	return draw_percent(m->p->draw, 70) ? draw_range(m->p->draw, 1, 4) : draw_range(m->p->draw, 1, 2 * slots + 1);
}

static void draw_resources(const struct maker *m, struct kernel *kernel)
{
	struct draw *draw = m->p->draw;
	int64_t warps = value(m, PARAMETER_SM_WARPS), parts = value(m, PARAMETER_SM_SUBPARTITIONS);
	int64_t own = draw_percent(draw, 50) ? draw_range(draw, 1, (warps + 1) / 2) : draw_range(draw, 1, warps);
	kernel->threads = THREADS_A_WARP * checked_min(own, 32);
	kernel->block[0] = kernel->threads;
	kernel->block[1] = kernel->block[2] = 1;
	int64_t units = value(m, PARAMETER_SM_REGISTERS) / parts / 256,
		per_part = checked_div_ceil(kernel->threads / THREADS_A_WARP, parts);
	int64_t most = checked_max(1, units / per_part);
	kernel->registers = 8 * (m->p->registers ? draw_range(draw, 1, checked_min(most, 8)) : 1);
	if (m->p->shared && draw_percent(draw, 75))
		kernel->shared_dynamic = 256 * draw_range(draw, 1, value(m, PARAMETER_SM_SHARED) / 256);
	if (m->p->shared && draw_percent(draw, 20))
		kernel->carveout = DRAW_AMONG(draw, 0, 50, 100);
	if (draw_percent(draw, 10))
		kernel->cache = (enum cache_config)DRAW_AMONG(draw, CACHE_PREFER_L1, CACHE_PREFER_SHARED, CACHE_EQUAL);
}

static void draw_curve(const struct maker *m, struct operation *operation)
{
	struct kernel *kernel = &operation->kernel;
	kernel->curve_count = (int)checked_min(kernel->blocks, value(m, PARAMETER_SM_BLOCKS));
	kernel->curve = arena_allocate(m->p->arena, (size_t)kernel->curve_count, sizeof *kernel->curve);
	for (int i = 0; i < kernel->curve_count; i++)
		DRAFT(kernel->curve)[i] = checked_max(operation->wcet * (i + 1) / kernel->curve_count, checked_max(1, operation->bcet));
	operation->wcet = kernel->curve[kernel->curve_count - 1];
}

static void draw_kernel(struct maker *m, struct task *task, int stream)
{
	struct draw *draw = m->p->draw;
	struct operation *operation = add_operation(m, task, OPERATION_KERNEL, stream);
	struct kernel *kernel = &operation->kernel;
	bool grid = m->p->grids && draw_percent(draw, 50); /* without a size: the machine makes up the blocks */
	*kernel = (struct kernel){.scope = grid ? SCOPE_GRID : SCOPE_BLOCK,
		.blocks = NONE,
		.threads = NONE,
		.registers = NONE,
		.warps_stay = true,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
	if (!grid) {
		kernel->blocks = draw_blocks(m);
		kernel->grid[0] = kernel->blocks;
		kernel->grid[1] = kernel->grid[2] = 1;
		draw_resources(m, kernel);
	}
	if (!grid && m->p->curves && draw_percent(draw, 50))
		draw_curve(m, operation);
	int64_t waves = grid ? 1 : checked_div_ceil(kernel->blocks, value(m, PARAMETER_SM_COUNT));
	m->work += waves * operation->wcet * 2 + value(m, PARAMETER_OVERHEAD_LAUNCH) +
		   (grid ? 0 : kernel->blocks * value(m, PARAMETER_OVERHEAD_BLOCK));
}

static void draw_copy(struct maker *m, struct task *task, int stream)
{
	bool memset = draw_percent(m->p->draw, 20);
	struct operation *operation = add_operation(m, task, memset ? OPERATION_MEMSET : OPERATION_COPY, stream);
	operation->copy = (struct copy){
		.direction = (enum direction)DRAW_AMONG(m->p->draw, DIRECTION_H2D, DIRECTION_H2D, DIRECTION_D2H, DIRECTION_D2D),
		.bytes = NONE};
	if (memset)
		operation->copy.direction = DIRECTION_MEMSET;
	m->work += 2 * operation->wcet + value(m, PARAMETER_OVERHEAD_COPY);
}

/* A record in one stream, a wait for it in another one. */
static void draw_event(struct maker *m, struct task *task, int from, int to)
{
	struct taskset *set = m->set;
	int event = set->event_count++;
	set->events[event] = arena_format(m->p->arena, "e%d", event);
	struct operation *record = add_operation(m, task, OPERATION_RECORD, from);
	record->event = event;
	record->wcet = record->bcet = 0;
	struct operation *wait = add_operation(m, task, OPERATION_WAIT, to);
	wait->event = event;
	wait->wcet = wait->bcet = 0;
}

/* ---- tasks */

static int draw_stream(const struct maker *m, int application)
{
	int count = 0, chosen = NO_ID;
	for (int i = 0; i < m->set->stream_count; i++)
		if (m->set->streams[i].application == application && draw_range(m->p->draw, 0, count++) == 0)
			chosen = i;
	return chosen;
}

static struct task *add_task(struct maker *m, int application)
{
	struct taskset *set = m->set;
	struct task *task = &DRAFT(set->tasks)[set->task_count];
	*task = (struct task){.id = arena_format(m->p->arena, "t%d", set->task_count),
		.application = application,
		.deadline = NONE,
		.offset = NONE,
		.first_operation = set->operation_count};
	set->task_count++;
	return task;
}

static void draw_one(struct maker *m, struct task *task, int stream)
{
	if (m->p->copies && draw_percent(m->p->draw, 40))
		draw_copy(m, task, stream);
	else
		draw_kernel(m, task, stream);
}

static void draw_task(struct maker *m, int application, int stream)
{
	struct draw *draw = m->p->draw;
	struct task *task = add_task(m, application);
	int count = m->p->simple ? 1 : (int)DRAW_AMONG(draw, 1, 1, 2, 2, 3, 4);
	m->work += (count + 2) * value(m, PARAMETER_OVERHEAD_DEPENDENCY);
	for (int i = 0; i < count; i++) {
		int next = m->p->phased || draw_percent(draw, 70) ? stream : draw_stream(m, application);
		if (m->p->hosts && draw_percent(draw, m->p->simple ? 60 : 30))
			add_operation(m, task, OPERATION_HOST, NO_ID);
		if (m->p->events && i > 0 && next != stream)
			draw_event(m, task, stream, next);
		draw_one(m, task, next);
		stream = next;
	}
}

static void draw_arrival(struct maker *m, struct task *task)
{
	struct draw *draw = m->p->draw;
	int64_t quarter = m->work / 4 + 1, rounds = taskset_contexts(m->set);
	struct arrival *arrival = &task->arrival;
	*arrival = (struct arrival){.period = quarter * rounds * draw_range(draw, 3, 16), .min_distance = NONE, .max_distance = NONE};
	if (m->p->jitter && draw_percent(draw, 60))
		arrival->jitter = draw_range(draw, 0, draw_percent(draw, 70) ? arrival->period : 2 * arrival->period);
	if (!draw_percent(draw, 20))
		return;
	arrival->kind = ARRIVAL_SPORADIC;
	if (arrival->jitter > 0)
		arrival->min_distance = draw_range(draw, 1, arrival->period);
}

/* Host segments that vary by much of a period, so that what follows them comes in bursts. */
static void draw_hosts(struct maker *m, const struct task *task)
{
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
		struct operation *operation = &DRAFT(m->set->operations)[i];
		if (operation->kind != OPERATION_HOST || draw_percent(m->p->draw, 40))
			continue;
		int64_t period = task->arrival.period, least = draw_percent(m->p->draw, 50) ? 1 : period - period / 8;
		operation->wcet = draw_range(m->p->draw, least, period);
		operation->bcet = draw_percent(m->p->draw, 60) ? 0 : draw_range(m->p->draw, 0, operation->wcet);
	}
}

/* Every stream has an operation: one task for each, and some more. */
static void draw_tasks(struct maker *m)
{
	struct taskset *set = m->set;
	set->tasks = arena_allocate(m->p->arena, TASKS_MOST, sizeof *set->tasks);
	set->operations = arena_allocate(m->p->arena, TASKS_MOST * 16, sizeof *set->operations);
	set->events = arena_allocate(m->p->arena, TASKS_MOST * 4, sizeof *set->events);
	for (int i = 0; i < set->stream_count; i++)
		draw_task(m, set->streams[i].application, i);
	bool alone = m->p->simple || (m->p->phased && !m->p->crowded);
	int64_t more = alone ? 0 : m->p->crowded ? draw_range(m->p->draw, 0, 3) : DRAW_AMONG(m->p->draw, 0, 0, 0, 1, 2);
	for (; more > 0; more--) {
		int application = (int)draw_range(m->p->draw, 0, set->application_count - 1);
		draw_task(m, application, draw_stream(m, application));
	}
	for (int i = 0; i < set->task_count; i++) {
		draw_arrival(m, &DRAFT(set->tasks)[i]);
		draw_hosts(m, &set->tasks[i]);
	}
}

void generate_taskset(struct profile *p, const struct platform *platform, struct taskset *set)
{
	struct maker maker = {p, platform, set, 1};
	*set = (struct taskset){.path = "drawn.xml", .id = "drawn", .platform_name = "drawn.xml"};
	set->origins = arena_allocate(p->arena, 1, sizeof *set->origins);
	DRAFT(set->origins)
	[set->origin_count++] = (struct origin){.id = "falsifier",
		.kind = ORIGIN_DECLARED,
		.source = "drawn",
		.by = "gpubound falsify",
		.samples = NONE,
		.clock_sm = NONE,
		.clock_memory = NONE};
	draw_streams(&maker);
	draw_tasks(&maker);
}

/* Periods become multiples of the least one that divide its twelvefold, none shorter than before but for the longest. */
void generate_phases(struct draw *draw, struct taskset *set)
{
	static const int64_t factors[] = {1, 2, 3, 4, 6, 12};
	int64_t least = NONE;
	for (int i = 0; i < set->task_count; i++)
		least = checked_min(least, set->tasks[i].arrival.period);
	for (int i = 0; i < set->task_count; i++) {
		struct arrival *arrival = &DRAFT(set->tasks)[i].arrival;
		int factor = 0;
		while (factor < 5 && factors[factor] * least < arrival->period)
			factor++;
		arrival->kind = ARRIVAL_PERIODIC;
		arrival->min_distance = NONE;
		arrival->period = factors[factor] * least;
		arrival->jitter = draw_percent(draw, 60) ? 0 : draw_range(draw, 0, arrival->period / 4);
		DRAFT(set->tasks)[i].offset = draw_range(draw, 0, arrival->period - 1);
	}
}
