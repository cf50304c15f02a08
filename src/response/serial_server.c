#include "response/serial_server.h"

#include "base/plant.h"
#include "model/limits.h"
#include "model/rules.h"
#include "response/applicable.h"
#include "response/segment_cost.h"

#include <string.h>

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
	struct busy_interval_item *item = &serial->items[serial->item_count++];
	*item = (struct busy_interval_item){.name = segment->name,
		.task = segment->task,
		.segment = segment_index,
		.only = NONE,
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

/* NO_ID: of the whole GPU. */
static void add_stops(struct serial_problem *problem, int context)
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

/* A stop may also cost the rest of a slice, whoever owns it: one more switch for each slice it spans, one for the one it hits, and one for
 * each dispatch that begins again. */
void serial_server_add_sliced_stops(struct serial_problem *problem)
{
	const struct runlist *runlist = problem->w->runlist;
	int64_t gap = 0, slice = NONE;
	add_stops(problem, NO_ID);
	for (int i = 0; i < problem->serial.group_count; i++) {
		gap = checked_max(gap, problem->serial.groups[i].slice == NONE ? 0 : problem->serial.groups[i].gap);
		slice = checked_min(slice, problem->serial.groups[i].slice);
	}
	if (problem->serial.stop_length == NONE || slice == NONE || runlist->theta.reason != NULL)
		return;
	int64_t slices = checked_add(checked_div_ceil(problem->serial.stop_length, slice), 1 + problem->w->costs->stop_breaks);
	int64_t length = checked_add(problem->serial.stop_length, checked_mul(slices, gap));
	int step = derivation_integer(problem->w->derivation, RULE_STOP_SLICED, "platform:stops", length);
	derivation_input(problem->w->derivation, "theta_int", problem->serial.stop_length_step);
	for (int i = 0; i < problem->serial.group_count; i++) {
		derivation_input(problem->w->derivation, "L", problem->serial.groups[i].slice_step);
		derivation_input(problem->w->derivation, "G", problem->serial.groups[i].gap_step);
	}
	problem->serial.stop_length = length;
	problem->serial.stop_length_step = step;
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

/* [segment] */
static int64_t *new_responses(const struct workload *w)
{
	return arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof(int64_t));
}

void serial_server_start(struct serial_problem *problem, const struct workload *w, int groups)
{
	*problem = (struct serial_problem){.w = w, .parts = new_responses(w)};
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
	add_stops(problem, context);
}

/* ---- solving: all problems of a bound together, from below, until no response changes */

/* Jitters and look-backs from the responses of the last round. */
static void update(struct serial_problem *problem, const int64_t *responses)
{
	const struct workload *w = problem->w;
	for (int i = 0; i < problem->serial.item_count; i++) {
		struct busy_interval_item *item = &problem->serial.items[i];
		item->arrivals.jitter = segment_jitter(
			w->segments, w->set, item->segment, responses + item->segment - w->segments->items[item->segment].number);
		item->lookback = item->looks_back ? checked_add(responses[item->segment], item->held) : 0;
	}
}

/* The least window that bears one job of the segment and none of its task's others; NONE: none up to the limit. */
static int64_t part_of(struct serial_problem *problem, int segment, int64_t limit)
{
	int task = problem->w->segments->items[segment].task;
	int64_t window = checked_max(1, problem->parts[segment]), next;
	while ((next = busy_interval_part(&problem->serial, task, segment, window, NULL)) > window && next <= limit)
		window = next;
	return next <= window ? window : NONE;
}

/* May the task's segments be told apart, and have they less in all than intervals? Once it is not so it never is. */
static bool find_parts(struct serial_problem *problem, int first, int last, int64_t interval)
{
	const struct workload *w = problem->w;
	bool apart = last > first && interval != NONE && problem->parts[first] != NONE && w->segments->count <= LIMIT_SEGMENTS_APART;
	int64_t all = apart ? checked_mul(last - first + 1, interval) : NONE, sum = 0;
	for (int i = first; i <= last && apart; i++) {
		problem->parts[i] = part_of(problem, i, all);
		sum = checked_add(sum, problem->parts[i]);
		apart = sum != NONE && sum < all;
	}
	apart = apart && (planted(PLANT_CROWD) || segment_jobs_apart(w->segments, w->set, last, problem->parts + first));
	if (!apart)
		problem->parts[first] = NONE;
	return apart;
}

/* Did any change? */
static bool answer_task(struct serial_problem *problem, int first, int last, int64_t interval, int64_t *responses)
{
	bool apart = find_parts(problem, first, last, interval), changed = false;
	for (int i = first; i <= last; i++) {
		int64_t response = apart ? problem->parts[i] : interval;
		changed |= responses[i] != response;
		responses[i] = response;
	}
	return changed;
}

static int last_of_task(const struct segments *segments, int first)
{
	int last = first;
	while (last + 1 < segments->count && segments->items[last + 1].number > 0)
		last++;
	return last;
}

/* [segment] of those for which the problem answers. Did any change? */
static bool answer_segments(struct serial_problem *problem, int index, const struct bound_answer *result, const int *of_context)
{
	const struct segments *segments = problem->w->segments;
	bool changed = false;
	for (int first = 0, last; first < segments->count; first = last + 1) {
		last = last_of_task(segments, first);
		if (of_context[segments->items[first].context] == index)
			changed |= answer_task(problem, first, last, result->value, result->responses);
	}
	return changed;
}

static bool solve_round(
	struct serial_problem *problems, int count, struct bound_answer *results, const int *of_context, const struct serial_bound *bound)
{
	bool changed = false;
	for (int i = 0; i < count; i++) {
		if (results[i].reason != NULL)
			continue;
		update(&problems[i], results[i].responses);
		struct busy_interval_result result = busy_interval_solve(problems[i].w->arena, &problems[i].serial, results[i].value);
		changed |= result.value != results[i].value;
		results[i].value = result.value;
		results[i].reason = result.reason;
		changed |= answer_segments(&problems[i], i, &results[i], of_context);
		const char *obstacle = bound->obstacle == NULL || results[i].reason != NULL
					       ? NULL
					       : bound->obstacle(problems[i].w, i, results[i].responses);
		if (obstacle == NULL)
			continue;
		results[i].value = NONE;
		results[i].reason = obstacle;
		changed |= answer_segments(&problems[i], i, &results[i], of_context);
	}
	return changed;
}

#define ROUNDS 10000

static void solve(
	struct serial_problem *problems, int count, struct bound_answer *results, const int *of_context, const struct serial_bound *bound)
{
	int round = 0;
	while (solve_round(problems, count, results, of_context, bound))
		if (++round == ROUNDS) {
			for (int i = 0; i < count; i++)
				results[i] = (struct bound_answer){
					NONE, "responses and jitters did not converge within the limit of rounds", STEP_ABSENT, 0};
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
				int of = of_context[w->segments->items[problems[i].serial.items[j].segment].context];
				uint64_t all = results[i].assumptions | results[of].assumptions;
				more |= all != results[i].assumptions;
				results[i].assumptions = all;
			}
	}
}

