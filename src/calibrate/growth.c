/* The samples that raised the greatest: few, as the n-th does with probability 1/n where they are alike. */
#include "calibrate/growth.h"

#include <inttypes.h>

void growth_add(struct growth *growth, struct arena *arena, const struct recording *recording, int64_t value)
{
	growth->count++;
	if (growth->recording != NULL && value <= growth->value)
		return;
	growth->value = value;
	growth->recording = recording;
	growth->raises = arena_grow(arena, growth->raises, &growth->raise_capacity, growth->raise_count + 1, sizeof *growth->raises);
	growth->raises[growth->raise_count++] = (struct raise){growth->count, value};
}

void growth_add_many(struct growth *growth, struct arena *arena, const struct recording *recording, int64_t value, int64_t count)
{
	if (count <= 0)
		return;
	growth->count = checked_add(growth->count, count - 1);
	growth_add(growth, arena, recording, value);
}

/* The greatest of the first `count` samples; 0 where count is 0. */
static int64_t greatest_until(const struct growth *growth, int64_t count)
{
	int64_t value = 0;
	for (int i = 0; i < growth->raise_count && growth->raises[i].at <= count; i++)
		value = growth->raises[i].value;
	return value;
}

const char *growth_text(const struct growth *growth, struct arena *arena)
{
	const struct raise *last = &growth->raises[growth->raise_count - 1];
	const char *from = growth->raise_count < 2 ? ""
						   : arena_format(arena, ", raised last by sample %" PRId64 " from %" PRId64 "ns", last->at,
							     last[-1].value);
	const char *half = growth->raises[0].at > growth->count / 2 ? ""
								    : arena_format(arena, "; of the first half it is %" PRId64 "ns",
									      greatest_until(growth, growth->count / 2));
	return arena_format(arena, "the greatest of %" PRId64 " samples is %" PRId64 "ns%s%s", growth->count, growth->value, from, half);
}
