/* The exact check of a bound on a linear program.
 *
 * Requires: a program in integers and multipliers of its rows, from anywhere.
 * Provides: the value that the multipliers prove; whether a point satisfies the program. Integers of any length, no rounding but the
 *           last one, down, since the objective of integer points is an integer.
 * Source:   [LP-CERTIFICATE]: max <= b'y + sum over columns of max(0, (c - A'y)) * upper.
 * Fails:    lp_certify is NONE for multipliers that prove nothing: below zero on a row "at most", a denominator that is not positive,
 *           a positive reduced cost on a column without limit, or a bound beyond 64 bits.
 */
#ifndef LP_CERTIFICATE_H
#define LP_CERTIFICATE_H

#include "lp/lp.h"

#include <stdbool.h>

int64_t lp_certify(const struct lp *lp, const struct lp_dual *dual);
void lp_clip(const struct lp *lp, struct lp_dual *dual); /* negative multipliers of rows "at most" become 0 */

/* Do these counts lie within the limits, satisfy every row, and have exactly this value? */
bool lp_reaches(const struct lp *lp, const int64_t *counts, int64_t value);

#endif
