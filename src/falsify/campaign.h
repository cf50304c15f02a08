/* Many systems hunted, and how close the runs came to each bound.
 *
 * Requires: options.
 * Provides: sums over systems 0 .. n-1 of a seed, the same for any number of threads; the lowest index that showed a violation. Systems
 *           are taken in batches: unless told to go on, the campaign ends with the batch in which a violation was found.
 * Source:   [FALSIFIER].
 * Fails:    stops early, with what it has, when *stop becomes nonzero.
 */
#ifndef FALSIFY_CAMPAIGN_H
#define FALSIFY_CAMPAIGN_H

#include "falsify/hunt.h"

#include <signal.h>

#define CAMPAIGN_BATCH 64
#define CAMPAIGN_BINS 1001 /* of observed/bound in thousandths */

struct campaign;

struct campaign_options {
	uint64_t seed;
	int64_t first, systems; /* indices first .. first + systems - 1 */
	int runs;               /* of each system */
	int threads;
	bool go_on;
	const struct falsify_given *given; /* hunt this one, again and again; NULL: draw systems */
	int64_t *seen;                     /* of it, by task and bound: raised to the greatest response seen; NULL: not wanted */
	volatile sig_atomic_t *stop;       /* NULL: never */
	void (*progress)(void *context, int64_t systems, const struct campaign *campaign); /* after each batch; NULL: none */
	void *context;
};

struct campaign_tally {     /* of one bound */
	int64_t systems;    /* that have it */
	int64_t values;     /* tasks of theirs that have it and were seen */
	int64_t violations; /* systems in which a run exceeded it */
	int64_t sum;        /* of observed/bound in thousandths, over values */
	int64_t histogram[CAMPAIGN_BINS];
	int64_t observed, allowed; /* the greatest ratio; allowed 0: none */
};

struct campaign {
	struct campaign_tally bounds[BOUND_COUNT];
	int64_t systems; /* hunted */
	int64_t without; /* among them: no task has a bound */
	int64_t refused; /* the machine cannot run them */
	int64_t runs, events, limited;
	int64_t stages;    /* systems in which an earlier stage was violated */
	int64_t violation; /* the lowest index with a violation, -1: none */
};

void campaign_run(struct campaign *campaign, const struct campaign_options *options);

/* To one with .violation = -1 at first: sums, the greatest ratio, the lowest index with a violation. */
void campaign_add(struct campaign *campaign, const struct campaign *part);

/* The hunt of one index again, in an arena: the same as in the campaign. False: there is no such system. */
bool campaign_replay(
	struct arena *arena, const struct campaign_options *options, int64_t index, struct subject *subject, struct hunt *hunt);

#endif
