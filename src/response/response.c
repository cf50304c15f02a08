#include "response/response.h"

#include "base/plant.h"
#include "base/refinement.h"
#include "model/rules.h"
#include "response/advice.h"
#include "response/applicable.h"
#include "response/bounds/bound.h"
#include "response/context_operations.h"
#include "response/end_to_end.h"

const char *const verdict_names[] = {"proven", "conditional", "not-proven", "no-bound"};

bool verdict_meets(enum verdict verdict)
{
	return verdict <= VERDICT_CONDITIONAL;
}

struct builder {
	struct workload work;
	struct bounding bounds;
	uint64_t granted, conditions; /* assumptions of the platform */
	struct response *response;
	struct advisor advisor;
};

/* ---- one bound of one task: its segments and host segments in sequence ([SEGMENTS]) */

static int response_step(const struct builder *b, int index, enum bound bound, int64_t value)
{
	const struct workload *w = &b->work;
	const struct task *task = &w->set->tasks[index];
	int *hosts = NULL, host_count = 0, room = 0;
	if (!derivation_is_read(w->derivation))
		return 0;
	for (int i = 0; i < task->operation_count; i++) {
		if (task_operation(w->set, task, i)->kind != OPERATION_HOST)
			continue;
		const char *about = arena_format(w->arena, "task:%s", task->id);
		hosts = arena_grow(w->arena, hosts, &room, host_count + 1, sizeof *hosts);
		hosts[host_count++] = cost_host(w->costs, w->set, task->first_operation + i, w->derivation, about);
	}
	int step = derivation_named(w->derivation, RULE_RESPONSE, rational_of(value), "task:%s", task->id, NULL);
	for (int i = w->segments->of_task[index]; i < w->segments->of_task[index + 1]; i++)
		derivation_input(w->derivation, "P", bounds_of_segment(&b->bounds, bound, i).step);
	for (int i = 0; i < host_count; i++)
		derivation_input(w->derivation, "C", hosts[i]);
	for (int i = 0; i < w->runlist->context_count && (bound == BOUND_P || bound == BOUND_VOL_P); i++)
		derivation_input(w->derivation, "also", b->bounds.answers[bound][i].step); /* what the fixed points claim of one another */
	return step;
}

/* hosts: what its host segments rest on. */
static struct bound_value bound_of(const struct builder *b, int index, enum bound bound, uint64_t hosts)
{
	const struct workload *w = &b->work;
	const struct task *task = &w->set->tasks[index];
	struct bound_value value = {w->segments->host_of_task[index], NULL, STEP_ABSENT, 0};
	int first = w->segments->of_task[index], end = w->segments->of_task[index + 1];
	for (int i = first; i < end; i++) {
		struct bound_answer part = bounds_of_segment(&b->bounds, bound, i);
		value.assumptions |= part.assumptions;
		value.reason = value.reason == NULL ? part.reason : value.reason;
		value.value = checked_add(value.value, part.value);
	}
	if (bound == BOUND_TT && first == end && task->arrival.jitter > 0)
		value.reason = "it has host segments alone, and a response from the nominal release would have the jitter in it";
	value.assumptions |= hosts;
	if (w->set->core_times != NULL && w->set->core_times->reasons[index] != NULL)
		value.reason = w->set->core_times->reasons[index][bound];
	if (value.reason == NULL && value.value == NONE)
		value.reason = "the response does not fit 64 bits";
	if (value.reason == NULL && (value.assumptions & ~b->granted) != 0)
		value.reason = applicable_refuse(w->arena, w->platform, value.assumptions);
	if (value.reason != NULL) {
		value.value = NONE;
		return value;
	}
	value.step = response_step(b, index, bound, value.value);
	return value;
}

/* ---- the least bound and the verdict */

static enum verdict verdict_of(const struct builder *b, int64_t response, int64_t deadline, uint64_t assumptions)
{
	if (response == NONE)
		return VERDICT_NO_BOUND;
	if (deadline != NONE && response > deadline)
		return VERDICT_NOT_PROVEN;
	return (assumptions & b->conditions) != 0 ? VERDICT_CONDITIONAL : VERDICT_PROVEN;
}

/* Where phases are known a completion is held against the nominal release itself: what comes late is in it, if anything is on the GPU. */
int64_t bound_from_nominal(enum bound bound, const struct task *task, int64_t value)
{
	return bound == BOUND_TT && task->application != NO_ID ? value : checked_add(value, task->arrival.jitter);
}

