/* Chains of tasks, stage by stage. */
#include "response/end_to_end.h"

#include "base/plant.h"
#include "model/rules.h"
#include "response/applicable.h"
#include "response/end_to_end_phases.h"
#include "response/operation_cost.h"

#include <inttypes.h>

struct stage {
	const struct task *task;
	const struct response_of *response;
	struct handover from; /* from the stage before */
	int64_t apart;        /* greatest distance of its releases; NONE: not known */
	int64_t overtaken;    /* jobs that may write before one that was released before them */
	int overtaken_step;
	bool waits;   /* an update may just miss a job, and waits for the next one */
	int64_t wait; /* beyond its own releases, in the queue before it; NONE: none */
	int wait_step;
	int delay_step; /* how long a value is in that queue, which who writes late counts already */
};

struct chain_of_stages {
	struct arena *arena;
	const struct taskset *set;
	struct derivation *derivation;
	const struct end_to_end *flow;
	struct end_to_end_result *result;
	struct stage *stages;
	int count;
	uint64_t assumptions;
};

static void refuse(struct chain_of_stages *chain, const char *reason)
{
	if (chain->result->reason == NULL)
		chain->result->reason = reason;
}

static int given(const struct chain_of_stages *chain, int64_t value, const struct task *task, const char *attribute)
{
	return cost_given(chain->derivation, value, "task:%s@%s", task->id, attribute);
}

static int given_apart(const struct chain_of_stages *chain, const struct stage *stage)
{
	bool periodic = stage->task->arrival.kind == ARRIVAL_PERIODIC;
	return given(chain, stage->apart, stage->task, periodic ? "period" : "max-distance");
}

static int given_of_queue(const struct chain_of_stages *chain, int index, int64_t value, const char *attribute)
{
	const char *member = arena_format(chain->arena, "%s/task:%s", chain->flow->id, chain->stages[index].task->id);
	return cost_given(chain->derivation, value, "chain:%s@%s", member, attribute);
}

/* ---- what is known of each task */

static void find_overtaken(struct chain_of_stages *chain, struct stage *stage)
{
	int64_t period = stage->task->arrival.period, response = stage->response->response;
	stage->overtaken_step = STEP_ABSENT;
	if (!applicable_has_host(chain->set, stage->task) || response == NONE || planted(PLANT_OVERTAKEN))
		return;
	if (stage->task->arrival.kind == ARRIVAL_CURVE) {
		refuse(chain, arena_format(chain->arena,
				      "%s has an arrival curve and host segments: nothing says how many of its jobs pass one another",
				      stage->task->id));
		return;
	}
	if (response < period)
		return;
	stage->overtaken = response / period;
	int step = given(chain, period, stage->task, "period");
	stage->overtaken_step =
		derivation_named(chain->derivation, RULE_OVERTAKEN, rational_of(stage->overtaken), "task:%s", stage->task->id, NULL);
	derivation_input(chain->derivation, "R", stage->response->step);
	derivation_input(chain->derivation, "T", step);
}

static bool is_queue(const struct stage *stage)
{
	return stage->from.via == HANDOVER_QUEUE;
}

/* Has each job of it read before the next one may? */
static bool reads_in_order(const struct stage *stage)
{
	return stage->task->arrival.kind != ARRIVAL_CURVE && stage->response->response <= stage->task->arrival.period;
}

/* The stage of a reduced chain at which nothing waits for a release: of a reaction the first one, which has just read; of an age the last
 * one that reads a register, as the queues behind it say by themselves when what they hold was written. */
static int stage_without_wait(const struct chain_of_stages *chain)
{
	int last = chain->count - 1;
	if (!chain->flow->reduced)
		return NO_ID;
	if (chain->flow->kind == END_TO_END_REACTION)
		return reads_in_order(&chain->stages[0]) ? 0 : NO_ID;
	while (is_queue(&chain->stages[last]) && chain->stages[last].from.overflow == OVERFLOW_NONE)
		last--;
	return is_queue(&chain->stages[last]) ? NO_ID : last;
}

