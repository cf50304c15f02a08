/* What the rules of Hopper leave open. */
#include "placement/hopper.h"

#include <string.h>

/* The room between two views, and what it says about the current batch: rule 2 fills the last batch in the platform's order, which begins
 * when all layers before it are served. */
struct batch {
	const struct between *between;
	uint64_t *possible, *sure; /* sets of SMs */
};

static void find_batch(const struct sm_limits *limits, int64_t left, struct batch *batch)
{
	int needed = between_needed(batch->between);
	int64_t possible = 0, sure = 0;
	memset(batch->possible, 0, (size_t)limits->words * sizeof *batch->possible);
	memset(batch->sure, 0, (size_t)limits->words * sizeof *batch->sure);
	for (int rank = 0; rank < limits->sm_count && sure < left; rank++) {
		int sm = limits->order[rank];
		if (between_most(batch->between, sm) < needed)
			continue;
		set_add(batch->possible, sm);
		if (++possible <= left && between_least(batch->between, sm) >= needed)
			set_add(batch->sure, sm);
		sure += between_least(batch->between, sm) >= needed;
	}
}

/* The SMs of a group that may be next: in ascending order, from the first on or going on after the last one placed, up to one that
 * surely is in the batch and has as much room. */
static void permit_group(const struct group *group, int after, const struct batch *batch, uint64_t *set)
{
	int sure_before = 0;
	for (int i = 0; i < group->count; i++) {
		int sm = group->sms[i];
		if (sm <= after)
			continue;
		if (set_has(batch->possible, sm) && between_most(batch->between, sm) > sure_before)
			set_add(set, sm);
		if (set_has(batch->sure, sm) && between_least(batch->between, sm) > sure_before)
			sure_before = between_least(batch->between, sm);
	}
}

/* Rule 12: how many blocks a singleton SM may have by now, where all groups of its ring are served in each cycle. */
static int early_share(const struct plan *plan, const struct ring *ring)
{
	int cycle = ring->count + 1 < CYCLE_TURNS ? CYCLE_TURNS - ring->count : 1;
	return 1 + (plan->placed_turns + 1) / cycle;
}

static void permit_early(const struct group *group, int share, const struct plan *plan, const struct batch *batch, uint64_t *set)
{
	for (int i = 0; i < group->count; i++)
		if (between_most(batch->between, group->sms[i]) > 0 && plan->placed_on[group->sms[i]] < share)
			set_add(set, group->sms[i]);
}

/* Is the room known, and the dispatch's own? */
static bool is_known(const struct sm_limits *limits, const struct dispatch *dispatch, const struct between *between)
{
	bool known = between->one == dispatch->room || between->other == dispatch->room;
	for (int sm = 0; sm < limits->sm_count && known && between->one != between->other; sm++)
		known = between_least(between, sm) == between_most(between, sm);
	return known;
}

/* Rule 12 opens a layer before the one before it is served: what the plan has next may have less room than others. */
static void permit_planned(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set)
{
	if (is_known(placer->limits, dispatch, between))
		set_add(set, placer->policy->choose(placer, dispatch));
}

/* Whose turn it is follows from the rings only while no completion interferes, so any group may be next. */
void hopper_permit(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set)
{
	const struct plan *plan = dispatch->state;
	const struct rings *rings = placer->state;
	struct batch batch = {between, plan->possible, plan->sure};
	find_batch(placer->limits, dispatch->blocks - dispatch->placed, &batch);
	for (int which = 0; which < RING_COUNT; which++) {
		const struct ring *ring = &rings->rings[which];
		for (int g = 0; g < ring->count; g++) {
			permit_group(&ring->groups[g], NO_ID, &batch, set);
			if (plan->last_turn == turn_number(which, g))
				permit_group(&ring->groups[g], plan->last_sm, &batch, set);
			if (which == RING_SINGLETONS)
				permit_early(&ring->groups[g], early_share(plan, ring), plan, &batch, set);
		}
	}
	permit_planned(placer, dispatch, between, set);
}
