/* How far each bound is from the exact worst case: small systems drawn, all their states visited.
 *
 * Requires: options.
 * Provides: for each bound, and for the least of those not left out, how many tasks have it and by how much it exceeds the exact worst
 *           response, apart for groups of systems (falsify/taken_away.h); the same with each item of the analysis taken away, and with
 *           none; the least bound's gaps by reason. Systems 0 .. n-1 of a seed, the same for any number of threads; which ones they are
 *           does not depend on the bounds, so that rows of two versions of the analysis can be compared.
 * Source:   [EXACT-WORST]; falsify/exact.h.
 * Fails:    stops early, with what it has, when *stop becomes nonzero.
 */
#ifndef FALSIFY_YARDSTICK_H
#define FALSIFY_YARDSTICK_H

#include "falsify/exact.h"
#include "falsify/reasons.h"
#include "falsify/taken_away.h"

#include <signal.h>

#define YARDSTICK_BINS 2001 /* of bound/exact - 1 in thousandths; the last one: more */
#define YARDSTICK_LEAST BOUND_COUNT
#define YARDSTICK_STATES 200000 /* a system with more is drawn again */
#define YARDSTICK_ATTEMPTS 50

#define VARIANT_ALL 0 /* all items; 1 + item: without that one */
#define VARIANT_NONE (1 + ITEM_COUNT)
#define VARIANT_COUNT (2 + ITEM_COUNT)

struct yardstick_tally {        /* of one bound, or the least */
	int64_t systems, tasks; /* that have it */
	int64_t attained;       /* tasks: bound = exact */
	int64_t below;          /* tasks: bound < exact, a violation */
	int64_t sum;            /* of the gaps in thousandths */
	int32_t histogram[YARDSTICK_BINS];
	int64_t value, exact, system; /* the greatest gap; value 0: none */
	int task;
};

struct yardstick {
	struct yardstick_tally of[GROUP_COUNT][VARIANT_COUNT][BOUND_COUNT + 1];
	struct yardstick_tally by_reason[GROUP_COUNT][REASON_COUNT]; /* of the least bound, with all items */
	struct {
		int64_t common, greater; /* tasks whose least has a value in both; is greater than with all items */
		int64_t times;           /* sum of its multiples of that, in thousandths */
	} against[GROUP_COUNT][VARIANT_COUNT];
	int64_t systems[GROUP_COUNT], tasks[GROUP_COUNT];
	int64_t states, redrawn; /* redrawn: draws with too many states, or periods too long to be followed */
	int64_t violation;       /* the lowest system with one, -1: none */
};

struct yardstick_options {
	uint64_t seed;
	int64_t first, systems;
	int threads;
	uint64_t without;                  /* bit set: bounds that the least does not look at */
	unsigned without_items;            /* a set of ITEM_BIT: taken away throughout */
	const struct falsify_given *given; /* this one instead of drawn ones */
	volatile sig_atomic_t *stop;
	void (*progress)(void *context, int64_t systems);
	void *context;
};

/* Large: the caller frees it with memory_free. */
struct yardstick *yardstick_run(const struct yardstick_options *options);

/* Does this variant differ from the one with all items in this group? */
bool yardstick_applies(const struct yardstick_options *options, enum yardstick_group group, int variant);

/* One system with its exact worst responses. False: there is none (result says why). */
bool yardstick_one(struct arena *arena, struct exact *exact, const struct yardstick_options *options, int64_t index,
	struct subject *subject, struct exact_result *result, int64_t *redrawn);

/* What is compared: of a system of known phases from the nominal release, else from the actual one. */
bool yardstick_phased(const struct subject *subject);
int64_t yardstick_worst(const struct subject *subject, const struct exact_result *result, int task);
/* NONE: there is none, or one that rests on an order that is not kept where blocks begin late. */
int64_t yardstick_value(const struct subject *subject, const struct response *response, int task, int bound);
/* Of the bounds that are not left out. */
int64_t yardstick_least(const struct subject *subject, const struct response *response, uint64_t without, int task);

void yardstick_text(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options);
void yardstick_csv(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options);
/* The share of all tasks that have the bound with a gap of at most so much: for each group a line a bound, and beside it the least with
 * items taken away. */
void yardstick_svg(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options);
/* One system: its tasks with their bounds and a run that has the worst response of the first task with a bound below it, or the greatest
 * gap. */
void yardstick_tell(struct output *output, struct exact *exact, const struct subject *subject, const struct exact_result *result,
	const struct yardstick_options *options);

void yardstick_add(struct yardstick_tally *to, const struct yardstick_tally *from);

#endif
