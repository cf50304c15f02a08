/* Why a job may be complete as late as the exploration says: from that completion back to a release, each latest time from the one before.
 *
 * Requires: jobs that explore_run finds intervals for; the latest completion of one of them.
 * Provides: links, each with `by` = `before` + `term`; `by` of the next link is `before` of this one. The last one is a release, or a value
 *           that no single order has (EXPLORE_HULL), where `before` is 0 and the term all there is.
 * Source:   [TT]: the times are those of merged states, and each is the latest of the orders that lead to its state.
 * Fails:    the exploration does not come to this value: no links.
 */
#ifndef EXPLORE_CRITICAL_PATH_H
#define EXPLORE_CRITICAL_PATH_H

#include "explore/explore.h"

enum explore_cause {
	EXPLORE_SERVED,   /* complete: begun, and its greatest time */
	EXPLORE_PIECE,    /* a piece of an overlapping one is complete: begun, and the piece's greatest time */
	EXPLORE_DISPATCH, /* it begins: it may, and the dispatch */
	EXPLORE_LAUNCH,   /* its first piece may begin: it is there and those before have begun, and the launch */
	EXPLORE_FREE,     /* it begins when another has left room; term 0 */
	EXPLORE_NEXT,     /* the order in which it comes before what another does by then; term 0, or a tick less */
	EXPLORE_FOLLOWS,  /* it arrives: another is complete, and what is between them */
	EXPLORE_TURN,     /* it arrives: its queue is free and it is released, and the delay */
	EXPLORE_STOPPED,  /* it is complete behind a gate: without another that came, and what that costs it */
	EXPLORE_DRAINED,  /* all behind a gate: it may begin, and what is under way */
	EXPLORE_RELEASED, /* the latest release: the end, with `before` */
	EXPLORE_HULL      /* the end without one: from `least` to `by` the state has it */
};

struct explore_link {
	enum explore_cause cause;
	int job, other; /* other: -1 where there is none */
	int orders;     /* so many transitions lead to the state that had the value, of which this one has the latest; 1: no hull */
	int64_t by, before, term, least;
};

struct explore_critical_path {
	const struct explore_link *links;
	int count;
};

struct explore_critical_path explore_critical_path(struct arena *arena, const struct explore *explore, int job, int64_t by);

#endif
