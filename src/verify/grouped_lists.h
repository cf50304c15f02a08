/* Things by the group that they are in: operations by their stream, segments by their context.
 *
 * Provides: the things of each group in their order, found in one pass over all.
 * Fails:    never.
 */
#ifndef VERIFY_GROUPED_LISTS_H
#define VERIFY_GROUPED_LISTS_H

#include "base/memory.h"

struct listed {
	const int *items;
	int count;
};

struct lists {
	int *items, *first; /* of group g: from first[g] to before first[g + 1] */
};

/* group: of each thing; below 0: it is in none. */
struct lists lists_make(struct arena *arena, int groups, const int *group, int count);

static inline struct listed lists_of(const struct lists *lists, int group)
{
	return (struct listed){lists->items + lists->first[group], lists->first[group + 1] - lists->first[group]};
}

#endif
