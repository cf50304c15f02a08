#include "explore/replay.h"

static struct moment later(struct moment a, struct moment b)
{
	return b.most > a.most ? b : a;
}

/* The first is taken until `moment`. */
static void take_first(struct moment *slots, int count, struct moment moment)
{
	int i = 1;
	for (; i < count && slots[i].most < moment.most; i++)
		slots[i - 1] = slots[i];
	slots[i - 1] = moment;
}

static void serve_slots(struct replay *replay, const struct explore_engine *engine, const struct explore_job *job, struct moment arrival)
{
	for (int64_t i = 0; i < job->units; i++) {
		replay->from[i] = later(arrival, replay->slots[0]);
		replay->end[i] = (struct moment){checked_add(replay->from[i].most, job->cost_most), REPLAY_PIECES - (int)i};
		take_first(replay->slots, engine->slots, replay->end[i]);
	}
}

static void serve_pool(struct replay *replay, const struct explore_engine *engine, const struct explore_job *job, struct moment arrival)
{
	struct moment *pool = replay->slots + 2, all = replay->slots[0];
	replay->start = later(arrival, replay->slots[1]);
	int64_t begun = checked_add(replay->start.most, engine->launch);
	for (int64_t i = 0; i < job->units; i++) {
		replay->first[i] = begun >= pool[0].most;
		replay->from[i] = replay->first[i] ? (struct moment){begun, REPLAY_ARRIVED} : pool[0];
		begun = checked_add(replay->from[i].most, engine->dispatch);
		replay->end[i] = (struct moment){checked_add(begun, job->piece), REPLAY_PIECES - (int)i};
		take_first(pool, engine->pool, replay->end[i]);
	}
	replay->whole = all.most <= replay->end[job->units - 1].most;
	/* The begin of the last piece is not the end of one: its source says which piece's, one further than there are. */
	struct moment last = {begun, REPLAY_PIECES - (int)job->units};
	replay->slots[1] = begun <= all.most ? last : all;
	for (int i = 0; i < engine->pool; i++)
		pool[i] = pool[i].most <= all.most ? pool[i] : all;
	replay->slots[0] = pool[engine->pool - 1];
}

struct replay replay_service(struct arena *arena, const struct problem *problem, const struct state *state, const struct event *event)
{
	const struct explore_job *job = &problem->explore->jobs[event->job];
	const struct explore_engine *engine = &problem->explore->engines[job->engine];
	const struct slot *slots = state->slots + problem->first_slot[job->engine];
	int count = engine->slots + (engine->pool > 0 ? 1 + engine->pool : 0);
	size_t pieces = (size_t)job->units + 1;
	struct moment arrival = {event->most, REPLAY_ARRIVED};
	struct replay replay = {arena_allocate(arena, (size_t)count, sizeof *replay.slots),
		arena_allocate(arena, pieces, sizeof *replay.from), arena_allocate(arena, pieces, sizeof *replay.end),
		arena_allocate(arena, pieces, sizeof *replay.first), arrival, arrival, true};
	for (int i = 0; i < count; i++)
		replay.slots[i] = (struct moment){slots[i].most, i};
	if (!engine->overlaps) {
		serve_slots(&replay, engine, job, arrival);
		return replay;
	}
	replay.all = later(arrival, replay.slots[0]);
	replay.slots[0] = (struct moment){checked_add(replay.all.most, job->cost_most), REPLAY_ALL};
	if (engine->pool > 0)
		serve_pool(&replay, engine, job, arrival);
	return replay;
}
