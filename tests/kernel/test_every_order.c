/* C_K[r] against every order in which the units of small systems may serve warps: never less than the longest that a block can take. */
#include "kernel/build.h"
#include "kernel/every_order.h"
#include "wcet/wcet.h"
#include "unit/run.h"

#include <stdlib.h>
#include <string.h>

#define KERNELS 3
#define LONGEST 12
#define STATES 30000
#define OTHERS 3

static const enum instruction_class used[] = {CLASS_FP32, CLASS_INT32, CLASS_SFU};
static const char *const units[] = {"a", "b", "c"};

struct kernel {
	struct every_kernel every;
	struct issue_class classes[CLASS_COUNT]; /* of the system's units, where kernels differ */
	struct wcet wcet;
};

struct system {
	struct arena *arena;
	struct platform platform;
	struct issue_class classes[CLASS_COUNT]; /* short and long on one unit of the SM, and one of any unit; a barrier */
	struct kernel kernels[KERNELS];
};

static void draw_classes(struct system *system)
{
	int occupancy = 2 + rand() % 4, unit = rand() % 3;
	bool partition = rand() % 4 != 0;
	struct issue_class *classes = system->classes;
	classes[CLASS_FP32] = (struct issue_class){0, false, 1, 1 + rand() % 3};
	classes[CLASS_SFU] = (struct issue_class){0, false, occupancy, occupancy + rand() % 2 * (rand() % 20)};
	classes[CLASS_INT32] = (struct issue_class){unit, unit > 0 && partition, 1 + rand() % 2, 0};
	classes[CLASS_INT32].latency = classes[CLASS_INT32].occupancy + rand() % (occupancy + 1);
	classes[CLASS_BARRIER] = (struct issue_class){2, unit == 2 && partition, 1, 1 + rand() % 3};
}

/* Blocks a, then b or c, then d: few instructions in each, in an order that the program does not tell; bit i of
 * barriers: the i-th ends with one. */
static void draw_code(const struct system *system, struct program *program, struct every_kernel *every, unsigned barriers)
{
	int order[4][LONGEST], counts[4];
	for (int b = 0; b < 4; b++) {
		counts[b] = b == 0 ? 1 : rand() % (b == 3 ? 2 : 5);
		for (int i = 0; i < counts[b]; i++)
			order[b][i] = used[rand() % 3];
		if (barriers >> b & 1)
			order[b][counts[b]++] = CLASS_BARRIER;
		memset(program->blocks[b].counts, 0, sizeof program->blocks[b].counts);
		for (int i = 0; i < counts[b]; i++)
			program->blocks[b].counts[order[b][i]]++;
	}
	for (int way = 0; way < 2; way++) {
		int *trace = arena_allocate(system->arena, 4 * LONGEST, sizeof *trace), length = 0;
		for (int b = 0; b < 4; b++)
			for (int i = 0; i < counts[b] && b != 2 - way; i++)
				trace[length++] = order[b][i];
		every->ways[way] = (struct warp_trace){.classes = trace, .count = length};
	}
	every->way_count = 2;
}

static void draw_kernel(struct system *system, struct kernel *kernel, int warps)
{
	static const unsigned barriers[] = {0, 0, 8, 6, 2}; /* aligned, on both ways, on one */
	struct diagnostics diagnostics;
	struct program *program = build_program(system->arena, "ab ac bd cd", "", NULL);
	diagnostics_init(&diagnostics, system->arena);
	program->threads = 32 * warps;
	draw_code(system, program, &kernel->every, warps > 1 ? barriers[rand() % 5] : 0);
	memcpy(kernel->classes, system->classes, sizeof kernel->classes);
	if (kernel != system->kernels)
		kernel->classes[CLASS_SFU].occupancy = 1 + rand() % system->classes[CLASS_SFU].latency;
	kernel->every.classes = kernel->classes;
	kernel->every.warps = warps;
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct issue_class *class = &kernel->classes[c];
		if (class->occupancy > 0)
			program->declared[c] =
				(struct class_cost){class->latency, class->occupancy, class->partition, units[class->unit], "test", "test"};
	}
	ck_assert(wcet_find(&kernel->wcet, program, &system->platform, system->arena, &(struct lp_limits){0, 0}, &diagnostics));
}

