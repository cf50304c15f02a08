/* Threads with a reservation, of SCHED_DEADLINE: what one gets and what it takes, derived again.
 *
 * Requires: inputs with execution times.
 * Provides: whether all of a core's get their runtimes, what a segment takes in one, and the steps that say so.
 * Source:   [RESERVATION].
 * Fails:    NONE where a number does not fit.
 */
#ifndef VERIFY_RESERVED_THREADS_H
#define VERIFY_RESERVED_THREADS_H

#include "verify/fact.h"

/* core: as in struct task, from 1 on. Is there, for overruns, too, in each runtime and period? */
bool reserved_room(const struct taskset *set, int core);
/* How long behind its deadline a runtime is used up at most. */
int64_t reserved_lag(const struct taskset *set, int core);
/* All of the core's; nothing where it has none. */
void reserved_all(struct check *check, struct fact *time, int core);
void reserved_given(struct check *check, struct fact *time, int task);

/* Until its thread has all new runtimes that it needs, with what it owes. */
int64_t reserved_anew(const struct taskset *set, int task, int64_t wcet);
/* waits: how long for runtimes. */
int64_t reserved_time(const struct taskset *set, int task, int64_t wcet, int64_t waits);
int64_t reserved_most(const struct taskset *set, int task, int64_t window);

#endif
