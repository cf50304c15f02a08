/* A value is the instant at which the first task read what it reflects. */
#include "simulate/data_flow.h"

#include "base/random.h"

#define NOTHING INT64_C(-1) /* nobody has written, or the queue was empty */

struct values { /* first in, first out */
	int64_t *items;
	int first, count, capacity; /* count: written so far, those before `first` are gone */
};

struct place { /* a task in a chain */
	struct handover from;
	bool released;
	int64_t written; /* the last value of it; NOTHING */
	struct values queue;
	bool late;      /* a queue is read by each job as it is complete, or by each as it is released */
	int64_t *held;  /* by index of a job: what it has read */
	bool *deferred; /* likewise: it reads when it is complete */
	int held_count, deferred_count;
};

struct chain_state {
	const struct end_to_end *chain;
	struct simulate_chain *seen;
	struct place *places;
	int to_come; /* tasks that have not been released yet */
	int64_t start;
	bool ended;
	struct values reads; /* of the first task: those that no output is newer than */
	int unseen;          /* of them, from this one on: those that no output reflects */
};

struct data_flow {
	struct arena *arena;
	struct random random;
	struct chain_state *chains;
	int count;
};

static void push(struct data_flow *flow, struct values *values, int64_t value)
{
	values->items = arena_grow(flow->arena, values->items, &values->capacity, values->count + 1, sizeof *values->items);
	values->items[values->count++] = value;
}

struct data_flow *data_flow_create(struct arena *arena, const struct taskset *set, uint64_t seed, struct simulate_chain *chains)
{
	struct data_flow *flow = arena_allocate(arena, 1, sizeof *flow);
	flow->arena = arena;
	flow->count = set->end_to_end_count;
	flow->chains = arena_allocate(arena, (size_t)flow->count + 1, sizeof *flow->chains);
	random_seed(&flow->random, seed, 2);
	for (int i = 0; i < flow->count; i++) {
		const struct end_to_end *chain = &set->end_to_end[i];
		struct chain_state *state = &flow->chains[i];
		size_t tasks = (size_t)chain->task_count;
		chains[i] = (struct simulate_chain){.backlogs = arena_allocate(arena, tasks, sizeof *chains->backlogs)};
		*state = (struct chain_state){.chain = chain, .seen = &chains[i], .to_come = chain->task_count};
		state->places = arena_allocate(arena, tasks, sizeof *state->places);
		for (int k = 0; k < chain->task_count; k++) {
			state->places[k].from = end_to_end_handover(chain, k);
			state->places[k].written = NOTHING;
			state->places[k].late = random_chance(&flow->random, 50);
		}
	}
	return flow;
}

static int place_of(const struct chain_state *state, int task)
{
	for (int i = 0; i < state->chain->task_count; i++)
		if (state->chain->tasks[i] == task)
			return i;
	return NO_ID;
}

/* ---- reading */

static int64_t take(struct values *queue, int64_t most)
{
	int64_t taken = NOTHING;
	for (int64_t i = 0; i < most && queue->first < queue->count; i++)
		taken = queue->items[queue->first++];
	return taken;
}

static int64_t read_value(struct data_flow *flow, struct chain_state *state, int place, int64_t now)
{
	struct place *to = &state->places[place];
	if (place == 0) {
		push(flow, &state->reads, now);
		return now;
	}
	if (to->from.via == HANDOVER_QUEUE)
		return take(&to->queue, to->from.take == NONE ? 1 : to->from.take);
	return state->places[place - 1].written;
}

static void begin_job(struct data_flow *flow, struct chain_state *state, int place, int job, int64_t now)
{
	struct place *to = &state->places[place];
	to->held = arena_grow(flow->arena, to->held, &to->held_count, job + 1, sizeof *to->held);
	to->deferred = arena_grow(flow->arena, to->deferred, &to->deferred_count, job + 1, sizeof *to->deferred);
	bool drawn = random_chance(&flow->random, 30);
	to->deferred[job] = to->from.via == HANDOVER_QUEUE ? to->late : drawn;
	if (!to->deferred[job])
		to->held[job] = read_value(flow, state, place, now);
}

