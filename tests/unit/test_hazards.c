/* Hazards: each appears where it must, with its line, and not where it must not; the channels say honestly who bounds them. */
#include "map/hazards.h"
#include "unit/platforms.h"
#include "unit/run.h"
#include "unit/tasksets.h"

#include <string.h>

static struct arena *arena;
static struct built built;
static struct platform platform;
static struct diagnostics diagnostics;
static int first, second; /* two blocking streams of the first application */

static void setup(void)
{
	arena = arena_create();
	platform = make_platform(72);
	platform.placement = PLACEMENT_MOST_ROOM;
	set_parameter(&platform, PARAMETER_QUEUES_HARDWARE, 8);
	built_init(&built, 2);
	first = built_stream(&built, 0, 0, STREAM_BLOCKING);
	second = built_stream(&built, 0, 0, STREAM_BLOCKING);
}

static void teardown(void)
{
	arena_destroy(arena);
}

static int found(enum diagnostic_code code)
{
	diagnostics_init(&diagnostics, arena);
	hazards_report(&platform, &built.set, map_build(arena, &platform, &built.set), &diagnostics);
	for (int i = 0; i < diagnostics.count; i++)
		ck_assert(diagnostic_kinds[diagnostics.items[i].code].level == LEVEL_HAZARD && diagnostics.items[i].line > 0);
	return diagnostics_count(&diagnostics, code);
}

static const struct diagnostic *get(enum diagnostic_code code)
{
	for (int i = 0; i < diagnostics.count; i++)
		if (diagnostics.items[i].code == code)
			return &diagnostics.items[i];
	return NULL;
}

static struct kernel warps(int64_t blocks, int64_t count)
{
	return make_kernel(blocks, 32 * count, 16, 0);
}

/* [EXAMPLES] W2: 4 blocks of 4 warps, then 4 of 5. */
START_TEST(same_sm)
{
	struct operation *resident = built_kernel(&built, "k4", first, warps(4, 4)),
			 *joining = built_kernel(&built, "k5", second, warps(4, 5));
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 1);
	const struct diagnostic *item = get(DIAGNOSTIC_HAZARD_SAME_SM);
	ck_assert_int_eq(item->line, joining->line);
	ck_assert_str_eq(item->file, "test.xml");
	ck_assert_str_eq(item->text,
		"blocks of kernel 'k5' (5 warps) join an SM that holds a block of 'k4' (4 warps) although other SMs are idle: room for "
		"12 blocks with or without it; 1 kernel does this to 'k5'; cure: change the threads of one so that the room differs");
	joining->kernel = warps(4, 4);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 0);
	joining->kernel = warps(4, 5);
	resident->kernel.blocks = 8; /* no SM is idle */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 0);
	resident->kernel.blocks = 4;
	platform.placement = PLACEMENT_ROUND_ROBIN;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 0);
	platform.placement = PLACEMENT_UNKNOWN;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 1);
	ck_assert(strstr(get(DIAGNOSTIC_HAZARD_SAME_SM)->text, "may join") != NULL);
	resident->stream = second; /* one after the other */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 0);
}
END_TEST

/* All pairs of one-block kernels: the codes are the paper's table, 197 of 1024. */
START_TEST(same_sm_of_all_sizes)
{
	int count = 0;
	struct operation *resident = built_kernel(&built, "x", first, warps(1, 1)),
			 *joining = built_kernel(&built, "y", second, warps(1, 1));
	set_parameter(&platform, PARAMETER_SM_BLOCKS, 64); /* (4.1) knows warps only */
	for (int x = 1; x <= 32; x++)
		for (int y = 1; y <= 32; y++) {
			resident->kernel = warps(1, x);
			joining->kernel = warps(1, y);
			found(DIAGNOSTIC_HAZARD_SAME_SM);
			bool here = false;
			for (int i = 0; i < diagnostics.count; i++)
				here = here || (diagnostics.items[i].code == DIAGNOSTIC_HAZARD_SAME_SM &&
						       diagnostics.items[i].line == joining->line);
			ck_assert_int_eq(here, map_same_sm(64, 0, x, y));
			count += here;
		}
	ck_assert_int_eq(count, 197);
}
END_TEST

