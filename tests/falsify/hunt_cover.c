/* Hunts systems in which weights of linear programs lower a bound, and systems whose factors depend on the number of neighbours: the
 * falsifier's own systems show few of the first, as their overheads hide them, and none of the second.
 *
 * usage: hunt_cover SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 2 to 6 streams of 1 or 2 levels, kernels of 1 to 4 blocks that take a fifth to two thirds of an SM, 1 to 3 SMs (1
 * to 9 with such factors), all assumptions granted, overheads of 1 ns. Those with neither are not run; small ones are run in all ways, too.
 * Exit status 1: a bound was exceeded; 2: no system at all had such weights. */
#include "base/plant.h"
#include "falsify/exhaust.h"
#include "falsify/generate_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
	int64_t drawn, lowered, counted, exhausted, runs, tasks, attained, violations;
	double ratios;
};

static void set(struct platform *platform, enum parameter parameter, int64_t value)
{
	platform->parameters[parameter] =
		(struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = "drawn"};
}

static void plain_platform(struct platform *platform, struct draw *draw)
{
	static const enum parameter overheads[] = {
		PARAMETER_OVERHEAD_LAUNCH, PARAMETER_OVERHEAD_BLOCK, PARAMETER_OVERHEAD_DEPENDENCY, PARAMETER_OVERHEAD_COPY};
	for (size_t i = 0; i < sizeof overheads / sizeof *overheads; i++)
		set(platform, overheads[i], 1);
	platform->order = NULL;
	platform->sms = NULL;
	platform->map_source = platform->order_source = NULL;
	set(platform, PARAMETER_SM_COUNT, DRAW_AMONG(draw, 1, 2, 2, 3));
	set(platform, PARAMETER_SM_WARPS, DRAW_AMONG(draw, 5, 7, 8, 10, 12, 16));
	set(platform, PARAMETER_SM_BLOCKS, 16);
	set(platform, PARAMETER_SM_SUBPARTITIONS, 1);
	set(platform, PARAMETER_SM_REGISTERS, 65536);
	set(platform, PARAMETER_BLOCK_THREADS, 1024);
	set(platform, PARAMETER_QUEUES_HARDWARE, 32);
	set(platform, PARAMETER_QUEUES_GRIDS, 32);
	platform->parameters[PARAMETER_STOPS_LENGTH].present = platform->parameters[PARAMETER_STOPS_DISTANCE].present = false;
	platform->compute_capability = 62;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		platform->assumptions[i].status = STATUS_ASSUMED;
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
	platform->composition = (enum composition)DRAW_AMONG(draw, COMPOSITION_MULTIPLICATIVE, COMPOSITION_ADDITIVE, COMPOSITION_MAXIMUM);
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
	struct falsify_case drawn = {arena_allocate(arena, 1, sizeof *drawn.platform), arena_allocate(arena, 1, sizeof *drawn.set)};
	generate_platform(&profile, drawn.platform);
	plain_platform(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	large_blocks(drawn.platform, drawn.set, draw);
	if (counted) {
		set(drawn.platform, PARAMETER_SM_COUNT, draw_range(draw, 1, 9));
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

static void count(struct tally *tally, const struct subject *subject, const struct hunt *hunt)
{
	for (int i = 0; i < subject->set->task_count; i++) {
		int64_t allowed = subject->response->tasks[i].bounds[BOUND_H].value, observed = hunt->observed[i * BOUND_COUNT + BOUND_H];
		if (allowed == NONE || observed == 0)
			continue;
		tally->tasks++;
		tally->attained += observed == allowed;
		tally->ratios += (double)observed / (double)allowed;
	}
}

static bool violates(struct tally *tally, const struct hunt *hunt, int64_t index)
{
	const struct violation *violation = &hunt->violation;
	if (violation->stage == STAGE_NONE)
		return false;
	tally->violations++;
	printf("system %" PRId64 ": %s is %" PRId64 ", the most allowed is %" PRId64 "\n", index, violation->what, violation->observed,
		violation->allowed);
	return true;
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
		hunt_run(&hunt, &subject, &draw, runs);
		tally->runs += hunt.runs;
		bool bad = violates(tally, &hunt, index);
		if (lowered)
			count(tally, &subject, &hunt);
		if (!bad && small && exhaust_run(&hunt, &subject)) {
			tally->exhausted++;
			violates(tally, &hunt, index);
			tally->runs += hunt.runs;
		}
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	if (count < 4) {
		fprintf(stderr, "usage: hunt_cover SYSTEMS SEED RUNS [PLANT]\n");
		return 2;
	}
#ifdef GPUBOUND_TESTING
	plant_set(count > 4 ? plant_find(words[4]) : -1);
#endif
	for (int64_t i = 0; i < strtoll(words[1], NULL, 10); i++)
		hunt_system(&tally, strtoull(words[2], NULL, 10), i, (int)strtol(words[3], NULL, 10));
	printf("%" PRId64 " systems, %" PRId64 " with lower bounds by weights (%" PRId64 " of them in all ways), %" PRId64
	       " with counted factors, %" PRId64 " runs\n"
	       "H of their tasks: %" PRId64 " seen, mean observed/bound %.3f, attained %" PRId64 "; %" PRId64 " violations\n",
		tally.drawn, tally.lowered, tally.exhausted, tally.counted, tally.runs, tally.tasks,
		tally.tasks > 0 ? tally.ratios / (double)tally.tasks : 0, tally.attained, tally.violations);
	return tally.violations > 0 ? 1 : tally.lowered == 0 ? 2 : 0;
}
