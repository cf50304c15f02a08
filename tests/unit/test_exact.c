/* Exact worst cases: by hand, and against the simulator, which was written apart from them. */
#include "falsify/exact.h"
#include "falsify/hunt.h"
#include "falsify/yardstick.h"
#include "unit/run.h"
#include "base/plant.h"
#include "model/draft.h"

#include <stdlib.h>

#define SYSTEMS 20
#define RUNS 60
#define MOST 20000

static struct arena *arena;
static struct exact *exact;

static void set_up(void)
{
	arena = arena_create();
	exact = exact_create();
}

static void tear_down(void)
{
	exact_destroy(exact);
	arena_destroy(arena);
}

/* ---- by hand: m SMs of so many warps, without overheads; a task a kernel or copy, each on its own stream */

struct given {
	int64_t period, blocks, warps, bcet, wcet; /* blocks 0: a copy */
	int level;
};

struct by_hand {
	const char *name;
	int64_t sms, warps, dependency, block; /* block: o_blk */
	struct given tasks[SMALL_TASKS];
	int64_t worst[SMALL_TASKS];
	int64_t delay, stall, factor; /* A-ORDER; of kernels and copies beside one another. 0: none */
};

static const struct by_hand cases[] = {
	{"one block", 1, 2, 0, 0, {{20, 1, 1, 1, 3, 0}}, {3}},
	{"o_dep", 1, 2, 2, 0, {{20, 1, 1, 1, 3, 0}}, {5}},
	{"waves: one SM with one slot", 1, 2, 0, 0, {{20, 3, 2, 1, 3, 0}}, {9}},
	{"jobs of a task one behind another", 1, 2, 0, 0, {{4, 1, 2, 4, 4, 0}}, {4}},
	{"the other one first", 1, 2, 0, 0, {{20, 1, 2, 3, 3, 0}, {20, 1, 2, 4, 4, 0}}, {7, 7}},
	{"beside each other", 1, 2, 0, 0, {{20, 1, 1, 3, 3, 0}, {20, 1, 1, 4, 4, 0}}, {3, 4}},
	{"a lower block that has just begun", 1, 2, 0, 0, {{20, 1, 2, 3, 3, 0}, {20, 2, 2, 4, 4, 1}}, {7, 11}},
	{"copies one after another", 1, 2, 0, 0, {{20, 0, 0, 3, 3, 0}, {20, 0, 0, 2, 2, 1}}, {5, 5}},
	{"Graham: a short kernel and a long block behind it", 2, 1, 0, 0, {{40, 3, 1, 1, 2, 0}, {40, 1, 1, 4, 4, 0}}, {6, 6}},
	{"dispatches of a wave", 2, 1, 0, 1, {{40, 4, 1, 3, 3, 0}}, {9}}, /* 4 o_blk + (3 - o_blk) + 3 */
	{"dispatcher busy all the time", 2, 1, 0, 5, {{40, 4, 1, 3, 3, 0}}, {23}},
	{"room left unused", 1, 2, 0, 0, {{20, 1, 2, 1, 3, 0}}, {5}, .delay = 2},
	{"alone no first instruction is late", 1, 2, 0, 0, {{20, 1, 2, 1, 3, 0}}, {3}, .stall = 2},
	{"beside its own block one is", 1, 2, 0, 0, {{20, 2, 1, 3, 3, 0}}, {5}, .stall = 2},
	{"late once a wave", 1, 2, 0, 0, {{40, 2, 2, 3, 3, 0}}, {8}, .delay = 1},
	{"a lower level that begins after", 1, 2, 0, 0, {{40, 1, 2, 3, 3, 0}, {40, 1, 2, 4, 4, 1}}, {9, 10}, .delay = 1},
	{"slow one another", 1, 2, 0, 0, {{20, 1, 1, 3, 4, 0}, {20, 0, 0, 3, 4, 0}}, {8, 8}, .factor = 2},
	{"slow for as long as both run", 1, 2, 0, 0, {{20, 1, 1, 3, 4, 0}, {20, 0, 0, 1, 2, 0}}, {6, 4}, .factor = 2},
	{"never ends", 1, 2, 0, 0, {{2, 1, 2, 3, 3, 0}}, {NONE}},
};

