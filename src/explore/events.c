#include "explore/events.h"

void events_init(struct events *events, struct arena *arena, const struct problem *problem)
{
	*events = (struct events){0};
	events->arrived = arena_allocate(arena, (size_t)problem->explore->engine_count, sizeof *events->arrived);
	events->floor = arena_allocate(arena, (size_t)problem->explore->engine_count, sizeof *events->floor);
}

static void add(struct events *events, struct arena *arena, const struct problem *problem, const struct state *state,
	const struct candidate *candidate)
{
	int engine = problem->explore->jobs[candidate->job].engine;
	events->candidates = arena_grow(arena, events->candidates, &events->capacity, events->count + 1, sizeof *events->candidates);
	events->candidates[events->count++] = *candidate;
	events->arrived[engine] = checked_min(events->arrived[engine], candidate->most);
	int64_t by = events->arrived[engine];
	if (problem->explore->engines[engine].order == EXPLORE_LEVEL) {
		const struct slot *slot = &state->slots[problem->first_slot[engine]];
		by = checked_max(by, slot->most);
		if (candidate->most <= checked_max(slot->least, state->now))
			events->floor[engine] = checked_min(events->floor[engine], problem->explore->jobs[candidate->job].level);
	}
	events->latest = checked_min(events->latest, by);
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
			add(events, arena, problem, state, &(struct candidate){waiting->job, waiting->least, waiting->most});
	}
	for (int place = state->base, passed = 0; place < problem->root_count; place++) {
		const struct root *root = &problem->roots[place];
		if (root->release > events->latest)
			break;
		if (passed < state->beyond_count && state->beyond[passed] == place)
			passed++;
		else if (root->level <= events->floor[root->engine])
			add(events, arena, problem, state,
				&(struct candidate){root->job, root->release, problem->explore->jobs[root->job].release_most});
	}
}

/* The last instant at which the candidate may begin before those that come first: higher levels, and its own level's earlier arrivals. */
static int64_t before_others(const struct events *events, const struct problem *problem, int candidate)
{
	const struct explore_job *job = &problem->explore->jobs[events->candidates[candidate].job];
	int64_t latest = events->latest;
	for (int i = 0; i < events->count; i++) {
		const struct candidate *other = &events->candidates[i];
		const struct explore_job *of = &problem->explore->jobs[other->job];
		if (i == candidate || of->engine != job->engine || of->level > job->level)
			continue;
		if (of->level < job->level)
			latest = checked_min(latest, other->most - 1);
		else if (other->most < events->candidates[candidate].least)
			return -1;
	}
	return latest;
}

bool events_next(const struct events *events, const struct problem *problem, const struct state *state, int candidate, struct event *event)
{
	const struct candidate *of = &events->candidates[candidate];
	int engine = problem->explore->jobs[of->job].engine;
	*event = (struct event){of->job, checked_max(of->least, state->now), checked_min(of->most, events->latest)};
	if (problem->explore->engines[engine].order == EXPLORE_LEVEL) {
		event->least = checked_max(event->least, state->slots[problem->first_slot[engine]].least);
		if (event->least > events->latest || problem->explore->jobs[of->job].level > events->floor[engine])
			return false;
		event->most = before_others(events, problem, candidate);
	}
	return event->least <= event->most;
}
