/* Most room: the block goes to the SM with the most room for its kernel, the first in the platform's order among equals ([MOST-ROOM]). */
#include "placement/placement.h"

static int choose(struct placer *placer, struct dispatch *dispatch)
{
	return placer->limits->order[room_first(dispatch->room)];
}

const struct policy policy_most_room = {.name = "most-room", .fullest = true, .choose = choose};
