/* Hunts systems whose jobs work on several streams, with events between them, and says what H, CHAIN and VOL-C gain there.
 *
 * usage: hunt_events [pipelined|calls] SYSTEMS SEED RUNS [PLANT]    RUNS 0: only the table
 *
 * Systems: one context on a platform of the falsifier's, 2 to 4 streams of 1 or 2 levels, tasks of 1 to 5 operations on up to three
 * streams, which tasks may share; behind an operation its event, before one waits for events of the job, seldom of another task of the same
 * period; host segments and jitter in some, periods down to a half of the work of a job. Those in which none of the three has a value for
 * a task on several streams are not run. Exit status 1: a bound was exceeded; 2: there never was one.
 *
 * pipelined: each task has stages on streams of its own, a stage behind the event of the one before, all on one engine, and jobs are
 * released in bursts: one job's stages meet those of others of the same task.
 *
 * calls: threads wait for some of the copies, where all before them is complete then. */
#include "hunts.h"
#include "input/validate.h"
#include "model/draft.h"

#include <string.h>

#define MOST_TASKS 5
#define MOST_OPERATIONS 5
#define ROOM (MOST_TASKS * MOST_OPERATIONS * 5)

struct kind { /* a bound, of tasks on several streams, against the least serial one */
	int64_t tasks, lower, alone;
	double ratios, least;
};

struct tally {
	struct kind kinds[BOUND_COUNT + 1];
	struct closeness closeness[BOUND_COUNT];
	int64_t drawn, some, serial;
	struct attacks attacks;
};

struct maker {
	struct profile profile;
	const struct platform *platform;
	struct taskset *set;
	int64_t work;
	bool one_period, pipelined;
};

static struct operation *add(struct maker *m, struct task *task, enum operation_kind kind, int stream, int64_t wcet)
{
	struct taskset *set = m->set;
	struct operation *operation = &DRAFT(set->operations)[set->operation_count];
	*operation = (struct operation){.id = arena_format(m->profile.arena, "o%d", set->operation_count),
		.kind = kind,
		.stream = stream,
		.event = NO_ID,
		.wcet = wcet,
		.bcet = draw_percent(m->profile.draw, 50) ? wcet : draw_range(m->profile.draw, 0, wcet)};
	set->operation_count++;
	task->operation_count++;
	return operation;
}