/* A task is released for the first time. If it is the last one to be, queues are empty now: what was read before is not on its way, even if
 * it was read at this instant. */
static void count_from_here(struct chain_state *state, int64_t now)
{
	state->to_come--;
	state->start = now;
	state->unseen = state->reads.count;
}

void data_flow_release(struct data_flow *flow, int task, int job, int64_t now, bool last)
{
	for (int i = 0; i < flow->count; i++) {
		struct chain_state *state = &flow->chains[i];
		int place = place_of(state, task);
		if (place == NO_ID)
			continue;
		struct place *to = &state->places[place];
		if (!to->released)
			count_from_here(state, now);
		to->released = true;
		state->ended |= last;
		begin_job(flow, state, place, job, now);
	}
}

/* ---- writing */

static void put(struct data_flow *flow, struct chain_state *state, int place, int64_t value)
{
	struct place *to = &state->places[place];
	struct values *queue = &to->queue;
	if (state->to_come > 0)
		return; /* it counts from there on, and is empty then */
	push(flow, queue, value);
	if (to->from.overflow == OVERFLOW_OLDEST && queue->count - queue->first > to->from.capacity)
		queue->first++;
	int64_t held = state->ended ? 0 : queue->count - queue->first; /* nobody may take any more */
	state->seen->backlogs[place] = checked_max(state->seen->backlogs[place], held);
}

/* Of what was read before an instant, from `from` on, the first; the rest has an output now. */
static int64_t first_read(const struct chain_state *state, int *from, int64_t before)
{
	int64_t first = NOTHING;
	for (; *from < state->reads.count && state->reads.items[*from] < before; ++*from)
		if (first == NOTHING && state->reads.items[*from] >= state->start)
			first = state->reads.items[*from];
	return first;
}

/* An output after another one. */
static void come_out(struct chain_state *state, int64_t before, int64_t value, int64_t now)
{
	struct simulate_chain *seen = state->seen;
	int64_t reaction = first_read(state, &state->reads.first, value), reduced = first_read(state, &state->unseen, value + 1);
	if (reaction != NOTHING)
		seen->reaction = checked_max(seen->reaction, now - reaction);
	if (reduced != NOTHING)
		seen->reduced_reaction = checked_max(seen->reduced_reaction, now - reduced);
	seen->age = checked_max(seen->age, now - checked_max(before, state->start));
	seen->reduced_age = checked_max(seen->reduced_age, now - checked_max(value, state->start));
}

static void end_job(struct data_flow *flow, struct chain_state *state, int place, int job, int64_t now)
{
	struct place *from = &state->places[place];
	int64_t value = from->deferred[job] ? read_value(flow, state, place, now) : from->held[job], before = from->written;
	int next = place + 1;
	if (value == NOTHING)
		return;
	from->written = value;
	if (next < state->chain->task_count && state->places[next].from.via == HANDOVER_QUEUE)
		put(flow, state, next, value);
	if (next == state->chain->task_count && state->to_come == 0 && !state->ended)
		come_out(state, before, value, now);
}

void data_flow_complete(struct data_flow *flow, int task, int job, int64_t now)
{
	for (int i = 0; i < flow->count; i++) {
		int place = place_of(&flow->chains[i], task);
		if (place != NO_ID)
			end_job(flow, &flow->chains[i], place, job, now);
	}
}

int64_t simulate_chain_observed(const struct simulate_chain *seen, const struct end_to_end *chain)
{
	if (chain->kind == END_TO_END_REACTION)
		return chain->reduced ? seen->reduced_reaction : seen->reaction;
	return chain->reduced ? seen->reduced_age : seen->age;
}
