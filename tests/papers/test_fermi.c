/* Seed 000, How the Fermi Thread Block Scheduler Works: its figures and tables. */
#include "papers/chips.h"
#include "unit/run.h"

#include <string.h>

/* Quadro 6000 and Tesla C2070, section 2. */
static const int quadro_gpcs[14] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 3};

/* residency: blocks an SM, set by warps a block. */
static void launch(const int *gpcs, int sms, int residency, const int64_t grid[3], int *placed)
{
	struct bench bench;
	struct built fermi = {.sms = sms, .warps = 48, .blocks = 8, .gpc = gpcs, .placement = PLACEMENT_FERMI};
	struct kernel kernel = bench_kernel(1, 32 * 48 / residency);
	memcpy(kernel.grid, grid, sizeof kernel.grid);
	kernel.blocks = grid[0] * grid[1] * grid[2];
	bench_open(&bench, &fermi);
	bench_launch(&bench, &kernel, placed);
	bench_close(&bench);
}

/* Section 4.2: the SM of every block, row by row, at residency 1; NO_ID: the block waits. */
static const struct {
	const char *name;
	int64_t grid[3];
	int sms[16];
} shapes[] = {
	{"12 x 1", {12, 1, 1}, {0, 3, 4, 1, 2, 7, 8, 5, 6, 11, 12, 9}},
	{"2 x 6", {2, 6, 1}, {0, 1, 3, 4, 8, 7, 5, 2, 6, 9, 11, 12}},
	{"3 x 4", {3, 4, 1}, {0, 1, 2, 3, 4, 7, 12, 11, 8, 9, 6, 5}},
	{"4 x 3", {4, 3, 1}, {0, 1, 2, 5, 3, 4, 7, 8, 9, 12, 11, 6}},
	{"6 x 2", {6, 2, 1}, {0, 1, 2, 5, 6, 9, 3, 4, 7, 8, 11, 12}},
};

START_TEST(section_4_2_tables)
{
	int placed[16];
	int64_t blocks = shapes[_i].grid[0] * shapes[_i].grid[1];
	launch(quadro_gpcs, 14, 1, shapes[_i].grid, placed);
	for (int i = 0; i < blocks; i++)
		ck_assert_msg(placed[i] == shapes[_i].sms[i], "%s: block %d on SM %d, the table has %d", shapes[_i].name, i, placed[i],
			shapes[_i].sms[i]);
}
END_TEST

/* The order of scheduling of each block, row by row; the SMs of a 1-D grid give the order away. */
static const struct {
	const char *name;
	int64_t grid[3];
	int residency;
	int order[25];
} curves[] = {
	{"4 x 4, section 4.2: blocks 8 and 12 wait", {4, 4, 1}, 1, {0, 3, 4, 7, 1, 2, 5, 6, -1, 13, 10, 9, -1, 12, 11, 8}},
	{"5 x 5, derived: its figure did not survive in the text", {5, 5, 1}, 2,
		{0, 3, 4, 7, 8, 1, 2, 5, 6, 9, 18, 17, 14, 13, 10, 19, 16, 15, 12, 11, 20, 21, 22, 23, 24}},
};

START_TEST(section_4_2_curves)
{
	int64_t blocks = curves[_i].grid[0] * curves[_i].grid[1], line[3] = {blocks, 1, 1};
	int placed[25], linear[25];
	launch(quadro_gpcs, 14, curves[_i].residency, curves[_i].grid, placed);
	launch(quadro_gpcs, 14, curves[_i].residency, line, linear);
	for (int i = 0; i < blocks; i++) {
		int expected = curves[_i].order[i] < 0 ? NO_ID : linear[curves[_i].order[i]];
		ck_assert_msg(placed[i] == expected, "%s: block %d on SM %d, not %d", curves[_i].name, i, placed[i], expected);
	}
}
END_TEST