static struct kernel kernel_of(int64_t blocks, int64_t warps)
{
	return (struct kernel){.scope = SCOPE_BLOCK,
		.grid = {blocks, 1, 1},
		.blocks = blocks,
		.threads = THREADS_A_WARP * warps,
		.registers = 8,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
}

static void add_work(struct maker *m, struct task *task, int stream, int64_t warps)
{
	struct draw *draw = m->profile.draw;
	int64_t wcet = draw_range(draw, 1, m->profile.scale);
	bool kernel = draw_percent(draw, 60);
	struct operation *operation = add(m, task, kernel ? OPERATION_KERNEL : OPERATION_COPY, stream, wcet);
	m->work += wcet;
	if (!kernel) {
		operation->copy = (struct copy){.direction = draw_percent(draw, 50) ? DIRECTION_H2D : DIRECTION_D2H, .bytes = NONE};
		return;
	}
	int64_t blocks = DRAW_AMONG(draw, 1, 1, 1, 2, 3);
	m->work += (blocks - 1) * wcet;
	operation->kernel = kernel_of(blocks, draw_range(draw, 1, checked_min(warps, 32)));
}

/* An event of this task's, or, where all have one period, seldom of any task before it. */
static int draw_event(struct maker *m, int first)
{
	int from = m->one_period && draw_percent(m->profile.draw, 10) ? 0 : first;
	return m->set->event_count > from ? (int)draw_range(m->profile.draw, from, m->set->event_count - 1) : NO_ID;
}

static void draw_task(struct maker *m, int64_t warps)
{
	struct draw *draw = m->profile.draw;
	struct taskset *set = m->set;
	struct task *task = &DRAFT(set->tasks)[set->task_count];
	int streams[3], stream_count = (int)draw_range(draw, 1, 3), first_event = set->event_count;
	int count = (int)draw_range(draw, 1, MOST_OPERATIONS);
	for (int i = 0; i < stream_count; i++)
		streams[i] = i == 0 ? set->task_count % set->stream_count : (int)draw_range(draw, 0, set->stream_count - 1);
	*task = (struct task){.id = arena_format(m->profile.arena, "t%d", set->task_count),
		.deadline = NONE,
		.offset = NONE,
		.first_operation = set->operation_count};
	for (int i = 0; i < count; i++) {
		int stream = streams[i == 0 ? 0 : draw_range(draw, 0, stream_count - 1)];
		if (m->profile.hosts && i > 0 && draw_percent(draw, 20))
			add(m, task, OPERATION_HOST, NO_ID, draw_range(draw, 1, m->profile.scale));
		for (int event = draw_event(m, first_event); event != NO_ID && draw_percent(draw, 65); event = draw_event(m, first_event))
			add(m, task, OPERATION_WAIT, stream, 0)->event = event;
		add_work(m, task, stream, warps);
		if (draw_percent(draw, 60)) {
			set->events[set->event_count] = arena_format(m->profile.arena, "e%d", set->event_count);
			add(m, task, OPERATION_RECORD, stream, 0)->event = set->event_count++;
		}
	}
	set->task_count++;
}

/* A stage of a pipeline: on all SMs, or on the one copy engine. */
static void add_stage(struct maker *m, struct task *task, int stream, bool kernel, int64_t warps)
{
	int64_t blocks = platform_value(m->platform, PARAMETER_SM_COUNT);
	int64_t wcet = draw_range(m->profile.draw, 1, m->profile.scale);
	struct operation *operation = add(m, task, kernel ? OPERATION_KERNEL : OPERATION_COPY, stream, wcet);
	m->work += wcet;
	operation->copy = (struct copy){.direction = DIRECTION_H2D, .bytes = NONE};
	if (kernel)
		operation->kernel = kernel_of(blocks, checked_min(warps, 32));
}

static void draw_pipeline(struct maker *m, int64_t warps, bool kernels)
{
	struct taskset *set = m->set;
	struct task *task = &DRAFT(set->tasks)[set->task_count];
	int stages = (int)draw_range(m->profile.draw, 2, 3), last = NO_ID;
	*task = (struct task){.id = arena_format(m->profile.arena, "t%d", set->task_count),
		.deadline = NONE,
		.offset = NONE,
		.first_operation = set->operation_count};
	for (int i = 0; i < stages; i++) {
		int stream = (set->task_count * stages + i) % set->stream_count;
		if (last != NO_ID)
			add(m, task, OPERATION_WAIT, stream, 0)->event = last;
		add_stage(m, task, stream, kernels, warps);
		last = set->event_count++;
		set->events[last] = arena_format(m->profile.arena, "e%d", last);
		add(m, task, OPERATION_RECORD, stream, 0)->event = last;
	}
	set->task_count++;
}

/* Jobs come about as often as they are done, and several at once. */
static void draw_bursts(struct maker *m)
{
	for (int i = 0; i < m->set->task_count; i++) {
		int64_t period = m->work * DRAW_AMONG(m->profile.draw, 4, 5, 6, 8) / 4 + 1;
		DRAFT(m->set->tasks)[i].arrival = (struct arrival){.period = period, .min_distance = NONE, .max_distance = NONE};
		DRAFT(m->set->tasks)[i].arrival.jitter = draw_percent(m->profile.draw, 80) ? draw_range(m->profile.draw, 0, 2 * period) : 0;
	}
}

static void draw_arrivals(struct maker *m)
{
	struct draw *draw = m->profile.draw;
	int64_t common = m->work * DRAW_AMONG(draw, 2, 4, 6, 8, 12, 20, 30) / 4 + 1;
	for (int i = 0; i < m->set->task_count; i++) {
		int64_t period = m->one_period ? common : m->work * DRAW_AMONG(draw, 2, 4, 6, 8, 12, 20, 30) / 4 + 1;
		DRAFT(m->set->tasks)[i].arrival = (struct arrival){.period = period, .min_distance = NONE, .max_distance = NONE};
		if (m->profile.jitter && draw_percent(draw, 50))
			DRAFT(m->set->tasks)[i].arrival.jitter = draw_range(draw, 0, 2 * period);
	}
}

/* Mostly what the three bounds need. */
static void grant(struct platform *platform, struct draw *draw)
{
	generate_set(platform, PARAMETER_QUEUES_HARDWARE, 32);
	generate_set(platform, PARAMETER_QUEUES_GRIDS, draw_percent(draw, 90) ? 32 : 2);
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (draw_percent(draw, 95))
			platform->assumptions[i].status = i == ASSUMPTION_ORDER || i == ASSUMPTION_FIT ? STATUS_UNSTATED : STATUS_ASSUMED;
	bool apart = draw_percent(draw, 80);
	for (int i = 0; i < platform->interference_count && apart; i++)
		DRAFT(platform->interference)[i].factor = rational_of(1);
	bool slight = draw_percent(draw, 80);
	for (int i = 0; i < HUNTS_OVERHEADS && slight; i++)
		generate_set(platform, hunts_overheads[i], draw_percent(draw, 20));
	if (draw_percent(draw, 85))
		platform->copy_runlist = COPY_RUNLIST_OWN;
	if (draw_percent(draw, 85))
		hunts_without_stops(platform);
}

static void draw_tasks(struct maker *m)
{
	int64_t warps = platform_value(m->platform, PARAMETER_SM_WARPS);
	if (m->pipelined) {
		bool kernels = draw_percent(m->profile.draw, 50);
		for (int64_t tasks = draw_range(m->profile.draw, 1, 2); tasks > 0; tasks--)
			draw_pipeline(m, warps, kernels);
		draw_bursts(m);
		return;
	}
	for (int64_t tasks = draw_range(m->profile.draw, 1, m->profile.streams + 1); tasks > 0; tasks--)
		draw_task(m, warps);
	draw_arrivals(m);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool pipelined)
{
	struct falsify_case drawn = hunts_case(arena);
	struct maker maker = {.profile = {.arena = arena, .draw = draw, .applications = 1, .copies = true},
		.platform = drawn.platform,
		.set = drawn.set,
		.work = pipelined ? 0 : 8,
		.pipelined = pipelined};
	struct taskset *set = drawn.set;
	struct profile *profile = &maker.profile;
	profile->scale = DRAW_AMONG(draw, 3, 4, 10, 30);
	profile->streams = (int)draw_range(draw, 2, 4);
	profile->levels = draw_percent(draw, 25) ? 2 : 1;
	profile->hosts = draw_percent(draw, 20);
	profile->jitter = draw_percent(draw, 30);
	generate_platform(profile, drawn.platform);
	grant(drawn.platform, draw);
	maker.one_period = draw_percent(draw, 30);
	hunts_one_context(arena, set, profile->streams, MOST_TASKS, ROOM * 4);
	set->events = arena_allocate(arena, ROOM, sizeof *set->events);
	for (int i = 0; i < set->stream_count; i++)
		DRAFT(set->streams)[i].level = (int)draw_range(draw, 0, profile->levels - 1);
	draw_tasks(&maker);
	return drawn;
}

/* ---- what it gains */

static bool on_several(const struct taskset *set, const struct task *task)
{
	int stream = NO_ID;
	for (int i = 0; i < task->operation_count; i++) {
		int of = task_operation(set, task, i)->stream;
		if (of != NO_ID && stream != NO_ID && of != stream)
			return true;
		stream = of != NO_ID ? of : stream;
	}
	return false;
}

static bool compare(struct kind *kind, int64_t value, int64_t serial)
{
	double ratio = (double)value / (double)serial;
	if (value == NONE)
		return false;
	kind->alone += serial == NONE;
	if (serial == NONE)
		return true;
	kind->tasks++;
	kind->lower += value < serial;
	kind->ratios += ratio;
	kind->least = kind->least == 0 || ratio < kind->least ? ratio : kind->least;
	return true;
}

static bool survey(struct tally *tally, const struct subject *subject)
{
	static const enum bound kinds[] = {BOUND_VOL_C, BOUND_H, BOUND_CHAIN};
	bool any = false;
	for (int i = 0; i < subject->set->task_count; i++) {
		const struct bound_value *bounds = subject->response->tasks[i].bounds;
		int64_t serial = checked_min(bounds[BOUND_VOL_P].value, bounds[BOUND_P].value), least = serial;
		if (!on_several(subject->set, &subject->set->tasks[i]))
			continue;
		for (int k = 0; k < 3; k++) {
			any |= compare(&tally->kinds[kinds[k]], bounds[kinds[k]].value, serial);
			least = checked_min(least, bounds[kinds[k]].value);
		}
		tally->serial += serial != NONE;
		compare(&tally->kinds[BOUND_COUNT], least, serial);
	}
	return any;
}

static void hunt_system(struct tally *tally, const struct hunts_arguments *arguments, int64_t index, bool pipelined, bool calls)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(arguments->seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw, pipelined);
	struct diagnostics diagnostics;
	struct subject subject;
	struct hunt hunt;
	diagnostics_init(&diagnostics, arena);
	if (calls)
		generate_calls(arena, &draw, &drawn);
	if (validate_taskset(drawn.platform, drawn.set, &diagnostics)) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		tally->drawn++;
		bool any = survey(tally, &subject);
		tally->some += any;
		if (any && arguments->runs > 0) {
			hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, arguments->runs);
			for (int i = 0; i < drawn.set->task_count; i++)
				for (int k = 0; k < BOUND_COUNT && on_several(drawn.set, &drawn.set->tasks[i]); k++)
					hunts_compare(&tally->closeness[k], &subject, &hunt, i, (enum bound)k);
		}
	}
	arena_destroy(arena);
}

