/* The Neumaier-Shcherbina bound in GMP's integers: everything is multiplied by the denominator of y, which divides once, at the end. */
#include "lp/certificate.h"

#include "base/bignum.h"

static void set(mpz_t integer, int64_t value)
{
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	mpz_import(integer, 1, 1, sizeof magnitude, 0, 0, &magnitude);
	if (value < 0)
		mpz_neg(integer, integer);
}

/* NONE where it does not fit. */
static int64_t get(const mpz_t integer)
{
	if (mpz_sizeinbase(integer, 2) > 62)
		return NONE;
	uint64_t magnitude = 0;
	mpz_export(&magnitude, NULL, 1, sizeof magnitude, 0, 0, integer);
	return mpz_sgn(integer) < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* sum += sign * a * b; x is for scratch. */
static void add_product(mpz_t sum, int sign, int64_t a, int64_t b, mpz_t x)
{
	__int128 product = (__int128)a * b;
	if (product == (int64_t)product) {
		set(x, (int64_t)product);
	} else {
		mpz_t y;
		mpz_init(y);
		set(x, a);
		set(y, b);
		mpz_mul(x, x, y);
		mpz_clear(y);
	}
	if (sign > 0)
		mpz_add(sum, sum, x);
	else
		mpz_sub(sum, sum, x);
}

static bool admissible(const struct lp *lp, const struct lp_dual *dual)
{
	bool good = dual->denominator > 0;
	for (int i = 0; i < lp->row_count; i++)
		good &= lp->rows[i].relation == LP_EQUAL || dual->numerators[i] >= 0;
	return good;
}

/* reduced[j] = denominator * c_j - sum over rows of A_ij * numerator_i; sum += b'y. */
static void price(const struct lp *lp, const struct lp_dual *dual, mpz_t *reduced, mpz_t sum)
{
	mpz_t scratch;
	mpz_init(scratch);
	for (int j = 0; j < lp->column_count; j++) {
		mpz_init(reduced[j]);
		add_product(reduced[j], 1, lp->columns[j].cost, dual->denominator, scratch);
	}
	for (int i = 0; i < lp->row_count; i++) {
		const struct lp_row *row = &lp->rows[i];
		add_product(sum, 1, row->right, dual->numerators[i], scratch);
		for (int k = row->first; dual->numerators[i] != 0 && k < row->first + row->count; k++)
			add_product(reduced[lp->entries[k].column], -1, lp->entries[k].factor, dual->numerators[i], scratch);
	}
	mpz_clear(scratch);
}

/* Adds what the limits of the columns let the positive reduced costs add; false: nothing limits one. */
static bool charge(const struct lp *lp, mpz_t *reduced, mpz_t sum)
{
	bool limited = true;
	for (int j = 0; j < lp->column_count; j++) {
		if (mpz_sgn(reduced[j]) > 0) {
			mpz_t upper;
			mpz_init(upper);
			limited &= lp->columns[j].upper != NONE;
			set(upper, lp->columns[j].upper);
			mpz_addmul(sum, reduced[j], upper);
			mpz_clear(upper);
		}
		mpz_clear(reduced[j]);
	}
	return limited;
}

int64_t lp_certify(const struct lp *lp, const struct lp_dual *dual)
{
	if (!admissible(lp, dual))
		return NONE;
	bignum_use_memory();
	mpz_t sum, denominator, *reduced = memory_allocate(sizeof *reduced * (size_t)(lp->column_count + 1));
	mpz_inits(sum, denominator, NULL);
	set(denominator, dual->denominator);
	price(lp, dual, reduced, sum);
	bool limited = charge(lp, reduced, sum);
	mpz_fdiv_q(sum, sum, denominator);
	int64_t value = limited ? get(sum) : NONE;
	mpz_clears(sum, denominator, NULL);
	memory_free(reduced);
	return value;
}

void lp_clip(const struct lp *lp, struct lp_dual *dual)
{
	for (int i = 0; i < lp->row_count; i++)
		if (lp->rows[i].relation == LP_AT_MOST && dual->numerators[i] < 0)
			dual->numerators[i] = 0;
}

bool lp_reaches(const struct lp *lp, const int64_t *counts, int64_t value)
{
	int64_t objective = 0;
	for (int j = 0; j < lp->column_count; j++) {
		if (counts[j] < 0 || counts[j] > lp->columns[j].upper)
			return false;
		objective = checked_add(objective, checked_mul(lp->columns[j].cost, counts[j]));
	}
	for (int i = 0; i < lp->row_count; i++) {
		const struct lp_row *row = &lp->rows[i];
		int64_t sum = 0;
		for (int k = row->first; k < row->first + row->count; k++)
			sum = checked_add(sum, checked_mul(lp->entries[k].factor, counts[lp->entries[k].column]));
		if (sum == NONE || sum > row->right || (row->relation == LP_EQUAL && sum != row->right))
			return false;
	}
	return value != NONE && objective == value;
}