/* Section 4.1. 28 x 1 and 14 x 1 by the figures' text; 42 x 1 by its statement that one at a time begins below 14 blocks overall. */
static const struct {
	const char *name;
	int64_t blocks;
	int sms[42];
} waves[] = {
	{"28 x 1, residency 2", 28, {0, 4, 8, 12, 3, 7, 11, 13, 1, 5, 9, 2, 6, 10, 0, 3, 4, 1, 2, 7, 8, 5, 6, 11, 12, 9, 10, 13}},
	{"14 x 1, residency 2", 14, {0, 3, 4, 7, 8, 1, 2, 11, 12, 5, 6, 13, 0, 9}},
	{"42 x 1, residency 2", 42,
		{0, 4, 8, 12, 3, 7, 11, 13, 1, 5, 9, 2, 6, 10, 0, 4, 8, 12, 3, 7, 11, 13, 1, 5, 9, 2, 6, 10, -1, -1, -1, -1, -1, -1, -1, -1,
			-1, -1, -1, -1, -1, -1}},
};

START_TEST(section_4_1_waves)
{
	int placed[42];
	launch(quadro_gpcs, 14, 2, (int64_t[3]){waves[_i].blocks, 1, 1}, placed);
	for (int i = 0; i < waves[_i].blocks; i++)
		ck_assert_msg(
			placed[i] == waves[_i].sms[i], "%s: block %d on SM %d, not %d", waves[_i].name, i, placed[i], waves[_i].sms[i]);
}
END_TEST

/* GTX 480: 15 SMs, one GPC of 3; which one is not said, so each is tried. The full GPCs come before the short one (priority 8 over 6),
 * the lowest first among equals, and the first 15 blocks cover all SMs. Derived from section 4.1. */
START_TEST(fifteen_sms)
{
	int gpcs[15], placed[30], next = 0;
	for (int s = 0; s < 15; s++)
		gpcs[s] = s < 12 ? s % 4 : (next += next == _i, next++);
	launch(gpcs, 15, 2, (int64_t[3]){30, 1, 1}, placed);
	for (int i = 0; i < 12; i++) {
		int full = i / 4 < _i ? i / 4 : i / 4 + 1;
		ck_assert_int_eq(gpcs[placed[i]], full);
	}
	for (int i = 12; i < 15; i++)
		ck_assert_int_eq(gpcs[placed[i]], _i);
	for (int i = 15; i < 18; i++) /* one at a time from here, first the three full GPCs */
		ck_assert_int_eq(gpcs[placed[i]], i - 15 < _i ? i - 15 : i - 14);
	for (int s = 0; s < 15; s++) {
		int times = 0;
		for (int i = 0; i < 30; i++)
			times += placed[i] == s;
		ck_assert_int_eq(times, 2);
	}
}
END_TEST

/* Section 3: after the initial wave SMs are picked in the order in which blocks complete. */
START_TEST(completion_order)
{
	static const int ends[] = {9, 0, 13, 4};
	struct bench bench;
	struct built fermi = {.sms = 14, .warps = 48, .blocks = 8, .gpc = quadro_gpcs, .placement = PLACEMENT_FERMI};
	struct kernel kernel = bench_kernel(20, 1024);
	struct shape shape;
	struct room room;
	bench_open(&bench, &fermi);
	ck_assert(shape_init(&shape, &bench.limits, &kernel));
	room_init(&room, bench.arena, &bench.chip, &shape);
	struct dispatch *dispatch = placement_begin(&bench.placer, &room, kernel.grid);
	for (int sm; (sm = placement_choose(&bench.placer, dispatch)) != NO_ID;)
		ck_assert_int_eq(placement_place(&bench.placer, dispatch, sm), 0);
	ck_assert_int_eq(dispatch->placed, 14);
	for (int i = 0; i < 4; i++)
		placement_release(&bench.placer, ends[i], 0);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(placement_choose(&bench.placer, dispatch), ends[i]);
		placement_place(&bench.placer, dispatch, ends[i]);
	}
	ck_assert_int_eq(placement_choose(&bench.placer, dispatch), NO_ID);
	bench_close(&bench);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fermi");
	TCase *tables = tcase_create("seed 000");
	tcase_add_loop_test(tables, section_4_2_tables, 0, (int)(sizeof shapes / sizeof *shapes));
	tcase_add_loop_test(tables, section_4_2_curves, 0, (int)(sizeof curves / sizeof *curves));
	tcase_add_loop_test(tables, section_4_1_waves, 0, (int)(sizeof waves / sizeof *waves));
	tcase_add_loop_test(tables, fifteen_sms, 0, 4);
	tcase_add_test(tables, completion_order);
	suite_add_tcase(suite, tables);
	return run_suite(suite);
}
