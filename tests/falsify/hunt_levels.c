/* Hunts systems whose contexts have interleave levels.
 *
 * usage: hunt_levels SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 2 to 5 contexts of any levels, as many streams or one more. Told: how many tasks of each level have a bound that counts turns,
 * VOL-P, P, VOL-C, H or CHAIN.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"
#include "model/draft.h"

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
	struct falsify_case drawn = hunts_contexts(arena, draw, (int)DRAW_AMONG(draw, 2, 3, 3, 4, 5));
	generate_levels(arena, draw, &drawn);
	return drawn;
}

/* By a bound that counts turns. */
static bool is_bound(const struct subject *subject, int task)
{
	const struct bound_value *bounds = subject->response->tasks[task].bounds;
	bool counts = bounds[BOUND_VOL_P].value != NONE || bounds[BOUND_P].value != NONE || bounds[BOUND_VOL_C].value != NONE ||
		      bounds[BOUND_H].value != NONE || bounds[BOUND_CHAIN].value != NONE;
	return counts && subject->set->tasks[task].application != NO_ID && subject->set->interleaved;
}

static int64_t of_level[INTERLEAVE_COUNT];

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	for (int t = 0; t < subject->set->task_count; t++)
		if (is_bound(subject, t))
			of_level[subject->set->applications[subject->set->tasks[t].application].interleave]++;
}

static void tell(void)
{
	printf("tasks with a bound by turns: %" PRId64 " of level low, %" PRId64 " medium, %" PRId64 " high\n", of_level[INTERLEAVE_LOW],
		of_level[INTERLEAVE_MEDIUM], of_level[INTERLEAVE_HIGH]);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_levels", draw_case, NULL, is_bound, count_seen, tell};
	return hunts_main(&kind, count, words);
}
