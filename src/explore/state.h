/* A state of the exploration: what has happened, and when what is there will be free or known.
 *
 * Requires: a problem with its roots and successors sorted out (explore.c).
 * Provides: copies, the step to the next state, the merging of states in which the same has happened.
 * Source:   [TT]; the hull of two states contains every run of both.
 */
#ifndef EXPLORE_STATE_H
#define EXPLORE_STATE_H

#include "explore/explore.h"

struct root {
	int64_t release, level;
	int job, engine;
};

struct problem {
	const struct explore *explore;
	struct root *roots; /* jobs without predecessors, by least release, then level */
	int root_count;
	int *position;        /* [job]: its place in roots; -1: it has predecessors; -2 - line: it begins a turn of that line */
	int *leaves;          /* [job]: 1 + the queue whose turn it ends; NULL: there are no queues */
	int *first_successor; /* [job], and one more: into successors */
	int *successors;      /* edges, by the job that they come from */
	int *edge_to;         /* [edge]: the job that it leads to */
	uint64_t *key;        /* [job] of its first event, and then [job] of its completion, where that is an event */
	int event_count;
	bool apart;      /* states whose slots are free at other times are kept apart */
	bool *there;     /* [edge]: its job is there whenever its engine is free: the edge says no more than that */
	int *first_slot; /* [engine]; of an overlapping one: all is complete, all has begun, then its pool's */
	int slot_count;
};

struct waiting { /* a job some of whose predecessors have happened */
	int job, missing;
	int64_t least, most; /* of its arrival, as far as known */
};

struct slot {
	int64_t least, most; /* free from then on */
};

struct turn {                /* of a queue */
	bool held;           /* by a turn that has begun and not ended */
	int64_t least, most; /* else: the end of the turn before */
};

struct running { /* arrived at a gate and not complete */
	int job;
	int64_t least, most; /* of its completion, if nothing of a lesser level comes */
};

struct state {
	uint64_t happened; /* the jobs that have, as a sum of keys */
	int base;          /* all roots before it have happened */
	int *beyond;       /* places of roots at or after it that have, ascending */
	int beyond_count;
	struct waiting *waiting; /* by job */
	int waiting_count;
	struct slot *slots;      /* by engine, each engine's ascending */
	int *passed;             /* [line]: turns that have begun */
	struct turn *turns;      /* [queue] */
	struct running *running; /* by job */
	int running_count;
	int64_t now;        /* no later event is earlier */
	struct state *next; /* in its bucket */
};

struct event { /* a job arrives at an engine that serves by arrival or a gate, or begins on one that serves by level */
	int job;
	bool ends; /* it is complete behind a gate */
	int64_t least, most;
};

/* The state after an event; finish: of the job, (NONE, 0) while nothing is known of it. */
struct state *state_after(
	struct arena *arena, const struct problem *problem, const struct state *state, const struct event *event, struct slot *finish);

/* Has the same happened in both? And where states are kept apart: are the slots of engines by level free at times that overlap? */
bool state_same(const struct problem *problem, const struct state *a, const struct state *b);
/* a becomes the hull of both. */
void state_merge(const struct problem *problem, struct state *a, const struct state *b);

#endif
