/* Where the SMs are: the map of GPCs and TPCs, and the order of choice. */
#include "input/reader.h"
#include "model/draft.h"

#define SM_LIMIT 4096 /* beyond any chip: a model asks for memory by this number */

/* Sizes the map by sm.count, every place unknown. False after a diagnostic. */
bool read_sm_count(struct reader *reader, const struct xml_element *element, struct platform *platform)
{
	const struct quantity *count = &platform->parameters[PARAMETER_SM_COUNT];
	if (!count->present)
		return false;
	if (count->value < 1 || count->value > SM_LIMIT) {
		COMPLAIN(reader, element, NUMBER_RANGE, "sm.count: expected 1 to %d SMs; got %lld", SM_LIMIT, (long long)count->value);
		return false;
	}
	platform->sms = arena_allocate(reader->arena, (size_t)count->value, sizeof *platform->sms);
	for (int64_t i = 0; i < count->value; i++)
		DRAFT(platform->sms)[i] = (struct sm_position){NO_ID, NO_ID, NO_ID};
	return true;
}

/* The SM ids of an element's text, each in range; where they may not repeat, `seen` marks those that were there. */
static int64_t *read_ids(struct reader *reader, const struct xml_element *element, int64_t sms, bool *seen, int *count)
{
	int64_t *ids = read_list(reader, element, UNIT_COUNT, count);
	int kept = 0;
	for (int i = 0; i < *count; i++) {
		if (ids[i] >= sms)
			COMPLAIN(reader, element, SM_MAP, "expected SM ids below sm.count, which is %lld; got %lld", (long long)sms,
				(long long)ids[i]);
		else if (seen[ids[i]])
			COMPLAIN(reader, element, SM_MAP, "expected each SM once; got %lld again", (long long)ids[i]);
		else {
			seen[ids[i]] = true;
			ids[kept++] = ids[i];
		}
	}
	*count = kept;
	return ids;
}

static void read_map(struct reader *reader, const struct xml_element *map, int64_t sms, struct platform *platform)
{
	bool *seen = arena_allocate(reader->arena, (size_t)sms, sizeof *seen);
	int tpc = 0;
	for (const struct xml_element *gpc = map->first; gpc != NULL; gpc = gpc->next) {
		int64_t ring = read_number(reader, gpc, "ring", UNIT_COUNT, ROUND_NEVER, NO_ID);
		int64_t id = read_number(reader, gpc, "id", UNIT_COUNT, ROUND_NEVER, NO_ID);
		if (id != platform->gpc_count)
			COMPLAIN(reader, gpc, SM_MAP, "expected GPC ids from 0 without gaps, here %d; got %lld", platform->gpc_count,
				(long long)id);
		if (ring > SM_LIMIT)
			COMPLAIN(reader, gpc, NUMBER_RANGE, "expected a ring of at most %d; got %lld", SM_LIMIT, (long long)ring);
		for (const struct xml_element *element = gpc->first; element != NULL; element = element->next, tpc++) {
			int count;
			int64_t *ids = read_ids(reader, element, sms, seen, &count);
			for (int i = 0; i < count; i++)
				DRAFT(platform->sms)[ids[i]] = (struct sm_position){platform->gpc_count, tpc, (int)ring};
		}
		platform->gpc_count++;
	}
}

static void read_order(struct reader *reader, const struct xml_element *order, int64_t sms, struct platform *platform)
{
	int count;
	bool *seen = arena_allocate(reader->arena, (size_t)sms, sizeof *seen);
	int64_t *ids = read_ids(reader, order, sms, seen, &count);
	if (count != sms) {
		COMPLAIN(reader, order, SM_MAP, "expected all %lld SMs in the order; got %d", (long long)sms, count);
		return;
	}
	platform->order = arena_allocate(reader->arena, (size_t)sms, sizeof *platform->order);
	for (int i = 0; i < count; i++)
		DRAFT(platform->order)[i] = (int)ids[i];
}

void read_sms(struct reader *reader, const struct xml_element *root, struct platform *platform)
{
	const struct xml_element *map = element_child(root, "sms"), *order = element_child(root, "order");
	if (!read_sm_count(reader, root, platform)) {
		bool absent = !platform->parameters[PARAMETER_SM_COUNT].present;
		if (absent && (map != NULL || order != NULL))
			COMPLAIN(reader, map != NULL ? map : order, SM_MAP,
				"expected the parameter sm.count beside a map or an order of SMs");
		return;
	}
	int64_t sms = platform->parameters[PARAMETER_SM_COUNT].value;
	if (map != NULL)
		read_map(reader, map, sms, platform);
	if (order != NULL)
		read_order(reader, order, sms, platform);
}
