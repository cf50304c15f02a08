/* What in this task set can hurt, whether or not the bounds hold.
 *
 * Requires: a map.
 * Provides: diagnostics of level hazard, with codes, and the list of interference channels with who bounds each (AMC 20-193).
 * Source:   RTAS'20 III-C and V; [MOST-ROOM], [SAME-SM], [HW-RULES], [SILICON] 4 to 7, [HOPPER] P7.
 * Fails:    never: what is unknown is said to be so.
 */
#ifndef MAP_HAZARDS_H
#define MAP_HAZARDS_H

#include "base/diagnostics.h"
#include "map/map.h"

struct channel { /* an interference channel */
	const char *id, *what;
	const char *bounded_by; /* what bounds it, for a reader */
	bool bounded;
};

struct channels {
	struct channel *items;
	int count;
};

void hazards_report(const struct platform *platform, const struct taskset *set, const struct map *map, struct diagnostics *diagnostics);
struct channels *hazards_channels(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map);

#endif
