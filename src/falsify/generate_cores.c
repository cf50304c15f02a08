/* Threads on cores: tasks get a core, a priority or a reservation, and a way of waiting; what they issue is issued by host segments; some
 * tasks only execute on a core. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

void generate_host_segment(struct arena *arena, struct draw *draw, struct taskset *set, int task, int at, int64_t longest)
{
	struct operation host = {.id = arena_format(arena, "l%d", set->operation_count),
		.kind = OPERATION_HOST,
		.stream = NO_ID,
		.event = NO_ID,
		.wcet = draw_range(draw, 1, longest)};
	host.bcet = draw_percent(draw, 50) ? host.wcet : 0;
	generate_insert(arena, set, task, at, &host);
}

static void add_launches(struct arena *arena, struct draw *draw, struct taskset *set, int task, int64_t longest)
{
	for (int i = 0; i < set->tasks[task].operation_count; i++) {
		const struct task *of = &set->tasks[task];
		bool launched = i > 0 && !task_returns(set, of, i - 1);
		if (task_operation(set, of, i)->kind != OPERATION_HOST && !launched)
			generate_host_segment(arena, draw, set, task, of->first_operation + i, longest);
	}
}

/* Host segments alone, as an interrupt's. */
static void add_task(struct arena *arena, struct draw *draw, struct taskset *set, int64_t longest)
{
	struct task *tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *tasks);
	const struct task *like = &set->tasks[draw_range(draw, 0, set->task_count - 1)];
	for (int i = 0; i < set->task_count; i++)
		tasks[i] = set->tasks[i];
	tasks[set->task_count] = (struct task){.id = arena_format(arena, "cpu%d", set->task_count),
		.application = NO_ID,
		.arrival = like->arrival,
		.deadline = NONE,
		.offset = like->offset,
		.first_operation = set->operation_count};
	set->tasks = tasks;
	generate_host_segment(arena, draw, set, set->task_count++, set->operation_count, longest);
}

static int64_t longest_time(const struct taskset *set)
{
	int64_t longest = 1;
	for (int i = 0; i < set->operation_count; i++)
		longest = checked_max(longest, set->operations[i].wcet == NONE ? 1 : set->operations[i].wcet / 2);
	return longest;
}

/* Seldom as long as a runtime, and runtimes that are seldom used up behind the next deadline, as else there is no bound. */
static void add_overruns(struct draw *draw, struct taskset *set, int core)
{
	int64_t least = NONE, late = set->cores[core - 1].blocking;
	for (int t = 0; t < set->task_count; t++)
		if (set->tasks[t].core == core && task_reserves(&set->tasks[t]))
			least = checked_min(least, set->tasks[t].sched_runtime);
	if (least == NONE || draw_percent(draw, 60))
		return;
	int64_t most = draw_percent(draw, 5) ? 2 * least : checked_max(1, least - 1);
	DRAFT(set->cores)[core - 1].overrun = draw_percent(draw, 50) ? most : draw_range(draw, 1, most);
	for (int t = 0; t < set->task_count; t++)
		if (set->tasks[t].core == core && task_reserves(&set->tasks[t]))
			late = checked_add(late, set->cores[core - 1].overrun);
	for (int t = 0; t < set->task_count; t++)
		if (set->tasks[t].core == core && task_reserves(&set->tasks[t]) && draw_percent(draw, 95))
			DRAFT(set->tasks)[t].sched_period = checked_max(set->tasks[t].sched_period, late);
}

/* As often as not all that the core has left for it. */
void generate_reservations(struct draw *draw, struct taskset *set, int64_t room)
{
	struct rational left[] = {rational_of(room), rational_of(room)};
	int64_t longest = longest_time(set);
	for (int i = 0; i < set->core_count; i++)
		left[i] = rational_make(room, set->cores[i].unit > 1 ? 2 : 1); /* a wake-up may give something */
	for (int t = 0; t < set->task_count; t++) {
		struct task *task = &DRAFT(set->tasks)[t];
		if (task->core == 0 || draw_percent(draw, 40))
			continue;
		int64_t apart = task->arrival.kind == ARRIVAL_CURVE ? longest : task->arrival.period;
		int64_t deadline = draw_range(draw, 2, checked_max(2, DRAW_AMONG(draw, longest, 3 * longest, apart / 4, apart / 10)));
		int64_t most = checked_min(deadline, rational_scale_down(deadline, left[task->core - 1]));
		if (most == 0)
			continue;
		task->fifo = 0;
		task->sched_runtime = draw_percent(draw, 50) ? most : draw_range(draw, 1, most);
		task->sched_deadline = deadline;
		task->sched_period = deadline + (draw_percent(draw, 50) ? 0 : draw_range(draw, 1, deadline));
		if (draw_percent(draw, 90)) /* else there is no bound */
			task->sched_period = checked_max(task->sched_period, set->cores[task->core - 1].blocking);
		left[task->core - 1] = rational_sub(left[task->core - 1], rational_make(task->sched_runtime, deadline));
	}
	for (int core = 1; core <= set->core_count; core++)
		add_overruns(draw, set, core);
}

void generate_cores(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	int64_t longest = longest_time(set), slower = DRAW_AMONG(draw, 1, 1, 2, 3);
	if (set->task_count == 0 || set->hold_count > 0)
		return;
	for (int64_t more = DRAW_AMONG(draw, 0, 0, 1, 2); more > 0; more--)
		add_task(arena, draw, set, longest);
	set->core_count = (int)DRAW_AMONG(draw, 1, 1, 1, 2);
	set->cores = arena_allocate(arena, (size_t)set->core_count, sizeof *set->cores);
	for (int i = 0; i < set->core_count; i++)
		DRAFT(set->cores)
	[i] = (struct core){.id = i == 0 ? "cpu0" : "cpu1",
		.blocking = draw_percent(draw, 60) ? 0 : draw_range(draw, 0, checked_max(1, longest / 2)),
		.submission = draw_percent(draw, 40) ? NONE : draw_range(draw, 0, checked_max(1, longest / 2)),
		.unit = draw_percent(draw, 60) ? 1 : draw_range(draw, 2, checked_max(2, longest / 16))};
	for (int t = 0; t < set->task_count; t++) {
		struct task *task = &DRAFT(set->tasks)[t];
		if (task->arrival.kind != ARRIVAL_CURVE)
			task->arrival.period = checked_mul(task->arrival.period, slower);
		if (task->application != NO_ID && draw_percent(draw, 10))
			continue;
		task->core = (int)draw_range(draw, 1, set->core_count);
		task->fifo = (int)draw_range(draw, 1, 4);
		task->suspends = !draw_percent(draw, 25);
		add_launches(arena, draw, set, t, longest);
	}
	if (draw_percent(draw, 40))
		generate_reservations(draw, set, 1);
	taskset_settle(arena, set);
}
