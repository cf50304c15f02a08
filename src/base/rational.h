/* Exact rationals for factors and rates.
 *
 * Requires: nothing.
 * Provides: reduced fractions of 64-bit integers with a positive denominator, and the two roundings of a time scaled by one.
 * Fails:    never; a result that does not fit is the rational without value (den == 0), which is absorbing, as NONE is.
 */
#ifndef BASE_RATIONAL_H
#define BASE_RATIONAL_H

#include "base/checked.h"

struct rational {
	int64_t num;
	int64_t den; /* > 0; 0: no value */
};

enum rounding { ROUND_UP, ROUND_DOWN, ROUND_NEVER };

#define RATIONAL_NONE ((struct rational){0, 0})

static inline struct rational rational_of(int64_t integer) /* NONE gives no value */
{
	return integer == NONE || integer < -NONE + 1 ? RATIONAL_NONE : (struct rational){integer, 1};
}

static inline bool rational_is_none(struct rational a)
{
	return a.den == 0;
}

struct rational rational_make(int64_t num, int64_t den); /* reduced; den <= 0 gives no value */
struct rational rational_add(struct rational a, struct rational b);
struct rational rational_sub(struct rational a, struct rational b);
struct rational rational_mul(struct rational a, struct rational b);
struct rational rational_div(struct rational a, struct rational b); /* b > 0, else no value */
struct rational rational_max(struct rational a, struct rational b); /* no value if either has none */
struct rational rational_min(struct rational a, struct rational b);
int rational_compare(struct rational a, struct rational b); /* < 0, 0, > 0; both must have a value */

int64_t rational_floor(struct rational a);
int64_t rational_ceil(struct rational a);
int64_t rational_scale_up(int64_t a, struct rational factor);   /* ceil(a * factor) */
int64_t rational_scale_down(int64_t a, struct rational factor); /* floor(a * factor) */

#endif
