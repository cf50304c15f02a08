/* Hunts systems whose contexts have priorities, with threads that hold the GPU, on cores or not.
 *
 * usage: hunt_ranks SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 2 to 4 contexts, of which some may have no priority, 2 to 5 streams; host segments before and behind the work, of which most
 * hold the GPU; in a part of the systems threads have cores. Told: how many tasks have the bound P-PRIO, and of these how many are of
 * contexts without a priority, and how many have a core.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"
#include "model/draft.h"

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
	struct falsify_case drawn = hunts_contexts(arena, draw, (int)DRAW_AMONG(draw, 2, 2, 3, 4));
	if (draw_percent(draw, 35))
		generate_cores(arena, draw, &drawn);
	generate_ranks(arena, draw, &drawn);
	return drawn;
}

static bool is_bound(const struct subject *subject, int task)
{
	return subject->response->tasks[task].bounds[BOUND_P_PRIO].value != NONE;
}

static int64_t tasks, best_effort, threads;

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	for (int t = 0; t < subject->set->task_count; t++) {
		const struct task *task = &subject->set->tasks[t];
		bool bound = is_bound(subject, t) && task->application != NO_ID;
		tasks += bound;
		best_effort += bound && subject->set->applications[task->application].priority == NONE;
		threads += bound && task->core > 0;
	}
}

static void tell(void)
{
	printf("%" PRId64 " tasks have P-PRIO; of these %" PRId64 " are of contexts without a priority, %" PRId64 " have a core\n", tasks,
		best_effort, threads);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_ranks", draw_case, NULL, is_bound, count_seen, tell};
	return hunts_main(&kind, count, words);
}
