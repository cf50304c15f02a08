#include "response/context_operations.h"

#include "base/plant.h"
#include "response/applicable.h"
#include "response/siblings.h"
#include "response/workload.h"

#include <stdlib.h>
#include <string.h>

int64_t class_total(const struct class *class)
{
	return checked_add(class->volume, class->block);
}

int64_t class_there(const struct class *class, int64_t window)
{
	return class_there_of(class, window, arrivals_in_closed(&class->arrivals, window, 1));
}

int64_t class_there_of(const struct class *class, int64_t window, int64_t come)
{
	int64_t since = arrivals_in(&class->arrivals, checked_add(window, class->response));
	return checked_min(checked_add(come, 1), planted(PLANT_RESPONDED) ? come : since);
}

/* Alone, the last dispatch is at M - C^ at the latest; of a kernel of scope grid nobody knows: [SCOPE-GRID]. */
int64_t class_last(const struct class *class)
{
	return class->grid && !planted(PLANT_LAST) ? 0 : class->block;
}

/* ---- may the context be treated so? [APPLICABLE], [V2] */

static const char *obstacle(
	struct arena *arena, const struct platform *platform, const struct taskset *set, const struct runlist *runlist, int context)
{
	const char *reason = applicable_shared_queues(arena, platform, set, runlist, context);
	for (int i = 0; i < set->stream_count && reason == NULL; i++)
		if (set->streams[i].level >= CLASS_LEVELS)
			reason = "too many priority levels";
	return reason;
}

/* ---- numbers */

struct builder {
	struct arena *arena;
	const struct taskset *set;
	const struct costs *costs;
	const struct segments *segments;
	struct classes *classes;
	const char *reason;
	uint64_t assumptions;
	bool volume;
};

static int64_t take(struct builder *b, const struct cost *cost)
{
	if (cost->reason != NULL && b->reason == NULL)
		b->reason = cost->reason;
	b->assumptions |= cost->assumptions;
	return cost->value;
}

static void fill(struct builder *b, struct class *class)
{
	const struct operation *operation = &b->set->operations[class->operation];
	const struct operation_cost *cost = &b->costs->operations[class->operation];
	class->stream = b->segments->stream_place[operation->stream];
	class->level = cost->level;
	class->place = cost->place;
	class->grid = cost->grid || cost->whole;
	class->turns = cost->turns;
	b->classes->parted |= cost->turns > 1;
	class->engine = cost->engine;
	class->blocks = operation->kind == OPERATION_KERNEL ? operation->kernel.blocks : NONE;
	class->dependency = take(b, &cost->dependency);
	class->least = operation->bcet;
	if (cost->place == PLACE_COPY)
		class->block = take(b, &cost->transfer);
	if (cost->place != PLACE_EXECUTION)
		return;
	class->block = take(b, b->volume ? &cost->tail : &cost->residence);
	/* (V.3) does not use makespans, and nothing else uses volumes; a number that is not used may be unknown */
	class->makespan = b->volume ? cost->makespan.value : take(b, &cost->makespan);
	class->high = checked_add(class->makespan, b->volume ? cost->waste.value : take(b, &cost->waste));
	class->volume = b->volume ? take(b, &cost->volume) : cost->volume.value;
	class->dispatch = b->volume ? take(b, &cost->dispatch) : cost->dispatch.value;
}

/* What the segment has on the stream of its operation `head`, the first one there. */
static void add_chain(struct builder *b, int segment, int head)
{
	const struct segment *from = &b->segments->items[segment];
	int stream = b->set->operations[head].stream;
	const struct task *task = &b->set->tasks[from->task];
	struct chain_of_classes *chain = &b->classes->chains[b->classes->chain_count];
	*chain = (struct chain_of_classes){.segment = segment,
		.first = b->classes->count,
		.stream = b->segments->stream_place[stream],
		.place = from->place,
		.arrivals = {&task->arrival, 0, from->number == 0 && from->host_most == 0}};
	for (int i = head; i < from->first + from->count; i++) {
		if (b->set->operations[i].stream != stream)
			continue;
		struct class *class = &b->classes->items[b->classes->count++];
		*class = (struct class){.operation = i, .chain = b->classes->chain_count, .position = chain->count++, .record = NO_ID};
		class->arrivals = (struct arrivals){&task->arrival, 0, false};
		fill(b, class);
	}
	chain->completion = arena_allocate(b->arena, (size_t)chain->count + 1, sizeof(int64_t));
	chain->after = b->classes->chain_of[chain->stream];
	b->classes->chain_of[chain->stream] = b->classes->chain_count++;
}

