/* A kernel's view of the chip: the room for it on every SM, by level.
 *
 * Requires: a chip, a shape that outlives the view.
 * Provides: the SMs of every level of room as sets over ranks, so that the fullest level and the first SM in it are found without a
 *           walk over the SMs; only SMs that changed are computed again.
 * Source:   [MOST-ROOM]; [HOPPER] P1 to P3.
 * Fails:    never.
 */
#ifndef PLACEMENT_ROOM_H
#define PLACEMENT_ROOM_H

#include "placement/chip.h"

struct room {
	const struct chip *chip;
	const struct shape *shape;
	const int *rank;   /* by SM */
	int words;         /* of a set */
	uint64_t seen;     /* changes of the chip taken in */
	uint64_t occupied; /* bit l: some SM has room l + 1 */
	uint8_t *of;       /* by SM */
	uint16_t *counts;  /* SMs by level */
	uint64_t *levels;  /* a set of ranks for each level 1 .. blocks */
};

void room_init(struct room *room, struct arena *arena, const struct chip *chip, const struct shape *shape);
void room_catch_up(struct room *room);
static inline void room_refresh(struct room *room); /* takes in what changed on the chip; the rest asks a fresh view */
/* The view is fresh but for one block of its own kernel, just taken by this SM: its room falls by one (rule 4). */
void room_fell(struct room *room, int sm);

static inline int room_greatest(const struct room *room) /* the highest level of room, 0: none */
{
	return room->occupied == 0 ? 0 : 64 - __builtin_clzll(room->occupied);
}

static inline uint64_t *room_level(const struct room *room, int level)
{
	return room->levels + (size_t)(level - 1) * (size_t)room->words;
}

static inline int room_first(const struct room *room) /* the rank of the first SM with the most room; there is one */
{
	return set_least(room_level(room, room_greatest(room)));
}

/* ---- what a placement does, without a call: bench/bench_placement.c */

static inline void room_move(struct room *room, int sm, int to)
{
	int from = room->of[sm], rank = room->rank[sm];
	room->of[sm] = (uint8_t)to;
	room->counts[to]++;
	room->counts[from]--;
	if (to > 0) {
		set_add(room_level(room, to), rank);
		room->occupied |= UINT64_C(1) << (to - 1);
	}
	if (from > 0) {
		set_remove(room_level(room, from), rank);
		room->occupied &= ~((uint64_t)(room->counts[from] == 0) << (from - 1));
	}
}

static inline void room_update(struct room *room, int sm)
{
	int now = chip_room(room->chip, sm, room->shape);
	if (now != room->of[sm])
		room_move(room, sm, now);
}

static inline void room_refresh(struct room *room)
{
	const struct chip *chip = room->chip;
	if (room->seen == chip->changes)
		return;
	if (room->seen + 1 == chip->changes && room->seen >= chip->whole)
		room_update(room, chip->log[room->seen++ % CHIP_LOG]);
	else
		room_catch_up(room);
}

#endif
