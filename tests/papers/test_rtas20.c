/* Seed 001, Olmedo et al., Dissecting the CUDA scheduling hierarchy, RTAS 2020: equations 2-4, Figure 5 and the experiments of section
 * III-C, all of which follow from one rule ([MOST-ROOM]). The tables are computed from Eq. 2; the paper prints them with shades that
 * did not survive in its text. */
#include "papers/chips.h"
#include "unit/run.h"

#include <stdio.h>
#include <string.h>

#ifndef TABLES
#error "TABLES is the folder of eq2_mw64.csv and eq2_mw32.csv"
#endif

/* Jetson Xavier (Volta, 8 SMs, mw = 64) and Drive AGX Pegasus (Turing, 44 SMs, mw = 32): Table I. Block slots: [HW-OCCUPANCY]. */
static const struct chip_of_the_paper {
	int sms, warps, blocks;
	const char *table;
	int pairs; /* on the same SM */
} chips[] = {{8, 64, 32, "eq2_mw64.csv", 197}, {44, 32, 16, "eq2_mw32.csv", 167}};

static const int *even_then_odd(int sms)
{
	static int order[44];
	for (int i = 0; i < sms; i++)
		order[i] = i < (sms + 1) / 2 ? 2 * i : 2 * (i - (sms + 1) / 2) + 1;
	return order;
}

/* slots: 0 for the chip's own; otherwise so many that only warps count, as in the paper's equations. */
static void open_chip(struct bench *bench, const struct chip_of_the_paper *chip, int slots)
{
	struct built built = {.sms = chip->sms,
		.warps = chip->warps,
		.blocks = slots != 0 ? slots : chip->blocks,
		.order = even_then_odd(chip->sms),
		.placement = PLACEMENT_MOST_ROOM};
	bench_open(bench, &built);
}

static int launch_one(struct bench *bench, int64_t warps)
{
	int sm;
	bench_launch_warps(bench, 1, warps, &sm);
	return sm;
}

static bool same_sm(const struct chip_of_the_paper *chip, int x, int y)
{
	struct bench bench;
	open_chip(&bench, chip, 0);
	int first = launch_one(&bench, x), second = launch_one(&bench, y);
	bench_close(&bench);
	return first == second;
}

/* Tables II and III: x and y from 1 to 32 warps. */
START_TEST(equation_2)
{
	const struct chip_of_the_paper *chip = &chips[_i];
	char path[512], line[512];
	int pairs = 0;
	snprintf(path, sizeof path, "%s/%s", TABLES, chip->table);
	FILE *file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	for (int x = 1; x <= 32; x++) {
		ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
		strtok(line, ",");
		for (int y = 1; y <= 32; y++) {
			bool expected = atoi(strtok(NULL, ",")) == 1;
			ck_assert_msg(same_sm(chip, x, y) == expected, "mw %d, x %d, y %d", chip->warps, x, y);
			pairs += expected;
		}
	}
	fclose(file);
	ck_assert_int_eq(pairs, chip->pairs);
}
END_TEST

/* Eq. 3: every SM holds a block of z warps already. */
START_TEST(equation_3)
{
	const struct chip_of_the_paper *chip = &chips[_i];
	int mw = chip->warps, sms[44];
	for (int z = 0; z <= 32 && z < mw; z++)
		for (int x = 1; x <= 32 && x <= mw - z; x++)
			for (int y = 1; y <= 32 && y <= mw - z; y++) {
				struct bench bench;
				open_chip(&bench, chip, 64);
				if (z > 0)
					bench_launch_warps(&bench, chip->sms, z, sms);
				int first = launch_one(&bench, x), second = launch_one(&bench, y);
				bool expected = mw - z - x >= ((mw - z - y) / y + 1) * y;
				ck_assert_msg((first == second) == expected, "mw %d, z %d, x %d, y %d", mw, z, x, y);
				bench_close(&bench);
			}
}
END_TEST

