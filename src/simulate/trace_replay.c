/* The order of decisions in a recorded configuration, and what no SM can have held. */
#include "simulate/trace_replay.h"

#include <stdlib.h>

struct kernel trace_replay_kernel(const struct trace_kernel *traced, const struct replay_registers *registers, int64_t carveout)
{
	int64_t known = traced->variant < registers->count ? registers->of[traced->variant] : NONE;
	return (struct kernel){
		.scope = SCOPE_BLOCK,
		.grid = {traced->grid[0], traced->grid[1], traced->grid[2]},
		.blocks = traced->blocks,
		.threads = traced->threads,
		.registers = traced->registers != NONE ? traced->registers : known,
		.shared_static = traced->shared_static != NONE ? traced->shared_static : 0,
		.shared_dynamic = traced->shared_dynamic,
		.carveout = traced->carveout != NONE ? traced->carveout : carveout,
	};
}

struct key {
	int64_t time;
	int block; /* in the configuration's order: by kernel, then index */
};

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

static int *sorted(struct arena *arena, struct key *keys, int count)
{
	int *order = arena_allocate(arena, (size_t)count, sizeof *order);
	qsort(keys, (size_t)count, sizeof *keys, compare);
	for (int i = 0; i < count; i++)
		order[i] = keys[i].block;
	return order;
}

/* Head of line: all blocks of a kernel are decided before those of a kernel of its partition launched later with no higher priority
 * ([SILICON] 10; a stalled SM lets a block begin late, not out of order). NONE: there is no such kernel. */
static int64_t decided_behind(const struct trace_replay *replay, int k)
{
	const struct trace_configuration *trace = replay->trace;
	int64_t earliest = NONE;
	for (int later = k + 1; later < trace->kernel_count; later++)
		if (trace->kernels[later].members == trace->kernels[k].members &&
			trace->kernels[later].priority <= trace->kernels[k].priority)
			earliest = checked_min(earliest, replay->decided[trace->kernels[later].first_block]);
	return earliest;
}

/* Blocks of a kernel are decided in index order, so each no later than the earliest begin of itself and those behind it. */
static void set_decided(struct trace_replay *replay, int k)
{
	const struct trace_kernel *kernel = &replay->trace->kernels[k];
	int64_t earliest = decided_behind(replay, k);
	for (int b = kernel->first_block + (int)kernel->blocks - 1; b >= kernel->first_block; b--) {
		earliest = checked_min(earliest, replay->trace->blocks[b].begin);
		replay->decided[b] = earliest;
		replay->kernel_of[b] = k;
	}
}

/* The first end of a block in the kernel's partition. */
static int64_t first_end_beside(const struct trace_configuration *trace, int k, const int64_t *first_end)
{
	int64_t earliest = NONE;
	for (int other = 0; other < trace->kernel_count; other++)
		if (trace->kernels[other].members == trace->kernels[k].members)
			earliest = checked_min(earliest, first_end[other]);
	return earliest;
}

static bool is_held(const struct trace_configuration *trace, int k, int64_t first_end)
{
	const struct trace_kernel *kernel = &trace->kernels[k];
	for (int64_t i = 0; i < kernel->blocks; i++)
		if (trace->blocks[kernel->first_block + i].begin > first_end)
			return false;
	return true;
}

void trace_replay_init(struct trace_replay *replay, struct arena *arena, const struct trace_configuration *trace)
{
	size_t blocks = (size_t)trace->block_count;
	*replay = (struct trace_replay){.trace = trace};
	replay->kernel_of = arena_allocate(arena, blocks, sizeof *replay->kernel_of);
	replay->decided = arena_allocate(arena, blocks, sizeof *replay->decided);
	replay->held = arena_allocate(arena, (size_t)trace->kernel_count, sizeof *replay->held);
	struct key *keys = arena_allocate(arena, blocks, sizeof *keys);
	for (int k = trace->kernel_count - 1; k >= 0; k--)
		set_decided(replay, k);
	for (int b = 0; b < trace->block_count; b++)
		keys[b] = (struct key){replay->decided[b], b};
	replay->by_decision = sorted(arena, keys, trace->block_count);
	for (int b = 0; b < trace->block_count; b++)
		keys[b] = (struct key){trace->blocks[b].end, b};
	replay->by_end = sorted(arena, keys, trace->block_count);
	int64_t *first_end = arena_allocate(arena, (size_t)trace->kernel_count, sizeof *first_end);
	for (int b = trace->block_count - 1; b >= 0; b--)
		first_end[replay->kernel_of[replay->by_end[b]]] = trace->blocks[replay->by_end[b]].end;
	for (int k = 0; k < trace->kernel_count; k++)
		replay->held[k] = is_held(trace, k, first_end_beside(trace, k, first_end));
}