static bool is_first_of_stream(const struct taskset *set, const struct segment *segment, int operation)
{
	for (int i = segment->first; i < operation; i++)
		if (set->operations[i].stream == set->operations[operation].stream)
			return false;
	return true;
}

static void add_segment(struct builder *b, int index)
{
	const struct segment *segment = &b->segments->items[index];
	b->classes->siblings[segment->place] = (struct siblings){b->classes->count, segment->count, NULL, false};
	b->classes->presence[segment->place].task = segment->task;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		if (is_first_of_stream(b->set, segment, i))
			add_chain(b, index, i);
}

/* ---- the classes of each stream, dearest first */

struct dear { /* what is sorted: qsort has no room for an argument, and threads analyse side by side */
	int64_t cost;
	int class;
};

static int dearer(const void *a, const void *b)
{
	const struct dear *first = a, *second = b;
	return first->cost != second->cost ? (first->cost < second->cost) - (first->cost > second->cost) : first->class - second->class;
}

static int64_t makespan_of(const struct class *class)
{
	return class->makespan;
}

static int64_t block_of(const struct class *class)
{
	return class->block;
}

/* order: room for them. */
static void sort(const struct builder *b, struct dear *order, int *items, int count, int64_t (*cost)(const struct class *))
{
	if (count < 2)
		return;
	bool sorted = true;
	for (int i = 0; i < count; i++) {
		order[i] = (struct dear){cost(&b->classes->items[items[i]]), items[i]};
		sorted &= i == 0 || dearer(&order[i - 1], &order[i]) < 0;
	}
	if (sorted)
		return;
	qsort(order, (size_t)count, sizeof *order, dearer);
	for (int i = 0; i < count; i++)
		items[i] = order[i].class;
}

/* The classes of each stream at a place, in the order of the task set. */
static void list(const struct builder *b, enum place place, int **items, int *counts)
{
	const struct classes *classes = b->classes;
	int total = 0, *all;
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == place) {
			counts[classes->items[i].stream]++;
			total++;
		}
	all = arena_allocate(b->arena, (size_t)total + 1, sizeof *all);
	for (int s = 0; s < classes->stream_count; s++) {
		items[s] = all;
		all += counts[s];
		counts[s] = 0;
	}
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == place)
			items[classes->items[i].stream][counts[classes->items[i].stream]++] = i;
}

static void sort_streams(struct builder *b)
{
	struct classes *classes = b->classes;
	size_t streams = (size_t)classes->stream_count + 1;
	classes->of_stream = arena_allocate(b->arena, streams, sizeof *classes->of_stream);
	classes->copies = arena_allocate(b->arena, streams, sizeof *classes->copies);
	classes->of_stream_count = arena_allocate(b->arena, streams, sizeof *classes->of_stream_count);
	classes->copies_count = arena_allocate(b->arena, streams, sizeof *classes->copies_count);
	list(b, PLACE_EXECUTION, classes->of_stream, classes->of_stream_count);
	list(b, PLACE_COPY, classes->copies, classes->copies_count);
	struct dear *order = arena_reserve(b->arena, (size_t)classes->count + 1, sizeof *order);
	for (int s = 0; s < classes->stream_count; s++) {
		sort(b, order, classes->of_stream[s], classes->of_stream_count[s], makespan_of);
		sort(b, order, classes->copies[s], classes->copies_count[s], block_of);
	}
}

/* ---- what each stream has in all */

int classes_level(const struct classes *classes, int stream)
{
	return classes->of_stream_count[stream] > 0 ? classes->items[classes->of_stream[stream][0]].level : CLASS_LEVELS;
}

int classes_engine(const struct classes *classes, int engine)
{
	int at = 0;
	while (at < classes->engine_count && classes->engines[at] != engine)
		at++;
	return at;
}

