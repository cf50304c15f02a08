/* What all placement policies share: the life of a dispatch, the permitted set, the decision's name. */
#include "machine/placement.h"

#include <string.h>

const char *const decision_names[] = {"most-room", "tie-by-order", "same-sm", "load-balance", "only-fit", "waited", "in-turn", NULL};

const struct policy *policy_of(enum placement kind)
{
	static const struct policy *const policies[] = {
		[PLACEMENT_UNKNOWN] = &policy_most_room,
		[PLACEMENT_MOST_ROOM] = &policy_most_room,
		[PLACEMENT_ROUND_ROBIN] = &policy_round_robin,
		[PLACEMENT_FERMI] = &policy_fermi,
		[PLACEMENT_HOPPER] = &policy_hopper,
	};
	return policies[kind];
}

void placement_init(struct placer *placement, struct arena *arena, struct chip *chip, const struct policy *policy)
{
	*placement = (struct placer){.policy = policy, .arena = arena, .limits = chip->limits, .chip = chip};
	placement_forget(placement);
}

void placement_forget(struct placer *placement)
{
	if (placement->policy->init != NULL)
		placement->policy->init(placement);
}

static struct dispatch *create(struct placer *placement)
{
	const struct policy *policy = placement->policy;
	struct dispatch *dispatch = placement->idle;
	if (dispatch != NULL) {
		placement->idle = dispatch->next;
		return dispatch;
	}
	dispatch = arena_allocate(placement->arena, 1, sizeof *dispatch);
	if (policy->state_size != NULL)
		dispatch->state = arena_allocate(placement->arena, 1, policy->state_size(placement->limits));
	return dispatch;
}

struct dispatch *placement_begin(struct placer *placement, struct room *room, const int64_t grid[3])
{
	struct dispatch *dispatch = create(placement);
	dispatch->room = room;
	memcpy(dispatch->grid, grid, sizeof dispatch->grid);
	dispatch->blocks = checked_mul(checked_mul(grid[0], grid[1]), grid[2]);
	dispatch->placed = 0;
	dispatch->waited = false;
	room_refresh(room);
	if (placement->policy->begin != NULL)
		placement->policy->begin(placement, dispatch);
	return dispatch;
}

void placement_end(struct placer *placement, struct dispatch *dispatch)
{
	dispatch->next = placement->idle;
	placement->idle = dispatch;
}

int placement_choose(struct placer *placement, struct dispatch *dispatch)
{
	room_refresh(dispatch->room);
	if (dispatch->room->occupied == 0) {
		dispatch->waited = true;
		return NO_ID;
	}
	return placement->policy->choose(placement, dispatch);
}

int64_t placement_block(const struct placer *placement, const struct dispatch *dispatch)
{
	return placement->policy->block == NULL ? dispatch->placed : placement->policy->block(dispatch, dispatch->placed);
}

int placement_place(struct placer *placement, struct dispatch *dispatch, int sm)
{
	bool fresh = dispatch->room->seen == placement->chip->changes && dispatch->room->of[sm] > 0;
	int slot = chip_take(placement->chip, sm, dispatch->room->shape);
	if (slot < 0)
		return -1;
	if (fresh)
		room_fell(dispatch->room, sm);
	dispatch->placed++;
	dispatch->waited = false;
	if (placement->policy->placed != NULL)
		placement->policy->placed(placement, dispatch, sm);
	return slot;
}

void placement_release(struct placer *placement, int sm, int slot)
{
	chip_release(placement->chip, sm, slot);
	if (placement->policy->released != NULL)
		placement->policy->released(placement, sm);
}

void placement_observe(struct placer *placement, int sm)
{
	if (placement->policy->placed != NULL)
		placement->policy->placed(placement, NULL, sm);
}

int placement_permitted(struct placer *placement, struct dispatch *dispatch, uint64_t *set)
{
	const struct limits *limits = placement->limits;
	memset(set, 0, (size_t)limits->words * sizeof *set);
	room_refresh(dispatch->room);
	int greatest = room_greatest(dispatch->room);
	if (greatest == 0)
		return 0;
	if (placement->policy->permit != NULL) {
		placement->policy->permit(placement, dispatch, set);
		return set_count(set, limits->words);
	}
	const uint64_t *level = room_level(dispatch->room, greatest);
	for (int rank = set_first(level, limits->words, 0); rank != NO_ID; rank = set_first(level, limits->words, rank + 1))
		set_add(set, limits->order[rank]);
	return set_count(set, limits->words);
}

/* What the rooms of a view say about one choice. */
struct situation {
	int with_room, equals; /* SMs with any room; SMs with as much as the chosen one */
	bool idle_takes;       /* an idle SM would take the block */
	bool lesser;           /* some SM with room has less than the chosen one */
};

static struct situation look(const struct placer *placement, const struct room *room, int sm)
{
	struct situation situation = {0};
	for (int s = 0; s < placement->limits->sm_count; s++) {
		if (room->of[s] == 0)
			continue;
		situation.with_room++;
		situation.equals += room->of[s] == room->of[sm];
		situation.lesser |= room->of[s] < room->of[sm];
		situation.idle_takes |= placement->chip->sms[s].count == 0;
	}
	return situation;
}

static bool holds_another(const struct placer *placement, const struct shape *shape, int s)
{
	const struct sm *sm = &placement->chip->sms[s];
	for (int slot = 0; slot < placement->limits->blocks; slot++)
		if ((sm->slots_free >> slot & 1) == 0 && sm->residents[slot].shape != shape)
			return true;
	return false;
}

enum decision placement_explain(struct placer *placement, struct dispatch *dispatch, int sm)
{
	struct room *room = dispatch->room;
	bool waited = dispatch->waited;
	room_refresh(room);
	struct situation situation = look(placement, room, sm);
	if (waited)
		return DECISION_WAITED;
	if (situation.with_room <= 1)
		return DECISION_ONLY_FIT;
	if (situation.idle_takes && holds_another(placement, room->shape, sm))
		return DECISION_SAME_SM;
	if (placement->policy->block != NULL || room->of[sm] < room_greatest(room))
		return DECISION_IN_TURN;
	if (situation.equals > 1)
		return DECISION_TIE;
	return situation.lesser && !situation.idle_takes ? DECISION_LOAD_BALANCE : DECISION_MOST_ROOM;
}
