/* Data age and reaction time of a chain of tasks, derived again.
 *
 * Requires: the response of each task from its nominal release, by its number; host: do jobs of a task pass one another?
 * Provides: the fact, and of each task what it adds, of each queue what it holds and how long a value waits there.
 * Source:   [END-TO-END], [CAUSE-EFFECT], [DATA-QUEUE], [CHAIN-PHASES].
 * Fails:    with a fact that has no value: there is no bound.
 */
#ifndef VERIFY_CHAINS_H
#define VERIFY_CHAINS_H

#include "verify/fact.h"

struct link_fact {                      /* NONE: no queue, nothing known of it, or a bound that is no sum over tasks */
	int64_t backlog, delay;         /* of the queue */
	int64_t wait, passed, response; /* ns of the bound; passed: NONE for 0 */
};

#define LINK_UNKNOWN ((struct link_fact){NONE, NONE, NONE, NONE, NONE})

/* facts: by task of the chain. */
struct fact chains_derive(struct check *check, const struct end_to_end *flow, const struct fact *responses, struct link_fact *facts);

#endif
