/* The resident state of one SM. */
#include "machine/sm.h"

#include <assert.h>

#define LANE_TOPS UINT64_C(0x8000800080008000)

/* In every lane, free >= taken? Lanes hold less than 2^15, so a borrow clears the top bit that was set before. */
static bool covers(uint64_t available, uint64_t taken)
{
	return (((available | LANE_TOPS) - taken) & LANE_TOPS) == LANE_TOPS;
}

static uint64_t fill(int parts, int value)
{
	uint64_t lanes = 0;
	for (int i = 0; i < parts; i++)
		lanes |= (uint64_t)value << 16 * i;
	return lanes;
}

static int lane(uint64_t lanes, int i)
{
	return (int)(lanes >> 16 * i & 0xffff);
}

static bool contiguous(enum allocation allocation)
{
	return allocation == ALLOCATION_FIRST_FIT || allocation == ALLOCATION_BEST_FIT || allocation == ALLOCATION_WORST_FIT;
}

void sm_reset(struct sm *sm, const struct limits *limits)
{
	struct resident *residents = sm->residents;
	*sm = (struct sm){.residents = residents};
	sm->warps_free = fill(limits->parts, limits->part_warps);
	sm->registers_free = fill(limits->parts, limits->part_registers);
	sm->slots_free = limits->blocks == BLOCKS_MOST ? UINT64_MAX : (UINT64_C(1) << limits->blocks) - 1;
	sm->configuration = 0;
}

/* Blocks that the parts take one after another from the start (rule 4). Whole periods load all parts alike, so the least part
 * decides how many there are; the rest, less than a period, is tried block by block. */
static int parts_room(uint64_t warps_free, uint64_t registers_free, int start, const struct limits *limits, const struct shape *shape)
{
	int least = UNLIMITED;
	for (int i = 0; i < limits->parts; i++) {
		int warps = lane(warps_free, i);
		if (shape->registers.divisor != 0) {
			int by_registers = divide(shape->registers, lane(registers_free, i));
			warps = by_registers < warps ? by_registers : warps;
		}
		least = warps < least ? warps : least;
	}
	int periods = divide(shape->period_warps, least), room = periods * shape->period;
	if (shape->period == 1)
		return room;
	uint64_t taken = fill(limits->parts, periods * shape->period_warps.divisor);
	warps_free -= taken;
	registers_free -= taken * (uint64_t)shape->registers.divisor;
	while (covers(warps_free, shape->take_warps[start]) && covers(registers_free, shape->take_registers[start])) {
		warps_free -= shape->take_warps[start];
		registers_free -= shape->take_registers[start];
		start = shape->next[start];
		room++;
	}
	return room;
}

/* The pieces of a contiguous resource that are in use. */
static int collect(const struct sm *sm, const struct limits *limits, bool shared, struct span used[])
{
	int count = 0;
	for (int slot = 0; slot < limits->blocks; slot++) {
		const struct resident *resident = &sm->residents[slot];
		if (sm->slots_free >> slot & 1)
			continue;
		used[count].offset = shared ? resident->shared_at : resident->registers_at;
		used[count].size = shared ? resident->shape->shared.divisor : resident->shape->registers.divisor * resident->shape->warps;
		count += used[count].size > 0;
	}
	return count;
}

static int shared_room(const struct sm *sm, const struct limits *limits, const struct shape *shape, int configuration)
{
	struct span used[BLOCKS_MOST];
	if (shape->shared.divisor == 0)
		return limits->blocks;
	if (contiguous(limits->shared_by))
		return span_room(used, collect(sm, limits, true, used), configuration, shape->shared.divisor);
	int available = configuration - sm->shared_used;
	return available <= 0 ? 0 : divide(shape->shared, available);
}

static int registers_room(const struct sm *sm, const struct limits *limits, const struct shape *shape)
{
	struct span used[BLOCKS_MOST];
	if (!contiguous(limits->registers_by) || shape->registers.divisor == 0)
		return limits->blocks;
	return span_room(used, collect(sm, limits, false, used), limits->part_registers, shape->registers.divisor * shape->warps);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

int sm_empty_room(const struct limits *limits, const struct shape *shape)
{
	struct sm sm = {0};
	sm_reset(&sm, limits);
	int room = least(limits->blocks, parts_room(sm.warps_free, sm.registers_free, 0, limits, shape));
	return shape->shared.divisor == 0 ? room : least(room, divide(shape->shared, limits->shared));
}

int sm_room(const struct sm *sm, const struct limits *limits, const struct shape *shape)
{
	if (sm->count == 0)
		return shape->per_sm;
	if (sm->configuration < shape->need || (shape->exact && sm->configuration != shape->target))
		return 0;
	int room = least(parts_room(sm->warps_free, sm->registers_free, sm->start, limits, shape), limits->blocks - sm->count);
	room = least(room, shared_room(sm, limits, shape, sm->configuration));
	return least(room, registers_room(sm, limits, shape));
}

/* The offsets of a new block's contiguous pieces; the room has been checked. */
static void allocate(struct sm *sm, const struct limits *limits, const struct shape *shape, struct resident *resident)
{
	struct span used[BLOCKS_MOST];
	if (contiguous(limits->shared_by) && shape->shared.divisor != 0)
		resident->shared_at = (uint16_t)span_place(
			used, collect(sm, limits, true, used), sm->configuration, shape->shared.divisor, limits->shared_by);
	if (contiguous(limits->registers_by) && shape->registers.divisor != 0)
		resident->registers_at = (uint16_t)span_place(used, collect(sm, limits, false, used), limits->part_registers,
			shape->registers.divisor * shape->warps, limits->registers_by);
}

static bool fits(const struct sm *sm, const struct limits *limits, const struct shape *shape)
{
	if (contiguous(limits->shared_by) || contiguous(limits->registers_by))
		return sm_room(sm, limits, shape) > 0;
	return sm->slots_free != 0 && sm->configuration >= shape->need && (!shape->exact || sm->configuration == shape->target) &&
	       sm->shared_used + shape->shared.divisor <= sm->configuration && covers(sm->warps_free, shape->take_warps[sm->start]) &&
	       covers(sm->registers_free, shape->take_registers[sm->start]);
}

/* An idle SM takes the kernel's target, but one that was busy a moment ago keeps a greater configuration (sm_settle). */
static void configure(struct sm *sm, const struct shape *shape)
{
	if (shape->exact || sm->configuration < shape->target)
		sm->configuration = shape->target;
}

void sm_settle(struct sm *sm)
{
	if (sm->count == 0)
		sm->configuration = 0;
}

int sm_take(struct sm *sm, const struct limits *limits, const struct shape *shape)
{
	if (sm->count == 0)
		configure(sm, shape);
	if (!fits(sm, limits, shape))
		return -1;
	int slot = __builtin_ctzll(sm->slots_free);
	struct resident *resident = &sm->residents[slot];
	*resident = (struct resident){.shape = shape, .start = (uint8_t)sm->start};
	allocate(sm, limits, shape, resident);
	sm->slots_free &= sm->slots_free - 1;
	sm->warps_free -= shape->take_warps[sm->start];
	sm->registers_free -= shape->take_registers[sm->start];
	sm->start = shape->next[sm->start];
	sm->shared_used += shape->shared.divisor;
	sm->count++;
	return slot;
}

void sm_release(struct sm *sm, const struct limits *limits, int slot)
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
	sm->warps_free += shape->take_warps[resident->start];
	sm->registers_free += shape->take_registers[resident->start];
	sm->shared_used -= shape->shared.divisor;
	sm->count--;
}
