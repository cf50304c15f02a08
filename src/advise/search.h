/* The best designs of a space.
 *
 * Requires: a space; how to appraise; what matters.
 * Provides: designs in an order that does not depend on how many threads there are: all of them where they are at most `most`, else so many
 *           of them: half drawn from the seed near the best ones that were found, half by branch and bound where one that is proven is
 *           among them and limits say anything; and then whether the best one is the best of all, or what no other one is better than.
 * Source:   gpubound-advise(1).
 * Fails:    never; *stop ends it with what there is.
 */
#ifndef ADVISE_SEARCH_H
#define ADVISE_SEARCH_H

#include "advise/appraise.h"

#include <signal.h>

#define SEARCH_BATCH 64

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
	bool branched;          /* some by branch and bound */
	bool proved;            /* not all were tried, and none of the others is better */
	bool limited;           /* or nothing better than `limit` is among the others */
	struct appraisal limit; /* the best that another one can be */
};

struct findings search_run(struct arena *arena, const struct appraising *appraising, const struct search_options *options);

/* < 0: the one is better, both being proven or conditional. */
int search_compare(enum advise_by by, const struct appraisal *one, const struct appraisal *other);

#endif
