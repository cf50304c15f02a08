#include "verify/interleave.h"

#include "base/memory.h"

struct place { /* in the list: an entry */
	int level, number;
};

struct list {
	struct arena *arena;
	const int *entries; /* of each level */
	struct place *places;
	int count, room;
};

static void put(struct list *list, int level, int number)
{
	list->places = arena_grow(list->arena, list->places, &list->room, list->count + 1, sizeof *list->places);
	list->places[list->count++] = (struct place){level, number};
}

/* One of each entry of the level, and before each of them the whole list of the level above; for low ones before them that of high ones,
 * too. */
static void put_level(struct list *list, int level)
{
	for (int i = 0; i < list->entries[level]; i++) {
		for (int above = level + 1; above < INTERLEAVE_COUNT; above++)
			if (above == level + 1 || level == INTERLEAVE_LOW)
				put_level(list, above);
		put(list, level, i);
	}
}

/* The most turns of the first entry of `other` between two turns of the first of `own`, with which the list begins anew. */
static int64_t most_between(const struct list *list, int own, int other)
{
	int64_t most = 0, seen = 0;
	bool begun = false;
	for (int i = 0; i < 2 * list->count; i++) {
		const struct place *place = &list->places[i % list->count];
		seen += place->level == other && place->number == 0;
		if (place->level != own || place->number != 0)
			continue;
		most = begun && seen > most ? seen : most;
		begun = true;
		seen = 0;
	}
	return most;
}

struct between interleave_count(struct arena *arena, const int *entries)
{
	struct list list = {.arena = arena, .entries = entries};
	struct between between = {.levels = true};
	for (int level = 0; level < INTERLEAVE_COUNT && list.count == 0; level++)
		put_level(&list, level);
	for (int own = 0; own < INTERLEAVE_COUNT; own++)
		for (int other = 0; other < INTERLEAVE_COUNT; other++)
			between.turns[own][other] = own == other ? 1 : most_between(&list, own, other);
	return between;
}
