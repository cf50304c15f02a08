/* The resident state of one SM. */
#include "placement/sm.h"

#define FEW_BLOCKS 3

static int lane(uint64_t lanes, int i)
{
	return (int)(lanes >> 16 * i & 0xffff);
}

void sm_reset(struct sm *sm, const struct sm_limits *limits)
{
	struct resident *residents = sm->residents;
	*sm = (struct sm){.residents = residents};
	sm->warps_free = limits->lanes * (uint64_t)limits->part_warps;
	sm->registers_free = limits->lanes * (uint64_t)limits->part_registers;
	sm->slots_free = limits->slots;
	sm->configuration = 0;
}

/* Free space of an SM's parts, a lane each. */
struct lanes {
	uint64_t warps, registers;
	int start;
};

/* Places blocks one after another from the start (rule 4), at most so many; how many succeeded. */
static int fill_parts(struct lanes *lanes, const struct shape *shape, int most)
{
	int room = 0;
	while (room < most && parts_take(shape, lanes->warps, lanes->registers, lanes->start)) {
		lanes->warps -= shape->take_warps[lanes->start];
		lanes->registers -= shape->take_registers[lanes->start];
		lanes->start = shape->next[lanes->start];
		room++;
	}
	return room;
}

/* Whole periods load all parts alike, so the part with the least space for warps decides how many there are. */
static int whole_periods(const struct lanes *lanes, const struct sm_limits *limits, const struct shape *shape)
{
	int least = UNLIMITED;
	for (int i = 0; i < limits->parts; i++) {
		int warps = lane(lanes->warps, i);
		if (shape->registers.divisor != 0) {
			int by_registers = divide(shape->registers, lane(lanes->registers, i));
			warps = by_registers < warps ? by_registers : warps;
		}
		least = warps < least ? warps : least;
	}
	return divide(shape->period_warps, least);
}

/* A busy SM has mostly little room: that is found block by block; much room by whole periods, and less than a period block by block. */
static int parts_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	struct lanes lanes = {sm->warps_free, sm->registers_free, sm->start};
	int room = fill_parts(&lanes, shape, FEW_BLOCKS);
	if (room < FEW_BLOCKS)
		return room;
	int periods = whole_periods(&lanes, limits, shape);
	uint64_t taken = limits->lanes * (uint64_t)(periods * shape->period_warps.divisor);
	lanes.warps -= taken;
	lanes.registers -= taken * (uint64_t)shape->registers.divisor;
	return room + periods * shape->period + fill_parts(&lanes, shape, shape->period);
}

/* The pieces of a contiguous resource that are in use. */
static int collect(const struct sm *sm, const struct sm_limits *limits, bool shared, struct span used[])
{
	int count = 0;
	for (uint64_t slots = sm_used(sm, limits); slots != 0; slots &= slots - 1) {
		const struct resident *resident = &sm->residents[__builtin_ctzll(slots)];
		used[count].offset = shared ? resident->shared_at : resident->registers_at;
		used[count].size = shared ? resident->shape->shared.divisor : resident->shape->registers.divisor * resident->shape->warps;
		count += used[count].size > 0;
	}
	return count;
}

static int contiguous_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape, int configuration)
{
	struct span used[BLOCKS_MOST];
	return span_room(used, collect(sm, limits, true, used), configuration, shape->shared.divisor);
}

static int shared_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape, int configuration)
{
	if (shape->shared.divisor == 0)
		return limits->blocks;
	if (allocation_contiguous(limits->shared_by))
		return contiguous_room(sm, limits, shape, configuration);
	int available = configuration - sm->shared_used;
	return available <= 0 ? 0 : divide(shape->shared, available);
}

static int registers_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	struct span used[BLOCKS_MOST];
	if (!allocation_contiguous(limits->registers_by) || shape->registers.divisor == 0)
		return limits->blocks;
	return span_room(used, collect(sm, limits, false, used), limits->part_registers, shape->registers.divisor * shape->warps);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

int sm_empty_room(const struct sm_limits *limits, const struct shape *shape)
{
	struct sm sm = {0};
	sm_reset(&sm, limits);
	int room = least(limits->blocks, parts_room(&sm, limits, shape));
	return shape->shared.divisor == 0 ? room : least(room, divide(shape->shared, limits->shared));
}

int sm_busy_room(const struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	int room = least(parts_room(sm, limits, shape), limits->blocks - sm->count);
	room = least(room, shared_room(sm, limits, shape, sm->configuration));
	return limits->contiguous ? least(room, registers_room(sm, limits, shape)) : room;
}

void sm_allocate(struct sm *sm, const struct sm_limits *limits, const struct shape *shape)
{
	struct span used[BLOCKS_MOST];
	struct resident *resident = &sm->residents[__builtin_ctzll(sm->slots_free)];
	resident->shared_at = resident->registers_at = 0;
	if (allocation_contiguous(limits->shared_by) && shape->shared.divisor != 0)
		resident->shared_at = (uint16_t)span_place(
			used, collect(sm, limits, true, used), sm->configuration, shape->shared.divisor, limits->shared_by);
	if (allocation_contiguous(limits->registers_by) && shape->registers.divisor != 0)
		resident->registers_at = (uint16_t)span_place(used, collect(sm, limits, false, used), limits->part_registers,
			shape->registers.divisor * shape->warps, limits->registers_by);
}

void sm_leave(struct sm *sm, const struct sm_limits *limits, int slot, int warps, int from)
{
	struct resident *resident = &sm->residents[slot];
	const struct shape *shape = resident->shape;
	int each = allocation_contiguous(limits->registers_by) ? 0 : shape->registers.divisor;
	for (int i = 0; i < limits->parts && warps > 0; i++) {
		int part = (from + i) % limits->parts;
		int gone = least(warps, lane(shape->take_warps[resident->start] - resident->warps_gone, part));
		uint64_t of_warps = (uint64_t)gone << 16 * part, of_registers = (uint64_t)(gone * each) << 16 * part;
		resident->warps_gone += of_warps;
		resident->registers_gone += of_registers;
		sm->warps_free += of_warps;
		sm->registers_free += of_registers;
		warps -= gone;
	}
}

/* What an idle SM still has may do (sm_settle) where as many blocks fit into it; else it takes the kernel's target. */
void sm_configure(struct sm *sm, const struct shape *shape)
{
	int64_t most = (int64_t)shape->per_sm * shape->shared.divisor;
	if (sm->configuration == 0 || !shape_admits(shape, sm->configuration) || sm->configuration < most)
		sm->configuration = shape->target;
}
