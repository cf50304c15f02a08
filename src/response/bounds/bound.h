/* A bound: a row of bounds.def, and a file of its name with the functions of the row.
 *
 * Requires: a workload; the map.
 * Provides: for each bound and each context, or each segment, the longest time from a release to completion, or why there is none; what it was
 *           found with, for whoever explains it.
 * Source:   the claims that bounds.def cites; [APPLICABLE].
 * Fails:    a bound that does not apply, or has no value, says why.
 */
#ifndef RESPONSE_BOUNDS_BOUND_H
#define RESPONSE_BOUNDS_BOUND_H

#include "response/applicable.h"
#include "response/turns.h"

enum bound_scope { BOUND_OF_CONTEXTS, BOUND_OF_SEGMENTS };

struct bounding {
	const struct workload *work;
	const struct map *map;
	struct bound_answer *answers[BOUND_COUNT];   /* one a context, or one a segment, as the bound's scope says */
	const struct turns *by_volume, *by_makespan; /* what else takes turns; NULL until all bounds of contexts are there */
	const struct turns *shorter;                 /* by makespans and H; NULL until H is there for all contexts */
	struct response_basis *basis;
};

struct bound_row {
	enum bound_scope scope;
	void (*applies)(struct applicability *a); /* adds what it needs, besides what all bounds do */
	/* One of SEGMENTS: all segments of the context. One of CONTEXTS, once: all of them, context NO_ID. */
	void (*compute)(struct bounding *b, int context);
	/* What a value of a segment is made of. */
	void (*terms)(const struct response *response, int segment, int64_t value, struct terms *terms);
};

extern const struct bound_row bound_rows[BOUND_COUNT];

#define BOUND(symbol, name, file, scope, meaning, source)                                                                                  \
	void file##_applies(struct applicability *a);                                                                                      \
	void file##_compute(struct bounding *b, int context);                                                                              \
	void file##_terms(const struct response *response, int segment, int64_t value, struct terms *terms);
#include "response/bounds/bounds.def"
#undef BOUND

/* All rows, in their order. What is more than a serial server rests on how long other contexts' jobs are there at most, which the bounds of
 * contexts say: these come first. */
void bounds_compute(struct bounding *b);

/* What a bound says of a segment. */
struct bound_answer bounds_of_segment(const struct bounding *b, enum bound bound, int segment);

#endif