/* Eq. 4, and with z' = 6 on the Xavier Table IV (derived: its shades did not survive): all SMs but the last hold z' warps, x warps go to
 * the last one; y joins them there. Where x prefers a loaded SM (Eq. 3) Eq. 4 is not asked. */
START_TEST(equation_4)
{
	const struct chip_of_the_paper *chip = &chips[_i];
	int mw = chip->warps, sms[44], asked = 0;
	for (int z = 1; z <= 32; z++)
		for (int x = 1; x <= 32; x++)
			for (int y = 1; y <= 32 && y <= mw - x && y <= mw - z; y++) {
				struct bench bench;
				open_chip(&bench, chip, 64);
				bench_launch_warps(&bench, chip->sms - 1, z, sms);
				int last = even_then_odd(chip->sms)[chip->sms - 1];
				if (launch_one(&bench, x) == last) {
					bool expected = mw - z < (mw - x) / y * y;
					/* Literally, Eq. 4 compares with mw - z'; what is compared is how many blocks fit. */
					bool by_room = (mw - x) / y > (mw - z) / y;
					ck_assert_int_eq(expected, by_room);
					ck_assert_msg((launch_one(&bench, y) == last) == expected, "mw %d, z' %d, x %d, y %d", mw, z, x, y);
					asked++;
				}
				bench_close(&bench);
			}
	ck_assert_int_gt(asked, 5000);
}
END_TEST

/* Figure 5: two streams of 4 blocks each on the Xavier. Left: 4 warps and 4 warps. Right: 4 warps and 5 warps. */
START_TEST(figure_5)
{
	static const int left[] = {1, 3, 5, 7}, right[] = {0, 2, 4, 6};
	struct bench bench;
	int sms[4];
	open_chip(&bench, &chips[0], 0);
	bench_launch_warps(&bench, 4, 4, sms);
	ck_assert_mem_eq(sms, right, sizeof sms);
	bench_launch_warps(&bench, 4, _i == 0 ? 4 : 5, sms);
	ck_assert_mem_eq(sms, _i == 0 ? left : right, sizeof sms);
	bench_close(&bench);
}
END_TEST

/* Section III-C1, Load Balancing: 6 SMs hold 16 warps, then 16 blocks of 2 warps, or of 4. */
START_TEST(six_sms_at_512_threads)
{
	struct bench bench;
	int sms[16], times[8] = {0};
	open_chip(&bench, &chips[0], 0);
	bench_launch_warps(&bench, 6, 16, sms);
	ck_assert_int_eq(bench_launch_warps(&bench, 16, _i == 0 ? 2 : 4, sms), 16);
	for (int i = 0; i < 16; i++) {
		bool initially_empty = sms[i] == 5 || sms[i] == 7;
		if (_i == 0 || i < 8)
			ck_assert_msg(initially_empty, "block %d on SM %d", i, sms[i]);
		times[sms[i]]++;
	}
	for (int s = 0; _i == 1 && s < 8; s++)
		ck_assert_int_eq(times[s], s == 5 || s == 7 ? 5 : 1);
	bench_close(&bench);
}
END_TEST

/* Section III-C2, thresholds: where another resource than slots or warps becomes the scarce one ([MOST-ROOM]). Turing's are predicted,
 * not printed by the paper. */
static const struct {
	const char *name;
	int warps, blocks;
	int64_t registers, shared;
	int64_t threads, last_free, step, unit; /* up to last_free the resource does not matter, and it counts in units */
	bool by_registers;
} thresholds[] = {
	{"Volta, 3 KB and 256 B", 64, 32, 65536, 96 * 1024, 32, 3072, 1, 256, false},
	{"Volta, 32 registers", 64, 32, 65536, 96 * 1024, 1024, 32, 1, 8, true},
	{"Turing, 4 KB", 32, 16, 65536, 64 * 1024, 32, 4096, 1, 256, false},
	{"Turing, 64 registers", 32, 16, 65536, 64 * 1024, 1024, 64, 1, 8, true},
};

