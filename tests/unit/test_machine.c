/* Random small systems under every switch of the machine, each run watched by a second opinion; and the same seed twice. */
#include "base/random.h"
#include "run.h"
#include "watch.h"

#include <stdio.h>

#define SYSTEMS 5000

static struct scene scene;
static struct watch watch;
static struct random dice;

static int roll(int least, int most)
{
	return (int)random_between(&dice, least, most);
}

static void make_platform(void)
{
	scene_open(&scene, roll(1, 4));
	scene_parameter(&scene, PARAMETER_SM_WARPS, roll(1, 3) * 4);
	scene_parameter(&scene, PARAMETER_SM_BLOCKS, roll(1, 6));
	scene_parameter(&scene, PARAMETER_SM_SHARED, 4 * 1024);
	scene_parameter(&scene, PARAMETER_SHARED_UNIT, 1024);
	bool overheads = roll(0, 1);
	scene_parameter(&scene, PARAMETER_OVERHEAD_LAUNCH, overheads ? roll(0, 12) : 0);
	scene_parameter(&scene, PARAMETER_OVERHEAD_BLOCK, overheads ? roll(0, 4) : 0);
	scene_parameter(&scene, PARAMETER_OVERHEAD_DEPENDENCY, roll(0, 5));
	scene_parameter(&scene, PARAMETER_DISPATCH_NONEMPTY, roll(1, (int)platform_value(&scene.platform, PARAMETER_SM_COUNT)));
	scene_parameter(&scene, PARAMETER_RUNLIST_TIMESLICE, roll(1, 20));
	scene_parameter(&scene, PARAMETER_RUNLIST_SWITCH, roll(0, 4));
	scene_parameter(&scene, PARAMETER_STOPS_LENGTH, roll(1, 15));
	scene_parameter(&scene, PARAMETER_STOPS_DISTANCE, roll(20, 60));
	if (roll(0, 2) == 0)
		scene_parameter(&scene, PARAMETER_QUEUES_HARDWARE, roll(1, 3));
	if (roll(0, 2) == 0)
		scene_parameter(&scene, PARAMETER_QUEUES_GRIDS, roll(1, 2));
	scene.platform.copy_runlist = roll(0, 2);
	scene.platform.engine_of[DIRECTION_D2H] = roll(0, 1);
	scene.platform.engine_of[DIRECTION_MEMSET] = ENGINE_COMPUTE;
}

/* Together they slow a block at most 2 * 3 * 2 times, a copy twice. */
static void make_interference(void)
{
	static const struct {
		enum interferer source;
		bool is_copy;
		int factor;
	} rows[] = {{INTERFERER_SM, false, 2}, {INTERFERER_OUT, false, 3}, {INTERFERER_H2D, false, 2}, {INTERFERER_EE, true, 2}};
	static struct interference_entry entries[4];
	for (int i = 0; i < 4; i++)
		entries[i] = (struct interference_entry){.footprint = NONE,
			.source = rows[i].source,
			.count = NONE,
			.is_copy = rows[i].is_copy,
			.factor = rational_of(rows[i].factor)};
	scene.platform.interference = entries;
	scene.platform.interference_count = 4;
	scene.options.interference = roll(INTERFERENCE_FULL, INTERFERENCE_DRAWN);
	watch.slowest = 12;
}

static void make_operation(int stream, bool null_or_shared)
{
	int wcet = roll(1, 20), kind = roll(0, 9);
	struct operation *operation;
	if (kind == 0)
		operation = scene_operation(&scene, OPERATION_HOST, NO_ID, wcet);
	else if (kind < 4)
		operation = scene_copy(&scene, stream, roll(0, 1) ? DIRECTION_H2D : DIRECTION_D2H, wcet);
	else {
		int warps = roll(1, (int)platform_value(&scene.platform, PARAMETER_SM_WARPS));
		operation = scene_kernel(&scene, stream, roll(1, 9), warps * THREADS_A_WARP, wcet);
		operation->kernel.shared_static = roll(0, 4) * 1024;
		operation->kernel.cache = null_or_shared ? CACHE_NONE : (enum cache_config)roll(0, 2);
	}
	operation->bcet = roll(0, wcet);
	scene.tasks[scene.set.task_count - 1].application = scene.streams[stream].application;
}

