/* Hunts systems whose contexts take turns: VOL-C, H, CHAIN and FP under time slices, with copies in turns or on shared engines, and stops.
 *
 * usage: hunt_turns SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 to 3 contexts (one context with copies in turns, or stops), 1 to 6 streams of 1 or 2 levels, each task on one stream, mostly
 * all assumptions granted, small overheads in most, slices from a fraction of a block to more than all work. What is seen of each bound is
 * told, and what the four gain over the serial bounds.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"
#include "model/draft.h"

static void suit_platform(struct platform *platform, struct draw *draw, int64_t scale)
{
	for (int i = 0; i < HUNTS_OVERHEADS && draw_percent(draw, 80); i++)
		generate_set(platform, hunts_overheads[i], 1);
	if (draw_percent(draw, 80))
		hunts_queues(platform);
	if (draw_percent(draw, 60))
		generate_set(platform, PARAMETER_RUNLIST_SWITCH, draw_range(draw, 1, 2));
	if (draw_percent(draw, 70))
		hunts_without_stops(platform);
	if (draw_percent(draw, 40))
		generate_set(platform, PARAMETER_RUNLIST_TIMESLICE, draw_range(draw, 4 * scale, 20 * scale));
	hunts_assume(platform, draw, 99);
	for (int i = 0; i < platform->interference_count && draw_percent(draw, 90); i++)
		DRAFT(platform->interference)[i].factor = rational_of(1);
}

/* Each task stays on one stream, and is released as often as its work just allows. */
static void suit_tasks(struct taskset *set, struct draw *draw)
{
	bool fast = draw_percent(draw, 50);
	set->merged_context = false;
	for (int i = 0; i < set->task_count; i++) {
		struct task *task = &DRAFT(set->tasks)[i];
		hunts_on_one_stream(set, task);
		if (!fast && draw_percent(draw, 60))
			task->arrival.period *= draw_range(draw, 1, 6);
	}
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	bool small = *in_all_ways = draw_percent(draw, 30);
	int contexts = (int)DRAW_AMONG(draw, 1, 2, 2, 2, 3);
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = small ? 3 : DRAW_AMONG(draw, 8, 30, 200),
		.applications = small && contexts > 2 ? 2 : contexts,
		.streams = (int)draw_range(draw, small && contexts > 2 ? 2 : contexts, small ? 3 : 6),
		.levels = (int)draw_range(draw, 1, 2),
		.simple = draw_percent(draw, small ? 80 : 40),
		.copies = draw_percent(draw, 60),
		.grids = draw_percent(draw, 15),
		.hosts = draw_percent(draw, 20),
		.jitter = !small && draw_percent(draw, 30)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit_platform(drawn.platform, draw, profile.scale);
	generate_taskset(&profile, drawn.platform, drawn.set);
	suit_tasks(drawn.set, draw);
	return drawn;
}

static const enum bound others[] = {BOUND_VOL_C, BOUND_H, BOUND_CHAIN, BOUND_FP};

/* Turns or stops, and one of the four bounds. */
static bool is_bound(const struct subject *subject, int task)
{
	bool stops = platform_value(subject->platform, PARAMETER_STOPS_LENGTH) != NONE, found = false;
	bool turns = subject->set->application_count > 1 || subject->platform->copy_runlist != COPY_RUNLIST_OWN;
	for (int j = 0; j < 4; j++)
		found |= subject->response->tasks[task].bounds[others[j]].value != NONE;
	return (stops || turns) && found;
}

static struct {
	int64_t tasks, gained, first;
	double gain;
} gains;

static void count_gain(const struct response_of *task)
{
	static const enum bound serial[] = {BOUND_VOL_P, BOUND_P, BOUND_P_GPU};
	int64_t before = NONE, after = NONE;
	for (int i = 0; i < 3; i++)
		before = checked_min(before, task->bounds[serial[i]].value);
	for (int i = 0; i < 4; i++)
		after = checked_min(after, task->bounds[others[i]].value);
	gains.first += before == NONE && after != NONE;
	if (before == NONE)
		return;
	gains.tasks++;
	gains.gained += after < before;
	gains.gain += (double)checked_min(before, after) / (double)before;
}

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	for (int i = 0; i < subject->set->task_count && subject->set->application_count > 1; i++)
		count_gain(&subject->response->tasks[i]);
}

static void tell(void)
{
	printf("with several contexts: %" PRId64 " tasks with a serial bound, %" PRId64
	       " lower than that, the mean of all %.3f of it; %" PRId64 " with another bound only\n",
		gains.tasks, gains.gained, gains.tasks > 0 ? gains.gain / (double)gains.tasks : 1, gains.first);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_turns", draw_case, NULL, is_bound, count_seen, tell};
	return hunts_main(&kind, count, words);
}
