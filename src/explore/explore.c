#include "explore/explore.h"

#include "explore/exploration.h"

#include <stdlib.h>
#include <string.h>

/* ---- the problem sorted out */
static uint64_t key_of(uint64_t job) /* splitmix64: Steele, Lea and Flood, OOPSLA 2014 */
{
	uint64_t key = (job + 1) * UINT64_C(0x9e3779b97f4a7c15);
	key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
	return key ^ key >> 31;
}

static int by_release(const void *a, const void *b)
{
	const struct root *first = a, *second = b;
	if (first->release != second->release)
		return first->release < second->release ? -1 : 1;
	if (first->level != second->level)
		return first->level < second->level ? -1 : 1;
	return first->job - second->job;
}

static void find_turns(struct problem *problem, struct arena *arena)
{
	const struct explore *explore = problem->explore;
	for (int i = 0; i < explore->job_count; i++)
		problem->position[i] = -1;
	if (explore->queue_count > 0)
		problem->leaves = arena_allocate(arena, (size_t)explore->job_count + 1, sizeof *problem->leaves);
	for (int i = 0; i < explore->line_count; i++)
		for (int j = 0; j < explore->lines[i].count; j++) {
			problem->position[explore->lines[i].turns[j].first] = -2 - i;
			problem->leaves[explore->lines[i].turns[j].last] = 1 + explore->lines[i].queue;
		}
}

static void sort_roots(struct problem *problem)
{
	const struct explore *explore = problem->explore;
	for (int i = 0; i < explore->job_count; i++) {
		const struct explore_job *job = &explore->jobs[i];
		if (job->edge_count == 0 && problem->position[i] == -1)
			problem->roots[problem->root_count++] = (struct root){job->release_least, job->level, i, job->engine};
	}
	qsort(problem->roots, (size_t)problem->root_count, sizeof *problem->roots, by_release);
	for (int i = 0; i < problem->root_count; i++)
		problem->position[problem->roots[i].job] = i;
}

static void sort_edges(struct problem *problem)
{
	const struct explore *explore = problem->explore;
	for (int i = 0; i < explore->edge_count; i++)
		problem->first_successor[explore->edges[i].from + 1]++;
	for (int i = 0; i < explore->job_count; i++)
		problem->first_successor[i + 1] += problem->first_successor[i];
	for (int i = explore->edge_count - 1; i >= 0; i--) /* filled from each one's end on, the count serving as the cursor */
		problem->successors[--problem->first_successor[explore->edges[i].from + 1]] = i;
	for (int i = 0; i < explore->job_count; i++)
		problem->first_successor[i] = problem->first_successor[i + 1];
	problem->first_successor[explore->job_count] = explore->edge_count;
	for (int i = 0; i < explore->job_count; i++)
		for (int j = 0; j < explore->jobs[i].edge_count; j++)
			problem->edge_to[explore->jobs[i].first_edge + j] = i;
}

static int by_level(const void *a, const void *b)
{
	const struct root *first = a, *second = b;
	if (first->engine != second->engine)
		return first->engine - second->engine;
	return (first->level > second->level) - (first->level < second->level);
}

/* The only slot of an engine by level is free when a predecessor there is complete; of equal levels the order of arrival counts, though. */
static void find_there(struct problem *problem, struct arena *arena)
{
	const struct explore *explore = problem->explore;
	struct root *levels = arena_allocate(arena, (size_t)explore->job_count + 1, sizeof *levels);
	bool *shared = arena_allocate(arena, (size_t)explore->job_count + 1, sizeof *shared);
	for (int i = 0; i < explore->job_count; i++)
		levels[i] = (struct root){.level = explore->jobs[i].level, .engine = explore->jobs[i].engine, .job = i};
	qsort(levels, (size_t)explore->job_count, sizeof *levels, by_level);
	for (int i = 1; i < explore->job_count; i++)
		if (by_level(&levels[i], &levels[i - 1]) == 0)
			shared[levels[i].job] = shared[levels[i - 1].job] = true;
	for (int i = 0; i < explore->edge_count; i++) {
		const struct explore_edge *edge = &explore->edges[i];
		int to = problem->edge_to[i], engine = explore->jobs[to].engine;
		problem->there[i] = !edge->from_start && edge->most == 0 && explore->jobs[edge->from].engine == engine && !shared[to] &&
				    explore->engines[engine].order == EXPLORE_LEVEL && explore->engines[engine].slots == 1;
	}
}