static struct quantity quantity(int64_t value)
{
	return (struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = "test"};
}

static void set_features(const struct by_hand *of, struct platform *platform)
{
	static const enum interferer sources[] = {INTERFERER_H2D, INTERFERER_SM, INTERFERER_EE};
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		platform->assumptions[i].status = STATUS_ASSUMED;
	if (of->delay + of->stall > 0)
		platform->assumptions[ASSUMPTION_HOL].status = STATUS_UNSTATED;
	platform->parameters[PARAMETER_DISPATCH_DELAY] = quantity(of->delay);
	platform->parameters[PARAMETER_DISPATCH_STALL] = quantity(of->stall);
	platform->interference = arena_allocate(arena, 3, sizeof *platform->interference);
	for (int i = 0; i < 3 && of->factor > 0; i++)
		DRAFT(platform->interference)
	[platform->interference_count++] = (struct interference_entry){.footprint = NONE,
		.count = NONE,
		.source = sources[i],
		.is_copy = sources[i] == INTERFERER_EE,
		.factor = rational_of(sources[i] == INTERFERER_SM ? 1 : of->factor)};
}

static void make(const struct by_hand *of, struct platform *platform, struct taskset *set)
{
	*platform = (struct platform){.per_sm_carveout = TERNARY_YES};
	platform->parameters[PARAMETER_SM_COUNT] = quantity(of->sms);
	platform->parameters[PARAMETER_SM_WARPS] = quantity(of->warps);
	platform->parameters[PARAMETER_SM_BLOCKS] = quantity(of->warps);
	platform->parameters[PARAMETER_QUEUES_GRIDS] = platform->parameters[PARAMETER_QUEUES_HARDWARE] = quantity(32);
	platform->parameters[PARAMETER_OVERHEAD_DEPENDENCY] = quantity(of->dependency);
	platform->parameters[PARAMETER_OVERHEAD_BLOCK] = quantity(of->block);
	set_features(of, platform);
	*set = (struct taskset){.application_count = 1};
	set->streams = arena_allocate(arena, SMALL_TASKS, sizeof *set->streams);
	set->tasks = arena_allocate(arena, SMALL_TASKS, sizeof *set->tasks);
	set->operations = arena_allocate(arena, SMALL_TASKS, sizeof *set->operations);
	for (int i = 0; i < SMALL_TASKS && of->tasks[i].period > 0; i++) {
		const struct given *given = &of->tasks[i];
		DRAFT(set->streams)[set->stream_count++] = (struct stream){.level = given->level};
		DRAFT(set->tasks)
		[set->task_count++] = (struct task){.arrival = {.period = given->period, .min_distance = NONE, .max_distance = NONE},
			.offset = NONE,
			.first_operation = i,
			.operation_count = 1};
		DRAFT(set->operations)
		[set->operation_count++] = (struct operation){.kind = given->blocks > 0 ? OPERATION_KERNEL : OPERATION_COPY,
			.stream = i,
			.wcet = given->wcet,
			.bcet = given->bcet,
			.kernel = {.blocks = given->blocks, .threads = THREADS_A_WARP * given->warps, .registers = 8, .carveout = NONE}};
	}
}

