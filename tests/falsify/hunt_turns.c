/* Hunts systems whose contexts take turns: VOL-C, H, CHAIN and FP under time slices, with copies in turns or on shared engines, and stops.
 *
 * usage: hunt_turns SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 to 3 contexts (one context with copies in turns, or stops), 1 to 6 streams of 1 or 2 levels, each task on one stream, mostly
 * all assumptions granted, small overheads in most, slices from a fraction of a block to more than all work. What is seen of each bound is
 * told, and what the four gain over the serial bounds.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"

struct tally {
	int64_t drawn, hunted, tasks, gained, first;
	double gain;
	struct attacks attacks;
	struct closeness bounds[BOUND_COUNT];
};

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
		platform->interference[i].factor = rational_of(1);
}

/* Each task stays on one stream, and is released as often as its work just allows. */
static void suit_tasks(struct taskset *set, struct draw *draw)
{
	bool fast = draw_percent(draw, 50);
	set->merged_context = false;
	for (int i = 0; i < set->task_count; i++) {
		struct task *task = &set->tasks[i];
		hunts_on_one_stream(set, task);
		if (!fast && draw_percent(draw, 60))
			task->arrival.period *= draw_range(draw, 1, 6);
	}
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool small)
{
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
static bool is_meant(const struct subject *subject)
{
	bool stops = platform_value(subject->platform, PARAMETER_STOPS_LENGTH) != NONE;
	bool turns = subject->set->application_count > 1 || subject->platform->copy_runlist != COPY_RUNLIST_OWN;
	for (int i = 0; i < subject->set->task_count; i++)
		for (int j = 0; j < 4; j++)
			if ((stops || turns) && subject->response->tasks[i].bounds[others[j]].value != NONE)
				return true;
	return false;
}

static void count_gain(struct tally *tally, const struct response_of *task)
{
	static const enum bound serial[] = {BOUND_VOL_P, BOUND_P, BOUND_P_GPU};
	int64_t before = NONE, after = NONE;
	for (int i = 0; i < 3; i++)
		before = checked_min(before, task->bounds[serial[i]].value);
	for (int i = 0; i < 4; i++)
		after = checked_min(after, task->bounds[others[i]].value);
	tally->first += before == NONE && after != NONE;
	if (before == NONE)
		return;
	tally->tasks++;
	tally->gained += after < before;
	tally->gain += (double)checked_min(before, after) / (double)before;
}

static void count_seen(struct tally *tally, const struct subject *subject, const struct hunt *hunt)
{
	for (int i = 0; i < subject->set->task_count; i++) {
		if (subject->set->application_count > 1)
			count_gain(tally, &subject->response->tasks[i]);
		for (int j = 0; j < BOUND_COUNT; j++)
			hunts_compare(&tally->bounds[j], subject, hunt, i, (enum bound)j);
	}
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	bool small = draw_percent(&draw, 30);
	struct falsify_case drawn = draw_case(arena, &draw, small);
	struct subject subject;
	struct hunt hunt;
	subject_init(&subject, arena, &drawn);
	tally->drawn++;
	if (is_meant(&subject)) {
		tally->hunted++;
		bool bad = hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
		count_seen(tally, &subject, &hunt);
		if (!bad && small)
			hunts_exhaust(&tally->attacks, &hunt, &subject, index);
	}
	arena_destroy(arena);
}

static void tell(const struct tally *tally)
{
	printf("%" PRId64 " systems, %" PRId64 " hunted (%" PRId64 " of them in all ways), %" PRId64 " runs, %" PRId64 " violations\n",
		tally->drawn, tally->hunted, tally->attacks.exhausted, tally->attacks.runs, tally->attacks.violations);
	printf("with several contexts: %" PRId64 " tasks with a serial bound, %" PRId64
	       " lower than that, the mean of all %.3f of it; %" PRId64 " with another bound only\n",
		tally->tasks, tally->gained, tally->tasks > 0 ? tally->gain / (double)tally->tasks : 1, tally->first);
	hunts_print(tally->bounds);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_turns"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	tell(&tally);
	return tally.attacks.violations > 0 ? 1 : tally.hunted == 0 ? 2 : 0;
}
