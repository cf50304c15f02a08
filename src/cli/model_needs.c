/* What a bound on this platform would still need declared. */
#include "cli/model_rows.h"

#define LACK_LIMIT 24

enum lack_kind {
	LACK_ENGINE,
	LACK_FACTOR,
	LACK_TRANSFER /* of a copy */,
	LACK_CHOICE_COPY_RUNLIST,
	LACK_CHOICE_PREEMPTION,
	LACK_MAP,
	LACK_ORDER
};

struct lack {
	enum lack_kind kind;
	int which;            /* enum parameter, direction or interferer */
	bool integrated_only; /* asked for on an integrated GPU only */
};

struct purpose {
	const char *tag, *text;
	enum parameter_topic topic;    /* its numbers come first: the parameters of this topic */
	struct lack lacks[LACK_LIMIT]; /* then these */
	int count;
};

#define F(symbol)                                                                                                                          \
	{                                                                                                                                  \
		LACK_FACTOR, INTERFERER_##symbol, false                                                                                    \
	}
#define E(symbol)                                                                                                                          \
	{                                                                                                                                  \
		LACK_ENGINE, DIRECTION_##symbol, false                                                                                     \
	}

static const struct purpose purposes[] = {
	{"limits", "blocks on SMs", TOPIC_LIMITS, {{0}}, 0},
	{"overheads", "launches", TOPIC_OVERHEADS, {{0}}, 0},
	{"copies", "copies", TOPIC_COPIES, {E(H2D), E(D2H), E(D2D), E(MEMSET), {LACK_CHOICE_COPY_RUNLIST, 0, false}}, 5},
	{"contexts", "several contexts", TOPIC_CONTEXTS, {{LACK_CHOICE_PREEMPTION, 0, false}}, 1},
	{"interference", "memory interference", TOPIC_NONE,
		{F(SM), F(TPC), F(GPC), F(OUT), F(H2D), F(D2H), F(D2D), F(MEMSET), {LACK_TRANSFER, INTERFERER_EE, false},
			{LACK_FACTOR, INTERFERER_CPU, true}, {LACK_TRANSFER, INTERFERER_CPU, true}, {LACK_FACTOR, INTERFERER_OTHER, true},
			{LACK_TRANSFER, INTERFERER_OTHER, true}},
		13},
	{"map", "placement", TOPIC_NONE, {{LACK_MAP, 0, false}, {LACK_ORDER, 0, false}}, 2},
};

#undef F
#undef E

static bool has_factor(const struct platform *platform, int source, bool of_copy)
{
	for (int i = 0; i < platform->interference_count; i++)
		if (platform->interference[i].source == (enum interferer)source && platform->interference[i].is_copy == of_copy)
			return true;
	return false;
}

/* The name of what is missing; NULL: it is there. */
static const char *missing(struct arena *arena, const struct platform *platform, const struct lack *lack)
{
	if (lack->integrated_only && !platform->integrated)
		return NULL;
	switch (lack->kind) {
	case LACK_ENGINE:
		return platform->engine_of[lack->which] != ENGINE_NONE ? NULL
								       : arena_format(arena, "engine.%s", direction_names[lack->which]);
	case LACK_FACTOR:
		return has_factor(platform, lack->which, false) ? NULL : arena_format(arena, "from=%s", interferer_names[lack->which]);
	case LACK_TRANSFER:
		return has_factor(platform, lack->which, true)
			       ? NULL
			       : arena_format(arena, "from=%s,victim=transfer", interferer_names[lack->which]);
	case LACK_CHOICE_COPY_RUNLIST: return platform->copy_runlist != COPY_RUNLIST_UNKNOWN ? NULL : "copy-runlist";
	case LACK_CHOICE_PREEMPTION: return platform->preemption != PREEMPTION_UNKNOWN ? NULL : "preemption";
	case LACK_MAP: return platform->map_source != NULL ? NULL : "sms";
	case LACK_ORDER: return platform->order != NULL ? NULL : "order";
	}
	return NULL;
}

static const char *join(struct arena *arena, const char *names, const char *name)
{
	return name == NULL ? names : arena_format(arena, "%s%s%s", names, *names != '\0' ? " " : "", name);
}

static const char *list_missing(struct arena *arena, const struct platform *platform, const struct purpose *purpose)
{
	const char *names = "";
	for (int i = 0; i < PARAMETER_COUNT && purpose->topic != TOPIC_NONE; i++)
		if (parameter_kinds[i].topic == purpose->topic && !platform->parameters[i].present)
			names = join(arena, names, parameter_kinds[i].name);
	for (int i = 0; i < purpose->count; i++)
		names = join(arena, names, missing(arena, platform, &purpose->lacks[i]));
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
