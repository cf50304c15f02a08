/* C_K[r]: the bound beside other blocks is never below the cycle model, whichever warps the units serve first. */
#include "base/plant.h"
#include "kernel/random_program.h"
#include "wcet/wcet.h"
#include "warps/issue.h"
#include "unit/run.h"

#include <stdlib.h>
#include <string.h>

#define WARPS 6
#define BLOCKS 7
#define KERNELS 2
#define MOST 10000000

/* The same units for all kernels of a machine; the costs of the classes differ. */
struct system {
	struct platform platform;
	struct issue_class classes[KERNELS][CLASS_COUNT], hastened[KERNELS][CLASS_COUNT]; /* what is declared; what happens */
	struct random_program subjects[KERNELS];
	struct wcet wcets[KERNELS];
};

static const char *const units[] = {"a", "b", "c", "d"};

static void draw_classes(struct system *system)
{
	struct issue_class common[CLASS_COUNT];
	bool partition[4];
	for (int i = 0; i < 4; i++)
		partition[i] = rand() % 3 != 0;
	for (int c = 0; c < CLASS_COUNT; c++) {
		int unit = rand() % 4;
		common[c] = (struct issue_class){unit, partition[unit], 1 + rand() % 4, 0};
		common[c].latency = common[c].occupancy + rand() % 8;
	}
	for (int k = 0; k < KERNELS; k++)
		for (int c = 0; c < CLASS_COUNT; c++) {
			struct issue_class *class = &system->classes[k][c];
			*class = common[c];
			system->subjects[k].program->declared[c] =
				(struct class_cost){class->latency, class->occupancy, class->partition, units[class->unit], "test", "test"};
			system->hastened[k][c] = common[c];
			system->hastened[k][c].occupancy = 1 + rand() % class->occupancy;
			system->hastened[k][c].latency -= rand() % (class->latency - system->hastened[k][c].occupancy + 1);
		}
}

static void draw_system(struct system *system, struct arena *arena, int kind)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	system->platform = (struct platform){.id = "test"};
	system->platform.parameters[PARAMETER_SM_SUBPARTITIONS] =
		(struct quantity){.present = true, .value = 1 + rand() % ISSUE_PARTITIONS};
	for (int k = 0; k < KERNELS; k++)
		random_program(&system->subjects[k], arena, k == 0 ? kind : rand() % 3, WARPS);
	draw_classes(system);
	for (int k = 0; k < KERNELS; k++) {
		bool found = wcet_find(
			&system->wcets[k], system->subjects[k].program, &system->platform, arena, &(struct lp_limits){0, 0}, &diagnostics);
		ck_assert_msg(found, "%s", diagnostics.count > 0 ? diagnostics.items[0].text : "");
	}
}

static struct issue_block draw_block(const struct system *system, int kernel, struct arena *arena)
{
	int warps = (int)system->wcets[kernel].warps;
	struct warp_trace *traces = arena_allocate(arena, (size_t)warps, sizeof *traces);
	for (int i = 0; i < warps; i++)
		traces[i] = random_path(&system->subjects[kernel], arena);
	return (struct issue_block){traces, rand() % 2 == 0 ? system->classes[kernel] : system->hastened[kernel], warps,
		rand() % ISSUE_PARTITIONS, rand() % 3 == 0 ? rand() % 200 : 0, 0, 0};
}

