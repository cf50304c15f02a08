/* What a user can do about a task that is not proven: what dominates its bound, and what would have to change. */
#ifndef RESPONSE_ADVICE_H
#define RESPONSE_ADVICE_H

#include "response/workload.h"

/* busy: by bound, then by context. In the workload's arena; never NULL. */
const char *advice_for_task(const struct workload *workload, const struct map *map, const struct response_of *result, int task,
	const struct bound_answer *const *busy);

/* Exact, in ms, for a reader. */
const char *advice_milliseconds(struct arena *arena, int64_t ns);

#endif
