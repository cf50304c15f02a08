#include "response/offsets.h"

#include "base/plant.h"
#include "explore/explore.h"
#include "model/rules.h"
#include "response/applicable.h"

#define JOBS 20000   /* operations in a hyperperiod */
#define STATES 2000  /* after equally many events */
#define TOTAL 300000 /* states in all */
#define SLOTS 64     /* up to which blocks are followed one by one */
#define PIECES 4096  /* of one kernel, likewise */

enum { EXECUTION, FIRST_COPY_ENGINE }; /* engines of the exploration */

struct timetable {
	const struct workload *w;
	const struct map *map;
	const struct classes *classes;
	int64_t hyperperiod, operations; /* operations of all jobs in it */
	int64_t slots; /* blocks on the GPU at once, where they are followed one by one; 0: kernels are served whole, by makespan */
	bool levels;
	struct explore explore;
	struct explore_job *jobs;
	struct explore_edge *edges;
	struct explore_engine *engines;
	int **last; /* [segment][job]: the number of its last operation */
};

static const struct task *task_of(const struct timetable *t, int segment)
{
	return &t->w->set->tasks[t->w->segments->items[segment].task];
}

/* ---- may it be explored? */

static int64_t divisor(int64_t a, int64_t b)
{
	return b == 0 ? a : divisor(b, a % b);
}

static const char *phases(struct timetable *t)
{
	t->hyperperiod = 1;
	for (int i = 0; i < t->classes->chain_count; i++) {
		const struct task *task = task_of(t, i);
		if (task->arrival.kind != ARRIVAL_PERIODIC || task->offset == NONE)
			return arena_format(t->w->arena, "task:%s has no offset", task->id);
		t->hyperperiod = checked_mul(t->hyperperiod / divisor(t->hyperperiod, task->arrival.period), task->arrival.period);
		if (t->hyperperiod == NONE)
			return "the hyperperiod does not fit 64 bits";
	}
	for (int i = 0; i < t->classes->chain_count; i++)
		t->operations = checked_add(
			t->operations, checked_mul(t->hyperperiod / task_of(t, i)->arrival.period, t->classes->chains[i].count));
	return t->operations > JOBS ? "too many jobs in a hyperperiod" : NULL;
}

static const char *streams(const struct timetable *t)
{
	for (int i = 0; i < t->classes->chain_count; i++)
		for (int j = 0; j < i; j++)
			if (t->classes->chains[i].stream == t->classes->chains[j].stream && task_of(t, i) != task_of(t, j))
				return arena_format(
					t->w->arena, "task:%s and task:%s share a stream", task_of(t, j)->id, task_of(t, i)->id);
	return NULL;
}

static const char *places(const struct timetable *t)
{
	for (int i = 0; i < t->classes->count; i++) {
		const struct class *class = &t->classes->items[i];
		if (class->place == PLACE_NOWHERE)
			return "an operation is on no engine";
		if (class->place == PLACE_COPY && class->engine == ENGINE_NONE)
			return "a copy may go to any engine";
	}
	return NULL;
}

/* How many blocks the GPU holds, where all kernels are alike in what a block takes and nothing else takes time: then slots are served. */
static int64_t count_slots(const struct timetable *t)
{
	const struct operation *first = NULL;
	const struct platform *platform = t->w->platform;
	int64_t slots = 0, grids = platform_value(platform, PARAMETER_QUEUES_GRIDS);
	if (grids == NONE || grids < t->w->runlist->contexts[0].kernel_streams)
		return 0;
	if (platform_value(platform, PARAMETER_OVERHEAD_LAUNCH) != 0 || platform_value(platform, PARAMETER_OVERHEAD_BLOCK) != 0)
		return 0;
	for (int i = 0; i < t->classes->count; i++) {
		const struct class *class = &t->classes->items[i];
		const struct operation *operation = &t->w->set->operations[class->operation];
		const struct kernel *kernel = &operation->kernel;
		if (class->place != PLACE_EXECUTION)
			continue;
		if (operation->kind != OPERATION_KERNEL || kernel->scope != SCOPE_BLOCK || kernel->blocks == NONE ||
			kernel->blocks > PIECES)
			return 0;
		const struct kernel_map *of = &t->map->kernels[class->operation];
		if (of->slots_least == NONE || of->slots_least != of->slots_greatest || (slots != 0 && slots != of->slots_least))
			return 0;
		if (first != NULL && (first->kernel.threads != kernel->threads || first->kernel.registers != kernel->registers ||
					     first->kernel.shared_static + first->kernel.shared_dynamic !=
						     kernel->shared_static + kernel->shared_dynamic ||
					     first->kernel.cache != kernel->cache || first->kernel.carveout != kernel->carveout))
			return 0;
		first = operation;
		slots = of->slots_least;
	}
	return slots > SLOTS ? 0 : slots;
}