static void problem_init(struct problem *problem, struct arena *arena, const struct explore *explore)
{
	size_t jobs = (size_t)explore->job_count + 2, edges = (size_t)explore->edge_count + 1;
	*problem = (struct problem){.explore = explore};
	problem->roots = arena_allocate(arena, jobs, sizeof *problem->roots);
	problem->position = arena_allocate(arena, jobs, sizeof *problem->position);
	problem->first_successor = arena_allocate(arena, jobs, sizeof *problem->first_successor);
	problem->successors = arena_allocate(arena, edges, sizeof *problem->successors);
	problem->edge_to = arena_allocate(arena, edges, sizeof *problem->edge_to);
	problem->key = arena_allocate(arena, 2 * jobs, sizeof *problem->key);
	problem->there = arena_allocate(arena, edges, sizeof *problem->there);
	problem->first_slot = arena_allocate(arena, (size_t)explore->engine_count + 1, sizeof *problem->first_slot);
	for (int i = 0; i < 2 * explore->job_count; i++)
		problem->key[i] = key_of((uint64_t)i);
	problem->event_count = explore->job_count;
	for (int i = 0; i < explore->job_count; i++)
		problem->event_count += explore->engines[explore->jobs[i].engine].order == EXPLORE_GATE;
	for (int e = 0; e < explore->engine_count; e++) {
		problem->first_slot[e] = problem->slot_count;
		problem->slot_count += explore->engines[e].slots + (explore->engines[e].pool > 0 ? 1 + explore->engines[e].pool : 0);
	}
	find_turns(problem, arena);
	sort_roots(problem);
	sort_edges(problem);
	find_there(problem, arena);
}

/* ---- states after equally many events */
struct front {
	struct arena *arena;
	bool lasts; /* the arena is another's */
	struct state **states;
	int count, capacity;
	struct state **buckets;
	size_t bucket_count; /* a power of two */
};

static void front_open(struct front *front, size_t expected, const struct exploration *record)
{
	*front = (struct front){.arena = record == NULL ? arena_create() : record->arena, .lasts = record != NULL, .bucket_count = 16};
	while (front->bucket_count < 4 * expected)
		front->bucket_count *= 2;
	front->buckets = arena_allocate(front->arena, front->bucket_count, sizeof *front->buckets);
}

static void front_close(const struct front *front)
{
	if (!front->lasts)
		arena_destroy(front->arena);
}

static void front_remove(struct front *front, struct state **bucket, const struct state *state)
{
	while (*bucket != state)
		bucket = &(*bucket)->next;
	*bucket = state->next;
	int place = 0;
	while (front->states[place] != state)
		place++;
	front->count--;
	for (; place < front->count; place++)
		front->states[place] = front->states[place + 1];
}

/* What led to the one leads to the other. */
static void redirect(struct exploration *record, const struct state *from, const struct state *to)
{
	struct layer *layer = record == NULL || record->count == 0 ? NULL : &record->layers[record->count - 1];
	for (int i = 0; layer != NULL && i < layer->count; i++)
		if (layer->items[i].to == from)
			layer->items[i].to = to;
}

/* A state that has grown may overlap with further ones: these are it, too. */
static void front_absorb(
	struct front *front, const struct problem *problem, struct state **bucket, struct state *state, struct exploration *record)
{
	struct state *other = *bucket;
	while (other != NULL) {
		if (other == state || !state_same(problem, state, other)) {
			other = other->next;
			continue;
		}
		state_merge(problem, state, other);
		front_remove(front, bucket, other);
		redirect(record, other, state);
		other = *bucket;
	}
}

/* All states that are the same become one: which ones are left does not depend on the order in which they come, as two that overlap are one
 * in every order. The one it is now. */
static struct state *front_add(struct front *front, const struct problem *problem, struct state *state, struct exploration *record)
{
	struct state **bucket = &front->buckets[state->happened & (front->bucket_count - 1)];
	for (struct state *other = *bucket; other != NULL; other = other->next)
		if (state_same(problem, other, state)) {
			state_merge(problem, other, state);
			if (problem->apart)
				front_absorb(front, problem, bucket, other, record);
			return other;
		}
	state->next = *bucket;
	*bucket = state;
	front->states = arena_grow(front->arena, front->states, &front->capacity, front->count + 1, sizeof *front->states);
	return front->states[front->count++] = state;
}

/* ---- the exploration, breadth first */
struct run {
	const struct problem *problem;
	struct events events;
	struct arena *arena;
	struct explore_result *result;
	struct exploration *record; /* NULL: no state is kept */
};

static void keep(struct exploration *record, const struct transition *transition, const struct slot *finish)
{
	struct layer *layer = &record->layers[record->count - 1];
	layer->items = arena_grow(record->arena, layer->items, &layer->capacity, layer->count + 1, sizeof *layer->items);
	layer->items[layer->count++] = *transition;
	record->found = transition->event.job == record->job && finish->most == record->value;
}

