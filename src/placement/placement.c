/* What all placement policies share: the life of a dispatch, the permitted set, the decision's name. */
#include "placement/placement.h"

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

void placement_init(struct placer *placer, struct arena *arena, struct chip *chip, const struct policy *policy)
{
	*placer = (struct placer){.policy = policy, .arena = arena, .limits = chip->limits, .chip = chip};
	placement_forget(placer);
}

void placement_init_beside(struct placer *placer, const struct placer *other, struct chip *chip)
{
	*placer = (struct placer){
		.policy = other->policy, .arena = other->arena, .limits = other->limits, .chip = chip, .state = other->state};
}

void placement_forget(struct placer *placer)
{
	if (placer->policy->init != NULL)
		placer->policy->init(placer);
}

static struct dispatch *create(struct placer *placer)
{
	const struct policy *policy = placer->policy;
	struct dispatch *dispatch = placer->idle;
	if (dispatch != NULL) {
		placer->idle = dispatch->next;
		return dispatch;
	}
	dispatch = arena_allocate(placer->arena, 1, sizeof *dispatch);
	if (policy->state_size != NULL)
		dispatch->state = arena_allocate(placer->arena, 1, policy->state_size(placer->limits));
	return dispatch;
}

struct dispatch *placement_begin(struct placer *placer, struct room *room, const int64_t grid[3])
{
	struct dispatch *dispatch = create(placer);
	dispatch->room = room;
	memcpy(dispatch->grid, grid, sizeof dispatch->grid);
	dispatch->blocks = checked_mul(checked_mul(grid[0], grid[1]), grid[2]);
	dispatch->placed = 0;
	dispatch->waited = false;
	chip_settle(placer->chip);
	room_refresh(room);
	if (placer->policy->begin != NULL)
		placer->policy->begin(placer, dispatch);
	return dispatch;
}

void placement_end(struct placer *placer, struct dispatch *dispatch)
{
	dispatch->next = placer->idle;
	placer->idle = dispatch;
}

int placement_choose(struct placer *placer, struct dispatch *dispatch)
{
	room_refresh(dispatch->room);
	if (dispatch->room->occupied == 0) {
		dispatch->waited = true;
		return NO_ID;
	}
	return placer->policy->choose(placer, dispatch);
}

int64_t placement_block(const struct placer *placer, const struct dispatch *dispatch)
{
	return placer->policy->block == NULL ? dispatch->placed : placer->policy->block(dispatch, dispatch->placed);
}

/* The view is fresh and promises room: no need to ask the SM again. */
static int place_promised(struct chip *chip, struct room *room, int s)
{
	struct sm *sm = &chip->sms[s];
	if (sm->count == 0)
		sm_configure(sm, room->shape);
	chip_log(chip, s);
	chip->residents++;
	room_move(room, s, room->of[s] - 1);
	room->seen++;
	return sm_put(sm, room->shape);
}

static int place_asking(struct chip *chip, struct room *room, int s, bool fresh)
{
	int slot = chip_take(chip, s, room->shape);
	if (slot >= 0 && fresh)
		room_fell(room, s);
	return slot;
}

int placement_place(struct placer *placer, struct dispatch *dispatch, int sm)
{
	struct chip *chip = placer->chip;
	struct room *room = dispatch->room;
	bool fresh = room->seen == chip->changes && room->of[sm] > 0;
	int slot = fresh && placer->limits->plain ? place_promised(chip, room, sm) : place_asking(chip, room, sm, fresh);
	if (slot < 0)
		return -1;
	dispatch->placed++;
	dispatch->waited = false;
	if (placer->policy->placed != NULL)
		placer->policy->placed(placer, dispatch, sm);
	return slot;
}

void placement_release(struct placer *placer, int sm, int slot)
{
	chip_release(placer->chip, sm, slot);
	if (placer->policy->released != NULL)
		placer->policy->released(placer, sm);
}

void placement_observe(struct placer *placer, int sm)
{
	if (placer->policy->placed != NULL)
		placer->policy->placed(placer, NULL, sm);
}

int between_needed(const struct between *between)
{
	int needed = 1;
	if (between->one == between->other)
		return room_greatest(between->one) > 0 ? room_greatest(between->one) : 1;
	for (int s = 0; s < between->one->chip->limits->sm_count; s++)
		if (between_least(between, s) > needed)
			needed = between_least(between, s);
	return needed;
}

/* An SM may be chosen if, at best, it has as much room as any other has at least; and no earlier one surely has as much. */
static void permit_most_room(const struct placer *placer, const struct between *between, uint64_t *set)
{
	const struct sm_limits *limits = placer->limits;
	int needed = between_needed(between), sure_before = 0;
	bool ordered = limits->platform->order != NULL;
	for (int rank = 0; rank < limits->sm_count; rank++) {
		int sm = limits->order[rank], most = between_most(between, sm), least = between_least(between, sm);
		if (most >= needed && (!ordered || most > sure_before))
			set_add(set, sm);
		if (least > sure_before)
			sure_before = least;
	}
}

int placement_permitted_between(struct placer *placer, struct dispatch *dispatch, struct room *one, struct room *other, uint64_t *set)
{
	struct between between = {one, other};
	memset(set, 0, (size_t)placer->limits->words * sizeof *set);
	room_refresh(one);
	room_refresh(other);
	if (one->occupied == 0 && other->occupied == 0)
		return 0;
	if (placer->policy->permit != NULL)
		placer->policy->permit(placer, dispatch, &between, set);
	else
		permit_most_room(placer, &between, set);
	return set_count(set, placer->limits->words);
}

int placement_permitted(struct placer *placer, struct dispatch *dispatch, uint64_t *set)
{
	return placement_permitted_between(placer, dispatch, dispatch->room, dispatch->room, set);
}

/* What the rooms of a view say about one choice. */
struct situation {
	int with_room, equals; /* SMs with any room; SMs with as much as the chosen one */
	bool idle_takes;       /* an idle SM would take the block */
	bool lesser;           /* some SM with room has less than the chosen one */
};

static struct situation look(const struct placer *placer, const struct room *room, int sm)
{
	struct situation situation = {0};
	for (int s = 0; s < placer->limits->sm_count; s++) {
		if (room->of[s] == 0)
			continue;
		situation.with_room++;
		situation.equals += room->of[s] == room->of[sm];
		situation.lesser |= room->of[s] < room->of[sm];
		situation.idle_takes |= placer->chip->sms[s].count == 0;
	}
	return situation;
}

static bool holds_another(const struct placer *placer, const struct shape *shape, int s)
{
	const struct sm *sm = &placer->chip->sms[s];
	for (int slot = 0; slot < placer->limits->blocks; slot++)
		if ((sm->slots_free >> slot & 1) == 0 && sm->residents[slot].shape != shape)
			return true;
	return false;
}

enum decision placement_explain(struct placer *placer, struct dispatch *dispatch, int sm)
{
	struct room *room = dispatch->room;
	bool waited = dispatch->waited;
	room_refresh(room);
	struct situation situation = look(placer, room, sm);
	if (waited)
		return DECISION_WAITED;
	if (situation.with_room <= 1)
		return DECISION_ONLY_FIT;
	if (situation.idle_takes && holds_another(placer, room->shape, sm))
		return DECISION_SAME_SM;
	if (placer->policy->block != NULL || room->of[sm] < room_greatest(room))
		return DECISION_IN_TURN;
	if (situation.equals > 1)
		return DECISION_TIE;
	return situation.lesser && !situation.idle_takes ? DECISION_LOAD_BALANCE : DECISION_MOST_ROOM;
}
