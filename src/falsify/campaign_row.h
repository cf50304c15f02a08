/* A part of a campaign as a row of a table, and back.
 *
 * Requires: a campaign over some systems.
 * Provides: all that a table of the whole is made from, as columns of numbers, those of a bound in one of them; rows in any order sum up
 *           to the campaign over all their systems.
 * Source:   gpubound-merge(1).
 * Fails:    campaign_read_row: false where the text is no such row.
 */
#ifndef FALSIFY_CAMPAIGN_ROW_H
#define FALSIFY_CAMPAIGN_ROW_H

#include "base/output.h"
#include "falsify/campaign.h"

struct campaign_source { /* what a table of a campaign says of all of it */
	uint64_t seed;
	int64_t first;
};

void campaign_head(struct output *output); /* ",seed,first,...", without the line's end */
void campaign_row(struct output *output, const struct campaign *campaign, const struct campaign_options *options);
bool campaign_read_row(const char *text, struct campaign *campaign, struct campaign_source *source);

#endif
