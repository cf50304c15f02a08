/* Small systems over threads, and sums of their gaps. */
#include "falsify/yardstick.h"

#include "base/assert.h"
#include "base/workers.h"

#include <string.h>

#define BATCH 64
#define THOUSAND 1000

struct worker {
	const struct yardstick_options *options;
	int64_t *next, end; /* next: shared by all */
	struct exact *exact;
	struct yardstick *part;
};

static bool stopped(const struct yardstick_options *options)
{
	return options->stop != NULL && *options->stop != 0;
}

/* ---- one system */

static void solve(struct arena *arena, struct exact *exact, const struct platform *platform, const struct taskset *set, int64_t most,
	struct subject *subject, struct exact_result *result)
{
	subject_init(subject, arena, platform, set);
	exact_run(exact, result, arena, platform, set, subject->alone, most);
}

bool yardstick_one(struct arena *arena, struct exact *exact, const struct yardstick_options *options, int64_t index,
	struct subject *subject, struct exact_result *result, int64_t *redrawn)
{
	*result = (struct exact_result){.too_large = true};
	if (options->given != NULL) {
		solve(arena, exact, options->given->platform, options->given->set, EXACT_STATES, subject, result);
		return result->refusal == NULL && !result->too_large;
	}
	for (uint64_t attempt = 0; attempt < YARDSTICK_ATTEMPTS && !stopped(options); attempt++) {
		struct falsify_case drawn = generate_small(arena, options->seed, (uint64_t)index, attempt);
		if (drawn.set == NULL)
			continue;
		solve(arena, exact, drawn.platform, drawn.set, YARDSTICK_STATES, subject, result);
		if (result->refusal == NULL && !result->too_large)
			return true;
		++*redrawn;
	}
	return false;
}

bool yardstick_phased(const struct subject *subject)
{
	return subject->set->tasks[0].offset != NONE;
}

int64_t yardstick_worst(const struct subject *subject, const struct exact_result *result, int task)
{
	return yardstick_phased(subject) ? result->nominal[task] : result->worst[task];
}

/* Where blocks begin late. What rests on nothing about the order holds there, too. */
static bool rests_on_more(const struct bound_value *of)
{
	const uint64_t order = assumption_bit(ASSUMPTION_HOL) | assumption_bit(ASSUMPTION_PRIO) | assumption_bit(ASSUMPTION_WC);
	return (of->assumptions & order) != 0;
}

int64_t yardstick_value(const struct subject *subject, const struct response *response, int task, int bound)
{
	const struct bound_value *of = &response->tasks[task].bounds[bound];
	if (items_group(subject) == GROUP_DELAYS && rests_on_more(of))
		return NONE;
	return yardstick_phased(subject) ? bound_from_nominal((enum bound)bound, &subject->set->tasks[task], of->value) : of->value;
}

int64_t yardstick_least(const struct subject *subject, const struct response *response, uint64_t without, int task)
{
	int64_t least = NONE;
	for (int j = 0; j < BOUND_COUNT; j++)
		if ((without >> j & 1) == 0)
			least = checked_min(least, yardstick_value(subject, response, task, j));
	return least;
}

/* Of equal gaps the one of the lowest system, so that the order of threads does not matter. */
static void keep_greatest(struct yardstick_tally *tally, const struct yardstick_tally *with)
{
	__int128 left = (__int128)with->value * tally->exact, right = (__int128)tally->value * with->exact;
	if (with->value == 0 || (tally->value != 0 && (left < right || (left == right && with->system >= tally->system))))
		return;
	tally->value = with->value;
	tally->exact = with->exact;
	tally->system = with->system;
	tally->task = with->task;
}

static void add_value(struct yardstick_tally *tally, int64_t value, int64_t exact, int64_t system, int task)
{
	tally->tasks++;
	tally->below += value < exact;
	tally->attained += value == exact;
	if (value < exact)
		return;
	int64_t gap = checked_mul_div_ceil(value - exact, THOUSAND, checked_max(1, exact));
	tally->sum += gap;
	tally->histogram[checked_min(gap, YARDSTICK_BINS - 1)]++;
	keep_greatest(tally, &(struct yardstick_tally){.value = value, .exact = exact, .system = system, .task = task});
}

/* ---- the items that are taken away */

static unsigned items_of(const struct yardstick_options *options, enum yardstick_group group, int variant)
{
	unsigned items = options->without_items, here = 0;
	for (int i = 0; i < ITEM_COUNT; i++)
		here |= (item_kinds[i].groups >> group & 1) && item_switches(i) ? ITEM_BIT(i) : 0;
	if (variant == VARIANT_NONE)
		return items | here;
	return variant == VARIANT_ALL ? items : items | (ITEM_BIT(variant - 1) & here);
}

bool yardstick_applies(const struct yardstick_options *options, enum yardstick_group group, int variant)
{
	return variant == VARIANT_ALL || items_of(options, group, variant) != options->without_items;
}

/* ---- sums */

struct found { /* a system with its answers */
	const struct yardstick_options *options;
	const struct subject *subject;
	const struct exact_result *result;
	enum yardstick_group group;
	int64_t index;
};

/* Tasks that have a bound below the worst case. */
static int64_t add_bound(const struct found *found, const struct response *response, struct yardstick_tally *tally, int bound)
{
	int64_t tasks = tally->tasks, below = tally->below;
	for (int i = 0; i < found->subject->set->task_count; i++) {
		int64_t value = bound == YARDSTICK_LEAST ? yardstick_least(found->subject, response, found->options->without, i)
							 : yardstick_value(found->subject, response, i, bound);
		if (value != NONE)
			add_value(tally, value, yardstick_worst(found->subject, found->result, i), found->index, i);
	}
	tally->systems += tally->tasks > tasks;
	return tally->below - below;
}

