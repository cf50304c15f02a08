/* A walk back through the states of an exploration: the links so far, and the latest time that is to be explained next.
 *
 * Requires: a record.
 * Provides: links; from an event, a job's service or its completion on to the latest time before it.
 * Source:   events.c and state.c: which of their terms a latest time is.
 * Fails:    where no term is found, the walk ends with EXPLORE_HULL.
 */
#ifndef EXPLORE_WALK_H
#define EXPLORE_WALK_H

#include "explore/exploration.h"
#include "explore/replay.h"
#include "explore/critical_path.h"

enum place { AT_SLOT, AT_ARRIVAL, AT_RUNNING, AT_TURN, AT_END };

/* A latest time of a state. */
struct cursor {
	enum place place;
	int which; /* slot of all, job or queue */
	const struct state *state;
	int layer; /* of the transitions that lead to it; -1: none do */
	int64_t value;
	int job; /* that waits for it */
	int orders;
};

struct walk {
	struct arena *arena, *scratch;
	struct exploration record;
	struct cursor cursor;
	struct explore_link *links;
	int count, capacity;
};

static inline const struct explore_job *walk_job(const struct walk *walk, int job)
{
	return &walk->record.problem.explore->jobs[job];
}

static inline const struct explore_engine *walk_engine(const struct walk *walk, int job)
{
	return &walk->record.problem.explore->engines[walk_job(walk, job)->engine];
}

static inline int walk_slot(const struct walk *walk, int engine)
{
	return walk->record.problem.first_slot[engine];
}

/* value - term is what comes before; the cursor says where that comes from. */
void walk_add(struct walk *walk, enum explore_cause cause, int job, int other, int64_t term);
void walk_end(struct walk *walk, int job); /* EXPLORE_HULL */
void walk_go(struct walk *walk, enum place place, int which, int job);

/* On from cursor.value: the latest time of a transition's event; of what its job waited for, as replayed; of its job's completion. */
void walk_event(struct walk *walk, const struct transition *transition);
void walk_source(struct walk *walk, const struct transition *transition, const struct replay *replay, struct moment moment);
void walk_finish(struct walk *walk, const struct transition *transition);

#endif