static void make_set(void)
{
	int applications = roll(0, 2) == 0 ? roll(2, 3) : 1, streams = roll(1, 5), nulls = 0;
	scene.set.application_count = applications;
	for (int s = 0; s < streams; s++) {
		int application = s < applications ? s : roll(0, applications - 1);
		bool null = roll(0, 5) == 0 && !(nulls >> application & 1);
		nulls |= null << application;
		scene_stream(&scene, application, roll(0, 2), null ? STREAM_NULL : roll(0, 1) ? STREAM_BLOCKING : STREAM_NON_BLOCKING);
	}
	for (int t = roll(1, 5); t > 0; t--) {
		struct task *task = scene_task(&scene, 0);
		int stream = roll(0, streams - 1);
		task->arrival.period = roll(20, 400);
		task->arrival.jitter = roll(0, 1) * roll(0, 300);
		task->arrival.kind = roll(0, 1) ? ARRIVAL_PERIODIC : ARRIVAL_SPORADIC;
		for (int o = roll(1, 4); o > 0; o--)
			make_operation(stream, roll(0, 1));
	}
}

static void make_options(uint64_t seed)
{
	static struct allocation_options contiguous;
	contiguous.shared_by = roll(0, 1) ? ALLOCATION_ADVERSARIAL_FIT : (enum allocation)roll(ALLOCATION_FIRST_FIT, ALLOCATION_WORST_FIT);
	struct simulate_options *options = &scene.options;
	options->seed = seed;
	options->durations.mode = roll(DURATIONS_WORST, DURATIONS_FEW_SHORT);
	options->releases = (struct release_options){
		.phases = roll(PHASES_ALIGNED, PHASES_DRAWN), .jitter = roll(JITTER_NONE, JITTER_EXTREME), .slack = roll(0, 1), .jobs = 8};
	options->switches = (struct switches){.dispatcher = roll(0, 1) ? DISPATCHER_STRICT : roll(DISPATCHER_BYPASS, DISPATCHER_LAZY),
		.priorities = roll(0, 1) ? PRIORITIES_KEPT : roll(PRIORITIES_IGNORED, PRIORITIES_ANY),
		.chooser = roll(CHOOSER_PLATFORM, CHOOSER_RANDOM),
		.starved_task = roll(0, 2),
		.launch_at_head = roll(0, 1),
		.cache_drain = false,
		.hold = roll(HOLD_DISPATCHED, HOLD_COMPLETE),
		.copies_unordered = roll(0, 3) == 0,
		.shared_runlist = roll(0, 1),
		.granularity = roll(GRANULARITY_PLATFORM, GRANULARITY_KERNEL),
		.slices_stand = roll(0, 1),
		.stops = roll(0, 1) ? STOPS_NONE : roll(STOPS_WHOLE, STOPS_MIXED),
		.stops_drawn = roll(0, 1),
		.lateness = roll(0, 3) == 0 ? roll(1, 9) : 0,
		.allocation = roll(0, 3) == 0 ? &contiguous : NULL,
		.in_order = roll(0, 3) == 0};
	options->jobs_in_turn = roll(0, 1);
	options->observer = (struct observer){watch_see, &watch};
	/* a grid that waits for a slot lets others pass, and so does a queue that is shared: these are not the rules that are watched */
	if (scene.platform.parameters[PARAMETER_QUEUES_GRIDS].present)
		options->switches.priorities = PRIORITIES_REDRAWN;
}

static void make(uint64_t seed)
{
	random_seed(&dice, seed, 99);
	make_platform();
	make_set();
	make_options(seed);
	watch_init(&watch, &scene);
	if (roll(0, 2) == 0)
		make_interference();
	if (scene.platform.parameters[PARAMETER_QUEUES_GRIDS].present || scene.options.switches.allocation != NULL)
		watch.instant = false; /* a block may have to wait though amounts would do */
}

static uint64_t play(uint64_t seed)
{
	make(seed);
	enum simulate_status status = scene_run(&scene);
	ck_assert_msg(status != SIMULATE_REFUSED, "system %d is refused: %s", (int)seed, scene.result.refusal);
	watch_finish(&watch, &scene.result);
	ck_assert_msg(watch.broken == NULL, "system %d breaks %s at %lld", (int)seed, watch.broken, (long long)watch.now);
	scene_close(&scene);
	return watch.hash;
}

START_TEST(rules_hold_in_random_systems)
{
	for (uint64_t seed = 0; seed < SYSTEMS; seed++)
		play(seed);
}
END_TEST

START_TEST(a_seed_is_a_run)
{
	int different = 0;
	for (uint64_t seed = 0; seed < 50; seed++) {
		uint64_t hash = play(seed);
		ck_assert_uint_eq(hash, play(seed));
		make(seed);
		scene.options.seed += 1000;
		scene_run(&scene);
		different += watch.hash != hash;
		scene_close(&scene);
	}
	ck_assert_int_gt(different, 40);
}
END_TEST

static Suite *suite_of_machine(void)
{
	Suite *suite = suite_create("machine");
	TCase *rules = tcase_create("rules");
	suite_add_tcase(suite, rules);
	tcase_set_timeout(rules, 60);
	tcase_add_test(rules, rules_hold_in_random_systems);
	tcase_add_test(rules, a_seed_is_a_run);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_machine());
}
