/* Most room: the block goes to the SM with the most room for its kernel, the first in the platform's order among equals (theory.md 4.2). */
#include "machine/placement.h"

static int choose(struct placer *placer, struct dispatch *dispatch)
{
	const struct room *room = dispatch->room;
	return placer->limits->order[set_first(room_level(room, room_greatest(room)), placer->limits->words, 0)];
}

const struct policy policy_most_room = {.name = "most-room", .fullest = true, .choose = choose};