/* ---- impossible occupancy */

struct used {
	int64_t blocks, warps, registers, shared;
};

static void add(struct used *used, const struct used *more, int sign)
{
	used->blocks += sign * more->blocks;
	used->warps += sign * more->warps;
	used->registers += sign * more->registers;
	used->shared += sign * more->shared;
}

/* The demand of one block in units; totals are checked, whatever the rule of allocation. */
static struct used demand(const struct sm_limits *limits, const struct kernel *kernel)
{
	int64_t warps = kernel_warps(kernel);
	int64_t a_warp =
		kernel->registers == NONE ? 0 : checked_div_ceil(checked_mul(kernel->registers, THREADS_A_WARP), limits->register_unit);
	int64_t bytes = checked_add(checked_add(kernel->shared_static, kernel->shared_dynamic), limits->shared_reserved);
	return (struct used){1, warps, checked_mul(warps, a_warp), checked_div_ceil(bytes, limits->shared_unit)};
}

static const char *exceeded(const struct sm_limits *limits, const struct used *used)
{
	if (used->blocks > limits->blocks)
		return "blocks";
	if (used->warps > limits->warps)
		return "warps";
	if (limits->part_registers != UNLIMITED && used->registers > (int64_t)limits->part_registers * limits->parts)
		return "registers";
	return limits->shared != UNLIMITED && used->shared > limits->shared ? "shared memory" : NULL;
}

static const char *path_of(const struct trace_replay *replay, int block)
{
	return replay->trace->kernels[replay->kernel_of[block]].path;
}

static bool check_sms(const struct trace_replay *replay, const struct sm_limits *limits, struct diagnostics *diagnostics)
{
	for (int b = 0; b < replay->trace->block_count; b++) {
		const struct trace_block *block = &replay->trace->blocks[b];
		if (block->sm < limits->sm_count)
			continue;
		diagnose(diagnostics, DIAGNOSTIC_TRACE_SM, path_of(replay, b), block->line,
			"SM %d; the platform model '%s' has %d SMs, from 0 on", block->sm, limits->platform->id, limits->sm_count);
		return false;
	}
	return true;
}

/* begin and end of a block are read while it is resident, by the clock of its SM: who ends at the begin of another may have left. */
bool trace_replay_check(const struct trace_replay *replay, struct arena *arena, const struct sm_limits *limits,
	const struct replay_registers *registers, struct diagnostics *diagnostics)
{
	const struct trace_configuration *trace = replay->trace;
	struct used *used = arena_allocate(arena, (size_t)limits->sm_count, sizeof *used);
	struct used *demands = arena_allocate(arena, (size_t)trace->kernel_count, sizeof *demands);
	struct key *keys = arena_allocate(arena, (size_t)trace->block_count, sizeof *keys);
	if (!check_sms(replay, limits, diagnostics))
		return false;
	for (int k = 0; k < trace->kernel_count; k++) {
		struct kernel kernel = trace_replay_kernel(&trace->kernels[k], registers, NONE);
		demands[k] = demand(limits, &kernel);
	}
	for (int b = 0; b < trace->block_count; b++)
		keys[b] = (struct key){trace->blocks[b].begin, b};
	const int *by_begin = sorted(arena, keys, trace->block_count);
	for (int i = 0, ended = 0; i < trace->block_count; i++) {
		const struct trace_block *block = &trace->blocks[by_begin[i]];
		for (; trace->blocks[replay->by_end[ended]].end <= block->begin && replay->by_end[ended] != by_begin[i]; ended++) {
			int b = replay->by_end[ended];
			add(&used[trace->blocks[b].sm], &demands[replay->kernel_of[b]], -1);
		}
		add(&used[block->sm], &demands[replay->kernel_of[by_begin[i]]], 1);
		const char *resource = exceeded(limits, &used[block->sm]);
		if (resource == NULL)
			continue;
		diagnose(diagnostics, DIAGNOSTIC_TRACE_OCCUPANCY, path_of(replay, by_begin[i]), block->line,
			"when this block begins, SM %d holds more %s than it has", block->sm, resource);
		return false;
	}
	return true;
}
