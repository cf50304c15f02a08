/* Runs against bounds. */
#include "falsify/hunt.h"

#include "simulate/data_flow.h"

#include <stddef.h>

#define MILLION 1000000

static void note(struct hunt *hunt, const struct subject *subject, const struct attack *attack, struct violation violation)
{
	(void)subject;
	if (hunt->violation.stage != STAGE_NONE)
		return;
	hunt->violation = violation;
	hunt->violation.attack = *attack;
}

/* ---- responses */

static void hold_bound(struct hunt *hunt, const struct subject *subject, const struct attack *attack, int task, enum bound bound,
	const struct simulate_task *seen, int64_t *score)
{
	const struct bound_value *value = &subject->response->tasks[task].bounds[bound];
	if (!subject_promises(subject, value, bound, attack_broken(attack, subject)))
		return;
	const struct arrival *arrival = &subject->set->tasks[task].arrival;
	int64_t nominal = arrival->min_distance == NONE ? seen->nominal_response - arrival->jitter : 0; /* a distance moves releases */
	if (bound == BOUND_TT && subject->set->tasks[task].application != NO_ID)
		nominal = seen->nominal_response;
	int64_t observed = checked_max(seen->response, nominal), *greatest = &hunt->observed[task * BOUND_COUNT + (int)bound];
	*greatest = checked_max(*greatest, observed);
	*score = checked_max(*score, checked_mul_div_floor(observed, MILLION, checked_max(1, value->value)));
	if (observed > value->value)
		note(hunt, subject, attack,
			(struct violation){.stage = STAGE_RESPONSE,
				.bound = bound,
				.task = task,
				.operation = NO_ID,
				.observed = observed,
				.allowed = value->value,
				.what = "a task's response"});
}

/* ---- one operation's time: the inflated WCET covers a block slowed by the platform's own factors */

static void hold_inflation(
	struct hunt *hunt, const struct subject *subject, const struct attack *attack, const struct simulate_result *result)
{
	bool frozen = attack->options.switches.stops != STOPS_NONE || subject->costs->context_count > 1 ||
		      (attack_broken(attack, subject) & ATTACK_NEIGHBOURS) != 0;
	for (int i = 0; i < subject->set->operation_count && !frozen; i++) {
		enum place place = subject->costs->operations[i].place;
		int64_t stall = place == PLACE_EXECUTION ? attack->options.switches.stall : 0;
		int64_t allowed = checked_add(subject->longest[i], stall); /* a block's time counts from its first instruction */
		if (subject->inflation->operations[i].wcet != NONE && place != PLACE_NOWHERE && result->operations[i].longest > allowed)
			note(hunt, subject, attack,
				(struct violation){.stage = STAGE_INTERFERENCE,
					.task = NO_ID,
					.operation = i,
					.observed = result->operations[i].longest,
					.allowed = allowed,
					.what = "the time of a block or copy, against its inflated WCET"});
	}
}

/* ---- chains of tasks: what comes out is no older than their bounds, and queues hold no more than is said */

static bool promises_chain(const struct subject *subject, const struct attack *attack, const struct end_to_end *chain)
{
	for (int i = 0; i < chain->task_count; i++) {
		const struct response_of *task = &subject->response->tasks[chain->tasks[i]];
		const struct arrival *arrival = &subject->set->tasks[chain->tasks[i]].arrival;
		if (arrival->min_distance > 0 && arrival->min_distance != NONE) /* it moves releases beyond their jitter */
			return false;
		if (!subject_promises(subject, &task->bounds[task->winner], (enum bound)task->winner, attack_broken(attack, subject)))
			return false;
	}
	return true;
}

