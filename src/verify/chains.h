/* Data age and reaction time of a chain of tasks, derived again.
 *
 * Requires: the response of each task from its nominal release, by its number; host: do jobs of a task pass one another?
 * Provides: the fact, and of each queue of the chain what it holds and how long a value waits there.
 * Source:   [END-TO-END], [CAUSE-EFFECT], [DATA-QUEUE], [CHAIN-PHASES].
 * Fails:    with a fact that has no value: there is no bound.
 */
#ifndef VERIFY_CHAINS_H
#define VERIFY_CHAINS_H

#include "verify/fact.h"

struct queue_fact { /* NONE: no queue, or nothing known of it */
	int64_t backlog, delay;
};

/* queues: by task of the chain. */
struct fact chains_derive(struct check *check, const struct end_to_end *flow, const struct fact *responses, struct queue_fact *queues);

#endif