/* ---- derivation */

/* Has some segment of the task less than the interval? Then all of them have steps of their own, also one that has as much. */
static bool is_told_apart(const struct segments *segments, int index, const struct busy_interval *serial)
{
	bool apart = false;
	int first = index - segments->items[index].number, last = last_of_task(segments, first);
	for (int i = first; i <= last && serial != NULL; i++)
		apart |= serial->responses[i] < serial->length;
	return apart;
}

/* [segment]: the claim of its response; of its context's, where it has none of its own. */
static int *claim_segments(const struct workload *w, const struct bound_answer *results, const int *of_context, const int *claims)
{
	int *of_segment = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *of_segment);
	for (int i = 0; i < w->segments->count; i++) {
		const struct segment *segment = &w->segments->items[i];
		const struct bound_answer *result = &results[of_context[segment->context]];
		of_segment[i] = is_told_apart(w->segments, i, result->serial)
					? derivation_integer(w->derivation, RULE_CLAIM, segment->name, result->responses[i])
					: claims[of_context[segment->context]];
	}
	return of_segment;
}

static void derive_segments(const struct workload *w, struct bound_answer *results, const int *of_context, const int *claims, int rule)
{
	int *steps = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *steps);
	for (int i = 0; i < w->segments->count; i++) {
		const struct segment *segment = &w->segments->items[i];
		struct bound_answer *result = &results[of_context[segment->context]];
		result->steps = steps;
		steps[i] = result->step;
		if (!is_told_apart(w->segments, i, result->serial))
			continue;
		steps[i] = derivation_integer(w->derivation, rule, segment->name, result->responses[i]);
		derivation_input(w->derivation, "D", result->step);
		derivation_input(w->derivation, "claim", claims[i]);
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
		problems[i].serial.length = results[i].value;
		problems[i].serial.responses = results[i].responses;
		results[i].serial = results[i].reason != NULL ? NULL : &problems[i].serial;
	}
	int *of_segment = claim_segments(w, results, of_context, claims);
	for (int i = 0; i < count; i++) {
		if (results[i].reason != NULL)
			continue;
		for (int j = 0; j < problems[i].serial.item_count; j++) {
			struct busy_interval_item *item = &problems[i].serial.items[j];
			item->jitter_step = segment_jitter_step(
				w->segments, w->set, item->segment, results[i].responses, of_segment, w->arena, w->derivation);
			item->lookback_step = item->looks_back ? of_segment[item->segment] : STEP_ABSENT;
		}
		int rule = problems[i].w->once != NULL ? bound->rule_once : bound->rule;
		results[i].step = busy_interval_derive(w->derivation, &problems[i].serial, rule, about[i], results[i].value);
		derivation_input(w->derivation, "claim", claims[i]);
	}
	derive_segments(w, results, of_context, of_segment, bound->rule_part);
}

