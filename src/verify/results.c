/* Tasks, streams, end-to-end flows. */
#include "verify/results.h"

#include "verify/chains.h"
#include "verify/thread_claims.h"
#include "verify/turns.h"

#include "base/output.h"

#include <string.h>

enum outcome { OUTCOME_PROVEN, OUTCOME_CONDITIONAL, OUTCOME_NOT_PROVEN, OUTCOME_NO_BOUND }; /* from the best to the worst */
static const char *const outcome_names[] = {"proven", "conditional", "not-proven", "no-bound"};

struct result { /* of a task, a stream, an end-to-end flow */
	struct fact response;
	int64_t deadline;
	const char *winner;
	enum outcome outcome;
};

struct results {
	struct work *work;
	struct check *check;
	struct claims claims[CLAIMED_COUNT];
	struct result *tasks;
	int *task_of;                                                    /* [operation] */
	int task_count, stream_count, operation_count, end_to_end_count; /* found in the report */
	enum outcome worst;
};

/* Do some of the assumptions hold only because the user asked to rely on them? */
static bool on_condition(const struct check *check, uint64_t assumptions)
{
	bool found = false;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		found |= (assumptions & assumption_bit((enum assumption)i)) != 0 &&
			 check->platform->assumptions[i].status == STATUS_CONDITIONAL;
	return found;
}

static enum outcome judge(const struct check *check, struct fact response, int64_t deadline)
{
	if (checked_is_none(response.value))
		return OUTCOME_NO_BOUND;
	if (response.value > deadline) /* no deadline is the greatest number */
		return OUTCOME_NOT_PROVEN;
	return on_condition(check, response.assumptions) ? OUTCOME_CONDITIONAL : OUTCOME_PROVEN;
}

/* ---- one bound of a task: its segments and its host segments in sequence, [SEGMENTS] */

static struct fact response_of(struct results *results, int task_index, enum claimed kind)
{
	struct check *check = results->check;
	const struct work *work = results->work;
	const struct task *task = &check->set->tasks[task_index];
	const struct claims *claims = &results->claims[kind];
	const char *about = arena_format(check->arena, "task:%s", task->id);
	struct fact response = fact_make(check, RULE_RESPONSE, about, 0);
	struct listed parts = lists_of(&work->parts_of_task, task_index);
	if (kind == CLAIMED_TT && parts.count == 0 && task->arrival.jitter > 0) /* nothing of it counts from the nominal release */
		return FACT_UNKNOWN;
	for (int i = 0; i < parts.count; i++) {
		struct fact of_part = claims->of_part[parts.items[i]];
		response.value = checked_add(response.value, of_part.value);
		fact_from(check, &response, "P", of_part);
	}
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *host = task_operation(check->set, task, i);
		if (host->copy.synchronous && i < task->operation_count - 1) /* the thread goes on when the call returns */
			response.assumptions |= threads_needs(check->set, task_index);
		if (host->kind != OPERATION_HOST)
			continue;
		response.value = checked_add(response.value, taskset_host_time(check->set, host));
		fact_from(check, &response, "C", work_host(work, task_index, task->first_operation + i));
		response.assumptions |= threads_needs(check->set, task_index);
	}
	uint64_t assumptions = response.assumptions;
	int64_t value = response.value;
	for (int i = 0; i < work->owner_count && (kind == CLAIMED_P || kind == CLAIMED_VOL_P); i++)
		if (claims->of_owner[i].node != NULL)
			fact_from(check, &response, "also", claims->of_owner[i]);
	response.assumptions = assumptions;
	response.value = value;
	fact_settle(&response);
	return response;
}

/* A bound in the report: its value, its step, its assumptions. Without a value it claims nothing. */
static struct fact compare_bound(struct results *results, const struct xml_element *element, const char *where, int task)
{
	struct check *check = results->check;
	const char *name = element_get(element, "name");
	int kind = claimed_find(name), step = graph_number(check, element, "step");
	const char *place = arena_format(check->arena, "%s bound %s", where, name);
	if (element_get(element, "value") == NULL) {
		check_text(check, element, place, "step", NULL);
		check_text(check, element, place, "assumptions", NULL);
		return FACT_UNKNOWN;
	}
	check_text(check, element, place, "reason", NULL);
	if (step < 0) {
		check_differs(check, element, place, "a step", "none");
		return FACT_UNKNOWN;
	}
	if (kind < 0)
		diagnose(check->diagnostics, DIAGNOSTIC_NOT_CHECKED, check->path, element->line,
			"%s: unchecked: expected a bound that this program can derive again; found another one", place);
	struct fact response = kind < 0 ? fact_unchecked(check, step) : response_of(results, task, (enum claimed)kind);
	check_integer(check, element, place, "value", response.value);
	if (kind >= 0) {
		check_assumptions(check, element, place, response.assumptions);
		bounds_require(check, response.assumptions, step);
	}
	fact_compare(check, response.node, step, element, place);
	return response;
}