/* Seven blocks of the first kernel, or of both, on two to four places; the ratio of the tightest block in percent. */
static int run(const struct system *system, struct arena *arena, bool mixed)
{
	struct issue_block blocks[BLOCKS];
	int kernels[BLOCKS], places = 2 + rand() % 3, ratio = INT32_MAX;
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct issue_machine machine = {(int)system->platform.parameters[PARAMETER_SM_SUBPARTITIONS].value, places, rand() % 2, MOST};
	for (int i = 0; i < BLOCKS; i++) {
		kernels[i] = mixed && i % places != 0;
		blocks[i] = draw_block(system, kernels[i], arena);
	}
	ck_assert(issue_run(&machine, blocks, BLOCKS, arena));
	struct wcet_orders orders = wcet_orders_resident(&system->wcets[0], places);
	int64_t bound = machine.policy == ISSUE_OLDEST ? orders.age : orders.turns;
	if (mixed) { /* at most all of the other places hold the second kernel, or the first: the greater of both, place by place */
		struct wcet_neighbour other =
			wcet_neighbour_of(&system->wcets[0], &system->wcets[1], &(struct lp_limits){0, 0}, &diagnostics);
		struct wcet_neighbour own =
			wcet_neighbour_of(&system->wcets[0], &system->wcets[0], &(struct lp_limits){0, 0}, &diagnostics);
		bound = 0;
		for (int others = 0; others < places; others++) {
			struct wcet_neighbour neighbours[3];
			for (int i = 0; i < places - 1; i++)
				neighbours[i] = i < others ? other : own;
			orders = wcet_orders_beside(&system->wcets[0], neighbours, places - 1);
			bound = checked_max(bound, machine.policy == ISSUE_OLDEST ? orders.age : orders.turns);
		}
	}
	for (int i = 0; i < BLOCKS; i++) {
		long cycles = blocks[i].end - blocks[i].begin;
		if (kernels[i] != 0 || cycles == 0)
			continue;
		ck_assert_int_ge(bound, cycles);
		ratio = (int)checked_min(ratio, bound * 100 / cycles);
	}
	return ratio;
}

START_TEST(random_blocks)
{
	int kinds[3] = {0, 0, 0}, tightest = INT32_MAX;
	srand(8);
	for (int i = 0; i < 150; i++) {
		struct arena *arena = arena_create();
		struct system system;
		draw_system(&system, arena, i % 3);
		kinds[system.wcets[0].composition]++;
		for (int turn = 0; turn < 4; turn++)
			tightest = (int)checked_min(tightest, run(&system, arena, turn % 2 == 1));
		arena_destroy(arena);
	}
	ck_assert_int_gt(kinds[WCET_FREE], 30);
	ck_assert_int_gt(kinds[WCET_ALIGNED], 30);
	ck_assert_int_gt(kinds[WCET_SERIAL], 5);
	ck_assert_int_lt(tightest, 150); /* a bound that nothing comes near would hide a mistake */
}
END_TEST

/* A launch of seven blocks on one SM, each as late as the latest gap: [WCET-LAUNCH]. */
static void hold_launch(const struct system *system, const struct issue_block *blocks, int places)
{
	struct wcet_launch launch = wcet_launch(&system->wcets[0], &system->platform, BLOCKS);
	int64_t delta = 0, end = 0, waves = 0;
	for (int i = 0; i < BLOCKS; i++) {
		delta = checked_max(delta, blocks[i].gap);
		end = checked_max(end, blocks[i].end);
	}
	if (BLOCKS > places)
		waves = (BLOCKS - 1) * (launch.latency + delta + places - 1) / places + (BLOCKS - 1) * launch.work + launch.once;
	ck_assert_int_ge(delta + waves + launch.last, end);
}

/* Of seven blocks, followers or all at once, whoever is served first; the ratio of the tightest block in percent. */
static int run_in_any_order(const struct system *system, struct arena *arena, bool mixed)
{
	struct issue_block blocks[BLOCKS];
	int kernels[BLOCKS], ratio = INT32_MAX;
	struct diagnostics diagnostics;
	struct lp_limits limits = {0, 0};
	diagnostics_init(&diagnostics, arena);
	struct issue_machine machine = {(int)system->platform.parameters[PARAMETER_SM_SUBPARTITIONS].value, 2 + rand() % (BLOCKS - 1),
		rand() % 4 == 0 ? (enum issue_policy)(rand() % 2) : ISSUE_GREEDY, MOST};
	for (int i = 0; i < BLOCKS; i++) {
		kernels[i] = mixed && rand() % 2 == 0;
		blocks[i] = draw_block(system, kernels[i], arena);
	}
	ck_assert(issue_run(&machine, blocks, BLOCKS, arena));
	if (!mixed)
		hold_launch(system, blocks, machine.places);
	for (int i = 0; i < BLOCKS; i++) {
		struct wcet_neighbour neighbours[BLOCKS];
		long cycles = blocks[i].end - blocks[i].begin;
		int count = 0;
		if (kernels[i] != 0 || cycles == 0)
			continue;
		for (int k = 0; k < BLOCKS && mixed; k++)
			if (k != i)
				neighbours[count++] =
					wcet_neighbour_of(&system->wcets[0], &system->wcets[kernels[k]], &limits, &diagnostics);
		int64_t bound = mixed ? wcet_beside_any_order(&system->wcets[0], neighbours, count)
				      : wcet_of_launch(&system->wcets[0], machine.places, BLOCKS, false);
		ck_assert_int_ge(bound, cycles);
		ratio = (int)checked_min(ratio, bound * 100 / cycles);
	}
	return ratio;
}

