/* What operations wait for at the engines, term by term; private to report/explain*.c.
 *
 * Requires: an analysis that kept what it found its values with (struct response_basis).
 * Provides: the equations of response/local.h, window.h, supply.h and level.h with the numbers of the solution: who delays, how often, how
 *           long each, and the sum.
 * Source:   as these headers say.
 * Fails:    where the terms do not come to the value, what is missing is a term of its own and says so.
 */
#ifndef REPORT_EXPLAIN_ENGINES_H
#define REPORT_EXPLAIN_ENGINES_H

#include "report/explain_terms.h"
#include "response/cost.h"
#include "response/holistic.h"
#include "response/level.h"

#define EXPLAIN_CANDIDATES 4096 /* arrivals of which the worst is looked for: as many as the analysis tries */

struct view { /* of one context under one bound */
	struct explanation *e;
	const struct engines *engines;
	struct local local;
};

const struct operation_cost *explain_cost(const struct view *view, const struct class *class);
const char *explain_name(const struct view *view, const struct class *class); /* "SFM/op:k" */
const char *explain_high(const struct view *view, const struct class *class); /* M + W: what it costs those of lower levels */

/* Whose work the time is: its own, or blocks of a lower level that it cuts off, where its charge is mostly their drain. */
const char *explain_culprit(const struct view *view, const struct class *class, int64_t each);
const struct operation_cost *explain_longest_below(const struct costs *costs, int operations, const struct operation_cost *cost);

/* The longest block of levels below this one, and its dispatch. */
const char *explain_lower(const struct view *view, int level);

/* explain_supply.c: terms that come on top of what is served in a window. Lists of their own are printed at once. */
int64_t explain_stops(struct terms *terms, const struct supply *supply, int64_t window);
void explain_copied(struct terms *terms, const struct supply *supply, int engine, int64_t window);
void explain_lost(struct terms *terms, const struct supply_use *uses, int count, int64_t stopped, int64_t window);
void explain_window_end(struct terms *terms, const struct supply *supply, int engine, int64_t work, int64_t window);

/* explain_window.c: (C.1), (V.3): the operations `first` to `last` of a chain in a window of that length. */
void explain_run(const struct view *view, const struct chain_of_classes *chain, int first, int last, int64_t length);

/* explain_local.c: (6.3), (6.4), (6.6), (7.1), (7.2): R of one operation. */
void explain_operation(struct view *view, const struct class *class);

/* explain_cover.c */
void explain_cover(const struct view *view, const struct class *class, int64_t response);

/* explain_level.c: the customers of a server; names: of those ahead, then of the others; lower: what its blocking is. */
void explain_level(struct explanation *e, const struct level *level, const char *const *names, const char *lower, int64_t response,
	const char *sum, bool remember);

/* Arrivals of those that are at an engine at some time of a closed window, in numbers. */
const char *explain_there(const struct view *view, const struct class *class, int64_t window);

#endif
