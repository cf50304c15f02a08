/* A job among all jobs of its stream since that was last without work, which are one run.
 *
 * Requires: classes with their jitters and responses of the last round; no chain of the stream waits for an event.
 * Provides: how long after its release a job's first operations are complete, and all that is before them on the stream.
 * Source:   [SEVERAL-JOBS].
 * Fails:    false where a busy interval of the stream passes the horizon, or has too many jobs.
 */
#ifndef RESPONSE_SEVERAL_JOBS_H
#define RESPONSE_SEVERAL_JOBS_H

#include "response/window.h"

/* heads[l], l = 0 .. count: of the first l operations. False: none of them is known. */
bool several_jobs_heads(
	const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int64_t *heads);
/* What heads[count] is the sum of, where it is `response`. */
void several_jobs_terms(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain,
	int64_t response, struct terms *terms);
/* What the chain takes with nobody else there. */
int64_t several_jobs_own(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain);

#endif
