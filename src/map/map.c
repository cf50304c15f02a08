/* Who may be resident beside whom, whatever the placement rule does. */
#include "map/map.h"

#include <stddef.h>

bool map_runs_as_kernel(const struct platform *platform, const struct operation *operation)
{
	if (operation->kind != OPERATION_COPY && operation->kind != OPERATION_MEMSET)
		return false;
	enum direction direction = operation->copy.direction;
	int engine = platform->engine_of[direction];
	bool by_kernel_somewhere = direction == DIRECTION_D2D || direction == DIRECTION_PEER || direction == DIRECTION_MEMSET;
	return engine == ENGINE_COMPUTE || (engine == ENGINE_NONE && by_kernel_somewhere);
}

bool map_meets_blocks(const struct platform *platform, const struct operation *operation)
{
	if (operation->kind == OPERATION_FRAGMENT)
		return !platform_grants(platform, ASSUMPTION_DRAW);
	return operation->kind == OPERATION_KERNEL || map_runs_as_kernel(platform, operation);
}

/* ---- streams: one operation of a stream is in the engines at a time (A-ONE), so streams are what mixes */

static bool one_context(const struct platform *platform, const struct taskset *set, int a, int b)
{
	return a == b || set->merged_context || !platform_grants(platform, ASSUMPTION_EXCL);
}

/* The legacy default stream waits for the blocking streams of its application, and they for it. */
static bool null_excludes(const struct stream *a, const struct stream *b)
{
	return a->application == b->application &&
	       ((a->kind == STREAM_NULL && b->kind == STREAM_BLOCKING) || (a->kind == STREAM_BLOCKING && b->kind == STREAM_NULL));
}

bool map_streams_overlap(const struct platform *platform, const struct taskset *set, int a, int b)
{
	const struct stream *first = &set->streams[a], *second = &set->streams[b];
	return a != b && !set->exclusive && one_context(platform, set, first->application, second->application) &&
	       !null_excludes(first, second);
}

struct load { /* what a stream may put on one SM */
	bool any;
	int64_t warps;                             /* the most at once; NONE: unknown */
	bool has_company, mixes;                   /* a stream that overlaps with it has a load; on an SM that it may use, too */
	bool tpc_shared, gpc_shared, out_possible; /* an SM that it may use may have a neighbour in its TPC, in its GPC, outside it */
	struct sm_set sms;                         /* that its kernels may use */
	int64_t foreign_warps;
};

struct builder {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct map *map;
	struct load *loads; /* one a stream */
};

static void size_kernel(struct builder *builder, int index)
{
	const struct operation *operation = &builder->set->operations[index];
	struct kernel_map *kernel = &builder->map->kernels[index];
	kernel->is_kernel = operation->kind == OPERATION_KERNEL;
	if (!kernel->is_kernel)
		return;
	kernel->sized = operation->kernel.threads != NONE;
	kernel->occupancy = occupancy_compute(builder->platform, &operation->kernel);
}

static int64_t warps_on_an_sm(const struct operation *operation, const struct kernel_map *kernel)
{
	if (!kernel->is_kernel)
		return NONE;
	return checked_mul(checked_min(kernel->occupancy.greatest, operation->kernel.blocks), kernel->occupancy.demand.warps);
}

static void mix_streams(struct builder *builder)
{
	const struct taskset *set = builder->set;
	for (int i = 0; i < set->operation_count; i++)
		if (map_meets_blocks(builder->platform, &set->operations[i]))
			builder->loads[set->operations[i].stream].any = true;
	for (int a = 0; a < set->stream_count; a++)
		for (int b = 0; b < set->stream_count; b++)
			if (builder->loads[b].any && map_streams_overlap(builder->platform, set, a, b)) {
				builder->loads[a].has_company = true;
				builder->loads[a].mixes |= !sm_set_is_disjoint(&builder->loads[a].sms, &builder->loads[b].sms);
			}
}

