/* How many blocks of other kernels may be beside one block: the reachable environment.
 *
 * Requires: a map.
 * Provides: for a kernel the most foreign blocks on the SM of one of its blocks: by a closed form, and where the platform's factors depend
 *           on that number by ILP-ENV, an integer program whose value is proven (lp/branch.h); and the most foreign blocks on the whole
 *           chip, so that no more other SMs can be active, in its TPC, its GPC or elsewhere.
 * Source:   [ENVIRONMENT]; A-ONE: one kernel a stream at an instant; A-RATE: the environment of an instant decides the rate there.
 * Fails:    NONE is unknown, any number. Where the program's value is not proven within its limits the closed form stands.
 */
#ifndef INTERFERENCE_REACHABLE_H
#define INTERFERENCE_REACHABLE_H

#include "lp/lp.h"
#include "map/map.h"

#define REACHABLE_KERNELS 24 /* foreign ones; beyond, the closed form stands */

struct reachable {
	int64_t chip;   /* foreign blocks at once; NONE: unknown */
	int64_t closed; /* on its SM, by the closed form */
	int64_t beside; /* on its SM: closed or less */
	bool asked;     /* the program was set up */
	bool proven;    /* and solved */
};

struct reach;

struct reach *reach_create(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct lp_limits *limits);
/* Of a kernel. of_sm: no more blocks are ever beside another one on an SM; NONE: unknown. */
struct reachable reach_find(const struct reach *reach, int operation, int64_t of_sm);

#endif
