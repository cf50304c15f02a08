/* The exact worst-case response of each task of a small system.
 *
 * Requires: a valid platform and task set; the longest time of each operation's block or copy.
 * Provides: the greatest response over all runs of the machine of falsify/small.h: any number of jobs, all phases (or the known ones), all
 *           jitters, durations, placements and orders of what happens at one instant; and a run that has it.
 *           Every busy interval begins with an idle machine and with tasks that may be released at any time, so only states that can be
 *           reached from there are followed. A job is tagged at each of its releases; the longest way from there to its end, found once a
 *           state, is the answer.
 * Source:   [EXACT-WORST].
 * Fails:    refusal: the system is not one that falsify/small.h can follow. too_large: more states than asked for, or queues that grow
 *           beyond SMALL_JOBS; then there is no answer.
 */
#ifndef FALSIFY_EXACT_H
#define FALSIFY_EXACT_H

#include "base/output.h"
#include "falsify/small.h"

#define EXACT_STATES 400000

struct exact; /* tables that are used again */

struct exact_result {
	const char *refusal;
	bool too_large;
	int64_t states;
	int64_t worst[SMALL_TASKS];   /* ns from the actual release; NONE: without end */
	int64_t nominal[SMALL_TASKS]; /* from the nominal one */
};

struct exact *exact_create(void);
void exact_destroy(struct exact *exact);
void exact_run(struct exact *exact, struct exact_result *result, struct arena *arena, const struct platform *platform,
	const struct taskset *set, const int64_t *longest, int64_t most_states);

/* A run with the task's worst response, a line an event; after exact_run with the same task set, where it had an answer. */
void exact_tell(struct exact *exact, struct output *output, const struct taskset *set, int task);

#endif
