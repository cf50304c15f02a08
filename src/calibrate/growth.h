/* The greatest of samples, and how it grew while they were taken.
 *
 * Requires: samples in the order of recording.
 * Provides: the greatest, how many there were, in which recording it was, and each sample that raised it.
 * Source:   none: a greatest that was raised lately will be raised again, one that was not may be. No bound follows from either.
 * Fails:    never.
 */
#ifndef CALIBRATE_GROWTH_H
#define CALIBRATE_GROWTH_H

#include "calibrate/recording.h"

struct raise { /* the at-th sample, from 1 */
	int64_t at, value;
};

struct growth {
	int64_t value, count;
	const struct recording *recording; /* of the greatest; NULL: there is no sample */
	struct raise *raises;
	int raise_count, raise_capacity;
};

void growth_add(struct growth *growth, struct arena *arena, const struct recording *recording, int64_t value);

/* So many samples, of which this is the greatest, in no known order. */
void growth_add_many(struct growth *growth, struct arena *arena, const struct recording *recording, int64_t value, int64_t count);

/* "the greatest of 500 samples is 1800ns, raised last by sample 412 from 1700ns; of the first half it is 1700ns" */
const char *growth_text(const struct growth *growth, struct arena *arena);

#endif
