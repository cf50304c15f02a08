/* Hunts systems of known phases in which TT is the least bound: tasks that share streams, levels with kernels of several blocks, kernels of
 * different blocks side by side. The falsifier's own systems of known phases have a stream a task.
 *
 * usage: hunt_phases SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 1 to 4 streams of 1 to 3 levels with 1 to 3 tasks more, copies with a runlist of their own, no stops, small
 * overheads or none, nearly all assumptions granted. Those for which TT has no value below the others are not run. Exit status 1: a bound
 * was exceeded; 2: no system was run. */
#include "hunts.h"

static void change_platform(struct platform *platform, struct draw *draw)
{
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], draw_percent(draw, 50) ? 0 : draw_range(draw, 1, 6));
	hunts_queues(platform);
	hunts_assume(platform, draw, 97);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
	struct profile profile = {.arena = arena,
		.draw = draw,
		.phased = true,
		.crowded = true,
		.scale = DRAW_AMONG(draw, 3, 4, 6, 10, 20, 100),
		.applications = 1,
		.streams = (int)draw_range(draw, 1, 4),
		.levels = (int)DRAW_AMONG(draw, 1, 1, 2, 2, 3),
		.copies = draw_percent(draw, 60),
		.grids = draw_percent(draw, 20),
		.hosts = draw_percent(draw, 15),
		.jitter = draw_percent(draw, 50)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	change_platform(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	generate_phases(draw, drawn.set);
	return drawn;
}

static bool is_least(const struct subject *subject, int task)
{
	return subject->response->tasks[task].winner == BOUND_TT;
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_phases", draw_case, NULL, is_least, NULL, NULL};
	return hunts_main(&kind, count, words);
}
