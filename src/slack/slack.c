/* Analyses of changed copies of the task set, and a search by halves. */
#include "slack/slack.h"

#include "model/limits.h"
#include "response/analysis.h"

struct search {
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	int solver_iterations;
	int task; /* NO_ID: the verdict of the whole */
	enum moved moved;
	int operation; /* of MOVED_ONE_WCET */
	bool sure;     /* proven now: a verdict under conditions is another one */
};

/* ---- a changed copy */

int64_t slack_scaled(int64_t wcet, int64_t thousandths)
{
	if (wcet == NONE || wcet == 0)
		return wcet;
	return checked_max(1, checked_mul_div_ceil(wcet, 1000 + thousandths, 1000));
}

static void scale(struct arena *arena, struct operation *operation, int64_t thousandths)
{
	int64_t *curve = NULL;
	operation->wcet = slack_scaled(operation->wcet, thousandths);
	operation->bcet = checked_min(operation->bcet, operation->wcet);
	operation->span.longest = slack_scaled(operation->span.longest, thousandths);
	if (operation->kernel.curve_count > 0)
		curve = arena_allocate(arena, (size_t)operation->kernel.curve_count, sizeof *curve);
	for (int i = 0; i < operation->kernel.curve_count; i++)
		curve[i] = slack_scaled(operation->kernel.curve[i], thousandths);
	operation->kernel.curve = curve;
	operation->kernel.launch = (struct launch_time){0}; /* blocks of other times are another launch's */
	operation->batches = NULL;                          /* it is no longer what the frame gives */
}

static bool is_scaled(const struct taskset *set, int moving, enum moved moved, int operation)
{
	if (moved == MOVED_ALL_WCETS || moved == MOVED_ONE_WCET)
		return moved == MOVED_ALL_WCETS || operation == moving;
	const struct task *task = &set->tasks[moving];
	bool own = operation >= task->first_operation && operation < task->first_operation + task->operation_count;
	return moved == MOVED_OWN_WCETS && own;
}

struct taskset *slack_move(struct arena *arena, const struct taskset *set, int task, enum moved moved, int64_t by)
{
	struct taskset *copy = arena_allocate(arena, 1, sizeof *copy);
	struct task *tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *tasks);
	struct operation *operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *operations);
	for (int i = 0; i < set->task_count; i++)
		tasks[i] = set->tasks[i];
	for (int i = 0; i < set->operation_count; i++) {
		operations[i] = set->operations[i];
		if (is_scaled(set, task, moved, i))
			scale(arena, &operations[i], by);
	}
	if (moved == MOVED_PERIOD)
		tasks[task].arrival.period = checked_sub(set->tasks[task].arrival.period, by);
	*copy = *set;
	copy->tasks = tasks;
	copy->operations = operations;
	return copy;
}

/* No worse than now where the deadline is met now, else met. */
static bool proven(const struct search *search, int64_t by)
{
	struct arena *arena = arena_create();
	struct derivation derivation;
	struct diagnostics diagnostics;
	derivation_init_mute(&derivation);
	diagnostics_init(&diagnostics, arena);
	int moving = search->moved == MOVED_ONE_WCET ? search->operation : search->task;
	const struct taskset *set = slack_move(arena, search->set, moving, search->moved, by);
	struct analysis analysis =
		analysis_compute(arena, search->platform, set, search->map, &derivation, search->solver_iterations, &diagnostics);
	enum verdict verdict = search->task == NO_ID ? analysis.response->worst : analysis.response->tasks[search->task].verdict;
	bool good = search->sure ? verdict == VERDICT_PROVEN : verdict_meets(verdict);
	arena_destroy(arena);
	return good;
}

/* ---- the search */

/* `good` is proven, `bad` is not: neighbours on either side of the edge between them. */
static int64_t edge_between(const struct search *search, int64_t good, int64_t bad)
{
	while (good + 1 < bad || bad + 1 < good) {
		int64_t middle = good + (bad - good) / 2;
		if (proven(search, middle))
			good = middle;
		else
			bad = middle;
	}
	return good;
}

