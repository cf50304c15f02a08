/* Co-residency: who may be beside whom, by streams, contexts and the map of SMs; and the same-SM rule against the paper's tables. */
#include "config.h"
#include "map/map.h"
#include "unit/platforms.h"
#include "unit/run.h"
#include "unit/tasksets.h"

#include <stdio.h>

static struct arena *arena;
static struct built built;
static struct platform platform;

static void setup(void)
{
	arena = arena_create();
	platform = make_platform(72);
	built_init(&built, 2);
}

static void teardown(void)
{
	arena_destroy(arena);
}

static struct kernel small(int64_t blocks)
{
	return make_kernel(blocks, 256, 32, 0);
}

static const struct kernel_map *map_of(const struct operation *operation)
{
	return &map_build(arena, &platform, &built.set)->kernels[operation - built.operations];
}

/* ---- contexts and streams */

START_TEST(alone)
{
	struct operation *one = built_kernel(&built, "k", built_stream(&built, 0, 0, STREAM_BLOCKING), small(1));
	const struct kernel_map *map = map_of(one);
	ck_assert(map->is_kernel && map->sized && !map->mixes);
	ck_assert(!map->beside_sm && !map->beside_tpc && !map->beside_gpc && !map->beside_out);
	ck_assert(!map->foreign_sm && !map->foreign_tpc && !map->foreign_gpc && !map->foreign_out);
	ck_assert_int_eq(map->foreign_warps, 0);
	ck_assert_int_eq(map->slots_greatest, 64); /* W3 of [EXAMPLES] */
	ck_assert_int_eq(map->slots_least, 64);
	one->kernel.blocks = 2;
	map = map_of(one);
	ck_assert(map->beside_sm && map->beside_tpc && map->beside_gpc && map->beside_out); /* its own other block; no map of SMs */
	ck_assert(!map->foreign_sm && !map->foreign_tpc && !map->foreign_gpc && !map->foreign_out);
	one->kernel = make_kernel(2, 1024, 64, 0); /* one block fills an SM */
	ck_assert(!map_of(one)->beside_sm && map_of(one)->beside_out);
}
END_TEST

static const struct {
	enum stream_kind first, second;
	int application; /* of the second kernel; the first is of 0; 2: in the first kernel's stream */
	bool merged, exclusive, mixes;
} pairs[] = {
	{STREAM_BLOCKING, STREAM_BLOCKING, 0, false, true, true},
	{STREAM_BLOCKING, STREAM_BLOCKING, 2, false, true, false},
	{STREAM_BLOCKING, STREAM_BLOCKING, 1, false, true, false},
	{STREAM_BLOCKING, STREAM_BLOCKING, 1, true, true, true},
	{STREAM_BLOCKING, STREAM_BLOCKING, 1, false, false, true},
	{STREAM_NULL, STREAM_BLOCKING, 0, false, true, false},
	{STREAM_BLOCKING, STREAM_NULL, 0, false, true, false},
	{STREAM_NULL, STREAM_NON_BLOCKING, 0, false, true, true},
	{STREAM_NULL, STREAM_BLOCKING, 1, true, true, true}, /* each client of MPS has its own NULL stream */
	{STREAM_NULL, STREAM_NULL, 1, true, true, true},
};

START_TEST(contexts)
{
	int first = built_stream(&built, 0, 0, pairs[_i].first);
	int second = pairs[_i].application == 2 ? first : built_stream(&built, pairs[_i].application, 0, pairs[_i].second);
	struct operation *one = built_kernel(&built, "one", first, small(1)), *two = built_kernel(&built, "two", second, small(1));
	built.set.merged_context = pairs[_i].merged;
	platform.assumptions[ASSUMPTION_EXCL].status = pairs[_i].exclusive ? STATUS_ASSUMED : STATUS_UNSTATED;
	ck_assert_int_eq(map_of(one)->mixes, pairs[_i].mixes);
	ck_assert_int_eq(map_of(two)->mixes, pairs[_i].mixes);
	ck_assert_int_eq(map_of(one)->foreign_warps, pairs[_i].mixes ? 8 : 0);
}
END_TEST

