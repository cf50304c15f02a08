#include "base/checked.h"

static bool none(int64_t a, int64_t b)
{
	return a == NONE || b == NONE;
}

/* A 128-bit value back to 64 bits, or NONE. */
static int64_t narrow(__int128 wide)
{
	return wide >= INT64_MAX || wide < INT64_MIN ? NONE : (int64_t)wide;
}

static __int128 divide_floor(__int128 a, int64_t b)
{
	__int128 quotient = a / b;
	return quotient * b > a ? quotient - 1 : quotient;
}

int64_t checked_mul_div_floor(int64_t a, int64_t num, int64_t den)
{
	if (none(a, num) || den <= 0 || den == NONE)
		return NONE;
	int64_t product;
	if (!__builtin_mul_overflow(a, num, &product))
		return product / den - (product % den < 0);
	return narrow(divide_floor((__int128)a * num, den));
}

int64_t checked_mul_div_ceil(int64_t a, int64_t num, int64_t den)
{
	if (none(a, num) || den <= 0 || den == NONE)
		return NONE;
	int64_t product;
	if (!__builtin_mul_overflow(a, num, &product))
		return product / den + (product % den > 0);
	return narrow(-divide_floor(-((__int128)a * num), den));
}

int64_t checked_round_up(int64_t a, int64_t unit)
{
	return checked_mul(checked_div_ceil(a, unit), unit);
}

int64_t checked_round_down(int64_t a, int64_t unit)
{
	return checked_mul(checked_div_floor(a, unit), unit);
}

static uint64_t magnitude(int64_t a)
{
	return a < 0 ? -(uint64_t)a : (uint64_t)a;
}

int64_t checked_divisor(int64_t a, int64_t b)
{
	uint64_t x = magnitude(a), y = magnitude(b);
	if (none(a, b))
		return NONE;
	while (y != 0) {
		uint64_t rest = x % y;
		x = y;
		y = rest;
	}
	return x > INT64_MAX ? NONE : (int64_t)x;
}

int64_t checked_multiple(int64_t a, int64_t b)
{
	return none(a, b) ? NONE : checked_mul(a / checked_divisor(a, b), b);
}
