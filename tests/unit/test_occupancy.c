/* Occupancy: published limits at the edges of every unit, the least by hand, and both against an exhaustive search of small machines. */
#include "map/occupancy.h"
#include "unit/platforms.h"
#include "unit/run.h"

#include <string.h>

#define WARPS RESOURCE_WARPS
#define BLOCKS RESOURCE_BLOCKS
#define REGISTERS RESOURCE_REGISTERS
#define SHARED RESOURCE_SHARED

/* least: with nothing granted, alone in its context; mixed: beside a kernel of one warp with 255 registers and no shared memory. */
static const struct {
	int cc, threads, registers, shared, greatest;
	enum resource binding;
	int least, mixed;
} cases[] = {
	/* CC 2.0: 48 warps, 8 blocks, 16384 registers a half, 128 B */
	{20, 31, 16, 0, 8, BLOCKS, 8, 8},
	{20, 32, 16, 0, 8, BLOCKS, 8, 8},
	{20, 192, 16, 0, 8, WARPS, 8, 6},     /* 6 warps: 48 / 6; mixed: (16384 - 1536 + 64) / 960 = 15.5, 16 warps of 3 a block */
	{20, 193, 16, 0, 6, WARPS, 6, 4},     /* 7 warps: 6; halves: 24 / 4; mixed: (16384 - 2048 + 64) / 960 = 15, 15 / 4 */
	{20, 1024, 16, 0, 1, WARPS, 1, 1},    /* 32 warps */
	{20, 256, 20, 0, 6, WARPS, 6, 3},     /* 640 a warp: 25 a half, 6 blocks; mixed: (16384 - 2560 + 64) / 1216 = 11.4, 12 / 4 */
	{20, 256, 21, 0, 5, REGISTERS, 5, 1}, /* 768 a warp instead of 704: 21 a half, 42 / 8 */
	{20, 256, 23, 0, 5, REGISTERS, 5, 1}, /* 768: 23 * 32 = 736, unit 64 */
	{20, 256, 63, 0, 2, REGISTERS, 2, 1}, /* 2048: 8 a half, 16 / 8 */
	{20, 256, 64, 0, 0, REGISTERS, 0, 0}, /* a thread may have 63 */
	{20, 64, 16, 6144, 8, BLOCKS, 4, 4},  /* 48 KiB / 6 KiB = 8; (384 - 48 + 1) / 95 = 3.5 */
	{20, 64, 16, 6145, 7, SHARED, 4, 4},  /* 49 units: 7; (384 - 49 + 1) / 97 = 3.5 */
	/* CC 3.5: 64 warps, 16 blocks, 4 quarters of 16384 registers, 48 KiB by 256 B */
	{35, 32, 32, 0, 16, BLOCKS, 16, 9},
	{35, 128, 32, 0, 16, WARPS, 16, 9},     /* k = 1: 16; mixed: (16384-1024+256)/1792 = 8.7 */
	{35, 128, 33, 0, 12, REGISTERS, 12, 1}, /* 1280 a warp: 12 a quarter, 48 / 4 */
	{35, 33, 32, 0, 16, BLOCKS, 16, 9},
	{35, 64, 32, 3072, 16, BLOCKS, 8, 8}, /* 12 of 192 units; (192 - 12 + 1) / 23 = 7.9 */
	{35, 64, 32, 3073, 14, SHARED, 8, 8}, /* 13: 14; (180) / 25 = 7.2 */
	/* CC 5.3 and 6.2: 64 KiB that is no cache, 32768 registers a block */
	{53, 1024, 32, 0, 2, WARPS, 2, 1},     /* k = 8: 16 / 8; mixed: (16384 - 8192 + 256) / 1792 = 4.7, 5 / 8 */
	{53, 1024, 33, 0, 0, REGISTERS, 0, 0}, /* 1280 * 32 = 40960 > 32768 */
	{53, 768, 40, 0, 2, WARPS, 2, 1},      /* 1280 * 24 = 30720; 48 warps, 24 each; k = 6: 12 / 6 */
	{53, 256, 16, 2048, 8, WARPS, 8, 8},   /* (256 - 8 + 1) / 15 = 16.6 */
	{62, 256, 16, 8192, 8, WARPS, 4, 4},   /* 32 of 256 units: 8; (256 - 32 + 1) / 63 = 3.6 */
	{62, 256, 16, 8193, 7, SHARED, 4, 4},  /* 33: 7; 224 / 65 = 3.4 */
	{62, 256, 16, 49152, 1, SHARED, 1, 1},
	{62, 256, 16, 49153, 0, SHARED, 0, 0},
	/* CC 7.2: W3 of [EXAMPLES]; 96 KiB in steps */
	{72, 256, 32, 0, 8, WARPS, 8, 5},   /* k = 2: 16 / 2; mixed: (16384-2048+256)/1792 = 8.1, 9 warps, 5 blocks */
	{72, 32, 32, 0, 32, BLOCKS, 16, 9}, /* one sub-partition may hold 16 of them */
	{72, 31, 32, 0, 32, BLOCKS, 16, 9},
	{72, 33, 32, 0, 32, WARPS, 16, 9}, /* two warps, k = 1 */
	{72, 96, 32, 0, 21, WARPS, 16, 9}, /* 64 / 3 */
	{72, 544, 32, 0, 3, WARPS, 3, 2},  /* w = 17, k = 5; mixed: (16384-5120+256)/1792 = 6.4, 7 warps, 2 blocks */
	{72, 32, 32, 3072, 32, BLOCKS, 16,
		1}, /* 96 KiB / 32 = 3 KiB ([MOST-ROOM]): (384 - 12 + 1) / 23 = 16.2; mixed: 8 KiB, (32 - 12 + 1) / 23 */
	{72, 32, 32, 3073, 29, SHARED, 15, 1}, /* 13 of 384 units; (384 - 13 + 1) / 25 = 14.9 */
	{72, 256, 32, 4096, 8, WARPS, 4, 1},   /* 32 KiB are sure: (128 - 16 + 1) / 31 = 3.6 */
	{72, 256, 32, 98304, 1, SHARED, 1, 1},
	{72, 256, 32, 98305, 0, SHARED, 0, 0},
	/* CC 7.5: 32 warps, 16 blocks, 64 KiB or 32 KiB */
	{75, 64, 64, 0, 16, WARPS, 8, 4},     /* [MOST-ROOM]: 64 registers; quarters: 8 / 1; mixed: (16384 - 2048 + 256) / 3840 = 3.8 */
	{75, 128, 65, 0, 7, REGISTERS, 7, 1}, /* 2304 a warp: 7 a quarter, 28 / 4 */
	{75, 32, 32, 4096, 16, BLOCKS, 8, 4}, /* 64 KiB / 16; 8 warps a quarter; (256 - 16 + 1) / 31 = 7.8; mixed 32 KiB: 113 / 31 = 3.6 */
	{75, 32, 32, 4097, 15, SHARED, 8, 4}, /* 17: (256 - 17 + 1) / 33 = 7.3; mixed: (128 - 17 + 1) / 33 = 3.4 */
	/* CC 8.7: 48 warps, 16 blocks, reserve 1 KiB, 128 B */
	{87, 32, 32, 0, 16, BLOCKS, 9, 4},      /* 16 KiB are sure: (128 - 8 + 1) / 15 = 8.1; mixed: 8 KiB, (64 - 8 + 1) / 15 */
	{87, 256, 32, 0, 6, WARPS, 4, 4},       /* 8 KiB: (64 - 8 + 1) / 15 = 3.8 */
	{87, 256, 32, 15360, 6, WARPS, 3, 1},   /* 16 KiB: 6 need 96, 100 are sure: (800 - 128 + 1) / 255 = 2.6; mixed: 16 KiB */
	{87, 32, 32, 9472, 16, BLOCKS, 8, 1},   /* 10496 B = 82 units; 16 * 10496 = 167936 = 164 KiB; (1312 - 82 + 1) / 163 = 7.6 */
	{87, 32, 32, 9473, 15, SHARED, 8, 1},   /* 83 units: 15; (1312 - 83 + 1) / 165 = 7.5 */
	{87, 256, 32, 166912, 1, SHARED, 1, 1}, /* 163 KiB and the reserve */
	{87, 256, 32, 166913, 0, SHARED, 0, 0},
	/* CC 9.0: 228 KiB */
	{90, 64, 101, 0, 8, REGISTERS, 4, 1}, /* 3328: 4 a quarter, 16 / 2 held by an H200; 4 start at the same one */
	{90, 64, 101, 1, 8, REGISTERS, 4, 1},
	{90, 32, 18, 6272, 32, BLOCKS, 16, 1}, /* 7296 B = 57 of 1824 units; (1824 - 57 + 1) / 113 = 15.6 */
	{90, 32, 18, 6273, 31, SHARED, 16, 1}, /* 58: 31; (1824 - 58 + 1) / 115 = 15.4 */
	{90, 1024, 64, 0, 1, REGISTERS, 1, 1},
	{90, 1024, 65, 0, 0, REGISTERS, 0, 0}, /* 2304 * 32 > 65536 */
	{90, 1025, 16, 0, 0, WARPS, 0, 0},
};