/* The sum over streams of the worst kernel of each, no more than what the SM has left. */
START_TEST(foreign_warps)
{
	struct operation *own = built_kernel(&built, "own", built_stream(&built, 0, 0, STREAM_BLOCKING), small(4));
	int second = built_stream(&built, 0, 0, STREAM_BLOCKING), third = built_stream(&built, 0, 0, STREAM_BLOCKING);
	built_kernel(&built, "b", second, make_kernel(3, 96, 32, 0)); /* 3 blocks of 3 warps */
	built_kernel(&built, "c", second, make_kernel(2, 64, 32, 0));
	ck_assert_int_eq(map_of(own)->foreign_warps, 9);
	struct operation *narrow = built_kernel(&built, "e", second, make_kernel(64, 32, 200, 0)); /* two a sub-partition; ten by amounts */
	ck_assert_int_eq(map_of(own)->foreign_warps, 9);
	platform.assumptions[ASSUMPTION_FRAG].status = STATUS_ASSUMED;
	ck_assert_int_eq(map_of(narrow)->occupancy.greatest, 10);
	ck_assert_int_eq(map_of(own)->foreign_warps, 10);
	platform.assumptions[ASSUMPTION_FRAG].status = STATUS_UNSTATED;
	struct operation *wide = built_kernel(&built, "d", third, make_kernel(1000, 1024, 32, 0)); /* two a SM, 64 warps */
	ck_assert_int_eq(map_of(own)->foreign_warps, 56);
	ck_assert_int_eq(map_of(wide)->foreign_warps, 32);
	wide->kernel = (struct kernel){.scope = SCOPE_GRID, .blocks = NONE, .threads = NONE, .registers = NONE, .carveout = NONE};
	ck_assert(!map_of(wide)->sized && map_of(wide)->mixes);
	ck_assert(map_of(wide)->foreign_warps == 9 + 32 && map_of(wide)->slots_least == NONE && map_of(wide)->slots_greatest == NONE);
	ck_assert_int_eq(map_of(own)->foreign_warps, 56); /* any number */
	clear_parameter(&platform, PARAMETER_SM_WARPS);
	ck_assert(map_of(own)->foreign_warps == NONE);
}
END_TEST

/* [LEAVERS]: of what may have left one warp of each block is left, of the block itself, too. */
START_TEST(leavers)
{
	int first = built_stream(&built, 0, 0, STREAM_BLOCKING), second = built_stream(&built, 0, 0, STREAM_BLOCKING);
	struct operation *own = built_kernel(&built, "own", first, small(1));
	struct operation *other = built_kernel(&built, "other", second, make_kernel(100, 1024, 32, 0));
	ck_assert(map_of(own)->foreign_warps == 56 && map_of(other)->slots_greatest == 2 * 8);
	other->kernel.warps_stay = false;
	ck_assert(map_of(own)->foreign_warps == 56 && map_of(other)->slots_greatest == 32 * 8 && map_of(other)->slots_least == 2 * 8);
	own->kernel.warps_stay = false;
	ck_assert(map_of(own)->foreign_warps == 63 && map_of(other)->foreign_warps == 8);
}
END_TEST

/* Copies and memsets that run as kernels are foreign blocks of unknown shape. */
START_TEST(copies_as_kernels)
{
	static const struct {
		enum direction direction;
		int engine;
		bool as_kernel;
	} rows[] = {{DIRECTION_H2D, 0, false}, {DIRECTION_H2D, ENGINE_COMPUTE, true}, {DIRECTION_H2D, ENGINE_NONE, false},
		{DIRECTION_D2D, 0, false}, {DIRECTION_D2D, ENGINE_COMPUTE, true}, {DIRECTION_D2D, ENGINE_NONE, true},
		{DIRECTION_PEER, ENGINE_NONE, true}};
	struct operation *own = built_kernel(&built, "own", built_stream(&built, 0, 0, STREAM_BLOCKING), small(1));
	struct operation *copy = built_copy(&built, OPERATION_COPY, "copy", built_stream(&built, 0, 0, STREAM_BLOCKING), DIRECTION_H2D);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		copy->copy.direction = rows[i].direction;
		platform.engine_of[rows[i].direction] = rows[i].engine;
		ck_assert_int_eq(map_runs_as_kernel(&platform, copy), rows[i].as_kernel);
		ck_assert_int_eq(map_of(own)->foreign_sm, rows[i].as_kernel);
		ck_assert_int_eq(map_of(own)->foreign_warps, rows[i].as_kernel ? 56 : 0);
		ck_assert_int_eq(map_of(own)->slots_least, rows[i].as_kernel ? 8 * 5 : 64);
		ck_assert(!map_of(copy)->is_kernel);
	}
}
END_TEST

/* ---- what earlier kernels of the own stream leave counts, once anything mixes */

START_TEST(least_over_the_context)
{
	int first = built_stream(&built, 0, 0, STREAM_BLOCKING), second = built_stream(&built, 0, 0, STREAM_BLOCKING);
	struct operation *own = built_kernel(&built, "own", first, make_kernel(1, 256, 32, 4096));
	built_kernel(&built, "before", first, small(1)); /* asks for no shared memory */
	platform.assumptions[ASSUMPTION_FRAG].status = STATUS_CONDITIONAL;
	ck_assert_int_eq(map_of(own)->occupancy.least, 8); /* all idle when it comes */
	built_kernel(&built, "beside", second, make_kernel(1, 256, 32, 4096));
	ck_assert_int_eq(map_of(own)->occupancy.least, 2); /* "before" configured, "beside" kept the SM busy */
	ck_assert_int_eq(map_of(own)->occupancy.greatest, 8);
	platform.assumptions[ASSUMPTION_FRAG].status = STATUS_BROKEN;
	ck_assert_int_eq(map_of(own)->occupancy.least, 1);
}
END_TEST

