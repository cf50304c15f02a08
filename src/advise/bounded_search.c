/* Regions in a list, sorted by their limits; then each of them, in batches. */
#include "advise/bounded_search.h"

#include "advise/design_limits.h"

#include <stdlib.h>
#include <string.h>

#define REGIONS_MOST 50000 /* that are kept */
#define PLACES_MOST 500000 /* where processes of some groups are given */

struct region {
	struct plan plan;
	struct appraisal best; /* that one of its designs can be */
	int number;
};

struct bounding {
	const struct appraising *appraising;
	const struct search_options *options;
	const struct limits *limits;
	struct findings *findings;
	void (*try)(const struct appraising *appraising, const struct search_options *options, struct findings *findings, int count);
	struct region *regions;
	int count, places, waiting; /* waiting: designs at the end of findings that are not tried yet */
	bool too_many;
};

bool bounded_search_applies(const struct space *space)
{
	bool sized = false;
	for (int p = 0; p < space->partition_count; p++)
		sized |= space->sizes[p].count > 0;
	return space->choice_count == 0 && !sized && space->group_count > 0;
}

static bool can_win(const struct bounding *bounding, const struct appraisal *best)
{
	return search_compare(bounding->options->by, best, &bounding->findings->items[0].appraisal) < 0;
}

/* ---- regions */

static bool enter_groups(void *context, const struct plan *plan, int groups, int slices)
{
	struct bounding *bounding = context;
	bool all = groups >= bounding->appraising->space->group_count;
	struct appraisal best = all ? (struct appraisal){0} : limits_of(bounding->limits, plan, groups, slices);
	return all || can_win(bounding, &best);
}

/* Levels are not given yet. */
static bool keep_region(void *context, const struct plan *plan)
{
	struct bounding *bounding = context;
	struct appraisal best = limits_of(bounding->limits, plan, ALL_GIVEN, -1);
	bounding->too_many |= bounding->count == REGIONS_MOST || ++bounding->places == PLACES_MOST;
	if (!bounding->too_many && can_win(bounding, &best)) {
		bounding->regions[bounding->count] = (struct region){*plan, best, bounding->count};
		bounding->count++;
	}
	return !bounding->too_many && (bounding->options->stop == NULL || *bounding->options->stop == 0);
}

#define BY(what, by)                                                                                                                       \
	static int what(const void *one, const void *other)                                                                                \
	{                                                                                                                                  \
		const struct region *a = one, *b = other;                                                                                  \
		int order = search_compare(by, &a->best, &b->best);                                                                        \
		return order != 0 ? order : a->number - b->number;                                                                         \
	}
BY(region_by_assumptions, BY_ASSUMPTIONS)
BY(region_by_slack, BY_SLACK)
BY(region_by_response, BY_RESPONSE)
#undef BY

static void find_regions(struct arena *arena, struct bounding *bounding)
{
	static int (*const orders[])(const void *, const void *) = {
		[BY_ASSUMPTIONS] = region_by_assumptions, [BY_SLACK] = region_by_slack, [BY_RESPONSE] = region_by_response};
	struct walk walk = {bounding->appraising->space, bounding, enter_groups, keep_region, false};
	bounding->regions = arena_allocate(arena, REGIONS_MOST, sizeof *bounding->regions);
	regions_walk(&walk);
	qsort(bounding->regions, (size_t)bounding->count, sizeof *bounding->regions, orders[bounding->options->by]);
}

/* ---- designs */

static void try_waiting(struct bounding *bounding)
{
	int count = bounding->waiting;
	bounding->waiting = 0;
	if (count > 0)
		bounding->try(bounding->appraising, bounding->options, bounding->findings, count);
}

static bool enter_slices(void *context, const struct plan *plan, int groups, int slices)
{
	struct bounding *bounding = context;
	struct appraisal best = limits_of(bounding->limits, plan, groups, slices);
	return can_win(bounding, &best);
}

static bool take_design(void *context, const struct plan *plan)
{
	struct bounding *bounding = context;
	struct findings *findings = bounding->findings;
	for (int i = 0; i < findings->count; i++)
		if (memcmp(&findings->items[i].plan, plan, sizeof *plan) == 0)
			return true;
	if (findings->count + bounding->waiting == bounding->options->most)
		return false;
	findings->items[findings->count + bounding->waiting++] = (struct found){.plan = *plan};
	if (bounding->waiting == SEARCH_BATCH)
		try_waiting(bounding);
	return bounding->options->stop == NULL || *bounding->options->stop == 0;
}

/* Is all of it tried, or left out with reason? */
static bool exhaust_region(struct bounding *bounding, const struct plan *plan)
{
	struct walk walk = {bounding->appraising->space, bounding, enter_slices, take_design, false};
	region_walk(&walk, plan);
	try_waiting(bounding);
	return !walk.stopped;
}

void bounded_search(struct arena *arena, const struct appraising *appraising, const struct search_options *options,
	struct findings *findings,
	void (*try)(const struct appraising *appraising, const struct search_options *options, struct findings *findings, int count))
{
	struct bounding bounding = {.appraising = appraising, .options = options, .findings = findings, .try = try};
	bounding.limits = limits_find(arena, appraising->space, appraising->task);
	find_regions(arena, &bounding);
	for (int i = 0; i < bounding.count && can_win(&bounding, &bounding.regions[i].best); i++) {
		if (exhaust_region(&bounding, &bounding.regions[i].plan))
			continue;
		findings->limit = bounding.regions[i].best;
		findings->limited = true;
		break;
	}
	findings->branched = true;
	findings->proved = !findings->limited && !bounding.too_many && (options->stop == NULL || *options->stop == 0);
	findings->limited &= !bounding.too_many;
}

void bounded_search_limit(struct arena *arena, const struct appraising *appraising, struct findings *findings)
{
	struct plan stated = space_as_stated(appraising->space);
	findings->limit = limits_of(limits_find(arena, appraising->space, appraising->task), &stated, 0, 0);
	findings->limited = true;
}