START_TEST(any_order)
{
	int tightest = INT32_MAX;
	srand(9);
	for (int i = 0; i < 150; i++) {
		struct arena *arena = arena_create();
		struct system system;
		draw_system(&system, arena, i % 3);
		for (int turn = 0; turn < 4; turn++)
			tightest = (int)checked_min(tightest, run_in_any_order(&system, arena, turn % 2 == 1));
		arena_destroy(arena);
	}
	ck_assert_int_lt(tightest, 150);
}
END_TEST

/* One unit for all warps of the SM, one instruction, one cycle: r blocks of W warps take as long as the bound says. */
START_TEST(exact)
{
	struct arena *arena = arena_create();
	struct system system;
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	random_program(&system.subjects[0], arena, 0, 1);
	struct program *program = system.subjects[0].program;
	*program = (struct program){.path = "test", .id = "test", .threads = 128, .block_count = 1, .blocks = program->blocks};
	program->blocks[0] = (struct program_block){.id = "a", .counts = {[CLASS_FP32] = 10}, .leaves = true};
	struct platform platform = {.id = "test"};
	platform.parameters[PARAMETER_SM_SUBPARTITIONS] = (struct quantity){.present = true, .value = 4};
	for (int partition = 0; partition < 2; partition++) {
		program->declared[CLASS_FP32] = (struct class_cost){4, 1, partition == 1, "a", "test", "test"};
		ck_assert(wcet_find(&system.wcets[0], program, &platform, arena, &(struct lp_limits){0, 0}, &diagnostics));
		const struct wcet *wcet = &system.wcets[0];
		ck_assert_int_eq(wcet->near, partition == 1 ? 1 : 4);
		ck_assert_int_eq(wcet->cycles, 40 + (partition == 1 ? 0 : 30));
		for (int r = 2; r <= 8; r++) /* and one more turn for an instruction of a younger block that has begun */
			ck_assert_int_eq(wcet_resident(wcet, r), wcet->cycles + (r - 1) * wcet->near * 10 + 10);
	}
	arena_destroy(arena);
}
END_TEST

#define FOLLOWERS 60

static void build_line(struct system *system, int kernel, int class, int count, struct arena *arena)
{
	random_program(&system->subjects[kernel], arena, 0, 1);
	struct program *program = system->subjects[kernel].program;
	*program = (struct program){.path = "test", .id = "test", .threads = 32, .block_count = 1, .blocks = program->blocks};
	program->blocks[0] = (struct program_block){.id = "a", .leaves = true};
	program->blocks[0].counts[class] = count;
	program->declared[CLASS_FP32] = (struct class_cost){2, 1, false, "a", "test", "test"};
	program->declared[CLASS_SFU] = (struct class_cost){8, 8, false, "a", "test", "test"};
}

/* Short blocks with long instructions follow one another beside a long one. Served by age they are in its way once an instruction in
 * all, served by waiting time once an instruction each. */
