/* Threads on cores: what the report claims of them, and whether it follows.
 *
 * Requires: inputs with execution times; the report's steps and results.
 * Provides: the task set with the delays and responses that the report claims; of each host segment on a core, the claim where its
 *           inequality holds; at the end, whether each claim is no less than the response that was derived from all of them.
 * Source:   [CORES], [JOINT].
 * Fails:    a claim that does not follow is a difference.
 */
#ifndef VERIFY_THREAD_CLAIMS_H
#define VERIFY_THREAD_CLAIMS_H

#include "verify/fact.h"

const struct taskset *threads_claimed(struct check *check);

/* What every bound rests on, as it takes work to come when it is issued ([SUBMISSION]). */
uint64_t threads_issue(const struct taskset *set);

/* What a task rests on whose thread has a part in it. */
uint64_t threads_needs(const struct taskset *set, int task);

struct fact threads_host(struct check *check, int task, int operation, struct fact isolated);

/* response: from the release, as it was derived; NONE: none was. */
void threads_hold(struct check *check, const struct xml_element *element, const char *where, int task, int64_t response);

#endif
