/* The exploration kept whole, for whoever asks how a value came about.
 *
 * Requires: a problem, and a job with a value that explore_run found as its latest completion.
 * Provides: every state up to the first transition that has this value, with all transitions into it; in memory of the record's arena.
 * Source:   none; explore.c explores as ever.
 * Fails:    as explore_run.
 */
#ifndef EXPLORE_EXPLORATION_H
#define EXPLORE_EXPLORATION_H

#include "explore/events.h"

struct transition {
	const struct state *from, *to;
	struct event event;
};

struct layer { /* transitions between states after equally many events */
	struct transition *items;
	int count, capacity;
};

struct exploration {
	struct arena *arena;
	int job;
	int64_t value;
	bool found; /* the last transition of the last layer is the one */
	struct layer *layers;
	int count, capacity;
	struct problem problem;
	struct events events;
};

/* record: with arena, job and value; NULL: nothing is kept. */
struct explore_result explore_recorded(struct arena *arena, const struct explore *explore, struct exploration *record);

#endif