static void find_engines(struct classes *classes)
{
	for (int i = 0; i < classes->count; i++) {
		if (classes->items[i].place != PLACE_COPY)
			continue;
		int at = classes_engine(classes, classes->items[i].engine);
		classes->engines[at] = classes->items[i].engine;
		classes->engine_count = at < classes->engine_count ? classes->engine_count : at + 1;
	}
}

/* Sums of the n dearest; who asks for an engine that nobody names means all of them. */
static void sum_copies(const struct classes *classes, int stream, int engine, int64_t *sums)
{
	int most = classes->copies_count[stream], count = 0;
	for (int i = 0; i < most; i++) {
		const struct class *class = &classes->items[classes->copies[stream][i]];
		if (engine != ENGINE_NONE && class->engine != engine)
			continue;
		sums[count + 1] = checked_add(sums[count], class->block);
		count++;
	}
	for (; count < most; count++)
		sums[count + 1] = sums[count];
}

/* What meets one operation of a stream where no other stream has siblings of it: the dearest of each, in all. Of kernels, those of its
 * level. */
static void add_dearest(struct classes *classes, int stream)
{
	struct sums *own = &classes->sums[stream];
	int level = classes_level(classes, stream);
	for (int s = 0; s < classes->stream_count; s++) {
		const struct sums *other = &classes->sums[s];
		if (s == stream)
			continue;
		if (classes->of_stream_count[s] > 0 && classes_level(classes, s) == level)
			own->kernel_beside = checked_add(own->kernel_beside, other->makespans[1]);
		for (int e = 0; e < classes->engine_count; e++)
			if (classes->copies_count[s] > 0)
				own->copy_beside[e] = checked_add(own->copy_beside[e], other->copies[e][1]);
	}
}

/* C_low with the dispatch that may be under way when the higher kernel arrives ([V5]). */
static void find_lower_blocks(struct classes *classes, int64_t dispatch)
{
	memset(classes->lower_block, 0, sizeof classes->lower_block);
	for (int i = 0; i < classes->count; i++)
		for (int level = 0;
			classes->items[i].place == PLACE_EXECUTION && level < classes->items[i].level && !planted(PLANT_BLOCKING); level++)
			classes->lower_block[level] =
				checked_max(classes->lower_block[level], checked_add(classes->items[i].block, dispatch));
}

static void add_up(struct builder *b, const struct platform *platform)
{
	struct classes *classes = b->classes;
	find_engines(classes);
	find_lower_blocks(classes, platform_value(platform, PARAMETER_OVERHEAD_BLOCK));
	size_t sums_of_streams = (size_t)(classes->count + classes->stream_count) * (size_t)(classes->engine_count + 1);
	int64_t *room = arena_allocate(b->arena, sums_of_streams, sizeof *room);
	classes->sums = arena_allocate(b->arena, (size_t)classes->stream_count + 1, sizeof *classes->sums);
	classes->highest_level = CLASS_LEVELS;
	for (int s = 0; s < classes->stream_count; s++) {
		struct sums *sums = &classes->sums[s];
		int count = classes->of_stream_count[s];
		sums->makespans = room;
		room += count + 1;
		for (int i = 0; i < count; i++) {
			const struct class *class = &classes->items[classes->of_stream[s][i]];
			sums->makespans[i + 1] = checked_add(sums->makespans[i], class->makespan);
			sums->high = checked_add(sums->high, class->high);
			sums->dearest_high = checked_max(sums->dearest_high, class->high);
			sums->volume = checked_add(sums->volume, class_total(class));
			sums->dispatch = checked_add(sums->dispatch, class->dispatch);
			classes->highest_level = class->level < classes->highest_level ? class->level : classes->highest_level;
		}
		for (int e = 0; e < classes->engine_count; e++, room += classes->copies_count[s] + 1)
			sum_copies(classes, s, classes->engines[e], sums->copies[e] = room);
	}
	for (int s = 0; s < classes->stream_count; s++)
		if (classes->of_stream_count[s] + classes->copies_count[s] > 0)
			add_dearest(classes, s);
}

struct term classes_lower(const struct classes *classes, int level)
{
	const struct class *longest = NULL;
	for (int i = 0; i < classes->count; i++) {
		const struct class *class = &classes->items[i];
		if (class->place == PLACE_EXECUTION && class->level > level && (longest == NULL || class->block > longest->block))
			longest = class;
	}
	struct term lower = {.kind = TERM_LOWER, .amount = classes->lower_block[level]};
	if (longest == NULL)
		return lower;
	lower.of = longest->operation;
	lower.n[0] = longest->block;
	lower.n[1] = checked_sub(lower.amount, longest->block);
	return lower;
}