START_TEST(limits)
{
	struct platform platform = make_platform(cases[_i].cc);
	struct kernel kernel = make_kernel(1000, cases[_i].threads, cases[_i].registers, cases[_i].shared),
		      other = make_kernel(1, 32, 255, 0);
	struct demand beside = occupancy_compute(&platform, &other).demand;
	struct occupancy occupancy = occupancy_compute(&platform, &kernel);
	ck_assert_msg(occupancy.greatest == cases[_i].greatest, "case %d greatest: %d", _i, (int)occupancy.greatest);
	ck_assert_msg(occupancy.binding == cases[_i].binding, "case %d binding: %s", _i, resource_names[occupancy.binding]);
	occupancy_fragment(&platform, &occupancy, NULL, 0, false);
	ck_assert_msg(occupancy.least == cases[_i].least, "case %d least: %d", _i, (int)occupancy.least);
	occupancy_fragment(&platform, &occupancy, &beside, 1, false);
	ck_assert_msg(occupancy.least == cases[_i].mixed, "case %d mixed: %d", _i, (int)occupancy.least);
}
END_TEST

/* [LEAVERS]: with all their warps, and with what is left of those that some have left: 64 warps, 32 slots, 228 KiB, 65,536 registers. */
START_TEST(leavers)
{
	static const struct {
		int threads, registers, shared, whole, greatest;
	} rows[] = {{32, 16, 0, 32, 32}, {64, 16, 0, 32, 32}, {128, 16, 0, 16, 32}, {256, 16, 0, 8, 32}, {1024, 16, 0, 2, 32},
		{1024, 40, 0, 1, 17}, {1024, 64, 0, 1, 1}, {512, 64, 0, 2, 17}, {256, 64, 0, 4, 25}, {256, 16, 44 * 1024, 5, 5},
		{256, 16, 20480, 8, 10}, {1024, 65, 0, 0, 0}};
	struct platform platform = make_platform(90);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct kernel kernel = make_kernel(1000, rows[i].threads, rows[i].registers, rows[i].shared);
		struct occupancy stays = occupancy_compute(&platform, &kernel);
		kernel.warps_stay = false;
		struct occupancy leaves = occupancy_compute(&platform, &kernel);
		ck_assert_int_eq(stays.greatest, rows[i].whole);
		ck_assert_int_eq(leaves.whole, rows[i].whole);
		ck_assert_msg(leaves.greatest == rows[i].greatest, "row %d: %d", (int)i, (int)leaves.greatest);
		ck_assert_int_eq(leaves.demand.configuration, stays.demand.configuration);
		occupancy_fragment(&platform, &stays, NULL, 0, FRAGMENTS_ANYWHERE);
		occupancy_fragment(&platform, &leaves, NULL, 0, FRAGMENTS_ANYWHERE);
		ck_assert(leaves.least == stays.least && leaves.greatest == rows[i].greatest);
	}
}
END_TEST

