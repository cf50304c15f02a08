/* COV: how long a kernel can wait for the dispatch of its last block, by sampling full SMs and covering them with blocks.
 *
 * Requires: classes whose kernels all have a number of blocks; m SMs.
 * Provides: valid weights pi (every SM that is full for a head holds blocks of weight 1 in all); the least of
 *           delta * floor(sum of beta pi / m) over a fixed set of deltas and of weights: those of level 0, a closed form in 2^-20, rounded
 *           up, and where cover_sharpen found lighter ones, these; blocks of lower levels counted, or first waited for.
 *           Where kernels pass one another (A-FIT) nobody but the kernel itself is at the head, and all others count as of a higher
 *           level: by level 0.
 * Source:   [COV] (6.5), [COV-OPS] (6.6), [COV-WEIGHTS] levels 0 and 1, [COV-LOWER], [COV-BYPASS]; [V5], [V13].
 * Fails:    NONE on overflow or beyond the horizon.
 */
#ifndef RESPONSE_COVER_H
#define RESPONSE_COVER_H

#include "lp/lp.h"
#include "response/context_operations.h"
#include "response/supply.h"

#define COVER_DELTAS 12

/* Of one waiting kernel; weights of kernels that never meet it are 0. */
struct cover_weights {
	int64_t unit; /* what a full SM weighs */
	int64_t *of;  /* [class]; of its own blocks at its own class */
};

struct cover {
	const struct classes *classes;
	const struct platform *platform;
	const struct map *map;
	const struct supply *supply;
	int64_t sms, launch, dispatch, horizon;
	int64_t delay; /* delta of A-ORDER, 0 where that is not in use */
	int64_t deltas[COVER_DELTAS];
	int delta_count;
	int64_t *each;    /* [class * COVER_DELTAS + delta]: samples that one block can give */
	int64_t *carried; /* the same: what total_samples counts of the one carried kernel of each other stream, by level 0; -1: not yet */
	struct cover_weights *closed; /* [class]: level 0; unit 0: not a kernel */
	struct cover_weights *sharp;  /* [class]: levels 1 and 2; unit 0: none better than level 0 */
	bool passing;                 /* A-FIT: any kernel may pass any other */
	bool closed_only;             /* as if no others had been found */
	int64_t *resident;            /* [class]: most blocks of it on the chip at once */
};

/* NULL where some kernel's blocks or slots are not known. */
struct cover *cover_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	int context, const struct classes *classes, const struct supply *supply, int64_t horizon, bool passing);

/* Lighter weights for each kernel whose response may fall by them, with the arrivals that the classes have now. Says how many kernels the
 * solver had nothing usable for: they keep level 0. */
void cover_sharpen(struct arena *arena, struct cover *cover, const struct lp_limits *limits, int *failed);

/* From the kernel's arrival at the engine to its completion (6.6): the least fixed point over the window in which higher levels arrive.
 * NONE as soon as it can not be below `enough`. */
int64_t cover_response(const struct cover *cover, const struct class *class, int64_t enough);

/* What it is the sum of, where it is `response`; without what is lost to others. */
void cover_terms(const struct cover *cover, const struct class *own, int64_t response, struct terms *terms);

/* Amounts decide when an SM is full only if they are fungible and the SM is not configured by whoever came first; else every full SM
 * holds one block at least, and pi = 1. */
bool cover_amounts_decide(const struct platform *platform);

/* May blocks of this class be on an SM while the kernel waits: its own, and those of other streams' kernels. */
bool cover_meets(const struct cover *cover, const struct class *own, int index);

/* The parts, for cover_sharpen. */
int64_t cover_delay(const struct cover *cover, const struct class *class, const struct cover_weights *weights, int64_t window,
	bool after_lower);                                                            /* without blocks of lower levels */
int64_t cover_carried(const struct cover *cover, const struct class *own, int index); /* blocks of its stream's one kernel in the engine */
int64_t cover_certain(
	const struct cover *cover, const struct class *own, int index, int64_t window); /* and of later ones; own: all but one */
int64_t cover_dispatcher(const struct cover *cover, const struct class *class, int64_t window);

#endif