static const char *kernels(struct timetable *t)
{
	t->slots = count_slots(t);
	t->levels = t->w->runlist->contexts[0].levels;
	if (!t->levels)
		return NULL;
	if (t->slots == 0)
		return "kernels of several priority levels whose blocks cannot be followed one by one";
	for (int i = 0; i < t->classes->count; i++)
		if (t->classes->items[i].place == PLACE_EXECUTION && t->classes->items[i].blocks != 1)
			return "with several priority levels a kernel may have one block only";
	return NULL;
}

static const char *obstacle(struct timetable *t)
{
	const struct platform *platform = t->w->platform;
	if (platform->parameters[PARAMETER_STOPS_LENGTH].present && platform->parameters[PARAMETER_STOPS_DISTANCE].present)
		return "stops are declared";
	const char *reason = phases(t);
	reason = reason == NULL ? streams(t) : reason;
	reason = reason == NULL ? places(t) : reason;
	return reason == NULL ? kernels(t) : reason;
}

/* ---- the jobs: each operation of each job of a hyperperiod, after the one before it in its stream */

static struct explore_job service(const struct timetable *t, const struct class *class)
{
	struct explore_job job = {.engine = EXECUTION, .units = 1};
	if (class->place == PLACE_COPY) {
		job.engine = FIRST_COPY_ENGINE + class->engine;
		job.cost_most = class->block;
		job.cost_least = checked_min(class->least, class->block);
		return job;
	}
	bool whole = t->slots == 0;
	job.level = t->levels ? class->level : 0;
	job.cost_most = whole ? class->makespan : class->block;
	job.cost_least = checked_min(class->least, job.cost_most);
	job.units = whole ? 1 : class->blocks;
	return job;
}

struct so_far {              /* of a job while it is laid out */
	int last;            /* the operation before; -1: none, but its release */
	int64_t least, most; /* since then; without `last` since time zero */
};

static void follow(struct timetable *t, struct explore_job *job, int from, int64_t least, int64_t most)
{
	t->edges[t->explore.edge_count++] = (struct explore_edge){from, false, least, most};
	job->edge_count++;
}

/* before: the operation ahead on the stream, of the task's job before; -1: none. */
static void add_job(struct timetable *t, const struct class *class, struct so_far *at, int before)
{
	struct explore_job *job = &t->jobs[t->explore.job_count];
	*job = service(t, class);
	job->first_edge = t->explore.edge_count;
	if (at->last >= 0) {
		follow(t, job, at->last, at->least, checked_add(at->most, class->dependency));
	} else {
		job->release_least = at->least;
		job->release_most = checked_add(at->most, class->dependency);
	}
	if (before >= 0)
		follow(t, job, before, 0, class->dependency);
	*at = (struct so_far){t->explore.job_count++, 0, 0};
}

/* The last operation that the task's job before has on the stream of a segment. */
static int before_on_stream(const struct timetable *t, int segment, int64_t number)
{
	int before = -1, first = segment - t->w->segments->items[segment].number;
	for (int i = first; number > 0 && i < t->classes->chain_count && task_of(t, i) == task_of(t, segment); i++)
		if (t->classes->chains[i].stream == t->classes->chains[segment].stream)
			before = t->last[i][number - 1];
	return before;
}

