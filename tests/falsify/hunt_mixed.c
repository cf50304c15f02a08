/* Hunts systems in which many refinements meet: several contexts under slices, or one, with kernels and copies that slow each other, by
 * factors up to 4, known blocks of scope grid, bursts, delays (A-ORDER), stops, few grid slots, NULL streams, loads near one.
 *
 * usage: hunt_mixed SYSTEMS SEED RUNS [PLANT]
 *
 * One of twelve is made for P-GPU: kernels of two or three contexts, whose slices a copy slows from beginning to end.
 *
 * What is seen of each bound is told. Exit status 1: a bound was exceeded; 2: no system had a bound. */
#include "hunts.h"
#include "input/validate.h"
#include "model/draft.h"

struct tally {
	int64_t drawn, hunted, paced, turns, delayed;
	struct attacks attacks;
	struct closeness bounds[BOUND_COUNT];
};

static void suit(struct platform *platform, struct draw *draw, int64_t scale)
{
	for (int i = 0; i < ASSUMPTION_COUNT && draw_percent(draw, 97); i++)
		if (platform->assumptions[i].status == STATUS_UNSTATED && i != ASSUMPTION_TICK && i != ASSUMPTION_DRAW &&
			i != ASSUMPTION_ORDER)
			platform->assumptions[i].status = STATUS_ASSUMED;
	if (draw_percent(draw, 85))
		hunts_queues(platform);
	if (draw_percent(draw, 60))
		platform->copy_runlist = COPY_RUNLIST_OWN;
	if (draw_percent(draw, 60))
		generate_set(platform, PARAMETER_RUNLIST_TIMESLICE, draw_range(draw, scale, 20 * scale));
	if (draw_percent(draw, 50))
		hunts_without_stops(platform);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool small)
{
	int contexts = (int)DRAW_AMONG(draw, 1, 1, 2, 2, 3);
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = small ? DRAW_AMONG(draw, 2, 3, 4) : DRAW_AMONG(draw, 8, 30, 200, 2000),
		.applications = small && contexts > 2 ? 2 : contexts,
		.streams = (int)draw_range(draw, contexts, small ? 3 : 6),
		.levels = (int)DRAW_AMONG(draw, 1, 1, 2, 3),
		.simple = draw_percent(draw, small ? 60 : 25),
		.null_streams = draw_percent(draw, 8),
		.copies = draw_percent(draw, 75),
		.grids = draw_percent(draw, 15),
		.hosts = draw_percent(draw, 20),
		.events = draw_percent(draw, 8),
		.jitter = draw_percent(draw, 30),
		.registers = draw_percent(draw, 20),
		.shared = draw_percent(draw, 20)};
	profile.streams = (int)checked_max(profile.streams, profile.applications);
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit(drawn.platform, draw, profile.scale);
	generate_taskset(&profile, drawn.platform, drawn.set);
	if (draw_percent(draw, 20))
		generate_delays(draw, drawn.platform, drawn.set);
	if (draw_percent(draw, 85))
		generate_variety(arena, draw, drawn.platform, drawn.set);
	generate_switch(drawn.platform, drawn.set);
	return drawn;
}

/* ---- kernels and copies of contexts that slow each other by much: what P-GPU charges once */

static void suit_mutual(struct platform *platform, struct draw *draw, struct arena *arena, int64_t scale)
{
	static const enum interferer blocks[] = {INTERFERER_SM, INTERFERER_OUT, INTERFERER_H2D, INTERFERER_D2H},
				     copies[] = {INTERFERER_EE, INTERFERER_H2D, INTERFERER_D2H};
	int64_t much = DRAW_AMONG(draw, 6, 8, 12, 16, 32);
	generate_set(platform, PARAMETER_SM_COUNT, 1);
	hunts_without_map(platform);
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		generate_set(platform, hunts_overheads[i], 0);
	generate_set(platform, PARAMETER_RUNLIST_SWITCH, draw_percent(draw, 60) ? draw_range(draw, 0, 1) : draw_range(draw, 0, scale / 4));
	generate_set(
		platform, PARAMETER_RUNLIST_TIMESLICE, draw_percent(draw, 50) ? 100 * scale : draw_range(draw, 1 + scale / 4, 2 * scale));
	hunts_without_stops(platform);
	platform->copy_runlist = COPY_RUNLIST_OWN;
	platform->preemption = draw_percent(draw, 75) ? PREEMPTION_INSTRUCTION : PREEMPTION_BLOCK;
	platform->composition = hunts_composition(draw);
	platform->interference = arena_allocate(arena, 7, sizeof *platform->interference);
	platform->interference_count = 0;
	for (int i = 0; i < 7; i++)
		DRAFT(platform->interference)
	[platform->interference_count++] = (struct interference_entry){.victim = ACCESS_ANY,
		.footprint = NONE,
		.source = i < 4 ? blocks[i] : copies[i - 4],
		.count = NONE,
		.is_copy = i >= 4,
		.factor = i < 2 || i > 4 ? rational_of(1) : rational_make(draw_percent(draw, 50) ? much : draw_range(draw, 4, 16), 4)};
}