struct classes *classes_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	const struct segments *segments, const struct runlist *runlist, int context, const char **reason, uint64_t *assumptions)
{
	struct classes *classes = arena_allocate(arena, 1, sizeof *classes);
	struct builder builder = {.arena = arena, .set = set, .costs = costs, .segments = segments, .classes = classes};
	classes->arena = arena;
	*reason = obstacle(arena, platform, set, runlist, context);
	if (*reason != NULL)
		return classes;
	size_t operations = 0;
	for (int i = 0; i < segments->count; i++)
		operations += segments->items[i].context == context ? (size_t)segments->items[i].count : 0;
	classes->items = arena_reserve(arena, operations + 1, sizeof *classes->items);
	classes->chains = arena_reserve(arena, operations + 1, sizeof *classes->chains);
	classes->segment_count = segments->of_context[context];
	classes->siblings = arena_allocate(arena, (size_t)classes->segment_count + 1, sizeof *classes->siblings);
	classes->presence = arena_allocate(arena, (size_t)classes->segment_count + 1, sizeof *classes->presence);
	classes->stream_count = segments->streams_of[context];
	classes->chain_of = arena_allocate(arena, (size_t)classes->stream_count + 1, sizeof *classes->chain_of);
	for (int s = 0; s < classes->stream_count; s++)
		classes->chain_of[s] = NO_ID;
	for (int i = 0; i < segments->count; i++)
		if (segments->items[i].context == context)
			add_segment(&builder, i);
	siblings_link(classes, set, segments);
	sort_streams(&builder);
	add_up(&builder, platform);
	*reason = builder.reason;
	*assumptions |= builder.assumptions;
	return classes;
}

const struct classes_built *classes_by_makespan(const struct workload *w, int context)
{
	struct classes_built *built = &w->built[context];
	if (built->classes == NULL)
		built->classes = classes_build(
			w->arena, w->platform, w->set, w->costs, w->segments, w->runlist, context, &built->reason, &built->assumptions);
	return built;
}

static void *copy(struct arena *arena, const void *items, int count, size_t size)
{
	return memcpy(arena_reserve(arena, (size_t)count + 1, size), items, (size_t)count * size);
}

struct classes *classes_again(const struct classes *built)
{
	struct arena *arena = built->arena;
	struct classes *classes = copy(arena, built, 1, sizeof *built);
	classes->items = copy(arena, built->items, built->count, sizeof *built->items);
	classes->chains = copy(arena, built->chains, built->chain_count, sizeof *built->chains);
	classes->presence = copy(arena, built->presence, built->segment_count, sizeof *built->presence);
	for (int i = 0; i < built->chain_count; i++) {
		struct chain_of_classes *chain = &classes->chains[i];
		chain->completion = arena_allocate(arena, (size_t)chain->count + 1, sizeof *chain->completion);
		if (chain->hold_count > 0)
			chain->holds = copy(arena, chain->holds, chain->hold_count, sizeof *chain->holds);
		for (int k = 0; k < chain->hold_count; k++)
			chain->holds[k].completion = arena_allocate(arena, (size_t)chain->count + 1, sizeof(int64_t));
	}
	return classes;
}

/* Costs and what is summed of them alone differ: nothing is sorted by the time of a kernel's block. */
struct classes *classes_by_volume(const struct workload *w, int context, const char **reason, uint64_t *assumptions)
{
	const struct classes_built *built = classes_by_makespan(w, context);
	*reason = obstacle(w->arena, w->platform, w->set, w->runlist, context);
	if (*reason != NULL)
		return NULL;
	struct classes *classes = classes_again(built->classes);
	struct builder builder = {
		.arena = w->arena, .set = w->set, .costs = w->costs, .segments = w->segments, .classes = classes, .volume = true};
	for (int i = 0; i < classes->count; i++)
		fill(&builder, &classes->items[i]);
	add_up(&builder, w->platform);
	*reason = builder.reason;
	*assumptions |= builder.assumptions;
	return classes;
}
