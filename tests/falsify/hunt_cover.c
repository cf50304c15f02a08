/* Hunts systems in which weights of linear programs lower a bound, and systems whose factors depend on the number of neighbours: the
 * falsifier's own systems show few of the first, as their overheads hide them, and none of the second.
 *
 * usage: hunt_cover SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 2 to 6 streams of 1 or 2 levels, kernels of 1 to 4 blocks that take a fifth to two thirds of an SM, 1 to 3 SMs (1
 * to 9 with such factors), all assumptions granted, overheads of 1 ns. Those with neither are not run; small ones are run in all ways, too.
 * Exit status 1: a bound was exceeded; 2: no system at all had such weights. */
#include "hunts.h"

struct tally {
	int64_t drawn, lowered, counted;
	struct attacks attacks;
	struct closeness h;
};

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
		platform->interference[i].factor = rational_of(1);
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
			platform->interference[count++] = (struct interference_entry){.footprint = NONE,
				.source = rings[i],
				.count = number == 8 ? NONE : number,
				.factor = rational_make(percent, 100)};
		}
		platform->interference[count++] =
			(struct interference_entry){.footprint = NONE, .source = others[i], .count = NONE, .factor = rational_of(1)};
	}
	platform->interference_count = count;
	platform->composition = hunts_composition(draw);
}

static void place_sms(struct platform *platform, struct arena *arena)
{
	int64_t count = platform_value(platform, PARAMETER_SM_COUNT);
	platform->sms = arena_allocate(arena, (size_t)count, sizeof *platform->sms);
	for (int i = 0; i < count; i++)
		platform->sms[i] = (struct sm_position){i / 4, i / 2, NO_ID};
	platform->map_source = "drawn";
	platform->gpc_count = (int)(count + 3) / 4;
}

static void large_blocks(const struct platform *platform, struct taskset *set, struct draw *draw)
{
	int64_t warps = platform_value(platform, PARAMETER_SM_WARPS);
	for (int i = 0; i < set->operation_count; i++) {
		struct kernel *kernel = &set->operations[i].kernel;
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

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool small, bool counted)
{
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

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	bool counted = draw_percent(&draw, 25), small = !counted && draw_percent(&draw, 40);
	struct falsify_case drawn = draw_case(arena, &draw, small, counted);
	struct subject subject;
	struct hunt hunt;
	subject_init(&subject, arena, &drawn);
	tally->drawn++;
	bool lowered = is_lowered(&subject);
	if (lowered || counted) {
		tally->lowered += lowered;
		tally->counted += counted;
		bool bad = hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
		for (int i = 0; i < drawn.set->task_count && lowered; i++)
			hunts_compare(&tally->h, &subject, &hunt, i, BOUND_H);
		if (!bad && small)
			hunts_exhaust(&tally->attacks, &hunt, &subject, index);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_cover"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	printf("%" PRId64 " systems, %" PRId64 " with lower bounds by weights (%" PRId64 " of them in all ways), %" PRId64
	       " with counted factors, %" PRId64 " runs\n"
	       "H of their tasks: %" PRId64 " seen, mean observed/bound %.3f, attained %" PRId64 "; %" PRId64 " violations\n",
		tally.drawn, tally.lowered, tally.attacks.exhausted, tally.counted, tally.attacks.runs, tally.h.seen, hunts_mean(&tally.h),
		tally.h.attained, tally.attacks.violations);
	return tally.attacks.violations > 0 ? 1 : tally.lowered == 0 ? 2 : 0;
}
