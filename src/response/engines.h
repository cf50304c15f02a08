/* The operations of a context at their engines: each arrival stream as jittery as what lies before it allows. What H, CHAIN and VOL-C
 * share.
 *
 * Requires: what else takes turns with the context.
 * Provides: for each segment of the context the time from release to completion under H (every operation by the least of its local
 *           bounds), CHAIN (runs of operations at once, each foreign instance charged once) and VOL-C (the same by volume, without
 *           order), or why there is none.
 * Source:   [H], [CHAIN], [VOL-C], [STREAM], [EVENTS]. Values never fall from round to round; [FIRST-VIOLATION] makes
 *           the least common fixed point a bound.
 * Fails:    a value past the horizon, an overflow or too many rounds: no bound for that segment, nor for those that rest on it
 *           (response/open_segments.h).
 */
#ifndef RESPONSE_ENGINES_H
#define RESPONSE_ENGINES_H

#include "response/bounds/bound.h"
#include "response/context_operations.h"
#include "response/local_bounds.h"
#include "response/turns.h"
#include "response/window.h"

/* What the values were found with, for whoever wants their terms: put into the equations again it gives the same. */
struct engines {
	enum bound bound;
	struct classes *classes;
	struct window_rules windows;
	struct local_rules rules;
};

/* The values as the round has them. */
struct engines_now {
	const struct workload *w;
	const struct classes *classes;
	const struct window_rules *windows;
	struct local *local;
};

/* What one of the bounds is, besides: a row for each is in the file of its name. */
struct engines_bound {
	enum bound bound;
	int rule;
	bool volume, runs;                                            /* by volume, without order; runs of several operations count, too */
	bool (*passes)(const struct workload *workload, int context); /* do kernels pass one another there, by A-FIT? NULL: never */
	/* From the stream's head to the completion of a single operation at an engine. */
	int64_t (*single)(const struct engines_now *now, const struct chain_of_classes *chain, int position);
};

/* By the local bounds alone: SER-OPS, SER-BW, COV, or those of copies. */
int64_t engines_single(const struct engines_now *now, const struct chain_of_classes *chain, int position);

/* The context's part of the bound's answers, and of what explains them. */
void engines_compute(struct bounding *b, const struct engines_bound *of, int context);

/* What a segment's value is made of, chain by chain. */
void engines_terms(const struct engines *engines, int segment, struct terms *terms);

#endif
