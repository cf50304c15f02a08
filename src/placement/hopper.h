/* The rings and the plan of Hopper; private to hopper.c and hopper_permit.c. */
#ifndef PLACEMENT_HOPPER_H
#define PLACEMENT_HOPPER_H

#include "placement/placement.h"

/* Rule 12: turns of both rings together before the next layer is open; the one that passes unused at the start of a kernel is one of them.
 */
#define CYCLE_TURNS 8

enum { RING_GPCS, RING_SINGLETONS, RING_COUNT }; /* platform.sms[].ring */

struct group {    /* the SMs that one turn serves */
	int *sms; /* ascending */
	int count;
	uint64_t *ranks; /* the same as a set of ranks */
};

struct ring {
	struct group *groups;
	int count, last; /* last: the group served last */
};

struct rings {
	struct ring rings[RING_COUNT];
	int *turns;           /* by SM: whose turn serves it, turn_number */
	uint64_t *singletons; /* a set of ranks: all SMs of the singleton ring */
};

/* A number for group g of a ring, which both can be read from. */
static inline int turn_number(int ring, int g)
{
	return g * RING_COUNT + ring;
}

/* One pass through the levels of room, from the highest down. */
struct plan {
	uint64_t changes;       /* of the chip: the plan holds while nothing but its own placements happen */
	bool turn_passed;       /* rule 11 */
	int top;                /* the level of layer 0 */
	int layers, layer;      /* whole ones; the one that is open, -1: none yet, `layers`: the rest */
	int64_t rest;           /* blocks behind the whole layers that find room */
	int turns;              /* left until the next one is open */
	uint64_t *members;      /* who has yet to be served in it: a set of ranks */
	uint64_t *rest_members; /* who has yet to be served in the rest: likewise */
	uint64_t *possible, *sure;
	int queue_count, queue_next; /* SMs to be served, in order */
	/* what was placed, whether the plan had it so or not: */
	int placed_turns;   /* of the GPC ring */
	int last_sm;        /* NO_ID: nothing yet */
	int last_turn;      /* likewise: turn_number */
	uint8_t *placed_on; /* by SM: blocks, at most 255 */
	int *queue;
};

/* Which SMs may be next, for what was seen between two views of the room. */
void hopper_permit(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set);

#endif