/* ---- neighbours */

START_TEST(neighbours)
{
	static const struct {
		int sms;
		struct sm_position positions[4];
		bool tpc, gpc, out;
	} rows[] = {
		{1, {{0, 0, 0}}, false, false, false},
		{2, {{0, 0, 0}, {0, 1, 0}}, false, true, false},
		{2, {{0, 0, 0}, {0, 0, 0}}, true, true, false},
		{2, {{0, 0, 0}, {1, 1, 0}}, false, false, true},
		{4, {{0, 0, 0}, {0, 0, 0}, {1, 1, 0}, {1, 1, 0}}, true, true, true},
		{2, {{NO_ID, 0, 0}, {0, 1, 0}}, false, true, true},
		{2, {{0, NO_ID, 0}, {0, 1, 0}}, true, true, false},
	};
	struct operation *own = built_kernel(&built, "own", built_stream(&built, 0, 0, STREAM_BLOCKING), small(1));
	built_kernel(&built, "other", built_stream(&built, 0, 0, STREAM_BLOCKING), small(1));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sm_position positions[4];
		for (int k = 0; k < 4; k++)
			positions[k] = rows[i].positions[k];
		platform.sms = positions;
		platform.map_source = "test";
		set_parameter(&platform, PARAMETER_SM_COUNT, rows[i].sms);
		const struct kernel_map *map = map_of(own);
		ck_assert(map->foreign_sm && map->beside_sm);
		ck_assert(map->foreign_tpc == rows[i].tpc && map->beside_tpc == rows[i].tpc);
		ck_assert(map->foreign_gpc == rows[i].gpc && map->beside_gpc == rows[i].gpc);
		ck_assert(map->foreign_out == rows[i].out && map->beside_out == rows[i].out);
	}
	platform.map_source = NULL;
	set_parameter(&platform, PARAMETER_SM_COUNT, 1);
	ck_assert(!map_of(own)->foreign_gpc);
	clear_parameter(&platform, PARAMETER_SM_COUNT);
	ck_assert(map_of(own)->foreign_tpc && map_of(own)->foreign_gpc && map_of(own)->foreign_out && map_of(own)->slots_least == NONE);
}
END_TEST

/* ---- [MOST-ROOM] against Eq. 2 as printed */

static int compare_table(const char *name, int64_t warps)
{
	char path[512], line[512];
	snprintf(path, sizeof path, "%s/tests/papers/%s", GPUBOUND_SOURCE, name);
	FILE *file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s", path);
	ck_assert(fgets(line, sizeof line, file) != NULL);
	int same = 0;
	for (int x = 1; x <= 32; x++) {
		ck_assert(fgets(line, sizeof line, file) != NULL);
		const char *cell = line;
		for (int y = 1; y <= 32; y++) {
			for (cell++; cell[-1] != ','; cell++)
				;
			ck_assert_msg(map_same_sm(warps, 0, x, y) == (*cell == '1'), "%s: %d beside %d", name, y, x);
			same += *cell == '1';
		}
	}
	fclose(file);
	return same;
}

START_TEST(same_sm)
{
	ck_assert_int_eq(compare_table("same-sm-64.csv", 64), 197);
	ck_assert_int_eq(compare_table("same-sm-32.csv", 32), 167);
	for (int x = 1; x <= 32; x++) /* Eq. 3: 64 warps of which 32 are taken are 32 warps */
		for (int y = 1; y <= 32; y++)
			ck_assert_int_eq(map_same_sm(64, 32, x, y), map_same_sm(32, 0, x, y));
	ck_assert(map_same_sm(64, 0, 9, 11) && !map_same_sm(64, 0, 10, 11) && !map_same_sm(64, 0, 30, 31)); /* W1 of [EXAMPLES] */
	ck_assert(!map_same_sm(64, 60, 2, 8));                                                              /* no room at all */
	ck_assert(!map_same_sm(NONE, 0, 1, 3) && !map_same_sm(64, 0, NONE, 3) && !map_same_sm(64, 0, 1, 0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("map");
	TCase *all = tcase_create("all");
	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_test(all, alone);
	tcase_add_loop_test(all, contexts, 0, (int)(sizeof pairs / sizeof *pairs));
	tcase_add_test(all, foreign_warps);
	tcase_add_test(all, leavers);
	tcase_add_test(all, copies_as_kernels);
	tcase_add_test(all, least_over_the_context);
	tcase_add_test(all, neighbours);
	tcase_add_test(all, same_sm);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}
