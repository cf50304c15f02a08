/* Rules of the machine in scenes small enough to be worked out by hand: queues, events, runlist, stops, interference, releases. */
#include "run.h"
#include "scene.h"
#include "model/draft.h"

#define WARPS(n) ((n)*THREADS_A_WARP)
#define WHOLE WARPS(64) /* a block that fills an SM */

static struct scene scene;

static int stream_of(int application, enum stream_kind kind)
{
	return scene_stream(&scene, application, 0, kind);
}

static int plain(void)
{
	return stream_of(0, STREAM_NON_BLOCKING);
}

static int last_operation(void)
{
	return scene.set.operation_count - 1;
}

static int alone(int stream, int64_t start, int64_t blocks, int64_t threads, int64_t wcet)
{
	scene_task(&scene, start);
	scene_kernel(&scene, stream, blocks, threads, wcet);
	return last_operation();
}

static void run_it(void)
{
	ck_assert_int_eq(scene_run(&scene), SIMULATE_DONE);
	ck_assert(scene.result.drained);
}

static void set_factor(struct interference_entry *entry, enum interferer source, bool is_copy, int64_t factor)
{
	*entry = (struct interference_entry){
		.footprint = NONE, .source = source, .count = NONE, .is_copy = is_copy, .factor = rational_of(factor)};
}

/* Two blocks on two SMs slow each other twofold; once one has ended the other goes on at full speed. */
START_TEST(interference_between_sms)
{
	struct interference_entry entry;
	set_factor(&entry, INTERFERER_OUT, false, 2);
	scene_open(&scene, 2);
	scene.platform.interference = &entry;
	scene.platform.interference_count = 1;
	scene.options.interference = INTERFERENCE_FULL;
	int longer = alone(plain(), 0, 1, WHOLE, 100), shorter = alone(plain(), 0, 1, WHOLE, 50);
	run_it();
	ck_assert_int_eq(scene_end(&scene, shorter), 100);
	ck_assert_int_eq(scene_end(&scene, longer), 150);
	scene_close(&scene);
}
END_TEST

/* Who runs on the other SM of the TPC, in the GPC, elsewhere: each has its factor, and is counted once. */
START_TEST(interference_by_place)
{
	static const struct {
		int other;
		int64_t factor;
	} rows[] = {{1, 2}, {2, 3}, {4, 5}};
	static struct sm_position places[] = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 2, 0}, {1, 2, 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct interference_entry entries[3];
		set_factor(&entries[0], INTERFERER_TPC, false, 2);
		set_factor(&entries[1], INTERFERER_GPC, false, 3);
		set_factor(&entries[2], INTERFERER_OUT, false, 5);
		int order[] = {0, 1, 2, 3, 4, 5};
		order[1] = rows[i].other;
		order[rows[i].other] = 1;
		scene_open(&scene, 6);
		scene.platform.sms = places;
		scene.platform.gpc_count = 2;
		scene.platform.order = order;
		scene.platform.interference = entries;
		scene.platform.interference_count = 3;
		scene.options.interference = INTERFERENCE_FULL;
		int victim = alone(plain(), 0, 1, WHOLE, 100), other = alone(plain(), 0, 1, WHOLE, 1000);
		run_it();
		ck_assert_int_eq(scene_blocks(&scene, other, 0, rows[i].other), 1);
		ck_assert_int_eq(scene_end(&scene, victim), 100 * rows[i].factor);
		scene_close(&scene);
	}
}
END_TEST

START_TEST(interference_between_kernel_and_copy)
{
	struct interference_entry entries[2];
	set_factor(&entries[0], INTERFERER_H2D, false, 3);
	set_factor(&entries[1], INTERFERER_EE, true, 2);
	scene_open(&scene, 1);
	scene.platform.interference = entries;
	scene.platform.interference_count = 2;
	scene.options.interference = INTERFERENCE_FULL;
	int kernel = alone(plain(), 0, 1, WHOLE, 100);
	scene_task(&scene, 0);
	scene_copy(&scene, plain(), DIRECTION_H2D, 60);
	int copy = last_operation();
	run_it();
	ck_assert_int_eq(scene_end(&scene, copy), 120);
	ck_assert_int_eq(scene_end(&scene, kernel), 180); /* 40 done by 120, 60 left */
	scene_close(&scene);
}
END_TEST

