#include "explore/walk.h"

void walk_add(struct walk *walk, enum explore_cause cause, int job, int other, int64_t term)
{
	struct cursor *cursor = &walk->cursor;
	bool end = cause >= EXPLORE_RELEASED;
	int64_t before = cause == EXPLORE_RELEASED ? cursor->value : cause == EXPLORE_HULL ? 0 : checked_sub(cursor->value, term);
	walk->links = arena_grow(walk->arena, walk->links, &walk->capacity, walk->count + 1, sizeof *walk->links);
	walk->links[walk->count++] = (struct explore_link){cause, job, other, cursor->orders, cursor->value, before, term};
	cursor->value = before;
	cursor->orders = 1;
	cursor->place = end ? AT_END : cursor->place;
}

void walk_end(struct walk *walk, int job)
{
	const struct cursor *cursor = &walk->cursor;
	int64_t least = 0;
	if (cursor->place == AT_SLOT)
		least = cursor->state->slots[cursor->which].least;
	for (int i = 0; cursor->place == AT_RUNNING && i < cursor->state->running_count; i++)
		least = cursor->state->running[i].job == cursor->which ? cursor->state->running[i].least : least;
	walk_add(walk, EXPLORE_HULL, job, -1, cursor->value);
	walk->links[walk->count - 1].least = least;
}

void walk_go(struct walk *walk, enum place place, int which, int job)
{
	walk->cursor.place = place;
	walk->cursor.which = which;
	walk->cursor.job = job;
}

/* ---- what the state before an event says of its latest time */

/* The candidate happens by its `most`. */
static void go_candidate(struct walk *walk, const struct candidate *candidate)
{
	walk_go(walk, candidate->ends ? AT_RUNNING : AT_ARRIVAL, candidate->job, candidate->job);
}

/* One that arrives on an engine by then. */
static const struct candidate *arrives_by(const struct walk *walk, int engine, int64_t by)
{
	for (int i = 0; i < walk->record.events.count; i++) {
		const struct candidate *candidate = &walk->record.events.candidates[i];
		if (!candidate->open && !candidate->ends && walk_job(walk, candidate->job)->engine == engine && candidate->most == by)
			return candidate;
	}
	return NULL;
}

/* By cursor.value something has happened on this engine. */
static bool go_engine(struct walk *walk, int job, int engine)
{
	const struct events *events = &walk->record.events;
	bool level = walk->record.problem.explore->engines[engine].order == EXPLORE_LEVEL;
	int64_t value = walk->cursor.value, free = level ? walk->cursor.state->slots[walk_slot(walk, engine)].most : 0;
	if (events->arrived[engine] == NONE || checked_max(events->arrived[engine], free) != value)
		return false;
	const struct candidate *other = arrives_by(walk, engine, events->arrived[engine]);
	if (other == NULL)
		return false;
	if (job != other->job)
		walk_add(walk, EXPLORE_NEXT, job, other->job, 0);
	if (free > events->arrived[engine])
		walk_go(walk, AT_SLOT, walk_slot(walk, engine), other->job);
	else
		go_candidate(walk, other);
	return true;
}

static int64_t open_until(const struct walk *walk, const struct candidate *candidate)
{
	int engine = walk_job(walk, candidate->job)->engine;
	bool level = walk->record.problem.explore->engines[engine].order == EXPLORE_LEVEL;
	return level ? checked_max(candidate->most, walk->cursor.state->slots[walk_slot(walk, engine)].most) : candidate->most;
}

static bool go_other(struct walk *walk, int job, const struct candidate *other)
{
	int engine = walk_job(walk, other->job)->engine;
	int64_t until = other->open ? open_until(walk, other) : other->most;
	if (!(other->open || other->ends) || until != walk->cursor.value)
		return false;
	if (other->job != job)
		walk_add(walk, EXPLORE_NEXT, job, other->job, 0);
	if (until == other->most)
		go_candidate(walk, other);
	else
		walk_go(walk, AT_SLOT, walk_slot(walk, engine), other->job);
	return true;
}

/* By cursor.value some event happens for sure: so the next one does. */
static void go_latest(struct walk *walk, int job)
{
	const struct explore *explore = walk->record.problem.explore;
	if (go_engine(walk, job, walk_job(walk, job)->engine))
		return;
	for (int e = 0; e < explore->engine_count; e++)
		if (go_engine(walk, job, e))
			return;
	for (int i = 0; i < walk->record.events.count; i++)
		if (go_other(walk, job, &walk->record.events.candidates[i]))
			return;
	walk_end(walk, job);
}

