/* The levels of room, kept up to date from the chip's log. */
#include "machine/room.h"

static void move(struct room *room, int sm, int to)
{
	int from = room->of[sm], rank = room->chip->limits->rank[sm];
	set_remove(room_level(room, from), rank);
	set_add(room_level(room, to), rank);
	room->of[sm] = (uint8_t)to;
	if (to > 0)
		room->occupied |= UINT64_C(1) << (to - 1);
	room->counts[to]++;
	if (--room->counts[from] == 0 && from > 0)
		room->occupied &= ~(UINT64_C(1) << (from - 1));
}

static void update(struct room *room, int sm)
{
	int now = chip_room(room->chip, sm, room->shape);
	if (now != room->of[sm])
		move(room, sm, now);
}

void room_init(struct room *room, struct arena *arena, const struct chip *chip, const struct shape *shape)
{
	const struct limits *limits = chip->limits;
	*room = (struct room){.chip = chip, .shape = shape};
	room->of = arena_allocate(arena, (size_t)limits->sm_count, sizeof *room->of);
	room->levels = arena_allocate(arena, (size_t)(limits->blocks + 1) * (size_t)limits->words, sizeof *room->levels);
	room->counts = arena_allocate(arena, (size_t)limits->blocks + 1, sizeof *room->counts);
	room->counts[0] = (uint16_t)limits->sm_count;
	for (int s = 0; s < limits->sm_count; s++)
		set_add(room_level(room, 0), limits->rank[s]);
}

void room_catch_up(struct room *room)
{
	const struct chip *chip = room->chip;
	uint64_t most = CHIP_LOG < chip->limits->sm_count ? CHIP_LOG : (uint64_t)chip->limits->sm_count;
	if (room->seen < chip->whole || chip->changes - room->seen > most)
		for (int s = 0; s < chip->limits->sm_count; s++)
			update(room, s);
	else
		for (uint64_t change = room->seen; change < chip->changes; change++)
			update(room, chip->log[change % CHIP_LOG]);
	room->seen = chip->changes;
}

void room_fell(struct room *room, int sm)
{
	if (room->chip->whole == room->chip->changes)
		return;
	if (room->chip->limits->contiguous)
		update(room, sm);
	else
		move(room, sm, room->of[sm] - 1);
	room->seen = room->chip->changes;
}
