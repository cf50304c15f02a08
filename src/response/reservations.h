/* Threads under SCHED_DEADLINE: how long a segment takes in its thread's reservation, and what the reservation takes from other threads.
 *
 * Requires: tasks with a reservation; of a task for reservations_waits its response and what a job executes; for what wake-ups give, responses
 *           as they are claimed, NONE where none is.
 * Provides: times that hold whatever other threads do, where the core's reservations have room beside one another.
 * Source:   [RESERVATION].
 * Fails:    NONE where a number does not fit, or runtimes are used up later than a period behind their deadlines.
 */
#ifndef RESPONSE_RESERVATIONS_H
#define RESPONSE_RESERVATIONS_H

#include "model/taskset.h"

/* responses: of all tasks. */
struct reserved reservations_find(const struct taskset *set, int core, const int64_t *responses);
/* Have all of the core's their runtimes by their deadlines, or so much later, if no runtime or period is too short for overruns? */
bool reservations_fit(const struct reserved *reserved);
/* The first task with such a one; NULL: none. */
const struct task *reservations_short(const struct taskset *set, int core, int64_t late);
/* The first task of which nothing says how often it wakes, where that matters; NULL: none. */
const struct task *reservations_restless(const struct taskset *set, int core, const int64_t *responses);

/* How long a segment of the task waits for runtimes: until it has new ones, or until one begins late as the job before was woken late. */
int64_t reservations_waits(
	const struct taskset *set, const struct task *task, int64_t wcet, int64_t response, int64_t executes, int64_t late);

/* What a runtime that is revised lacks, as the scheduler computes it. */
int64_t reservations_lack(const struct taskset *set, const struct task *task);
/* From the instant at which the segment is pending until it is over. */
int64_t reservations_response(const struct taskset *set, const struct task *task, int64_t wcet, int64_t waits, int64_t late);

/* What the thread executes in any window of this length, at most. */
int64_t reservations_most(const struct taskset *set, const struct task *task, int64_t window, int64_t response, int64_t late);

#endif
