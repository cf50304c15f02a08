/* Hunts systems with units under a lock that have work on several streams.
 *
 * usage: hunt_units [turns] SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one or two contexts, 2 to 5 streams of one or two levels, copies, factors, events between operations, now and then partitions;
 * long periods, as jobs under a lock may not overlap. Told: how many tasks have the bound LOCK, how many of these have a unit on several
 * streams, and how many of those one with kernels on several, or with an event.
 * turns: nearly all have units whose kernels and copies take turns, in short slices.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"
#include "model/draft.h"

#include <string.h>

static bool turning;

/* Kernels and copies take turns, which end soon. */
static void shorten_slices(struct falsify_case *drawn, struct draw *draw)
{
	drawn->platform->copy_runlist = draw_percent(draw, 70) ? COPY_RUNLIST_SHARED : COPY_RUNLIST_UNKNOWN;
	int64_t longest = DRAW_AMONG(draw, 4, 12, 40);
	generate_set(drawn->platform, PARAMETER_RUNLIST_TIMESLICE, draw_range(draw, 1, longest));
	generate_set(drawn->platform, PARAMETER_RUNLIST_COPY_TIMESLICE, draw_range(draw, 1, longest));
	for (int i = 0; i < drawn->set->application_count; i++)
		DRAFT(drawn->set->applications)[i].timeslice = NONE;
	for (int i = 0; i < drawn->set->operation_count; i++) {
		struct operation *operation = &DRAFT(drawn->set->operations)[i];
		int stream = (int)draw_range(draw, 0, drawn->set->stream_count - 1);
		if (operation->kind == OPERATION_COPY && operation->graph == 0 &&
			drawn->set->streams[stream].application == drawn->set->streams[operation->stream].application)
			operation->stream = stream;
	}
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 3, 6, 10, 30, 200),
		.applications = (int)DRAW_AMONG(draw, 1, 1, 2),
		.streams = (int)DRAW_AMONG(draw, 2, 3, 4, 5),
		.levels = (int)DRAW_AMONG(draw, 1, 1, 2),
		.grids = draw_percent(draw, 40),
		.copies = turning || draw_percent(draw, 80),
		.hosts = draw_percent(draw, 20),
		.events = turning || draw_percent(draw, 50),
		.jitter = draw_percent(draw, 30)};
	struct falsify_case drawn = hunts_platform(&profile);
	if (draw_percent(draw, 90))
		drawn.platform->copy_runlist = COPY_RUNLIST_OWN;
	hunts_assume(drawn.platform, draw, 99);
	generate_taskset(&profile, drawn.platform, drawn.set);
	if (turning)
		shorten_slices(&drawn, draw);
	if (profile.applications == 1 && !turning && draw_percent(draw, 20))
		generate_partitions(arena, draw, drawn.platform, drawn.set);
	int64_t longer = DRAW_AMONG(draw, 2, 4, 8, 16);
	for (int t = 0; t < drawn.set->task_count; t++)
		DRAFT(drawn.set->tasks)[t].arrival.period *= longer;
	generate_locks(arena, draw, &drawn);
	return drawn;
}

static bool is_bound(const struct subject *subject, int task)
{
	return subject->response->tasks[task].bounds[BOUND_LOCK].value != NONE;
}

/* Has the task a unit with two streams that both have such work? */
static bool has_beside(const struct taskset *set, const struct task *task, bool kernels)
{
	bool found = false;
	for (int i = 1; i < task->operation_count; i++)
		for (int k = 0; k < i; k++) {
			const struct operation *own = task_operation(set, task, i), *other = task_operation(set, task, k);
			bool both = own->kind == OPERATION_KERNEL && other->kind == OPERATION_KERNEL;
			found |= own->hold != 0 && own->hold == other->hold && own->stream != other->stream && (both || !kernels);
		}
	return found;
}

/* Has it a unit whose kernels and copies take turns? */
static bool has_turns(const struct subject *subject, const struct task *task)
{
	const struct operation_cost *costs = subject->costs->operations;
	bool found = false;
	for (int i = task->first_operation + 1; i < task->first_operation + task->operation_count; i++)
		for (int k = task->first_operation; k < i; k++) {
			const struct operation *own = &subject->set->operations[i], *other = &subject->set->operations[k];
			bool both = costs[i].place + costs[k].place == PLACE_EXECUTION + PLACE_COPY && costs[i].place != costs[k].place;
			found |= own->hold != 0 && own->hold == other->hold && own->stream != other->stream && both;
		}
	return found && subject->platform->copy_runlist != COPY_RUNLIST_OWN;
}

static int64_t tasks, several, kernels, events, turns;

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	for (int t = 0; t < subject->set->task_count; t++) {
		const struct task *task = &subject->set->tasks[t];
		bool bound = is_bound(subject, t), waits = false;
		for (int i = 0; i < task->operation_count; i++)
			waits |= task_operation(subject->set, task, i)->kind == OPERATION_WAIT;
		tasks += bound;
		several += bound && has_beside(subject->set, task, false);
		kernels += bound && has_beside(subject->set, task, true);
		events += bound && waits;
		turns += bound && has_turns(subject, task);
	}
}

static void tell(void)
{
	printf("%" PRId64 " tasks have LOCK; of these %" PRId64 " have a unit on several streams, %" PRId64
	       " with kernels on several, %" PRId64 " an event, %" PRId64 " one whose kernels and copies take turns\n",
		tasks, several, kernels, events, turns);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_units", draw_case, NULL, is_bound, count_seen, tell};
	turning = count > 1 && strcmp(words[1], "turns") == 0;
	return hunts_main(&kind, count - turning, words + turning);
}
