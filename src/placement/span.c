/* Contiguous allocation in a linear space: the room that holes leave, and which hole a fit takes. */
#include "placement/sm.h"

static void sort(struct span *used, int count)
{
	for (int i = 1; i < count; i++) {
		struct span moving = used[i];
		int j = i;
		for (; j > 0 && used[j - 1].offset > moving.offset; j--)
			used[j] = used[j - 1];
		used[j] = moving;
	}
}

/* The hole before the i-th piece; i == count: after the last one. */
static struct span hole(const struct span *used, int count, int capacity, int i)
{
	int from = i == 0 ? 0 : used[i - 1].offset + used[i - 1].size;
	int to = i == count ? capacity : used[i].offset;
	return (struct span){from, to > from ? to - from : 0};
}

int span_room(struct span *used, int count, int capacity, int size)
{
	int room = 0;
	sort(used, count);
	for (int i = 0; i <= count; i++)
		room += hole(used, count, capacity, i).size / size;
	return room;
}

int span_place(struct span *used, int count, int capacity, int size, enum allocation fit)
{
	struct span best = {-1, 0};
	sort(used, count);
	for (int i = 0; i <= count; i++) {
		struct span candidate = hole(used, count, capacity, i);
		if (candidate.size < size)
			continue;
		if (best.offset < 0 || (fit == ALLOCATION_BEST_FIT && candidate.size < best.size) ||
			((fit == ALLOCATION_WORST_FIT || fit == ALLOCATION_ADVERSARIAL_FIT) && candidate.size > best.size))
			best = candidate;
	}
	if (best.offset < 0 || fit != ALLOCATION_ADVERSARIAL_FIT)
		return best.offset;
	return best.offset + (best.size - size < size - 1 ? best.size - size : size - 1);
}
