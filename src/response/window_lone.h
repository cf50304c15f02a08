/* What the runs of a chain are charged while no operation of another stream comes twice.
 *
 * Requires: classes; nothing here depends on their jitters and responses. For all calls of the same classes the same rules.
 * Provides: the sum over the other streams of what one job's operations of each cost a run, by how many kernels and copies it has, or by the
 *           order in which they come (response/in_order.h). Chains of one shape share what each stream costs them.
 * Source:   [CHAIN] (C.1); [IN-ORDER].
 * Fails:    never; NONE on overflow.
 */
#ifndef RESPONSE_WINDOW_LONE_H
#define RESPONSE_WINDOW_LONE_H

#include "response/in_order.h"

#include "model/limits.h"

/* What the operations of a stream, or of several, cost runs by how many kernels they have, and how many copies on an engine. */
struct tariff {
	int64_t above, beside[LIMIT_ALIGNED + 1], copies[CLASS_ENGINES][LIMIT_ALIGNED + 1];
};

struct window_lone {                                /* of one chain */
	struct tariff others;                       /* all other streams together; but for `above`, where the rules ask for it */
	int64_t met[LIMIT_ALIGNED * LIMIT_ALIGNED]; /* [first * count + last]: what meets operations of the run, at most one each */
};

struct window_lone_rules {
	bool volume, fifo_copies, in_order; /* as in response/window.h */
	bool served;                        /* does it matter what of the others is served? */
};

void window_lone_chain(const struct classes *classes, const struct window_lone_rules *rules, const struct chain_of_classes *chain,
	struct window_lone *survey);

/* Of the n instances that n own operations may meet at most. */
int window_lone_met(int64_t n, int count);

#endif
