#include "model/platform.h"

#include <stddef.h>
#include <string.h>

const struct parameter_kind parameter_kinds[PARAMETER_COUNT] = {
#define LESSENED true
#define KEPT false
#define PARAMETER(symbol, name, unit, side, least, most, need, stand_in, topic, lessened, meaning, where)                                  \
	{name, UNIT_##unit, SIDE_##side, least, most, NEED_##need, stand_in, TOPIC_##topic, lessened, meaning, where},
#include "model/parameters.def"
#undef PARAMETER
#undef LESSENED
#undef KEPT
};

const struct assumption_kind assumption_kinds[ASSUMPTION_COUNT] = {
#define ASSUMPTION(symbol, id, status, statement, discharge) {id, STATUS_##status, statement, discharge},
#include "model/assumptions.def"
#undef ASSUMPTION
};

/* Names as they stand in XML; each list ends with NULL. */
const char *const condition_names[] = {"board", "driver", "power-mode", NULL};

const char *const placement_names[] = {"unknown", "most-room", "round-robin", "fermi", "hopper", NULL};
const char *const copy_runlist_names[] = {"unknown", "own", "shared", NULL};
const char *const preemption_names[] = {"unknown", "block", "instruction", NULL};
const char *const ternary_names[] = {"unknown", "no", "yes", NULL};
const char *const direction_names[] = {"h2d", "d2h", "d2d", "peer", "memset", NULL};
const char *const access_names[] = {"any", "compute", "read", "write", "copy", NULL};
const char *const interferer_names[] = {"sm", "tpc", "gpc", "out", "h2d", "d2h", "d2d", "memset", "cpu", "other", "ee", "all", NULL};
const char *const composition_names[] = {"multiplicative", "additive", "maximum", "joint", NULL};

static const char *const status_names[] = {"unstated", "holds", "assumed", "broken", "conditional"};

int parameter_find(const char *name)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (strcmp(parameter_kinds[i].name, name) == 0)
			return i;
	return -1;
}

int assumption_find(const char *id)
{
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (strcmp(assumption_kinds[i].id, id) == 0)
			return i;
	return -1;
}

const char *assumption_status_name(enum assumption_status status)
{
	return status_names[status];
}

bool platform_grants_all(const struct platform *platform, uint64_t assumptions)
{
	while (assumptions != 0)
		if (!platform_grants(platform, assumption_take(&assumptions)))
			return false;
	return true;
}

uint64_t platform_granted(const struct platform *platform)
{
	uint64_t granted = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (platform_grants(platform, (enum assumption)i))
			granted |= assumption_bit((enum assumption)i);
	return granted;
}

uint64_t platform_conditions(const struct platform *platform, uint64_t assumptions)
{
	uint64_t conditions = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (platform->assumptions[i].status == STATUS_CONDITIONAL)
			conditions |= assumptions & assumption_bit((enum assumption)i);
	return conditions;
}

const char *assumption_evidence(struct arena *arena, const struct assumption_state *state)
{
	return state->why == NULL || state->source == NULL ? state->source : arena_format(arena, "%s (%s)", state->why, state->source);
}

bool platform_slows(const struct platform *platform)
{
	for (int i = 0; i < platform->interference_count; i++)
		if (rational_compare(platform->interference[i].factor, rational_of(1)) > 0)
			return true;
	return false;
}

bool platform_keeps_slots(const struct platform *platform)
{
	return platform->compute_capability == 90;
}
