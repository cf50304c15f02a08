/* Branch and bound over a space that is too large to try all of it.
 *
 * Requires: designs that were tried, the best first, and room for more.
 * Provides: the regions of the space by what their designs can be at best, the most promising first; of each all designs that limits leave,
 *           until none can be better than the best that was found: then it is the best of all. If the room ends before, the best that any
 *           other design can be.
 * Source:   [DESIGN-LIMITS], [BRANCH-AND-BOUND].
 * Fails:    never; nothing is known where options or sizes of partitions change what operations take.
 */
#ifndef ADVISE_BOUNDED_SEARCH_H
#define ADVISE_BOUNDED_SEARCH_H

#include "advise/regions.h"
#include "advise/search.h"

/* Do limits say anything in this space? */
bool bounded_search_applies(const struct space *space);

/* findings->items has room for options->most; try: appraises items from `from` on, and puts all in order. */
void bounded_search(struct arena *arena, const struct appraising *appraising, const struct search_options *options,
	struct findings *findings,
	void (*try)(const struct appraising *appraising, const struct search_options *options, struct findings *findings, int count));

/* What no design of the space is better than. */
void bounded_search_limit(struct arena *arena, const struct appraising *appraising, struct findings *findings);

#endif
