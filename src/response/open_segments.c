#include "response/open_segments.h"

#include "base/plant.h"

static bool has(const struct open_rules *rules, const struct chain_of_classes *chain, enum place place, int engine)
{
	for (int i = 0; i < chain->count; i++) {
		const struct class *class = &rules->classes->items[chain->first + i];
		if (class->place == place && (place != PLACE_COPY || class->engine == engine))
			return true;
	}
	return false;
}

static int level_of(const struct open_rules *rules, const struct chain_of_classes *chain)
{
	return rules->w->set->streams[chain->stream].level;
}

/* Do copies of both meet on an engine? */
static bool share_engine(const struct open_rules *rules, const struct chain_of_classes *a, const struct chain_of_classes *b)
{
	for (int i = 0; i < a->count; i++) {
		const struct class *class = &rules->classes->items[a->first + i];
		if (class->place == PLACE_COPY && has(rules, b, PLACE_COPY, class->engine))
			return true;
	}
	return false;
}

static bool waits_for(const struct open_rules *rules, const struct chain_of_classes *chain, const struct chain_of_classes *other)
{
	for (int i = 0; i < chain->count; i++) {
		int record = rules->classes->items[chain->first + i].record;
		if (record != NO_ID && &rules->classes->chains[rules->classes->items[record].chain] == other)
			return true;
	}
	return false;
}

/* What the one rests on of the other one, in words; NULL: nothing. */
static const char *tie(const struct open_rules *rules, const struct chain_of_classes *chain, const struct chain_of_classes *other)
{
	const struct segment *segments = rules->w->segments->items;
	bool kernels = has(rules, chain, PLACE_EXECUTION, ENGINE_NONE) && has(rules, other, PLACE_EXECUTION, ENGINE_NONE);
	if (other->stream == chain->stream)
		return "is in the same stream";
	if (waits_for(rules, chain, other))
		return "records an event for which it waits";
	if (segments[other->segment].task == segments[chain->segment].task && other->segment < chain->segment)
		return "comes before it";
	if (kernels && rules->volume)
		return "has kernels, whose volume is all counted";
	if (kernels && level_of(rules, other) < level_of(rules, chain))
		return "has kernels of a higher level";
	if (!rules->fifo_copies && share_engine(rules, chain, other))
		return "has copies on the same engine, which are served in any order";
	return NULL;
}

/* A context on one of the chain's copy engines, of whose copies nobody knows how many there are; NO_ID: there is none. */
static int unknown_context(const struct open_rules *rules, const struct chain_of_classes *chain)
{
	const struct entries *entries = rules->copies->entries;
	for (int i = 0; entries != NULL && i < entries->copy_count; i++) {
		const struct demand_item *item = &entries->copies[i];
		if (item->work == NONE && item->context != rules->copies->context && has(rules, chain, PLACE_COPY, item->engine))
			return item->context;
	}
	return NO_ID;
}

static const char *reason_of(const struct open_rules *rules, const struct chain_of_classes *chain, const char *otherwise)
{
	const struct workload *w = rules->w;
	int context = unknown_context(rules, chain);
	if (context != NO_ID)
		return arena_format(
			w->arena, "copies of %s on the same copy engine, for which there is no bound", w->runlist->contexts[context].name);
	for (int i = 0; i < rules->classes->chain_count; i++) {
		const struct chain_of_classes *other = &rules->classes->chains[i];
		const char *how = other->segment == chain->segment || other->open == NULL ? NULL : tie(rules, chain, other);
		if (how != NULL)
			return arena_format(w->arena, "%s %s, and has no bound of this kind", w->segments->items[other->segment].name, how);
	}
	return otherwise;
}

void open_chain(const struct open_rules *rules, struct chain_of_classes *chain, const char *otherwise)
{
	chain->open = reason_of(rules, chain, otherwise);
	chain->response = NONE;
	chain->completion[chain->count] = NONE;
	for (int i = 0; i < chain->count; i++) {
		rules->classes->items[chain->first + i].arrivals.jitter = planted(PLANT_ENDLESS) ? -NONE / 2 : NONE;
		rules->classes->items[chain->first + i].reach = NONE;
	}
}
