/* What one SM of a platform holds, in allocation units, resolved once.
 *
 * Requires: a validated platform.
 * Provides: integers in units instead of quantities with sources; the order of SMs and its inverse; how registers and shared memory
 *           are allocated.
 * Source:   [HW-OCCUPANCY]; [SILICON] 12; [HOPPER] P2 to P4.
 * Fails:    sm_limits_read returns false and names the parameter that is missing or beyond what the machine can hold.
 */
#ifndef PLACEMENT_SM_LIMITS_H
#define PLACEMENT_SM_LIMITS_H

#include "base/memory.h"
#include "model/platform.h"

#define PARTS_MOST 4   /* sub-partitions of an SM; a lane of 16 bits each in a word */
#define BLOCKS_MOST 64 /* block slots of an SM; a bit each in a word */
#define SMS_MOST 4096
#define UNLIMITED 0x7fff /* a resource that the platform does not state: more units than any SM has */

/* How room is found in a resource. FUNGIBLE: amounts decide. The three fits: one block takes one contiguous piece of the SM's space, at an
 * end of the hole that the fit prefers. ADVERSARIAL_FIT: likewise, but inside of the greatest hole, so that it leaves one that is just too
 * small for another piece ((6.7) of [FRAGMENTATION] is reached). PARTITIONS (registers only): warps and their registers live in the SM's
 * sub-partitions, dealt from a running start. */
enum allocation {
	ALLOCATION_FUNGIBLE,
	ALLOCATION_FIRST_FIT,
	ALLOCATION_BEST_FIT,
	ALLOCATION_WORST_FIT,
	ALLOCATION_PARTITIONS,
	ALLOCATION_ADVERSARIAL_FIT
};
extern const char *const allocation_names[]; /* ends with NULL */

static inline bool allocation_contiguous(enum allocation allocation)
{
	return allocation != ALLOCATION_FUNGIBLE && allocation != ALLOCATION_PARTITIONS;
}

struct sm_limits {
	const struct platform *platform;
	int sm_count;
	int blocks, warps;              /* slots of an SM */
	uint64_t slots;                 /* a bit for each of blocks */
	int parts, part_warps;          /* sub-partitions; 1 unless registers are PARTITIONS */
	uint64_t lanes;                 /* a 1 in the lane of each part */
	int part_registers;             /* register units of a part */
	int register_unit;              /* registers */
	int shared, shared_unit;        /* shared units of an SM at its largest configuration; bytes of a unit */
	int64_t shared_reserved;        /* bytes added to each block */
	int *carveouts, carveout_count; /* configurations in shared units, ascending */
	bool configures;                /* an SM keeps a shared-memory configuration while it is busy */
	bool chip_configures;           /* the whole chip has one configuration */
	enum allocation registers_by, shared_by;
	bool contiguous;   /* one of them is */
	bool plain;        /* amounts of an SM and its own configuration decide: neither contiguous nor chip_configures */
	int *order, *rank; /* order[rank[s]] == s, the first choice first */
	int words;         /* of 64 SMs each: the length of a set of SMs */
};

/* NULL for the defaults: registers by sub-partition where the platform states them, shared memory fungible. */
struct allocation_options {
	enum allocation registers_by, shared_by;
};

bool sm_limits_read(struct sm_limits *limits, struct arena *arena, const struct platform *platform,
	const struct allocation_options *options, const char **missing);

#endif