/* without: assumptions on which it may not rest */
static int least_of(const struct bound_value *bounds, const struct task *task, uint64_t without)
{
	int winner = -1;
	int64_t least = NONE;
	for (int i = 0; i < BOUND_COUNT; i++) {
		int64_t nominal = bound_from_nominal((enum bound)i, task, bounds[i].value);
		if (bounds[i].value == NONE || (bounds[i].assumptions & without) != 0 || (winner >= 0 && nominal >= least))
			continue;
		winner = i;
		least = nominal;
	}
	return winner;
}

/* The least bound; but a deadline that is met without conditions is proven, by the least of the bounds that have none. left_out: the
 * assumptions of the bounds that were passed over for that. */
static int winner_of(const struct builder *b, const struct task *task, const struct bound_value *bounds, uint64_t *left_out)
{
	int least = least_of(bounds, task, 0);
	*left_out = 0;
	if (least < 0 || task->deadline == NONE || (bounds[least].assumptions & b->conditions) == 0)
		return least;
	int sure = least_of(bounds, task, b->conditions);
	if (sure < 0 || bound_from_nominal((enum bound)sure, task, bounds[sure].value) > task->deadline)
		return least;
	*left_out = b->conditions;
	return sure;
}

static void judge_task(struct builder *b, int index)
{
	const struct workload *w = &b->work;
	const struct task *task = &w->set->tasks[index];
	struct response_of *result = &b->response->tasks[index];
	uint64_t hosts = applicable_hosts(w->set, task);
	for (int i = 0; i < BOUND_COUNT; i++)
		result->bounds[i] = bound_of(b, index, (enum bound)i, hosts);
	result->deadline = task->deadline;
	uint64_t left_out;
	result->winner = winner_of(b, task, result->bounds, &left_out);
	result->response = NONE;
	result->step = STEP_ABSENT;
	if (result->winner >= 0) {
		const struct bound_value *least = &result->bounds[result->winner];
		int jitter = cost_given(w->derivation, task->arrival.jitter, "task:%s@jitter", task->id, NULL);
		result->assumptions = least->assumptions;
		result->response = bound_from_nominal((enum bound)result->winner, task, least->value);
		result->step = derivation_named(w->derivation, RULE_NOMINAL, rational_of(result->response), "task:%s", task->id, NULL);
		for (int i = 0; i < BOUND_COUNT; i++)
			if ((result->bounds[i].assumptions & left_out) == 0)
				derivation_input(w->derivation, "R", result->bounds[i].step);
		derivation_input(w->derivation, "Jr", jitter);
	}
	result->verdict = verdict_of(b, result->response, result->deadline, result->assumptions);
	if (!verdict_meets(result->verdict))
		result->advice = advice_for_task(&b->advisor, result, index);
}

/* ---- streams: the worst over the tasks that use them */

static bool uses_stream(const struct taskset *set, const struct task *task, int stream)
{
	for (int i = 0; i < task->operation_count; i++)
		if (task_operation(set, task, i)->stream == stream)
			return true;
	return false;
}

static void join(struct response_of *stream, const struct response_of *task)
{
	stream->assumptions |= task->assumptions;
	if (task->verdict > stream->verdict)
		stream->verdict = task->verdict;
	stream->deadline = checked_min(stream->deadline, task->deadline);
	if (stream->response == NONE || (task->response != NONE && task->response <= stream->response))
		return;
	stream->response = task->response;
	stream->winner = task->winner;
}

static void judge_stream(const struct builder *b, int index)
{
	const struct workload *w = &b->work;
	struct response_of *result = &b->response->streams[index];
	*result = (struct response_of){.response = 0, .deadline = NONE, .winner = -1, .step = STEP_ABSENT};
	for (int i = 0; i < BOUND_COUNT; i++)
		result->bounds[i] = (struct bound_value){NONE, "a stream's response is the worst of its tasks'", STEP_ABSENT, 0};
	bool *uses = arena_reserve(w->arena, (size_t)w->set->task_count + 1, sizeof *uses);
	for (int i = 0; i < w->set->task_count; i++) {
		uses[i] = uses_stream(w->set, &w->set->tasks[i], index);
		if (uses[i])
			join(result, &b->response->tasks[i]);
	}
	if (result->response == NONE) {
		result->winner = -1;
		return;
	}
	result->step =
		derivation_named(w->derivation, RULE_WORST, rational_of(result->response), "stream:%s", w->set->streams[index].id, NULL);
	for (int i = 0; i < w->set->task_count; i++)
		if (uses[i])
			derivation_input(w->derivation, "R", b->response->tasks[i].step);
}

