/* What placements are possible: an over-approximation of what the block scheduler may do.
 *
 * Requires: a validated platform and task set.
 * Provides: for each kernel operation its occupancy and what may run beside its blocks, whatever the placement rule: the most foreign
 *           warps on its SM, whether a neighbour SM of its TPC, its GPC, or any other SM may be active.
 * Source:   [ENVIRONMENT]; RTAS'20 Defs III.1-III.3.
 * Fails:    never: what is unknown is taken as possible.
 */
#ifndef MAP_MAP_H
#define MAP_MAP_H

#include "map/occupancy.h"
#include "map/domains.h"

struct kernel_map {
	bool is_kernel;                      /* everything below only for operations of kind KERNEL */
	bool sized;                          /* threads are known: occupancy is meaningful */
	struct occupancy occupancy;          /* of a kernel that is not sized: all unknown */
	int64_t slots_greatest, slots_least; /* on all SMs that it may use: Q^max, Q^min; NONE: unknown */
	bool mixes;                          /* another kernel, or a copy or memset that runs as one, may be resident with it */
	int64_t foreign_warps;               /* most warps of other kernels on its SM; NONE: unknown, any */
	/* may blocks run on the same SM, in its TPC, in its GPC, elsewhere (own kernel's included) */
	bool beside_sm, beside_tpc, beside_gpc, beside_out;
	/* The same for foreign blocks only: of other kernels, and of copies and memsets that run as kernels, that its context may have
	 * resident together with it. What consists of its own blocks alone is inside its isolated WCET (A-WCET). */
	bool foreign_sm, foreign_tpc, foreign_gpc, foreign_out;
	int64_t foreign_sms; /* the most other SMs that have such; NONE: unknown */
};

struct map {
	struct kernel_map *kernels; /* one an operation of the task set, in its order */
	struct domains *domains;
};

/* Does this copy or memset put blocks on SMs? Where nothing says which engine serves copies inside the device and memsets: yes. */
bool map_runs_as_kernel(const struct platform *platform, const struct operation *operation);

/* Does it put blocks on SMs, where others may have theirs? Not fragment work that has the engine to itself (A-DRAW). */
bool map_meets_blocks(const struct platform *platform, const struct operation *operation);

/* May work of two streams be on the execution engine together? One context (A-EXCL, merged contexts), and no NULL stream between them. */
bool map_streams_overlap(const struct platform *platform, const struct taskset *set, int a, int b);
/* On one SM together? */
bool map_streams_mix(const struct platform *platform, const struct taskset *set, int a, int b);

/* Does what its blocks take beside one another come from its code, on a platform that keeps slots ([WCET-BESIDE])? */
bool map_beside_from_code(const struct platform *platform, const struct operation *operation, const struct kernel_map *kernel);

struct map *map_build(struct arena *arena, const struct platform *platform, const struct taskset *set);

/* The same-SM rule of RTAS'20 in the form of [SAME-SM]: a y-warp block joins the SM that already holds an x-warp block (mw warps
 * an SM, z of them taken before). False also where y no longer fits. */
bool map_same_sm(int64_t warps_a_sm, int64_t before, int64_t x, int64_t y);

#endif
