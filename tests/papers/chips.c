/* Platforms built in a test. */
#include "papers/chips.h"
#include "model/draft.h"

#include <stdlib.h>

const int even_then_odd_8[8] = {0, 2, 4, 6, 1, 3, 5, 7};

static void state(struct platform *platform, enum parameter parameter, int64_t value)
{
	if (value != 0)
		platform->parameters[parameter] = (struct quantity){.present = true, .value = value, .source = "test"};
}

void bench_open_platform(struct bench *bench, struct platform *platform, struct arena *arena, const struct allocation_options *options)
{
	const char *missing;
	*bench = (struct bench){.arena = arena, .platform = platform, .policy = policy_of(platform->placement)};
	if (!sm_limits_read(&bench->limits, arena, platform, options, &missing))
		abort();
	chip_init(&bench->chip, arena, &bench->limits);
	placement_init(&bench->placer, arena, &bench->chip, bench->policy);
}

void bench_open(struct bench *bench, const struct built *built)
{
	struct arena *arena = arena_create();
	struct platform *platform = arena_allocate(arena, 1, sizeof *platform);
	state(platform, PARAMETER_SM_COUNT, built->sms);
	state(platform, PARAMETER_SM_WARPS, built->warps);
	state(platform, PARAMETER_SM_BLOCKS, built->blocks);
	state(platform, PARAMETER_SM_SUBPARTITIONS, built->parts);
	state(platform, PARAMETER_SM_REGISTERS, built->registers);
	state(platform, PARAMETER_REGISTER_UNIT, built->register_unit);
	state(platform, PARAMETER_SM_SHARED, built->shared);
	state(platform, PARAMETER_SHARED_UNIT, built->shared_unit);
	platform->placement = built->placement;
	platform->order = (int *)DRAFT(built->order);
	if (built->gpc != NULL)
		platform->sms = arena_allocate(arena, (size_t)built->sms, sizeof *platform->sms);
	for (int s = 0; built->gpc != NULL && s < built->sms; s++)
		DRAFT(platform->sms)[s] = (struct sm_position){.gpc = built->gpc[s], .tpc = NO_ID, .ring = NO_ID};
	bench_open_platform(bench, platform, arena, NULL);
}

void bench_close(struct bench *bench)
{
	arena_destroy(bench->arena);
}

struct kernel bench_kernel(int64_t blocks, int64_t threads)
{
	return (struct kernel){.grid = {blocks, 1, 1}, .blocks = blocks, .threads = threads, .registers = NONE, .carveout = NONE};
}

int bench_launch(struct bench *bench, const struct kernel *kernel, int *sms)
{
	struct shape *shape = arena_allocate(bench->arena, 1, sizeof *shape);
	struct room *room = arena_allocate(bench->arena, 1, sizeof *room);
	int placed = 0, sm;
	for (int64_t i = 0; sms != NULL && i < kernel->blocks; i++)
		sms[i] = NO_ID;
	if (!shape_init(shape, &bench->limits, kernel))
		return 0;
	room_init(room, bench->arena, &bench->chip, shape);
	struct dispatch *dispatch = placement_begin(&bench->placer, room, kernel->grid);
	for (; dispatch->placed < dispatch->blocks && (sm = placement_choose(&bench->placer, dispatch)) != NO_ID; placed++) {
		if (sms != NULL)
			sms[placement_block(&bench->placer, dispatch)] = sm;
		placement_place(&bench->placer, dispatch, sm);
	}
	placement_end(&bench->placer, dispatch);
	return placed;
}

int bench_launch_warps(struct bench *bench, int64_t blocks, int64_t warps, int *sms)
{
	struct kernel kernel = bench_kernel(blocks, warps * THREADS_A_WARP);
	return bench_launch(bench, &kernel, sms);
}
