#include "response/siblings.h"

#include "base/plant.h"
#include "model/limits.h"

/* ---- order */

static void find_records(struct classes *classes, const struct taskset *set)
{
	int *record_of = arena_allocate(classes->arena, (size_t)set->event_count + 1, sizeof *record_of);
	for (int i = 0; i < classes->count; i++)
		if (set->operations[classes->items[i].operation].kind == OPERATION_RECORD)
			record_of[set->operations[classes->items[i].operation].event] = i + 1;
	for (int i = 0; i < classes->count; i++)
		if (set->operations[classes->items[i].operation].kind == OPERATION_WAIT)
			classes->items[i].record = record_of[set->operations[classes->items[i].operation].event] - 1;
}

static void add_holds(struct classes *classes, struct chain_of_classes *chain)
{
	int room = 0;
	for (int i = 0; i < chain->count; i++) {
		if (classes->items[chain->first + i].record == NO_ID)
			continue;
		chain->holds = arena_grow(classes->arena, chain->holds, &room, chain->hold_count + 1, sizeof *chain->holds);
		chain->holds[chain->hold_count++] =
			(struct hold){i, arena_allocate(classes->arena, (size_t)chain->count + 1, sizeof(int64_t))};
	}
}

static bool same_segment(const struct classes *classes, const struct class *a, const struct class *b)
{
	return classes->chains[a->chain].segment == classes->chains[b->chain].segment;
}

/* All that is before `from`, and `from`, is before `to`. */
static void follow(struct class *items, const struct siblings *of, int from, int to)
{
	for (int i = 0; i < of->count && of->before != NULL; i++)
		of->before[i * of->count + to] |= i == from || of->before[i * of->count + from];
	items[to].early = checked_max(items[to].early, checked_add(items[from].early, items[from].least));
}

/* In order of issue, as everything that an operation depends on is issued before it. */
static void order_segment(struct classes *classes, const struct segment *segment, const struct siblings *of)
{
	struct class *items = &classes->items[of->first];
	int *place = arena_allocate(classes->arena, (size_t)of->count + 1, sizeof *place); /* in `items`, of an operation of the segment */
	for (int i = 0; i < of->count; i++)
		place[items[i].operation - segment->first] = i;
	for (int i = 0; i < of->count; i++) {
		int to = place[i];
		if (items[to].position > 0)
			follow(items, of, to - 1, to);
		if (items[to].record != NO_ID && same_segment(classes, &items[to], &classes->items[items[to].record]))
			follow(items, of, items[to].record - of->first, to);
	}
}

bool siblings_are(const struct classes *classes, const struct chain_of_classes *a, const struct chain_of_classes *b)
{
	return classes->presence[a->place].task == classes->presence[b->place].task;
}

/* A task's chains follow one another. */
static void find_apart(struct classes *classes)
{
	int end;
	for (int first = 0; first < classes->chain_count; first = end) {
		const struct chain_of_classes *chains = classes->chains;
		bool streams = false, places = false;
		for (end = first; end < classes->chain_count && siblings_are(classes, &chains[first], &chains[end]); end++) {
			streams |= chains[end].stream != chains[first].stream;
			places |= chains[end].place != chains[first].place;
		}
		for (int i = first; i < end; i++) {
			struct siblings *of = &classes->siblings[chains[i].place];
			of->apart = of->before != NULL || (streams && places);
		}
	}
}

void siblings_link(struct classes *classes, const struct taskset *set, const struct segments *segments)
{
	find_records(classes, set);
	for (int i = 0; i < classes->chain_count; i++) {
		struct chain_of_classes *chain = &classes->chains[i];
		const struct segment *segment = &segments->items[chain->segment];
		struct siblings *of = &classes->siblings[chain->place];
		add_holds(classes, chain);
		if (chain->hold_count > 0)
			classes->several = arena_format(classes->arena, "%s synchronises by events", segment->name);
		if (chain->first != of->first)
			continue;
		if (chain->count < of->count && of->count <= LIMIT_SIBLINGS_ORDERED)
			of->before = arena_allocate(classes->arena, (size_t)of->count * (size_t)of->count, sizeof *of->before);
		if (chain->count < of->count)
			classes->several = arena_format(classes->arena, "%s works on several streams", segment->name);
		order_segment(classes, segment, of);
	}
	find_apart(classes);
}

/* ---- instances */

/* Jobs other than the own one that are released less than this after it, or before it. */
static int64_t jobs_within(const struct classes *classes, const struct class *class, int64_t distance)
{
	if (planted(PLANT_PIPELINE))
		return 0;
	return checked_max(0, checked_sub(arrivals_in(&classes->chains[class->chain].arrivals, distance), 1));
}

bool siblings_never_meet(const struct classes *classes, const struct chain_of_classes *own, const struct chain_of_classes *other)
{
	return siblings_are(classes, own, other) && own->place != other->place && classes->presence[own->place].one_job;
}

int64_t siblings_most(
	const struct classes *classes, const struct class *first, const struct class *last, const struct class *class, int64_t window)
{
	const struct chain_of_classes *own = &classes->chains[first->chain];
	const struct siblings *of = &classes->siblings[own->place];
	const struct class *items = &classes->items[of->first];
	if (siblings_never_meet(classes, own, &classes->chains[class->chain]))
		return 0;
	if (of->before == NULL || classes->chains[class->chain].segment != own->segment)
		return NONE;
	bool done = of->before[(class - items) * of->count + (first - items)];
	bool follows = of->before[(last - items) * of->count + (class - items)];
	/* of the own job; of those behind it, if it arrives before the window ends; of those before it, if it is not complete as that
	 * begins */
	int64_t same = !done && !follows && !planted(PLANT_BRANCH),
		complete = checked_add(class->reach, checked_sub(class->response, class->dependency));
	int64_t behind = follows || planted(PLANT_LATER)
				 ? 0
				 : jobs_within(classes, class, checked_add(first->reach, checked_sub(window, class->early)));
	int64_t ahead = done || planted(PLANT_AHEAD) ? 0 : jobs_within(classes, class, checked_sub(complete, first->early));
	return checked_add(same, checked_add(behind, ahead));
}

bool siblings_meet(const struct classes *classes, const struct class *own, const struct class *class)
{
	return siblings_most(classes, own, own, class, 1) != 0;
}