/* Many residents, one line. */
START_TEST(summaries)
{
	for (int i = 0; i < 10; i++)
		built_kernel(&built, "k4", first, warps(4, 4));
	built_kernel(&built, "k5", second, warps(8, 5));
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SAME_SM), 1);
	ck_assert(strstr(get(DIAGNOSTIC_HAZARD_SAME_SM)->text, "10 kernels do this") != NULL);
	ck_assert_int_eq(diagnostics_count(&diagnostics, DIAGNOSTIC_HAZARD_IDLE_SMS), 10);
	ck_assert_int_eq(diagnostics_count(&diagnostics, DIAGNOSTIC_HAZARD_NEIGHBOURS), 1);
	ck_assert_int_eq(diagnostics.count, 12);
}
END_TEST

/* [HOPPER] P6, P7: w >= 24 shuts out w <= 7; 16 to 23 shuts out w <= 3. All pairs, as they were recorded. */
START_TEST(configurations_of_hopper)
{
	platform = make_platform(90);
	platform.placement = PLACEMENT_HOPPER;
	struct operation *resident = built_kernel(&built, "x", first, warps(1, 1)),
			 *joining = built_kernel(&built, "y", second, warps(1, 1));
	for (int x = 1; x <= 32; x++)
		for (int y = 1; y <= x; y++) {
			bool refused = x >= 24 ? y <= 7 : x >= 16 && y <= 3;
			resident->kernel = warps(1, x);
			joining->kernel = warps(1, y);
			ck_assert_msg(found(DIAGNOSTIC_HAZARD_CONFIGURATION_PILE_UP) == refused, "%d beside %d", y, x);
			ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_CONFIGURATION_SHUT_OUT), refused && x >= 24);
		}
	resident->kernel = warps(1, 24);
	joining->kernel = warps(1, 4);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_CONFIGURATION_SHUT_OUT), 1);
	ck_assert_int_eq(get(DIAGNOSTIC_HAZARD_CONFIGURATION_SHUT_OUT)->line, resident->line);
	ck_assert_int_eq(get(DIAGNOSTIC_HAZARD_CONFIGURATION_PILE_UP)->line, joining->line);
	ck_assert(strstr(get(DIAGNOSTIC_HAZARD_CONFIGURATION_PILE_UP)->text, "8 KiB") != NULL);
	resident->kernel.carveout = joining->kernel.carveout = 100; /* the cure */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_CONFIGURATION_PILE_UP), 0);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS), 0);
}
END_TEST

START_TEST(single_kernels)
{
	struct operation *kernel = built_kernel(&built, "k", first, warps(8, 8));
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_IDLE_SMS), 0);
	kernel->kernel.blocks = 7;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_IDLE_SMS), 1);
	ck_assert_str_eq(get(DIAGNOSTIC_HAZARD_IDLE_SMS)->text, "kernel 'k' has 7 blocks for 8 SMs: at least 1 SM gets none of its work");
	kernel->kernel.active_blocks = 7;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_IDLE_BLOCKS), 0);
	kernel->kernel.active_blocks = 5;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_IDLE_BLOCKS), 1);
	kernel->kernel = warps(100, 2);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_TWO_WARP_BLOCKS), 0);
	platform.placement = PLACEMENT_HOPPER;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_TWO_WARP_BLOCKS), 1);
	kernel->kernel.blocks = NONE;
	kernel->kernel.scope = SCOPE_GRID;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_IDLE_SMS), 0);
}
END_TEST

START_TEST(watchdog)
{
	struct operation *kernel = built_kernel(&built, "k", first, make_kernel(200, 256, 32, 0)); /* W3: four waves */
	kernel->wcet = 100000;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_WATCHDOG), 0); /* none is known */
	set_parameter(&platform, PARAMETER_WATCHDOG, 800001);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_WATCHDOG), 0);
	set_parameter(&platform, PARAMETER_WATCHDOG, 800000);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_WATCHDOG), 1);
	kernel->kernel.scope = SCOPE_GRID;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_WATCHDOG), 0);
	kernel->wcet = 400000;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_WATCHDOG), 1);
	kernel->kernel = make_kernel(1, 256, NONE, 0);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_WATCHDOG), 1);
	ck_assert(strstr(get(DIAGNOSTIC_HAZARD_WATCHDOG)->text, "not known") != NULL);
}
END_TEST