/* From 0 outwards by doubling steps to the first other verdict, then by halves. NONE: none up to `limit`. */
static int64_t find_edge(const struct search *search, bool now, int64_t limit)
{
	int64_t sign = now ? 1 : -1, last = 0;
	for (int64_t step = 1; last != limit; step = checked_min(checked_mul(step, 2), limit)) {
		int64_t at = sign * step;
		if (proven(search, at) != now)
			return now ? edge_between(search, sign * last, at) : edge_between(search, at, sign * last);
		last = step;
	}
	return NONE;
}

static int64_t wcets(struct search *search, enum moved moved, bool now)
{
	search->moved = moved;
	return find_edge(search, now, now ? LIMIT_SLACK_GROWTH : -SLACK_LEAST);
}

/* Does it wait for, or record, what a task of the same period records, or waits for? */
static bool shares_event(const struct taskset *set, const struct task *task)
{
	for (int i = 0; i < set->operation_count; i++)
		for (int k = task->first_operation; k < task->first_operation + task->operation_count; k++) {
			bool own = i >= task->first_operation && i < task->first_operation + task->operation_count;
			if (!own && set->operations[i].event != NO_ID && set->operations[i].event == set->operations[k].event)
				return true;
		}
	return false;
}

/* No figure where a period does not move alone: an arrival curve has none, a phase has another meaning beside another period, and tasks
 * that wait for one another's events have one period. No release is nearer to the next one than the period. */
static int64_t period(struct search *search, bool now)
{
	const struct task *task = &search->set->tasks[search->task];
	const struct arrival *arrival = &task->arrival;
	search->moved = MOVED_PERIOD;
	if (arrival->kind == ARRIVAL_CURVE || task->offset != NONE || shares_event(search->set, task))
		return NONE;
	int64_t least = arrival->min_distance == NONE ? 1 : arrival->min_distance;
	int64_t limit = now ? arrival->period - least : checked_mul(arrival->period, LIMIT_SLACK_PERIODS);
	return limit == NONE || limit < 1 ? NONE : find_edge(search, now, limit);
}

struct slack slack_of(const struct platform *platform, const struct taskset *set, const struct map *map, const struct response *response,
	int solver_iterations, int task)
{
	const struct response_of *of = &response->tasks[task];
	struct search search = {platform, set, map, solver_iterations, task, MOVED_ALL_WCETS, NO_ID, of->verdict == VERDICT_PROVEN};
	bool now = verdict_meets(of->verdict);
	struct slack slack = {.deadline = checked_sub(of->deadline, of->response)};
	slack.all_wcets = wcets(&search, MOVED_ALL_WCETS, now);
	slack.own_wcets = wcets(&search, MOVED_OWN_WCETS, now);
	slack.period = period(&search, now);
	return slack;
}

struct slack *slack_find(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations)
{
	struct slack *slack = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *slack);
	for (int i = 0; i < set->task_count; i++)
		slack[i] = slack_of(platform, set, map, response, solver_iterations, i);
	return slack;
}

static struct search whole(const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations)
{
	return (struct search){platform, set, map, solver_iterations, NO_ID, MOVED_ALL_WCETS, NO_ID, response->worst == VERDICT_PROVEN};
}

int64_t slack_of_set(const struct platform *platform, const struct taskset *set, const struct map *map, const struct response *response,
	int solver_iterations)
{
	struct search search = whole(platform, set, map, response, solver_iterations);
	return wcets(&search, MOVED_ALL_WCETS, verdict_meets(response->worst));
}

int64_t slack_of_operation(const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations, int operation, int64_t below)
{
	struct search search = whole(platform, set, map, response, solver_iterations);
	search.operation = operation;
	search.moved = MOVED_ONE_WCET;
	if (verdict_meets(response->worst) && !checked_is_none(below) && proven(&search, below))
		return NONE;
	return wcets(&search, MOVED_ONE_WCET, verdict_meets(response->worst));
}
