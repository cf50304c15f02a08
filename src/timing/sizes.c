#include "timing/sizes.h"

#include "base/plant.h"
#include "model/sm_set.h"

/* How many GPCs have as many SMs of the set as `count` says; those with none are not counted. */
static int gpcs_with(const struct platform *platform, const struct sm_set *sms, int64_t count)
{
	int found = 0;
	for (int gpc = 0; gpc < platform->gpc_count; gpc++) {
		int64_t here = 0;
		for (int64_t sm = 0; sm < sms->chip; sm++)
			here += platform->sms[sm].gpc == gpc && sm_set_has(sms, sm);
		found += here == count;
	}
	return found;
}

/* Do the SMs lie as they did in the measurement? Not where nobody knows how they lie. */
static bool lies_so(const struct platform *platform, const struct sm_set *sms, const struct sized_time *time)
{
	bool known = platform->sms != NULL && (sms->members != NULL || sm_set_is_chip(sms));
	for (int i = 0; i < time->gpc_count && known; i++) {
		int same = 0;
		for (int k = 0; k < time->gpc_count; k++)
			same += time->gpcs[k] == time->gpcs[i];
		known = gpcs_with(platform, sms, time->gpcs[i]) == same;
	}
	return known;
}

static const struct sized_time *find_exact(const struct platform *platform, const struct sm_set *sms, const struct operation *operation)
{
	const struct sized_time *found = NULL;
	for (int i = 0; i < operation->size_count; i++) {
		const struct sized_time *time = &operation->sizes[i];
		if (time->sms != sms->size)
			continue;
		if (time->gpc_count > 0 ? lies_so(platform, sms, time) : found == NULL)
			found = time;
	}
	return found;
}

/* The next fewer; of SMs that lie in some way nothing follows for more that may lie in another. */
static const struct sized_time *find_fewer(int64_t sms, const struct operation *operation)
{
	const struct sized_time *found = NULL;
	for (int i = 0; i < operation->size_count; i++) {
		const struct sized_time *time = &operation->sizes[i];
		bool fewer = time->sms < sms && time->gpc_count == 0;
		if (fewer && (found == NULL || time->sms > found->sms))
			found = time;
	}
	return found;
}

/* The greatest size that there is. */
static const struct sized_time *find_greatest(const struct operation *operation)
{
	const struct sized_time *found = operation->sizes;
	for (int i = 0; i < operation->size_count; i++)
		found = operation->sizes[i].sms > found->sms ? &operation->sizes[i] : found;
	return found;
}

bool sizes_take(const struct platform *platform, const struct taskset *set, struct operation *operation)
{
	struct sm_set sms = sm_set_of_stream(platform, set, operation->stream);
	const struct sized_time *time = sms.size == NONE ? NULL : find_exact(platform, &sms, operation);
	operation->smaller = time == NULL && sms.size != NONE;
	if (operation->smaller)
		time = find_fewer(sms.size, operation);
	if (planted(PLANT_SIZES)) {
		time = find_greatest(operation);
		operation->smaller = false;
	}
	operation->wcet = time == NULL ? NONE : time->wcet;
	if (time == NULL)
		return false;
	operation->bcet = checked_min(operation->bcet, time->wcet);
	operation->span.longest = operation->span.longest == NONE ? NONE : checked_min(operation->span.longest, time->wcet);
	operation->origin = time->origin;
	operation->line = time->line;
	return true;
}

const struct taskset *sizes_take_all(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	int sized = 0;
	for (int i = 0; i < set->operation_count; i++)
		sized += set->operations[i].size_count > 0;
	if (sized == 0)
		return set;
	struct taskset *taken = arena_allocate(arena, 1, sizeof *taken);
	struct operation *operations = arena_allocate(arena, (size_t)set->operation_count, sizeof *operations);
	for (int i = 0; i < set->operation_count; i++) {
		operations[i] = set->operations[i];
		if (operations[i].size_count > 0)
			sizes_take(platform, set, &operations[i]);
	}
	*taken = *set;
	taken->operations = operations;
	return taken;
}
