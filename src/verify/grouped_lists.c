/* Counted, then put behind one another. */
#include "verify/grouped_lists.h"

struct lists lists_make(struct arena *arena, int groups, const int *group, int count)
{
	struct lists lists = {arena_allocate(arena, (size_t)count + 1, sizeof *lists.items),
		arena_allocate(arena, (size_t)groups + 2, sizeof *lists.first)};
	for (int i = 0; i < count; i++)
		if (group[i] >= 0)
			lists.first[group[i] + 2]++;
	for (int g = 2; g < groups + 2; g++)
		lists.first[g] += lists.first[g - 1];
	for (int i = 0; i < count; i++)
		if (group[i] >= 0)
			lists.items[lists.first[group[i] + 1]++] = i;
	return lists;
}