/* Factors add, multiply or the greatest counts; a joint measurement caps them, and stands for what was not measured alone. */
START_TEST(interference_composed)
{
	static const struct {
		enum composition composition;
		int64_t all, end;
	} rows[] = {{COMPOSITION_MULTIPLICATIVE, 0, 1200}, {COMPOSITION_ADDITIVE, 0, 600}, {COMPOSITION_MAXIMUM, 0, 400},
		{COMPOSITION_MULTIPLICATIVE, 5, 500}, {COMPOSITION_JOINT, 2, 200}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct interference_entry entries[3];
		set_factor(&entries[0], INTERFERER_CPU, false, 3);
		set_factor(&entries[1], INTERFERER_OTHER, false, 4);
		set_factor(&entries[2], INTERFERER_ALL, false, rows[i].all);
		scene_open(&scene, 1);
		scene.platform.integrated = true;
		scene.platform.interference = entries;
		scene.platform.interference_count = rows[i].all == 0 ? 2 : 3;
		scene.platform.composition = rows[i].composition;
		scene.options.interference = INTERFERENCE_FULL;
		int kernel = alone(plain(), 0, 1, WHOLE, 100);
		run_it();
		ck_assert_int_eq(scene_end(&scene, kernel), rows[i].end);
		scene_close(&scene);
	}
}
END_TEST

/* Of a kernel of scope grid the makespan alone is the WCET, whatever blocks are made up; two of them take at most the sum. */
START_TEST(opaque_kernels_take_their_makespan)
{
	for (uint64_t seed = 0; seed < 60; seed++) {
		scene_open(&scene, 3);
		scene.options.seed = seed;
		int first = alone(plain(), 0, NONE, NONE, 1001), second = alone(plain(), 5000, NONE, NONE, 700),
		    third = alone(plain(), 5000, NONE, NONE, 2);
		for (int i = first; i <= third; i++)
			scene.operations[i].kernel.scope = SCOPE_GRID;
		run_it();
		ck_assert_int_eq(scene_end(&scene, first), 1001);
		ck_assert_int_ge(scene_end(&scene, second), 5700);
		ck_assert_int_le(scene.result.end, 5702);
		scene_close(&scene);
	}
}
END_TEST

/* Slices of 4 for kernels and 3 for copies, a switch of 1, on a runlist that all share: the copy runs in its own slices only. */
START_TEST(shared_runlist)
{
	for (int shared = 0; shared < 2; shared++) {
		scene_open(&scene, 1);
		scene.set.application_count = 2;
		scene.platform.copy_runlist = shared ? COPY_RUNLIST_SHARED : COPY_RUNLIST_OWN;
		scene.platform.preemption = PREEMPTION_INSTRUCTION;
		scene_parameter(&scene, PARAMETER_RUNLIST_TIMESLICE, 4);
		scene_parameter(&scene, PARAMETER_RUNLIST_COPY_TIMESLICE, 3);
		scene_parameter(&scene, PARAMETER_RUNLIST_SWITCH, 1);
		int kernel = alone(stream_of(0, STREAM_NON_BLOCKING), 0, 1, WHOLE, 10);
		scene_task(&scene, 2);
		scene_copy(&scene, stream_of(1, STREAM_NON_BLOCKING), DIRECTION_H2D, 5);
		int copy = last_operation();
		run_it();
		/* kernel 0-4, switch, copy 5-8, switch, kernel 9-13, switch, copy 14-16, switch, kernel 17-19 */
		ck_assert_int_eq(scene_end(&scene, copy), shared ? 16 : 7);
		ck_assert_int_eq(scene_end(&scene, kernel), shared ? 19 : 10);
		scene_close(&scene);
	}
}
END_TEST

