/* Checked 64-bit integers: times in nanoseconds, counts, bytes.
 *
 * Requires: nothing.
 * Provides: arithmetic that can not wrap. NONE means "no verdict": every operation that overflows, or that is given NONE, returns NONE,
 *           so a formula is written as on paper and asked once, at its end, whether it still has a value.
 * Source:   [EXACT].
 * Fails:    never; division by zero is NONE.
 */
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* The greatest int64: the minimum with a number is that number, the maximum is NONE, as both should be. */
#define NONE INT64_MAX

static inline int64_t checked_add(int64_t a, int64_t b)
{
	int64_t sum;
	return a == NONE || b == NONE || __builtin_add_overflow(a, b, &sum) ? NONE : sum;
}

static inline int64_t checked_sub(int64_t a, int64_t b)
{
	int64_t difference;
	return a == NONE || b == NONE || __builtin_sub_overflow(a, b, &difference) ? NONE : difference;
}

static inline int64_t checked_mul(int64_t a, int64_t b)
{
	int64_t product;
	return a == NONE || b == NONE || __builtin_mul_overflow(a, b, &product) ? NONE : product;
}

static inline int64_t checked_div_floor(int64_t a, int64_t b) /* b > 0, else NONE */
{
	if (a == NONE || b == NONE || b <= 0)
		return NONE;
	return a / b - (a % b < 0);
}

static inline int64_t checked_div_ceil(int64_t a, int64_t b) /* b > 0, else NONE */
{
	if (a == NONE || b == NONE || b <= 0)
		return NONE;
	return a / b + (a % b > 0);
}

int64_t checked_mul_div_floor(int64_t a, int64_t num, int64_t den); /* floor(a * num / den), the product in 128 bits; den > 0 */
int64_t checked_mul_div_ceil(int64_t a, int64_t num, int64_t den);
int64_t checked_round_up(int64_t a, int64_t unit);   /* the least multiple of unit that is at least a; unit > 0 */
int64_t checked_round_down(int64_t a, int64_t unit); /* the greatest multiple of unit that is at most a */
int64_t checked_divisor(int64_t a, int64_t b);       /* the greatest common one, not negative; of 0 and a: |a| */
int64_t checked_multiple(int64_t a, int64_t b);      /* the least common one; a, b > 0 */

static inline int checked_compare(const void *one, const void *other) /* two int64_t, ascending: for qsort */
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
	return (a > b) - (a < b);
}

static inline int64_t checked_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}
static inline int64_t checked_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}
static inline bool checked_is_none(int64_t a)
{
	return a == NONE;
}

#endif
