/* Who may be resident beside whom, whatever the placement rule does. */
#include "map/map.h"

#include "base/plant.h"

#include <string.h>

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
	return taskset_context_of(set, a) == taskset_context_of(set, b) || !platform_grants(platform, ASSUMPTION_EXCL);
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
	return a != b && !taskset_keeps_apart(set, a, b) && one_context(platform, set, a, b) && !null_excludes(first, second);
}

bool map_streams_mix(const struct platform *platform, const struct taskset *set, int a, int b)
{
	if (!map_streams_overlap(platform, set, a, b))
		return false;
	const struct sm_set first = sm_set_of_stream(platform, set, a), second = sm_set_of_stream(platform, set, b);
	return !sm_set_is_disjoint(&first, &second);
}

/* May two SMs be in one TPC, in one GPC, in two GPCs? */
struct rings {
	bool tpc, gpc, out;
};

struct load { /* what a stream may put on one SM */
	bool any;
	int64_t warps;             /* the most at once; NONE: unknown */
	bool has_company, mixes;   /* a stream that overlaps with it has a load; on an SM that it may use, too */
	struct rings own, foreign; /* of an SM that it may use with another one of its own; with one that its company may use */
	struct sm_set sms;         /* that its kernels may use */
	int64_t foreign_sms;       /* the most other SMs on which its company is; NONE: unknown */
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
	int64_t room = checked_sub(platform_value(builder->platform, PARAMETER_SM_WARPS), kernel->occupancy.demand.staying);
	kernel->foreign_warps = load->mixes ? checked_min(room, load->foreign_warps) : 0;
}

/* ---- neighbours */

static bool together(int a, int b)
{
	return a == NO_ID || b == NO_ID || a == b;
}

/* Of an SM of the one set with another one of the other. */
static struct rings pair_sms(const struct platform *platform, const struct sm_set *one, const struct sm_set *other)
{
	int64_t count = one->chip;
	bool known = platform->sms != NULL && platform->map_source != NULL && count != NONE, any = !known && count != 1;
	struct rings rings = {any, any, any};
	for (int64_t a = 0; known && a < count; a++)
		for (int64_t b = 0; b < count && !(rings.tpc && rings.gpc && rings.out); b++) {
			const struct sm_position *first = &platform->sms[a], *second = &platform->sms[b];
			if (a == b || !sm_set_has(one, a) || !sm_set_has(other, b))
				continue;
			rings.tpc = rings.tpc || together(first->tpc, second->tpc);
			rings.gpc = rings.gpc || together(first->gpc, second->gpc);
			rings.out = rings.out || first->gpc == NO_ID || second->gpc == NO_ID || first->gpc != second->gpc;
		}
	return rings;
}

static bool is_company(const struct builder *builder, int stream, int other)
{
	return builder->loads[other].any && map_streams_overlap(builder->platform, builder->set, stream, other);
}

/* The SMs that any company of a stream may use. members: room for a bit each. */
static struct sm_set company_of(const struct builder *builder, int stream, uint64_t *members)
{
	struct sm_set all = sm_set_of_chip(builder->platform), company = {all.chip, 0, members, 0};
	for (int s = 0; s < builder->set->stream_count; s++) {
		const struct sm_set *sms = &builder->loads[s].sms;
		if (!is_company(builder, stream, s))
			continue;
		if (sms->members == NULL)
			return all;
		for (int i = 0; i < PARTITION_WORDS; i++)
			members[i] |= sms->members[i];
	}
	return company;
}

/* Other SMs than the one that a block of the stream is on: each partition of its company once. */
static int64_t foreign_sms(const struct builder *builder, int stream)
{
	const struct taskset *set = builder->set;
	const struct load *load = &builder->loads[stream];
	bool *seen = arena_allocate(builder->arena, (size_t)set->partition_count + 1, sizeof *seen);
	int64_t sum = 0, chip = checked_sub(load->sms.chip, 1);
	for (int s = 0; s < set->stream_count; s++) {
		const struct sm_set *sms = &builder->loads[s].sms;
		if (!is_company(builder, stream, s) || (sms->partition > 0 && seen[sms->partition - 1]))
			continue;
		if (sms->partition == 0 || load->sms.partition == 0)
			return chip;
		sum = checked_add(sum, sms->partition == load->sms.partition ? sms->size - 1 : sms->size);
		seen[sms->partition - 1] = true;
	}
	return checked_min(sum, chip);
}

/* Where there are no partitions all streams have the same neighbours. */
static void find_neighbours(struct builder *builder)
{
	bool parted = builder->set->partition_count > 0;
	uint64_t *members = arena_allocate(builder->arena, PARTITION_WORDS, sizeof *members);
	for (int i = 0; i < builder->set->stream_count; i++) {
		struct load *load = &builder->loads[i];
		if (!parted && i > 0) {
			load->own = load->foreign = builder->loads[0].own;
			load->foreign_sms = builder->loads[0].foreign_sms;
			continue;
		}
		memset(members, 0, PARTITION_WORDS * sizeof *members);
		struct sm_set company = parted ? company_of(builder, i, members) : load->sms;
		load->own = pair_sms(builder->platform, &load->sms, &load->sms);
		load->foreign = parted ? pair_sms(builder->platform, &load->sms, &company) : load->own;
		load->foreign_sms = parted ? foreign_sms(builder, i) : checked_sub(load->sms.chip, 1);
	}
}

