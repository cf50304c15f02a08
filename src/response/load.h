/* Exact sums of cost over period: the utilisation tests.
 *
 * Requires: nothing but integers; the only file that sees GMP's rationals.
 * Provides: a sum of fractions that neither overflows nor rounds, compared with one, and as a decimal for messages.
 * Source:   [LOAD].
 */
#ifndef RESPONSE_LOAD_H
#define RESPONSE_LOAD_H

#include "base/bignum.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct load {
	mpq_t sum;
};

/* The same share, rounded up to 2^-30 and as a multiple of it; NONE where it is 2^10 or more. A sum of these below LOAD_ONE proves that
 * the exact one is below one, so that the exact one is needed only where it is close to one or above. */
#define LOAD_ONE (INT64_C(1) << 30)
int64_t load_share(int64_t cost, int64_t count, int64_t window, int64_t divisor);

/* As load_text, of what is above sum - doubt, and at most `sum`; NULL: the doubt may change a decimal. */
const char *load_share_text(int64_t sum, int64_t doubt, struct arena *arena);

void load_init(struct load *load);
void load_finish(struct load *load);
/* Adds cost * count / window / divisor; all >= 0, window and divisor > 0. */
void load_add(struct load *load, int64_t cost, int64_t count, int64_t window, int64_t divisor);
/* Multiplies what was added so far by num / den. */
void load_scale(struct load *load, int64_t num, int64_t den);
bool load_below_one(const struct load *load);
const char *load_text(const struct load *load, struct arena *arena); /* three decimals, rounded up: "1.042" */

#endif