/* One hardware queue: a kernel waits behind another stream's kernel that waits for its copy. */
START_TEST(aliased_streams)
{
	static const struct {
		int64_t queues;
		enum alias_hold hold;
		int64_t begin;
	} rows[] = {{2, HOLD_DISPATCHED, 0}, {1, HOLD_READY, 10}, {1, HOLD_DISPATCHED, 15}, {1, HOLD_COMPLETE, 20}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		scene_open(&scene, 2);
		scene_parameter(&scene, PARAMETER_QUEUES_HARDWARE, rows[i].queues);
		scene.options.switches.hold = rows[i].hold;
		int first = plain(), second = plain();
		scene_task(&scene, 0);
		scene_copy(&scene, first, DIRECTION_H2D, 10);
		scene_kernel(&scene, first, 3, WHOLE, 5);
		int behind = alone(second, 0, 1, WARPS(1), 1);
		run_it();
		/* the first kernel's third block is placed at 15; by D3 the other one is behind it wherever it was let into the engine */
		int64_t begin = scene_time(&scene, EVENT_READY, behind, 0);
		ck_assert_int_eq(begin, rows[i].begin);
		scene_close(&scene);
	}
}
END_TEST

/* Operations from this one on are nodes of one graph. */
static void join(int from)
{
	for (int i = from; i <= last_operation(); i++)
		DRAFT(scene.set.operations)[i].graph = 1;
}

/* [GRAPHS]: one item of its stream, and of a hardware queue that it keeps for as long as the driver likes. */
START_TEST(graph_is_one_item)
{
	static const struct {
		enum graphs graphs;
		int64_t elsewhere, behind; /* in the hardware queue one behind the other, too */
	} rows[] = {{GRAPHS_ISSUED, 40, 60}, {GRAPHS_QUICK, 40, 60}, {GRAPHS_WHOLE, 60, 61}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		scene_open(&scene, 2);
		scene_parameter(&scene, PARAMETER_QUEUES_HARDWARE, 1);
		scene.options.switches.hold = HOLD_COMPLETE;
		scene.options.switches.graphs = rows[i].graphs;
		int first = plain(), second = plain();
		scene_task(&scene, 0);
		scene_copy(&scene, first, DIRECTION_H2D, 10);
		scene_kernel(&scene, first, 1, WARPS(1), 10);
		scene_kernel(&scene, first, 1, WARPS(1), 20);
		scene_copy(&scene, first, DIRECTION_D2H, 20);
		join(0);
		int elsewhere = alone(second, 0, 1, WARPS(1), 1), behind = alone(first, 15, 1, WARPS(1), 1);
		run_it();
		ck_assert_int_eq(scene_end(&scene, 3), 60);
		ck_assert_int_eq(scene_time(&scene, EVENT_READY, elsewhere, 0), rows[i].elsewhere);
		ck_assert_int_eq(scene_time(&scene, EVENT_READY, behind, 0), rows[i].behind);
		scene_close(&scene);
	}
}
END_TEST

/* Each node has the overheads of an operation, or the first alone. */
START_TEST(overheads_of_a_graph)
{
	for (int quick = 0; quick < 2; quick++) {
		scene_open(&scene, 1);
		scene_parameter(&scene, PARAMETER_OVERHEAD_DEPENDENCY, 3);
		scene_parameter(&scene, PARAMETER_OVERHEAD_LAUNCH, 10);
		scene.options.switches.graphs = quick ? GRAPHS_QUICK : GRAPHS_ISSUED;
		int stream = plain();
		scene_task(&scene, 0);
		for (int i = 0; i < 3; i++)
			scene_kernel(&scene, stream, 1, WARPS(1), 100);
		join(0);
		int behind = alone(stream, 0, 1, WARPS(1), 100);
		run_it();
		ck_assert_int_eq(scene_end(&scene, 0), 113);
		ck_assert_int_eq(scene_end(&scene, 2), quick ? 313 : 339);
		ck_assert_int_eq(scene_end(&scene, behind), quick ? 426 : 452);
		scene_close(&scene);
	}
}
END_TEST

/* A record and a wait: the waiting stream goes on when what was issued before the record is complete; a wait issued first waits for none.
 */
START_TEST(events_join_streams)
{
	for (int late = 0; late < 2; late++) {
		scene_open(&scene, 4);
		scene.set.event_count = 1;
		int first = plain(), second = plain();
		scene_task(&scene, late ? 5 : 0);
		scene_kernel(&scene, first, 1, WARPS(1), 30);
		scene_operation(&scene, OPERATION_RECORD, first, 0)->event = 0;
		scene_kernel(&scene, first, 1, WARPS(1), 30);
		scene_task(&scene, 0);
		scene_operation(&scene, OPERATION_WAIT, second, 0)->event = 0;
		scene_kernel(&scene, second, 1, WARPS(1), 10);
		run_it();
		ck_assert_int_eq(scene_end(&scene, last_operation()), late ? 10 : 40);
		scene_close(&scene);
	}
}
END_TEST

