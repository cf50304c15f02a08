/* How late blocks begin: from the instant at which the dispatcher could have placed one, by the model, to its begin as recorded.
 *
 * Requires: a judged block (judge.c finds the instant: all blocks before it in the order of dispatch are placed, and some SM has room).
 * Provides: by warps a block how many were measured, quantiles, and how many came later than the platform promises with A-ORDER; times in
 *           steps of DELAY_STEP, which clocks of GPUs have.
 * Source:   [D-RULES] (D5: the head's block is dispatched within the dispatcher's time); [SILICON] 10; [HOPPER] P13.
 * Fails:    never. The first block of a kernel that finds room at once is not measured: no trace says when its kernel was launched.
 */
#ifndef SIMULATE_DELAYS_H
#define SIMULATE_DELAYS_H

#include "base/checked.h"
#include "base/output.h"

#define DELAY_STEP 32     /* ns */
#define DELAY_BUCKETS 512 /* up to 16 us each on its own; the rest is the last one */
#define DELAY_WARPS 64    /* the last row: all that have more */

struct delays {
	int64_t count[DELAY_WARPS + 1][DELAY_BUCKETS + 1];
	int64_t longest[DELAY_WARPS + 1];
	int64_t beyond[DELAY_WARPS + 1]; /* what was promised */
};

/* A negative delay counts as 0: clocks of SMs differ. promised: the most that A-ORDER permits; NONE: nothing is. */
void delays_note(struct delays *delays, int64_t warps, int64_t delay, int64_t promised);
void delays_add(struct delays *delays, const struct delays *more);
void delays_print(struct output *output, const struct delays *delays, bool csv);

#endif