/* When it is known how many blocks of each kernel an SM holds: more where amounts decide. */
static void add_loads(struct builder *builder)
{
	const struct taskset *set = builder->set;
	for (int i = 0; i < set->operation_count; i++) {
		if (!map_meets_blocks(builder->platform, &set->operations[i]))
			continue;
		struct load *load = &builder->loads[set->operations[i].stream];
		load->warps = checked_max(load->warps, warps_on_an_sm(&set->operations[i], &builder->map->kernels[i]));
	}
	for (int a = 0; a < set->stream_count; a++)
		for (int b = 0; b < set->stream_count; b++)
			if (builder->loads[b].any && map_streams_overlap(builder->platform, set, a, b) &&
				!sm_set_is_disjoint(&builder->loads[a].sms, &builder->loads[b].sms))
				builder->loads[a].foreign_warps = checked_add(builder->loads[a].foreign_warps, builder->loads[b].warps);
}

static void set_foreign_warps(struct builder *builder, int index)
{
	const struct load *load = &builder->loads[builder->set->operations[index].stream];
	struct kernel_map *kernel = &builder->map->kernels[index];
	int64_t room = checked_sub(platform_value(builder->platform, PARAMETER_SM_WARPS), kernel->occupancy.demand.warps);
	kernel->foreign_warps = load->mixes ? checked_min(room, load->foreign_warps) : 0;
}

/* ---- neighbours */

static bool together(int a, int b)
{
	return a == NO_ID || b == NO_ID || a == b;
}

/* Of an SM of the stream's with any other one of the chip: whoever works there may be a neighbour. */
static void pair_sms(const struct platform *platform, struct load *load)
{
	int64_t count = load->sms.chip;
	bool known = platform->sms != NULL && platform->map_source != NULL && count != NONE;
	load->tpc_shared = load->gpc_shared = load->out_possible = !known && count != 1;
	for (int64_t a = 0; known && a < count; a++)
		for (int64_t b = a + 1; b < count && !(load->tpc_shared && load->gpc_shared && load->out_possible); b++) {
			const struct sm_position *first = &platform->sms[a], *second = &platform->sms[b];
			if (!sm_set_has(&load->sms, a) && !sm_set_has(&load->sms, b))
				continue;
			load->tpc_shared = load->tpc_shared || together(first->tpc, second->tpc);
			load->gpc_shared = load->gpc_shared || together(first->gpc, second->gpc);
			load->out_possible = load->out_possible || first->gpc == NO_ID || second->gpc == NO_ID || first->gpc != second->gpc;
		}
}

/* Streams that use the same SMs have the same neighbours. */
static void find_neighbours(struct builder *builder)
{
	for (int i = 0; i < builder->set->stream_count; i++) {
		struct load *load = &builder->loads[i];
		const struct load *before = i > 0 ? &builder->loads[i - 1] : NULL;
		load->sms = sm_set_of_stream(builder->platform, builder->set, i);
		if (before == NULL || !sm_set_is_equal(&load->sms, &before->sms)) {
			pair_sms(builder->platform, load);
			continue;
		}
		load->tpc_shared = before->tpc_shared;
		load->gpc_shared = before->gpc_shared;
		load->out_possible = before->out_possible;
	}
}

static void place_neighbours(const struct builder *builder, const struct operation *operation, struct kernel_map *kernel)
{
	const struct load *load = &builder->loads[operation->stream];
	bool siblings = operation->kernel.blocks != 1, any = load->has_company || siblings;
	kernel->foreign_sm = kernel->mixes;
	kernel->foreign_tpc = load->has_company && load->tpc_shared;
	kernel->foreign_gpc = load->has_company && load->gpc_shared;
	kernel->foreign_out = load->has_company && load->out_possible;
	kernel->beside_sm = kernel->mixes || (siblings && kernel->occupancy.greatest > 1);
	kernel->beside_tpc = any && load->tpc_shared;
	kernel->beside_gpc = any && load->gpc_shared;
	kernel->beside_out = any && load->out_possible;
}

