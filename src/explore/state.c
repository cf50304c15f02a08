#include "explore/state.h"

#include "base/plant.h"

#include <string.h>

/* ---- engines */
static void sort_slots(struct slot *slots, int count, int64_t least, int64_t most)
{
	/* The first slot is taken until (least, most): both coordinates go to their places, each by itself. */
	int i = 1;
	for (; i < count && slots[i].least < least; i++)
		slots[i - 1].least = slots[i].least;
	slots[i - 1].least = least;
	for (i = 1; i < count && slots[i].most < most; i++)
		slots[i - 1].most = slots[i].most;
	slots[i - 1].most = most;
}

/* When the pieces of a job end at the latest, if the next one begins whenever fewer than the pool's are under way; all so far are complete
 * by `all`, that is known besides. [TT-POOL]. */
static int64_t serve_pool(
	const struct explore_engine *engine, struct slot *slots, const struct explore_job *job, int64_t arrival, int64_t all)
{
	struct slot *pool = slots + 2;
	int64_t begun = checked_add(checked_max(slots[1].most, arrival), engine->launch), end = 0;
	for (int64_t i = 0; i < job->units; i++) {
		begun = checked_add(checked_max(begun, pool[0].most), engine->dispatch);
		end = checked_add(begun, job->piece);
		sort_slots(pool, engine->pool, 0, end);
	}
	slots[1].most = checked_min(begun, all);
	for (int i = 0; i < engine->pool; i++)
		pool[i].most = checked_min(pool[i].most, all);
	slots[0].most = pool[engine->pool - 1].most;
	return checked_min(all, end);
}

/* Pieces take the slot that is free first, one after the other (Kiefer and Wolfowitz). */
static struct slot serve_arrival(
	const struct explore_engine *engine, struct slot *slots, const struct explore_job *job, const struct event *event)
{
	struct slot finish = {0, 0};
	if (engine->overlaps) {
		finish.least = checked_add(event->least, job->cost_least);
		finish.most = checked_add(checked_max(slots[0].most, event->most), job->cost_most);
		slots[0].most = finish.most;
		if (engine->pool > 0)
			finish.most = serve_pool(engine, slots, job, event->most, finish.most);
		return finish;
	}
	for (int64_t i = 0; i < job->units; i++) {
		finish.least = checked_add(checked_max(slots[0].least, event->least), job->cost_least);
		finish.most = checked_add(checked_max(slots[0].most, event->most), job->cost_most);
		sort_slots(slots, engine->slots, finish.least, finish.most);
	}
	return finish;
}

static struct slot serve_level(
	const struct explore_engine *engine, struct slot *slots, const struct explore_job *job, const struct event *event)
{
	struct slot finish = {checked_add(event->least, job->cost_least), checked_add(event->most, job->cost_most)};
	for (int i = 1; i < engine->slots; i++) {
		slots[i].least = checked_max(slots[i].least, event->least);
		slots[i].most = checked_max(slots[i].most, event->least);
	}
	sort_slots(slots, engine->slots, finish.least, finish.most);
	return finish;
}

/* ---- gates: [TT-GATE] */

static void run_insert(struct state *state, const struct running *running)
{
	int i = state->running_count++;
	for (; i > 0 && state->running[i - 1].job > running->job; i--)
		state->running[i] = state->running[i - 1];
	state->running[i] = *running;
}

static void run_remove(struct state *state, int job)
{
	int i = 0;
	while (state->running[i].job != job)
		i++;
	memmove(state->running + i, state->running + i + 1, (size_t)(--state->running_count - i) * sizeof *state->running);
}

/* The job waits for all of its level and lesser ones that are there, and for pieces of others to end; those others wait for it, unless
 * their last pieces have begun for sure. */
static void arrive_at_gate(const struct problem *problem, struct state *state, const struct event *event)
{
	const struct explore_job *job = &problem->explore->jobs[event->job];
	int64_t dispatch = problem->explore->engines[job->engine].dispatch, before = 0, piece = 0, wasted;
	for (int i = 0; i < state->running_count; i++) {
		const struct explore_job *other = &problem->explore->jobs[state->running[i].job];
		if (other->engine != job->engine)
			continue;
		if (other->level <= job->level)
			before = checked_max(before, state->running[i].most);
		else
			piece = checked_max(piece, other->piece);
	}
	wasted = planted(PLANT_STOPPED) ? 0 : checked_max(piece, dispatch);
	for (int i = 0; i < state->running_count; i++) {
		struct running *running = &state->running[i];
		const struct explore_job *other = &problem->explore->jobs[running->job];
		if (other->engine == job->engine && other->level > job->level && event->least <= checked_sub(running->most, other->last))
			running->most = checked_add(running->most, checked_add(job->cost_most, wasted));
	}
	int64_t drained = checked_add(event->most, piece > 0 ? checked_add(piece, dispatch) : 0);
	run_insert(state, &(struct running){event->job, checked_add(event->least, job->cost_least),
				  checked_add(checked_max(before, drained), job->cost_most)});
}