static void open_stages(struct chain_of_stages *chain, const struct response_of *tasks)
{
	chain->stages = arena_allocate(chain->arena, (size_t)chain->count, sizeof *chain->stages);
	for (int i = 0; i < chain->count; i++) {
		struct stage *stage = &chain->stages[i];
		stage->task = &chain->set->tasks[chain->flow->tasks[i]];
		stage->response = &tasks[chain->flow->tasks[i]];
		stage->from = end_to_end_handover(chain->flow, i);
		stage->apart = arrival_apart(&stage->task->arrival);
		stage->wait = NONE;
		stage->wait_step = stage->delay_step = STEP_ABSENT;
		chain->assumptions |= stage->response->assumptions;
		find_overtaken(chain, stage);
	}
	int without = stage_without_wait(chain);
	for (int i = 0; i < chain->count; i++)
		chain->stages[i].waits = i != without && !(planted(PLANT_CHAIN_WAITS) && i == 0);
}

static const char *no_distance(const struct chain_of_stages *chain, const struct task *task)
{
	const char *what = task->arrival.kind == ARRIVAL_CURVE
				   ? "an arrival curve has no greatest distance; arrival=\"sporadic\" may have a max-distance"
				   : "give it a max-distance";
	return arena_format(chain->arena, "%s is not periodic: nothing says how long the next job may take to come; %s", task->id, what);
}

static bool is_same_handover(const struct handover *one, const struct handover *other)
{
	return one->via == other->via && one->overflow == other->overflow && one->capacity == other->capacity && one->take == other->take;
}

/* A job that finds a queue empty writes nothing, to no chain: is each queue that the task reads anywhere the one before it here? */
static void find_other_queues(struct chain_of_stages *chain, int index)
{
	const struct end_to_end *own = chain->flow;
	for (int c = 0; c < chain->set->end_to_end_count; c++)
		for (int i = 1; i < chain->set->end_to_end[c].task_count; i++) {
			const struct end_to_end *other = &chain->set->end_to_end[c];
			const struct handover from = end_to_end_handover(other, i), *here = &chain->stages[index].from;
			if (other->tasks[i] != own->tasks[index] || from.via != HANDOVER_QUEUE ||
				(index > 0 && own->tasks[index - 1] == other->tasks[i - 1] && is_same_handover(&from, here)))
				continue;
			refuse(chain,
				arena_format(chain->arena,
					"%s takes from a queue in chain %s and writes nothing where that one is empty, which this chain "
					"does not follow; let it begin where that queue is written",
					chain->stages[index].task->id, other->id));
		}
}

static void find_obstacles(struct chain_of_stages *chain)
{
	for (int i = 0; i < chain->count; i++) {
		const struct stage *stage = &chain->stages[i];
		find_other_queues(chain, i);
		if (stage->apart == NONE && (stage->waits || stage->overtaken > 0))
			refuse(chain, no_distance(chain, stage->task));
		if (stage->response->response == NONE)
			refuse(chain, arena_format(chain->arena, "%s has no bound", stage->task->id));
		if (is_queue(stage) && stage->overtaken > 0)
			refuse(chain,
				arena_format(chain->arena,
					"jobs of %s may pass one another, so that nothing says which of them takes a value from its queue",
					stage->task->id));
	}
}

/* ---- queues: [DATA-QUEUE] */

static int64_t take_of(const struct stage *stage)
{
	return stage->from.take == NONE ? 1 : stage->from.take;
}

/* How many values it holds at most; NONE: it may grow without end. */
static int64_t backlog_of(struct chain_of_stages *chain, int index, int *step)
{
	const struct stage *writer = &chain->stages[index - 1], *reader = &chain->stages[index];
	int64_t period = writer->task->arrival.period, wrote = writer->response->response, read = reader->response->response;
	if (writer->task->arrival.kind == ARRIVAL_CURVE || checked_mul(take_of(reader), period) < reader->apart)
		return NONE;
	int64_t span = checked_add(checked_add(wrote, read), planted(PLANT_QUEUE_READS_AT_ONCE) ? 0 : reader->apart);
	int64_t most = checked_add(checked_div_floor(span, period), 1);
	int s = given(chain, period, writer->task, "period"), t = given_apart(chain, reader);
	*step = derivation_named(
		chain->derivation, RULE_QUEUE_BACKLOG, rational_of(most), "chain:%s/task:%s", chain->flow->id, reader->task->id);
	derivation_input(chain->derivation, "W", writer->response->step);
	derivation_input(chain->derivation, "R", reader->response->step);
	derivation_input(chain->derivation, "T", t);
	derivation_input(chain->derivation, "S", s);
	return most;
}

