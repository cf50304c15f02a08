/* Data age and reaction time over tasks whose phases are known, all on one clock.
 *
 * Requires: for each task of the chain, in its order: offset and period, whole ns, and for how long after a nominal release what was
 *           written may be older than what that job read, and is.
 * Provides: the greatest over all jobs of a hyperperiod. NONE: the hyperperiod has more jobs of the first or the last task than
 *           CHAIN_JOBS_MOST, or numbers do not fit.
 * Source:   [CHAIN-PHASES].
 * Fails:    never.
 */
#ifndef RESPONSE_END_TO_END_PHASES_H
#define RESPONSE_END_TO_END_PHASES_H

#include "model/taskset.h"

#define CHAIN_JOBS_MOST 100000

struct phased_stage {
	int64_t offset, period;
	int64_t settled;  /* from a job's nominal release on: who wrote last was no job before it */
	int64_t response; /* from the nominal release to the job's own output */
};

int64_t end_to_end_phases(const struct phased_stage *stages, int count, enum end_to_end_kind kind, bool reduced);

#endif
