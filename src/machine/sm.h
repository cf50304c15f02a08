/* One SM: what is resident on it, and how many more blocks of a kernel it takes.
 *
 * Requires: limits, shapes.
 * Provides: room, take, release. Warps and registers are counted by sub-partition with a running start, block slots as bits, shared
 *           memory against the SM's configuration.
 * Source:   placement-rules.md 3-6; theory.md 4.2, 6.9 (contiguous allocation).
 * Fails:    sm_take returns -1 and changes nothing where the block does not fit.
 */
#ifndef MACHINE_SM_H
#define MACHINE_SM_H

#include "machine/shape.h"

struct resident {
	const struct shape *shape;
	uint16_t registers_at, shared_at; /* offsets, where that resource is contiguous */
	uint8_t start;                    /* the part its first odd warp went to */
};

struct sm {
	uint64_t warps_free, registers_free; /* a lane of 16 bits a part, part 0 in the lowest */
	uint64_t slots_free;                 /* a bit a slot */
	int count;                           /* resident blocks */
	int start;                           /* p of placement-rules.md 4 */
	int shared_used, configuration;      /* units */
	struct resident *residents;          /* by slot */
};

static inline uint64_t sm_used(const struct sm *sm, const struct limits *limits) /* a bit a slot that holds a block */
{
	return ~sm->slots_free & limits->slots;
}

void sm_reset(struct sm *sm, const struct limits *limits); /* residents stay where they are */
int sm_empty_room(const struct limits *limits, const struct shape *shape);
int sm_room(const struct sm *sm, const struct limits *limits, const struct shape *shape);
int sm_take(struct sm *sm, const struct limits *limits, const struct shape *shape); /* the slot, or -1 */
void sm_release(struct sm *sm, const struct limits *limits, int slot);
/* An SM that the kernel at the head refills when its last block leaves keeps its configuration where that suffices; one that is idle
 * when a kernel comes to the head has none any more: that is what this does. Where placement-rules.md 5 alone would have shut blocks out,
 * they entered in the recordings on SMs that had been idle for less than 1.2 us (11,820 of 11,862 blocks); which of the two happens at
 * once after a change of head is open. */
static inline void sm_settle(struct sm *sm)
{
	if (sm->count == 0)
		sm->configuration = 0;
}

/* machine/span.c: pieces of a linear space. used: count pairs {offset, size}, in any order; they are sorted. */
struct span {
	int offset, size;
};
int span_room(struct span *used, int count, int capacity, int size);                       /* how many pieces still fit */
int span_place(struct span *used, int count, int capacity, int size, enum allocation fit); /* an offset, or -1 */

#endif
