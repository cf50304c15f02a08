/* Weights of blocks that a report claims for COV.
 *
 * Requires: engines; residents; a table of the report that names weights for some of its kernels.
 * Provides: the weights of one waiting kernel, as a fact with all its steps, checked: every SM that is full weighs at least one, in all
 *           ways that blocks of one kernel a stream can be on it; no weight can be lowered, so that no digit can be changed; no denominator
 * is left to choose. How the weights were found does not matter. Source:   [COV-FULL], [COV-WEIGHTS]. Fails:    anything else is a
 * difference, and there are no weights.
 */
#ifndef VERIFY_COVER_WEIGHTS_H
#define VERIFY_COVER_WEIGHTS_H

#include "verify/engines.h"

struct weights {
	int64_t unit; /* 0: none are claimed */
	int64_t *of;  /* [class] */
};

struct weights_list { /* of a table: the steps that have weights */
	int *steps, count;
};

struct weights_list weights_list(const struct engines *engines, int table);
/* The one for a class; -1: none. */
int weights_step(const struct engines *engines, const struct weights_list *list, int class);
struct fact weights_take(const struct engines *engines, int class, int step, struct weights *weights);

#endif