START_TEST(followers)
{
	static const struct issue_class classes[CLASS_COUNT] = {[CLASS_FP32] = {0, false, 1, 2}, [CLASS_SFU] = {0, false, 8, 8}};
	struct arena *arena = arena_create();
	struct system system = {.platform = {.id = "test"}};
	struct diagnostics diagnostics;
	struct lp_limits limits = {0, 0};
	long cycles[2];
	diagnostics_init(&diagnostics, arena);
	build_line(&system, 0, CLASS_FP32, 20, arena);
	build_line(&system, 1, CLASS_SFU, 2, arena);
	for (int k = 0; k < KERNELS; k++)
		ck_assert(wcet_find(&system.wcets[k], system.subjects[k].program, &system.platform, arena, &limits, &diagnostics));
	for (int policy = 0; policy < 2; policy++) {
		struct issue_block blocks[FOLLOWERS + 1];
		struct issue_machine machine = {1, 3, (enum issue_policy)policy, MOST};
		for (int i = 0; i <= FOLLOWERS; i++) {
			struct warp_trace *trace = arena_allocate(arena, 1, sizeof *trace);
			*trace = random_path(&system.subjects[i > 0], arena);
			blocks[i] = (struct issue_block){trace, classes, 1, 0, 0, 0, 0};
		}
		ck_assert(issue_run(&machine, blocks, FOLLOWERS + 1, arena));
		cycles[policy] = blocks[0].end - blocks[0].begin;
	}
	struct wcet_neighbour other = wcet_neighbour_of(&system.wcets[0], &system.wcets[1], &limits, &diagnostics),
			      both[2] = {other, other};
	ck_assert_int_eq(other.by_turns, 20 * 8);
	ck_assert_int_eq(other.by_age, 2 * 8);
	ck_assert_int_ge(wcet_beside(&system.wcets[0], both, 2), cycles[ISSUE_LONGEST_READY]);
	ck_assert_int_gt(cycles[ISSUE_LONGEST_READY], system.wcets[0].cycles + 2 * other.by_age + other.blocking); /* it takes the turns */
	ck_assert_int_ge(system.wcets[0].cycles + 2 * other.by_age + other.blocking, cycles[ISSUE_OLDEST]);
	arena_destroy(arena);
}
END_TEST

#define WAITS 20

/* A kernel whose warps take one of two ways: one instruction of a unit of the SM and many of their sub-partition's, or two long ones of the
 * SM's unit. */
static void build_ways(struct system *system, struct arena *arena)
{
	static const struct program_edge edges[] = {{.from = 0, .to = 1}, {.from = 0, .to = 2}};
	random_program(&system->subjects[0], arena, 0, 1);
	struct program *program = system->subjects[0].program;
	*program = (struct program){
		.path = "test", .id = "test", .threads = 32, .block_count = 3, .blocks = arena_allocate(arena, 3, sizeof *program->blocks)};
	program->edges = arena_allocate(arena, 2, sizeof *program->edges);
	memcpy(program->edges, edges, sizeof edges);
	program->edge_count = 2;
	program->blocks[0] = (struct program_block){.id = "a"};
	program->blocks[1] = (struct program_block){.id = "b", .counts = {[CLASS_FP32] = 1, [CLASS_INT32] = WAITS}, .leaves = true};
	program->blocks[2] = (struct program_block){.id = "c", .counts = {[CLASS_SFU] = 2}, .leaves = true};
	program->declared[CLASS_FP32] = (struct class_cost){1, 1, false, "a", "test", "test"};
	program->declared[CLASS_SFU] = (struct class_cost){100, 100, false, "a", "test", "test"};
	program->declared[CLASS_INT32] = (struct class_cost){100, 1, true, "b", "test", "test"};
}

/* The unit of the SM becomes free while an older warp takes the issue slot of the sub-partition of the one that waits for it: a younger one
 * of the other sub-partition takes the unit, again and again. */