/* Copies that come with each slice and last as long as that: what slows is there only when there is something to slow. */
static void keep_step(struct platform *platform, struct taskset *set, struct draw *draw)
{
	int64_t slice = platform_value(platform, PARAMETER_RUNLIST_TIMESLICE),
		period = slice + platform_value(platform, PARAMETER_RUNLIST_SWITCH);
	for (int i = 0; i < set->task_count; i++) {
		struct task *task = &DRAFT(set->tasks)[i];
		struct operation *first = &DRAFT(set->operations)[task->first_operation];
		if (task->operation_count != 1 || first->kind != OPERATION_COPY) {
			task->arrival.period = checked_mul(task->arrival.period, 40);
			if (first->kind == OPERATION_KERNEL)
				first->wcet = first->bcet = checked_mul(first->wcet, draw_range(draw, 1, 20));
			continue;
		}
		first->wcet = first->bcet = checked_max(1, slice / draw_range(draw, 2, 8));
		task->arrival = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = period, .min_distance = NONE, .max_distance = NONE};
	}
}

static struct falsify_case draw_mutual(struct arena *arena, struct draw *draw)
{
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 10, 100, 1000),
		.applications = (int)DRAW_AMONG(draw, 2, 2, 3),
		.levels = 1,
		.simple = draw_percent(draw, 60),
		.copies = true};
	profile.streams = (int)draw_range(draw, profile.applications, 4);
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit(drawn.platform, draw, profile.scale);
	suit_mutual(drawn.platform, draw, arena, profile.scale);
	generate_taskset(&profile, drawn.platform, drawn.set);
	drawn.set->merged_context = false;
	for (int i = 0; i < drawn.set->application_count; i++)
		DRAFT(drawn.set->applications)[i].timeslice = NONE;
	for (int i = 0; i < drawn.set->task_count; i++)
		DRAFT(drawn.set->tasks)[i].arrival.period = checked_mul(drawn.set->tasks[i].arrival.period, draw_range(draw, 1, 8));
	if (draw_percent(draw, 40))
		keep_step(drawn.platform, drawn.set, draw);
	return drawn;
}

/* ---- copies that slow each slice from its beginning to its end, by a whole factor, so that kernels use as many times the slices that they
 * would use alone */