static void place_neighbours(const struct builder *builder, const struct operation *operation, struct kernel_map *kernel)
{
	const struct load *load = &builder->loads[operation->stream];
	bool siblings = operation->kernel.blocks != 1, other = load->has_company && !(planted(PLANT_PARTITION_BESIDE) && !load->mixes);
	kernel->foreign_sm = kernel->mixes;
	kernel->foreign_tpc = other && load->foreign.tpc;
	kernel->foreign_gpc = other && load->foreign.gpc;
	kernel->foreign_out = other && load->foreign.out;
	kernel->foreign_sms = load->foreign_sms;
	kernel->beside_sm = kernel->mixes || (siblings && kernel->occupancy.greatest > 1);
	kernel->beside_tpc = kernel->foreign_tpc || (siblings && load->own.tpc);
	kernel->beside_gpc = kernel->foreign_gpc || (siblings && load->own.gpc);
	kernel->beside_out = kernel->foreign_out || (siblings && load->own.out);
}

/* ---- the least occupancy: whoever may have set an SM's configuration or left holes on it, earlier kernels of its own stream included */

/* Of all that may be there what occupancy_fragment tells apart: one, one of other warps, one of other registers, and one that asks for the
 * smallest configuration. */
#define RESIDENTS 4
struct residents {
	struct demand demands[RESIDENTS];
	int count; /* 0, or RESIDENTS */
};

static void add_resident(struct residents *residents, const struct demand *demand)
{
	struct demand *kept = residents->demands;
	for (; residents->count < RESIDENTS; residents->count++)
		kept[residents->count] = *demand;
	if (demand->warps != kept[0].warps)
		kept[1] = *demand;
	if (demand->warp_registers != kept[0].warp_registers)
		kept[2] = *demand;
	if (demand->configuration < kept[3].configuration)
		kept[3] = *demand;
}

/* On an SM that the stream may use. */
static bool resides(const struct builder *builder, int stream, int index)
{
	const struct operation *operation = &builder->set->operations[index];
	return map_meets_blocks(builder->platform, operation) && one_context(builder->platform, builder->set, stream, operation->stream) &&
	       !sm_set_is_disjoint(&builder->loads[stream].sms, &builder->loads[operation->stream].sms);
}

static struct residents residents_of(const struct builder *builder, int stream)
{
	static const struct demand unknown = {NONE, NONE, NONE, NONE, 0};
	struct residents residents = {.count = 0};
	for (int i = 0; i < builder->set->operation_count; i++) {
		const struct kernel_map *kernel = &builder->map->kernels[i];
		if (resides(builder, stream, i))
			add_resident(&residents, kernel->is_kernel ? &kernel->occupancy.demand : &unknown);
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
	int64_t sms = planted(PLANT_PARTITION_SLOTS) ? load->sms.chip : load->sms.size;
	kernel->slots_greatest = checked_mul(sms, occupancy->greatest);
	kernel->slots_least = checked_mul(sms, occupancy->least);
	place_neighbours(builder, operation, kernel);
}

static bool has_kernels(const struct builder *builder, int stream)
{
	for (int i = 0; i < builder->set->operation_count; i++)
		if (builder->set->operations[i].kind == OPERATION_KERNEL && builder->set->operations[i].stream == stream)
			return true;
	return false;
}

/* Kernels of the streams of one application that use the same SMs have the same residents: those of the first of them. */
static void finish_streams(const struct builder *builder)
{
	const struct taskset *set = builder->set;
	bool *finished = arena_allocate(builder->arena, (size_t)set->stream_count + 1, sizeof *finished);
	for (int s = 0; s < set->stream_count; s++) {
		if (finished[s] || !has_kernels(builder, s))
			continue;
		struct residents residents = residents_of(builder, s);
		for (int k = s; k < set->stream_count; k++)
			finished[k] |= set->streams[k].application == set->streams[s].application &&
				       set->streams[k].partition == set->streams[s].partition;
		for (int i = 0; i < set->operation_count; i++) {
			int stream = set->operations[i].stream;
			if (set->operations[i].kind == OPERATION_KERNEL &&
				set->streams[stream].application == set->streams[s].application &&
				set->streams[stream].partition == set->streams[s].partition)
				finish_kernel(builder, &residents, i);
		}
	}
}

struct map *map_build(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct builder builder = {.arena = arena, .platform = platform, .set = set, .map = arena_allocate(arena, 1, sizeof(struct map))};
	builder.map->kernels = arena_allocate(arena, (size_t)set->operation_count, sizeof(struct kernel_map));
	builder.loads = arena_allocate(arena, (size_t)set->stream_count, sizeof(struct load));
	builder.map->domains = domains_find(arena, platform, set);
	for (int i = 0; i < set->stream_count; i++)
		builder.loads[i].sms = sm_set_of_stream(platform, set, i);
	for (int i = 0; i < set->operation_count; i++)
		size_kernel(&builder, i);
	mix_streams(&builder);
	find_neighbours(&builder);
	finish_streams(&builder);
	add_loads(&builder);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL)
			set_foreign_warps(&builder, i);
	return builder.map;
}

bool map_beside_from_code(const struct platform *platform, const struct operation *operation, const struct kernel_map *kernel)
{
	return operation->program != NULL && platform_keeps_slots(platform) && operation->kernel.blocks > 1 &&
	       kernel->occupancy.greatest > 1;
}

/* (4.1) for mw - z: adding x does not reduce the number of y-warp blocks that still fit, and at least one fits. */
bool map_same_sm(int64_t warps_a_sm, int64_t before, int64_t x, int64_t y)
{
	int64_t room = checked_div_floor(checked_sub(warps_a_sm, before), y);
	int64_t after = checked_div_floor(checked_sub(checked_sub(warps_a_sm, before), x), y);
	return room != NONE && room > 0 && room == after;
}
