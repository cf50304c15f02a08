/* Round robin: the next SM in the platform's order that takes the block. What most of the literature assumes; kept as the baseline. */
#include "placement/placement.h"

struct turn {
	int next; /* rank */
};

static void init(struct placer *placer)
{
	if (placer->state == NULL)
		placer->state = arena_allocate(placer->arena, 1, sizeof(struct turn));
	((struct turn *)placer->state)->next = 0;
}

static int choose(struct placer *placer, struct dispatch *dispatch)
{
	const struct turn *turn = placer->state;
	const struct sm_limits *limits = placer->limits;
	int rank = turn->next;
	while (dispatch->room->of[limits->order[rank]] == 0)
		rank = (rank + 1) % limits->sm_count;
	return limits->order[rank];
}

static void placed(struct placer *placer, struct dispatch *dispatch, int sm)
{
	struct turn *turn = placer->state;
	(void)dispatch;
	turn->next = (placer->limits->rank[sm] + 1) % placer->limits->sm_count;
}

/* In turn, up to the first SM that surely has room. */
static void permit(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set)
{
	const struct turn *turn = placer->state;
	const struct sm_limits *limits = placer->limits;
	(void)dispatch;
	for (int i = 0; i < limits->sm_count; i++) {
		int sm = limits->order[(turn->next + i) % limits->sm_count];
		if (between_most(between, sm) > 0)
			set_add(set, sm);
		if (between_least(between, sm) > 0)
			return;
	}
}

const struct policy policy_round_robin = {.name = "round-robin", .init = init, .choose = choose, .placed = placed, .permit = permit};
