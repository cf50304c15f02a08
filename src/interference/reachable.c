#include "interference/reachable.h"

#include "base/plant.h"
#include "lp/branch.h"
#include "model/limits.h"

#include <stddef.h>

#define MOST_NODES 2000

struct reach {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	struct lp_limits limits;
	bool counts;                 /* do factors for blocks on the same SM depend on how many there are? */
	int *of_streams, *first;     /* operations by their streams: those of stream s from first[s] to before first[s + 1] */
	int64_t *on_chip, *on_an_sm; /* [stream]: most blocks of one of its operations; NONE: unknown */
	int64_t *all_chip, *all_sm;  /* [stream]: of all streams that it may meet together; -1: not yet asked */
};

static bool occupies(const struct reach *reach, int operation)
{
	const struct operation *of = &reach->set->operations[operation];
	return of->kind == OPERATION_KERNEL || of->kind == OPERATION_FRAGMENT || map_runs_as_kernel(reach->platform, of);
}

static bool is_counted(const struct platform *platform)
{
	for (int i = 0; i < platform->interference_count; i++)
		if (platform->interference[i].source == INTERFERER_SM && !platform->interference[i].is_copy &&
			platform->interference[i].count != NONE)
			return true;
	return false;
}

/* Counted, then put behind one another. first[s + 2] counts, first[s + 1] says where the next one goes. */
static void sort_by_streams(struct reach *reach)
{
	const struct taskset *set = reach->set;
	for (int i = 0; i < set->operation_count; i++)
		if (occupies(reach, i))
			reach->first[set->operations[i].stream + 2]++;
	for (int s = 2; s < set->stream_count + 1; s++)
		reach->first[s] += reach->first[s - 1];
	for (int i = 0; i < set->operation_count; i++)
		if (occupies(reach, i))
			reach->of_streams[reach->first[set->operations[i].stream + 1]++] = i;
}

struct reach *reach_create(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct lp_limits *limits)
{
	struct reach *reach = arena_allocate(arena, 1, sizeof *reach);
	size_t streams = (size_t)set->stream_count + 1;
	*reach = (struct reach){arena, platform, set, map, *limits, is_counted(platform),
		arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *reach->of_streams),
		arena_allocate(arena, streams + 1, sizeof *reach->first), arena_allocate(arena, streams, sizeof *reach->on_chip),
		arena_allocate(arena, streams, sizeof *reach->on_an_sm), arena_allocate(arena, streams, sizeof *reach->all_chip),
		arena_allocate(arena, streams, sizeof *reach->all_sm)};
	for (int s = 0; s < set->stream_count; s++)
		reach->all_chip[s] = reach->all_sm[s] = -1;
	sort_by_streams(reach);
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (!occupies(reach, i))
			continue;
		bool kernel = operation->kind == OPERATION_KERNEL;
		int64_t blocks = kernel ? operation->kernel.blocks : NONE;
		int64_t an_sm = kernel ? checked_min(blocks, map->kernels[i].occupancy.greatest) : NONE;
		reach->on_chip[operation->stream] = checked_max(reach->on_chip[operation->stream], blocks);
		reach->on_an_sm[operation->stream] = checked_max(reach->on_an_sm[operation->stream], an_sm);
	}
	return reach;
}

static bool overlaps(const struct reach *reach, int own, int stream)
{
	return map_streams_overlap(reach->platform, reach->set, reach->set->operations[own].stream, stream);
}

static bool mixes(const struct reach *reach, int own, int stream)
{
	return map_streams_mix(reach->platform, reach->set, reach->set->operations[own].stream, stream);
}

/* The same for all operations of a stream. */
static int64_t most_of_all(const struct reach *reach, int own, const int64_t *of_stream, int64_t *known, bool on_an_sm)
{
	int64_t sum = 0, *all = &known[reach->set->operations[own].stream];
	if (*all >= 0)
		return *all;
	for (int s = 0; s < reach->set->stream_count; s++)
		if (of_stream[s] > 0 && (on_an_sm ? mixes(reach, own, s) : overlaps(reach, own, s)))
			sum = checked_add(sum, of_stream[s]);
	return *all = planted(PLANT_BESIDE) && sum > 1 && sum != NONE ? sum - 1 : sum;
}

/* ---- ILP-ENV: columns c_j and y_j in turn; rows: resources, c_j <= most_j y_j, one y a stream */

struct amounts {
	int64_t of[RESOURCE_COUNT];
};

