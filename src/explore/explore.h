/* Every order in which jobs with known release windows can reach their engines, and when each job can then be complete.
 *
 * Requires: jobs, each released once within a window, with a least and a greatest time on its engine, after their predecessors; engines
 *           that are work conserving and serve without preemption, by arrival, by level or by level between pieces; queues whose lines of
 *           jobs take turns in the order of their releases. Least times are at least 1.
 * Provides: for each job an interval that contains its completion in every run: of all releases, durations and ties.
 * Source:   [TT]. Engines by level: Nasri and Brandenburg, RTSS 2017 (one slot), Nasri, Nelissen and Brandenburg, ECRTS 2018
 *           and 2019 (several slots); [TT-GATE], [TT-SHARED] for the two kinds of events in one order, and for queues.
 * Fails:    a limit of states: result.reason says so and no interval is to be used. Overflow: NONE.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "base/checked.h"
#include "base/memory.h"

enum explore_order {
	EXPLORE_ARRIVAL, /* first come, first served: a job holds its place from its arrival on */
	EXPLORE_LEVEL,   /* whenever a slot is free, of those that wait the one of the least level; equal levels by arrival, ties open */
	EXPLORE_GATE,    /* by level and arrival, but a piece that has begun ends whatever comes: [TT-GATE] */
};

struct explore_engine {
	enum explore_order order;
	int slots;  /* equal ones */
	bool knows; /* LEVEL: time has a grain of 1, and what arrives as a slot becomes free is among those that wait; else it may be late
		     */
	bool overlaps;    /* ARRIVAL: a job may begin before those ahead of it are complete; cost_most counts from their completion (SER) */
	int64_t dispatch; /* GATE: before a piece begins, in vain if a lesser level comes meanwhile; overlapping: likewise, one after
			     another */
	int64_t launch;   /* overlapping: before a job's first piece, once all pieces ahead have begun */
	int pool;         /* overlapping: while fewer pieces than this are under way the next one begins; 0: not known */
};

struct explore_edge { /* to a predecessor */
	int from;
	bool from_start; /* else from its completion; LEVEL engines only */
	int64_t least, most;
};

struct explore_job {
	int engine;
	int64_t release_least, release_most;
	int64_t cost_least, cost_most; /* of one unit */
	int64_t level;
	int64_t units; /* ARRIVAL: pieces that go to slots one after the other; LEVEL, GATE: 1 */
	int first_edge, edge_count;
	int64_t piece, last; /* GATE, overlapping: the longest piece; what may be left when the last one has begun, of cost_most */
};

/* Jobs one after another that hold a queue from the arrival of the first to the completion of the last. The first has no predecessors:
 * it arrives when it is released and all turns that were released before it in the queue are over, up to `delay` later. */
struct explore_turn {
	int first, last;
	int64_t delay;
};

struct explore_line { /* turns in a fixed order; those of one queue's lines are in the order of the releases, ties open */
	int queue;
	const struct explore_turn *turns;
	int count;
};

struct explore {
	const struct explore_job *jobs;
	int job_count;
	const struct explore_edge *edges;
	int edge_count;
	const struct explore_engine *engines;
	int engine_count;
	const struct explore_line *lines;
	int line_count, queue_count;
	int state_limit;     /* states after equally many events; 0: none */
	int64_t total_limit; /* states in all; 0: none */
};

struct explore_result {
	const char *reason;    /* NULL: the intervals hold */
	int64_t *least, *most; /* by job */
	int64_t states;        /* in all */
	int widest;            /* most at once */
};

struct explore_result explore_run(struct arena *arena, const struct explore *explore);

#endif
