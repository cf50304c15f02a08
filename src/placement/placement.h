/* Which SM gets the next block of the kernel at the head of the queue, and which block it is.
 *
 * Requires: limits, a chip, a view of the room for each kernel's shape.
 * Provides: one interface over the placement policies (most-room, round robin, Fermi, Hopper). One dispatch at a time is at the head;
 *           a dispatch may be interrupted by another one and resumed. Who is at the head is not decided here.
 * Source:   [MOST-ROOM], [HOPPER], [FERMI]; How the Fermi Thread Block Scheduler Works (seed 000).
 * Fails:    placement_choose returns NO_ID where no SM has room: the head waits for a release.
 *
 * The life of a kernel:  room_init (once a kernel)  placement_begin  { placement_choose  placement_place }*  placement_end,
 * and for each block in its time placement_release.
 */
#ifndef PLACEMENT_PLACEMENT_H
#define PLACEMENT_PLACEMENT_H

#include "placement/room.h"

/* Why an SM was chosen. */
enum decision {
	DECISION_MOST_ROOM,    /* it alone has the most room */
	DECISION_TIE,          /* several have the most room: the first of them in the platform's order */
	DECISION_SAME_SM,      /* it holds another kernel's block though an idle SM would take it (RTAS'20 Eq. 2, 3) */
	DECISION_LOAD_BALANCE, /* no idle SM takes it, and busier SMs were passed over (RTAS'20 Eq. 4) */
	DECISION_ONLY_FIT,     /* no other SM takes it */
	DECISION_WAITED,       /* the kernel waited for this SM to release something */
	DECISION_IN_TURN,      /* round robin and Fermi: its turn, whatever the room */
};
extern const char *const decision_names[];

/* Two views of one shape's room between which the truth lies, SM by SM, either way round: an SM that was idle in between may have less
 * room in the one than in the other, or more. */
struct between {
	const struct room *one, *other;
};

static inline int between_least(const struct between *between, int sm)
{
	return between->one->of[sm] < between->other->of[sm] ? between->one->of[sm] : between->other->of[sm];
}

static inline int between_most(const struct between *between, int sm)
{
	return between->one->of[sm] > between->other->of[sm] ? between->one->of[sm] : between->other->of[sm];
}

/* A kernel on its way to the SMs. */
struct dispatch {
	struct room *room;
	int64_t grid[3], blocks; /* blocks: their product */
	int64_t placed;          /* how many blocks have an SM */
	bool waited;             /* the last choice found no SM */
	void *state;             /* the policy's */
	struct dispatch *next;   /* placement's own */
};

struct placer;

struct policy {
	const char *name;
	void (*init)(struct placer *placer);
	size_t (*state_size)(const struct sm_limits *limits); /* of one dispatch; NULL: none */
	void (*begin)(struct placer *placer, struct dispatch *dispatch);
	int (*choose)(struct placer *placer, struct dispatch *dispatch);          /* the room is fresh and somewhere > 0 */
	int64_t (*block)(const struct dispatch *dispatch, int64_t index);         /* the linear id of the index-th block; NULL: index */
	void (*placed)(struct placer *placer, struct dispatch *dispatch, int sm); /* NULL: nothing to note; dispatch may be NULL */
	void (*released)(struct placer *placer, int sm);                          /* NULL: nothing to note */
	bool fullest; /* any SM with the most room will do: who gets it among equals decides nothing but order */
	/* Adds to `set` (SM ids) all SMs the rule allows for the next block when the true room of each SM lies between two views.
	 * NULL: those with the most room, the first in the platform's order, or any where the order is unknown. */
	void (*permit)(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set);
};

struct placer {
	const struct policy *policy;
	struct arena *arena;
	const struct sm_limits *limits;
	struct chip *chip;
	void *state;           /* the policy's, kept from kernel to kernel */
	struct dispatch *idle; /* ended dispatches, to be used again */
};

extern const struct policy policy_most_room, policy_round_robin, policy_fermi, policy_hopper;
const struct policy *policy_of(enum placement kind); /* most-room where the platform does not say */

void placement_init(struct placer *placer, struct arena *arena, struct chip *chip, const struct policy *policy);
/* The same of another part of the chip: what the policy keeps from kernel to kernel is the chip's. */
void placement_init_beside(struct placer *placer, const struct placer *other, struct chip *chip);
void placement_forget(struct placer *placer); /* what it keeps from kernel to kernel is as after init */

struct dispatch *placement_begin(struct placer *placer, struct room *room, const int64_t grid[3]);
void placement_end(struct placer *placer, struct dispatch *dispatch);

/* The SM of the next block, or NO_ID: none has room. Asking again gives the same answer until something changes. */
int placement_choose(struct placer *placer, struct dispatch *dispatch);
/* The linear id of the block that goes next. */
int64_t placement_block(const struct placer *placer, const struct dispatch *dispatch);
/* Puts the next block on an SM, the chosen one or another one with room: the slot, or -1 where it does not fit. */
int placement_place(struct placer *placer, struct dispatch *dispatch, int sm);
void placement_release(struct placer *placer, int sm, int slot);
/* A block was seen to begin on this SM: what the policy keeps from kernel to kernel continues from there. */
void placement_observe(struct placer *placer, int sm);

/* All SMs (a set of ids) that the rule permits for the next block; their number. */
int placement_permitted(struct placer *placer, struct dispatch *dispatch, uint64_t *set);
/* The same where it is not known which of some blocks had left when the choice was made: two views (of the dispatch's shape) of two
 * chips, from one of which they are gone. */
int placement_permitted_between(struct placer *placer, struct dispatch *dispatch, struct room *one, struct room *other, uint64_t *set);
/* The most room that some SM surely has, 1 at least: what an SM needs to be chosen for its room. */
int between_needed(const struct between *between);
/* The rule that puts the next block on this SM; to be asked before the block is placed. */
enum decision placement_explain(struct placer *placer, struct dispatch *dispatch, int sm);

#endif
