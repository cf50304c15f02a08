/* Round robin: the next SM in the platform's order that takes the block. What most of the literature assumes; kept as the baseline. */
#include "machine/placement.h"

struct turn {
	int next; /* rank */
};

static void init(struct placer *placement)
{
	if (placement->state == NULL)
		placement->state = arena_allocate(placement->arena, 1, sizeof(struct turn));
	((struct turn *)placement->state)->next = 0;
}

static int choose(struct placer *placement, struct dispatch *dispatch)
{
	const struct turn *turn = placement->state;
	const struct limits *limits = placement->limits;
	int rank = turn->next;
	while (dispatch->room->of[limits->order[rank]] == 0)
		rank = (rank + 1) % limits->sm_count;
	return limits->order[rank];
}

static void placed(struct placer *placement, struct dispatch *dispatch, int sm)
{
	struct turn *turn = placement->state;
	(void)dispatch;
	turn->next = (placement->limits->rank[sm] + 1) % placement->limits->sm_count;
}

static void permit(struct placer *placement, struct dispatch *dispatch, uint64_t *set)
{
	set_add(set, choose(placement, dispatch));
}

const struct policy policy_round_robin = {.name = "round-robin", .init = init, .choose = choose, .placed = placed, .permit = permit};
