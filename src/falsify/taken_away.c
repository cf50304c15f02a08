#include "falsify/taken_away.h"

#include "base/refinement.h"
#include "response/analysis.h"
#include "response/start_delays.h"

#include <string.h>

#define IN(group) (1u << GROUP_##group)

const struct item_kind item_kinds[] = {
#define ITEM(symbol, name, meaning, refinements, bounds, order, groups) {name, meaning, refinements, bounds, order, groups},
#include "falsify/taken_away.def"
#undef ITEM
};

const struct yardstick_group_kind yardstick_groups[] = {
	{"any", "Phases any"},
	{"known", "Phases known"},
	{"delays", "Start delays"},
	{"slowed", "Slowed by one another"},
	{"slowed-known", "Slowed by one another, phases known"},
};

int item_find(const char *name)
{
	for (int i = 0; i < ITEM_COUNT; i++)
		if (strcmp(item_kinds[i].name, name) == 0)
			return i;
	return NO_ID;
}

bool item_switches(int item)
{
	return item_kinds[item].refinements == 0 || REFINEMENTS_SWITCH;
}

enum yardstick_group items_group(const struct subject *subject)
{
	bool known = subject->set->tasks[0].offset != NONE;
	if (start_delays_replace_order(subject->platform))
		return GROUP_DELAYS;
	if (platform_slows(subject->platform))
		return known ? GROUP_SLOWED_KNOWN : GROUP_SLOWED;
	return known ? GROUP_KNOWN : GROUP_ANY;
}

static const struct platform *without_order(const struct subject *subject)
{
	struct platform *platform = arena_allocate(subject->arena, 1, sizeof *platform);
	*platform = *subject->platform;
	platform->assumptions[ASSUMPTION_ORDER].status = STATUS_UNSTATED;
	return platform;
}

static void leave_out(const struct subject *subject, struct response *response, uint64_t bounds)
{
	for (int i = 0; i < subject->set->task_count; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			if (bounds >> j & 1)
				response->tasks[i].bounds[j].value = NONE;
}

const struct response *items_response(const struct subject *subject, unsigned items)
{
	const struct platform *platform = subject->platform;
	struct derivation derivation;
	uint64_t bounds = 0;
	int refinements = 0;
	if (items == 0)
		return subject->response;
	for (int i = 0; i < ITEM_COUNT; i++) {
		if ((items & ITEM_BIT(i)) == 0)
			continue;
		refinements |= item_kinds[i].refinements;
		bounds |= item_kinds[i].bounds;
		platform = item_kinds[i].order ? without_order(subject) : platform;
	}
	derivation_init_mute(&derivation);
	refinements_leave_out(refinements);
	struct response *response =
		analysis_compute(subject->arena, platform, subject->set, subject->map, &derivation, RESPONSE_SOLVER_ITERATIONS, NULL)
			.response;
	refinements_leave_out(0);
	leave_out(subject, response, bounds);
	return response;
}