/* Of a queue that is never full: from when a value is written to the nominal release of the job that takes it. */
static int64_t delay_in_order(struct chain_of_stages *chain, int index, int backlog_step, int *step)
{
	const struct stage *writer = &chain->stages[index - 1], *reader = &chain->stages[index];
	int64_t period = writer->task->arrival.period, wrote = writer->response->response, take = take_of(reader);
	int64_t jobs = checked_div_ceil(checked_add(wrote / period, 1), take);
	int64_t together = checked_mul(jobs, reader->apart), next = checked_mul(checked_add(jobs, 1), reader->apart);
	next = checked_add(checked_sub(next, checked_mul(checked_mul(jobs, take), period)), wrote);
	int64_t delay = next == NONE ? NONE : checked_max(together, next);
	int s = given(chain, period, writer->task, "period"), t = given_apart(chain, reader);
	int c = given_of_queue(chain, index, take, "take");
	*step = derivation_named(
		chain->derivation, RULE_QUEUE_DELAY, rational_of(delay), "chain:%s/task:%s", chain->flow->id, reader->task->id);
	derivation_input(chain->derivation, "W", writer->response->step);
	derivation_input(chain->derivation, "S", s);
	derivation_input(chain->derivation, "T", t);
	derivation_input(chain->derivation, "c", c);
	derivation_input(chain->derivation, "Q", backlog_step);
	return together == NONE ? NONE : delay;
}

/* Of a queue in which the oldest value is written over: until all older ones are, and the next job. */
static int64_t delay_of_latest(struct chain_of_stages *chain, int index, int *step)
{
	const struct stage *writer = &chain->stages[index - 1], *reader = &chain->stages[index];
	int64_t entries = reader->from.capacity - (planted(PLANT_QUEUE_OLDEST) ? checked_min(2, reader->from.capacity) : 1);
	int64_t delay = checked_add(checked_mul(entries, writer->apart), reader->apart);
	int s = given_apart(chain, writer), t = given_apart(chain, reader);
	int n = given_of_queue(chain, index, reader->from.capacity, "capacity");
	*step = derivation_named(
		chain->derivation, RULE_QUEUE_OLDEST, rational_of(delay), "chain:%s/task:%s", chain->flow->id, reader->task->id);
	derivation_input(chain->derivation, "N", n);
	derivation_input(chain->derivation, "S", s);
	derivation_input(chain->derivation, "T", t);
	return delay;
}

static void find_overwritten(struct chain_of_stages *chain, int index)
{
	const struct stage *writer = &chain->stages[index - 1];
	struct stage *reader = &chain->stages[index];
	if (is_queue(writer))
		refuse(chain, arena_format(chain->arena,
				      "%s writes only what it finds in a queue: nothing says when values before %s are written over",
				      writer->task->id, reader->task->id));
	else if (writer->apart == NONE)
		refuse(chain, no_distance(chain, writer->task));
	else
		reader->wait = chain->result->links[index].delay = delay_of_latest(chain, index, &reader->wait_step);
}

static void find_in_order(struct chain_of_stages *chain, int index, int backlog_step)
{
	struct stage *reader = &chain->stages[index];
	int64_t delay = delay_in_order(chain, index, backlog_step, &reader->delay_step);
	chain->result->links[index].delay = delay;
	if (chain->stages[index - 1].overtaken == 0)
		return;
	reader->wait = delay; /* values are in no order of their jobs */
	reader->wait_step = reader->delay_step;
	reader->delay_step = STEP_ABSENT;
}

