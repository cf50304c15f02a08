#include "response/serial_server.h"

#include "base/plant.h"
#include "model/rules.h"
#include "response/applicable.h"
#include "response/segment_cost.h"

int64_t serial_server_take(struct serial_problem *problem, const struct cost *cost, int *step)
{
	if (cost->reason != NULL && problem->reason == NULL)
		problem->reason = cost->reason;
	problem->assumptions |= cost->assumptions;
	*step = cost->step;
	return cost->value;
}

/* ---- items */

struct busy_interval_item *serial_server_add_item(struct serial_problem *problem, int segment_index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[segment_index];
	const struct task *task = &w->set->tasks[segment->task];
	struct busy_interval *serial = &problem->serial;
	serial->items = arena_grow(w->arena, serial->items, &problem->item_room, serial->item_count + 1, sizeof *serial->items);
	problem->from_segment =
		arena_grow(w->arena, problem->from_segment, &problem->segment_room, serial->item_count + 1, sizeof *problem->from_segment);
	struct busy_interval_item *item = &serial->items[serial->item_count];
	problem->from_segment[serial->item_count++] = segment_index;
	*item = (struct busy_interval_item){.name = segment->name,
		.task = segment->task,
		.arrivals = {&task->arrival, 0, segment->number == 0 && segment->host_most == 0},
		.cost_step = STEP_ABSENT,
		.work_step = STEP_ABSENT,
		.volume_step = STEP_ABSENT,
		.kernels_step = STEP_ABSENT,
		.jitter_step = STEP_ABSENT,
		.lookback_step = STEP_ABSENT};
	item->period_step = cost_given(w->derivation, task->arrival.period, "task:%s@period", task->id, NULL);
	return item;
}

void serial_server_set_operations(const struct workload *w, struct busy_interval_item *item, int64_t count, const char *name)
{
	item->kernels = planted(PLANT_SWITCHES) ? 0 : count;
	item->kernels_step = derivation_integer(w->derivation, RULE_OPERATIONS, name, count);
}

/* ---- copies of other contexts on the engines that a context uses ([FOREIGN-COPIES]) */

static bool may_be_one(int engine, int other)
{
	return engine == other || engine == ENGINE_NONE || other == ENGINE_NONE;
}

/* [direction]: may its copies be on an engine that the context uses? */
static void find_shared(const struct workload *w, int context, bool shared[DIRECTION_COUNT])
{
	bool used[DIRECTION_COUNT] = {false};
	for (int i = 0; i < w->set->operation_count; i++)
		if (w->costs->operations[i].context == context && w->costs->operations[i].place == PLACE_COPY)
			used[w->set->operations[i].copy.direction] = true;
	for (int own = 0; own < DIRECTION_COUNT; own++)
		for (int other = 0; other < DIRECTION_COUNT; other++)
			shared[other] |= used[own] && may_be_one(w->platform->engine_of[own], w->platform->engine_of[other]);
}

/* lacks: only for the reason why there is no value, which comes first. */
static void add_foreign_copies(struct serial_problem *problem, int index, const bool shared[DIRECTION_COUNT], bool lacks)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct cost *parts = NULL;
	int count = 0, room = 0, step;
	for (int i = segment->first; i < segment->first + segment->count; i++) {
		const struct operation_cost *cost = &w->costs->operations[i];
		if (cost->place != PLACE_COPY || !shared[w->set->operations[i].copy.direction])
			continue;
		if (lacks) {
			(void)serial_server_take(problem, &cost->transfer, &step);
			continue;
		}
		parts = arena_grow(w->arena, parts, &room, count + 1, sizeof *parts);
		parts[count++] = cost->transfer;
	}
	if (count == 0 || planted(PLANT_FOREIGN))
		return;
	struct cost cost = cost_sum(w->derivation, RULE_SUM, segment->name, parts, count);
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	item->cost = serial_server_take(problem, &cost, &item->cost_step);
	item->looks_back = true;
}

/* ---- groups and stops */

/* A stop that hits a slice is lost to its owner, be it a kernel's or a copy's: the dearer of the two. */
static struct cost dilated_stop(const struct workload *w, const struct cost *length, int context)
{
	const struct context *of = &w->runlist->contexts[context];
	struct cost kernel = of->kernels ? segment_cost_dilate(w, length, context, false, "platform:stops") : *length;
	struct cost copy = of->copies ? segment_cost_dilate(w, length, context, true, "platform:stops") : *length;
	if (kernel.reason != NULL || copy.reason != NULL)
		return kernel.reason != NULL ? kernel : copy;
	return kernel.value >= copy.value ? kernel : copy;
}

/* The gaps in it. */
static struct gaps_lost gaps_of_stop(const struct workload *w, const struct cost *length, const struct cost *dilated, int context)
{
	const struct context *of = &w->runlist->contexts[context];
	int64_t kernels = of->kernels ? segment_cost_gaps_in(w, length->value, context, false) : 0;
	int64_t copies = of->copies ? segment_cost_gaps_in(w, length->value, context, true) : 0;
	bool by_kernels = checked_add(length->value, checked_mul(kernels, of->kernel_turns.length)) == dilated->value;
	return by_kernels ? (struct gaps_lost){kernels, 0} : (struct gaps_lost){0, copies};
}

