#include "explore/critical_path.h"

#include "explore/walk.h"

/* ---- back through the transitions into a state */

static const struct waiting *waiting_for(const struct state *state, int job)
{
	for (int i = 0; i < state->waiting_count; i++)
		if (state->waiting[i].job == job)
			return &state->waiting[i];
	return NULL;
}

static int64_t value_at(const struct cursor *cursor, const struct state *state)
{
	const struct waiting *waiting;
	switch (cursor->place) {
	case AT_SLOT: return state->slots[cursor->which].most;
	case AT_ARRIVAL: waiting = waiting_for(state, cursor->which); return waiting == NULL ? NONE : waiting->most;
	case AT_RUNNING:
		for (int i = 0; i < state->running_count; i++)
			if (state->running[i].job == cursor->which)
				return state->running[i].most;
		return NONE;
	case AT_TURN: return state->turns[cursor->which].most;
	case AT_END: break;
	}
	return NONE;
}

/* A slot's value, of a transition on its engine by level. */
static void back_level(struct walk *walk, const struct transition *transition, const struct slot *finish)
{
	struct cursor *cursor = &walk->cursor;
	int job = transition->event.job, first = walk_slot(walk, walk_job(walk, job)->engine);
	for (int i = 1; i < walk_engine(walk, job)->slots; i++)
		if (transition->from->slots[first + i].most == cursor->value) {
			cursor->which = first + i;
			cursor->layer--;
			cursor->state = transition->from;
			return;
		}
	if (finish->most != cursor->value) {
		walk_end(walk, cursor->job);
		return;
	}
	if (cursor->job != job)
		walk_add(walk, EXPLORE_FREE, cursor->job, job, 0);
	walk_finish(walk, transition);
}

/* The same on any. */
static void back_slot(struct walk *walk, const struct transition *transition, const struct slot *finish)
{
	struct cursor *cursor = &walk->cursor;
	int job = transition->event.job, waits = cursor->job;
	if (walk_engine(walk, job)->order == EXPLORE_LEVEL) {
		back_level(walk, transition, finish);
		return;
	}
	struct replay replay = replay_service(walk->scratch, &walk->record.problem, transition->from, &transition->event);
	struct moment moment = replay.slots[cursor->which - walk_slot(walk, walk_job(walk, job)->engine)];
	if (moment.source < 0 && waits != job)
		walk_add(walk, EXPLORE_FREE, waits, job, 0);
	cursor->layer--;
	walk_source(walk, transition, &replay, moment);
	if (moment.source >= 0)
		cursor->job = waits;
}

static void back_arrival(struct walk *walk, const struct transition *transition, const struct slot *finish)
{
	const struct explore_job *job = walk_job(walk, walk->cursor.which);
	for (int i = 0; i < job->edge_count; i++) {
		const struct explore_edge *edge = &walk->record.problem.explore->edges[job->first_edge + i];
		int64_t from = edge->from_start ? transition->event.most : finish->most;
		if (edge->from != transition->event.job || checked_add(from, edge->most) != walk->cursor.value)
			continue;
		walk_add(walk, EXPLORE_FOLLOWS, walk->cursor.which, edge->from, edge->most);
		if (edge->from_start) {
			walk->cursor.layer--;
			walk_event(walk, transition);
		} else {
			walk_finish(walk, transition);
		}
		return;
	}
	walk_end(walk, walk->cursor.which);
}

/* The latest completion behind a gate, as it was when the job came, or another came after it. */
static void back_running(struct walk *walk, const struct transition *transition)
{
	struct cursor *cursor = &walk->cursor;
	const struct event *event = &transition->event;
	const struct explore_job *job = walk_job(walk, event->job);
	cursor->state = transition->from;
	cursor->layer--;
	if (event->job != cursor->which) {
		int64_t before = value_at(cursor, transition->from);
		if (before == NONE || event->ends)
			walk_end(walk, cursor->which);
		else
			walk_add(walk, EXPLORE_STOPPED, cursor->which, event->job, checked_sub(cursor->value, before));
		return;
	}
	walk_add(walk, EXPLORE_SERVED, event->job, -1, job->cost_most);
	for (int i = 0; i < transition->from->running_count; i++) {
		const struct running *running = &transition->from->running[i];
		if (walk_job(walk, running->job)->engine != job->engine || walk_job(walk, running->job)->level > job->level ||
			running->most != cursor->value)
			continue;
		walk_add(walk, EXPLORE_FREE, event->job, running->job, 0);
		walk_go(walk, AT_RUNNING, running->job, running->job);
		return;
	}
	if (cursor->value > event->most)
		walk_add(walk, EXPLORE_DRAINED, event->job, -1, checked_sub(cursor->value, event->most));
	walk_event(walk, transition);
}

