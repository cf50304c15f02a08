/* One SM: what is resident on it, and how many more blocks of a kernel it takes.
 *
 * Requires: limits, shapes.
 * Provides: room, take, release. Warps and registers are counted by sub-partition with a running start, block slots as bits, shared
 *           memory against the SM's configuration.
 * Source:   [HOPPER] P3 to P6; [MOST-ROOM], [FRAGMENTATION] (contiguous allocation).
 * Fails:    sm_take returns -1 and changes nothing where the block does not fit.
 */
#ifndef PLACEMENT_SM_H
#define PLACEMENT_SM_H

#include "base/assert.h"
#include "placement/shape.h"

struct resident {
	const struct shape *shape;
	uint16_t registers_at, shared_at;    /* offsets, where that resource is contiguous */
	uint8_t start;                       /* the part its first odd warp went to */
	uint64_t warps_gone, registers_gone; /* given back already, a lane of 16 bits a part */
};

struct sm {
	uint64_t warps_free, registers_free; /* a lane of 16 bits a part, part 0 in the lowest */
	uint64_t slots_free;                 /* a bit a slot */
	int count;                           /* resident blocks */
	int start;                           /* p of [HOPPER] P4 */
	int shared_used, configuration;      /* units */
	struct resident *residents;          /* by slot */
};

static inline uint64_t sm_used(const struct sm *sm, const struct sm_limits *limits) /* a bit a slot that holds a block */
{
	return ~sm->slots_free & limits->slots;
}

void sm_reset(struct sm *sm, const struct sm_limits *limits); /* residents stay where they are */
int sm_empty_room(const struct sm_limits *limits, const struct shape *shape);
static inline int sm_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape);
static inline int sm_take(struct sm *sm, const struct sm_limits *limits, const struct shape *shape); /* the slot, or -1 */
static inline void sm_release(struct sm *sm, const struct sm_limits *limits, int slot);
/* So many warps of the block end, those of part `from` first; their room is given to others, but registers that are of one piece. */
void sm_leave(struct sm *sm, const struct sm_limits *limits, int slot, int warps, int from);
/* An SM that the kernel at the head refills when its last block leaves keeps its configuration where that suffices; one that is idle
 * when a kernel comes to the head has none any more: that is what this does. Where [HOPPER] P5 alone would have shut blocks out,
 * they entered in the recordings on SMs that had been idle for less than 1.2 us (11,820 of 11,862 blocks); which of the two happens at
 * once after a change of head is open. */
static inline void sm_settle(struct sm *sm)
{
	if (sm->count == 0)
		sm->configuration = 0;
}

/* placement/span.c: pieces of a linear space. used: count pairs {offset, size}, in any order; they are sorted. */
struct span {
	int offset, size;
};
int span_room(struct span *used, int count, int capacity, int size);                       /* how many pieces still fit */
int span_place(struct span *used, int count, int capacity, int size, enum allocation fit); /* an offset, or -1 */

/* ---- what a placement does, without a call: bench/bench_placement.c */

#define LANE_TOPS UINT64_C(0x8000800080008000)

/* In every lane, available >= taken? Lanes hold less than 2^15, so a borrow clears the top bit that was set before. */
static inline bool lanes_cover(uint64_t available, uint64_t taken)
{
	return (((available | LANE_TOPS) - taken) & LANE_TOPS) == LANE_TOPS;
}

/* Do sub-partitions with so much free take a block that starts on this one? */
static inline bool parts_take(const struct shape *shape, uint64_t warps, uint64_t registers, int start)
{
	return lanes_cover(warps, shape->take_warps[start]) && lanes_cover(registers, shape->take_registers[start]);
}

static inline bool sm_parts_take(const struct sm *sm, const struct shape *shape)
{
	return parts_take(shape, sm->warps_free, sm->registers_free, sm->start);
}

/* They take one block: and another one? */
static inline bool sm_parts_take_two(const struct sm *sm, const struct shape *shape)
{
	uint64_t warps = sm->warps_free - shape->take_warps[sm->start], registers = sm->registers_free - shape->take_registers[sm->start];
	return parts_take(shape, warps, registers, shape->next[sm->start]);
}

static inline bool sm_shared_takes(const struct sm *sm, const struct shape *shape)
{
	return sm->shared_used + shape->shared.divisor <= sm->configuration;
}

/* placement/sm.c, for the functions below only: the room of a busy SM that admits the kernel and whose sub-partitions take a
 * block; where allocation is contiguous, the offsets of a new block, which go to its slot; the configuration that an idle SM takes. */
int sm_busy_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape);
void sm_allocate(struct sm *sm, const struct sm_limits *limits, const struct shape *shape);
void sm_configure(struct sm *sm, const struct shape *shape);

static inline int sm_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	if (sm->count == 0)
		return shape->per_sm;
	if (sm->slots_free == 0 || !shape_admits(shape, sm->configuration) || !sm_parts_take(sm, shape))
		return 0;
	if (!limits->contiguous && !sm_parts_take_two(sm, shape)) /* most of them: the chip is full */
		return shape->shared.divisor == 0 || sm_shared_takes(sm, shape);
	return sm_busy_room(sm, limits, shape);
}

static inline bool sm_fits(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	if (limits->contiguous)
		return sm_room(sm, limits, shape) > 0;
	return sm->slots_free != 0 && shape_admits(shape, sm->configuration) && sm_shared_takes(sm, shape) && sm_parts_take(sm, shape);
}

/* Books a block that fits. */
static inline int sm_put(struct sm *sm, const struct shape *shape)
{
	int slot = __builtin_ctzll(sm->slots_free), start = sm->start;
	sm->residents[slot].shape = shape;
	sm->residents[slot].start = (uint8_t)start;
	sm->residents[slot].warps_gone = sm->residents[slot].registers_gone = 0;
	sm->slots_free &= sm->slots_free - 1;
	sm->warps_free -= shape->take_warps[start];
	sm->registers_free -= shape->take_registers[start];
	sm->start = shape->next[start];
	sm->shared_used += shape->shared.divisor;
	sm->count++;
	return slot;
}

static inline int sm_take(struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	if (sm->count == 0)
		sm_configure(sm, shape);
	if (!sm_fits(sm, limits, shape))
		return -1;
	if (limits->contiguous)
		sm_allocate(sm, limits, shape);
	return sm_put(sm, shape);
}

static inline void sm_release(struct sm *sm, const struct sm_limits *limits, int slot)
{
	const struct resident *resident = &sm->residents[slot];
	const struct shape *shape = resident->shape;
	assert((sm->slots_free >> slot & 1) == 0);
	if (sm->count == 1) {
		int kept = sm->configuration;
		sm_reset(sm, limits);
		sm->configuration = kept;
		return;
	}
	sm->slots_free |= UINT64_C(1) << slot;
	sm->warps_free += shape->take_warps[resident->start] - resident->warps_gone;
	sm->registers_free += shape->take_registers[resident->start] - resident->registers_gone;
	sm->shared_used -= shape->shared.divisor;
	sm->count--;
}

#endif