void serial_server_add_stops(struct serial_problem *problem, int context)
{
	const struct workload *w = problem->w;
	const struct platform *platform = w->platform;
	struct busy_interval *serial = &problem->serial;
	serial->stop_length = serial->stop_distance = NONE;
	serial->stop_length_step = serial->stop_distance_step = STEP_ABSENT;
	if (!platform->parameters[PARAMETER_STOPS_LENGTH].present || !platform->parameters[PARAMETER_STOPS_DISTANCE].present)
		return;
	struct cost length = w->costs->stop;
	if (context != NO_ID)
		length = dilated_stop(w, &length, context);
	if (context != NO_ID && length.reason == NULL)
		serial->stop_lost = gaps_of_stop(w, &w->costs->stop, &length, context);
	serial->stop_length = serial_server_take(problem, &length, &serial->stop_length_step);
	serial->stop_distance = platform_value(platform, PARAMETER_STOPS_DISTANCE);
	serial->stop_distance_step = w->costs->parameter_steps[PARAMETER_STOPS_DISTANCE];
}

struct busy_interval_group serial_server_plain_group(const char *name)
{
	return (struct busy_interval_group){
		.name = name, .g = 1, .slice = NONE, .slice_step = STEP_ABSENT, .gap_step = STEP_ABSENT, .g_step = STEP_ABSENT};
}

void serial_server_slice_group(
	struct serial_problem *problem, struct busy_interval_group *group, const struct cost *slice, const struct cost *gap, bool round_up)
{
	group->slice = serial_server_take(problem, slice, &group->slice_step);
	group->gap = serial_server_take(problem, gap, &group->gap_step);
	group->round_up = round_up;
}

/* ---- problems */

void serial_server_start(struct serial_problem *problem, const struct workload *w, int groups)
{
	*problem = (struct serial_problem){.w = w};
	problem->serial.groups = arena_allocate(w->arena, (size_t)groups, sizeof *problem->serial.groups);
}

void serial_server_add_context(struct serial_problem *problem, int context, void (*add)(struct serial_problem *problem, int segment))
{
	const struct workload *w = problem->w;
	const struct context *of = &w->runlist->contexts[context];
	bool shared[DIRECTION_COUNT] = {false};
	bool lacks = w->runlist->sliced && of->kernels && (of->slice.reason != NULL || of->kernel_gap.reason != NULL);
	problem->serial.kernel_gap = &of->kernel_turns;
	problem->serial.copy_gap = &of->copy_turns;
	if (w->runlist->copies_shared)
		find_shared(w, context, shared);
	for (int i = 0; i < w->segments->count && problem->reason == NULL; i++) {
		if (w->segments->items[i].context == context)
			add(problem, i);
		else if (w->runlist->copies_shared)
			add_foreign_copies(problem, i, shared, lacks);
	}
	serial_server_add_stops(problem, context);
}

/* ---- solving: all problems of a bound together, from below, until no response changes */

/* Jitters and look-backs from the responses of the last round. of_context: which problem answers for a context. */
static void update(struct serial_problem *problem, const struct bound_answer *results, const int *of_context)
{
	const struct workload *w = problem->w;
	for (int i = 0; i < problem->serial.item_count; i++) {
		struct busy_interval_item *item = &problem->serial.items[i];
		int segment = problem->from_segment[i];
		int64_t response = results[of_context[w->segments->items[segment].context]].value;
		item->arrivals.jitter = segment_jitter(w->segments, w->set, segment, response);
		item->lookback = item->looks_back ? response : 0;
	}
}

static bool solve_round(struct serial_problem *problems, int count, struct bound_answer *results, const int *of_context)
{
	bool changed = false;
	for (int i = 0; i < count; i++) {
		if (results[i].reason != NULL)
			continue;
		update(&problems[i], results, of_context);
		struct busy_interval_result result = busy_interval_solve(problems[i].w->arena, &problems[i].serial, results[i].value);
		changed |= result.value != results[i].value;
		results[i].value = result.value;
		results[i].reason = result.reason;
		results[i].dominant = result.dominant;
	}
	return changed;
}

#define ROUNDS 10000

static void solve(struct serial_problem *problems, int count, struct bound_answer *results, const int *of_context)
{
	int round = 0;
	while (solve_round(problems, count, results, of_context))
		if (++round == ROUNDS) {
			for (int i = 0; i < count; i++)
				results[i] = (struct bound_answer){
					NONE, "responses and jitters did not converge within the limit of rounds", NULL, STEP_ABSENT, 0};
			return;
		}
}

/* A context whose copies are on another one's engines is counted by its response: what that rests on, the other one rests on, too. */
static void rest_on_others(const struct serial_problem *problems, int count, struct bound_answer *results, const int *of_context)
{
	const struct workload *w = problems[0].w;
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < count; i++)
			for (int j = 0; results[i].reason == NULL && j < problems[i].serial.item_count; j++) {
				int of = of_context[w->segments->items[problems[i].from_segment[j]].context];
				uint64_t all = results[i].assumptions | results[of].assumptions;
				more |= all != results[i].assumptions;
				results[i].assumptions = all;
			}
	}
}

