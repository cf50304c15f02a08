/* How many blocks of a kernel an SM holds.
 *
 * Requires: a kernel with threads given (scope block, or scope grid with resources); platform limits of its compute capability.
 * Provides: the demand in allocation units; blocks an SM by each resource and which one binds; Eq. 1's percentage per resource;
 *           two occupancies: the greatest (for C_K, lower bounds, residents) and the least (for M_K).
 * Source:   [OCCUPANCY], [TWO-OCCUPANCIES], [FRAGMENTATION], [SUB-PARTITIONS]; [HW-OCCUPANCY] (cuda_occupancy.h); [HOPPER] P4 to P7;
 *           RTAS'20 Eq. 1.
 * Fails:    a limit the platform does not state is NONE, and so is what depends on it; a kernel that fits nowhere has greatest == 0.
 *
 * greatest: no SM ever holds more, blocks included of which warps have left: [LEAVERS]. Of blocks with all their warps (`whole`) a
 * sub-partition holds floor(its registers / those of a warp) warps of the kernel, wherever its blocks start; counting blocks in a
 * sub-partition instead ([V8]) is less than an H200 holds, so it is no maximum. Where A-FRAG is granted amounts alone decide, so that it is
 * what the registers of the whole SM hold; `least` is then what sub-partitions hold.
 *
 * least: on an SM without blocks of other kernels, a further block is refused only where at least this many of the kernel's own are
 * resident. So while one waits and no other kernel is resident, sum(least) blocks run, and M_K = ceil(N / sum(least)) * C is the
 * covering argument of [COV] with one class. Own blocks may have come while others were resident, and any may have left. Below
 * A-FRAG nothing is taken for granted but this: a hole of shared memory that is large enough is used, a block puts at most
 * ceil(w / P) of its w warps on one of P sub-partitions, the registers of warps that all take equally many leave no hole that a further
 * one cannot use, and an idle SM takes any block that fits it (so least >= 1). The smallest of
 *   warps       floor(warps of a sub-partition / ceil(w / P)), because blocks that leave may shift all others to the same start
 *   registers   likewise with the warps that the registers of a sub-partition hold; where register counts of warps differ, the count
 *               that contiguous allocation inside a sub-partition leaves; 1 for a kernel whose registers are exhausted before its warps
 *               once the shapes of blocks differ, because recorded refusals are explained by no rule ([SILICON] 12); with
 *               A-FRAG-REGISTERS what a sub-partition holds, whatever else was there: c own blocks refuse one only if (c + 1) ceil(w / P)
 *               warps do not fit it
 *   shared      (6.7), for one kernel alone as well: a free choice of addresses breaks the textbook count of equal blocks too (V9)
 * where the shared memory is what the SM is surely configured to: an SM keeps the configuration of the first block that came to it when
 * it was idle, which may be another kernel's, until it is idle again. That one is at least as large as the smallest that one of these
 * kernels asks for, and holds at least one own block; with measured rules (placement policy hopper) a kernel enters only where as many
 * of its blocks would fit as on an SM that was configured for it: `whole` with the default preference and with all of the shared
 * memory, surely one with any other. A kernel with an explicit preference is shut out of busy SMs with a larger configuration too, but
 * that takes nothing from `least`: an SM with own blocks and no others let one of them in, and admits the next as it admitted that one.
 * This holds with A-FRAG too: amounts decide, but of what is configured. */
#ifndef MAP_OCCUPANCY_H
#define MAP_OCCUPANCY_H

#include "base/memory.h"
#include "model/taskset.h"

enum fragments { FRAGMENTS_ANYWHERE, FRAGMENTS_NOWHERE, FRAGMENTS_OF_SHARED }; /* nothing, A-FRAG, A-FRAG-REGISTERS is granted */

enum resource { RESOURCE_WARPS, RESOURCE_BLOCKS, RESOURCE_REGISTERS, RESOURCE_SHARED, RESOURCE_COUNT };
extern const char *const resource_names[]; /* "warps", "blocks", "registers", "shared" */

struct demand {                                /* of one block, rounded up to allocation units */
	int64_t warps, warp_registers, shared; /* registers of one warp; bytes with the reserve; NONE: unknown */
	int64_t staying;                       /* warps that it has for sure until it ends: all, or one where others may leave before */
	int64_t configuration; /* bytes: an idle SM that it comes to is configured to at least so much shared memory; 0: unknown */
};

struct occupancy {
	struct demand demand;
	int64_t limit[RESOURCE_COUNT]; /* blocks an SM by this resource alone, sm.blocks where it uses none; NONE: unknown */
	enum resource binding;         /* the least of them, the first on ties */
	int64_t whole;    /* n: with all their warps; 0: fits nowhere; NONE: unknown; occupancy_fragment raises it where amounts decide */
	int64_t greatest; /* n^max: with what is left of those whose warps leave before them; likewise */
	int64_t least;    /* n^min, set by occupancy_fragment */
	enum resource least_binding;
	bool rests_on_registers; /* `least` is more than it would be without A-FRAG-REGISTERS */
};

struct occupancy occupancy_compute(const struct platform *platform, const struct kernel *kernel);

/* Sets `least` and `least_binding`, and `greatest` where amounts decide. others: the demands of the kernels that may have been on the SM
 * with or before its blocks; empty where none can be resident with it; its own may be among them. */
void occupancy_fragment(const struct platform *platform, struct occupancy *occupancy, const struct demand *others, int other_count,
	enum fragments fragments);

/* The share of the SM that `whole` blocks take of a resource, 0..1. */
struct rational occupancy_used(const struct platform *platform, const struct occupancy *occupancy, enum resource resource);

/* Registers that a block counts with when it is asked whether an SM is full: what it takes, or more where sub-partitions refuse a further
 * one before the amount does, so much that as many blocks as they take leave no room. A multiple of the allocation unit. */
int64_t occupancy_charged_registers(const struct platform *platform, const struct occupancy *occupancy);

/* The smallest shared-memory configuration of an SM that holds so many bytes; `bytes` where the configurations are not known. */
int64_t occupancy_configuration(const struct platform *platform, int64_t bytes);

/* Can an SM of this architecture share its memory between L1 and shared memory in more than one way? */
bool occupancy_is_configurable(const struct platform *platform);

#endif