/* What a block there has for sure: [LEAVERS]. */
static struct amounts amounts_of(const struct demand *demand)
{
	return (struct amounts){{demand->staying, 1, checked_mul(demand->staying, demand->warp_registers), demand->shared}};
}

static struct amounts room_beside(const struct reach *reach, int own)
{
	static const enum parameter of[] = {PARAMETER_SM_WARPS, PARAMETER_SM_BLOCKS, PARAMETER_SM_REGISTERS, PARAMETER_SM_SHARED};
	struct amounts room = amounts_of(&reach->map->kernels[own].occupancy.demand);
	for (int r = 0; r < RESOURCE_COUNT; r++)
		room.of[r] = checked_sub(platform_value(reach->platform, of[r]), room.of[r]);
	return room;
}

/* The foreign kernels, by streams; -1: one of them is not known well enough, or there are too many. */
static int list(const struct reach *reach, int own, int *kernels)
{
	int count = 0;
	for (int s = 0; s < reach->set->stream_count; s++)
		for (int k = reach->first[s]; k < reach->first[s + 1] && (k > reach->first[s] || mixes(reach, own, s)); k++) {
			int i = reach->of_streams[k];
			const struct kernel_map *kernel = &reach->map->kernels[i];
			if (!kernel->is_kernel || !kernel->sized || kernel->occupancy.greatest == NONE || count == LIMIT_KERNELS_BESIDE)
				return -1;
			kernels[count++] = i;
		}
	return count;
}

static void add_resource(struct lp *lp, const struct reach *reach, int own, const int *kernels, int count, int resource)
{
	int64_t room = room_beside(reach, own).of[resource];
	if (room == NONE)
		return;
	lp_row(lp, LP_AT_MOST, room);
	for (int i = 0; i < count; i++) {
		int64_t demand = amounts_of(&reach->map->kernels[kernels[i]].occupancy.demand).of[resource];
		if (demand != 0 && demand != NONE)
			lp_entry(lp, 2 * i, demand);
	}
}

static struct lp program(const struct reach *reach, int own, const int *kernels, int count)
{
	struct lp lp;
	lp_init(&lp, reach->arena);
	for (int i = 0; i < count; i++) {
		const struct kernel_map *kernel = &reach->map->kernels[kernels[i]];
		lp_column(&lp, 1, checked_min(kernel->occupancy.greatest, reach->set->operations[kernels[i]].kernel.blocks));
		lp_column(&lp, 0, 1);
	}
	for (int r = 0; r < RESOURCE_COUNT; r++)
		add_resource(&lp, reach, own, kernels, count, r);
	for (int i = 0; i < count; i++) {
		lp_row(&lp, LP_AT_MOST, 0);
		lp_entry(&lp, 2 * i, 1);
		lp_entry(&lp, 2 * i + 1, -lp.columns[2 * i].upper);
	}
	for (int i = 0; i < count; i++) {
		int stream = reach->set->operations[kernels[i]].stream;
		if (i == 0 || reach->set->operations[kernels[i - 1]].stream != stream)
			lp_row(&lp, LP_AT_MOST, 1);
		lp_entry(&lp, 2 * i + 1, 1);
	}
	return lp;
}

static void solve(const struct reach *reach, int own, struct reachable *reachable)
{
	int kernels[LIMIT_KERNELS_BESIDE], count = list(reach, own, kernels);
	if (count <= 0 || !reach->map->kernels[own].sized)
		return;
	struct lp lp = program(reach, own, kernels, count);
	struct lp_integer bound = lp_branch(&lp, &reach->limits, (int)checked_min(MOST_NODES, reach->limits.iterations));
	reachable->asked = true;
	reachable->proven = bound.value == bound.best;
	if (reachable->proven)
		reachable->beside = checked_min(reachable->closed, bound.value);
}

struct reachable reach_find(const struct reach *reach, int operation, int64_t of_sm)
{
	struct reachable reachable = {.chip = most_of_all(reach, operation, reach->on_chip, reach->all_chip, false)};
	int64_t by_streams = most_of_all(reach, operation, reach->on_an_sm, reach->all_sm, true);
	reachable.closed = checked_min(checked_min(of_sm, reach->map->kernels[operation].foreign_warps), by_streams);
	reachable.beside = reachable.closed;
	if (reach->counts && reachable.closed > 0)
		solve(reach, operation, &reachable);
	return reachable;
}