/* A job on an engine by level begins before what would be preferred to it is there. */
static void go_preferred(struct walk *walk, int job)
{
	const struct events *events = &walk->record.events;
	for (int i = 0; i < events->count; i++) {
		const struct candidate *other = &events->candidates[i];
		const struct explore_job *of = walk_job(walk, other->job), *own = walk_job(walk, job);
		int64_t tick = checked_sub(other->most, walk->cursor.value);
		if (other->open || other->job == job || of->engine != own->engine || of->level >= own->level || tick < 0 || tick > 1)
			continue;
		walk_add(walk, EXPLORE_NEXT, job, other->job, -tick);
		go_candidate(walk, other);
		return;
	}
	walk_end(walk, job);
}

/* The event of a transition, from the state before it; cursor.value is its latest time. */
void walk_event(struct walk *walk, const struct transition *transition)
{
	struct events *events = &walk->record.events;
	const struct event *event = &transition->event;
	walk->cursor.state = transition->from;
	events_collect(events, walk->record.arena, &walk->record.problem, transition->from);
	if (walk_engine(walk, event->job)->order == EXPLORE_LEVEL) {
		if (event->most == events->latest)
			go_latest(walk, event->job);
		else
			go_preferred(walk, event->job);
		return;
	}
	for (int i = 0; i < events->count; i++) {
		const struct candidate *candidate = &events->candidates[i];
		if (candidate->job == event->job && candidate->ends == event->ends && candidate->most == event->most) {
			go_candidate(walk, candidate);
			return;
		}
	}
	go_latest(walk, event->job);
}

/* ---- the service of a transition's job */

static void go_piece(struct walk *walk, const struct transition *transition, const struct replay *replay, int piece)
{
	int job = transition->event.job;
	const struct explore_engine *engine = walk_engine(walk, job);
	if (!engine->overlaps) {
		walk_add(walk, EXPLORE_SERVED, job, -1, walk_job(walk, job)->cost_most);
		walk_source(walk, transition, replay, replay->from[piece]);
		return;
	}
	if (piece < walk_job(walk, job)->units)
		walk_add(walk, EXPLORE_PIECE, job, -1, walk_job(walk, job)->piece);
	else
		piece--;
	for (; piece >= 0; piece--) {
		walk_add(walk, EXPLORE_DISPATCH, job, -1, engine->dispatch);
		if (!replay->first[piece]) {
			walk_source(walk, transition, replay, replay->from[piece]);
			return;
		}
	}
	walk_add(walk, EXPLORE_LAUNCH, job, -1, engine->launch);
	walk_source(walk, transition, replay, replay->start);
}

void walk_source(struct walk *walk, const struct transition *transition, const struct replay *replay, struct moment moment)
{
	int job = transition->event.job;
	walk->cursor.state = transition->from;
	if (moment.source == REPLAY_ARRIVED) {
		walk_event(walk, transition);
	} else if (moment.source == REPLAY_ALL) {
		walk_add(walk, EXPLORE_SERVED, job, -1, walk_job(walk, job)->cost_most);
		walk_source(walk, transition, replay, replay->all);
	} else if (moment.source <= REPLAY_PIECES) {
		go_piece(walk, transition, replay, REPLAY_PIECES - moment.source);
	} else {
		walk_go(walk, AT_SLOT, walk_slot(walk, walk_job(walk, job)->engine) + moment.source, job);
	}
}

/* cursor.value is the job's latest completion. */
void walk_finish(struct walk *walk, const struct transition *transition)
{
	int job = transition->event.job;
	const struct explore_engine *engine = walk_engine(walk, job);
	walk->cursor.layer--;
	if (transition->event.ends) {
		walk_event(walk, transition);
	} else if (engine->order == EXPLORE_LEVEL) {
		walk_add(walk, EXPLORE_SERVED, job, -1, walk_job(walk, job)->cost_most);
		walk_event(walk, transition);
	} else {
		struct replay replay = replay_service(walk->scratch, &walk->record.problem, transition->from, &transition->event);
		int last = (int)walk_job(walk, job)->units - 1;
		bool all = engine->overlaps && (engine->pool == 0 || replay.whole);
		walk_source(walk, transition, &replay, (struct moment){0, all ? REPLAY_ALL : REPLAY_PIECES - last});
	}
}
