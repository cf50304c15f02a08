/* A server without preemption: how long a customer waits and is served, over all arrivals with which a busy window may begin.
 *
 * Requires: customers with their arrivals and costs; those of `ahead`, the one that is looked at among them, are served in the order in
 *           which they arrived, or go before it if they arrive up to `later` after it, a multiple of the tick; those of `until` go before
 *           it as long as it has not begun.
 * Provides: R = max over a of E(T(a)) - a, a in [from, L): 0 and the arrivals of those ahead less `later`; 0 where there is none,
 *             T(a) = least T with T = begin(blocking - last + sum ahead ceta(a + later) cost + sum until ceta(T) cost)
 *             E(T) = end(blocking + sum ahead ceta(a + later) cost + sum until ceta(T) cost)
 *             L    = least L >= 1 with L = end(blocking + sum eta(L) cost over all)
 *           begin, end: of the supply, real times from the time served; without one begin(w) = end(w) = w,
 *           ceta(x) = eta(x + tick): arrivals in a closed window, where all instants are multiples of a tick (1 ns: any).
 * Source:   [SER-BW] (6.4), [COPY-OPS] (7.2), [STREAM] (8.1); [FP-EQUALS] (later); [V7] (jumps of a least distance).
 * Fails:    NONE past the horizon, on overflow, beyond so many candidates.
 */
#ifndef RESPONSE_NONPREEMPTIVE_SERVER_H
#define RESPONSE_NONPREEMPTIVE_SERVER_H

#include "response/supply.h"

struct customer {
	const struct arrivals *arrivals;
	int64_t cost;
	int64_t later; /* of those ahead */
};

struct nonpreemptive {
	const struct customer *ahead, *until;
	int ahead_count, until_count;
	int64_t blocking; /* once, at the beginning */
	int64_t last;     /* what is left of the own cost once nothing can come before it any more */
	int64_t tick, horizon;
	int64_t from;                /* it surely arrives so much after the window began */
	int candidates;              /* more values of a: NONE */
	const struct supply *supply; /* NULL: the server is there always */
	int engine;                  /* of the supply */
};

int64_t nonpreemptive_response(const struct nonpreemptive *level);
int64_t nonpreemptive_busy_window(const struct nonpreemptive *level); /* L */

/* What R is the sum of, where it is `response`. names: a term for each customer, those ahead first, that says whose it is; how often it
 * comes, and what that is in all, is filled in. Where R is not reached: all that is served in the busy window. */
void nonpreemptive_terms(
	const struct nonpreemptive *level, const struct term *names, const struct term *lower, int64_t response, struct terms *terms);

/* Is what these bring in a window of any length at least that length? Then no window of theirs ends, and there is no need to try. False
 * where that is not certain at once. */
bool nonpreemptive_outgrows(const struct customer *customers, int count);

#define LEVEL_PATIENCE 32 /* iterations before that is asked */

#endif