/* ---- the least occupancy: whoever may have set an SM's configuration or left holes on it, earlier kernels of its own stream included */

struct residents {
	struct demand *demands;
	int count;
};

static bool resides(const struct builder *builder, int application, int index)
{
	const struct operation *operation = &builder->set->operations[index];
	return map_meets_blocks(builder->platform, operation) &&
	       one_context(builder->platform, builder->set, application, builder->set->streams[operation->stream].application);
}

static int count_residents(const struct builder *builder, int application)
{
	const struct taskset *set = builder->set;
	int count = 0;
	for (int i = 0; i < set->operation_count; i++)
		count += resides(builder, application, i);
	return count;
}

static struct residents residents_of(const struct builder *builder, int application)
{
	static const struct demand unknown = {NONE, NONE, NONE, 0};
	const struct taskset *set = builder->set;
	size_t count = (size_t)count_residents(builder, application);
	struct residents residents = {arena_allocate(builder->arena, count + 1, sizeof(struct demand)), 0};
	for (int i = 0; i < set->operation_count; i++) {
		const struct kernel_map *kernel = &builder->map->kernels[i];
		if (resides(builder, application, i))
			residents.demands[residents.count++] = kernel->is_kernel ? kernel->occupancy.demand : unknown;
	}
	return residents;
}

static enum fragments fragments_of(const struct platform *platform)
{
	return platform_grants(platform, ASSUMPTION_FRAG)             ? FRAGMENTS_NOWHERE
	       : platform_grants(platform, ASSUMPTION_FRAG_REGISTERS) ? FRAGMENTS_OF_SHARED
								      : FRAGMENTS_ANYWHERE;
}

static void finish_kernel(const struct builder *builder, const struct residents *residents, int index)
{
	const struct operation *operation = &builder->set->operations[index];
	const struct load *load = &builder->loads[operation->stream];
	struct kernel_map *kernel = &builder->map->kernels[index];
	struct occupancy *occupancy = &kernel->occupancy;
	kernel->mixes = load->mixes;
	occupancy_fragment(
		builder->platform, occupancy, residents->demands, load->mixes ? residents->count : 0, fragments_of(builder->platform));
	kernel->slots_greatest = checked_mul(load->sms.size, occupancy->greatest);
	kernel->slots_least = checked_mul(load->sms.size, occupancy->least);
	place_neighbours(builder, operation, kernel);
}

static void finish_application(const struct builder *builder, int application)
{
	const struct taskset *set = builder->set;
	struct residents residents = residents_of(builder, application);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL && set->streams[set->operations[i].stream].application == application)
			finish_kernel(builder, &residents, i);
}

struct map *map_build(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct builder builder = {.arena = arena, .platform = platform, .set = set, .map = arena_allocate(arena, 1, sizeof(struct map))};
	builder.map->kernels = arena_allocate(arena, (size_t)set->operation_count, sizeof(struct kernel_map));
	builder.loads = arena_allocate(arena, (size_t)set->stream_count, sizeof(struct load));
	find_neighbours(&builder);
	for (int i = 0; i < set->operation_count; i++)
		size_kernel(&builder, i);
	mix_streams(&builder);
	for (int i = 0; i < set->application_count; i++)
		finish_application(&builder, i);
	add_loads(&builder);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL)
			set_foreign_warps(&builder, i);
	return builder.map;
}

/* (4.1) for mw - z: adding x does not reduce the number of y-warp blocks that still fit, and at least one fits. */
bool map_same_sm(int64_t warps_a_sm, int64_t before, int64_t x, int64_t y)
{
	int64_t room = checked_div_floor(checked_sub(warps_a_sm, before), y);
	int64_t after = checked_div_floor(checked_sub(checked_sub(warps_a_sm, before), x), y);
	return room != NONE && room > 0 && room == after;
}
