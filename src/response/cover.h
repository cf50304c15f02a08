/* COV: how long a kernel can wait for the dispatch of its last block, by sampling full SMs and covering them with blocks.
 *
 * Requires: classes whose kernels all have a number of blocks; m SMs.
 * Provides: valid weights pi (every SM that is full for a head holds blocks of weight 1 in all) in 2^-20, rounded up; the least of
 *           delta * floor(sum of beta pi / m) over a fixed set of deltas.
 * Source:   theory.md 6.6 (6.5), (6.6), 6.7 level 0; theory-review.md V5.
 * Fails:    NONE on overflow.
 */
#ifndef RESPONSE_COVER_H
#define RESPONSE_COVER_H

#include "response/classes.h"

#define COVER_DELTAS 12
#define COVER_CLASSES 256 /* beyond, the other bounds stand alone */

struct cover {
	const struct classes *classes;
	int64_t sms;
	int64_t deltas[COVER_DELTAS];
	int delta_count;
	int64_t *weight[CLASS_LEVELS]; /* [level][class]: pi * 2^20 while a kernel of that level waits; NULL: no such kernel */
	int64_t *own_weight;           /* [class]: of a kernel's own blocks while it waits */
	int64_t *resident;             /* [class]: most blocks of it on the chip at once */
};

/* NULL where some kernel's blocks or slots are not known. */
struct cover *cover_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct classes *classes);

/* Greatest delay of the dispatch of the kernel's last block, dispatcher time included, when higher levels arrive in a closed window of
 * length `window`. */
int64_t cover_delay(const struct cover *cover, const struct class *class, int64_t window, int64_t launch, int64_t dispatch);

#endif
