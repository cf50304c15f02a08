/* What others can do in a window that begins when one's own operation reaches its engine.
 *
 * Requires: classes with their jitters and responses of the last round.
 * Provides: bounds on the time of a run of consecutive operations a..b of one chain, charged against everybody at once:
 *             CHAIN  each foreign kernel instance at most once along the run, each at its makespan         (C.1)
 *             VOL-C  all foreign block time over g SMs; no order, no priorities                             (V.3)
 * Source:   [VOL-C], [CHAIN].
 * Fails:    NONE where the fixed point passes the horizon.
 */
#ifndef RESPONSE_WINDOW_H
#define RESPONSE_WINDOW_H

#include "response/context_operations.h"
#include "response/supply.h"

struct window_rules {
	bool volume;      /* (V.3), else (C.1) */
	int64_t g;        /* SMs that share the volume */
	int64_t rest;     /* applicable_rest */
	bool fifo_copies; /* A-CE: copies are served in order */
	bool in_order;    /* foreign operations meet own ones in the order of their stream: response/in_order.h */
	struct supply kernels, copies;
	int64_t horizon;
};

/* From the stream's head at position `first` of a chain to the completion of position `last`, both included; dependency times too. NONE
 * also where that is not less than `enough`, which is seen sooner. */
int64_t window_time(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first,
	int last, int64_t enough);

/* The least of `best` and of the ways that end with a run of several operations, first..last: when the operations before it are complete,
 * and the run. runs[first]: what it takes; NONE also where it is no earlier than another way, unless the chain has holds, for which it may
 * be. */
int64_t window_complete(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int last,
	int64_t best, int64_t *runs);

/* What it is the sum of, where it is `length`. */
void window_terms(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int first,
	int last, int64_t length, struct terms *terms);

/* Once, before any window: makes room for what is kept of each chain's runs from one round to the next, and finds what of it is the same in
 * all rounds. */
void window_keep(struct classes *classes, const struct window_rules *rules);

/* The longest window in which no operation of the chain comes twice, by the jitters and responses of now. */
int64_t window_lone_length(const struct classes *classes, const struct chain_of_classes *chain);

#endif
