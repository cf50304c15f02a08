/* A campaign as text or CSV.
 *
 * Requires: a campaign that has ended.
 * Provides: a row a bound: systems, values, violations, observed/bound as mean, median and greatest in thousandths, a histogram.
 * Fails:    never.
 */
#ifndef FALSIFY_TABLE_H
#define FALSIFY_TABLE_H

#include "base/output.h"
#include "falsify/campaign.h"

void table_text(struct output *output, const struct campaign *campaign, const struct campaign_options *options);
/* Of a given task set: each task's verdict by the analysis, or that a run exceeded a bound; its least bound, and the greatest response seen
 * in runs that are within what that one promises. seen: by task and bound. */
void table_tasks(struct output *output, const struct taskset *set, const struct response *response, const int64_t *seen);
void table_csv(struct output *output, const struct campaign *campaign, const struct campaign_options *options);

/* The violation for a reader. */
void table_violation(struct output *output, const struct subject *subject, const struct violation *violation);

#endif
