#include "response/advice.h"

#include <string.h>

/* The context of a task's GPU work, or NO_ID. */
static int context_of(const struct workload *w, int task)
{
	for (int i = 0; i < w->segments->count; i++)
		if (w->segments->items[i].task == task)
			return w->segments->items[i].context;
	return NO_ID;
}

/* Without any bound: the reason of the bound that is nearest to applying, which is the last in the table with a numeric obstacle, else
 * the first reason given. */
static const char *without_bound(const struct workload *w, const struct response_of *result)
{
	const char *reason = NULL;
	for (int i = 0; i < BOUND_COUNT; i++)
		if (result->bounds[i].reason != NULL && (reason == NULL || strstr(result->bounds[i].reason, "load") != NULL))
			reason = result->bounds[i].reason;
	return arena_format(w->arena, "no bound: %s", reason != NULL ? reason : "no analysis applies");
}

static const char *own_name(const struct workload *w, int task)
{
	return arena_format(w->arena, "task:%s", w->set->tasks[task].id);
}

/* What contributes most to a busy interval: of the winner, if it has one for the whole context, else of P or VOL-P. */
static const char *dominant_of(const struct busy *const *busy, int winner, int context)
{
	const int from[] = {winner, BOUND_P, BOUND_VOL_P};
	for (int i = 0; i < 3; i++)
		if (busy[from[i]][context].dominant != NULL)
			return busy[from[i]][context].dominant;
	return NULL;
}

const char *advice_for_task(const struct workload *w, const struct response_of *result, int task, const struct busy *const *busy)
{
	int context = context_of(w, task);
	if (result->winner < 0)
		return without_bound(w, result);
	int64_t excess = checked_sub(result->response, result->deadline);
	if (context == NO_ID)
		return arena_format(w->arena, "its host segments alone exceed the deadline by %lld ns", (long long)excess);
	const char *dominant = dominant_of(busy, result->winner, context);
	if (dominant == NULL || strcmp(dominant, own_name(w, task)) == 0)
		return arena_format(w->arena,
			"%lld ns above the deadline; its own work contributes most: shorten it, or give it fewer blocks or a longer slice",
			(long long)excess);
	return arena_format(w->arena,
		"%lld ns above the deadline; %s contributes most to its busy interval: shorten that, give the two their own contexts with "
		"time "
		"slices, or a priority that the platform vouches for",
		(long long)excess, dominant);
}
