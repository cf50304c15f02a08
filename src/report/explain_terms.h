/* Sums as a reader adds them up: a line for each term, and one for what they come to.
 *
 * Requires: an explanation under way.
 * Provides: terms with their values and what they are; how many arrivals a window holds, with the equation in numbers. Every equation that
 *           is printed is one between numbers that stand there.
 * Fails:    never.
 */
#ifndef REPORT_EXPLAIN_TERMS_H
#define REPORT_EXPLAIN_TERMS_H

#include "report/explain_parts.h"
#include "response/arrival.h"

struct listed { /* in words: what no evaluator gives as a term (response/terms.h) */
	int64_t value;
	const char *what;
};

struct listing {
	struct explanation *e;
	struct listed *items;
	int count, capacity;
	int64_t sum;
};

struct listing listing_of(struct explanation *e);
/* Nothing for 0. */
void listing_add(struct listing *terms, int64_t value, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Prints them and their sum, which it returns. */
int64_t listing_print(const struct listing *terms, int indent, const char *sum);
/* The same of what has to come to `total`: what is missing is a term that says so. */
void listing_print_all(struct listing *terms, int indent, int64_t total, const char *sum);

/* "C of a/op:k [3]: its blocks" in short: "C of a/op:k". */
const char *terms_short(struct explanation *e, const char *what);

/* "2 * 300 = 600" */
const char *terms_product(const struct explanation *e, int64_t count, int64_t each);

/* " [12]", or "" without a step. */
const char *terms_step(const struct explanation *e, int step);

/* "ceil((5000 + 300) / 10000) = 1", of a window of `length` that begins `early` before. */
const char *terms_count(struct explanation *e, const struct arrivals *arrivals, int64_t length, int64_t early);

/* "job:SFM" without what tells kinds of names apart: "SFM". */
const char *terms_name(const char *about);

#endif
