/* What tasks do to a sequence beside which they were measured.
 *
 * Requires: a validated task set; an operation with a company.
 * Provides: the greatest factor measured of the tasks that may run beside it, with its step; 1 and no step where none may.
 * Source:   [COMPANY].
 * Fails:    no value, and a reason: somebody may be there of whom nothing was measured, alone or with all others, or who is no task.
 */
#ifndef INTERFERENCE_COMPANY_H
#define INTERFERENCE_COMPANY_H

#include "interference/environment.h"
#include "interference/factors.h"

struct company_question {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct derivation *derivation;
	const char *about; /* the operation */
	int operation;
};

struct factor company_factor(const struct company_question *asked, const struct environment *environment, const char **reason);

#endif
