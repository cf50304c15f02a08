/* Hunts systems with units under a lock that have work on several streams.
 *
 * usage: hunt_units SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one or two contexts, 2 to 5 streams of one or two levels, copies, factors, events between operations, now and then partitions;
 * long periods, as jobs under a lock may not overlap. Told: how many tasks have the bound LOCK, how many of these have a unit on several
 * streams, and how many of those one with kernels on several, or with an event.
 * Exit status 1: a bound was exceeded; 2: no system had such a bound. */
#include "hunts.h"
#include "model/draft.h"

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
		.copies = draw_percent(draw, 80),
		.hosts = draw_percent(draw, 20),
		.events = draw_percent(draw, 50),
		.jitter = draw_percent(draw, 30)};
	struct falsify_case drawn = hunts_platform(&profile);
	if (draw_percent(draw, 90))
		drawn.platform->copy_runlist = COPY_RUNLIST_OWN;
	hunts_assume(drawn.platform, draw, 99);
	generate_taskset(&profile, drawn.platform, drawn.set);
	if (profile.applications == 1 && draw_percent(draw, 20))
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

static int64_t tasks, several, kernels, events;

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
	}
}

static void tell(void)
{
	printf("%" PRId64 " tasks have LOCK; of these %" PRId64 " have a unit on several streams, %" PRId64
	       " with kernels on several, %" PRId64 " an event\n",
		tasks, several, kernels, events);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_units", draw_case, NULL, is_bound, count_seen, tell};
	return hunts_main(&kind, count, words);
}