/* A kernel with another cache preference waits until the chip is idle; one without any does not. */
START_TEST(cache_drain)
{
	static const enum cache_config preferences[] = {CACHE_PREFER_L1, CACHE_NONE, CACHE_PREFER_SHARED};
	static const int64_t begins[] = {0, 0, 50};
	for (int i = 0; i < 3; i++) {
		scene_open(&scene, 2);
		scene.options.switches.cache_drain = true;
		int first = alone(plain(), 0, 1, WARPS(1), 50), second = alone(plain(), 0, 1, WARPS(1), 10);
		scene.operations[first].kernel.cache = CACHE_PREFER_L1;
		scene.operations[second].kernel.cache = preferences[i];
		run_it();
		ck_assert_int_eq(scene_time(&scene, EVENT_BEGIN, second, 0), begins[i]);
		scene_close(&scene);
	}
}
END_TEST

/* W20: with 96 units an SM, contiguous pieces of 48, 30 and 16 that no rule packs: as few as 1, 2, 3 at a time, not 2, 3, 6. */
START_TEST(w20_fragmentation)
{
	static const struct {
		int64_t units, fungible, contiguous;
	} rows[] = {{48, 2, 1}, {30, 3, 2}, {16, 6, 3}};
	static const struct allocation_options adversary = {ALLOCATION_FUNGIBLE, ALLOCATION_ADVERSARIAL_FIT};
	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		scene_open(&scene, 1);
		scene_parameter(&scene, PARAMETER_SM_SHARED, 96);
		scene_parameter(&scene, PARAMETER_SHARED_UNIT, 1);
		scene.options.switches.allocation = i % 2 ? &adversary : NULL;
		int kernel = alone(plain(), 0, 12, WARPS(1), 10);
		scene.operations[kernel].kernel.shared_static = rows[i / 2].units;
		run_it();
		int64_t at_once = i % 2 ? rows[i / 2].contiguous : rows[i / 2].fungible;
		ck_assert_int_eq(scene_blocks(&scene, kernel, 0, 0), at_once);
		ck_assert_int_eq(scene_end(&scene, kernel), 12 / at_once * 10);
		scene_close(&scene);
	}
}
END_TEST

/* A stop of 5 every 20, from time 0 on: a block of 20 on a chip that stops whole runs 5-20, 25-30. */
START_TEST(stops_freeze)
{
	static const struct {
		enum stop_mode mode;
		int64_t end;
	} rows[] = {{STOPS_NONE, 21}, {STOPS_WHOLE, 30}, {STOPS_HALF, 30}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		scene_open(&scene, 1);
		scene_parameter(&scene, PARAMETER_STOPS_LENGTH, 5);
		scene_parameter(&scene, PARAMETER_STOPS_DISTANCE, 20);
		scene.options.switches.stops = rows[i].mode;
		int kernel = alone(plain(), 1, 1, WHOLE, 20);
		run_it();
		ck_assert_int_eq(scene_end(&scene, kernel), rows[i].end);
		scene_close(&scene);
	}
}
END_TEST

/* While one half stands, blocks go to the other. */
START_TEST(half_a_chip)
{
	int stopped = 0;
	for (uint64_t seed = 0; seed < 20; seed++) {
		scene_open(&scene, 2);
		scene_parameter(&scene, PARAMETER_STOPS_LENGTH, 50);
		scene_parameter(&scene, PARAMETER_STOPS_DISTANCE, 1000);
		scene.options.switches.stops = STOPS_HALF;
		scene.options.seed = seed;
		int kernel = alone(plain(), 1, 2, WHOLE, 10);
		run_it();
		ck_assert_int_eq(scene_end(&scene, kernel), 21); /* both on one SM, one after the other */
		stopped += scene_blocks(&scene, kernel, 1, 0);
		scene_close(&scene);
	}
	ck_assert(stopped > 0 && stopped < 20);
}
END_TEST

