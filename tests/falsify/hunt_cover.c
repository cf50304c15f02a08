/* Hunts systems in which weights of linear programs lower a bound, and systems whose factors depend on the number of neighbours: the
 * falsifier's own systems show few of the first, as their overheads hide them, and none of the second.
 *
 * usage: hunt_cover SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 2 to 6 streams of 1 or 2 levels, kernels of 1 to 4 blocks that take a fifth to two thirds of an SM, 1 to 3 SMs (1
 * to 9 with such factors), all assumptions granted, overheads of 1 ns. Those with neither are not run; small ones are run in all ways, too.
 * Exit status 1: a bound was exceeded; 2: no system at all had such weights. */
#include "hunts.h"
#include "model/draft.h"

static void plain_platform(struct platform *platform, struct draw *draw)
{
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], 1);
	hunts_without_map(platform);
	generate_set(platform, PARAMETER_SM_COUNT, DRAW_AMONG(draw, 1, 2, 2, 3));
	generate_set(platform, PARAMETER_SM_WARPS, DRAW_AMONG(draw, 5, 7, 8, 10, 12, 16));
	generate_set(platform, PARAMETER_SM_BLOCKS, 16);
	generate_set(platform, PARAMETER_SM_SUBPARTITIONS, 1);
	generate_set(platform, PARAMETER_SM_REGISTERS, 65536);
	generate_set(platform, PARAMETER_BLOCK_THREADS, 1024);
	hunts_queues(platform);
	hunts_without_stops(platform);
	platform->compute_capability = 62;
	hunts_assume(platform, draw, 100);
	for (int i = 0; i < platform->interference_count; i++)
		DRAFT(platform->interference)[i].factor = rational_of(1);
}

/* Factors that grow with the number of blocks and SMs, up to more than there can be. */
static void count_neighbours(struct platform *platform, struct arena *arena, struct draw *draw)
{
	static const enum interferer rings[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT};
	static const enum interferer others[] = {INTERFERER_H2D, INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET};
	int count = 0;
	platform->interference = arena_allocate(arena, 64, sizeof *platform->interference);
	for (int i = 0; i < 4; i++) {
		int64_t percent = 100;
		for (int64_t number = 1; number <= 8; number++) {
			percent += draw_range(draw, 0, 40);
			DRAFT(platform->interference)
			[count++] = (struct interference_entry){.footprint = NONE,
				.source = rings[i],
				.count = number == 8 ? NONE : number,
				.factor = rational_make(percent, 100)};
		}
		DRAFT(platform->interference)
		[count++] = (struct interference_entry){.footprint = NONE, .source = others[i], .count = NONE, .factor = rational_of(1)};
	}
	platform->interference_count = count;
	platform->composition = hunts_composition(draw);
}

static void place_sms(struct platform *platform, struct arena *arena)
{
	int64_t count = platform_value(platform, PARAMETER_SM_COUNT);
	platform->sms = arena_allocate(arena, (size_t)count, sizeof *platform->sms);
	for (int i = 0; i < count; i++)
		DRAFT(platform->sms)[i] = (struct sm_position){i / 4, i / 2, NO_ID};
	platform->map_source = "drawn";
	platform->gpc_count = (int)(count + 3) / 4;
}

static void large_blocks(const struct platform *platform, struct taskset *set, struct draw *draw)
{
	int64_t warps = platform_value(platform, PARAMETER_SM_WARPS);
	for (int i = 0; i < set->operation_count; i++) {
		struct kernel *kernel = &DRAFT(set->operations)[i].kernel;
		if (set->operations[i].kind != OPERATION_KERNEL)
			continue;
		kernel->threads = THREADS_A_WARP * draw_range(draw, checked_max(1, warps / 5), checked_max(1, 2 * warps / 3));
		kernel->registers = 8;
		kernel->shared_dynamic = 0;
		kernel->cache = CACHE_NONE;
		kernel->carveout = NONE;
		kernel->blocks = kernel->grid[0] = draw_range(draw, 1, 4);
	}
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	bool counted = draw_percent(draw, 25), small = *in_all_ways = !counted && draw_percent(draw, 40);
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = small ? 3 : DRAW_AMONG(draw, 10, 60, 200),
		.applications = 1,
		.streams = (int)(small ? draw_range(draw, 2, 3) : draw_range(draw, 2, 6)),
		.levels = (int)draw_range(draw, 1, 2),
		.simple = draw_percent(draw, 60),
		.jitter = !small && draw_percent(draw, 20)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	plain_platform(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	large_blocks(drawn.platform, drawn.set, draw);
	if (counted) {
		generate_set(drawn.platform, PARAMETER_SM_COUNT, draw_range(draw, 1, 9));
		place_sms(drawn.platform, arena);
		count_neighbours(drawn.platform, arena, draw);
	}
	return drawn;
}

/* Does a bound of some task rest on such weights? */
static bool is_lowered(const struct subject *subject)
{
	struct derivation derivation;
	derivation_init(&derivation, subject->arena);
	struct response *closed = response_compute_limited(
		subject->arena, subject->platform, subject->set, subject->map, subject->inflation, &derivation, 1, NULL);
	for (int i = 0; i < subject->set->task_count; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			if (subject->response->tasks[i].bounds[j].value < closed->tasks[i].bounds[j].value)
				return true;
	return false;
}

static bool is_counted(const struct subject *subject)
{
	for (int i = 0; i < subject->platform->interference_count; i++)
		if (subject->platform->interference[i].count != NONE)
			return true;
	return false;
}

static int64_t lowered, counted;

static bool is_meant(const struct subject *subject)
{
	bool is_less = is_lowered(subject), by_number = is_counted(subject);
	lowered += is_less;
	counted += by_number;
	return is_less || by_number;
}

static void tell(void)
{
	printf("%" PRId64 " with lower bounds by weights, %" PRId64 " with counted factors\n", lowered, counted);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_cover", draw_case, is_meant, NULL, NULL, tell};
	return hunts_main(&kind, count, words);
}
