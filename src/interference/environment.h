/* What may be active while an operation runs.
 *
 * Requires: a map.
 * Provides: for each operation the sources of interference that can be active beside it, each with its greatest size, and the
 *           assumptions that shut the others out. Operations of its own stream never are (A-ONE); on-chip sources only where the
 *           map finds foreign blocks.
 * Source:   [ENVIRONMENT], [D-RULES] D14: copies of any application run beside any application's kernels.
 * Fails:    never: what is unknown is taken as possible, a size that is unknown is NONE.
 */
#ifndef INTERFERENCE_ENVIRONMENT_H
#define INTERFERENCE_ENVIRONMENT_H

#include "interference/reachable.h"

struct environment {
	bool active[INTERFERER_COUNT];   /* ALL never: it is a measurement, not a source */
	int64_t count[INTERFERER_COUNT]; /* greatest size, ALL's included; NONE: unknown */
	uint64_t assumptions;            /* bit set: relied on (1 << enum assumption) */
	struct reachable reachable;      /* of a kernel beside which other blocks may be on its SM */
};

struct surroundings;

struct surroundings *surroundings_create(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, const struct lp_limits *limits);
const struct environment *surroundings_of(const struct surroundings *surroundings, int operation); /* of kind copy, memset or kernel */
/* The same at instants at which no copy engine is busy with another stream's copies. */
const struct environment *surroundings_of_idle(const struct surroundings *surroundings, int operation);

/* Does this operation run on the execution engine, or may it? */
bool environment_is_compute(const struct platform *platform, const struct operation *operation);
/* The direction of a copy or memset. */
enum direction environment_direction(const struct operation *operation);

#endif