/* Overheads: o_dep for each operation in its stream, o_launch once, o_blk for each block. */
START_TEST(overheads)
{
	scene_open(&scene, 1);
	scene_parameter(&scene, PARAMETER_OVERHEAD_DEPENDENCY, 3);
	scene_parameter(&scene, PARAMETER_OVERHEAD_LAUNCH, 10);
	scene_parameter(&scene, PARAMETER_OVERHEAD_BLOCK, 2);
	scene_parameter(&scene, PARAMETER_OVERHEAD_COPY, 4);
	int stream = plain();
	scene_task(&scene, 0);
	scene_kernel(&scene, stream, 2, WARPS(32), 100);
	scene_copy(&scene, stream, DIRECTION_H2D, 50);
	run_it();
	ck_assert_int_eq(scene_time(&scene, EVENT_BLOCK_BEGIN, 0, 0), 15);
	ck_assert_int_eq(scene_time(&scene, EVENT_BLOCK_BEGIN, 0, 1), 17);
	ck_assert_int_eq(scene_end(&scene, 0), 117);
	ck_assert_int_eq(scene_end(&scene, 1), 117 + 3 + 54);
	scene_close(&scene);
}
END_TEST

/* [V5]: a block that was about to be placed is broken off by each higher kernel. */
START_TEST(dispatch_broken_off)
{
	scene_open(&scene, 4);
	scene_parameter(&scene, PARAMETER_OVERHEAD_BLOCK, 10);
	int low = alone(scene_stream(&scene, 0, 1, STREAM_NON_BLOCKING), 0, 1, WARPS(1), 1);
	alone(plain(), 9, 1, WARPS(1), 1);
	alone(plain(), 28, 1, WARPS(1), 1);
	run_it();
	ck_assert_int_eq(scene_time(&scene, EVENT_BLOCK_BEGIN, low, 0), 48); /* 0-9, 19-28 lost, 38-48 */
	scene_close(&scene);
}
END_TEST

/* Host segments begin when all earlier operations of the job are complete; what follows is issued at their end. */
START_TEST(host_segments)
{
	scene_open(&scene, 2);
	int first = plain(), second = plain();
	scene_task(&scene, 0);
	scene_kernel(&scene, first, 1, WARPS(1), 10);
	scene_kernel(&scene, second, 1, WARPS(1), 30);
	scene_operation(&scene, OPERATION_HOST, NO_ID, 7);
	scene_kernel(&scene, first, 1, WARPS(1), 5);
	run_it();
	ck_assert_int_eq(scene_time(&scene, EVENT_BEGIN, 2, 0), 30);
	ck_assert_int_eq(scene_time(&scene, EVENT_ISSUE, 3, 0), 37);
	ck_assert_int_eq(scene.result.tasks[0].response, 42);
	scene_close(&scene);
}
END_TEST

static void expect_releases(const int64_t *times, int count)
{
	int n = 0;
	run_it();
	for (int i = 0; i < scene.event_count; i++)
		if (scene.events[i].kind == EVENT_RELEASE && n < count)
			ck_assert_int_eq(scene.events[i].time, times[n++]);
	ck_assert_int_eq(n, count);
	ck_assert_int_eq(scene.result.tasks[0].released, count);
}

static struct task *released(int64_t period, int64_t jitter)
{
	scene_open(&scene, 1);
	scene.options.releases = (struct release_options){.phases = PHASES_ALIGNED, .jobs = 5};
	struct task *task = scene_task(&scene, 0);
	task->arrival.period = period;
	task->arrival.jitter = jitter;
	scene_kernel(&scene, plain(), 1, WARPS(1), 1);
	return task;
}

START_TEST(releases_periodic)
{
	released(100, 250);
	expect_releases((int64_t[]){0, 100, 200, 300, 400}, 5);
	scene_close(&scene);
	released(100, 250);
	scene.options.releases.jitter = JITTER_BURST;
	expect_releases((int64_t[]){250, 250, 250, 300, 400}, 5);
	ck_assert_int_eq(scene.result.tasks[0].nominal_response, 251);
	scene_close(&scene);
	struct task *task = released(100, 250);
	task->arrival.min_distance = 20;
	scene.options.releases.jitter = JITTER_BURST;
	expect_releases((int64_t[]){250, 270, 290, 310, 400}, 5);
	scene_close(&scene);
	task = released(100, 0);
	task->offset = 30;
	scene.options.releases.jobs = 0;
	scene.options.releases.horizon = 230;
	expect_releases((int64_t[]){30, 130}, 2);
	scene_close(&scene);
}
END_TEST