/* ---- attributes that tasks, streams and flows have in common */

static void compare_result(struct results *results, const struct xml_element *element, const char *where, const struct result *result)
{
	struct check *check = results->check;
	check_text(check, element, where, "verdict", outcome_names[result->outcome]);
	check_integer(check, element, where, "response", result->response.value);
	check_integer(check, element, where, "deadline", result->deadline);
	check_integer(check, element, where, "slack", checked_sub(result->deadline, result->response.value));
	fact_compare(check, checked_is_none(result->response.value) ? NULL : result->response.node, graph_number(check, element, "step"),
		element, where);
}

static void compare_line(struct check *check, const struct xml_element *element, const char *where, long line)
{
	check_integer(check, element, where, "line", line > 0 ? line : NONE);
}

/* ---- operations */

static void compare_operation(struct results *results, const struct xml_element *element, int index)
{
	struct check *check = results->check;
	const struct operation *operation = &check->set->operations[index];
	const struct inflated_fact *inflated = &results->work->inflated[index];
	const char *where = arena_format(check->arena, "operation %s", operation->id);
	bool runs = operation->kind != OPERATION_WAIT && operation->kind != OPERATION_RECORD;
	check_text(check, element, where, "id", operation->id);
	check_text(check, element, where, "kind", operation_names[operation->kind]);
	check_text(check, element, where, "stream", operation->stream == NO_ID ? NULL : check->set->streams[operation->stream].id);
	check_integer(check, element, where, "wcet", runs ? operation->wcet : NONE);
	check_integer(check, element, where, "inflated", runs ? inflated->inflated.value : NONE);
	check_rational(check, element, where, "factor", runs ? inflated->factor : RATIONAL_NONE);
	fact_compare(check, checked_is_none(inflated->inflated.value) ? NULL : inflated->inflated.node,
		graph_number(check, element, "step"), element, where);
}

static void compare_operations(struct results *results, const struct xml_element *element, const char *where, const struct task *task)
{
	struct check *check = results->check;
	const struct xml_element *found = check_next(element->first, "operation");
	for (int i = 0; i < task->operation_count; i++) {
		if (found == NULL) {
			check_differs(check, element, where, task_operation(check->set, task, i)->id, "no further operation");
			return;
		}
		compare_operation(results, found, task->first_operation + i);
		results->operation_count++;
		found = check_next(found->next, "operation");
	}
	if (found != NULL)
		check_differs(check, found, where, "no further operation", element_get(found, "id"));
}

/* ---- tasks */

struct race {                       /* of the bounds of a task */
	struct fact least, nominal; /* nominal: with the jitter, where the bound is not counted from the nominal release anyway */
	int64_t jitter;
	const char *winner;
	bool on_gpu;        /* the task has work there; of a host alone TT says nothing of the jitter */
	bool unconditional; /* bounds that hold under conditions do not take part */
};

static void enter(struct check *check, struct race *race, const char *name, struct fact bound)
{
	if (checked_is_none(bound.value) || (race->unconditional && on_condition(check, bound.assumptions)))
		return;
	uint64_t assumptions = race->nominal.assumptions;
	fact_from(check, &race->nominal, "R", bound);
	race->nominal.assumptions = assumptions;
	int64_t late = strcmp(name, "TT") == 0 && race->on_gpu ? 0 : race->jitter, response = checked_add(bound.value, late);
	if (race->winner != NULL && response >= race->nominal.value)
		return;
	race->nominal.value = response;
	race->least = bound;
	race->winner = name;
}