static void find_delay(struct chain_of_stages *chain, int index)
{
	struct stage *reader = &chain->stages[index];
	struct link_result *queue = &chain->result->links[index];
	const char *writer = chain->stages[index - 1].task->id;
	int step;
	queue->backlog = backlog_of(chain, index, &step);
	if (queue->backlog != NONE && (reader->from.capacity == NONE || queue->backlog <= reader->from.capacity))
		find_in_order(chain, index, step);
	else if (reader->from.overflow == OVERFLOW_OLDEST)
		find_overwritten(chain, index);
	else if (queue->backlog == NONE)
		refuse(chain, arena_format(chain->arena,
				      "the queue from %s to %s may grow without end: %s has to take more at once, or come more often",
				      writer, reader->task->id, reader->task->id));
	else
		refuse(chain, arena_format(chain->arena,
				      "the queue from %s to %s may have to hold %" PRId64 " values, and has a capacity of %" PRId64, writer,
				      reader->task->id, queue->backlog, reader->from.capacity));
}

static void find_delays(struct chain_of_stages *chain)
{
	chain->result->links = arena_allocate(chain->arena, (size_t)chain->count, sizeof *chain->result->links);
	for (int i = 0; i < chain->count && chain->result->reason == NULL; i++) {
		chain->result->links[i] = (struct link_result){NONE, NONE, NONE, NONE, NONE, STEP_ABSENT, STEP_ABSENT};
		if (is_queue(&chain->stages[i]))
			find_delay(chain, i);
	}
}

/* ---- the sum over all stages */

/* All read registers, and nothing is left out of it: [END-TO-END]. */
static bool is_plain(const struct chain_of_stages *chain)
{
	bool plain = true;
	for (int i = 0; i < chain->count; i++)
		plain &= chain->stages[i].waits && !is_queue(&chain->stages[i]);
	return plain;
}

/* What a task adds. */
static int64_t stage_wait(const struct stage *stage)
{
	return stage->wait != NONE ? stage->wait : stage->waits ? stage->apart : 0;
}

static int64_t stage_passed(const struct stage *stage)
{
	return stage->overtaken > 0 ? checked_mul(stage->overtaken, stage->apart) : 0;
}

static int64_t stage_value(const struct stage *stage)
{
	return checked_add(checked_add(stage_wait(stage), stage_passed(stage)), stage->response->response);
}

static void note_link(struct link_result *link, const struct stage *stage, int period)
{
	link->wait = stage_wait(stage);
	link->wait_step = stage->wait != NONE ? stage->wait_step : stage->waits ? period : STEP_ABSENT;
	link->passed = stage_passed(stage);
	link->passed_step = stage->overtaken_step;
	link->response = stage->response->response;
}

static void add_plain_step(struct chain_of_stages *chain, const int *periods)
{
	struct derivation *derivation = chain->derivation;
	chain->result->step =
		derivation_named(derivation, RULE_END_TO_END, rational_of(chain->result->response), "chain:%s", chain->flow->id, NULL);
	for (int i = 0; i < chain->count; i++) {
		derivation_input(derivation, "T", periods[i]);
		derivation_input(derivation, "n", chain->stages[i].overtaken_step);
		derivation_input(derivation, "R", chain->stages[i].response->step);
	}
}

static int stage_step(const struct chain_of_stages *chain, const struct stage *stage, int period)
{
	int step = derivation_named(
		chain->derivation, RULE_STAGE, rational_of(stage_value(stage)), "chain:%s/task:%s", chain->flow->id, stage->task->id);
	derivation_input(chain->derivation, "T", stage->wait != NONE || !stage->waits ? STEP_ABSENT : period);
	derivation_input(chain->derivation, "L", stage->wait_step);
	derivation_input(chain->derivation, "D", stage->delay_step);
	derivation_input(chain->derivation, "n", stage->overtaken_step);
	derivation_input(chain->derivation, "P", stage->overtaken_step == STEP_ABSENT ? STEP_ABSENT : period);
	derivation_input(chain->derivation, "R", stage->response->step);
	return step;
}

static void add_sum_step(struct chain_of_stages *chain, const int *periods)
{
	int *steps = arena_allocate(chain->arena, (size_t)chain->count, sizeof *steps);
	for (int i = 0; i < chain->count; i++)
		steps[i] = stage_step(chain, &chain->stages[i], periods[i]);
	chain->result->step = derivation_named(
		chain->derivation, RULE_CAUSE_EFFECT, rational_of(chain->result->response), "chain:%s", chain->flow->id, NULL);
	for (int i = 0; i < chain->count; i++)
		derivation_input(chain->derivation, "B", steps[i]);
}

