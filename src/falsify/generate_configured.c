/* Systems whose kernels configure SMs, shared memory against L1: one configuration for the chip, or one for each SM. Kernels of scope grid
 * whose blocks are known, memsets that the driver runs as kernels, all beside one another, of one preference, of several, or of none. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

#define KIB 1024
#define RESERVE 256
#define SETS_MOST 4

/* What a system is about. */
struct kind {
	struct draw *draw;
	bool chip, hopper;
	int64_t sms;
};

static struct kind draw_kind(struct draw *draw)
{
	struct kind kind = {.draw = draw, .chip = draw_percent(draw, 40)};
	kind.hopper = !kind.chip && draw_percent(draw, 25);
	kind.sms = kind.chip ? DRAW_AMONG(draw, 2, 4, 6, 8) : DRAW_AMONG(draw, 1, 1, 2, 3);
	return kind;
}

/* ---- the platform */

static void draw_sms(struct platform *platform, const struct kind *kind)
{
	generate_set(platform, PARAMETER_SM_COUNT, kind->sms);
	generate_set(platform, PARAMETER_SM_WARPS, 8);
	generate_set(platform, PARAMETER_SM_BLOCKS, DRAW_AMONG(kind->draw, 2, 4, 8, 8, 8));
	generate_set(platform, PARAMETER_SM_SUBPARTITIONS, 1);
	generate_set(platform, PARAMETER_SM_REGISTERS, 16384);
	generate_set(platform, PARAMETER_SM_SHARED, KIB * DRAW_AMONG(kind->draw, 2, 4, 4));
	generate_set(platform, PARAMETER_BLOCK_THREADS, 256);
	generate_set(platform, PARAMETER_DISPATCH_NONEMPTY, draw_range(kind->draw, 1, kind->sms));
	platform->order = NULL;
	platform->sms = NULL;
	platform->map_source = platform->order_source = NULL;
	platform->gpc_count = 0;
	platform->compute_capability = kind->hopper ? 90 : draw_percent(kind->draw, 70) ? 70 : 62;
	if (kind->hopper) {
		platform->placement = PLACEMENT_HOPPER;
		platform->placement_source = "drawn";
		generate_set(platform, PARAMETER_SHARED_RESERVED, draw_percent(kind->draw, 50) ? 0 : RESERVE);
	}
}

/* Equal steps, or none first. */
static void draw_sets(struct platform *platform, struct arena *arena, const struct kind *kind)
{
	struct draw *draw = kind->draw;
	int64_t all = platform_value(platform, PARAMETER_SM_SHARED), count = draw_range(draw, 2, SETS_MOST);
	platform->per_sm_carveout = kind->chip ? (enum ternary)DRAW_AMONG(draw, TERNARY_UNKNOWN, TERNARY_NO) : TERNARY_YES;
	platform->carveouts = arena_allocate(arena, SETS_MOST, sizeof *platform->carveouts);
	platform->carveout_source = "drawn";
	platform->carveout_count = 0;
	for (int64_t i = 1; i <= count; i++)
		DRAFT(platform->carveouts)[platform->carveout_count++] = all * i / count / 256 * 256;
	if (draw_percent(draw, 40))
		DRAFT(platform->carveouts)[0] = 0;
}

/* ---- what runs there */

static void prefer(struct kernel *kernel, struct draw *draw)
{
	kernel->cache = CACHE_NONE;
	kernel->carveout = NONE;
	if (draw_percent(draw, 40))
		kernel->cache = (enum cache_config)DRAW_AMONG(draw, CACHE_PREFER_L1, CACHE_PREFER_SHARED, CACHE_EQUAL);
	else if (draw_percent(draw, 60))
		kernel->carveout = DRAW_AMONG(draw, 0, 25, 50, 75, 100);
}

/* Few warps and much shared memory; of some kernels the makespan alone is known, which then is up to four times a block's. */
static void configure(struct operation *operation, const struct platform *platform, const struct kind *kind)
{
	struct draw *draw = kind->draw;
	struct kernel *kernel = &operation->kernel;
	int64_t most = (platform_value(platform, PARAMETER_SM_SHARED) - (kind->hopper ? RESERVE : 0)) / 256;
	kernel->threads = THREADS_A_WARP * DRAW_AMONG(draw, 1, 1, 1, 2, 4);
	kernel->block[0] = kernel->threads;
	kernel->block[1] = kernel->block[2] = 1;
	kernel->registers = 8;
	kernel->shared_dynamic =
		draw_percent(draw, 15) ? 0 : 256 * draw_range(draw, 1, draw_percent(draw, 70) ? checked_max(1, most / 4) : most);
	if (kernel->curve_count > 0)
		return;
	kernel->blocks = draw_percent(draw, kind->chip ? 90 : 30) ? 1 : draw_range(draw, 2, 4 * kind->sms + 2);
	kernel->grid[0] = kernel->blocks;
	kernel->grid[1] = kernel->grid[2] = 1;
	if (kernel->scope != SCOPE_GRID && draw_percent(draw, kind->chip ? 15 : 50)) {
		kernel->scope = SCOPE_GRID;
		operation->wcet = checked_mul(operation->wcet, draw_range(draw, 1, 4));
	}
}

/* A memset in place of a copy; a short one hides no wait. */
static void set_memory(struct operation *operation, bool brief)
{
	operation->kind = OPERATION_MEMSET;
	operation->copy.direction = DIRECTION_MEMSET;
	if (brief)
		operation->wcet = operation->wcet / 16 + 1;
	operation->bcet = checked_min(operation->bcet, operation->wcet);
}

void generate_configured(struct arena *arena, struct draw *draw, struct platform *platform, struct taskset *set)
{
	struct kind kind = draw_kind(draw);
	struct kernel preference;
	bool alike = draw_percent(draw, kind.chip ? 80 : 20);
	draw_sms(platform, &kind);
	draw_sets(platform, arena, &kind);
	if (draw_percent(draw, 80))
		platform->engine_of[DIRECTION_MEMSET] = ENGINE_COMPUTE;
	prefer(&preference, draw);
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (operation->kind == OPERATION_COPY && draw_percent(draw, kind.chip ? 100 : 40))
			set_memory(operation, kind.chip);
		if (operation->kind != OPERATION_KERNEL)
			continue;
		configure(operation, platform, &kind);
		if (!alike)
			prefer(&preference, draw);
		operation->kernel.cache = preference.cache;
		operation->kernel.carveout = preference.carveout;
	}
}