/* The least bound has the result; but a deadline that is met without conditions is met by the least of the bounds without. */
static struct race compare_bounds(struct results *results, const struct xml_element *element, const char *where, int index)
{
	struct check *check = results->check;
	const struct task *task = &check->set->tasks[index];
	const char *about = arena_format(check->arena, "task:%s", task->id);
	struct race all = {FACT_UNKNOWN, fact_make(check, RULE_NOMINAL, about, NONE), task->arrival.jitter, NULL,
			    task->application != NO_ID, false},
		    sure = {FACT_UNKNOWN, fact_make(check, RULE_NOMINAL, about, NONE), task->arrival.jitter, NULL,
			    task->application != NO_ID, true};
	bounds_compare_list(check, element, where);
	for (const struct xml_element *bound = check_next(element->first, "bound"); bound != NULL;
		bound = check_next(bound->next, "bound")) {
		struct fact value = compare_bound(results, bound, where, index);
		enter(check, &all, element_get(bound, "name"), value);
		enter(check, &sure, element_get(bound, "name"), value);
	}
	bool conditional = all.winner != NULL && on_condition(check, all.least.assumptions);
	bool met = sure.winner != NULL && !checked_is_none(task->deadline) && sure.nominal.value <= task->deadline;
	return conditional && met ? sure : all;
}

static void compare_task(struct results *results, const struct xml_element *element, int index)
{
	struct check *check = results->check;
	const struct task *task = &check->set->tasks[index];
	struct result *result = &results->tasks[index];
	const char *where = arena_format(check->arena, "task %s", task->id);
	check_text(check, element, where, "id", task->id);
	check_text(check, element, where, "requirement", task->requirement);
	compare_line(check, element, where, task->line);
	struct race race = compare_bounds(results, element, where, index);
	fact_settle(&race.nominal);
	fact_from(check, &race.nominal, "Jr", fact_given(check, task->arrival.jitter, "task:%s@jitter", task->id));
	race.nominal.assumptions = race.least.assumptions;
	*result = (struct result){race.nominal, task->deadline, race.winner, judge(check, race.nominal, task->deadline)};
	check_text(check, element, where, "bound", race.winner);
	check_assumptions(check, element, where, race.winner == NULL ? 0 : race.least.assumptions);
	compare_result(results, element, where, result);
	compare_operations(results, element, where, task);
	threads_hold(check, element, where, index, race.winner == NULL ? NONE : race.least.value);
	check->used |= race.winner == NULL ? 0 : race.least.assumptions;
	check_text(check, element, where, "best-effort", task->best_effort ? "true" : NULL);
}

/* Of tasks: a task that needs no bound counts where it has one, and where nothing else is there to count. */
static void compare_left_out(struct results *results)
{
	struct check *check = results->check;
	const struct taskset *set = check->set;
	struct output names = {0};
	int counted = 0;
	for (int i = 0; i < set->task_count; i++)
		counted += !set->tasks[i].best_effort || results->tasks[i].outcome != OUTCOME_NO_BOUND;
	for (int i = 0; i < set->task_count; i++) {
		enum outcome outcome = results->tasks[i].outcome;
		if (outcome != OUTCOME_NO_BOUND || !set->tasks[i].best_effort || counted == 0)
			results->worst = outcome > results->worst ? outcome : results->worst;
		else
			output_print(&names, "%s%s", names.length > 0 ? " " : "", set->tasks[i].id);
	}
	check_text(check, check->root, "report", "left-out", names.length > 0 ? names.text : NULL);
	output_finish(&names);
}

/* ---- streams: the worst of the tasks that use them */

static struct result worst_of_stream(struct results *results, int stream)
{
	struct check *check = results->check;
	const char *about = arena_format(check->arena, "stream:%s", check->set->streams[stream].id);
	struct result worst = {fact_make(check, RULE_WORST, about, 0), NONE, NULL, OUTCOME_PROVEN};
	int64_t most = 0;
	struct listed list = lists_of(&check->of_stream, stream);
	for (int k = 0; k < list.count; k++) {
		const struct result *task = &results->tasks[results->task_of[list.items[k]]];
		if (k > 0 && results->task_of[list.items[k - 1]] == results->task_of[list.items[k]])
			continue;
		worst.winner = task->response.value > most ? task->winner : worst.winner;
		most = checked_max(most, task->response.value);
		worst.deadline = checked_min(worst.deadline, task->deadline);
		worst.outcome = task->outcome > worst.outcome ? task->outcome : worst.outcome;
		fact_from(check, &worst.response, "R", task->response);
	}
	worst.response.value = most;
	fact_settle(&worst.response);
	worst.winner = checked_is_none(most) ? NULL : worst.winner;
	return worst;
}

