/* Each WCET by size gets a rank: the SMs that it has, where they lie so, before so many anywhere, before the most of fewer. */
#include "verify/sized_times.h"

#include "verify/usable_sms.h"

#include <stdlib.h>

/* How many SMs of the stream each GPC has, ascending, without those that have none; *count: 0 where nobody knows how they lie. */
static int64_t *lie(const struct check *check, int stream, int *count)
{
	const struct platform *platform = check->platform;
	int number = check->set->streams[stream].partition;
	const struct partition *of = number > 0 ? &check->set->partitions[number - 1] : NULL;
	int64_t end = of == NULL ? sms_of_stream(check, stream) : 64 * PARTITION_WORDS;
	int64_t *here = arena_allocate(check->arena, (size_t)platform->gpc_count + 1, sizeof *here);
	*count = 0;
	if (platform->sms == NULL || (of != NULL && of->members == NULL))
		return here;
	for (int64_t sm = 0; sm < end; sm++) {
		bool in = of == NULL || (of->members[sm / 64] >> (sm % 64) & 1) != 0;
		if (in && platform->sms[sm].gpc == NO_ID)
			return here; /* an SM nobody knows the place of */
		if (in)
			here[platform->sms[sm].gpc]++;
	}
	qsort(here, (size_t)platform->gpc_count, sizeof *here, checked_compare);
	int empty = 0;
	while (empty < platform->gpc_count && here[empty] == 0)
		empty++;
	*count = platform->gpc_count - empty;
	return here + empty;
}

static bool is_list(const struct sized_time *time, const int64_t *list, int count)
{
	bool same = time->gpc_count == count;
	for (int i = 0; i < count && same; i++)
		same = time->gpcs[i] == list[i];
	return same;
}

void sized_derive(const struct check *check, struct operation *operation)
{
	int count;
	int64_t sms = sms_of_stream(check, operation->stream), *list = lie(check, operation->stream, &count), best = 0;
	const struct sized_time *chosen = NULL;
	for (int i = 0; i < operation->size_count && !checked_is_none(sms); i++) {
		const struct sized_time *time = &operation->sizes[i];
		int64_t rank = time->gpc_count == 0 ? (time->sms <= sms ? time->sms : 0)
						    : (time->sms == sms && count > 0 && is_list(time, list, count) ? sms + 1 : 0);
		if (rank > best) {
			best = rank;
			chosen = time;
		}
	}
	operation->smaller = chosen != NULL && chosen->sms < sms;
	operation->wcet = chosen == NULL ? NONE : chosen->wcet;
	if (chosen == NULL)
		return;
	operation->bcet = checked_min(operation->bcet, chosen->wcet);
	if (!checked_is_none(operation->span.longest))
		operation->span.longest = checked_min(operation->span.longest, chosen->wcet);
	operation->origin = chosen->origin;
	operation->line = chosen->line;
}

bool sized_any_smaller(const struct check *check)
{
	for (int i = 0; i < check->set->operation_count; i++)
		if (check->set->operations[i].smaller)
			return true;
	return false;
}
