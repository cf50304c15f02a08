/* Hunts systems of known phases in which TT is the least bound: tasks that share streams, levels with kernels of several blocks, kernels of
 * different blocks side by side. The falsifier's own systems of known phases have a stream a task.
 *
 * usage: hunt_phases SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 1 to 4 streams of 1 to 3 levels with 1 to 3 tasks more, copies with a runlist of their own, no stops, small
 * overheads or none, nearly all assumptions granted. Those for which TT has no value below the others are not run. Exit status 1: a bound
 * was exceeded; 2: no system was run. */
#include "hunts.h"
#include "input/validate.h"

static void change_platform(struct platform *platform, struct draw *draw)
{
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], draw_percent(draw, 50) ? 0 : draw_range(draw, 1, 6));
	hunts_queues(platform);
	hunts_assume(platform, draw, 97);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw)
{
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

struct tally {
	int64_t drawn, run;
	struct closeness closeness;
	struct attacks attacks;
};

/* Tasks of which TT is the least bound. */
static int64_t count_least(const struct subject *subject)
{
	int64_t count = 0;
	for (int i = 0; i < subject->set->task_count; i++)
		count += subject->response->tasks[i].winner == BOUND_TT;
	return count;
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw);
	struct subject subject;
	struct hunt hunt;
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	if (validate_taskset(drawn.platform, drawn.set, &diagnostics)) {
		subject_init(&subject, arena, &drawn);
		tally->drawn++;
		if (count_least(&subject) > 0) {
			tally->run++;
			hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
			for (int i = 0; i < subject.set->task_count; i++)
				hunts_compare(&tally->closeness, &subject, &hunt, i, BOUND_TT);
		}
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_phases"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	printf("%" PRId64 " systems, %" PRId64 " in which TT is the least bound of a task, %" PRId64 " runs, %" PRId64 " violations\n",
		tally.drawn, tally.run, tally.attacks.runs, tally.attacks.violations);
	printf("of %" PRId64 " tasks with TT %" PRId64 " attained, observed/TT %.3f in the mean\n", tally.closeness.seen,
		tally.closeness.attained, hunts_mean(&tally.closeness));
	return tally.attacks.violations > 0 ? 1 : tally.run == 0 ? 2 : 0;
}
