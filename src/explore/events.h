/* Which events can be the next one in a state, and when.
 *
 * Requires: a state.
 * Provides: every event that can be the earliest of all that are still to come, with the times at which it can be that.
 * Source:   [TT]; Nasri and Brandenburg, RTSS 2017, (eligibility by least start, certain start and certainly released higher
 *           levels).
 */
#ifndef EXPLORE_EVENTS_H
#define EXPLORE_EVENTS_H

#include "explore/state.h"

struct candidate {
	int job;
	bool ends; /* it is complete behind a gate; else it arrives */
	bool open; /* another one of its queue may have the turn instead */
	int64_t least, most;
};

struct events {
	struct candidate *candidates; /* room for them, kept from state to state */
	int count, capacity;
	int64_t *arrived; /* [engine]: by then something waits there for sure */
	int64_t *floor;   /* [engine]: the least level that waits for sure as soon as anything can begin; none behind it can be next */
	int64_t latest;   /* by then some event has happened for sure */
};

void events_init(struct events *events, struct arena *arena, const struct problem *problem);
/* The candidates of a state, and `latest`. */
void events_collect(struct events *events, struct arena *arena, const struct problem *problem, const struct state *state);
/* Can the event of this candidate be the next? */
bool events_next(const struct events *events, const struct problem *problem, const struct state *state, int candidate, struct event *event);

#endif
