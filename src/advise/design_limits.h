/* What no design can be better than.
 *
 * Requires: a space whose designs change contexts, slices, streams, levels and locks alone, not what operations take.
 * Provides: of a plan, or of all plans that begin as one does, the best that each can be: verdict, what has to be vouched for, slack, and the
 *           response of one task.
 * Source:   [DESIGN-LIMITS].
 * Fails:    slack NONE: no limit is known.
 */
#ifndef ADVISE_DESIGN_LIMITS_H
#define ADVISE_DESIGN_LIMITS_H

#include "advise/appraise.h"
#include "advise/regions.h"

struct limits;

/* Of the sets of plans of a space. task: whose response matters, or NO_ID. */
struct limits *limits_find(struct arena *arena, const struct space *space, int task);

/* Of the plans in which the first `groups` groups are in processes as in this one, and the first `slices` processes have its slices. Where
 * all groups are given its lock and MPS are, too, and its levels and whether processes have one stream if slices is not negative. groups:
 * ALL_GIVEN, or fewer than there are. */
struct appraisal limits_of(const struct limits *limits, const struct plan *plan, int groups, int slices);

#endif
