/* How many releases a window can hold.
 *
 * Requires: an arrival model of the task set; jitter in ns.
 * Provides: eta, the most arrivals in any half-open window of a length; where it grows; the long-run rate as a rational.
 * Source:   [ARRIVALS]; [V7] (the minimum distance holds at the release only).
 * Fails:    overflow is NONE.
 */
#ifndef RESPONSE_ARRIVAL_H
#define RESPONSE_ARRIVAL_H

#include "model/taskset.h"

struct arrivals {
	const struct arrival *model;
	int64_t jitter;  /* all of it: release jitter and what the way to this point added */
	bool at_release; /* nothing before it but the release: the minimum distance holds */
};

int64_t arrivals_in(const struct arrivals *arrivals, int64_t window);

/* In a window closed at both ends, where instants are multiples of `tick`; 1 ns: any. */
int64_t arrivals_in_closed(const struct arrivals *arrivals, int64_t window, int64_t tick);

/* The longest window plus jitter that surely holds one arrival; 0: no window does. */
int64_t arrivals_lone(const struct arrival *model);

/* The least a' > a, a >= 0, such that a window closed at both ends may hold more arrivals with length a' than with any length below,
 * or fewer than that: no jump is passed over. NONE: beyond 64 bits. */
int64_t arrivals_next(const struct arrivals *arrivals, int64_t a);

/* Releases per ns in the long run: `count` in `window`. */
void arrivals_rate(const struct arrival *model, int64_t *count, int64_t *window);

/* The same, but of a curve the least of all its steps': eta(k w) <= k eta(w) for each of them. */
void arrivals_least_rate(const struct arrival *model, int64_t *count, int64_t *window);

#endif
