/* Random utilisations and periods: sums, limits, and how they are distributed. */
#include "run.h"
#include "study/utilisations.h"

#include <stdlib.h>

#define DRAWS 20000
#define BINS 8

/* [DRAWN] by hand: of two that sum to 1, each at most 0.75, the first one is uniform between 0.25 and 0.75. */
START_TEST(test_two)
{
	enum shares_by by = (enum shares_by)_i;
	struct random random;
	int64_t shares[2], counts[BINS] = {0};
	random_seed(&random, 7, 0);
	for (int i = 0; i < DRAWS; i++) {
		ck_assert(shares_draw(&random, by, 2, SHARES_WHOLE, 0, SHARES_WHOLE / 4 * 3, shares));
		ck_assert_int_le(SHARES_WHOLE - shares[0] - shares[1], 2);
		ck_assert_int_ge(SHARES_WHOLE - shares[0] - shares[1], 0);
		int64_t bin = (shares[0] - SHARES_WHOLE / 4) * BINS / (SHARES_WHOLE / 2);
		ck_assert_int_ge(shares[0], SHARES_WHOLE / 4 - 2);
		counts[bin < BINS ? bin : BINS - 1]++;
	}
	for (int i = 0; i < BINS; i++) /* 2,500 each, four standard deviations of 47 */
		ck_assert_int_le(llabs(counts[i] - DRAWS / BINS), 188);
}
END_TEST

#define MOST 12

static const struct box {
	int count, total; /* in hundredths */
} boxes[] = {{5, 90}, {5, 130}, {5, 215}, {MOST, 280}};

/* How often the greatest one is in each eighth of its range. */
static void count_bins(enum shares_by by, const struct box *box, int64_t counts[BINS])
{
	const int64_t least = SHARES_WHOLE / 20, most = SHARES_WHOLE / 2, total = box->total * (SHARES_WHOLE / 100);
	struct random random;
	int64_t shares[MOST];
	random_seed(&random, 3, (uint64_t)by);
	for (int i = 0; i < DRAWS; i++) {
		int64_t sum = 0, greatest = 0, begin = total / box->count;
		ck_assert(shares_draw(&random, by, box->count, total, least, most, shares));
		for (int k = 0; k < box->count; k++) {
			ck_assert(shares[k] >= least - 1 && shares[k] <= most);
			sum += shares[k];
			greatest = shares[k] > greatest ? shares[k] : greatest;
		}
		ck_assert(sum <= total && sum >= total - box->count);
		int64_t bin = (greatest - begin) * BINS / (most - begin);
		counts[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1]++;
	}
}

/* To discard is uniform by definition, and to rescale comes to the same. */
START_TEST(test_same)
{
	int64_t discarded[BINS] = {0}, rescaled[BINS] = {0};
	count_bins(SHARES_UUNIFAST, &boxes[_i], discarded);
	count_bins(SHARES_DIRICHLET, &boxes[_i], rescaled);
	for (int i = 0; i < BINS; i++) { /* difference^2 within 16 times its variance, at most the sum of both */
		int64_t difference = discarded[i] - rescaled[i];
		ck_assert_msg(difference * difference <= 16 * (discarded[i] + rescaled[i] + 1), "bin %d: %ld, %ld", i, (long)discarded[i],
			(long)rescaled[i]);
	}
}
END_TEST

START_TEST(test_limits)
{
	struct random random;
	int64_t shares[50];
	random_seed(&random, 1, 0);
	ck_assert(!shares_draw(&random, SHARES_DIRICHLET, 3, 2 * SHARES_WHOLE, 0, SHARES_WHOLE / 2, shares));       /* too much for three */
	ck_assert(!shares_draw(&random, SHARES_UUNIFAST, 3, SHARES_WHOLE, SHARES_WHOLE / 2, SHARES_WHOLE, shares)); /* too little */
	ck_assert(shares_draw(&random, SHARES_UUNIFAST, 1, SHARES_WHOLE / 3, 0, SHARES_WHOLE, shares));
	ck_assert_int_ge(shares[0], SHARES_WHOLE / 3 - 1);
	ck_assert(shares_draw(&random, SHARES_DIRICHLET, 50, 25 * SHARES_WHOLE, 0, SHARES_WHOLE, shares)); /* to discard would not end */
	ck_assert(!shares_draw(&random, SHARES_UUNIFAST, 50, 25 * SHARES_WHOLE, 0, SHARES_WHOLE, shares));
}
END_TEST

/* From 10 to 80 each octave has a third; steps are kept. */
START_TEST(test_periods)
{
	struct random random;
	int64_t counts[3] = {0};
	random_seed(&random, 5, 0);
	for (int i = 0; i < DRAWS; i++) {
		int64_t period = period_draw(&random, 10000000, 80000000, 1);
		ck_assert(period >= 10000000 && period <= 80000000);
		counts[period < 20000000 ? 0 : period < 40000000 ? 1 : 2]++;
		int64_t stepped = period_draw(&random, 15, 1000, 10);
		ck_assert(stepped % 10 == 5 && stepped >= 15 && stepped <= 995);
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_le(llabs(counts[i] - DRAWS / 3), 280);
	ck_assert_int_eq(period_draw(&random, 42, 42, 5), 42);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shares");
	TCase *shares = tcase_create("shares");
	tcase_set_timeout(shares, 60);
	tcase_add_loop_test(shares, test_two, SHARES_UUNIFAST, SHARES_DIRICHLET + 1);
	tcase_add_loop_test(shares, test_same, 0, sizeof boxes / sizeof *boxes);
	tcase_add_test(shares, test_limits);
	tcase_add_test(shares, test_periods);
	suite_add_tcase(suite, shares);
	return run_suite(suite);
}
