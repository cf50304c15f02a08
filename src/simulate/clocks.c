/* Groups of clock readings: sorted, and cut where neighbours are further apart than the tolerance. */
#include "simulate/clocks.h"

#include "base/checked.h"

#include <stdlib.h>

struct entry {
	int64_t cycles;
	int sm, at, group; /* at: in the caller's readings */
};

static int by_cycles(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

static int by_sm(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

/* Groups in ascending order of their clocks; false where one is wider than the tolerance. */
static bool cut(struct entry *entries, int count, int64_t tolerance)
{
	int64_t first = count > 0 ? entries[0].cycles : 0;
	for (int i = 1; i < count; i++) {
		bool apart = checked_sub(entries[i].cycles, entries[i - 1].cycles) > tolerance;
		entries[i].group = entries[i - 1].group + apart;
		if (apart)
			first = entries[i].cycles;
		if (checked_sub(entries[i].cycles, first) > tolerance)
			return false;
	}
	return true;
}

int clocks_group(struct arena *arena, const struct clock_reading *readings, int count, int64_t tolerance, int *gpc_of)
{
	struct entry *entries = arena_allocate(arena, (size_t)count, sizeof *entries);
	int *number = arena_allocate(arena, (size_t)count, sizeof *number), groups = 0; /* 1 + the number of a group; 0: none yet */
	for (int i = 0; i < count; i++)
		entries[i] = (struct entry){.cycles = readings[i].cycles, .sm = readings[i].sm, .at = i};
	qsort(entries, (size_t)count, sizeof *entries, by_cycles);
	if (!cut(entries, count, tolerance))
		return 0;
	qsort(entries, (size_t)count, sizeof *entries, by_sm);
	for (int i = 0; i < count; i++) {
		int *own = &number[entries[i].group];
		if (*own == 0)
			*own = ++groups;
		gpc_of[entries[i].at] = *own - 1;
	}
	return groups;
}
