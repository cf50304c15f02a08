/* Hunts systems whose tasks have threads on cores: responses of host segments and of work on the GPU, which rest on one another.
 *
 * usage: hunt_cores [reservations] SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 or 2 contexts, 1 to 4 streams, 1 or 2 cores; most tasks with a core, some that only execute there. Told: how many of the
 * tasks with a core have a bound, and how many of these suspend themselves, or spin, for work on the GPU, have a reservation
 * (SCHED_DEADLINE) in place of a priority, or rest on A-SUBMIT. Exit status 1: a bound was exceeded; 2: no system had such a bound.
 *
 * reservations: in each system there are some, in some more than a core can serve. */
#include "hunts.h"
#include "model/draft.h"

#include <string.h>

static bool reservations;

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 3, 6, 10, 30, 200),
		.applications = (int)DRAW_AMONG(draw, 1, 1, 1, 2),
		.streams = (int)draw_range(draw, 2, 4),
		.levels = (int)DRAW_AMONG(draw, 1, 1, 2),
		.simple = draw_percent(draw, 50),
		.copies = draw_percent(draw, 40),
		.hosts = draw_percent(draw, 50),
		.jitter = draw_percent(draw, 30)};
	struct falsify_case drawn = hunts_platform(&profile);
	hunts_assume(drawn.platform, draw, 99);
	generate_taskset(&profile, drawn.platform, drawn.set);
	generate_cores(arena, draw, &drawn);
	if (reservations)
		generate_reservations(draw, drawn.set, DRAW_AMONG(draw, 1, 1, 1, 2));
	return drawn;
}

static bool is_bound(const struct subject *subject, int task)
{
	return subject->set->tasks[task].core > 0 && subject->response->tasks[task].winner >= 0;
}

static int64_t threads, bound, suspend, spin, reserved, overruns, submits;

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	for (int t = 0; t < subject->set->task_count; t++) {
		const struct task *task = &subject->set->tasks[t];
		threads += task->core > 0;
		bound += is_bound(subject, t);
		suspend += is_bound(subject, t) && task->application != NO_ID && !task_spins(task);
		spin += is_bound(subject, t) && task_spins(task);
		reserved += is_bound(subject, t) && task_reserves(task);
		overruns += is_bound(subject, t) && task_reserves(task) && subject->set->cores[task->core - 1].overrun > 0;
		submits += is_bound(subject, t) && subject->set->submits;
	}
}

static void tell(void)
{
	printf("%" PRId64 " of %" PRId64 " threads on cores have a bound; of these %" PRId64 " suspend themselves for the GPU, %" PRId64
	       " spin, %" PRId64 " have a reservation, %" PRId64 " of which may be overrun; %" PRId64
	       " rest on A-SUBMIT in place of A-HOST\n",
		bound, threads, suspend, spin, reserved, overruns, submits);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_cores", draw_case, NULL, is_bound, count_seen, tell};
	reservations = count > 1 && strcmp(words[1], "reservations") == 0;
	return hunts_main(&kind, count - reservations, words + reservations);
}
