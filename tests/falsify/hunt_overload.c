/* Hunts systems in which some tasks ask for more than they can get: H, CHAIN, VOL-C and FP of the others.
 *
 * usage: hunt_overload SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 to 3 contexts, 2 to 6 streams of 1 to 3 levels; in each at least one task is released more often than its work alone allows,
 * of the lowest level of its context in most. Backlogs grow as long as jobs are released; a run ends when all are done, or after so many
 * events. What is seen of the bounds of tasks in systems in which another one has none is told, and how many of them no bound of a whole
 * context covers.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"
#include "model/draft.h"

static const enum bound partial[] = {BOUND_VOL_C, BOUND_H, BOUND_CHAIN, BOUND_FP};

static void suit_platform(struct platform *platform, struct draw *draw)
{
	for (int i = 0; i < HUNTS_OVERHEADS && draw_percent(draw, 80); i++)
		generate_set(platform, hunts_overheads[i], 1);
	if (draw_percent(draw, 90))
		hunts_queues(platform);
	if (draw_percent(draw, 70))
		hunts_without_stops(platform);
	hunts_assume(platform, draw, 99);
	if (draw_percent(draw, 30)) /* then copies of a task that has no bound delay those of the others without end */
		platform->assumptions[ASSUMPTION_CE].status = STATUS_UNSTATED;
	for (int i = 0; i < platform->interference_count && draw_percent(draw, 90); i++)
		DRAFT(platform->interference)[i].factor = rational_of(1);
}

static int64_t work_of(const struct taskset *set, const struct task *task)
{
	int64_t sum = 1;
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		sum += set->operations[i].kind == OPERATION_HOST ? 0 : set->operations[i].wcet;
	return sum;
}

static int stream_of(const struct taskset *set, const struct task *task)
{
	for (int k = task->first_operation; k < task->first_operation + task->operation_count; k++)
		if (set->operations[k].stream != NO_ID)
			return set->operations[k].stream;
	return NO_ID;
}

/* One task at least, and more with some chance, is too eager. */
static void suit_tasks(struct taskset *set, struct draw *draw, int levels)
{
	int eager = (int)draw_range(draw, 0, set->task_count - 1);
	bool lowest = draw_percent(draw, 60);
	set->merged_context = false;
	for (int i = 0; i < set->task_count; i++) {
		struct task *task = &DRAFT(set->tasks)[i];
		if (draw_percent(draw, 80))
			hunts_on_one_stream(set, task);
		int stream = stream_of(set, task);
		if (i == eager || draw_percent(draw, 10)) {
			task->arrival.period = checked_max(1, work_of(set, task) / draw_range(draw, 1, 3));
			task->arrival.jitter = checked_min(task->arrival.jitter, task->arrival.period);
			task->arrival.min_distance = NONE;
			if (lowest && stream != NO_ID)
				DRAFT(set->streams)[stream].level = levels - 1;
		} else {
			task->arrival.period *= draw_range(draw, 1, 3);
		}
	}
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	bool small = draw_percent(draw, 30);
	(void)in_all_ways;
	int contexts = (int)DRAW_AMONG(draw, 1, 1, 1, 2, 3), levels = (int)DRAW_AMONG(draw, 1, 2, 2, 3);
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = small ? 3 : DRAW_AMONG(draw, 8, 30, 200),
		.applications = small && contexts > 2 ? 2 : contexts,
		.streams = (int)draw_range(draw, small ? 2 : contexts + 1, small ? 3 : 6),
		.levels = levels,
		.simple = draw_percent(draw, small ? 80 : 40),
		.copies = draw_percent(draw, 60),
		.grids = draw_percent(draw, 15),
		.hosts = draw_percent(draw, 20),
		.jitter = !small && draw_percent(draw, 30)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit_platform(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	suit_tasks(drawn.set, draw, levels);
	return drawn;
}

static bool has_partial(const struct response_of *task)
{
	for (int j = 0; j < 4; j++)
		if (task->bounds[partial[j]].value != NONE)
			return true;
	return false;
}

/* One task has none of these bounds, and another one has. */
static bool is_meant(const struct subject *subject)
{
	bool with = false, without = false;
	for (int i = 0; i < subject->set->task_count; i++) {
		with |= has_partial(&subject->response->tasks[i]);
		without |= !has_partial(&subject->response->tasks[i]);
	}
	return with && without;
}

static int64_t tasks, only;

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	for (int i = 0; i < subject->set->task_count; i++) {
		const struct bound_value *bounds = subject->response->tasks[i].bounds;
		bool has = has_partial(&subject->response->tasks[i]);
		tasks += has;
		only += has && bounds[BOUND_VOL_P].value == NONE && bounds[BOUND_P].value == NONE && bounds[BOUND_P_GPU].value == NONE;
	}
}

static void tell(void)
{
	printf("%" PRId64 " tasks with one of the four bounds in them, %" PRId64 " of these without any of a whole context\n", tasks, only);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_overload", draw_case, is_meant, NULL, count_seen, tell};
	return hunts_main(&kind, count, words);
}
