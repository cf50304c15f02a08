/* gpubound falsify --shard and --resume: a campaign as rows, one for each batch of systems. */
#ifndef CLI_FALSIFY_PART_H
#define CLI_FALSIFY_PART_H

#include "cli/arguments.h"
#include "falsify/campaign.h"
#include "pipeline.h"

bool falsify_is_part(const struct arguments *arguments); /* is one of these options given? */
/* Its exit status. pipeline: of a given task set. */
int falsify_part(const struct arguments *arguments, const struct campaign_options *options, struct pipeline *pipeline);

#endif