static void begin_layer(struct exploration *record)
{
	record->layers = arena_grow(record->arena, record->layers, &record->capacity, record->count + 1, sizeof *record->layers);
	record->layers[record->count++] = (struct layer){0};
}

static bool is_done(const struct run *run)
{
	return run->result->reason != NULL || (run->record != NULL && run->record->found);
}

static void take(struct run *run, struct front *next, const struct state *state, const struct event *event)
{
	struct slot finish;
	struct state *after = state_after(next->arena, run->problem, state, event, &finish);
	run->result->least[event->job] = checked_min(run->result->least[event->job], finish.least);
	run->result->most[event->job] = checked_max(run->result->most[event->job], finish.most);
	after = front_add(next, run->problem, after, run->record);
	if (run->record != NULL)
		keep(run->record, &(struct transition){state, after, *event}, &finish);
}

static void expand(struct run *run, struct front *next, const struct state *state)
{
	events_collect(&run->events, run->arena, run->problem, state);
	for (int i = 0; i < run->events.count && (run->record == NULL || !run->record->found); i++) {
		struct event event;
		if (events_next(&run->events, run->problem, state, i, &event))
			take(run, next, state, &event);
	}
}

#define TRANSIENT 4 /* times the limit, while states of a front may still become one */

static bool advance(struct run *run, struct front *front)
{
	struct front next;
	int limit = run->problem->explore->state_limit;
	front_open(&next, (size_t)front->count, run->record);
	if (run->record != NULL)
		begin_layer(run->record);
	int64_t most = run->problem->apart ? (int64_t)TRANSIENT * limit : limit;
	for (int i = 0; i < front->count && (limit == 0 || next.count <= most); i++)
		expand(run, &next, front->states[i]);
	front_close(front);
	*front = next;
	run->result->states += front->count;
	run->result->widest = front->count > run->result->widest ? front->count : run->result->widest;
	if (limit != 0 && front->count > limit)
		return false;
	return run->problem->explore->total_limit == 0 || run->result->states <= run->problem->explore->total_limit;
}

static struct state *first_state(const struct problem *problem, struct arena *arena)
{
	struct state *first = arena_allocate(arena, 1, sizeof *first);
	first->slots = arena_allocate(arena, (size_t)problem->slot_count + 1, sizeof *first->slots);
	first->passed = arena_allocate(arena, (size_t)problem->explore->line_count + 1, sizeof *first->passed);
	first->turns = arena_allocate(arena, (size_t)problem->explore->queue_count + 1, sizeof *first->turns);
	return first;
}

static void forget(struct run *run)
{
	for (int i = 0; i < run->problem->explore->job_count; i++) {
		run->result->least[i] = NONE;
		run->result->most[i] = 0;
	}
	run->result->widest = 1;
	run->result->states = 1;
	run->result->reason = NULL;
	if (run->record != NULL)
		run->record->count = 0;
}

static void explore(struct run *run)
{
	const struct problem *problem = run->problem;
	struct front front;
	forget(run);
	front_open(&front, 1, run->record);
	front_add(&front, problem, first_state(problem, front.arena), NULL);
	for (int i = 0; i < problem->event_count && !is_done(run); i++) {
		if (!advance(run, &front))
			run->result->reason = "more states than the limit allows";
		else if (front.count == 0)
			run->result->reason = "its jobs wait for each other";
	}
	front_close(&front);
}

/* Keeping states apart has something to say where an engine by level has several slots. */
static bool has_slots_by_level(const struct explore *explore)
{
	bool any = false;
	for (int e = 0; e < explore->engine_count; e++)
		any |= explore->engines[e].order == EXPLORE_LEVEL && explore->engines[e].slots > 1;
	return any;
}

/* Apart, and where these are too many, or the value that is looked for is of none of them, with one state for all in which the same has
 * happened. */
struct explore_result explore_recorded(struct arena *arena, const struct explore *of, struct exploration *record)
{
	struct explore_result result = {0};
	struct problem problem;
	struct run run = {.problem = &problem, .arena = arena, .result = &result, .record = record};
	problem_init(&problem, arena, of);
	result.least = arena_allocate(arena, (size_t)of->job_count + 1, sizeof *result.least);
	result.most = arena_allocate(arena, (size_t)of->job_count + 1, sizeof *result.most);
	events_init(&run.events, arena, &problem);
	problem.apart = has_slots_by_level(of);
	explore(&run);
	if (problem.apart && (record == NULL ? result.reason != NULL : !record->found)) {
		problem.apart = false;
		explore(&run);
	}
	if (record != NULL) {
		record->problem = problem;
		events_init(&record->events, record->arena, &problem);
	}
	return result;
}

struct explore_result explore_run(struct arena *arena, const struct explore *explore)
{
	return explore_recorded(arena, explore, NULL);
}