/* A problem with a missing number, or a bound that does not apply, has its reason before anything is solved. */
static struct bound_answer begin(const struct serial_problem *problem, const struct applicable *applicable, int64_t *responses)
{
	const char *reason = applicable->reason != NULL ? applicable->reason : problem->reason;
	if (reason == NULL) /* what the costs rest on, as the makespan of a memset that runs as a kernel */
		reason = applicable_refuse(problem->w->arena, problem->w->platform, problem->assumptions);
	return (struct bound_answer){.value = reason == NULL ? 0 : NONE,
		.reason = reason,
		.step = STEP_ABSENT,
		.assumptions = applicable->assumptions | problem->assumptions,
		.responses = responses};
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
		struct bound_answer found = begin(&weighed, &applicable, new_responses(w));
		if (found.reason == NULL)
			solve(&weighed, 1, &found, of_context, bound);
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
	int64_t *responses = new_responses(w);
	if (contexts == 0)
		return;
	for (int i = 0; i < count; i++) {
		struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, bound->bound, i);
		if (applicable.reason != NULL) /* a problem of all segments for each context is much to build for nothing */
			serial_server_start(&problems[i], w, 0);
		else
			bound->build(&problems[i], w, i);
		results[i] = begin(&problems[i], &applicable, responses);
	}
	for (int i = 0; i < contexts; i++)
		of_context[i] = count == 1 ? 0 : i;
	for (int i = 0; i < count; i++)
		if (results[i].reason != NULL)
			(void)answer_segments(&problems[i], i, &results[i], of_context);
	solve(problems, count, results, of_context, bound);
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
	const struct segment *of = &basis->segments->items[segment];
	const struct busy_interval *serial = basis->serial[bound][of->context];
	struct busy_interval copy = *serial; /* whose counts are set */
	terms_add(terms, (struct term){.kind = TERM_INTERVAL_AT, .n = {value}});
	if (!is_told_apart(basis->segments, segment, serial)) {
		busy_interval_evaluate(serial, value, terms_list(terms, (struct term){.kind = TERM_INTERVAL, .amount = value}));
		return;
	}
	copy.items = arena_allocate(terms->arena, (size_t)copy.item_count, sizeof *copy.items);
	copy.groups = arena_allocate(terms->arena, (size_t)copy.group_count, sizeof *copy.groups);
	memcpy(copy.items, serial->items, (size_t)copy.item_count * sizeof *copy.items);
	memcpy(copy.groups, serial->groups, (size_t)copy.group_count * sizeof *copy.groups);
	terms_add(terms, (struct term){.kind = TERM_PART_OF, .of = of->task});
	busy_interval_part(&copy, of->task, segment, value, terms_list(terms, (struct term){.kind = TERM_INTERVAL, .amount = value}));
}
