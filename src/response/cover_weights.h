/* Weights of blocks with which every full SM weighs at least one: what COV counts samples by.
 *
 * Requires: a packing; for each of its kernels how many samples of its blocks a window can show.
 * Provides: weights that make these samples weigh little together: a linear program over configurations proposes, integers decide. The
 *           weights are valid, and none can be lowered by 1 / unit alone: so there is one way to write them down, and who checks finds any
 *           change.
 * Source:   [COV-WEIGHTS], level 1: the dual of ILP-COV without its integrality, whose value is rounded down in (6.5).
 * Fails:    weights_open is false where there are too many configurations; weights_solve where the solver did not solve or what it said
 *           cannot be made valid; level 0 stands in then.
 */
#ifndef RESPONSE_COVER_WEIGHTS_H
#define RESPONSE_COVER_WEIGHTS_H

#include "lp/lp.h"
#include "response/cover_packing.h"

#define WEIGHTS_UNIT (INT64_C(1) << 20)

/* Samples in a window: certain of each kernel; of a stream's carried ones only the dearest kernel's count. */
struct samples {
	int64_t certain[PACKING_KERNELS], carried[PACKING_KERNELS];
};

struct weigher {
	const struct packing *packing;
	struct configurations configurations;
	struct lp lp;
	struct lp_session *session;
	int first_bound[PACKING_KERNELS]; /* entry of the row: carried * weight <= dearest of the stream; NO_ID: its stream has one kernel
					   */
};

bool weights_open(struct weigher *weigher, const struct packing *packing, const struct lp_limits *limits); /* false: nothing to close */
void weights_close(struct weigher *weigher);

/* The certificate: what the lightest full SM weighs, exactly; valid in units of at most so much. NONE: no SM is ever full. blocks: one
 * such. */
int64_t weights_lightest(const struct weigher *weigher, const int64_t *weights, unsigned char *blocks);
/* Makes any weights of 0 to WEIGHTS_UNIT valid by raising them all alike; false: they weigh nothing somewhere. */
bool weights_raise(const struct weigher *weigher, int64_t *weights);

/* Valid weights in WEIGHTS_UNITs, not yet lowered. */
bool weights_solve(struct weigher *weigher, const struct samples *samples, int64_t *weights);

/* Lowers each until none can be, in the smallest unit that costs nothing; NONE: overflow. */
int64_t weights_finish(const struct weigher *weigher, const struct samples *samples, int64_t *weights);

/* What the samples weigh together, in units; NONE: overflow. */
int64_t weights_total(const struct packing *packing, const struct samples *samples, const int64_t *weights);

#endif
