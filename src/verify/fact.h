/* What the report has to derive: numbers with the step that each needs.
 *
 * Requires: inputs; claimed numbers come from the report.
 * Provides: facts, built from the inputs by the equations, whose steps are then compared with those of the report one by one: rule,
 *           subject, value, and every input in its role and order.
 * Fails:    a fact without value (NONE) has no step: what the report derives there is refused.
 */
#ifndef VERIFY_FACT_H
#define VERIFY_FACT_H

#include "verify/check.h"

struct node;

struct fact {
	int64_t value;     /* NONE: the inputs do not give it */
	struct node *node; /* NULL: a number that needs no step */
	uint64_t assumptions;
};

struct factor { /* a rational fact */
	struct rational value;
	struct node *node;
};

#define FACT_UNKNOWN ((struct fact){NONE, NULL, 0})
#define FACT_ZERO ((struct fact){0, NULL, 0})

/* A number of the inputs under its name. */
struct fact fact_given(struct check *check, int64_t value, const char *format, ...) __attribute__((format(printf, 3, 4)));
struct fact fact_make(struct check *check, int rule, const char *about, int64_t value);
/* The input enters the fact: its step, its assumptions; if it has no value, nor has the fact. */
void fact_from(struct check *check, struct fact *fact, const char *role, struct fact input);
/* Gives a fact that was made first the value that it has now. */
void fact_settle(struct fact *fact);
/* The sum of all, as a step of the rule "sum"; zero without a step where there are none. */
struct fact fact_sum(struct check *check, const char *about, const struct fact *parts, int count);

struct factor factor_make(struct check *check, int rule, const char *about, struct rational value);
void factor_from(struct check *check, struct node *node, const char *role, struct node *input);

/* The fact is this step of the report and no other one. */
void fact_bind(struct fact *fact, int step);
/* A number as the report has it, not derived again; the caller has to say so. */
struct fact fact_unchecked(struct check *check, int step);
/* Compares the fact's step with a step of the report, and all that it rests on. `where` names what refers to it; NULL: a step. */
void fact_compare(struct check *check, const struct node *node, int step, const struct xml_element *from, const char *where);

#endif