START_TEST(releases_by_curve)
{
	static struct curve_step steps[] = {{10, 2}, {100, 3}};
	struct task *task = released(100, 0);
	task->arrival.kind = ARRIVAL_CURVE;
	task->arrival.steps = steps;
	task->arrival.step_count = 2;
	expect_releases((int64_t[]){0, 0, 10, 100, 100}, 5);
	scene_close(&scene);
}
END_TEST

START_TEST(jobs_in_turn)
{
	for (int turns = 0; turns < 2; turns++) {
		released(10, 0);
		scene.operations[0].wcet = 25;
		scene.options.jobs_in_turn = turns;
		DRAFT(scene.set.tasks)[0].operation_count = 1;
		run_it();
		ck_assert_int_eq(scene_time(&scene, EVENT_ISSUE, 0, 1), turns ? 25 : 10);
		ck_assert_int_eq(scene.result.tasks[0].response, 25 * 5 - 40);
		scene_close(&scene);
	}
}
END_TEST

/* A thread that takes its time: two jobs that are released together, with a stream that another task uses, too. Jobs of a task issue one
 * after the other; what one of them issues to the shared stream comes apart, and nobody else's comes there in between. */
START_TEST(one_by_one)
{
	int apart = 0, together = 0, hurried = 0;
	for (int seed = 0; seed < 200; seed++) {
		scene_open(&scene, 2);
		int shared = plain(), own = plain();
		struct task *task = scene_task(&scene, 0);
		task->arrival.period = 100;
		task->arrival.jitter = 250;
		scene_kernel(&scene, shared, 1, WARPS(1), 1);
		scene_kernel(&scene, shared, 1, WARPS(1), 1);
		scene_kernel(&scene, own, 1, WARPS(1), 1);
		task = scene_task(&scene, 0);
		task->arrival.period = 30;
		task->offset = 20;
		scene_kernel(&scene, shared, 1, WARPS(1), 1);
		scene.options.seed = (uint64_t)seed;
		scene.options.one_by_one = true;
		scene.options.releases.jobs = 2;
		scene.options.releases.jitter = JITTER_BURST;
		run_it();
		for (int job = 0; job < 2; job++) {
			int64_t first = scene_time(&scene, EVENT_ISSUE, 0, job), second = scene_time(&scene, EVENT_ISSUE, 1, job);
			int64_t last = scene_time(&scene, EVENT_ISSUE, 2, job);
			ck_assert_int_le(first, second);
			ck_assert_int_le(second, last);
			ck_assert_int_le(last, 250);
			apart += second > first;
			together += last == 250;
		}
		int64_t job = 0;
		bool amid = false;
		for (int i = 0; i < scene.event_count; i++) {
			const struct event *event = &scene.events[i];
			if (event->kind != EVENT_ISSUE)
				continue;
			if (event->task == 0) {
				ck_assert_int_le(job, event->job);
				job = event->job;
				amid = event->operation == 0;
			} else {
				ck_assert(!amid);
				hurried += i > 0 && scene.events[i - 1].operation == 2 && scene.events[i - 1].time == event->time;
			}
		}
		scene_close(&scene);
	}
	ck_assert_int_gt(apart, 0);
	ck_assert_int_gt(together, 0);
	ck_assert_int_gt(hurried, 0);
}
END_TEST

/* A unit under a lock that may take its thread 10: host time before, between and behind its operations adds up to that, and what is issued
 * while an operation is under way may come late. */