START_TEST(by_hand)
{
	const struct by_hand *of = &cases[_i];
	struct platform platform;
	struct taskset set;
	struct exact_result result;
	int64_t longest[SMALL_TASKS];
	make(of, &platform, &set);
	for (int i = 0; i < set.operation_count; i++)
		longest[i] = set.operations[i].wcet;
	exact_run(exact, &result, arena, &platform, &set, longest, EXACT_STATES);
	ck_assert_msg(result.refusal == NULL, "%s: %s", of->name, result.refusal);
	for (int i = 0; i < set.task_count && of->worst[0] != NONE; i++)
		ck_assert_msg(!result.too_large && result.worst[i] == of->worst[i], "%s: task %d has %ld, not %ld", of->name, i,
			(long)result.worst[i], (long)of->worst[i]);
	ck_assert_msg(of->worst[0] != NONE || result.too_large || result.worst[0] == NONE, "%s", of->name);
}
END_TEST

START_TEST(refused)
{
	struct platform platform;
	struct taskset set;
	struct exact_result result;
	const int64_t longest[SMALL_TASKS] = {SMALL_LONGEST + 1};
	make(&cases[0], &platform, &set);
	exact_run(exact, &result, arena, &platform, &set, longest, EXACT_STATES);
	ck_assert_ptr_nonnull(result.refusal);
}
END_TEST

/* ---- the simulator: never above, and nearly always there */

/* What its machine keeps: A-ORDER's delays are within that. Where operations slow one another their times follow from the factors. */
static bool is_within(const struct attack *attack, enum small_feature feature)
{
	bool slowed = !attack->inflated && attack->options.interference == INTERFERENCE_FULL;
	return attack->broken == 0 && (slowed || feature != SMALL_FACTORS);
}

static void simulate(const struct subject *subject, enum small_feature feature, struct draw *draw, int64_t *seen)
{
	struct arena *run = arena_create();
	struct attack attack;
	struct simulate_result result;
	do
		attack_draw(&attack, draw, subject);
	while (!is_within(&attack, feature));
	struct simulate_options options = attack_options(&attack, subject);
	options.switches.overheads_drawn = false; /* the exact worst case is of overheads that are what the platform says */
	options.switches.clients_pass = options.switches.partitions_leak = false;        /* it follows what A-PARTITION says, */
	options.releases.adrift = options.late_hosts = false;                            /* and A-PHASES and A-HOST-WCRT */
	options.durations.longest = attack.inflated ? subject->longest : subject->alone; /* and A-MORE-SMS */
	ck_assert_int_ne(simulate_run(run, subject->platform, subject->set, &options, &result), SIMULATE_REFUSED);
	for (int i = 0; i < subject->set->task_count; i++) {
		int64_t claimed = subject->response->tasks[i].response;
		ck_assert_msg(feature == SMALL_DELAYS || claimed >= result.tasks[i].nominal_response, "nominal response %ld, %ld claimed",
			(long)result.tasks[i].nominal_response, (long)claimed);
		seen[i] = checked_max(seen[i], result.tasks[i].response);
	}
	arena_destroy(run);
}

/* The simulator rounds the ends of what is slowed down to whole ns, so that it may do up to one less than drawn. */
static void raise_least(struct taskset *set)
{
	for (int i = 0; i < set->operation_count; i++)
		DRAFT(set->operations)[i].bcet++;
}

struct count {
	int tasks, attained;
};

/* False: another feature, or too many states. */
static bool hold_against(uint64_t index, enum small_feature feature, int runs, struct count *count)
{
	bool parted = feature == SMALL_PARTITIONS;
	struct falsify_case drawn = parted ? generate_small_with(arena, feature, 5, index, 0) : generate_small(arena, 5, index, 0);
	struct subject subject;
	struct exact_result result = {.too_large = true};
	struct draw draw = draw_start(5, index);
	int64_t seen[SMALL_TASKS] = {0};
	if ((!parted && generate_small_feature(5, index) != feature) || drawn.set == NULL)
		return false;
	subject_init(&subject, arena, drawn.platform, drawn.set);
	exact_run(exact, &result, arena, drawn.platform, drawn.set, subject.alone, MOST);
	if (result.too_large || result.refusal != NULL)
		return false;
	if (feature == SMALL_FACTORS)
		raise_least(drawn.set);
	for (int i = 0; i < runs; i++)
		simulate(&subject, feature, &draw, seen);
	for (int i = 0; i < drawn.set->task_count; i++) {
		ck_assert_msg(seen[i] <= result.worst[i], "system %d, task %d: simulated %ld, worst %ld", (int)index, i, (long)seen[i],
			(long)result.worst[i]);
		count->tasks += seen[i] > 0;
		count->attained += seen[i] > 0 && seen[i] == result.worst[i];
	}
	return true;
}

