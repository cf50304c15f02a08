/* Data age and reaction time of a chain of tasks.
 *
 * Requires: the responses of all tasks, from their nominal releases.
 * Provides: a bound with its derivation, or the reason why there is none; of each queue in the chain how many values it may hold, and how
 *           long a value waits for the release of the job that takes it.
 * Source:   [END-TO-END], [CAUSE-EFFECT], [DATA-QUEUE], [CHAIN-PHASES].
 * Fails:    by a reason.
 */
#ifndef RESPONSE_END_TO_END_H
#define RESPONSE_END_TO_END_H

#include "base/derivation.h"
#include "response/response.h"

void end_to_end_bound(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct response_of *tasks,
	struct derivation *derivation, const struct end_to_end *flow, struct end_to_end_result *result);

#endif
