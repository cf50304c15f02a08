#include "response/load.h"

#include "base/checked.h"

int64_t load_share(int64_t cost, int64_t count, int64_t window, int64_t divisor)
{
	unsigned __int128 share = (unsigned __int128)cost * (unsigned __int128)count;
	unsigned __int128 of = (unsigned __int128)window * (unsigned __int128)divisor;
	if (cost == NONE || count == NONE || cost < 0 || share >> 94 != 0 || of == 0)
		return NONE;
	share = ((share << 30) + of - 1) / of;
	return share >> 40 != 0 ? NONE : (int64_t)share;
}

const char *load_share_text(int64_t sum, int64_t doubt, struct arena *arena)
{
	int64_t below = checked_mul(1000, checked_sub(sum, doubt)), most = checked_mul(1000, sum);
	int64_t least = checked_add(checked_div_floor(below, LOAD_ONE), 1), greatest = checked_div_ceil(most, LOAD_ONE);
	if (greatest == NONE || least != greatest || greatest > 1000000000)
		return NULL;
	return arena_format(arena, "%ld.%03ld", (long)(greatest / 1000), (long)(greatest % 1000));
}

void load_init(struct load *load)
{
	bignum_use_memory();
	mpq_init(load->sum);
}

void load_finish(struct load *load)
{
	mpq_clear(load->sum);
}

/* GMP's integers from int64, whatever the width of long. */
static void set_integer(mpz_t integer, int64_t value)
{
	mpz_import(integer, 1, 1, sizeof value, 0, 0, &value);
}

static void set_fraction(mpq_t fraction, int64_t num, int64_t den)
{
	set_integer(mpq_numref(fraction), num);
	set_integer(mpq_denref(fraction), den);
	mpq_canonicalize(fraction);
}

void load_add(struct load *load, int64_t cost, int64_t count, int64_t window, int64_t divisor)
{
	mpq_t share, factor;
	mpq_inits(share, factor, NULL);
	set_fraction(share, cost, window);
	set_fraction(factor, count, divisor);
	mpq_mul(share, share, factor);
	mpq_add(load->sum, load->sum, share);
	mpq_clears(share, factor, NULL);
}

void load_scale(struct load *load, int64_t num, int64_t den)
{
	mpq_t factor;
	mpq_init(factor);
	set_fraction(factor, num, den);
	mpq_mul(load->sum, load->sum, factor);
	mpq_clear(factor);
}

bool load_below_one(const struct load *load)
{
	return mpq_cmp_ui(load->sum, 1, 1) < 0;
}

const char *load_text(const struct load *load, struct arena *arena)
{
	mpz_t thousandths;
	mpz_init(thousandths);
	mpz_mul_ui(thousandths, mpq_numref(load->sum), 1000);
	mpz_cdiv_q(thousandths, thousandths, mpq_denref(load->sum));
	const char *text = "above 1000000";
	if (mpz_fits_slong_p(thousandths) && mpz_get_si(thousandths) <= 1000000000)
		text = arena_format(arena, "%ld.%03ld", mpz_get_si(thousandths) / 1000, mpz_get_si(thousandths) % 1000);
	mpz_clear(thousandths);
	return text;
}
