#include "response/bounds/tt.h"

#include "base/plant.h"
#include "explore/explore.h"
#include "model/limits.h"
#include "model/rules.h"
#include "response/bounds/bound.h"
#include "response/bounds/tt_phases.h"
#include "response/start_delays.h"

#include <stdlib.h>

enum { EXECUTION, FIRST_COPY_ENGINE }; /* engines of the exploration */

struct done {                /* a job */
	int64_t release, by; /* nominal; its completion */
};

struct timetable {
	struct tt_phases phases;
	int64_t reach;      /* jobs with nominal releases before it are laid out */
	int64_t counted;    /* those before it stand for all jobs that will ever be */
	int64_t operations; /* of all jobs */
	struct explore explore;
	struct explore_job *jobs;
	struct explore_edge *edges;
	struct explore_engine *engines;
	struct explore_line *lines;
	int **last; /* [segment][job]: the number of its last operation */
	struct tt_basis *basis;
};

static const struct task *task_of(const struct timetable *t, int segment)
{
	return tt_phases_task(&t->phases, segment);
}

/* How many jobs of the segment's task have nominal releases before an instant. */
static int64_t jobs_before(const struct timetable *t, int segment, int64_t instant)
{
	const struct task *task = task_of(t, segment);
	return instant <= task->offset ? 0 : checked_div_ceil(instant - task->offset, task->arrival.period);
}

