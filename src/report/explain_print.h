/* Terms of a bound (response/terms.h) in words and numbers.
 *
 * Requires: terms that an evaluator gave, and the explanation they are of.
 * Provides: each list that stands among the terms, with its own terms and what they come to; notes; then the terms and their sum. Where the sum
 *           is not what it has to be the rest is a term that says so.
 * Fails:    never.
 */
#ifndef REPORT_EXPLAIN_PRINT_H
#define REPORT_EXPLAIN_PRINT_H

#include "report/explain_parts.h"
#include "response/terms.h"

/* The lists and the notes among them; their terms are printed by whoever is the list of these. */
void explain_terms(struct explanation *e, const struct terms *terms);

#endif
