/* One job's service by arrival once more, with where each latest time came from.
 *
 * Requires: the state before it, as the exploration had it, and its event.
 * Provides: for each slot of the engine after it, and for each piece, the latest time with its source.
 * Source:   state.c, serve_arrival and serve_pool: the same rules, latest times only.
 * Fails:    never.
 */
#ifndef EXPLORE_REPLAY_H
#define EXPLORE_REPLAY_H

#include "explore/state.h"

/* A source: a slot of the state before (>= 0), or what this job did. */
enum { REPLAY_ARRIVED = -1, REPLAY_ALL = -2, REPLAY_PIECES = -3 };

struct moment {
	int64_t most;
	int source; /* REPLAY_PIECES - i: its i-th piece */
};

struct replay {
	struct moment *slots; /* after it */
	struct moment *from;  /* [piece]: what it waited for before it began, or its dispatch */
	struct moment *end;   /* [piece] */
	bool *first;          /* [piece]: it waited for the piece before to begin, or the launch, rather than for room */
	struct moment start;  /* overlapping: what the launch waited for */
	struct moment all;    /* overlapping: complete one after another, from then on */
	bool whole;           /* the job is complete as it is one after another */
};

struct replay replay_service(struct arena *arena, const struct problem *problem, const struct state *state, const struct event *event);

#endif