/* ---- what has happened */
static void root_happens(struct state *state, int place)
{
	int i = state->beyond_count++;
	for (; i > 0 && state->beyond[i - 1] > place; i--)
		state->beyond[i] = state->beyond[i - 1];
	state->beyond[i] = place;
	int gone = 0;
	while (gone < state->beyond_count && state->beyond[gone] == state->base + gone)
		gone++;
	state->base += gone;
	state->beyond_count -= gone;
	memmove(state->beyond, state->beyond + gone, (size_t)state->beyond_count * sizeof *state->beyond);
}

static void turn_begins(const struct problem *problem, struct state *state, int line)
{
	state->passed[line]++;
	state->turns[problem->explore->lines[line].queue].held = true;
}

static void turn_ends(const struct problem *problem, struct state *state, int job, const struct slot *finish)
{
	if (problem->leaves != NULL && problem->leaves[job] > 0)
		state->turns[problem->leaves[job] - 1] = (struct turn){false, finish->least, finish->most};
}

static int waiting_place(const struct state *state, int job)
{
	int low = 0, high = state->waiting_count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (state->waiting[middle].job < job)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void waiting_remove(struct state *state, int job)
{
	int i = waiting_place(state, job);
	memmove(state->waiting + i, state->waiting + i + 1, (size_t)(--state->waiting_count - i) * sizeof *state->waiting);
}

static struct waiting *waiting_of(const struct problem *problem, struct state *state, int job)
{
	int i = waiting_place(state, job);
	const struct explore_job *of = &problem->explore->jobs[job];
	if (i < state->waiting_count && state->waiting[i].job == job)
		return &state->waiting[i];
	memmove(state->waiting + i + 1, state->waiting + i, (size_t)(state->waiting_count++ - i) * sizeof *state->waiting);
	state->waiting[i] = (struct waiting){job, of->edge_count, of->release_least, of->release_most};
	return &state->waiting[i];
}

static void tell_successors(const struct problem *problem, struct state *state, const struct event *event, const struct slot *finish)
{
	for (int i = problem->first_successor[event->job]; i < problem->first_successor[event->job + 1]; i++) {
		const struct explore_edge *edge = &problem->explore->edges[problem->successors[i]];
		struct waiting *waiting = waiting_of(problem, state, problem->edge_to[problem->successors[i]]);
		waiting->missing--;
		if (problem->there[problem->successors[i]])
			continue;
		waiting->least = checked_max(waiting->least, checked_add(edge->from_start ? event->least : finish->least, edge->least));
		waiting->most = checked_max(waiting->most, checked_add(edge->from_start ? event->most : finish->most, edge->most));
	}
}

static void copy_running(struct arena *arena, const struct state *state, struct state *next)
{
	next->running = arena_allocate(arena, (size_t)state->running_count + 1, sizeof *next->running);
	if (state->running_count > 0)
		memcpy(next->running, state->running, (size_t)state->running_count * sizeof *next->running);
}

static void copy_turns(struct arena *arena, const struct problem *problem, const struct state *state, struct state *next)
{
	size_t lines = (size_t)problem->explore->line_count, queues = (size_t)problem->explore->queue_count;
	next->passed = arena_allocate(arena, lines + 1, sizeof *next->passed);
	next->turns = arena_allocate(arena, queues, sizeof *next->turns);
	memcpy(next->passed, state->passed, lines * sizeof *next->passed);
	memcpy(next->turns, state->turns, queues * sizeof *next->turns);
}

static struct state *copy(struct arena *arena, const struct problem *problem, const struct state *state, int more)
{
	struct state *next = arena_allocate(arena, 1, sizeof *next);
	*next = *state;
	next->beyond = arena_allocate(arena, (size_t)state->beyond_count + 1, sizeof *next->beyond);
	next->waiting = arena_allocate(arena, (size_t)(state->waiting_count + more) + 1, sizeof *next->waiting);
	next->slots = arena_allocate(arena, (size_t)problem->slot_count, sizeof *next->slots);
	if (problem->explore->queue_count > 0)
		copy_turns(arena, problem, state, next);
	if (problem->event_count > problem->explore->job_count)
		copy_running(arena, state, next);
	if (state->beyond_count > 0)
		memcpy(next->beyond, state->beyond, (size_t)state->beyond_count * sizeof *next->beyond);
	if (state->waiting_count > 0)
		memcpy(next->waiting, state->waiting, (size_t)state->waiting_count * sizeof *next->waiting);
	memcpy(next->slots, state->slots, (size_t)problem->slot_count * sizeof *next->slots);
	return next;
}

static void happens(const struct problem *problem, struct state *next, int job)
{
	int position = problem->position[job];
	if (position >= 0)
		root_happens(next, position);
	else if (position < -1)
		turn_begins(problem, next, -2 - position);
	else
		waiting_remove(next, job);
}

struct state *state_after(
	struct arena *arena, const struct problem *problem, const struct state *state, const struct event *event, struct slot *finish)
{
	const struct explore_job *job = &problem->explore->jobs[event->job];
	const struct explore_engine *engine = &problem->explore->engines[job->engine];
	struct state *next = copy(arena, problem, state, problem->first_successor[event->job + 1] - problem->first_successor[event->job]);
	struct slot *slots = next->slots + problem->first_slot[job->engine];
	next->now = event->least;
	next->next = NULL;
	next->happened += problem->key[event->job + (event->ends ? problem->explore->job_count : 0)];
	if (!event->ends)
		happens(problem, next, event->job);
	if (engine->order == EXPLORE_GATE && !event->ends) {
		*finish = (struct slot){NONE, 0};
		arrive_at_gate(problem, next, event);
		return next;
	}
	if (event->ends)
		run_remove(next, event->job);
	*finish = event->ends                        ? (struct slot){event->least, event->most}
		  : engine->order == EXPLORE_ARRIVAL ? serve_arrival(engine, slots, job, event)
						     : serve_level(engine, slots, job, event);
	turn_ends(problem, next, event->job, finish);
	tell_successors(problem, next, event, finish);
	return next;
}

/* ---- merging */
static bool overlap(const struct slot *a, const struct slot *b)
{
	return a->least <= b->most && b->least <= a->most;
}

static bool slots_overlap(const struct problem *problem, const struct state *a, const struct state *b)
{
	for (int e = 0; e < problem->explore->engine_count && problem->apart; e++) {
		const struct explore_engine *engine = &problem->explore->engines[e];
		int first = problem->first_slot[e], last = first + engine->slots - 1;
		for (int i = first; i <= last && engine->order == EXPLORE_LEVEL; i++)
			if (!overlap(&a->slots[i], &b->slots[i]))
				return false;
	}
	return true;
}

bool state_same(const struct problem *problem, const struct state *a, const struct state *b)
{
	const struct explore *explore = problem->explore;
	if (a->happened != b->happened || a->base != b->base || a->beyond_count != b->beyond_count || a->waiting_count != b->waiting_count)
		return false;
	for (int i = 0; i < a->beyond_count; i++)
		if (a->beyond[i] != b->beyond[i])
			return false;
	for (int i = 0; i < a->waiting_count; i++)
		if (a->waiting[i].job != b->waiting[i].job || a->waiting[i].missing != b->waiting[i].missing)
			return false;
	if (a->running_count != b->running_count)
		return false;
	for (int i = 0; i < a->running_count; i++)
		if (a->running[i].job != b->running[i].job)
			return false;
	for (int i = 0; i < explore->line_count; i++)
		if (a->passed[i] != b->passed[i])
			return false;
	for (int i = 0; i < explore->queue_count; i++)
		if (a->turns[i].held != b->turns[i].held)
			return false;
	return slots_overlap(problem, a, b);
}

void state_merge(const struct problem *problem, struct state *a, const struct state *b)
{
	for (int i = 0; i < problem->slot_count; i++) {
		a->slots[i].least = checked_min(a->slots[i].least, b->slots[i].least);
		a->slots[i].most = checked_max(a->slots[i].most, b->slots[i].most);
	}
	for (int i = 0; i < a->waiting_count; i++) {
		a->waiting[i].least = checked_min(a->waiting[i].least, b->waiting[i].least);
		a->waiting[i].most = checked_max(a->waiting[i].most, b->waiting[i].most);
	}
	for (int i = 0; i < a->running_count; i++) {
		a->running[i].least = checked_min(a->running[i].least, b->running[i].least);
		a->running[i].most = checked_max(a->running[i].most, b->running[i].most);
	}
	for (int i = 0; i < problem->explore->queue_count; i++) {
		a->turns[i].least = checked_min(a->turns[i].least, b->turns[i].least);
		a->turns[i].most = checked_max(a->turns[i].most, b->turns[i].most);
	}
	a->now = checked_min(a->now, b->now);
}
