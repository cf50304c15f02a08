/* Contexts that take turns on the execution engine or share copy engines: what each can want of the others' time.
 *
 * Requires: work; the serial bounds that the report claims, held.
 * Provides: the entries of the runlist and what the jobs of each can want of it, as the fact of the step that lists them; for a context
 *           the time that passes until it has been served, on the execution engine or a copy engine, stops included.
 * Source:   [TURNS], [STOPS], [DILATION].
 * Fails:    NONE where a number is not known.
 */
#ifndef VERIFY_TURNS_H
#define VERIFY_TURNS_H

#include "verify/claimed_bounds.h"

struct want { /* of the jobs of one segment */
	struct arrivals_at arrivals;
	int64_t stays; /* a job is complete so long after its release */
	int64_t work, volume, operations;
	int context, engine;
};

struct turn { /* an entry of the runlist */
	int context;
	bool copies, anything, grids; /* anything: nobody bounds what it wants */
	int64_t slice, overrun, share;
	enum interleave level;
	int64_t longest, cold; /* a turn, but for its overrun; what may be left of its refill when a piece begins */
	bool awake;            /* pending while anything of it is there, for whole slices: [LEFT-BEHIND] */
	struct want *wants;
	int want_count;
};

struct turns {
	struct turn *items;
	int count;
	struct want *copies; /* on copy engines that contexts share */
	int copy_count;
	int64_t theta;
	const struct between *between;
	struct fact fact; /* without a node where nothing is shared */
};

/* claims: by enum claimed. volume: for bounds that rest on no order. */
const struct turns *turns_find(struct work *work, bool volume, const struct claims *claims);
/* Those by serial bounds without volume, with H's claims where they say that jobs are gone earlier. */
const struct turns *turns_find_shorter(struct work *work, const struct turns *serial, const struct claims *claims);

struct service { /* of one context, by one engine or by all copy engines */
	const struct turns *turns;
	const struct turn *own, *never; /* NULL: it is there always; never: an entry that wants nothing meanwhile */
	int context;
	bool stops;
	int64_t stop, distance;
};

/* False where a number that the context needs is not known. */
bool service_make(const struct work *work, const struct turns *turns, int context, bool of_copies, struct service *service);

int64_t service_stopped(const struct service *service, int64_t window);
struct piece_of_service { /* so much is served, in so many pieces, wanting all through each */
	const struct service *service;
	int64_t served, count;
};

/* The others' time meanwhile, on the execution engine; the pieces of kernels and of copies follow one another. */
int64_t service_others(struct piece_of_service kernels, struct piece_of_service copies, int64_t stopped, int64_t window);
int64_t service_foreign(const struct service *service, int engine, int64_t window); /* copies of other contexts */

/* Right sides: of a window at whose end `work` is done; of one at whose end something begins that comes after `work`. */
int64_t service_end(const struct service *service, int engine, int64_t work, int64_t window);
int64_t service_start(const struct service *service, int64_t work, int64_t window);
int64_t service_least_end(const struct service *service, int engine, int64_t work, int64_t horizon);

#endif
