/* What a bound on this platform would still need declared. */
#include "cli/model_rows.h"

#define NEED_LIMIT 24

enum need_kind { NEED_PARAMETER, NEED_ENGINE, NEED_FACTOR, NEED_CHOICE_COPY_RUNLIST, NEED_CHOICE_PREEMPTION, NEED_MAP, NEED_ORDER };

struct need {
	enum need_kind kind;
	int which;            /* enum parameter, direction or interferer */
	bool integrated_only; /* asked for on an integrated GPU only */
};

struct purpose {
	const char *tag, *text;
	struct need needs[NEED_LIMIT];
	int count;
};

#define P(symbol)                                                                                                                          \
	{                                                                                                                                  \
		NEED_PARAMETER, PARAMETER_##symbol, false                                                                                  \
	}
#define F(symbol)                                                                                                                          \
	{                                                                                                                                  \
		NEED_FACTOR, INTERFERER_##symbol, false                                                                                    \
	}
#define E(symbol)                                                                                                                          \
	{                                                                                                                                  \
		NEED_ENGINE, DIRECTION_##symbol, false                                                                                     \
	}

static const struct purpose purposes[] = {
	{"limits", "blocks on SMs",
		{P(SM_COUNT), P(SM_WARPS), P(SM_BLOCKS), P(SM_SUBPARTITIONS), P(SM_REGISTERS), P(SM_SHARED), P(REGISTER_UNIT),
			P(SHARED_UNIT), P(SHARED_RESERVED), P(BLOCK_THREADS), P(BLOCK_REGISTERS), P(BLOCK_SHARED), P(THREAD_REGISTERS)},
		13},
	{"overheads", "launches", {P(OVERHEAD_LAUNCH), P(OVERHEAD_BLOCK), P(OVERHEAD_DEPENDENCY)}, 3},
	{"copies", "copies", {P(OVERHEAD_COPY), E(H2D), E(D2H), E(D2D), E(MEMSET), {NEED_CHOICE_COPY_RUNLIST, 0, false}}, 6},
	{"contexts", "several contexts", {P(RUNLIST_TIMESLICE), P(RUNLIST_SWITCH), {NEED_CHOICE_PREEMPTION, 0, false}}, 3},
	{"interference", "memory interference",
		{F(SM), F(TPC), F(GPC), F(OUT), F(H2D), F(D2H), F(D2D), F(MEMSET), F(EE), {NEED_FACTOR, INTERFERER_CPU, true},
			{NEED_FACTOR, INTERFERER_OTHER, true}},
		11},
	{"map", "placement", {{NEED_MAP, 0, false}, {NEED_ORDER, 0, false}}, 2},
};

#undef P
#undef F
#undef E

static bool has_factor(const struct platform *platform, int source)
{
	for (int i = 0; i < platform->interference_count; i++)
		if (platform->interference[i].source == (enum interferer)source)
			return true;
	return false;
}

/* The name of what is missing; NULL: it is there. */
static const char *missing(struct arena *arena, const struct platform *platform, const struct need *need)
{
	if (need->integrated_only && !platform->integrated)
		return NULL;
	switch (need->kind) {
	case NEED_PARAMETER: return platform->parameters[need->which].present ? NULL : parameter_kinds[need->which].name;
	case NEED_ENGINE:
		return platform->engine_of[need->which] != ENGINE_NONE ? NULL
								       : arena_format(arena, "engine.%s", direction_names[need->which]);
	case NEED_FACTOR: return has_factor(platform, need->which) ? NULL : arena_format(arena, "from=%s", interferer_names[need->which]);
	case NEED_CHOICE_COPY_RUNLIST: return platform->copy_runlist != COPY_RUNLIST_UNKNOWN ? NULL : "copy-runlist";
	case NEED_CHOICE_PREEMPTION: return platform->preemption != PREEMPTION_UNKNOWN ? NULL : "preemption";
	case NEED_MAP: return platform->map_source != NULL ? NULL : "sms";
	case NEED_ORDER: return platform->order != NULL ? NULL : "order";
	}
	return NULL;
}

static const char *list_missing(struct arena *arena, const struct platform *platform, const struct purpose *purpose)
{
	const char *names = "";
	for (int i = 0; i < purpose->count; i++) {
		const char *name = missing(arena, platform, &purpose->needs[i]);
		if (name != NULL)
			names = arena_format(arena, "%s%s%s", names, *names != '\0' ? " " : "", name);
	}
	return names;
}

struct model_need *model_needs(struct arena *arena, const struct platform *platform)
{
	int count = (int)(sizeof purposes / sizeof *purposes);
	struct model_need *needs = arena_allocate(arena, (size_t)count + 1, sizeof *needs);
	for (int i = 0; i < count; i++)
		needs[i] = (struct model_need){purposes[i].tag, purposes[i].text, list_missing(arena, platform, &purposes[i])};
	return needs;
}