static void lay_out_segment(struct timetable *t, int index, int64_t number, struct so_far *at)
{
	const struct chain_of_classes *chain = &t->classes->chains[index];
	const struct segment *segment = &t->w->segments->items[index], *earlier = segment->number == 0 ? NULL : segment - 1;
	int before = before_on_stream(t, index, number);
	at->least = checked_add(at->least, segment->host_least - (earlier == NULL ? 0 : earlier->host_least));
	at->most = checked_add(at->most, segment->host_most - (earlier == NULL ? 0 : earlier->host_most));
	for (int i = 0; i < chain->count; i++)
		add_job(t, &t->classes->items[chain->first + i], at, i == 0 ? before : -1);
	t->last[index][number] = at->last;
}

static void lay_out_task(struct timetable *t, int first)
{
	const struct task *task = task_of(t, first);
	for (int64_t number = 0; number < t->hyperperiod / task->arrival.period; number++) {
		int64_t release = checked_add(task->offset, checked_mul(number, task->arrival.period));
		int64_t latest = planted(PLANT_PHASE) ? release : checked_add(release, task->arrival.jitter);
		struct so_far at = {-1, release, latest};
		for (int i = first; i < t->classes->chain_count && task_of(t, i) == task; i++)
			lay_out_segment(t, i, number, &at);
	}
}

static void lay_out(struct timetable *t)
{
	struct arena *arena = t->w->arena;
	int copy_engines = 0;
	t->jobs = arena_allocate(arena, (size_t)t->operations + 1, sizeof *t->jobs);
	t->edges = arena_allocate(arena, 2 * (size_t)t->operations + 1, sizeof *t->edges);
	t->last = arena_allocate(arena, (size_t)t->classes->chain_count + 1, sizeof *t->last);
	for (int i = 0; i < t->classes->chain_count; i++)
		t->last[i] = arena_allocate(arena, (size_t)(t->hyperperiod / task_of(t, i)->arrival.period), sizeof **t->last);
	for (int i = 0; i < t->classes->chain_count; i++)
		if (t->w->segments->items[i].number == 0)
			lay_out_task(t, i);
	for (int i = 0; i < t->classes->count; i++)
		if (t->classes->items[i].place == PLACE_COPY && t->classes->items[i].engine >= copy_engines)
			copy_engines = t->classes->items[i].engine + 1;
	t->engines = arena_allocate(arena, (size_t)copy_engines + 1, sizeof *t->engines);
	t->engines[EXECUTION] = t->slots == 0 ? (struct explore_engine){EXPLORE_ARRIVAL, 1, true}
					      : (struct explore_engine){t->levels ? EXPLORE_LEVEL : EXPLORE_ARRIVAL, (int)t->slots, false};
	for (int e = 0; e < copy_engines; e++)
		t->engines[FIRST_COPY_ENGINE + e] = (struct explore_engine){EXPLORE_ARRIVAL, 1, false};
	t->explore.jobs = t->jobs;
	t->explore.edges = t->edges;
	t->explore.engines = t->engines;
	t->explore.engine_count = copy_engines + 1;
	t->explore.state_limit = STATES;
	t->explore.total_limit = TOTAL;
}

/* ---- what the exploration says of a task */

static int64_t completion(const struct timetable *t, const struct explore_result *result, int segment, int64_t number)
{
	return result->most[t->last[segment][number]];
}

/* Jobs are issued in order and the next hyperperiod finds nothing left over: each job of a task is complete before the next one may be
 * released, and everything before anything of the next hyperperiod may be. Else another order would have been possible. */
static const char *in_order(const struct timetable *t, const struct explore_result *result, int segment)
{
	const struct task *task = task_of(t, segment);
	int64_t jobs = t->hyperperiod / task->arrival.period, first = NONE;
	for (int i = 0; i < t->classes->chain_count; i++)
		first = checked_min(first, checked_add(task_of(t, i)->offset, t->hyperperiod));
	for (int64_t n = 0; n < jobs; n++) {
		int64_t done = completion(t, result, segment, n),
			next = checked_add(task->offset, checked_mul(n + 1, task->arrival.period));
		if (done == NONE || (t->w->segments->items[segment].number > 0 && done > next))
			return arena_format(t->w->arena, "a job of task:%s may not be complete when the next one is released", task->id);
		if (done > first)
			return arena_format(t->w->arena, "a job of task:%s may not be complete when the next hyperperiod begins", task->id);
	}
	return NULL;
}