/* ---- units, unknown limits, shares */

START_TEST(demand_units)
{
	static const struct {
		int cc, threads, registers, shared;
		int64_t warps, warp_registers, bytes;
	} rows[] = {
		{20, 1, 1, 1, 1, 64, 128},
		{20, 32, 21, 128, 1, 768, 128},
		{20, 33, 22, 129, 2, 768, 256},
		{20, 64, 20, 0, 2, 640, 0},
		{20, 64, 28, 0, 2, 896, 0},
		{20, 64, 29, 0, 2, 1024, 0},
		{20, 64, 31, 0, 2, 1024, 0},
		{20, 64, 37, 0, 2, 1280, 0},
		{20, 64, 46, 0, 2, 1536, 0},
		{20, 64, 47, 0, 2, 1536, 0},
		{35, 32, 8, 256, 1, 256, 256},
		{35, 32, 9, 257, 1, 512, 512},
		{35, 32, 21, 0, 1, 768, 0},
		{75, 1024, 24, 255, 32, 768, 256},
		{87, 32, 16, 0, 1, 512, 1024},
		{87, 32, 17, 1, 1, 768, 1152},
		{90, 32, 101, 128, 1, 3328, 1152},
		{90, 32, 104, 129, 1, 3328, 1280},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct platform platform = make_platform(rows[i].cc);
		struct kernel kernel = make_kernel(1, rows[i].threads, rows[i].registers, rows[i].shared);
		struct demand demand = occupancy_compute(&platform, &kernel).demand;
		ck_assert_int_eq(demand.warps, rows[i].warps);
		ck_assert_int_eq(demand.warp_registers, rows[i].warp_registers);
		ck_assert_int_eq(demand.shared, rows[i].bytes);
	}
}
END_TEST