static void cross(int older, const char *group)
{
	static const struct issue_class classes[CLASS_COUNT] = {
		[CLASS_FP32] = {0, false, 1, 1}, [CLASS_SFU] = {0, false, 100, 100}, [CLASS_INT32] = {1, true, 1, 100}};
	static int late[WAITS + 1] = {CLASS_FP32}, brief[2] = {CLASS_SFU, CLASS_SFU};
	struct arena *arena = arena_create();
	struct system system = {.platform = {.id = "test"}};
	struct diagnostics diagnostics;
	struct issue_block blocks[FOLLOWERS];
	struct warp_trace traces[2] = {{late, WAITS + 1, false, NULL}, {brief, 2, false, NULL}};
	diagnostics_init(&diagnostics, arena);
	system.platform.parameters[PARAMETER_SM_SUBPARTITIONS] = (struct quantity){.present = true, .value = 2};
	build_ways(&system, arena);
	system.subjects[0].program->declared[CLASS_INT32].group = group;
	ck_assert(
		wcet_find(&system.wcets[0], system.subjects[0].program, &system.platform, arena, &(struct lp_limits){0, 0}, &diagnostics));
	for (int i = 1; i <= WAITS; i++)
		late[i] = CLASS_INT32;
	for (int i = 0; i < FOLLOWERS; i++)
		blocks[i] = (struct issue_block){&traces[i > older], classes, 1, i > older, 0, 0, 0};
	ck_assert(issue_run(&(struct issue_machine){2, older + 2, ISSUE_OLDEST, MOST}, blocks, FOLLOWERS, arena));
	ck_assert_int_gt(blocks[older].end - blocks[older].begin, (older + 1) * WAITS * 100 - 100);
	ck_assert_int_ge(wcet_orders_resident(&system.wcets[0], older + 2).age, blocks[older].end - blocks[older].begin);
	arena_destroy(arena);
}

/* One group in the SM and in its sub-partitions is two units. */
START_TEST(crossed)
{
	for (int older = 1; older < 4; older++) {
		cross(older, "b");
		cross(older, "a");
	}
}
END_TEST

/* A warp whose instructions wait for one another stands behind 59 blocks whose warps never stall, one after the other beside it, until
 * the last of them has ended: twenty times what both orders claim. */
START_TEST(greedy)
{
	static const struct issue_class classes[CLASS_COUNT] = {
		[CLASS_FP32] = {0, false, 1, 2}, [CLASS_SFU] = {0, false, 1, 1}, [CLASS_INT32] = {0, false, 1, 1}};
	static int stalls[WAITS + 1], goes_on[2 * WAITS];
	struct arena *arena = arena_create();
	struct system system = {.platform = {.id = "test"}};
	struct issue_block blocks[FOLLOWERS];
	struct warp_trace traces[2] = {{stalls, WAITS, false, NULL}, {goes_on, 2 * WAITS, false, NULL}};
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	build_ways(&system, arena);
	struct program *program = system.subjects[0].program;
	memset(program->blocks[1].counts, 0, sizeof program->blocks[1].counts);
	memset(program->blocks[2].counts, 0, sizeof program->blocks[2].counts);
	program->blocks[1].counts[CLASS_FP32] = WAITS;
	program->blocks[2].counts[CLASS_INT32] = 2 * WAITS;
	program->declared[CLASS_FP32] = (struct class_cost){2, 1, false, "a", "test", "test"};
	program->declared[CLASS_INT32] = (struct class_cost){1, 1, false, "a", "test", "test"};
	for (int i = 0; i < 2 * WAITS; i++)
		goes_on[i] = CLASS_INT32;
	for (int i = 0; i < WAITS; i++)
		stalls[i] = CLASS_FP32;
	ck_assert(wcet_find(&system.wcets[0], program, &system.platform, arena, &(struct lp_limits){0, 0}, &diagnostics));
	for (int i = 0; i < FOLLOWERS; i++)
		blocks[i] = (struct issue_block){&traces[i > 0], classes, 1, 0, 0, 0, 0};
	ck_assert(issue_run(&(struct issue_machine){1, 2, ISSUE_GREEDY, MOST}, blocks, FOLLOWERS, arena));
	long cycles = blocks[0].end - blocks[0].begin;
	ck_assert_int_eq(cycles, 20 * wcet_resident(&system.wcets[0], 2));
	ck_assert_int_eq(wcet_of_launch(&system.wcets[0], 2, FOLLOWERS, false), cycles);
	ck_assert_int_lt(wcet_of_launch(&system.wcets[0], 2, FOLLOWERS, true), cycles);
	ck_assert(issue_run(&(struct issue_machine){1, FOLLOWERS, ISSUE_GREEDY, MOST}, blocks, FOLLOWERS, arena));
	ck_assert_int_eq(wcet_launch(&system.wcets[0], &system.platform, FOLLOWERS).last, blocks[0].end);
#ifdef GPUBOUND_TESTING
	plant_set(PLANT_FOLLOWERS);
	ck_assert_int_lt(wcet_of_launch(&system.wcets[0], 2, FOLLOWERS, false), cycles);
	plant_set(PLANT_LAST_ALONE);
	ck_assert_int_lt(wcet_launch(&system.wcets[0], &system.platform, FOLLOWERS).last, blocks[0].end);
	plant_set(-1);
#endif
	arena_destroy(arena);
}
END_TEST

