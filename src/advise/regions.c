/* Partitions of the groups by restricted growth; in each, levels without gaps, slices, sizes and options. */
#include "advise/regions.h"

#include <string.h>

static void take(struct walk *walk, const struct plan *plan)
{
	walk->stopped |= !walk->take(walk->context, plan);
}

static bool enters(const struct walk *walk, const struct plan *plan, int groups, int slices)
{
	return !walk->stopped && (walk->enter == NULL || walk->enter(walk->context, plan, groups, slices));
}

/* ---- the plans of a region */

static void walk_options(struct walk *walk, struct plan *plan, int choice)
{
	if (choice == walk->space->choice_count) {
		if (!plan_is_stated(plan))
			take(walk, plan);
		return;
	}
	for (int i = KEPT; i < walk->space->choices[choice].option_count && !walk->stopped; i++) {
		plan->option[choice] = (signed char)i;
		walk_options(walk, plan, choice + 1);
	}
	plan->option[choice] = KEPT;
}

static void walk_sizes(struct walk *walk, struct plan *plan, int partition)
{
	if (partition == walk->space->partition_count) {
		if (!plan_resizes(plan) || space_has_room(walk->space, plan))
			walk_options(walk, plan, 0);
		return;
	}
	for (int i = KEPT; i < walk->space->sizes[partition].count && !walk->stopped; i++) {
		plan->size[partition] = (signed char)i;
		walk_sizes(walk, plan, partition + 1);
	}
	plan->size[partition] = KEPT;
}

static void walk_slices(struct walk *walk, struct plan *plan, int context)
{
	int contexts = plan_contexts(walk->space, plan);
	bool turns = contexts > 1 && walk->space->contexts_free;
	if (!turns || context == contexts) {
		walk_sizes(walk, plan, 0);
		return;
	}
	for (int i = walk->space->kept_slice || !plan->split ? KEPT : 0; i < walk->space->slice_count && !walk->stopped; i++) {
		plan->slice[context] = (signed char)i;
		if (enters(walk, plan, ALL_GIVEN, context + 1))
			walk_slices(walk, plan, context + 1);
	}
	plan->slice[context] = KEPT;
}

/* Each order of those that compete, equal levels included, once: levels without gaps. */
static void walk_levels(struct walk *walk, struct plan *plan, int group)
{
	const struct space *space = walk->space;
	if (group == space->group_count) {
		struct plan dense = *plan;
		plan_number_levels(space, &dense);
		if (memcmp(dense.level, plan->level, sizeof dense.level) != 0)
			return;
		plan->levels = plan_sets_levels(space, plan);
		if (enters(walk, plan, ALL_GIVEN, 0))
			walk_slices(walk, plan, 0);
		return;
	}
	int most = 0;
	for (int k = 0; k < space->group_count; k++)
		most += plan_compete(plan, group, k);
	most = most > space->levels ? (int)space->levels : most;
	for (int level = 0; level < most && !walk->stopped; level++) {
		plan->level[group] = (signed char)level;
		walk_levels(walk, plan, group + 1);
	}
	plan->level[group] = 0;
}

static void walk_contexts(struct walk *walk, struct plan *plan)
{
	const struct space *space = walk->space;
	int contexts = plan_contexts(space, plan);
	if (space->priorities_free && contexts < space->group_count) {
		walk_levels(walk, plan, 0);
	} else {
		plan->levels = false;
		walk_slices(walk, plan, 0);
	}
	plan->levels = false;
	if (space_may_share_streams(space) && contexts < space->group_count) {
		plan->one_stream = true;
		walk_slices(walk, plan, 0);
		plan->one_stream = false;
	}
}

void region_walk(struct walk *walk, const struct plan *region)
{
	struct plan plan = *region;
	if (walk->space->group_count == 0 || plan.merged || plan.locking == LOCKING_NONE || plan.locking == LOCKING_FIFO)
		walk_sizes(walk, &plan, 0);
	else if (plan.locking == LOCKING_PRIORITY)
		walk_levels(walk, &plan, 0);
	else
		walk_contexts(walk, &plan);
}

/* ---- the regions */

/* The contexts of the first groups are given: each further group joins one of them, or has its own. */
static void choose_contexts(struct walk *walk, struct plan *plan, int group, int contexts)
{
	if (group == walk->space->group_count) {
		plan->split = !plan_keeps_contexts(walk->space, plan);
		take(walk, plan);
		return;
	}
	for (int context = 0; context <= contexts && !walk->stopped; context++) {
		plan->context[group] = (signed char)context;
		plan->split = true;
		if (enters(walk, plan, group + 1, 0))
			choose_contexts(walk, plan, group + 1, context == contexts ? contexts + 1 : contexts);
	}
}

static void choose_locks(struct walk *walk)
{
	const struct space *space = walk->space;
	struct plan plan = space_as_stated(space);
	bool locks = space->set->lock_count > 0;
	for (enum locking locking = LOCKING_NONE; locking <= LOCKING_FIFO && space->lock_free && !walk->stopped; locking++) {
		bool there = locking == LOCKING_NONE ? locks : locks || space->hold != NULL;
		plan.locking = locking;
		if (there && (locking != LOCKING_PRIORITY || space->group_count > 0))
			take(walk, &plan);
	}
}

void regions_walk(struct walk *walk)
{
	const struct space *space = walk->space;
	struct plan plan = space_as_stated(space);
	if (space->group_count == 0)
		take(walk, &plan);
	if (space->contexts_free && taskset_contexts(space->set) > 1 && !walk->stopped) {
		plan.merged = true;
		take(walk, &plan);
		plan.merged = false;
	}
	choose_locks(walk);
	if (space->group_count == 0 || walk->stopped)
		return;
	if (space->contexts_free)
		choose_contexts(walk, &plan, 0, 0);
	else
		take(walk, &plan);
}

/* ---- all of them */

struct listing {
	const struct space *space;
	struct plan *items;
	int count, capacity, most;
	bool too_many;
};

static bool add(void *context, const struct plan *plan)
{
	struct listing *list = context;
	list->too_many |= list->count == list->most;
	if (list->too_many)
		return false;
	list->items = arena_grow(list->space->arena, list->items, &list->capacity, list->count + 1, sizeof *list->items);
	list->items[list->count++] = *plan;
	return true;
}

static bool add_region(void *context, const struct plan *region)
{
	struct listing *list = context;
	struct walk walk = {.space = list->space, .context = list, .take = add};
	region_walk(&walk, region);
	return !list->too_many;
}

struct plan *regions_list(const struct space *space, int most, int *count)
{
	struct listing list = {.space = space, .most = most};
	struct plan plan = space_as_stated(space);
	struct walk walk = {.space = space, .context = &list, .take = add_region};
	add(&list, &plan);
	regions_walk(&walk);
	*count = list.count;
	return list.too_many ? NULL : list.items;
}