static int64_t release_of(const struct timetable *t, int segment, int64_t number)
{
	const struct task *task = task_of(t, segment);
	return checked_add(task->offset, checked_mul(number, task->arrival.period));
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
	bool whole = t->phases.slots == 0;
	job.level = t->phases.levels ? class->level : 0;
	job.cost_most = whole ? class->makespan : class->block;
	job.cost_least = checked_min(class->least, job.cost_most);
	job.units = whole && (t->phases.pool == 0 || t->phases.levels) ? 1 : class->blocks;
	job.piece = planted(PLANT_BLOCKING) ? 0 : class->block;
	job.last = class_last(class);
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

static void arrive(struct timetable *t, const struct class *class, struct explore_job *job, const struct so_far *at)
{
	if (at->last >= 0) {
		follow(t, job, at->last, at->least, checked_add(at->most, class->dependency));
	} else {
		job->release_least = at->least;
		job->release_most = checked_add(at->most, class->dependency);
	}
}

/* Are operations of a segment issued one by one? Planted: none is, or none on a stream that tasks share. */
static bool come_apart(const struct timetable *t, int segment, const struct so_far *issued)
{
	bool planted_here = planted(PLANT_AT_ONCE) || (planted(PLANT_SHARED_AT_ONCE) && t->phases.shared[segment]);
	return issued->most > issued->least && !planted_here;
}

/* issued: the release of its segment, as late as which it may be issued, if it comes apart; before: the operation ahead on the stream, of
 * the task's job before, -1: none. */
static void add_job(struct timetable *t, const struct class *class, const struct so_far *issued, bool apart, struct so_far *at, int before)
{
	struct explore_job *job = &t->jobs[t->explore.job_count];
	bool first = at->last == issued->last;
	*job = service(t, class);
	job->first_edge = t->explore.edge_count;
	if (first || apart)
		arrive(t, class, job, issued);
	if (!first)
		arrive(t, class, job, at);
	if (before >= 0)
		follow(t, job, before, 0, class->dependency);
	*at = (struct so_far){t->explore.job_count++, 0, 0};
}

/* The last operation that the task's job before has on the stream of a segment. */
static int before_on_stream(const struct timetable *t, int segment, int64_t number)
{
	int before = -1, first = segment - t->phases.w->segments->items[segment].number;
	for (int i = first; number > 0 && i < t->phases.classes->chain_count && task_of(t, i) == task_of(t, segment); i++)
		if (t->phases.classes->chains[i].stream == t->phases.classes->chains[segment].stream)
			before = t->last[i][number - 1];
	return before;
}

static void lay_out_segment(struct timetable *t, int index, int64_t number, struct so_far *at)
{
	const struct chain_of_classes *chain = &t->phases.classes->chains[index];
	const struct segment *segment = &t->phases.w->segments->items[index], *earlier = segment->number == 0 ? NULL : segment - 1;
	int before = t->phases.shared[index] ? -1 : before_on_stream(t, index, number);
	at->least = checked_add(at->least, checked_sub(segment->host_least, earlier == NULL ? 0 : earlier->host_least));
	at->most = checked_add(at->most, checked_sub(segment->host_most, earlier == NULL ? 0 : earlier->host_most));
	const struct so_far issued = *at;
	for (int i = 0; i < chain->count; i++)
		add_job(t, &t->phases.classes->items[chain->first + i], &issued, come_apart(t, index, &issued), at, i == 0 ? before : -1);
	t->last[index][number] = at->last;
}

static void lay_out_task(struct timetable *t, int first)
{
	const struct task *task = task_of(t, first);
	int64_t count = jobs_before(t, first, t->reach);
	for (int64_t number = 0; number < count; number++) {
		int64_t release = release_of(t, first, number);
		int64_t latest = planted(PLANT_PHASE) ? release : checked_add(release, task->arrival.jitter);
		struct so_far at = {-1, release, latest};
		for (int i = first; i < t->phases.classes->chain_count && task_of(t, i) == task; i++)
			lay_out_segment(t, i, number, &at);
	}
}

/* The jobs of a task that shares its stream take turns there with those of others. */
static void lay_out_turns(struct timetable *t, int segment)
{
	const struct chain_of_classes *chain = &t->phases.classes->chains[segment];
	int64_t count = jobs_before(t, segment, t->reach), delay = t->phases.classes->items[chain->first].dependency;
	struct explore_turn *turns = arena_allocate(t->phases.w->arena, (size_t)count + 1, sizeof *turns);
	for (int64_t number = 0; number < count; number++) {
		int last = t->last[segment][number], first = last - chain->count + 1;
		turns[number] = (struct explore_turn){first, last, planted(PLANT_QUEUE) ? 0 : delay};
		t->jobs[first].release_most = checked_sub(t->jobs[first].release_most, delay);
	}
	t->lines[t->explore.line_count++] = (struct explore_line){chain->stream, turns, (int)count};
}

static struct explore_engine execution(const struct tt_phases *phases)
{
	int64_t dispatch = platform_value(phases->w->platform, PARAMETER_OVERHEAD_BLOCK);
	if (phases->slots > 0)
		return (struct explore_engine){.order = phases->levels ? EXPLORE_LEVEL : EXPLORE_ARRIVAL, .slots = (int)phases->slots};
	if (phases->levels)
		return (struct explore_engine){.order = EXPLORE_GATE, .slots = 1, .dispatch = dispatch};
	return (struct explore_engine){.order = EXPLORE_ARRIVAL,
		.slots = 1,
		.overlaps = true,
		.dispatch = dispatch,
		.launch = platform_value(phases->w->platform, PARAMETER_OVERHEAD_LAUNCH),
		.pool = (int)phases->pool};
}

static void lay_out_engines(struct timetable *t)
{
	int copy_engines = 0;
	for (int i = 0; i < t->phases.classes->count; i++)
		if (t->phases.classes->items[i].place == PLACE_COPY && t->phases.classes->items[i].engine >= copy_engines)
			copy_engines = t->phases.classes->items[i].engine + 1;
	t->engines = arena_allocate(t->phases.w->arena, (size_t)copy_engines + 1, sizeof *t->engines);
	t->engines[EXECUTION] = execution(&t->phases);
	for (int e = 0; e < copy_engines; e++)
		t->engines[FIRST_COPY_ENGINE + e] = (struct explore_engine){.order = EXPLORE_ARRIVAL, .slots = 1};
	t->explore.engine_count = copy_engines + 1;
}

static void lay_out(struct timetable *t)
{
	struct arena *arena = t->phases.w->arena;
	int chains = t->phases.classes->chain_count;
	t->explore = (struct explore){.state_limit = LIMIT_TT_STATES, .total_limit = LIMIT_TT_TOTAL};
	t->jobs = arena_allocate(arena, (size_t)t->operations + 1, sizeof *t->jobs);
	t->edges = arena_allocate(arena, 2 * (size_t)t->operations + 1, sizeof *t->edges);
	t->lines = arena_allocate(arena, (size_t)chains + 1, sizeof *t->lines);
	t->last = arena_allocate(arena, (size_t)chains + 1, sizeof *t->last);
	for (int i = 0; i < chains; i++)
		t->last[i] = arena_allocate(arena, (size_t)jobs_before(t, i, t->reach) + 1, sizeof **t->last);
	for (int i = 0; i < chains; i++)
		if (t->phases.w->segments->items[i].number == 0)
			lay_out_task(t, i);
	for (int i = 0; i < chains; i++)
		if (t->phases.shared[i])
			lay_out_turns(t, i);
	lay_out_engines(t);
	t->explore.jobs = t->jobs;
	t->explore.edges = t->edges;
	t->explore.engines = t->engines;
	t->explore.lines = t->lines;
	t->explore.queue_count = t->explore.line_count > 0 ? t->phases.w->set->stream_count : 0;
}

/* ---- what the exploration says of a task */

static int64_t completion(const struct timetable *t, const struct explore_result *result, int segment, int64_t number)
{
	return result->most[t->last[segment][number]];
}

static int by_release(const void *a, const void *b)
{
	const struct done *first = a, *second = b;
	return (first->release > second->release) - (first->release < second->release);
}

/* All jobs, by release; `by`: all up to and with this one are complete. */
static int64_t sort_jobs(const struct timetable *t, const struct explore_result *result, struct done **all)
{
	int64_t count = 0, by = 0;
	struct done *done = *all = arena_allocate(t->phases.w->arena, (size_t)t->operations + 1, sizeof *done);
	for (int i = 0; i < t->phases.classes->chain_count; i++)
		for (int64_t n = 0; n < jobs_before(t, i, t->reach); n++)
			done[count++] = (struct done){release_of(t, i, n), completion(t, result, i, n)};
	qsort(done, (size_t)count, sizeof *done, by_release);
	for (int64_t i = 0; i < count; i++)
		by = done[i].by = checked_max(by, done[i].by);
	return count;
}

/* Is everything that was released before an instant complete by then? */
static bool idle_at(const struct done *done, int64_t count, int64_t instant)
{
	int64_t low = 0, high = count;
	while (low < high) {
		int64_t middle = (low + high) / 2;
		if (done[middle].release < instant)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 || (done[low - 1].by != NONE && done[low - 1].by <= instant);
}

/* From then on nothing but the periods decides what is released. */
static int64_t settled_after(const struct timetable *t)
{
	int64_t after = -1;
	for (int i = 0; i < t->phases.classes->chain_count; i++)
		after = checked_max(after, checked_sub(task_of(t, i)->offset, task_of(t, i)->arrival.period));
	return after;
}

/* Two releases a hyperperiod apart before each of which all is complete: what follows the one follows the other, too. */
static const char *recur(struct timetable *t, const struct explore_result *result)
{
	struct done *done;
	int64_t count = sort_jobs(t, result, &done), after = settled_after(t);
	for (int64_t i = 0; i < count; i++) {
		int64_t again = checked_add(done[i].release, t->phases.hyperperiod);
		if (again == NONE || again > t->reach)
			break;
		if (done[i].release > after && idle_at(done, count, done[i].release) && idle_at(done, count, again)) {
			t->counted = again;
			return NULL;
		}
	}
	return "no release is certain to find all jobs before it complete, and the one a hyperperiod later as well";
}

/* A task cut by host segments issues its jobs in order if each is complete before the next one may be released. */
static const char *in_order(const struct timetable *t, const struct explore_result *result, int segment)
{
	const struct task *task = task_of(t, segment);
	for (int64_t n = 0; n < jobs_before(t, segment, t->counted); n++)
		if (t->phases.w->segments->items[segment].number > 0 && completion(t, result, segment, n) > release_of(t, segment, n + 1))
			return arena_format(
				t->phases.w->arena, "a job of task:%s may not be complete when the next one is released", task->id);
	return NULL;
}

static int64_t worst(const struct timetable *t, const struct explore_result *result, int segment)
{
	int64_t worst = 0, host = t->phases.w->segments->items[segment].host_most;
	for (int64_t n = 0; n < jobs_before(t, segment, t->counted); n++) {
		int64_t released = checked_add(release_of(t, segment, n), host);
		worst = checked_max(worst, checked_sub(completion(t, result, segment, n), released));
	}
	return checked_max(worst, 0);
}

static bool is_last(const struct timetable *t, int segment)
{
	return segment + 1 == t->phases.classes->chain_count || task_of(t, segment + 1) != task_of(t, segment);
}

/* ---- derivation */

static int table_step(const struct timetable *t)
{
	struct derivation *derivation = t->phases.w->derivation;
	struct arena *arena = t->phases.w->arena;
	int *offsets = arena_allocate(arena, (size_t)t->phases.classes->chain_count + 1, sizeof *offsets);
	for (int i = 0; i < t->phases.classes->chain_count; i++)
		offsets[i] = cost_given(derivation, task_of(t, i)->offset, "task:%s@offset", task_of(t, i)->id, NULL);
	int step = derivation_integer(derivation, RULE_TIMETABLE, "gpu", t->phases.hyperperiod);
	for (int i = 0; i < t->phases.classes->chain_count; i++)
		derivation_input(derivation, "O", offsets[i]);
	for (int i = 0; i < t->phases.classes->count; i++) {
		const struct operation_cost *cost = &t->phases.w->costs->operations[t->phases.classes->items[i].operation];
		derivation_input(derivation, "o_dep", cost->dependency.step);
		if (cost->place == PLACE_COPY)
			derivation_input(derivation, "C", cost->transfer.step);
		if (cost->place == PLACE_EXECUTION)
			derivation_input(derivation, t->phases.slots == 0 ? "M" : "C",
				t->phases.slots == 0 ? cost->makespan.step : cost->block.step);
	}
	return step;
}

static void derive(const struct timetable *t, struct bound_answer *result)
{
	int table = table_step(t);
	for (int i = 0; i < t->phases.classes->chain_count; i++) {
		result[i].step =
			derivation_integer(t->phases.w->derivation, RULE_TT, t->phases.w->segments->items[i].name, result[i].value);
		derivation_input(t->phases.w->derivation, "jobs", table);
	}
}

static void keep_basis(struct timetable *t, const struct explore_result *explored, const struct bound_answer *result)
{
	struct arena *arena = t->phases.w->arena;
	int chains = t->phases.classes->chain_count;
	struct tt_basis *basis = t->basis = arena_allocate(arena, 1, sizeof *basis);
	basis->jobs = arena_allocate(arena, (size_t)t->operations + 1, sizeof *basis->jobs);
	basis->worst = arena_allocate(arena, (size_t)chains + 1, sizeof *basis->worst);
	struct explore *laid_out = arena_allocate(arena, 1, sizeof *laid_out);
	*laid_out = t->explore;
	basis->explore = laid_out;
	basis->classes = t->phases.classes;
	basis->blocks = t->phases.slots > 0;
	basis->hyperperiod = t->phases.hyperperiod;
	for (int i = 0; i < chains; i++) {
		int64_t host = t->phases.w->segments->items[i].host_most;
		basis->worst[i] = NO_ID;
		for (int64_t n = 0; n < jobs_before(t, i, t->reach); n++) {
			int last = t->last[i][n], first = last - t->phases.classes->chains[i].count + 1;
			struct tt_job job = {i, release_of(t, i, n), completion(t, explored, i, n), first, last};
			bool worst = n < jobs_before(t, i, t->counted) && job.complete - job.release - host == result[i].value;
			if (is_last(t, i) && worst && basis->worst[i] == NO_ID)
				basis->worst[i] = basis->count;
			basis->jobs[basis->count++] = job;
		}
	}
}

int tt_operation(const struct tt_basis *basis, int number, const struct tt_job **job)
{
	for (int i = 0; i < basis->count; i++)
		if (basis->jobs[i].first <= number && number <= basis->jobs[i].last) {
			*job = &basis->jobs[i];
			return basis->classes->items[basis->classes->chains[(*job)->segment].first + number - (*job)->first].operation;
		}
	return NO_ID;
}

/* All jobs released before `reach`. */
static const char *explore_until(struct timetable *t, int64_t reach, struct bound_answer *result)
{
	t->reach = reach;
	t->operations = 0;
	for (int i = 0; i < t->phases.classes->chain_count; i++)
		t->operations = checked_add(t->operations, checked_mul(jobs_before(t, i, reach), t->phases.classes->chains[i].count));
	if (reach == NONE || t->operations > LIMIT_TT_JOBS)
		return "too many jobs in a hyperperiod";
	lay_out(t);
	struct explore_result explored = explore_run(t->phases.w->arena, &t->explore);
	const char *reason = explored.reason != NULL ? explored.reason : recur(t, &explored);
	for (int i = 0; i < t->phases.classes->chain_count && reason == NULL; i++) {
		reason = in_order(t, &explored, i);
		result[i].value = is_last(t, i) ? worst(t, &explored, i) : 0;
	}
	if (reason == NULL)
		keep_basis(t, &explored, result);
	return reason;
}

/* One hyperperiod mostly; two where jobs are under way at its end, or begin late. */
static const char *explore(struct timetable *t, struct bound_answer *result)
{
	int64_t first = NONE, hyperperiod = t->phases.hyperperiod, settled = checked_max(settled_after(t), 0);
	for (int i = 0; i < t->phases.classes->chain_count; i++)
		first = checked_min(first, task_of(t, i)->offset);
	const char *reason = explore_until(t, checked_add(first, hyperperiod), result);
	if (reason == NULL)
		return NULL;
	const char *longer = explore_until(t, checked_add(settled, checked_mul(2, hyperperiod)), result);
	return longer == NULL ? NULL : reason;
}

/* result: one a segment. */
static const char *compute(struct timetable *t, struct bound_answer *result, uint64_t *assumptions)
{
	const struct workload *w = t->phases.w;
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, BOUND_TT, 0);
	const char *reason = applicable.reason;
	*assumptions = applicable.assumptions | (w->runlist->contexts[0].copies ? UINT64_C(1) << ASSUMPTION_CE : 0);
	if (reason == NULL && (w->costs->domains->parted || w->costs->domains->items[0].several))
		reason = "kernels are in several partitions";
	if (reason == NULL && (w->runlist->context_count != 1 || (w->runlist->sliced && !planted(PLANT_PHASED_TURNS))))
		reason = "contexts, or copies and kernels, take turns by time slices";
	if (reason == NULL) {
		const struct classes_built *built = classes_by_makespan(w, 0);
		t->phases.classes = built->classes;
		reason = built->reason;
		*assumptions |= built->assumptions;
	}
	if (reason == NULL)
		reason = t->phases.classes->several;
	if (reason == NULL)
		reason = tt_phases_find(&t->phases);
	if (reason == NULL)
		reason = applicable_refuse(w->arena, w->platform, *assumptions);
	if (reason == NULL)
		reason = explore(t, result);
	if (reason == NULL)
		derive(t, result);
	return reason;
}

/* All segments at once, as there is a value only where there is a single context. */
void tt_compute(struct bounding *b, int context)
{
	struct bound_answer *result = b->answers[BOUND_TT];
	struct timetable t = {.phases = {.w = b->work, .map = b->map}};
	uint64_t assumptions;
	if (context != 0)
		return;
	const char *reason = compute(&t, result, &assumptions);
	for (int i = 0; i < b->work->segments->count; i++) {
		if (reason != NULL)
			result[i] = (struct bound_answer){.value = NONE, .reason = reason, .step = STEP_ABSENT};
		result[i].assumptions = assumptions;
	}
	b->basis->tt = reason == NULL ? t.basis : NULL;
}

void tt_applies(struct applicability *a)
{
	if (!planted(PLANT_UNSAID_PHASES))
		applicable_need(a, ASSUMPTION_PHASES);
	applicable_need_hosts(a, a->context);
	applicable_need_queues(a, a->context);
	if (!start_delays_exist(a->platform) || !a->runlist->contexts[a->context].kernels)
		applicable_need_order(a, a->context);
	else
		a->found.reason =
			start_delays_replace_order(a->platform)
				? "blocks may begin late here (A-ORDER): TT follows kernels that begin at once"
				: "blocks may begin late here (dispatch.delay, dispatch.stall): TT follows kernels that begin at once";
}
