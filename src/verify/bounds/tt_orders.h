/* Tasks as lines of operations, and all orders in which these can reach their engines.
 *
 * Requires: for each task its operations over a hyperperiod or more, one after another, with least and greatest delays and times. A line
 *           that shares a stream with others has that one only.
 * Provides: the latest completion of each operation. A state is how far each task has got; all ways to the same one are taken together.
 * Source:   [TT] (TT-2), written anew: a line of operations a task, where the analysis has jobs with predecessors.
 * Fails:    more states than are allowed: tt_orders_explore returns false.
 */
#ifndef VERIFY_BOUNDS_TT_ORDERS_H
#define VERIFY_BOUNDS_TT_ORDERS_H

#include "base/checked.h"
#include "base/memory.h"

/* whole: kernels one after another, overlapping; gate: the same, but a lesser level stops greater ones where a block of theirs ends */
enum station_rule { STATION_WHOLE, STATION_FIFO, STATION_LEVELS, STATION_GATE };

struct station {
	enum station_rule rule;
	int slots, first; /* first: its slots begin there among all */
	int64_t dispatch; /* gate, whole: of a block */
	int64_t launch;   /* whole: of a kernel; of its slots the first is all kernels', the second their last dispatch, the others are room
			   */
};

struct visit { /* an operation of a job */
	int station;
	int64_t level, pieces;
	int64_t least, most;             /* time of a piece */
	int64_t block, rest;             /* gate, whole: its longest block; what of `most` there may still be after the last dispatch */
	int64_t release;                 /* NONE: it follows the visit before; else the earliest release of its job */
	int64_t delay_least, delay_most; /* from the visit before, or from the release */
	int64_t late;                    /* of what is in delay_most the part that is over when the job is in its stream */
	bool issued_before;              /* may it be issued as late as the one before may, and no later? */
	int stream;                      /* which of the task's: what went before there is complete */
	int64_t stream_delay;            /* at most so much after that */
	int64_t latest;                  /* result: its completion */
};

struct line {
	struct visit *visits;
	int count, streams;
	int common; /* 1 + the number of the stream that it shares with other lines; 0: none */
};

struct orders {
	struct line *lines;
	int line_count;
	struct station *stations;
	int station_count, slot_count;
	int common_count; /* streams of several lines */
	int width;        /* states after equally many visits, at most */
	int64_t total;    /* states, at most */
};

bool tt_orders_explore(struct arena *arena, struct orders *orders);

#endif