START_TEST(copies)
{
	struct operation *memset = built_copy(&built, OPERATION_MEMSET, "m", first, DIRECTION_MEMSET);
	struct operation *copy = built_copy(&built, OPERATION_COPY, "c", first, DIRECTION_H2D);
	platform.engine_of[DIRECTION_MEMSET] = platform.engine_of[DIRECTION_H2D] = 0;
	found(DIAGNOSTIC_HAZARD_RUNS_AS_KERNEL);
	ck_assert_int_eq(diagnostics.count, 0);
	platform.engine_of[DIRECTION_MEMSET] = ENGINE_COMPUTE;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_RUNS_AS_KERNEL), 1);
	ck_assert_int_eq(get(DIAGNOSTIC_HAZARD_RUNS_AS_KERNEL)->line, memset->line);
	copy->copy.direction = DIRECTION_D2D; /* no engine is known for it */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_RUNS_AS_KERNEL), 2);
	copy->copy.pageable = copy->copy.synchronous = memset->copy.synchronous = true;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_PAGEABLE_COPY), 1);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_SYNCHRONOUS_CALL), 2);
}
END_TEST

START_TEST(queues)
{
	static const int rows[][3] = {{3, 0, 0}, {2, 1, 0}, {1, 1, 0}}; /* queues; two streams */
	built_kernel(&built, "k", first, warps(8, 8));
	struct operation *other = built_kernel(&built, "l", second, warps(8, 8));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		set_parameter(&platform, PARAMETER_QUEUES_HARDWARE, rows[i][0]);
		ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUE_ALIASING), rows[i][1]);
		ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUES_UNKNOWN), rows[i][2]);
	}
	other->graph = 1; /* it may take one more */
	set_parameter(&platform, PARAMETER_QUEUES_HARDWARE, 3);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUE_ALIASING), 1);
	set_parameter(&platform, PARAMETER_QUEUES_HARDWARE, 4);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUE_ALIASING), 0);
	other->graph = 0;
	clear_parameter(&platform, PARAMETER_QUEUES_HARDWARE);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUES_UNKNOWN), 1);
	other->stream = first; /* one stream carries work */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUES_UNKNOWN), 0);
}
END_TEST

START_TEST(contexts)
{
	int foreign = built_stream(&built, 1, 1, STREAM_BLOCKING);
	struct operation *one = built_kernel(&built, "k", first, warps(8, 8)), *two = built_kernel(&built, "l", foreign, warps(8, 8));
	one->kernel.cache = CACHE_PREFER_L1;
	found(DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS);
	ck_assert_int_eq(diagnostics.count, 0); /* another application: nothing is shared but time */
	built.set.merged_context = true;
	set_parameter(&platform, PARAMETER_QUEUES_HARDWARE, 2);
	set_parameter(&platform, PARAMETER_QUEUES_PRIORITIES, 1);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS), 1);
	ck_assert_int_eq(get(DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS)->line, two->line);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_QUEUE_ALIASING), 1);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_NEIGHBOURS), 1);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_PRIORITY_LEVELS), 1);
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_PRIORITIES_BROKEN), 1); /* nobody vouches */
	platform.assumptions[ASSUMPTION_PRIO].status = STATUS_ASSUMED;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_PRIORITIES_BROKEN), 0);
	platform.assumptions[ASSUMPTION_PRIO].status = STATUS_BROKEN;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_PRIORITIES_BROKEN), 1);
	one->kernel = make_kernel(8, 256, 16, 4096); /* no preference, but the driver may choose differently */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS), 1);
	one->kernel.carveout = two->kernel.carveout = 100;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS), 0);
}
END_TEST

START_TEST(below_reservations)
{
	struct operation hosts[] = {
		{.id = "law", .kind = OPERATION_HOST, .stream = NO_ID, .event = NO_ID, .wcet = 3},
		{.id = "irq", .kind = OPERATION_HOST, .stream = NO_ID, .event = NO_ID, .wcet = 5},
	};
	struct task tasks[] = {
		{.id = "t",
			.application = NO_ID,
			.core = 1,
			.sched_runtime = 4,
			.sched_deadline = 10,
			.sched_period = 10,
			.operation_count = 1,
			.line = 8},
		{.id = "i", .application = NO_ID, .core = 1, .fifo = 99, .first_operation = 1, .operation_count = 1, .line = 9},
	};
	struct core core = {.id = "c", .blocking = 4, .submission = NONE, .line = 7};
	struct taskset set = {.path = "s.xml",
		.operations = hosts,
		.operation_count = 2,
		.tasks = tasks,
		.task_count = 2,
		.cores = &core,
		.core_count = 1};
	built.set = set;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_BELOW_RESERVATIONS), 1);
	ck_assert_int_eq(get(DIAGNOSTIC_HAZARD_BELOW_RESERVATIONS)->line, 9);
	core.blocking = 5;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_BELOW_RESERVATIONS), 0);
	core.blocking = 4;
	tasks[1].application = 0; /* a thread, as it has work on the GPU */
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_BELOW_RESERVATIONS), 0);
	tasks[1].application = NO_ID;
	tasks[0].sched_runtime = 0;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_BELOW_RESERVATIONS), 0);
}
END_TEST