static int per_sm(const struct bench *bench, int64_t threads, int64_t amount, bool by_registers)
{
	struct kernel kernel = bench_kernel(1, threads);
	struct shape shape;
	if (by_registers)
		kernel.registers = amount;
	else
		kernel.shared_dynamic = amount;
	return shape_init(&shape, &bench->limits, &kernel) ? shape.per_sm : 0;
}

START_TEST(threshold)
{
	struct bench bench;
	struct built built = {.sms = 8,
		.warps = thresholds[_i].warps,
		.blocks = thresholds[_i].blocks,
		.parts = 4,
		.registers = thresholds[_i].registers,
		.register_unit = 256,
		.shared = thresholds[_i].shared,
		.shared_unit = 256,
		.placement = PLACEMENT_MOST_ROOM};
	int64_t last = thresholds[_i].last_free, threads = thresholds[_i].threads;
	bool by_registers = thresholds[_i].by_registers;
	bench_open(&bench, &built);
	int free = per_sm(&bench, threads, by_registers ? 1 : 0, by_registers);
	ck_assert_int_eq(per_sm(&bench, threads, last, by_registers), free);
	ck_assert_int_lt(per_sm(&bench, threads, last + 1, by_registers), free);
	for (int64_t amount = last + 1; amount <= last + thresholds[_i].unit; amount++)
		ck_assert_int_eq(per_sm(&bench, threads, amount, by_registers), per_sm(&bench, threads, last + 1, by_registers));
	bench_close(&bench);
}
END_TEST

/* Section III-C2: kernels of different cache configurations run one after the other even where resources would allow both. */
START_TEST(cache_configurations)
{
	static const int64_t carveouts[] = {0, 32 * 1024, 64 * 1024, 96 * 1024};
	struct bench bench, chip;
	struct built built = {.sms = 8,
		.warps = 64,
		.blocks = 32,
		.shared = 96 * 1024,
		.shared_unit = 256,
		.order = even_then_odd_8,
		.placement = PLACEMENT_MOST_ROOM};
	int sm;
	bench_open(&bench, &built);
	bench.platform->carveouts = carveouts;
	bench.platform->carveout_count = 4;
	bench.platform->per_sm_carveout = _i == 0 ? TERNARY_NO : TERNARY_YES;
	bench_open_platform(&chip, bench.platform, bench.arena, NULL);
	struct kernel first = bench_kernel(8, 128), second = bench_kernel(1, 128), third = bench_kernel(1, 128);
	first.cache = third.cache = CACHE_PREFER_SHARED;
	second.cache = CACHE_PREFER_L1;
	ck_assert_int_eq(bench_launch(&chip, &first, NULL), 8);
	ck_assert_int_eq(bench_launch(&chip, &second, &sm), 0);
	ck_assert_int_eq(bench_launch(&chip, &third, &sm), 1);
	placement_release(&chip.placer, 6, 0);
	ck_assert_int_eq(bench_launch(&chip, &second, &sm), _i == 0 ? 0 : 1); /* one SM is idle: enough only where SMs configure alone */
	bench_close(&chip);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rtas20");
	TCase *equations = tcase_create("section III-C");
	tcase_add_loop_test(equations, equation_2, 0, 2);
	tcase_add_loop_test(equations, equation_3, 0, 2);
	tcase_add_loop_test(equations, equation_4, 0, 2);
	tcase_add_loop_test(equations, figure_5, 0, 2);
	tcase_add_loop_test(equations, six_sms_at_512_threads, 0, 2);
	tcase_add_loop_test(equations, threshold, 0, (int)(sizeof thresholds / sizeof *thresholds));
	tcase_add_loop_test(equations, cache_configurations, 0, 2);
	tcase_set_timeout(equations, 60);
	suite_add_tcase(suite, equations);
	return run_suite(suite);
}