static void hold_chain(
	struct hunt *hunt, const struct subject *subject, const struct attack *attack, const struct simulate_result *result, int index)
{
	const struct end_to_end *chain = &subject->set->end_to_end[index];
	const struct end_to_end_result *bound = &subject->response->end_to_end[index];
	bool rests = (bound->assumptions & attack_broken(attack, subject)) != 0;
	if (bound->response == NONE || rests || !promises_chain(subject, attack, chain))
		return;
	const struct simulate_chain *seen = &result->chains[index];
	int64_t observed = simulate_chain_observed(seen, chain);
	struct violation violation = {.stage = STAGE_CHAIN, .task = chain->tasks[chain->task_count - 1], .operation = NO_ID};
	violation.what = "what a chain of tasks takes, or how old its data gets";
	violation.observed = observed, violation.allowed = bound->response;
	if (observed > bound->response)
		note(hunt, subject, attack, violation);
	for (int i = 0; i < chain->task_count; i++) {
		bool dropping = end_to_end_handover(chain, i).overflow == OVERFLOW_OLDEST;
		violation.what = "values in the queue before a task of a chain";
		violation.observed = seen->backlogs[i], violation.allowed = bound->links[i].backlog;
		if (!dropping && violation.allowed != NONE && violation.observed > violation.allowed)
			note(hunt, subject, attack, violation);
	}
}

static void hold_oracle(struct hunt *hunt, const struct subject *subject, const struct attack *attack, const struct oracle *oracle)
{
	if (oracle->stage == STAGE_NONE)
		return;
	note(hunt, subject, attack,
		(struct violation){.stage = oracle->stage,
			.task = NO_ID,
			.operation = oracle->operation,
			.observed = oracle->observed,
			.allowed = oracle->allowed,
			.what = oracle->what});
}

static void judge(struct hunt *hunt, const struct subject *subject, const struct attack *attack, const struct simulate_result *result,
	const struct oracle *oracle, int64_t *score)
{
	hold_oracle(hunt, subject, attack, oracle);
	hold_inflation(hunt, subject, attack, result);
	for (int i = 0; i < subject->set->task_count; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			hold_bound(hunt, subject, attack, i, (enum bound)j, &result->tasks[i], score);
	for (int i = 0; i < subject->set->end_to_end_count; i++)
		hold_chain(hunt, subject, attack, result, i);
	if (!result->drained && result->status == SIMULATE_DONE)
		note(hunt, subject, attack,
			(struct violation){.stage = STAGE_MACHINE, .task = NO_ID, .operation = NO_ID, .what = "the machine stands still"});
}

bool hunt_once(struct hunt *hunt, const struct subject *subject, const struct attack *attack, int64_t *score)
{
	struct arena *arena = arena_create();
	struct simulate_options options = attack_options(attack, subject);
	struct simulate_result result;
	struct oracle oracle;
	oracle_init(&oracle, arena, subject, attack);
	options.observer = (struct observer){oracle_see, &oracle, ORACLE_UNSEEN};
	enum simulate_status status = simulate_run(arena, subject->platform, subject->set, &options, &result);
	if (status == SIMULATE_REFUSED) {
		hunt->refusal = arena_copy(subject->arena, result.refusal);
	} else {
		hunt->runs++;
		hunt->events += result.events;
		hunt->limited += status == SIMULATE_LIMIT;
		judge(hunt, subject, attack, &result, &oracle, score);
	}
	arena_destroy(arena);
	return hunt->violation.stage != STAGE_NONE;
}

void hunt_run(struct hunt *hunt, const struct subject *subject, struct draw *draw, int runs)
{
	struct attack best, next;
	int64_t greatest = -1;
	*hunt = (struct hunt){.violation = {.stage = STAGE_NONE}};
	hunt->observed = arena_allocate(subject->arena, (size_t)subject->set->task_count * BOUND_COUNT + 1, sizeof *hunt->observed);
	for (int i = 0; i < runs && hunt->refusal == NULL; i++) {
		int64_t score = 0;
		if (2 * i < runs) {
			attack_draw(&next, draw, subject);
		} else {
			next = best;
			attack_change(&next, draw, subject);
		}
		if (hunt_once(hunt, subject, &next, &score))
			return;
		if (score < greatest)
			continue;
		greatest = score;
		best = next;
	}
}
