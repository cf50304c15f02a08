/* What no declaration can give: tasks without a bound though all that is missing is at its best.
 *
 * Requires: a task set; its platform, filled in where it lacked facts (missing_facts_find).
 * Provides: the tasks that have no bound, or one above the deadline, even with no overheads and factors of 1 where none are stated, and
 *           every assumption granted; why, and the kernel of which only the whole time is known, where that is it.
 * Source:   bounds grow with overheads and factors, and are no less with fewer assumptions.
 * Fails:    never: nothing is said where an execution time follows from a program, or a slice is not stated.
 */
#ifndef CLI_AT_BEST_H
#define CLI_AT_BEST_H

#include "cli/missing_facts.h"

struct at_best_task {
	const char *id, *reason;
	const char *kernel; /* that is charged more than its time, as only the whole kernel's is known; NULL: none */
	int64_t times;      /* so many times its time */
};

struct at_best {
	struct at_best_task *tasks;
	int count;
	bool all; /* of the task set: the facts that are missing give nothing */
};

struct at_best at_best_find(struct arena *arena, const struct missing_facts *facts, const struct taskset *set);

#endif
