/* Hunts systems whose kernels configure SMs: shared memory against L1, per SM or for the whole chip. Kernels of scope block and of scope
 * grid, copies and memsets that the driver runs as kernels, all beside one another, of one preference, of several, or of none. Of
 * the falsifier's own systems few are such.
 *
 * usage: hunt_configured SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 or 2 contexts, 2 to 4 streams of 1 or 2 levels, small overheads, no interference, mostly all assumptions granted. Either 2 to
 * 8 SMs that have one configuration, kernels of one block and mostly of one preference, memsets of the driver's; or 1 to 3 SMs of 2 or 4
 * KiB that have a configuration each, a quarter of them placed and configured as Hopper does. What is seen of each bound is told. Exit
 * status 1: a bound was exceeded; 2: no system was run. */
#include "hunts.h"

#include "model/draft.h"

static void suit_platform(struct platform *platform, struct draw *draw)
{
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], draw_percent(draw, 90) ? 1 : draw_range(draw, 0, 8));
	if (draw_percent(draw, 80))
		hunts_without_stops(platform);
	hunts_queues(platform);
	hunts_assume(platform, draw, (int)DRAW_AMONG(draw, 100, 100, 98));
	if (draw_percent(draw, 20))
		platform->assumptions[ASSUMPTION_FRAG].status = STATUS_UNSTATED;
	for (int i = 0; i < platform->interference_count; i++)
		DRAFT(platform->interference)[i].factor = rational_of(1);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
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
	suit_platform(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	generate_configured(arena, draw, drawn.platform, drawn.set);
	for (int i = 0; i < drawn.set->task_count; i++)
		DRAFT(drawn.set->tasks)[i].arrival.period = checked_mul(drawn.set->tasks[i].arrival.period, DRAW_AMONG(draw, 1, 8, 8));
	return drawn;
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_configured", draw_case, NULL, NULL, NULL, NULL};
	return hunts_main(&kind, count, words);
}
