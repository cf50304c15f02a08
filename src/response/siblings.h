/* Operations of one job: what is before what, and how many instances of one can be there while another is at its engine.
 *
 * Requires: classes with their costs; jitters, responses and reaches of the last round.
 * Provides: the order of a job's operations by streams and events, the earliest arrivals that follow from it; the most instances of an
 *           operation outstanding in a window of operations of its own task, one another's jobs included.
 * Source:   [EVENTS], [ONE-JOB].
 * Fails:    never; NONE is no limit.
 */
#ifndef RESPONSE_SIBLINGS_H
#define RESPONSE_SIBLINGS_H

#include "response/context_operations.h"

/* Fills early, record, holds and before. */
void siblings_link(struct classes *classes, const struct taskset *set, const struct segments *segments);

/* Instances of a class outstanding at some time of a window of this length that begins when `first` comes to the head of its stream, or
 * later while that is there, and ends no later than `last`, of the same chain, is complete. NONE: it is no sibling of theirs. */
int64_t siblings_most(
	const struct classes *classes, const struct class *first, const struct class *last, const struct class *class, int64_t window);

/* Are they of one task? */
bool siblings_are(const struct classes *classes, const struct chain_of_classes *a, const struct chain_of_classes *b);

/* Of two segments of a task of which one job at most is there: while the one is there the other is complete, or not yet released.
 * [ONE-JOB] */
bool siblings_never_meet(const struct classes *classes, const struct chain_of_classes *own, const struct chain_of_classes *other);

/* Can it be outstanding as `own` arrives at its engine? */
bool siblings_meet(const struct classes *classes, const struct class *own, const struct class *class);

#endif
