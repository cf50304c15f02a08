/* The rings and the plan of Hopper; private to hopper.c and hopper_permit.c. */
#ifndef PLACEMENT_HOPPER_H
#define PLACEMENT_HOPPER_H

#include "placement/placement.h"

/* Rule 12: turns of the GPC ring before the next batch's singletons come, the first time and afterwards. */
#define EARLY_FIRST 5
#define EARLY_AFTER 6

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
	uint64_t changes;   /* of the chip: the plan holds while nothing but its own placements happen */
	bool turn_passed;   /* rule 11 */
	int top;            /* the level of the first batch */
	int batches, batch; /* with blocks to place; the one that is being served */
	int64_t *left;      /* by batch: blocks that remain when it begins */
	int *sizes;         /* by batch: SMs with that much room */
	uint64_t *members;  /* the batch that is being served: a set of ranks */
	uint64_t *scratch, *possible, *sure;
	uint8_t *singleton_room; /* by SM, when the plan was made */
	int early;               /* the batch whose singletons come next */
	int turns;               /* of the GPC ring so far */
	int last_early;          /* the turn at which singletons came last; -1: they have not */
	int gap;
	bool batch_turns_done;
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
