/* The blocks of several kernels on one SM while one of them waits, and when the SM is full for whoever stands at the head.
 *
 * Requires: classes; resources that are fungible, of an SM that nobody configures: amounts decide.
 * Provides: for a waiting kernel K: the kernels that may have blocks on an SM beside it, at most one of a stream (A-ONE); how many of each;
 *           per resource the amount from which on the SM is full for some head. While K's own blocks are on it, heads are K and higher
 *           levels; else also the others of its level. All minimal *full* configurations whose blocks may be on an SM together.
 *           An SM that holds as many of a kernel's blocks as sub-partitions surely take (occupancy.h, least) counts as full for it as well:
 *           for that a kernel is charged more registers than it takes.
 * Source:   [COV-FULL], [COV-WEIGHTS]: h = cap - d + u, all in units here: cap' - d' + 1.
 * Fails:    packing_build is false where a demand or a capacity is not known, or there are more kernels than PACKING_KERNELS;
 *           packing_enumerate where there are more configurations than its limits.
 */
#ifndef RESPONSE_COVER_PACKING_H
#define RESPONSE_COVER_PACKING_H

#include "response/context_operations.h"

#define PACKING_KERNELS 32
#define PACKING_CONFIGURATIONS 20000
#define PACKING_NODES 400000

struct packed { /* a kernel; number 0 is the waiting one */
	int class, stream;
	int64_t most;                    /* of its blocks on one SM */
	int64_t left[RESOURCE_COUNT];    /* takes so much of an SM at least: [LEAVERS] */
	int64_t charged[RESOURCE_COUNT]; /* counts as so much of a full one; not below what it takes at most */
};

enum group { GROUP_OWN, GROUP_OTHERS, GROUP_COUNT }; /* with own blocks or without */

struct packing {
	struct arena *arena;
	struct packed kernels[PACKING_KERNELS]; /* by streams, the own first */
	int count;
	int64_t capacity[RESOURCE_COUNT];
	int64_t full[GROUP_COUNT][RESOURCE_COUNT]; /* NONE: this resource never makes it full */
};

bool packing_build(struct packing *packing, struct arena *arena, const struct platform *platform, const struct map *map,
	const struct classes *classes, int own);

/* A configuration: blocks[kernel], each at most 255. */
struct configurations {
	unsigned char *blocks; /* [configuration * kernels + kernel] */
	int count, capacity;
};

/* All minimal full configurations that fit. */
bool packing_enumerate(const struct packing *packing, struct configurations *found);

#endif
