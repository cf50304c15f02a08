/* The derivation of one task's response, or of a chain's bound, for a reader with a pencil.
 *
 * Requires: a finished analysis; a task of it; how far it is from another verdict (slack/slack.h).
 * Provides: the bounds; the equation of the least one with the value of each term at its solution; what dominates; every number that
 *           enters, by the step's number in the report, with its equation, its inputs and where these stand; what would have to change.
 * Fails:    never: a task without a bound has the reasons.
 */
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "report/report.h"

void report_explain(struct output *output, const struct report *report, int task, const struct slack *slack, bool colour);
/* Of a chain of tasks: what each adds. */
void report_explain_chain(struct output *output, const struct report *report, int chain, bool colour);

#endif