static int64_t worst(const struct timetable *t, const struct explore_result *result, int segment)
{
	const struct task *task = task_of(t, segment);
	int64_t worst = 0, host = t->w->segments->items[segment].host_most;
	for (int64_t n = 0; n < t->hyperperiod / task->arrival.period; n++) {
		int64_t released = checked_add(task->offset, checked_mul(n, task->arrival.period));
		worst = checked_max(worst, checked_sub(completion(t, result, segment, n), checked_add(released, host)));
	}
	return checked_max(worst, 0);
}

static bool is_last(const struct timetable *t, int segment)
{
	return segment + 1 == t->classes->chain_count || task_of(t, segment + 1) != task_of(t, segment);
}

/* ---- derivation */

static int table_step(const struct timetable *t)
{
	struct derivation *derivation = t->w->derivation;
	struct arena *arena = t->w->arena;
	int *offsets = arena_allocate(arena, (size_t)t->classes->chain_count + 1, sizeof *offsets);
	for (int i = 0; i < t->classes->chain_count; i++)
		offsets[i] = cost_given(arena, derivation, task_of(t, i)->offset, "task:%s@offset", task_of(t, i)->id);
	int step = derivation_integer(derivation, RULE_TIMETABLE, "gpu", t->hyperperiod);
	for (int i = 0; i < t->classes->chain_count; i++)
		derivation_input(derivation, "O", offsets[i]);
	for (int i = 0; i < t->classes->count; i++) {
		const struct operation_cost *cost = &t->w->costs->operations[t->classes->items[i].operation];
		derivation_input(derivation, "o_dep", cost->dependency.step);
		if (cost->place == PLACE_COPY)
			derivation_input(derivation, "C", cost->transfer.step);
		if (cost->place == PLACE_EXECUTION)
			derivation_input(derivation, t->slots == 0 ? "M" : "C", t->slots == 0 ? cost->makespan.step : cost->block.step);
	}
	return step;
}

static void derive(const struct timetable *t, struct holistic *result)
{
	int table = table_step(t);
	for (int i = 0; i < t->classes->chain_count; i++) {
		result->step[i] = derivation_integer(t->w->derivation, RULE_TT, t->w->segments->items[i].name, result->segment[i]);
		derivation_input(t->w->derivation, "jobs", table);
	}
}

static const char *explore(struct timetable *t, struct holistic *result)
{
	lay_out(t);
	struct explore_result explored = explore_run(t->w->arena, &t->explore);
	for (int i = 0; i < t->classes->chain_count; i++) {
		const char *reason = explored.reason != NULL ? explored.reason : in_order(t, &explored, i);
		if (reason != NULL)
			return reason;
		result->segment[i] = is_last(t, i) ? worst(t, &explored, i) : 0;
	}
	return NULL;
}

struct holistic offsets_compute(const struct workload *w, const struct map *map)
{
	struct holistic result = {NULL, arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof(int64_t)),
		arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof(int)), 0};
	struct timetable t = {.w = w, .map = map};
	if (w->runlist->context_count == 0)
		return result;
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, BOUND_TT, 0);
	result.assumptions = applicable.assumptions | (w->runlist->contexts[0].copies ? UINT64_C(1) << ASSUMPTION_CE : 0);
	result.reason = applicable.reason;
	if (result.reason == NULL && (w->runlist->context_count != 1 || w->runlist->sliced))
		result.reason = "contexts, or copies and kernels, take turns by time slices";
	if (result.reason == NULL)
		t.classes = classes_build(w->arena, w->platform, w->set, w->costs, w->segments, w->runlist, 0, false, &result.reason,
			&result.assumptions);
	if (result.reason == NULL)
		result.reason = obstacle(&t);
	if (result.reason == NULL)
		result.reason = applicable_refuse(w->arena, w->platform, result.assumptions);
	if (result.reason == NULL)
		result.reason = explore(&t, &result);
	if (result.reason == NULL)
		derive(&t, &result);
	return result;
}