/* RTAS'20 Eq. 1 as a share a resource; [EXAMPLES] W3. */
START_TEST(shares)
{
	struct platform platform = make_platform(72);
	struct kernel kernel = make_kernel(200, 256, 32, 4096);
	struct occupancy occupancy = occupancy_compute(&platform, &kernel);
	ck_assert_int_eq(occupancy.greatest, 8);
	ck_assert_int_eq(occupancy.limit[BLOCKS], 32);
	ck_assert_int_eq(occupancy.limit[REGISTERS], 8);
	ck_assert_int_eq(occupancy.limit[SHARED], 24);
	ck_assert_int_eq(rational_compare(occupancy_used(&platform, &occupancy, WARPS), rational_of(1)), 0);
	ck_assert_int_eq(rational_compare(occupancy_used(&platform, &occupancy, BLOCKS), rational_make(1, 4)), 0);
	ck_assert_int_eq(rational_compare(occupancy_used(&platform, &occupancy, REGISTERS), rational_of(1)), 0);
	ck_assert_int_eq(rational_compare(occupancy_used(&platform, &occupancy, SHARED), rational_make(1, 3)), 0);
}
END_TEST

START_TEST(unknown_is_no_guess)
{
	static const enum parameter needed[] = {PARAMETER_SM_WARPS, PARAMETER_SM_BLOCKS, PARAMETER_SM_REGISTERS, PARAMETER_SM_SUBPARTITIONS,
		PARAMETER_REGISTER_UNIT, PARAMETER_SM_SHARED, PARAMETER_SHARED_UNIT, PARAMETER_SHARED_RESERVED};
	struct kernel kernel = make_kernel(1, 256, 32, 4096);
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		struct platform platform = make_platform(90);
		clear_parameter(&platform, needed[i]);
		struct occupancy occupancy = occupancy_compute(&platform, &kernel);
		occupancy_fragment(&platform, &occupancy, NULL, 0, false);
		ck_assert(occupancy.greatest == NONE && occupancy.least == NONE);
	}
	struct platform platform = make_platform(90);
	struct kernel holes[] = {kernel, kernel, kernel, kernel};
	holes[0].threads = holes[1].registers = holes[2].shared_static = holes[3].shared_dynamic = NONE;
	for (int i = 0; i < 4; i++)
		ck_assert(occupancy_compute(&platform, &holes[i]).greatest == NONE);
	struct kernel refused = make_kernel(1, 1025, NONE, 0); /* fits nowhere, however many registers it has */
	ck_assert_int_eq(occupancy_compute(&platform, &refused).greatest, 0);
}
END_TEST

/* The limit without opting in holds for static shared memory. */
START_TEST(static_shared)
{
	struct platform platform = make_platform(72);
	struct kernel kernel = make_kernel(1, 32, 32, 0);
	kernel.shared_static = 48 * KIB;
	ck_assert_int_eq(occupancy_compute(&platform, &kernel).greatest, 2);
	kernel.shared_static++;
	ck_assert_int_eq(occupancy_compute(&platform, &kernel).greatest, 0);
	clear_parameter(&platform, PARAMETER_BLOCK_SHARED_OPTIN);
	kernel = make_kernel(1, 32, 32, 48 * KIB + 1);
	ck_assert_int_eq(occupancy_compute(&platform, &kernel).greatest, 0);
}
END_TEST

