/* The three holistic bounds: operation by operation, each arrival stream as jittery as what lies before it allows.
 *
 * Requires: what else takes turns with the context.
 * Provides: for each segment of the context the time from release to completion under H (every operation by the least of its local
 *           bounds), CHAIN (runs of operations at once, each foreign instance charged once) and VOL-C (the same by volume, without
 *           order), or why there is none.
 * Source:   [H], [CHAIN], [VOL-C], [STREAM], [EVENTS]. Values never fall from round to round; [FIRST-VIOLATION] makes
 *           the least common fixed point a bound.
 * Fails:    a value past the horizon, an overflow or too many rounds: no bound for that segment, nor for those that rest on it
 *           (response/open.h).
 */
#ifndef RESPONSE_HOLISTIC_H
#define RESPONSE_HOLISTIC_H

#include "response/busy.h"
#include "response/classes.h"
#include "response/local.h"
#include "response/turns.h"
#include "response/window.h"

/* What the values were found with, for whoever explains them: put into the equations again it gives the same. */
struct engines {
	enum bound bound;
	struct classes *classes;
	struct window_rules windows;
	struct local_rules rules;
};

struct holistic {
	const char *reason; /* NULL: it applies to the context */
	int64_t *segment;   /* [segment]: R; NONE: none */
	int *step;          /* [segment] */
	const char **open;  /* [segment]: why it has none where it applies; NULL: it has one */
	uint64_t assumptions;
	const struct engines *engines; /* NULL where there is a reason */
};

struct holistic holistic_compute(
	const struct workload *workload, const struct map *map, const struct turns *turns, enum bound bound, int context);

#endif
