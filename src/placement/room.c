/* The levels of room, kept up to date from the chip's log. */
#include "placement/room.h"

void room_init(struct room *room, struct arena *arena, const struct chip *chip, const struct shape *shape)
{
	const struct sm_limits *limits = chip->limits;
	*room = (struct room){.chip = chip, .shape = shape, .rank = limits->rank, .words = limits->words};
	room->of = arena_allocate(arena, (size_t)limits->sm_count, sizeof *room->of);
	room->levels = arena_allocate(arena, (size_t)limits->blocks * (size_t)limits->words, sizeof *room->levels);
	room->counts = arena_allocate(arena, (size_t)limits->blocks + 1, sizeof *room->counts);
	room->counts[0] = (uint16_t)limits->sm_count;
}

void room_catch_up(struct room *room)
{
	const struct chip *chip = room->chip;
	uint64_t most = CHIP_LOG < chip->limits->sm_count ? CHIP_LOG : (uint64_t)chip->limits->sm_count;
	if (room->seen < chip->whole || chip->changes - room->seen > most)
		for (int s = 0; s < chip->limits->sm_count; s++)
			room_update(room, s);
	else
		for (uint64_t change = room->seen; change < chip->changes; change++)
			room_update(room, chip->log[change % CHIP_LOG]);
	room->seen = chip->changes;
}

void room_fell(struct room *room, int sm)
{
	if (room->chip->whole == room->chip->changes)
		return;
	if (room->chip->limits->contiguous)
		room_update(room, sm);
	else
		room_move(room, sm, room->of[sm] - 1);
	room->seen = room->chip->changes;
}