static void compare_stream(struct results *results, const struct xml_element *element, int index)
{
	struct check *check = results->check;
	const struct stream *stream = &check->set->streams[index];
	const char *where = arena_format(check->arena, "stream %s", stream->id);
	struct result worst = worst_of_stream(results, index);
	check_text(check, element, where, "id", stream->id);
	check_text(check, element, where, "application", check->set->applications[stream->application].id);
	bool parted = stream->partition > 0;
	check_text(check, element, where, "partition", parted ? check->set->partitions[stream->partition - 1].id : NULL);
	check_integer(check, element, where, "sms", parted ? check->set->partitions[stream->partition - 1].size : NONE);
	check_text(check, element, where, "bound", worst.winner);
	check_assumptions(check, element, where, checked_is_none(worst.response.value) ? 0 : worst.response.assumptions);
	compare_result(results, element, where, &worst);
	check->used |= worst.winner == NULL ? 0 : worst.response.assumptions;
	bounds_compare_list(check, element, where);
	for (const struct xml_element *bound = check_next(element->first, "bound"); bound != NULL;
		bound = check_next(bound->next, "bound")) {
		check_text(check, bound, where, "value", NULL);
		check_text(check, bound, where, "step", NULL);
		check_text(check, bound, where, "assumptions", NULL);
	}
}

/* ---- end to end */

/* Of a queue: what it is, and, where the chain has a bound, what it holds; of the task what it adds to that bound. */
static void compare_handover(struct check *check, const struct xml_element *member, const char *where, const struct handover *from,
	const struct link_fact *found)
{
	bool queue = from->via == HANDOVER_QUEUE;
	check_text(check, member, where, "via", queue ? "queue" : NULL);
	check_integer(check, member, where, "capacity", queue ? from->capacity : NONE);
	check_integer(check, member, where, "take", queue ? from->take : NONE);
	check_text(check, member, where, "overflow", queue && from->overflow == OVERFLOW_OLDEST ? "oldest" : NULL);
	check_integer(check, member, where, "backlog", found->backlog);
	check_integer(check, member, where, "delay", found->delay);
	check_integer(check, member, where, "wait", found->wait);
	check_integer(check, member, where, "passed", found->passed);
	check_integer(check, member, where, "response", found->response);
}

static void compare_members(struct check *check, const struct xml_element *element, const char *where, const struct end_to_end *flow,
	const struct link_fact *facts)
{
	const struct xml_element *member = check_next(element->first, "member");
	for (int i = 0; i < flow->task_count; i++) {
		const char *expected = check->set->tasks[flow->tasks[i]].id;
		if (member == NULL) {
			check_differs(check, element, where, expected, "no further member");
			continue;
		}
		const struct handover from = end_to_end_handover(flow, i);
		check_text(check, member, where, "task", expected);
		compare_handover(check, member, where, &from, &facts[i]);
		member = check_next(member->next, "member");
	}
	if (member != NULL)
		check_differs(check, member, where, "no further member", element_get(member, "task"));
}

static void compare_end_to_end(struct results *results, const struct xml_element *element, int index)
{
	struct check *check = results->check;
	const struct end_to_end *flow = &check->set->end_to_end[index];
	const char *where = arena_format(check->arena, "chain %s", flow->id);
	struct fact *responses = arena_allocate(check->arena, (size_t)check->set->task_count + 1, sizeof *responses);
	struct link_fact *facts = arena_allocate(check->arena, (size_t)flow->task_count + 1, sizeof *facts);
	for (int i = 0; i < check->set->task_count; i++)
		responses[i] = results->tasks[i].response;
	struct result result = {chains_derive(check, flow, responses, facts), flow->deadline, NULL, OUTCOME_NO_BOUND};
	if (!checked_is_none(result.response.value) && end_to_end_has_queue(flow))
		result.response.assumptions |= ASSUMED(DATA);
	result.outcome = judge(check, result.response, flow->deadline);
	for (int i = 0; i < flow->task_count && checked_is_none(result.response.value); i++)
		facts[i] = LINK_UNKNOWN;
	check_text(check, element, where, "id", flow->id);
	check_text(check, element, where, "kind", end_to_end_names[flow->kind]);
	check_text(check, element, where, "reduced", flow->reduced ? "true" : NULL);
	check_text(check, element, where, "requirement", flow->requirement);
	compare_line(check, element, where, flow->line);
	compare_result(results, element, where, &result);
	check_assumptions(check, element, where, checked_is_none(result.response.value) ? 0 : result.response.assumptions);
	if (!checked_is_none(result.response.value) && graph_number(check, element, "step") >= 0) {
		bounds_require(check, result.response.assumptions, graph_number(check, element, "step"));
		check->used |= result.response.assumptions;
	}
	compare_members(check, element, where, flow, facts);
	results->worst = result.outcome > results->worst ? result.outcome : results->worst;
}

