/* Random systems from a seed: small platforms and task sets in which the corner cases occur.
 *
 * Requires: an arena.
 * Provides: a valid platform and task set (the rules of src/input hold; a draw that breaks one is drawn again). Overheads are above
 *           zero in every system, in half of them larger than the WCETs. Every feature that the bounds know of is there in some.
 * Source:   [FALSIFIER]; [TEN-TESTS].
 * Fails:    never: after GENERATE_TRIES draws the system is NULL, and the caller takes the next index.
 */
#ifndef FALSIFY_GENERATE_H
#define FALSIFY_GENERATE_H

#include "base/memory.h"
#include "model/taskset.h"

#define GENERATE_TRIES 20

struct falsify_case { /* under construction: as it is drawn, or made smaller */
	struct platform *platform;
	struct taskset *set;
};

struct falsify_given { /* to be left as it is */
	const struct platform *platform;
	const struct taskset *set;
};

/* The index-th system of a seed. */
struct falsify_case generate_case(struct arena *arena, uint64_t seed, uint64_t index);

/* What a small one has: nothing more; start delays as A-ORDER permits; kernels and copies that slow one another; two partitions. */
enum small_feature { SMALL_PLAIN, SMALL_DELAYS, SMALL_FACTORS, SMALL_PARTITIONS };

/* Four of six are plain, and none has partitions, so that doc/yardstick.csv is of the same systems as ever. */
enum small_feature generate_small_feature(uint64_t seed, uint64_t index);

/* The attempt-th draw of a small one: one context, at most three streams, tasks and SMs, eight blocks, 4 ns; the set is NULL where the
 * draw breaks a rule. A plain one does not depend on what others have. */
struct falsify_case generate_small(struct arena *arena, uint64_t seed, uint64_t index, uint64_t attempt);
struct falsify_case generate_small_with(struct arena *arena, enum small_feature feature, uint64_t seed, uint64_t index, uint64_t attempt);

#endif
