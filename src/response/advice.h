/* What a user can do about a task that is not proven: what dominates its bound, and what would have to change. */
#ifndef RESPONSE_ADVICE_H
#define RESPONSE_ADVICE_H

#include "response/workload.h"

/* Whose work is the greatest part of a busy interval. */
struct dominant {
	enum whose whose; /* WHOSE_TASK, WHOSE_CONTEXT: its turns; WHOSE_NOBODY: not looked for yet, or it is not known */
	int of;           /* the number in the task set, or in the runlist */
};

struct advisor {
	const struct workload *workload;
	const struct map *map;
	const struct response_basis *basis;
	struct dominant *dominant[BOUND_COUNT]; /* [bound][context] of busy intervals; NULL: not asked for yet */
};

/* In the workload's arena; never NULL. */
const char *advice_for_task(struct advisor *advisor, const struct response_of *result, int task);

/* Exact, in ms, for a reader. */
const char *advice_milliseconds(struct arena *arena, int64_t ns);

#endif