static void print(const struct tally *tally)
{
	printf("bound       tasks   lower     mean  best  none serial   seen  observed/bound  attained\n");
	for (int i = 0; i <= BOUND_COUNT; i++) {
		const struct kind *of = &tally->kinds[i];
		if (of->tasks == 0)
			continue;
		printf("%-8s %8" PRId64 " %5.1f %% %8.3f %5.2f %12" PRId64, i == BOUND_COUNT ? "least" : bound_kinds[i].name, of->tasks,
			100 * (double)of->lower / (double)of->tasks, of->ratios / (double)of->tasks, of->least, of->alone);
		if (i < BOUND_COUNT)
			printf(" %6" PRId64 " %15.3f %9" PRId64, tally->closeness[i].seen, hunts_mean(&tally->closeness[i]),
				tally->closeness[i].attained);
		printf("\n");
	}
	printf("%" PRId64 " systems, %" PRId64 " with such a bound, %" PRId64 " runs; %" PRId64 " violations\n", tally->drawn, tally->some,
		tally->attacks.runs, tally->attacks.violations);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	bool pipelined = count > 1 && strcmp(words[1], "pipelined") == 0, calls = count > 1 && strcmp(words[1], "calls") == 0;
	int taken = 1 + (pipelined || calls);
	if (!hunts_read(&arguments, count - taken, words + taken, "hunt_events [pipelined|calls]"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, &arguments, i, pipelined, calls);
	print(&tally);
	return tally.attacks.violations > 0 ? 1 : tally.some == 0 ? 2 : 0;
}