static void draw_system(struct system *system, int warps)
{
	*system = (struct system){.arena = arena_create(), .platform = {.id = "test"}};
	system->platform.parameters[PARAMETER_SM_SUBPARTITIONS] = (struct quantity){.present = true, .value = 1 + (rand() % 8 != 0)};
	draw_classes(system);
	for (int k = 0; k < KERNELS; k++)
		draw_kernel(system, &system->kernels[k], k == 0 ? warps : 1);
}

static struct wcet_orders bound(const struct system *system, const int *kernels, int count)
{
	struct diagnostics diagnostics;
	struct wcet_neighbour neighbours[EVERY_PLACES];
	const struct wcet *wcet = &system->kernels[0].wcet;
	diagnostics_init(&diagnostics, system->arena);
	if (kernels[count - 1] == 0)
		return wcet_orders_resident(wcet, count);
	for (int i = 1; i < count; i++)
		neighbours[i - 1] = wcet_neighbour_of(wcet, &system->kernels[kernels[i]].wcet, &(struct lp_limits){0, 0}, &diagnostics);
	return wcet_orders_beside(wcet, neighbours, count - 1);
}

/* The greatest response in percent of the bound; 0: too many states. */
static int compare(const struct system *system, const int *kernels, int count, enum issue_policy policy)
{
	struct every_system every = {(int)system->platform.parameters[PARAMETER_SM_SUBPARTITIONS].value, count, 2, policy, {NULL}, STATES};
	for (int i = 0; i < count; i++)
		every.places[i] = &system->kernels[kernels[i]].every;
	long longest = every_order(&every);
	if (longest <= 0)
		return 0;
	struct wcet_orders orders = bound(system, kernels, count);
	int64_t most = policy == ISSUE_OLDEST ? orders.age : orders.turns;
	ck_assert_int_ge(most, longest);
	return (int)(longest * 100 / most);
}

/* With so many other blocks in all, whoever issues first. */
static int64_t bound_any_order(const struct system *system, const int *kernels, int count, int others)
{
	struct diagnostics diagnostics;
	const struct wcet *wcet = &system->kernels[0].wcet;
	int64_t most = 0;
	diagnostics_init(&diagnostics, system->arena);
	if (kernels[count - 1] == 0)
		return wcet_of_launch(wcet, count, others + 1, false);
	for (int i = 1; i < count; i++) {
		struct wcet_neighbour one =
			wcet_neighbour_of(wcet, &system->kernels[kernels[i]].wcet, &(struct lp_limits){0, 0}, &diagnostics);
		struct wcet_neighbour all[OTHERS] = {one, one, one};
		most = checked_max(most, wcet_beside_any_order(wcet, all, others));
	}
	return most;
}

static int compare_any_order(const struct system *system, const int *kernels, int count, int others)
{
	struct every_system every = {
		(int)system->platform.parameters[PARAMETER_SM_SUBPARTITIONS].value, count, 1, ISSUE_OLDEST, {NULL}, STATES, others};
	for (int i = 0; i < count; i++)
		every.places[i] = &system->kernels[kernels[i]].every;
	long longest = every_order(&every);
	int64_t most = bound_any_order(system, kernels, count, others);
	if (longest <= 0)
		return 0;
	ck_assert_int_ge(most, longest);
	return (int)(longest * 100 / most);
}

/* One to three warps of blocks of one kernel, or of several, on two or three places. */
static void search(int seed, int systems, int least)
{
	static const struct {
		int warps, count, kernels[3];
	} kinds[] = {{1, 2, {0, 0}}, {2, 2, {0, 1}}, {2, 2, {0, 0}}, {1, 3, {0, 1, 2}}, {1, 3, {0, 0, 0}}, {3, 2, {0, 1}}, {4, 1, {0}}};
	const int kind_count = sizeof kinds / sizeof *kinds;
	int done = 0, tightest = 0, compositions[3] = {0, 0, 0};
	srand((unsigned)seed);
	for (int i = 0; i < systems; i++) {
		struct system system;
		int kind = i % kind_count;
		draw_system(&system, kinds[kind].warps);
		for (int policy = 0; policy < 2; policy++) {
			int ratio = compare(&system, kinds[kind].kernels, kinds[kind].count, (enum issue_policy)policy);
			done += ratio > 0;
			compositions[system.kernels[0].wcet.composition] += ratio > 0;
			tightest = ratio > tightest ? ratio : tightest;
		}
		arena_destroy(system.arena);
	}
	ck_assert_int_ge(done, least);
	ck_assert_int_gt(compositions[WCET_FREE], least / 3);
	ck_assert_int_gt(compositions[WCET_ALIGNED], least / 16);
	ck_assert_int_gt(compositions[WCET_SERIAL], least / 16);
	ck_assert_int_gt(tightest, 90); /* a bound that nothing comes near would hide a mistake */
}

