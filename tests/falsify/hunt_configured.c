/* Hunts systems whose kernels configure SMs: shared memory against L1, per SM or for the whole chip. Kernels of scope block and of scope
 * grid, copies and memsets that the driver runs as kernels, all beside one another, of one preference, of several, or of none. The
 * falsifier's own systems seldom have all of that.
 *
 * usage: hunt_configured SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 or 2 contexts, 2 to 4 streams of 1 or 2 levels, small overheads, no interference, mostly all assumptions granted. Either 2 to
 * 8 SMs that have one configuration, kernels of one block and mostly of one preference, memsets of the driver's; or 1 to 3 SMs of 2 or 4
 * KiB that have a configuration each, a quarter of them placed and configured as Hopper does. What is seen of each bound is told. Exit
 * status 1: a bound was exceeded; 2: no system was run. */
#include "hunts.h"

#include "input/validate.h"

#define KIB 1024

struct tally {
	int64_t drawn;
	struct attacks attacks;
	struct closeness bounds[BOUND_COUNT];
};

/* One configuration for all SMs, or one for each: what a system is about. */
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

static void draw_sms(struct platform *platform, const struct kind *kind)
{
	generate_set(platform, PARAMETER_SM_COUNT, kind->sms);
	generate_set(platform, PARAMETER_SM_WARPS, 8);
	generate_set(platform, PARAMETER_SM_BLOCKS, DRAW_AMONG(kind->draw, 2, 4, 8, 8));
	generate_set(platform, PARAMETER_SM_SUBPARTITIONS, 1);
	generate_set(platform, PARAMETER_SM_REGISTERS, 16384);
	generate_set(platform, PARAMETER_SM_SHARED, KIB * DRAW_AMONG(kind->draw, 2, 4, 4));
	generate_set(platform, PARAMETER_BLOCK_THREADS, 256);
	generate_set(platform, PARAMETER_DISPATCH_NONEMPTY, draw_range(kind->draw, 1, kind->sms));
	hunts_without_map(platform);
	platform->compute_capability = kind->hopper ? 90 : draw_percent(kind->draw, 70) ? 70 : 62;
	if (kind->hopper) {
		platform->placement = PLACEMENT_HOPPER;
		platform->placement_source = "drawn";
		generate_set(platform, PARAMETER_SHARED_RESERVED, draw_percent(kind->draw, 50) ? 0 : 256);
	}
}

/* Equal steps, or none first. */
static void draw_configurations(struct platform *platform, struct arena *arena, const struct kind *kind)
{
	struct draw *draw = kind->draw;
	int64_t all = platform_value(platform, PARAMETER_SM_SHARED), count = draw_range(draw, 2, 4);
	platform->per_sm_carveout = kind->chip ? (enum ternary)DRAW_AMONG(draw, TERNARY_UNKNOWN, TERNARY_NO) : TERNARY_YES;
	platform->carveouts = arena_allocate(arena, 4, sizeof *platform->carveouts);
	platform->carveout_source = "drawn";
	platform->carveout_count = 0;
	for (int64_t i = 1; i <= count; i++)
		platform->carveouts[platform->carveout_count++] = all * i / count / 256 * 256;
	if (draw_percent(draw, 40))
		platform->carveouts[0] = 0;
}

static void suit_platform(struct platform *platform, struct arena *arena, const struct kind *kind)
{
	struct draw *draw = kind->draw;
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], draw_percent(draw, 90) ? 1 : draw_range(draw, 0, 8));
	if (draw_percent(draw, 80))
		hunts_without_stops(platform);
	hunts_queues(platform);
	draw_sms(platform, kind);
	draw_configurations(platform, arena, kind);
	platform->engine_of[DIRECTION_MEMSET] = draw_percent(draw, 80) ? ENGINE_COMPUTE : 0;
	hunts_assume(platform, draw, (int)DRAW_AMONG(draw, 100, 100, 98));
	if (draw_percent(draw, 20))
		platform->assumptions[ASSUMPTION_FRAG].status = STATUS_UNSTATED;
	for (int i = 0; i < platform->interference_count; i++)
		platform->interference[i].factor = rational_of(1);
}

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
	int64_t most = (platform_value(platform, PARAMETER_SM_SHARED) - (kind->hopper ? 256 : 0)) / 256;
	kernel->threads = THREADS_A_WARP * DRAW_AMONG(draw, 1, 1, 1, 2, 4);
	kernel->registers = 8;
	kernel->shared_dynamic = draw_percent(draw, 15) ? 0 : 256 * draw_range(draw, 1, draw_percent(draw, 60) ? most / 3 : most);
	kernel->blocks = draw_percent(draw, kind->chip ? 80 : 40) ? 1 : draw_range(draw, 1, 4 * kind->sms + 2);
	kernel->grid[0] = kernel->blocks;
	kernel->grid[1] = kernel->grid[2] = 1;
	if (kernel->curve_count > 0 || !draw_percent(draw, kind->chip ? 15 : 50))
		return;
	kernel->scope = SCOPE_GRID;
	operation->wcet = checked_mul(operation->wcet, draw_range(draw, 1, 4));
}

static void suit_operations(const struct platform *platform, struct taskset *set, const struct kind *kind)
{
	struct draw *draw = kind->draw;
	struct kernel preference;
	bool alike = draw_percent(draw, kind->chip ? 70 : 20);
	prefer(&preference, draw);
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &set->operations[i];
		if (operation->kind == OPERATION_COPY && draw_percent(draw, 60)) {
			operation->kind = OPERATION_MEMSET;
			operation->copy.direction = DIRECTION_MEMSET;
		}
		if (operation->kind != OPERATION_KERNEL)
			continue;
		configure(operation, platform, kind);
		if (!alike)
			prefer(&preference, draw);
		operation->kernel.cache = preference.cache;
		operation->kernel.carveout = preference.carveout;
	}
	for (int i = 0; i < set->task_count; i++)
		set->tasks[i].arrival.period = checked_mul(set->tasks[i].arrival.period, DRAW_AMONG(draw, 1, 8, 8));
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw)
{
	struct kind kind = draw_kind(draw);
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 20, 100, 400),
		.applications = draw_percent(draw, 85) ? 1 : 2,
		.streams = (int)draw_range(draw, 2, 4),
		.levels = draw_percent(draw, 75) ? 1 : 2,
		.simple = draw_percent(draw, 70),
		.copies = draw_percent(draw, 60),
		.hosts = draw_percent(draw, 10),
		.jitter = draw_percent(draw, 20)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit_platform(drawn.platform, arena, &kind);
	generate_taskset(&profile, drawn.platform, drawn.set);
	suit_operations(drawn.platform, drawn.set, &kind);
	return drawn;
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw);
	struct diagnostics diagnostics;
	struct subject subject;
	struct hunt hunt;
	diagnostics_init(&diagnostics, arena);
	if (validate_taskset(drawn.platform, drawn.set, &diagnostics)) {
		subject_init(&subject, arena, &drawn);
		tally->drawn++;
		hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
		for (int i = 0; i < drawn.set->task_count; i++)
			for (int j = 0; j < BOUND_COUNT; j++)
				hunts_compare(&tally->bounds[j], &subject, &hunt, i, (enum bound)j);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {.attacks.shows = true};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_configured"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	hunts_print(tally.bounds);
	printf("%" PRId64 " systems, %" PRId64 " runs, %" PRId64 " violations\n", tally.drawn, tally.attacks.runs,
		tally.attacks.violations);
	return tally.attacks.violations > 0 ? 1 : tally.drawn == 0 ? 2 : 0;
}
