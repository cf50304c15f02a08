/* When an engine serves a context: real time from the time that it serves.
 *
 * Requires: what else takes turns on the engine, and the most that it can want; stops.
 * Provides: for a window in which work of the context is at the engine throughout, or for several such windows in a row: how much longer
 *           they are than what is served in them. Without time slices, stops and copies of other contexts nothing is lost.
 *           With w, stops included, served in n windows the context has at most t = ceil(w / L) + n - 1 gaps between its turns; where
 *           kernels and copies have turns of their own, each its own t. Another entry, whose jobs that are there at some time want F in k
 *           operations, has at most b = min(sum t, q + k) turns that begin and min(sum t, q + 1) that end with a drain,
 *           q = floor((F + stops) / L'), and all its turns take at most min(sum t L', F). Each that begins costs theta, each drain Omega';
 *           the own turns theta min(sum t, sum n + sum b), and those of kernels Omega min(t, sum b). What refills caches is in theta; of a
 *           turn that is under way as a window begins it is one more. In a round with levels another entry of a higher one has n times
 *           as many; of those of lower ones only one has a turn in each gap, which takes L' + theta + Omega' at most.
 *           Of an entry whose jobs have it pending as long as they are there, and no others, F in one window is what arrives in it, and a
 *           slice, where that is less.
 * Source:   [TURNS], [LEFT-BEHIND], [STOPS], [DILATION], [BETWEEN].
 * Fails:    NONE on overflow, beyond the horizon.
 */
#ifndef RESPONSE_SUPPLY_H
#define RESPONSE_SUPPLY_H

#include "base/memory.h"
#include "response/interleave.h"
#include "response/terms.h"

struct demand_item { /* of one segment */
	int task;
	struct arrivals arrivals;
	int64_t lookback;            /* its jobs are gone so much after their release */
	int64_t work, volume, turns; /* work NONE: copies of which nobody knows how many there are */
	int context, engine;         /* copies */
};

/* What jobs want together: time, volume, operations. */
struct wants {
	int64_t work, volume, ends;
};

struct wanted { /* the volume in it as time, and the slices that it uses up without stops */
	int64_t work, ends, used_up;
};

struct entry { /* of the runlist */
	int context;
	bool copies;
	enum interleave level;
	int64_t slice, overrun;
	int64_t turn;   /* the longest, overrun aside */
	int64_t refill; /* what is left of it in a turn that is under way already; 0: nothing */
	int64_t sms;    /* that share the volume */
	int64_t rest;   /* applicable_rest */
	const struct demand_item *items;
	int count;
	int64_t lone;       /* in windows up to this each item has one job: supply_settle */
	struct wanted once; /* what these want */
	int64_t filled;     /* so many of its turns one job of each item fills, whatever the window */
	bool unknown;       /* nobody says what it can want: every turn, in full */
	bool prompt;        /* it is pending while any of its jobs is there, and each of its turns is then a whole slice: [LEFT-BEHIND] */
};

struct entries {
	struct entry *items;
	int count;
	struct demand_item *copies; /* on engines that contexts share, by engine */
	int copy_count;
	int64_t theta;
	struct round round;
};

struct foreign_copies {     /* of other contexts than one, on an engine */
	int64_t lone, once; /* in windows up to this each segment has one job there, and this is what these want */
};

struct supply {
	const struct entries *entries; /* NULL: nobody else is there */
	int context;
	const struct entry *own;              /* NULL: it does not take turns */
	const struct entry *none;             /* an entry that never wants a turn meanwhile, or NULL */
	const struct foreign_copies *foreign; /* [engine], up to foreign_count: supply_settle_copies */
	int foreign_count;
	int64_t stop_length, stop_distance; /* NONE: no stops */
};

/* Sets `lone`, `once` and `filled` from the rest. */
void supply_settle(struct entry *entry);

/* Sets `foreign` from the entries' copies; engines: one more than the greatest of theirs. */
void supply_settle_copies(struct arena *arena, struct supply *supply, int engines);

/* Where a function takes terms it says there what it returns is the sum of, unless they are NULL. */

/* Is nothing ever lost? */
bool supply_is_whole(const struct supply *supply);

/* The greatest time of stops in a window of this length. */
int64_t supply_stopped(const struct supply *supply, int64_t window, struct terms *terms);

/* What is served in so many windows, by kernels' turns or by copies'. */
struct supply_use {
	const struct supply *supply;
	int64_t service, windows;
};

#define SUPPLY_USES 2

/* Lost to other entries of the runlist while all this is served, and `stopped` stops, one after the other within this length. */
int64_t supply_lost(const struct supply_use *uses, int count, int64_t stopped, int64_t window, struct terms *terms);

/* Copies of other contexts on the engine; NONE: in any number. */
int64_t supply_copied(const struct supply *supply, int engine, int64_t window, struct terms *terms);

/* One step of the fixed points for a single window; engine ENGINE_NONE: the execution engine. The end of it when `work` is done; the last
 * instant at which anything may begin after `work`. */
int64_t supply_end_step(const struct supply *supply, int engine, int64_t work, int64_t window, struct terms *terms);
int64_t supply_begin_step(const struct supply *supply, int64_t work, int64_t window);

/* The least window in which `work` is done. */
int64_t supply_end(const struct supply *supply, int engine, int64_t work, int64_t horizon);

#endif