static void add_reasons(struct yardstick *part, const struct found *found, const struct response *response)
{
	for (int i = 0; i < found->subject->set->task_count; i++) {
		int64_t least = yardstick_least(found->subject, response, found->options->without, i);
		if (least != NONE)
			add_value(&part->by_reason[found->group][reason_of(found->subject, i)], least,
				yardstick_worst(found->subject, found->result, i), found->index, i);
	}
}

static void add_against(
	struct yardstick *part, const struct found *found, int variant, const struct response *all, const struct response *response)
{
	for (int i = 0; i < found->subject->set->task_count; i++) {
		int64_t with = yardstick_least(found->subject, all, found->options->without, i);
		int64_t without = yardstick_least(found->subject, response, found->options->without, i);
		if (with == NONE || without == NONE)
			continue;
		part->against[found->group][variant].common++;
		part->against[found->group][variant].greater += without > with;
		part->against[found->group][variant].times += checked_mul_div_floor(without, THOUSAND, checked_max(1, with));
	}
}

static void add_system(struct yardstick *part, const struct found *found)
{
	const struct response *all = items_response(found->subject, found->options->without_items);
	int64_t below = 0;
	part->systems[found->group]++;
	part->states += found->result->states;
	part->tasks[found->group] += found->subject->set->task_count;
	for (int variant = 0; variant < VARIANT_COUNT; variant++) {
		if (!yardstick_applies(found->options, found->group, variant))
			continue;
		const struct response *response =
			variant == VARIANT_ALL ? all : items_response(found->subject, items_of(found->options, found->group, variant));
		for (int j = 0; j <= BOUND_COUNT; j++)
			below += add_bound(found, response, &part->of[found->group][variant][j], j);
		add_against(part, found, variant, all, response);
	}
	add_reasons(part, found, all);
	if (below > 0 && (part->violation < 0 || found->index < part->violation))
		part->violation = found->index;
}

/* ---- threads */

static void work(void *context, int number)
{
	struct worker *worker = &((struct worker *)context)[number];
	for (int64_t index; (index = __atomic_fetch_add(worker->next, 1, __ATOMIC_RELAXED)) < worker->end && !stopped(worker->options);) {
		struct arena *arena = arena_create();
		struct subject subject;
		struct exact_result result;
		if (yardstick_one(arena, worker->exact, worker->options, index, &subject, &result, &worker->part->redrawn))
			add_system(worker->part, &(struct found){worker->options, &subject, &result, items_group(&subject), index});
		arena_destroy(arena);
	}
}

void yardstick_add(struct yardstick_tally *to, const struct yardstick_tally *from)
{
	to->systems += from->systems;
	to->tasks += from->tasks;
	to->attained += from->attained;
	to->below += from->below;
	to->sum += from->sum;
	for (int i = 0; i < YARDSTICK_BINS; i++)
		to->histogram[i] += from->histogram[i];
	keep_greatest(to, from);
}

static void merge(struct yardstick *to, const struct yardstick *from)
{
	for (int group = 0; group < GROUP_COUNT; group++) {
		for (int variant = 0; variant < VARIANT_COUNT; variant++) {
			for (int j = 0; j <= BOUND_COUNT; j++)
				yardstick_add(&to->of[group][variant][j], &from->of[group][variant][j]);
			to->against[group][variant].common += from->against[group][variant].common;
			to->against[group][variant].greater += from->against[group][variant].greater;
			to->against[group][variant].times += from->against[group][variant].times;
		}
		for (int reason = 0; reason < REASON_COUNT; reason++)
			yardstick_add(&to->by_reason[group][reason], &from->by_reason[group][reason]);
		to->systems[group] += from->systems[group];
		to->tasks[group] += from->tasks[group];
	}
	to->states += from->states;
	to->redrawn += from->redrawn;
	if (from->violation >= 0 && (to->violation < 0 || from->violation < to->violation))
		to->violation = from->violation;
}

static struct yardstick *empty(void)
{
	struct yardstick *yardstick = memory_allocate(sizeof *yardstick);
	memset(yardstick, 0, sizeof *yardstick);
	yardstick->violation = -1;
	return yardstick;
}

static void run_batch(struct worker *workers, const struct yardstick_options *options, int64_t first, int64_t end)
{
	int64_t next = first;
	for (int i = 0; i < options->threads; i++) {
		workers[i].next = &next;
		workers[i].end = end;
	}
	workers_run(options->threads, work, workers);
}

struct yardstick *yardstick_run(const struct yardstick_options *options)
{
	assert(options->threads >= 1);
	struct worker *workers = memory_allocate((size_t)options->threads * sizeof *workers);
	for (int i = 0; i < options->threads; i++)
		workers[i] = (struct worker){.options = options, .exact = exact_create(), .part = empty()};
	int64_t end = options->first + options->systems;
	for (int64_t first = options->first; first < end && !stopped(options); first += BATCH) {
		run_batch(workers, options, first, checked_min(end, first + BATCH));
		if (options->progress != NULL)
			options->progress(options->context, checked_min(end, first + BATCH) - options->first);
	}
	struct yardstick *yardstick = empty();
	for (int i = 0; i < options->threads; i++) {
		merge(yardstick, workers[i].part);
		exact_destroy(workers[i].exact);
		memory_free(workers[i].part);
	}
	memory_free(workers);
	return yardstick;
}
