/* A counterexample made small: the smallest system that still shows it.
 *
 * Requires: a case in which a hunt found a violation; a seed.
 * Provides: a case with fewer tasks, operations, blocks, SMs, shorter times, in which a hunt of `runs` runs from that seed still finds a
 *           violation of the same stage and bound. Changes are tried again and again until none helps or `hunts` hunts were made.
 * Source:   CaDiCaL's mobical; delta debugging (Zeller, Hildebrandt 2002).
 * Fails:    never: at worst the case comes back as it was.
 */
#ifndef FALSIFY_SHRINK_H
#define FALSIFY_SHRINK_H

#include "falsify/hunt.h"

#include <signal.h>

struct shrink_options {
	uint64_t seed;
	int runs, hunts;
	volatile sig_atomic_t *stop; /* NULL: never */
};

/* violation: as found; replaced by that of the result. */
struct falsify_case shrink_case(
	struct arena *arena, const struct subject *of, struct violation *violation, const struct shrink_options *options);

/* The changes: one that makes `to`, a deep copy, smaller at `place`. SHRINK_END: there is no such place; SHRINK_SAME: nothing to do. */
enum shrink_outcome { SHRINK_DONE, SHRINK_SAME, SHRINK_END };
typedef enum shrink_outcome shrink_change(struct arena *arena, struct falsify_case *to, int place);
extern shrink_change *const shrink_changes[]; /* ends with NULL; the coarsest first */

/* Another copy of a case, and what nothing refers to any more taken out. */
struct falsify_case shrink_copy(struct arena *arena, const struct platform *platform, const struct taskset *set);
void shrink_tidy(struct falsify_case *of);

#endif
