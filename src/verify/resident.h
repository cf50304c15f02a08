/* What of each kernel an SM holds, and what may be beside it: derived again.
 *
 * Requires: a validated platform and task set.
 * Provides: for each operation: does it put blocks on SMs; for kernels demand, blocks an SM by each resource, the greatest and the least
 *           number of blocks, slots of the chip, and who may be on the same SM, its TPC, its GPC, and elsewhere.
 * Source:   [HW-OCCUPANCY]; [ENVIRONMENT], [FRAGMENTATION]; [V8], [V9], [V10]; [HOPPER] P4 to P7.
 * Fails:    what the platform does not state is NONE, and so is what depends on it.
 */
#ifndef VERIFY_RESIDENT_H
#define VERIFY_RESIDENT_H

#include "verify/check.h"

enum limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_COUNT };
enum ring { RING_SM, RING_TPC, RING_GPC, RING_OUT, RING_COUNT }; /* how near another block is */

struct resident {
	bool on_sms; /* puts blocks on SMs */
	bool is_kernel, sized;
	int64_t warps, warp_registers, shared; /* of a block; of a warp; bytes of a block */
	int64_t remaining;                     /* warps of a block that are there until it ends */
	int64_t configured;                    /* an idle SM gets at least so much shared memory for it; 0: unknown */
	int64_t limit[LIMIT_COUNT];
	int binding, least_binding;
	bool rests_on_parts;                                         /* least rests on A-FRAG-REGISTERS */
	int64_t whole, greatest, least, slots_greatest, slots_least; /* whole: blocks with all their warps */
	int64_t filling; /* registers with which a block counts towards a full SM; no less than it takes */
	bool mixes;
	int64_t foreign_warps;
	bool beside[RING_COUNT], foreign[RING_COUNT];
	int64_t foreign_sms; /* the most SMs but its own that have foreign blocks */
};

struct resident *resident_derive(struct check *check); /* one an operation */

/* Copies and memsets have a direction, and an engine by it. */
bool resident_is_transfer(const struct operation *operation);
int resident_engine(const struct platform *platform, const struct operation *operation);
/* May work of two contexts be on the SMs together? */
bool resident_contexts_meet(const struct check *check);
/* Do locks keep the work of the two streams apart? Each operation of both is in a unit of one lock, and none of a unit in which the other
 * stream has some. */
bool resident_apart(const struct check *check, int a, int b);
/* May work of two streams be on the SMs together? */
bool resident_meet(const struct check *check, int a, int b);
/* On one SM? Partitions have none in common. */
bool resident_mix(const struct check *check, int a, int b);
/* Amounts of shared memory that an SM may be configured to. */
bool resident_configurable(const struct platform *platform);

/* May a kernel without a preference make others wait, on other SMs too, until the division that its blocks need is there? */
bool resident_divides_by_needs(const struct platform *platform);

/* Do blocks of both surely need the same shared memory? */
bool resident_same_shared(const struct kernel *a, const struct kernel *b);

/* The part of the report that prints all this. */
void resident_compare(struct check *check, const struct resident *residents);

#endif