/* ---- configurations: whose may an SM have? */

static int64_t least_of(const struct platform *platform, const struct kernel *kernel, const struct kernel *other, bool fungible)
{
	struct occupancy occupancy = occupancy_compute(platform, kernel);
	struct demand beside = occupancy_compute(platform, other).demand;
	occupancy_fragment(platform, &occupancy, &beside, 1, fungible);
	return occupancy.least;
}

START_TEST(configurations)
{
	struct platform platform = make_platform(72);
	struct kernel own = make_kernel(1, 256, 32, 4096), other = make_kernel(1, 256, 32, 0);
	ck_assert_int_eq(least_of(&platform, &own, &own, true), 8);   /* all ask for 32 KiB */
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 2); /* the other asks for nothing: 8 KiB hold two */
	own.carveout = 100;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 2); /* one preference is not enough */
	other.carveout = 100;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 8); /* the cure */
	own.carveout = 50;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 2); /* a hint */
	own.carveout = other.carveout = NONE;
	own.cache = other.cache = CACHE_PREFER_SHARED;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 8);
	other.cache = CACHE_PREFER_L1;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 2);
	platform.placement = PLACEMENT_HOPPER; /* it enters only where all of its blocks fit */
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 8);
	own.carveout = 0; /* it enters where one fits, and gives an idle SM no more */
	ck_assert_int_eq(least_of(&platform, &own, &own, true), 2);
	own.carveout = 100, other.carveout = 0;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 8);
	own.carveout = NONE;
	platform = make_platform(62); /* nothing to configure */
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 8);
	platform = make_platform(35);
	own = make_kernel(1, 128, 32, 4096), other = make_kernel(1, 128, 32, 0);
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 12);
	other.cache = CACHE_PREFER_L1;
	ck_assert_int_eq(least_of(&platform, &own, &other, true), 4); /* 16 KiB */
	struct demand unknown = {NONE, NONE, NONE, 0};
	struct occupancy occupancy = occupancy_compute(&platform, &own);
	occupancy_fragment(&platform, &occupancy, &unknown, 1, true);
	ck_assert_int_eq(occupancy.least, 4);
}
END_TEST

/* [EXAMPLES] W20: 96 units of one byte, nothing else in the way. */
START_TEST(contiguous_shared)
{
	static const int rows[][3] = {{48, 1, 2}, {30, 2, 3}, {16, 3, 6}, {96, 1, 1}, {95, 1, 1}, {1, 96, 96}, {2, 32, 48}};
	struct platform platform = make_platform(62);
	set_parameter(&platform, PARAMETER_SM_SHARED, 96);
	set_parameter(&platform, PARAMETER_SHARED_UNIT, 1);
	set_parameter(&platform, PARAMETER_SM_WARPS, 4096);
	set_parameter(&platform, PARAMETER_SM_BLOCKS, 4096);
	set_parameter(&platform, PARAMETER_SM_REGISTERS, 4096 * 1024);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct kernel kernel = make_kernel(1, 32, 32, rows[i][0]);
		struct occupancy occupancy = occupancy_compute(&platform, &kernel);
		ck_assert_int_eq(occupancy.greatest, rows[i][2]);
		occupancy_fragment(&platform, &occupancy, NULL, 0, false);
		ck_assert_int_eq(occupancy.least, rows[i][1]);
		ck_assert(occupancy.least == occupancy.greatest || occupancy.least_binding == SHARED);
		occupancy_fragment(&platform, &occupancy, NULL, 0, true);
		ck_assert_int_eq(occupancy.least, rows[i][2]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("occupancy");
	TCase *table = tcase_create("table");
	tcase_add_loop_test(table, limits, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(table, leavers);
	tcase_add_test(table, demand_units);
	tcase_add_test(table, shares);
	tcase_add_test(table, unknown_is_no_guess);
	tcase_add_test(table, static_shared);
	tcase_add_test(table, configurations);
	tcase_add_test(table, contiguous_shared);
	suite_add_tcase(suite, table);
	return run_suite(suite);
}
