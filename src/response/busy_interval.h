/* The serial busy interval: everything that may be outstanding together, one after another.
 *
 * Requires: items (what arrives and what one arrival costs), groups of execution-engine work that share a time slice.
 * Provides: the least Delta >= 1 with
 *             Delta = sum_i n_i * cost_i + sum_groups F(X_group) + ceil(Delta/T_int) * stop
 *             X_group = floor((sum_i n_i * volume_i + rest) / g) + sum_i n_i * work_i
 *             F(X) = X + (slices(X) + sum_i n_i * kernels_i) * gap         slices(X) = ceil or floor of X / slice; no slice: F(X) = X
 *             n_i = eta_i(Delta + lookback_i)
 *           or why there is none.
 * Source:   [P] (8.2), [DILATION], [VOL-P] (V.1), [STOPS], [P-GPU].
 * Fails:    load of one or more, overflow, or no fixed point within SERIAL_ITERATIONS: NONE and a reason.
 */
#ifndef RESPONSE_BUSY_INTERVAL_H
#define RESPONSE_BUSY_INTERVAL_H

#include "base/derivation.h"
#include "response/gap.h"
#include "response/terms.h"

#define SERIAL_ITERATIONS 200000

struct busy_interval_item {
	const char *name;  /* for messages */
	int task, segment; /* that it is of */
	struct arrivals arrivals;
	bool looks_back;       /* another context's: */
	int64_t lookback;      /* arrivals this much earlier may still be outstanding */
	int64_t held;          /* of that, what comes behind the segment's own response */
	int64_t only;          /* so many jobs, whatever arrives; NONE: as many as arrive */
	int64_t cost;          /* ns on the time line as it is */
	int64_t work;          /* ns of the group's engine time */
	int64_t volume;        /* ns of block time, shared among g SMs */
	int64_t kernels;       /* each may lose the rest of a slice */
	struct gaps_lost lost; /* in the cost */
	int group;
	int cost_step, work_step, volume_step, kernels_step, jitter_step, lookback_step, period_step; /* of the derivation */
};

struct busy_interval_group {
	const char *name;
	int64_t g;     /* SMs that share the volume */
	int64_t rest;  /* applicable_rest */
	int64_t slice; /* NONE: not sliced */
	int64_t gap;   /* lost at each slice's end */
	bool round_up;
	int64_t whole_rest; /* while it is rounded up: what it is else */
	bool by_share;      /* of a part: ceil(X * gap / slice) in place of slices(X) * gap */
	bool gaps_only;     /* F(X) = (slices(X) + ...) * gap: X itself is in the items' costs; no slice: 0 */
	int slice_step, gap_step, g_step;
};

struct busy_interval {
	struct busy_interval_item *items;
	int item_count;
	struct busy_interval_group *groups;
	int group_count;
	int64_t stop_length, stop_distance;      /* NONE: no stops */
	int64_t length;                          /* the least Delta, once it is solved */
	const int64_t *responses;                /* likewise: [segment] of the task set; those that it answers for are its */
	struct gaps_lost stop_lost;              /* in the length */
	const struct gap *kernel_gap, *copy_gap; /* what they lose; NULL: nothing is lost, or only switches and drains */
	int stop_length_step, stop_distance_step;
};

struct busy_interval_result {
	int64_t value;
	const char *reason; /* NULL with a value */
};

/* from: a value known to be below the fixed point, 1 if none is. */
struct busy_interval_result busy_interval_solve(struct arena *arena, const struct busy_interval *serial, int64_t from);

/* The right-hand side at delta. terms: what it is the sum of; or NULL. */
int64_t busy_interval_evaluate(const struct busy_interval *serial, int64_t delta, struct terms *terms);

/* The same with one job of the segment and none of its task's others, quotients rounded up, ceil(X * gap / slice) in place of
 * floor(X / slice) * gap: [OWN-BEFORE]. */
int64_t busy_interval_part(struct busy_interval *serial, int task, int segment, int64_t delta, struct terms *terms);

/* The step that derives `value` from all inputs of the problem. */
int busy_interval_derive(struct derivation *derivation, const struct busy_interval *serial, int rule, const char *about, int64_t value);

#endif
