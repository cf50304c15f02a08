/* The best designs of a space.
 *
 * Requires: a space; how to appraise; what matters.
 * Provides: designs in an order that does not depend on how many threads there are: all of them where they are at most `most`, else so many
 *           of them, drawn from the seed near the best ones that were found. Of each kind the best.
 * Source:   gpubound-advise(1).
 * Fails:    never; *stop ends it with what there is.
 */
#ifndef ADVISE_SEARCH_H
#define ADVISE_SEARCH_H

#include "advise/appraise.h"

#include <signal.h>

enum advise_by { BY_ASSUMPTIONS, BY_SLACK, BY_RESPONSE };

struct search_options {
	enum advise_by by;
	int most, threads;
	uint64_t seed;
	const volatile sig_atomic_t *stop;
	void (*progress)(void *context, int done, int of); /* may be NULL */
	void *context;
};

struct found {
	struct plan plan;
	struct appraisal appraisal;
};

struct findings {
	struct found *items; /* of those that were appraised, the best first */
	int count, total;
	bool exhaustive, stopped;
};

struct findings search_run(struct arena *arena, const struct appraising *appraising, const struct search_options *options);

/* Is one better than the other, or as good and a smaller change? */
bool search_before(enum advise_by by, const struct found *one, const struct found *other);

#endif