START_TEST(null_stream)
{
	int null = built_stream(&built, 0, 0, STREAM_NULL);
	built_kernel(&built, "k", null, warps(8, 8));
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_NULL_STREAM), 0); /* nothing else carries work */
	built_kernel(&built, "l", first, warps(8, 8));
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_NULL_STREAM), 1);
	ck_assert_int_eq(get(DIAGNOSTIC_HAZARD_NULL_STREAM)->line, built.streams[null].line);
	built.streams[first].kind = STREAM_NON_BLOCKING;
	ck_assert_int_eq(found(DIAGNOSTIC_HAZARD_NULL_STREAM), 0);
}
END_TEST

/* ---- channels */

static struct channel channel(const char *id)
{
	const struct channels *list = hazards_channels(arena, &platform, &built.set, map_build(arena, &platform, &built.set));
	for (int i = 0; i < list->count; i++) {
		ck_assert(list->items[i].what != NULL && list->items[i].bounded_by != NULL);
		ck_assert_int_eq(list->items[i].bounded, strncmp(list->items[i].bounded_by, "nobody", 6) != 0);
		if (strcmp(list->items[i].id, id) == 0)
			return list->items[i];
	}
	ck_abort_msg("%s", id);
	return list->items[0];
}

START_TEST(channels)
{
	struct interference_entry entries[] = {
		{.footprint = NONE, .source = INTERFERER_GPC, .count = NONE, .factor = {2, 1}, .evidence = "a campaign"},
		{.footprint = NONE, .source = INTERFERER_EE, .count = NONE, .factor = {2, 1}, .is_copy = true, .declared_by = "J. Doe"},
	};
	built_kernel(&built, "k", first, warps(8, 8));
	ck_assert(channel("gpc-port").bounded && strstr(channel("gpc-port").bounded_by, "does not arise") != NULL);
	built_kernel(&built, "l", second, warps(8, 8));
	ck_assert(!channel("gpc-port").bounded && !channel("sm-memory").bounded && !channel("dram").bounded);
	platform.interference = entries;
	platform.interference_count = 2;
	ck_assert(channel("gpc-port").bounded && strstr(channel("gpc-port").bounded_by, "a campaign") != NULL);
	ck_assert(!channel("sm-memory").bounded);
	ck_assert(channel("slowed-copies").bounded);
	built_copy(&built, OPERATION_COPY, "c", first, DIRECTION_H2D);
	ck_assert(channel("slowed-copies").bounded && strstr(channel("slowed-copies").bounded_by, "J. Doe") != NULL);
	ck_assert(!channel("copies-h2d").bounded && channel("copies-d2h").bounded);
	entries[0].source = INTERFERER_ALL; /* measured with everything at once */
	ck_assert(channel("sm-memory").bounded && channel("copies-h2d").bounded);
	ck_assert(channel("cpu-traffic").bounded);
	platform.integrated = true;
	platform.interference_count = 0;
	ck_assert(!channel("cpu-traffic").bounded && !channel("other-masters").bounded);
	ck_assert(!channel("runlist").bounded);
	set_parameter(&platform, PARAMETER_RUNLIST_SWITCH, 1);
	set_parameter(&platform, PARAMETER_RUNLIST_TIMESLICE, 1);
	ck_assert(!channel("runlist").bounded);
	platform.assumptions[ASSUMPTION_RUNLIST].status = STATUS_ASSUMED;
	ck_assert(channel("runlist").bounded);
	platform.assumptions[ASSUMPTION_CLOCK].status = STATUS_BROKEN;
	ck_assert(!channel("clocks").bounded && channel("host-interface").bounded);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hazards");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 30);
	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_test(all, same_sm);
	tcase_add_test(all, same_sm_of_all_sizes);
	tcase_add_test(all, summaries);
	tcase_add_test(all, configurations_of_hopper);
	tcase_add_test(all, single_kernels);
	tcase_add_test(all, watchdog);
	tcase_add_test(all, copies);
	tcase_add_test(all, queues);
	tcase_add_test(all, contexts);
	tcase_add_test(all, below_reservations);
	tcase_add_test(all, null_stream);
	tcase_add_test(all, channels);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}