START_TEST(few)
{
	const char *seed = getenv("EVERY_ORDER_SEED"), *systems = getenv("EVERY_ORDER_SYSTEMS");
	search(seed == NULL ? 5 : atoi(seed), systems == NULL ? 60 : atoi(systems), 40);
}
END_TEST

/* Up to three other blocks, one after the other or at once, and any order. */
START_TEST(any_order)
{
	static const struct {
		int warps, count, kernels[3];
	} kinds[] = {{1, 2, {0, 0}}, {2, 2, {0, 1}}, {2, 2, {0, 0}}, {1, 3, {0, 1, 2}}, {1, 3, {0, 0, 0}}, {3, 2, {0, 1}}};
	int done = 0, tightest = 0, compositions[3] = {0, 0, 0};
	srand(6);
	for (int i = 0; i < 240; i++) {
		struct system system;
		int kind = i % 6;
		draw_system(&system, kinds[kind].warps);
		int ratio = compare_any_order(&system, kinds[kind].kernels, kinds[kind].count, 1 + rand() % OTHERS);
		done += ratio > 0;
		compositions[system.kernels[0].wcet.composition] += ratio > 0;
		tightest = ratio > tightest ? ratio : tightest;
		arena_destroy(system.arena);
	}
	ck_assert_int_ge(done, 80);
	ck_assert_int_gt(compositions[WCET_ALIGNED], 4);
	ck_assert_int_gt(compositions[WCET_SERIAL], 9);
	ck_assert_int_gt(tightest, 95);
}
END_TEST

/* A line of so many instructions of two classes. */
static void build_line(struct system *system, struct kernel *kernel, int first, int second, int count)
{
	struct diagnostics diagnostics;
	struct program *program = build_program(system->arena, "", "", NULL);
	int *trace = arena_allocate(system->arena, 2 * LONGEST, sizeof *trace);
	diagnostics_init(&diagnostics, system->arena);
	memset(program->blocks[0].counts, 0, sizeof program->blocks[0].counts);
	for (int i = 0; i < 2 * count; i++) {
		trace[i] = i < count ? first : second;
		program->blocks[0].counts[trace[i]]++;
	}
	kernel->every = (struct every_kernel){system->classes, 1, 1, {{.classes = trace, .count = 2 * count}}};
	for (int c = 0; c < CLASS_COUNT; c++) {
		const struct issue_class *class = &system->classes[c];
		if (class->occupancy > 0)
			program->declared[c] =
				(struct class_cost){class->latency, class->occupancy, class->partition, units[class->unit], "test", "test"};
	}
	ck_assert(wcet_find(&kernel->wcet, program, &system->platform, system->arena, &(struct lp_limits){0, 0}, &diagnostics));
}

/* Younger blocks of one kernel are in the way of some instructions, of another one in that of the others. */
START_TEST(two_units)
{
	static const int kernels[] = {0, 1, 2};
	struct system system = {.arena = arena_create(), .platform = {.id = "test"}};
	system.platform.parameters[PARAMETER_SM_SUBPARTITIONS] = (struct quantity){.present = true, .value = 1};
	system.classes[CLASS_FP32] = (struct issue_class){0, false, 1, 2};
	system.classes[CLASS_SFU] = (struct issue_class){0, false, 10, 10};
	system.classes[CLASS_INT32] = (struct issue_class){1, false, 1, 2};
	system.classes[CLASS_LOAD] = (struct issue_class){1, false, 10, 10};
	build_line(&system, &system.kernels[0], CLASS_FP32, CLASS_INT32, 5);
	build_line(&system, &system.kernels[1], CLASS_SFU, CLASS_SFU, 1);
	build_line(&system, &system.kernels[2], CLASS_LOAD, CLASS_LOAD, 1);
	for (int policy = 0; policy < 2; policy++)
		ck_assert_int_gt(compare(&system, kernels, 3, (enum issue_policy)policy), 0);
	arena_destroy(system.arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("every-order");
	TCase *tests = tcase_create("systems");
	tcase_set_timeout(tests, 600);
	tcase_add_test(tests, few);
	tcase_add_test(tests, any_order);
	tcase_add_test(tests, two_units);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