static struct operation one_kernel(struct arena *arena, int index, int64_t wcet)
{
	struct operation operation = {.id = arena_format(arena, "k%d", index),
		.kind = OPERATION_KERNEL,
		.stream = index,
		.event = NO_ID,
		.wcet = wcet,
		.bcet = wcet};
	operation.kernel = (struct kernel){.scope = SCOPE_BLOCK,
		.grid = {1, 1, 1},
		.blocks = 1,
		.threads = THREADS_A_WARP,
		.registers = 8,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
	return operation;
}

static void fill_whole(struct arena *arena, struct draw *draw, struct taskset *set, int contexts, int64_t slice, int64_t factor)
{
	set->merged_context = false;
	set->task_count = set->operation_count = set->stream_count = contexts;
	set->event_count = 0;
	set->operations = arena_allocate(arena, (size_t)contexts, sizeof *set->operations);
	set->tasks = arena_allocate(arena, (size_t)contexts, sizeof *set->tasks);
	for (int i = 0; i < contexts; i++) {
		DRAFT(set->applications)[i].timeslice = NONE;
		DRAFT(set->streams)[i] = (struct stream){.id = arena_format(arena, "s%d", i), .application = i, .kind = STREAM_BLOCKING};
		DRAFT(set->operations)[i] = one_kernel(arena, i, slice * draw_range(draw, 4, 12) / 4);
		DRAFT(set->tasks)
		[i] = (struct task){.id = arena_format(arena, "t%d", i),
			.application = i,
			.deadline = NONE,
			.offset = draw_percent(draw, 50) ? NONE : 0,
			.first_operation = i,
			.operation_count = 1,
			.arrival = {.period = 100 * slice * factor, .min_distance = NONE, .max_distance = NONE}};
	}
}

static struct falsify_case draw_whole(struct arena *arena, struct draw *draw)
{
	int64_t factor = draw_range(draw, 2, 5), copy = draw_range(draw, 2, 6), slice = factor * copy;
	int64_t theta = draw_range(draw, 1, slice / 2);
	int contexts = (int)draw_range(draw, 3, 4);
	struct profile profile = {
		.arena = arena, .draw = draw, .scale = slice, .applications = contexts, .streams = contexts, .levels = 1, .simple = true};
	struct falsify_case drawn = {arena_allocate(arena, 1, sizeof *drawn.platform), arena_allocate(arena, 1, sizeof *drawn.set)};
	generate_platform(&profile, drawn.platform);
	suit(drawn.platform, draw, profile.scale);
	suit_mutual(drawn.platform, draw, arena, profile.scale);
	generate_set(drawn.platform, PARAMETER_RUNLIST_TIMESLICE, slice);
	generate_set(drawn.platform, PARAMETER_RUNLIST_SWITCH, theta);
	for (int i = 0; i < drawn.platform->interference_count; i++)
		DRAFT(drawn.platform->interference)[i].factor = rational_of(i == 2 || i == 4 ? factor : 1);
	generate_taskset(&profile, drawn.platform, drawn.set);
	fill_whole(arena, draw, drawn.set, contexts, slice, factor);
	DRAFT(drawn.set->operations)[0].kind = OPERATION_COPY;
	DRAFT(drawn.set->operations)[0].copy = (struct copy){.direction = DIRECTION_H2D, .bytes = NONE};
	DRAFT(drawn.set->operations)[0].wcet = DRAFT(drawn.set->operations)[0].bcet = copy;
	DRAFT(drawn.set->tasks)[0].arrival.period = slice + theta;
	DRAFT(drawn.set->tasks)[0].offset = draw_percent(draw, 50) ? NONE : draw_range(draw, 0, slice);
	return drawn;
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct draw extra = draw_start(seed ^ UINT64_C(0x77686f6c65), (uint64_t)index);
	bool whole = draw_percent(&extra, 8), mutual = draw_percent(&draw, 25), small = !whole && !mutual && draw_percent(&draw, 40);
	struct falsify_case drawn = {NULL, NULL};
	struct subject subject;
	struct hunt hunt;
	bool valid = false;
	for (int i = 0; i < GENERATE_TRIES && !valid; i++) {
		struct diagnostics diagnostics;
		diagnostics_init(&diagnostics, arena);
		drawn = whole ? draw_whole(arena, &extra) : mutual ? draw_mutual(arena, &draw) : draw_case(arena, &draw, small);
		valid = drawn.set->task_count > 0 && validate_taskset(drawn.platform, drawn.set, &diagnostics);
	}
	if (valid) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		tally->drawn++;
		tally->hunted += subject.bounds > 0;
		tally->paced += subject.apart;
		tally->turns += drawn.set->application_count > 1 || drawn.platform->copy_runlist != COPY_RUNLIST_OWN;
		tally->delayed += platform_grants(drawn.platform, ASSUMPTION_ORDER);
		bool bad = hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
		for (int i = 0; i < drawn.set->task_count; i++)
			for (int j = 0; j < BOUND_COUNT; j++)
				hunts_compare(&tally->bounds[j], &subject, &hunt, i, (enum bound)j);
		if (!bad && small)
			hunts_exhaust(&tally->attacks, &hunt, &subject, index);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {.attacks.shows = true};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_mixed"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	printf("%" PRId64 " systems, %" PRId64 " with bounds, %" PRId64 " in turns, %" PRId64 " paced by factors, %" PRId64
	       " delayed (%" PRId64 " of all in all ways), %" PRId64 " runs, %" PRId64 " violations\n",
		tally.drawn, tally.hunted, tally.turns, tally.paced, tally.delayed, tally.attacks.exhausted, tally.attacks.runs,
		tally.attacks.violations);
	hunts_print(tally.bounds);
	return tally.attacks.violations > 0 ? 1 : tally.hunted == 0 ? 2 : 0;
}
