/* First, last, tightest and random fit. */
#include "placement/fit.h"

static int first(struct placer *placer, struct dispatch *dispatch)
{
	int sm = 0;
	(void)placer;
	while (dispatch->room->of[sm] == 0)
		sm++;
	return sm;
}

static int last(struct placer *placer, struct dispatch *dispatch)
{
	int sm = placer->limits->sm_count - 1;
	while (dispatch->room->of[sm] == 0)
		sm--;
	return sm;
}

static int tightest(struct placer *placer, struct dispatch *dispatch)
{
	int level = __builtin_ctzll(dispatch->room->occupied) + 1;
	return placer->limits->order[set_least(room_level(dispatch->room, level))];
}

static int any(struct placer *placer, struct dispatch *dispatch)
{
	const uint8_t *room = dispatch->room->of;
	int sm_count = placer->limits->sm_count, fitting = 0, sm = -1;
	for (int s = 0; s < sm_count; s++)
		fitting += room[s] > 0;
	for (int left = (int)random_below(placer->state, (uint64_t)fitting); left >= 0; left--)
		do
			sm++;
		while (room[sm] == 0);
	return sm;
}

static void permit_all(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set)
{
	(void)dispatch;
	for (int s = 0; s < placer->limits->sm_count; s++)
		if (between_most(between, s) > 0)
			set_add(set, s);
}

void fit_draw_from(struct placer *placer, struct random *random)
{
	if (placer->policy == &policy_random)
		placer->state = random;
}

const struct policy policy_first = {.name = "first", .choose = first, .permit = permit_all};
const struct policy policy_last = {.name = "last", .choose = last, .permit = permit_all};
const struct policy policy_tightest = {.name = "tightest", .choose = tightest, .permit = permit_all};
const struct policy policy_random = {.name = "random", .choose = any, .permit = permit_all};
