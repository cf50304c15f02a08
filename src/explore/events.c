#include "explore/events.h"

#include "base/plant.h"

void events_init(struct events *events, struct arena *arena, const struct problem *problem)
{
	*events = (struct events){0};
	events->arrived = arena_allocate(arena, (size_t)problem->explore->engine_count, sizeof *events->arrived);
	events->floor = arena_allocate(arena, (size_t)problem->explore->engine_count, sizeof *events->floor);
}

static void keep(struct events *events, struct arena *arena, const struct candidate *candidate)
{
	events->candidates = arena_grow(arena, events->candidates, &events->capacity, events->count + 1, sizeof *events->candidates);
	events->candidates[events->count++] = *candidate;
}

/* 1: what arrives at an instant is among those of whom one is chosen at it. */
static int64_t known_at_once(const struct explore_engine *engine)
{
	return engine->knows || planted(PLANT_INSTANT);
}

static void add(struct events *events, struct arena *arena, const struct problem *problem, const struct state *state,
	const struct candidate *candidate)
{
	int engine = problem->explore->jobs[candidate->job].engine;
	keep(events, arena, candidate);
	events->arrived[engine] = checked_min(events->arrived[engine], candidate->most);
	int64_t by = events->arrived[engine];
	if (problem->explore->engines[engine].order == EXPLORE_LEVEL) {
		const struct slot *slot = &state->slots[problem->first_slot[engine]];
		by = checked_max(by, slot->most);
		int64_t sure = checked_add(candidate->most, 1 - known_at_once(&problem->explore->engines[engine]));
		if (sure <= checked_max(slot->least, state->now))
			events->floor[engine] = checked_min(events->floor[engine], problem->explore->jobs[candidate->job].level);
	}
	events->latest = checked_min(events->latest, by);
}

/* ---- queues */

/* The job whose turn is the line's next one; NULL: it has none. */
static const struct explore_turn *next_turn(const struct explore *explore, const struct state *state, int queue, int line)
{
	const struct explore_line *of = &explore->lines[line];
	return of->queue != queue || state->passed[line] == of->count ? NULL : &of->turns[state->passed[line]];
}

/* By then the next job of the queue is released: it is the first of its lines' next ones. */
static int64_t released_by(const struct explore *explore, const struct state *state, int queue)
{
	int64_t by = NONE;
	for (int i = 0; i < explore->line_count; i++) {
		const struct explore_turn *turn = next_turn(explore, state, queue, i);
		by = turn == NULL ? by : checked_min(by, explore->jobs[turn->first].release_most);
	}
	return by;
}

static struct candidate in_turn(const struct explore *explore, const struct turn *queue, const struct explore_turn *turn, int64_t by)
{
	const struct explore_job *job = &explore->jobs[turn->first];
	int64_t released = checked_min(job->release_most, by);
	return (struct candidate){turn->first, false, true, checked_max(job->release_least, queue->least),
		checked_add(checked_max(released, queue->most), turn->delay)};
}

/* One of several has the turn: something happens when the last of them must have. */
static void add_open(struct events *events, struct arena *arena, const struct problem *problem, const struct state *state, int queue)
{
	const struct explore *explore = problem->explore;
	int64_t by = released_by(explore, state, queue), latest = 0;
	int first = events->count;
	for (int i = 0; i < explore->line_count; i++) {
		const struct explore_turn *turn = next_turn(explore, state, queue, i);
		if (turn == NULL || explore->jobs[turn->first].release_least > by)
			continue;
		struct candidate candidate = in_turn(explore, &state->turns[queue], turn, by);
		int engine = explore->jobs[turn->first].engine;
		bool level = explore->engines[engine].order == EXPLORE_LEVEL;
		keep(events, arena, &candidate);
		latest = checked_max(latest, candidate.most);
		latest = level ? checked_max(latest, state->slots[problem->first_slot[engine]].most) : latest;
	}
	if (events->count > first + 1) {
		events->latest = checked_min(events->latest, latest);
	} else if (events->count == first + 1) {
		struct candidate alone = events->candidates[--events->count];
		alone.open = false;
		add(events, arena, problem, state, &alone);
	}
}

void events_collect(struct events *events, struct arena *arena, const struct problem *problem, const struct state *state)
{
	events->count = 0;
	events->latest = NONE;
	for (int e = 0; e < problem->explore->engine_count; e++)
		events->arrived[e] = events->floor[e] = NONE;
	for (int i = 0; i < state->waiting_count; i++) {
		const struct waiting *waiting = &state->waiting[i];
		if (waiting->missing == 0 &&
			problem->explore->jobs[waiting->job].level <= events->floor[problem->explore->jobs[waiting->job].engine])
			add(events, arena, problem, state,
				&(struct candidate){.job = waiting->job, .least = waiting->least, .most = waiting->most});
	}
	for (int i = 0; i < state->running_count; i++) {
		const struct running *running = &state->running[i];
		keep(events, arena, &(struct candidate){running->job, true, false, running->least, running->most});
		events->latest = checked_min(events->latest, running->most);
	}
	for (int q = 0; q < problem->explore->queue_count; q++)
		if (!state->turns[q].held)
			add_open(events, arena, problem, state, q);
	for (int place = state->base, passed = 0; place < problem->root_count; place++) {
		const struct root *root = &problem->roots[place];
		if (root->release > events->latest)
			break;
		if (passed < state->beyond_count && state->beyond[passed] == place)
			passed++;
		else if (root->level <= events->floor[root->engine])
			add(events, arena, problem, state,
				&(struct candidate){
					.job = root->job, .least = root->release, .most = problem->explore->jobs[root->job].release_most});
	}
}

/* The last instant at which the candidate may begin before those that come first: higher levels, and its own level's earlier arrivals. */
static int64_t before_others(const struct events *events, const struct problem *problem, int candidate)
{
	const struct explore_job *job = &problem->explore->jobs[events->candidates[candidate].job];
	int64_t latest = events->latest, tick = known_at_once(&problem->explore->engines[job->engine]);
	for (int i = 0; i < events->count; i++) {
		const struct candidate *other = &events->candidates[i];
		const struct explore_job *of = &problem->explore->jobs[other->job];
		if (i == candidate || other->open || of->engine != job->engine || of->level > job->level)
			continue;
		if (of->level < job->level)
			latest = checked_min(latest, other->most - tick);
		else if (other->most < events->candidates[candidate].least)
			return -1;
	}
	return latest;
}

bool events_next(const struct events *events, const struct problem *problem, const struct state *state, int candidate, struct event *event)
{
	const struct candidate *of = &events->candidates[candidate];
	int engine = problem->explore->jobs[of->job].engine;
	*event = (struct event){of->job, of->ends, checked_max(of->least, state->now), checked_min(of->most, events->latest)};
	if (problem->explore->engines[engine].order == EXPLORE_LEVEL) {
		event->least = checked_max(event->least, state->slots[problem->first_slot[engine]].least);
		if (event->least > events->latest || problem->explore->jobs[of->job].level > events->floor[engine])
			return false;
		event->most = before_others(events, problem, candidate);
	}
	return event->least <= event->most;
}