/* At least so many of ten tasks reach their worst case in so many runs: delays have to come together for that. */
static const struct {
	enum small_feature feature;
	int attained;
} features[] = {{SMALL_PLAIN, 8}, {SMALL_DELAYS, 4}, {SMALL_FACTORS, 4}, {SMALL_PARTITIONS, 8}};

START_TEST(against_the_simulator)
{
	const char *systems = getenv("SYSTEMS"), *runs = getenv("RUNS");
	struct count count = {0, 0};
	int left = systems != NULL ? atoi(systems) : SYSTEMS;
	for (uint64_t index = 0; left > 0; index++)
		left -= hold_against(index, features[_i].feature, runs != NULL ? atoi(runs) : RUNS, &count);
	if (systems != NULL)
		printf("%d tasks, %d attained\n", count.tasks, count.attained);
	ck_assert_int_gt(count.tasks, SYSTEMS);
	ck_assert_int_ge(count.attained * 10, count.tasks * features[_i].attained);
}
END_TEST

/* ---- partitions: no bound is below the exact worst case */

static void count_below(uint64_t index, struct count *count, int *below)
{
	struct falsify_case drawn = generate_small_with(arena, SMALL_PARTITIONS, 9, index, 0);
	struct exact_result result = {.too_large = true};
	struct subject subject;
	if (drawn.set == NULL)
		return;
	subject_init(&subject, arena, drawn.platform, drawn.set);
	exact_run(exact, &result, arena, drawn.platform, drawn.set, subject.alone, MOST);
	for (int i = 0; i < drawn.set->task_count && result.refusal == NULL && !result.too_large; i++)
		for (int b = 0; b < BOUND_COUNT; b++) {
			int64_t value = yardstick_value(&subject, subject.response, i, b), worst = yardstick_worst(&subject, &result, i);
			count->tasks += value != NONE;
			count->attained += value != NONE && value == worst;
			*below += value != NONE && value < worst;
		}
}

static int count_all_below(struct count *count, int systems)
{
	int below = 0;
	for (int index = 0; index < systems; index++)
		count_below((uint64_t)index, count, &below);
	return below;
}

START_TEST(parted)
{
	const char *systems = getenv("SYSTEMS");
	struct count count = {0, 0};
	int below = count_all_below(&count, systems != NULL ? atoi(systems) : 4 * SYSTEMS);
	if (systems != NULL)
		printf("%d bounds, %d attained, %d below\n", count.tasks, count.attained, below);
	ck_assert_int_eq(below, 0);
	ck_assert_int_gt(count.tasks, SYSTEMS);
	ck_assert_int_gt(count.attained, SYSTEMS / 4);
}
END_TEST

#ifdef GPUBOUND_TESTING
/* A kernel's blocks are said to have all SMs of the chip: the exact worst case is above that. */
START_TEST(parted_planted)
{
	struct count count = {0, 0};
	plant_set(PLANT_PARTITION_SLOTS);
	int below = count_all_below(&count, 4 * SYSTEMS);
	plant_set(-1);
	ck_assert_int_gt(below, 0);
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("exact");
	TCase *tests = tcase_create("exact");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, by_hand, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(tests, refused);
	tcase_add_test(tests, parted);
#ifdef GPUBOUND_TESTING
	tcase_add_test(tests, parted_planted);
#endif
	tcase_add_loop_test(tests, against_the_simulator, 0, (int)(sizeof features / sizeof *features));
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