/* The first of the transitions into the state that has its value; NULL: none has. */
static const struct transition *find(struct walk *walk, struct slot *finish)
{
	struct cursor *cursor = &walk->cursor;
	const struct layer *layer = &walk->record.layers[cursor->layer];
	const struct transition *from = NULL;
	int orders = 0;
	for (int i = 0; i < layer->count; i++) {
		const struct transition *transition = &layer->items[i];
		struct slot ends;
		if (transition->to != cursor->state)
			continue;
		orders++;
		if (from == NULL && value_at(cursor, state_after(walk->scratch, &walk->record.problem, transition->from, &transition->event,
							     &ends)) == cursor->value) {
			from = transition;
			*finish = ends;
		}
	}
	cursor->orders = orders > cursor->orders ? orders : cursor->orders;
	return from;
}

/* Is it a slot that the event of the transition may change? */
static bool is_slot_of(const struct walk *walk, const struct transition *transition)
{
	const struct cursor *cursor = &walk->cursor;
	int engine = walk_job(walk, transition->event.job)->engine;
	const struct problem *problem = &walk->record.problem;
	int end = engine + 1 == problem->explore->engine_count ? problem->slot_count : walk_slot(walk, engine + 1);
	return cursor->place == AT_SLOT && cursor->which >= walk_slot(walk, engine) && cursor->which < end &&
	       problem->explore->engines[engine].order != EXPLORE_GATE;
}

/* Where the value was in the state before, or what made it. */
static void back(struct walk *walk)
{
	struct cursor *cursor = &walk->cursor;
	struct slot finish = {0, 0};
	const struct transition *from = find(walk, &finish);
	if (from == NULL) {
		walk_end(walk, cursor->job);
	} else if (is_slot_of(walk, from)) {
		back_slot(walk, from, &finish);
	} else if (cursor->place == AT_SLOT || value_at(cursor, from->from) == cursor->value) {
		cursor->state = from->from;
		cursor->layer--;
	} else if (cursor->place == AT_ARRIVAL) {
		back_arrival(walk, from, &finish);
	} else if (cursor->place == AT_RUNNING) {
		back_running(walk, from);
	} else {
		walk_add(walk, EXPLORE_FREE, cursor->job, from->event.job, 0);
		walk_finish(walk, from);
	}
}

/* ---- releases */

/* A turn's first job arrives when it is released and the turn before is over, and the delay. */
static void go_turn(struct walk *walk, int line)
{
	const struct explore *explore = walk->record.problem.explore;
	const struct state *state = walk->cursor.state;
	int job = walk->cursor.which, queue = explore->lines[line].queue;
	walk_add(walk, EXPLORE_TURN, job, -1, explore->lines[line].turns[state->passed[line]].delay);
	for (int i = 0; i < explore->line_count; i++) {
		const struct explore_line *of = &explore->lines[i];
		if (of->queue != queue || state->passed[i] == of->count || state->turns[queue].most > walk->cursor.value)
			continue;
		int first = of->turns[state->passed[i]].first;
		if (explore->jobs[first].release_most != walk->cursor.value)
			continue;
		if (first != job)
			walk_add(walk, EXPLORE_NEXT, job, first, 0);
		walk_add(walk, EXPLORE_RELEASED, first, -1, 0);
		return;
	}
	if (state->turns[queue].most == walk->cursor.value)
		walk_go(walk, AT_TURN, queue, job);
	else
		walk_end(walk, job);
}

static void step(struct walk *walk)
{
	const struct cursor *cursor = &walk->cursor;
	int position = cursor->place == AT_ARRIVAL ? walk->record.problem.position[cursor->which] : -1;
	if (position >= 0 ||
		(cursor->place == AT_ARRIVAL && position == -1 && walk_job(walk, cursor->which)->release_most == cursor->value))
		walk_add(walk, EXPLORE_RELEASED, cursor->which, -1, 0);
	else if (position < -1)
		go_turn(walk, -2 - position);
	else if (cursor->layer < 0)
		walk_end(walk, cursor->job);
	else
		back(walk);
}

struct explore_critical_path explore_critical_path(struct arena *arena, const struct explore *explore, int job, int64_t by)
{
	struct walk walk = {.arena = arena, .scratch = arena_create()};
	walk.record = (struct exploration){.arena = arena_create(), .job = job, .value = by};
	explore_recorded(walk.record.arena, explore, &walk.record);
	if (walk.record.found) {
		const struct layer *layer = &walk.record.layers[walk.record.count - 1];
		walk.cursor = (struct cursor){.layer = walk.record.count - 1, .value = by, .orders = 1, .job = job};
		walk_finish(&walk, &layer->items[layer->count - 1]);
		while (walk.cursor.place != AT_END)
			step(&walk);
	}
	arena_destroy(walk.record.arena);
	arena_destroy(walk.scratch);
	return (struct explore_critical_path){walk.links, walk.count};
}