START_TEST(takes_time_under_lock)
{
	int between = 0, under_way = 0, all = 0;
	for (int seed = 0; seed < 200; seed++) {
		struct lock lock = {.id = "l"};
		struct locked_unit unit = {.time = 10};
		scene_open(&scene, 2);
		int stream = plain(), other = plain();
		scene_task(&scene, 0);
		scene_kernel(&scene, stream, 1, WARPS(1), 20)->hold = 1;
		scene_kernel(&scene, stream, 1, WARPS(1), 20)->hold = 1;
		scene_kernel(&scene, other, 1, WARPS(1), 20)->hold = 1;
		scene.set.locks = &lock;
		scene.set.holds = &unit;
		scene.set.lock_count = scene.set.hold_count = 1;
		scene.options.seed = (uint64_t)seed;
		scene.options.one_by_one = true;
		run_it();
		int64_t idle = 0, done = 0;
		for (int i = 0; i < 3; i++) {
			int64_t issued = scene_time(&scene, EVENT_ISSUE, i, 0);
			idle += issued > done ? issued - done : 0;
			between += i > 0 && issued > done;
			under_way += i > 0 && issued < done && issued > scene_time(&scene, EVENT_ISSUE, i - 1, 0);
			done = scene_end(&scene, i) > done ? scene_end(&scene, i) : done;
		}
		idle += scene_time(&scene, EVENT_COMPLETE, NO_ID, 0) - done;
		ck_assert_int_le(idle, 10);
		all += idle == 10;
		scene_close(&scene);
	}
	ck_assert_int_gt(between, 0);
	ck_assert_int_gt(under_way, 0);
	ck_assert_int_gt(all, 0);
}
END_TEST

START_TEST(refusals)
{
	scene_open(&scene, 1);
	scene.set.application_count = 2;
	alone(stream_of(0, STREAM_BLOCKING), 0, 1, WARPS(1), 1);
	alone(stream_of(1, STREAM_BLOCKING), 0, 1, WARPS(1), 1);
	ck_assert_int_eq(scene_run(&scene), SIMULATE_REFUSED);
	ck_assert_int_eq(scene.result.refused_operation, NO_ID);
	scene_close(&scene);
	scene_open(&scene, 1);
	alone(plain(), 0, 1, WARPS(65), 1);
	ck_assert_int_eq(scene_run(&scene), SIMULATE_REFUSED);
	ck_assert_int_eq(scene.result.refused_operation, 0);
	scene_close(&scene);
	scene_open(&scene, 1);
	scene.platform.engine_of[DIRECTION_PEER] = ENGINE_NONE;
	scene_task(&scene, 0);
	scene_copy(&scene, plain(), DIRECTION_PEER, 1);
	ck_assert_int_eq(scene_run(&scene), SIMULATE_REFUSED);
	scene_close(&scene);
	scene_open(&scene, 1);
	alone(plain(), 0, 1, WARPS(1), INT64_C(1) << 60);
	ck_assert_int_eq(scene_run(&scene), SIMULATE_REFUSED);
	scene_close(&scene);
}
END_TEST

/* Times end at 2^61 ns: no release beyond, and nothing wraps. */
START_TEST(end_of_time)
{
	released(INT64_C(1) << 60, 0);
	run_it();
	ck_assert_int_eq(scene.result.tasks[0].released, 2);
	scene_close(&scene);
}
END_TEST

static Suite *suite_of_rules(void)
{
	Suite *suite = suite_create("simulate-rules");
	TCase *rules = tcase_create("rules");
	suite_add_tcase(suite, rules);
	tcase_add_test(rules, interference_between_sms);
	tcase_add_test(rules, interference_by_place);
	tcase_add_test(rules, interference_between_kernel_and_copy);
	tcase_add_test(rules, interference_composed);
	tcase_add_test(rules, opaque_kernels_take_their_makespan);
	tcase_add_test(rules, shared_runlist);
	tcase_add_test(rules, aliased_streams);
	tcase_add_test(rules, graph_is_one_item);
	tcase_add_test(rules, overheads_of_a_graph);
	tcase_add_test(rules, events_join_streams);
	tcase_add_test(rules, cache_drain);
	tcase_add_test(rules, w20_fragmentation);
	tcase_add_test(rules, stops_freeze);
	tcase_add_test(rules, half_a_chip);
	tcase_add_test(rules, overheads);
	tcase_add_test(rules, dispatch_broken_off);
	tcase_add_test(rules, host_segments);
	tcase_add_test(rules, releases_periodic);
	tcase_add_test(rules, releases_by_curve);
	tcase_add_test(rules, jobs_in_turn);
	tcase_add_test(rules, one_by_one);
	tcase_add_test(rules, takes_time_under_lock);
	tcase_add_test(rules, refusals);
	tcase_add_test(rules, end_of_time);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_rules());
}