#define YOUNGER 8
#define PERIODS 20
#define MANY 1000

/* Long instructions of eight younger blocks keep the unit four fifths of the time, as each waits for ten times as long after one; the
 * block beside them gets it twice in between. A latency is what an instruction takes at most: where each may wait for less, as what a
 * cache has, the unit is never free. */
static void supply(int least)
{
	static const struct issue_class classes[CLASS_COUNT] = {
		[CLASS_FP32] = {0, false, 1, 100}, [CLASS_SFU] = {0, false, 100, 1000}, [CLASS_INT32] = {1, true, 1, 100}};
	struct issue_class hastened[CLASS_COUNT];
	static const struct {
		int class, count;
	} kinds[] = {{CLASS_FP32, PERIODS}, {CLASS_INT32, 40 * PERIODS}, {CLASS_SFU, 1}};
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct lp_limits limits = {0, 0};
	struct random_program subjects[3];
	struct wcet wcets[3];
	struct warp_trace traces[3];
	struct platform platform = {.id = "test"};
	struct issue_block blocks[MANY];
	struct wcet_neighbour neighbours[YOUNGER + 1];
	memcpy(hastened, classes, sizeof classes);
	hastened[CLASS_SFU].latency = least;
	diagnostics_init(&diagnostics, arena);
	platform.parameters[PARAMETER_SM_SUBPARTITIONS] = (struct quantity){.present = true, .value = 2};
	for (int k = 0; k < 3; k++) {
		random_program(&subjects[k], arena, 0, 1);
		struct program *program = subjects[k].program;
		*program = (struct program){.path = "test", .id = "test", .threads = 32, .block_count = 1, .blocks = program->blocks};
		program->blocks[0] = (struct program_block){.id = "a", .leaves = true};
		program->blocks[0].counts[kinds[k].class] = kinds[k].count;
		const struct issue_class *class = &classes[kinds[k].class];
		program->declared[kinds[k].class] =
			(struct class_cost){class->latency, class->occupancy, class->partition, units[class->unit], "test", "test", least};
		ck_assert(wcet_find(&wcets[k], program, &platform, arena, &limits, &diagnostics));
		traces[k] = random_path(&subjects[k], arena);
	}
	for (int i = 0; i < MANY; i++)
		blocks[i] = (struct issue_block){&traces[i == 0 ? 1 : i == 1 ? 0 : 2], hastened, 1, i > 1, 0, 0, 0};
	ck_assert(issue_run(&(struct issue_machine){2, YOUNGER + 2, ISSUE_OLDEST, MOST}, blocks, MANY, arena));
	for (int i = 0; i <= YOUNGER; i++)
		neighbours[i] = wcet_neighbour_of(&wcets[0], &wcets[i == 0 ? 1 : 2], &limits, &diagnostics);
	long cycles = blocks[1].end - blocks[1].begin;
	ck_assert_int_ge(wcet_orders_beside(&wcets[0], neighbours, YOUNGER + 1).age, cycles);
#ifdef GPUBOUND_TESTING
	plant_set(PLANT_SUPPLY);
	int64_t without = wcet_orders_beside(&wcets[0], neighbours, YOUNGER + 1).age;
	plant_set(-1);
	ck_assert_int_lt(without, cycles);
#endif
	arena_destroy(arena);
}

START_TEST(supplied)
{
	supply(1000);
	supply(100);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("resident");
	TCase *tests = tcase_create("blocks");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, random_blocks);
	tcase_add_test(tests, exact);
	tcase_add_test(tests, followers);
	tcase_add_test(tests, any_order);
	tcase_add_test(tests, greedy);
	tcase_add_test(tests, crossed);
	tcase_add_test(tests, supplied);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