static void judge_end_to_end(const struct builder *b, int index)
{
	const struct end_to_end *flow = &b->work.set->end_to_end[index];
	struct end_to_end_result *result = &b->response->end_to_end[index];
	end_to_end_bound(b->work.arena, b->work.platform, b->work.set, b->response->tasks, b->work.derivation, flow, result);
	result->verdict = verdict_of(b, result->response, flow->deadline, result->assumptions);
}

/* Tasks that need no bound and have none; of a task set in which nothing else is the verdict would say nothing. */
static void leave_out(const struct builder *b)
{
	const struct taskset *set = b->work.set;
	struct response *response = b->response;
	int count = 0;
	for (int i = 0; i < set->task_count; i++)
		count += response->left_out[i] = set->tasks[i].best_effort && response->tasks[i].verdict == VERDICT_NO_BOUND;
	for (int i = 0; i < set->task_count && count == set->task_count; i++)
		response->left_out[i] = false;
}

static enum verdict worst_of(const struct builder *b)
{
	enum verdict worst = VERDICT_PROVEN;
	for (int i = 0; i < b->work.set->task_count; i++)
		if (!b->response->left_out[i] && b->response->tasks[i].verdict > worst)
			worst = b->response->tasks[i].verdict;
	for (int i = 0; i < b->work.set->end_to_end_count; i++)
		worst = b->response->end_to_end[i].verdict > worst ? b->response->end_to_end[i].verdict : worst;
	return worst;
}

static void keep_basis(struct builder *b)
{
	const struct workload *w = &b->work;
	struct response_basis *basis = &b->response->basis;
	basis->segments = w->segments;
	basis->costs = w->costs;
	basis->runlist = w->runlist;
	for (int i = 0; i < BOUND_COUNT; i++) {
		basis->serial[i] = arena_allocate(w->arena, (size_t)w->runlist->context_count + 1, sizeof *basis->serial[i]);
		for (int c = 0; c < w->runlist->context_count && bound_rows[i].scope == BOUND_OF_CONTEXTS; c++)
			basis->serial[i][c] = b->bounds.answers[i][c].serial;
	}
}

struct response *response_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct inflation *inflation, struct derivation *derivation)
{
	return response_compute_limited(arena, platform, set, map, inflation, derivation, RESPONSE_SOLVER_ITERATIONS, NULL);
}

struct response *response_compute_limited(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, const struct inflation *inflation, struct derivation *derivation, int solver_iterations,
	struct diagnostics *diagnostics)
{
	assert(set->core_count == 0 || set->core_times != NULL);
	struct costs *costs = costs_compute(arena, platform, set, map, inflation, derivation);
	struct runlist *runlist = dilation_build(arena, platform, set, costs, derivation);
	struct segments *segments = segments_build(arena, set, costs);
	struct cover_weights **weights = arena_allocate(arena, (size_t)runlist->context_count + 1, sizeof(struct cover_weights *));
	struct classes_built *built = arena_allocate(arena, (size_t)runlist->context_count + 1, sizeof *built);
	struct builder builder = {.work = {arena, platform, set, costs, segments, runlist, derivation, diagnostics, solver_iterations,
					  weights, built, NULL, 0, NULL},
			       .granted = platform_granted(platform),
			       .conditions = platform_conditions(platform, ~(uint64_t)0)},
		       *b = &builder;
	struct charged_once corners[ONCE_CORNERS];
	if (refined(REFINEMENT_ONCE))
		b->work.corner_count = charged_once_find(arena, platform, set, map, inflation, derivation, corners);
	b->work.corners = corners;
	b->response = arena_allocate(arena, 1, sizeof *b->response);
	b->response->paced = b->work.corner_count > 0;
	b->response->tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *b->response->tasks);
	b->response->streams = arena_reserve(arena, (size_t)set->stream_count + 1, sizeof *b->response->streams);
	b->response->left_out = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *b->response->left_out);
	b->response->end_to_end = arena_allocate(arena, (size_t)set->end_to_end_count + 1, sizeof *b->response->end_to_end);
	b->bounds = (struct bounding){.work = &b->work, .map = map, .basis = &b->response->basis};
	bounds_compute(&b->bounds);
	keep_basis(b);
	b->advisor = (struct advisor){.workload = &b->work, .map = map, .basis = &b->response->basis};
	for (int i = 0; i < set->task_count; i++)
		judge_task(b, i);
	for (int i = 0; i < set->stream_count; i++)
		judge_stream(b, i);
	for (int i = 0; i < set->end_to_end_count; i++)
		judge_end_to_end(b, i);
	leave_out(b);
	b->response->worst = worst_of(b);
	return b->response;
}