static void add_up(struct chain_of_stages *chain)
{
	int *periods = arena_allocate(chain->arena, (size_t)chain->count, sizeof *periods);
	chain->result->response = 0;
	for (int i = 0; i < chain->count; i++) {
		const struct stage *stage = &chain->stages[i];
		periods[i] = stage->apart == NONE ? STEP_ABSENT : given_apart(chain, stage);
		chain->result->response = checked_add(chain->result->response, stage_value(stage));
		note_link(&chain->result->links[i], stage, periods[i]);
	}
	if (is_plain(chain))
		add_plain_step(chain, periods);
	else
		add_sum_step(chain, periods);
}

/* ---- known phases: [CHAIN-PHASES] */

static void add_phases_step(struct chain_of_stages *chain, int64_t value)
{
	int *offsets = arena_allocate(chain->arena, (size_t)chain->count, sizeof *offsets);
	int *periods = arena_allocate(chain->arena, (size_t)chain->count, sizeof *periods);
	for (int i = 0; i < chain->count; i++) {
		offsets[i] = given(chain, chain->stages[i].task->offset, chain->stages[i].task, "offset");
		periods[i] = given_apart(chain, &chain->stages[i]);
	}
	for (int i = 0; i < chain->count; i++)
		chain->result->links[i].wait = chain->result->links[i].passed = chain->result->links[i].response = NONE;
	chain->assumptions |= assumption_bit(ASSUMPTION_PHASES);
	chain->result->response = value;
	chain->result->step = derivation_named(chain->derivation, RULE_CHAIN_PHASES, rational_of(value), "chain:%s", chain->flow->id, NULL);
	for (int i = 0; i < chain->count; i++) {
		derivation_input(chain->derivation, "O", offsets[i]);
		derivation_input(chain->derivation, "T", periods[i]);
		derivation_input(chain->derivation, "n", chain->stages[i].overtaken_step);
		derivation_input(chain->derivation, "R", chain->stages[i].response->step);
	}
}

static void sharpen_by_phases(struct chain_of_stages *chain)
{
	struct phased_stage *stages = arena_allocate(chain->arena, (size_t)chain->count, sizeof *stages);
	for (int i = 0; i < chain->count; i++) {
		const struct stage *stage = &chain->stages[i];
		const struct task *task = stage->task;
		if (is_queue(stage) || task->offset == NONE || task->arrival.kind != ARRIVAL_PERIODIC || task->arrival.rounded)
			return;
		int64_t written = checked_add(checked_mul(stage->overtaken, stage->apart), stage->response->response);
		stages[i] = (struct phased_stage){task->offset, stage->apart, written, stage->response->response};
	}
	bool reduced = chain->flow->reduced && (chain->flow->kind == END_TO_END_AGE || reads_in_order(&chain->stages[0]));
	int64_t value = end_to_end_phases(stages, chain->count, chain->flow->kind, reduced);
	if (value != NONE && (chain->result->response == NONE || value < chain->result->response))
		add_phases_step(chain, value);
}

void end_to_end_bound(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct response_of *tasks,
	struct derivation *derivation, const struct end_to_end *flow, struct end_to_end_result *result)
{
	*result = (struct end_to_end_result){.response = NONE, .verdict = VERDICT_NO_BOUND, .step = STEP_ABSENT};
	struct chain_of_stages chain = {
		.arena = arena, .set = set, .derivation = derivation, .flow = flow, .result = result, .count = flow->task_count};
	open_stages(&chain, tasks);
	chain.assumptions |= end_to_end_has_queue(flow) ? assumption_bit(ASSUMPTION_DATA) : 0;
	find_obstacles(&chain);
	if (result->reason == NULL)
		refuse(&chain, applicable_refuse(arena, platform, chain.assumptions));
	find_delays(&chain);
	if (result->reason == NULL) {
		add_up(&chain);
		if (platform_grants_all(platform, assumption_bit(ASSUMPTION_PHASES)))
			sharpen_by_phases(&chain);
		result->assumptions = chain.assumptions;
	}
}
