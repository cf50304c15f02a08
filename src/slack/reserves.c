/* One operation after the other, the longest first. */
#include "slack/reserves.h"

#include "model/limits.h"

/* The earlier those are found that may grow little, the fewer of the rest have to be looked at closely. */
static int *by_length(struct arena *arena, const struct taskset *set, int *count)
{
	int *order = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *order);
	*count = 0;
	for (int i = 0; i < set->operation_count; i++) {
		int at = *count;
		if (checked_is_none(set->operations[i].wcet) || set->operations[i].wcet == 0 || set->operations[i].stream == NO_ID)
			continue;
		for (; at > 0 && set->operations[order[at - 1]].wcet < set->operations[i].wcet; at--)
			order[at] = order[at - 1];
		order[at] = i;
		++*count;
	}
	return order;
}

static int64_t distance(int64_t grows)
{
	return grows < 0 ? -grows : grows;
}

int reserves_find(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations, const volatile sig_atomic_t *stop, int most, struct reserve *reserves)
{
	int count = 0, all;
	const int *order = by_length(arena, set, &all);
	for (int i = 0; i < all && (stop == NULL || *stop == 0); i++) {
		int64_t below = count < most ? LIMIT_SLACK_GROWTH : reserves[count - 1].grows;
		int64_t grows = slack_of_operation(platform, set, map, response, solver_iterations, order[i], below);
		if (checked_is_none(grows) || (count == most && distance(grows) >= distance(reserves[count - 1].grows)))
			continue;
		int at = count < most ? count++ : most - 1;
		for (; at > 0 && distance(reserves[at - 1].grows) > distance(grows); at--)
			reserves[at] = reserves[at - 1];
		reserves[at] = (struct reserve){order[i], grows};
	}
	return count;
}
