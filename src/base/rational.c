#include "base/rational.h"

static unsigned __int128 magnitude(__int128 a)
{
	return a < 0 ? -(unsigned __int128)a : (unsigned __int128)a;
}

static uint64_t gcd_narrow(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* In 128 bits only until both fit 64, where a division costs a tenth. */
static unsigned __int128 gcd(unsigned __int128 a, unsigned __int128 b)
{
	while (b != 0 && (a > UINT64_MAX || b > UINT64_MAX)) {
		unsigned __int128 rest = a % b;
		a = b;
		b = rest;
	}
	return b == 0 ? a : gcd_narrow((uint64_t)a, (uint64_t)b);
}

/* num / den reduced to 64 bits; den > 0. Numerators stay below NONE in magnitude. */
static struct rational reduce(__int128 num, __int128 den)
{
	if (den == 1 && magnitude(num) < (unsigned __int128)NONE)
		return (struct rational){(int64_t)num, 1};
	if (magnitude(num) < (unsigned __int128)NONE && den < NONE) {
		int64_t common = (int64_t)gcd_narrow((uint64_t)magnitude(num), (uint64_t)den);
		return (struct rational){(int64_t)num / common, (int64_t)den / common};
	}
	__int128 divisor = (__int128)gcd(magnitude(num), magnitude(den));
	num /= divisor;
	den /= divisor;
	if (magnitude(num) >= (unsigned __int128)NONE || den >= NONE)
		return RATIONAL_NONE;
	return (struct rational){(int64_t)num, (int64_t)den};
}

struct rational rational_make(int64_t num, int64_t den)
{
	return den <= 0 || num == NONE || den == NONE ? RATIONAL_NONE : reduce(num, den);
}

static bool none(struct rational a, struct rational b)
{
	return rational_is_none(a) || rational_is_none(b);
}

/* a + sign * b. Both cross products are below 2^126 in magnitude, so their sum fits 128 bits. */
static struct rational combine(struct rational a, struct rational b, int sign)
{
	if (none(a, b))
		return RATIONAL_NONE;
	return reduce((__int128)a.num * b.den + sign * ((__int128)b.num * a.den), (__int128)a.den * b.den);
}

struct rational rational_add(struct rational a, struct rational b)
{
	return combine(a, b, 1);
}

struct rational rational_sub(struct rational a, struct rational b)
{
	return combine(a, b, -1);
}

struct rational rational_mul(struct rational a, struct rational b)
{
	return none(a, b) ? RATIONAL_NONE : reduce((__int128)a.num * b.num, (__int128)a.den * b.den);
}

struct rational rational_div(struct rational a, struct rational b)
{
	if (none(a, b) || b.num <= 0)
		return RATIONAL_NONE;
	return reduce((__int128)a.num * b.den, (__int128)a.den * b.num);
}

int rational_compare(struct rational a, struct rational b)
{
	__int128 left = (__int128)a.num * b.den, right = (__int128)b.num * a.den;
	return (left > right) - (left < right);
}

struct rational rational_max(struct rational a, struct rational b)
{
	if (none(a, b))
		return RATIONAL_NONE;
	return rational_compare(a, b) >= 0 ? a : b;
}

struct rational rational_min(struct rational a, struct rational b)
{
	if (none(a, b))
		return RATIONAL_NONE;
	return rational_compare(a, b) <= 0 ? a : b;
}

int64_t rational_floor(struct rational a)
{
	return checked_div_floor(a.num, a.den);
}

int64_t rational_ceil(struct rational a)
{
	return checked_div_ceil(a.num, a.den);
}

int64_t rational_scale_up(int64_t a, struct rational factor)
{
	return checked_mul_div_ceil(a, factor.num, factor.den);
}

int64_t rational_scale_down(int64_t a, struct rational factor)
{
	return checked_mul_div_floor(a, factor.num, factor.den);
}