/* The steps of the solved problems: every context's response is claimed first, then confirmed by its fixed point. */
static void derive(
	struct serial_problem *problems, int count, struct bound_answer *results, const int *of_context, const struct serial_bound *bound)
{
	const struct workload *w = problems[0].w;
	int *claims = arena_allocate(w->arena, (size_t)count, sizeof *claims);
	const char **about = arena_allocate(w->arena, (size_t)count, sizeof *about);
	for (int i = 0; i < count; i++) {
		about[i] = bound->whole ? "gpu" : arena_format(w->arena, "application:%s", w->runlist->contexts[i].name);
		claims[i] =
			results[i].reason != NULL ? STEP_ABSENT : derivation_integer(w->derivation, RULE_CLAIM, about[i], results[i].value);
	}
	for (int i = 0; i < count; i++) {
		if (results[i].reason != NULL)
			continue;
		for (int j = 0; j < problems[i].serial.item_count; j++) {
			struct busy_interval_item *item = &problems[i].serial.items[j];
			int segment = problems[i].from_segment[j], of = of_context[w->segments->items[segment].context];
			item->jitter_step =
				segment_jitter_step(w->segments, w->set, segment, results[of].value, claims[of], w->arena, w->derivation);
			item->lookback_step = item->looks_back ? claims[of] : STEP_ABSENT;
		}
		int rule = problems[i].w->once != NULL ? bound->rule_once : bound->rule;
		results[i].serial = &problems[i].serial;
		results[i].step = busy_interval_derive(w->derivation, &problems[i].serial, rule, about[i], results[i].value);
		derivation_input(w->derivation, "claim", claims[i]);
	}
}

/* A problem with a missing number, or a bound that does not apply, has its reason before anything is solved. */
static struct bound_answer begin(const struct serial_problem *problem, const struct applicable *applicable)
{
	const char *reason = applicable->reason != NULL ? applicable->reason : problem->reason;
	if (reason == NULL) /* what the costs rest on, as the makespan of a memset that runs as a kernel */
		reason = applicable_refuse(problem->w->arena, problem->w->platform, problem->assumptions);
	return (struct bound_answer){reason == NULL ? 0 : NONE, reason, NULL, STEP_ABSENT, applicable->assumptions | problem->assumptions};
}

/* ---- kernels and copies charged once: the only problem is solved with each corner's weights, too, and the least counts */

static void try_once(const struct workload *w, const struct serial_bound *bound, struct serial_problem *problem,
	struct bound_answer *result, const int *of_context)
{
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, bound->bound, 0);
	for (int i = 0; i < w->corner_count && bound->charges_once != NULL && bound->charges_once(w); i++) {
		struct workload *other = arena_allocate(w->arena, 1, sizeof *other);
		struct serial_problem weighed;
		*other = *w;
		other->once = &w->corners[i];
		bound->build(&weighed, other, 0);
		struct bound_answer found = begin(&weighed, &applicable);
		if (found.reason == NULL)
			solve(&weighed, 1, &found, of_context);
		if (found.reason != NULL || (result->reason == NULL && found.value >= result->value))
			continue;
		*result = found;
		*problem = weighed;
	}
}

void serial_server_compute(const struct workload *w, const struct serial_bound *bound, struct bound_answer *result)
{
	int contexts = w->runlist->context_count, count = bound->whole ? 1 : contexts;
	struct serial_problem *problems = arena_allocate(w->arena, (size_t)contexts + 1, sizeof *problems);
	struct bound_answer *results = arena_allocate(w->arena, (size_t)contexts + 1, sizeof *results);
	int *of_context = arena_allocate(w->arena, (size_t)contexts + 1, sizeof *of_context);
	if (contexts == 0)
		return;
	for (int i = 0; i < count; i++) {
		struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, bound->bound, i);
		if (applicable.reason != NULL) /* a problem of all segments for each context is much to build for nothing */
			problems[i] = (struct serial_problem){.w = w};
		else
			bound->build(&problems[i], w, i);
		results[i] = begin(&problems[i], &applicable);
	}
	for (int i = 0; i < contexts; i++)
		of_context[i] = count == 1 ? 0 : i;
	solve(problems, count, results, of_context);
	if (count == 1)
		try_once(w, bound, &problems[0], &results[0], of_context);
	rest_on_others(problems, count, results, of_context);
	derive(problems, count, results, of_context, bound);
	for (int i = 0; i < contexts; i++)
		result[i] = results[of_context[i]];
}

void serial_server_terms(const struct response *response, enum bound bound, int segment, int64_t value, struct terms *terms)
{
	const struct response_basis *basis = &response->basis;
	const struct busy_interval *serial = basis->serial[bound][basis->segments->items[segment].context];
	terms_add(terms, (struct term){.kind = TERM_INTERVAL_AT, .n = {value}});
	busy_interval_evaluate(serial, value, terms_list(terms, (struct term){.kind = TERM_INTERVAL, .amount = value}));
}
