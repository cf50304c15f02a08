/* The operations of which one alone decides soonest: how much its WCET may be.
 *
 * Requires: an analysed task set.
 * Provides: where all deadlines are met the few whose WCETs may grow least until some is not; else the few that are proven with the least
 *           change of one of them alone. The nearest first; of equals the longest.
 * Source:   slack/slack.h.
 * Fails:    fewer, or none, where no other operation's WCET changes the verdict within the limits.
 */
#ifndef SLACK_RESERVES_H
#define SLACK_RESERVES_H

#include "slack/slack.h"

#include <signal.h>

struct reserve {
	int operation;
	int64_t grows; /* thousandths; negative: has to shrink */
};

/* stop: ends the search with what there is; may be NULL. Returns how many of `most` there are. */
int reserves_find(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations, const volatile sig_atomic_t *stop, int most, struct reserve *reserves);

#endif
