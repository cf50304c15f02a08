/* Hunts systems in which copies slow blocks only while they run: kernels of long blocks beside tasks that copy, with factors of their own
 * for copies. The falsifier's own systems seldom have all of that.
 *
 * usage: hunt_copies SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 2 to 4 streams of 1 or 2 levels, copies with a runlist of their own, no stops, small overheads, all assumptions
 * granted or a part of them. Those in which no block's WCET falls by it are not run. Exit status 1: a bound or a block's WCET was exceeded;
 * 2: no system was run. */
#include "hunts.h"

static void draw_factors(struct platform *platform, struct arena *arena, struct draw *draw)
{
	static const enum interferer copies[] = {INTERFERER_H2D, INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET};
	static const enum interferer blocks[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT};
	int count = 0;
	platform->interference = arena_allocate(arena, 16, sizeof *platform->interference);
	for (int i = 0; i < 4; i++) {
		platform->interference[count++] = (struct interference_entry){
			.footprint = NONE, .source = copies[i], .count = NONE, .factor = rational_make(draw_range(draw, 4, 20), 4)};
		platform->interference[count++] = (struct interference_entry){.footprint = NONE,
			.source = blocks[i],
			.count = NONE,
			.factor = rational_make(draw_percent(draw, 60) ? 4 : draw_range(draw, 4, 8), 4)};
	}
	platform->interference[count++] = (struct interference_entry){.footprint = NONE,
		.source = INTERFERER_ALL,
		.count = NONE,
		.is_copy = true,
		.factor = rational_make(draw_range(draw, 4, 8), 4)};
	platform->interference_count = count;
	platform->composition = hunts_composition(draw);
}

static void change_platform(struct platform *platform, struct arena *arena, struct draw *draw)
{
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], draw_percent(draw, 70) ? 1 : draw_range(draw, 1, 20));
	platform->copy_runlist = COPY_RUNLIST_OWN;
	hunts_without_stops(platform);
	hunts_queues(platform);
	hunts_assume(platform, draw, 95);
	draw_factors(platform, arena, draw);
}

/* Long blocks, short copies. */
static void change_operations(struct taskset *set, struct draw *draw)
{
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &set->operations[i];
		int64_t times = DRAW_AMONG(draw, 1, 4, 8, 20);
		if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_BLOCK || operation->kernel.curve_count > 0)
			continue;
		operation->wcet = checked_mul(operation->wcet, times);
		operation->kernel.blocks = operation->kernel.grid[0] = draw_range(draw, 1, 3);
	}
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw)
{
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 6, 20, 100, 400),
		.applications = 1,
		.streams = (int)draw_range(draw, 2, 4),
		.levels = (int)draw_range(draw, 1, 2),
		.simple = draw_percent(draw, 50),
		.copies = true,
		.grids = draw_percent(draw, 20),
		.hosts = draw_percent(draw, 15),
		.events = draw_percent(draw, 15),
		.jitter = draw_percent(draw, 40)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	change_platform(drawn.platform, arena, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	change_operations(drawn.set, draw);
	return drawn;
}

struct tally {
	int64_t drawn, run;
	struct attacks attacks;
};

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw);
	struct subject subject;
	struct hunt hunt;
	subject_init(&subject, arena, &drawn);
	tally->drawn++;
	if (subject.beside_copies) {
		tally->run++;
		hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_copies"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	printf("%" PRId64 " systems, %" PRId64 " with blocks that copies slow only while they run, %" PRId64 " runs, %" PRId64
	       " violations\n",
		tally.drawn, tally.run, tally.attacks.runs, tally.attacks.violations);
	return tally.attacks.violations > 0 ? 1 : tally.run == 0 ? 2 : 0;
}