/* ---- all of them, in the order of the task set */

typedef void comparison(struct results *results, const struct xml_element *element, int index);

static const struct xml_element *compare_all(
	struct results *results, const struct xml_element *element, const char *kind, int count, comparison *compare, int *found)
{
	const struct xml_element *parent = element_child(results->check->root, "results");
	for (int i = 0; i < count; i++) {
		if (element == NULL || !element_is(element, kind)) {
			check_differs(results->check, element == NULL ? parent : element, "results",
				arena_format(results->check->arena, "%d %s elements", count, kind),
				arena_format(results->check->arena, "%d", i));
			return element;
		}
		compare(results, element, i);
		++*found;
		element = element->next;
	}
	return element;
}

static void compare_coverage(struct results *results)
{
	struct check *check = results->check;
	const struct taskset *set = check->set;
	const struct xml_element *coverage = element_child(check->root, "coverage");
	const struct {
		const char *in, *out;
		int expected, found;
	} rows[] = {
		{"tasks-in", "tasks-out", set->task_count, results->task_count},
		{"streams-in", "streams-out", set->stream_count, results->stream_count},
		{"operations-in", "operations-out", set->operation_count, results->operation_count},
		{"chains-in", "chains-out", set->end_to_end_count, results->end_to_end_count},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		check_integer(check, coverage, "coverage", rows[i].in, rows[i].expected);
		check_integer(check, coverage, "coverage", rows[i].out, rows[i].found);
	}
}

/* Serial bounds first, as those of segments rest on them, and last who rests on one of segments. */
static void hold_bounds(struct results *results)
{
	struct work *work = results->work;
	struct claims *claims = results->claims;
	for (int kind = 0; kind < CLAIMED_COUNT; kind++)
		if (claimed_kinds[kind].serial)
			claims[kind] = claimed_kinds[kind].hold(work, NULL);
	const struct turns *turns[] = {turns_find(work, false, claims), turns_find(work, true, claims)};
	for (int kind = 0; kind < CLAIMED_COUNT; kind++)
		if (!claimed_kinds[kind].serial && !claimed_kinds[kind].shorter)
			claims[kind] = claimed_kinds[kind].hold(work, turns[claimed_kinds[kind].volume]);
	const struct turns *shorter = turns_find_shorter(work, turns[0], claims);
	for (int kind = 0; kind < CLAIMED_COUNT; kind++)
		if (claimed_kinds[kind].shorter)
			claims[kind] = claimed_kinds[kind].hold(work, shorter);
}

void results_compare(struct work *work)
{
	struct check *check = work->check;
	const struct taskset *set = check->set;
	struct results results = {.work = work, .check = check};
	const struct xml_element *element = element_child(check->root, "results")->first;
	results.tasks = arena_allocate(check->arena, (size_t)set->task_count + 1, sizeof *results.tasks);
	hold_bounds(&results);
	results.task_of = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *results.task_of);
	for (int i = 0; i < set->task_count; i++) {
		results.tasks[i] = (struct result){FACT_UNKNOWN, NONE, NULL, OUTCOME_NO_BOUND};
		for (int k = 0; k < set->tasks[i].operation_count; k++)
			results.task_of[set->tasks[i].first_operation + k] = i;
	}
	element = compare_all(&results, element, "task", set->task_count, compare_task, &results.task_count);
	element = compare_all(&results, element, "stream", set->stream_count, compare_stream, &results.stream_count);
	element = compare_all(&results, element, "chain", set->end_to_end_count, compare_end_to_end, &results.end_to_end_count);
	if (element != NULL)
		check_differs(check, element, "results", "no further result", element->name);
	compare_coverage(&results);
	compare_left_out(&results);
	check_text(check, check->root, "report", "verdict", outcome_names[results.worst]);
}
