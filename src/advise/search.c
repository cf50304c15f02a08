/* Batches over threads; what a batch is depends on batches before it, never on time. */
#include "advise/search.h"

#include "advise/bounded_search.h"
#include "base/workers.h"

#include <stdlib.h>
#include <string.h>

#define ELITE 8

/* ---- order */

static int changes_of(const struct plan *plan)
{
	int changes = plan->split + plan->merged + plan->one_stream + plan->levels + (plan->locking != LOCKING_KEPT);
	for (int i = 0; i < ADVISE_CHOICES; i++)
		changes += plan->option[i] != KEPT;
	for (int i = 0; i < ADVISE_GROUPS; i++)
		changes += plan->slice[i] != KEPT;
	for (int i = 0; i < ADVISE_PARTITIONS; i++)
		changes += plan->size[i] != KEPT;
	return changes;
}

/* < 0: one is better. NONE is `worst` of all numbers. */
static int compare(int64_t one, int64_t other, bool more_is_better)
{
	if (one == other)
		return 0;
	if (checked_is_none(one) || checked_is_none(other))
		return checked_is_none(one) ? 1 : -1;
	return (one < other) != more_is_better ? -1 : 1;
}

/* Slack that has no limit is the most there is. */
static int64_t slack_or_all(const struct appraisal *appraisal)
{
	return checked_is_none(appraisal->slack) ? INT64_MAX : appraisal->slack;
}

static int compare_proven(enum advise_by by, const struct appraisal *one, const struct appraisal *other)
{
	int vouched = compare(one->vouched, other->vouched, false);
	int slack = compare(slack_or_all(one), slack_or_all(other), true);
	int response = by == BY_RESPONSE ? compare(one->response, other->response, false) : 0;
	if (response != 0)
		return response;
	return by == BY_SLACK ? (slack != 0 ? slack : vouched) : (vouched != 0 ? vouched : slack);
}

static int compare_others(const struct appraisal *one, const struct appraisal *other)
{
	int refused = one->refused - other->refused, without = one->without - other->without, late = one->late - other->late;
	return refused != 0 ? refused : without != 0 ? without : late != 0 ? late : compare(one->over, other->over, false);
}

int search_compare(enum advise_by by, const struct appraisal *one, const struct appraisal *other)
{
	int order = (int)one->verdict - (int)other->verdict;
	return order != 0 ? order : compare_proven(by, one, other);
}

static int compare_found(enum advise_by by, const struct found *one, const struct found *other)
{
	const struct appraisal *a = &one->appraisal, *b = &other->appraisal;
	bool meets = verdict_meets(a->verdict) && verdict_meets(b->verdict);
	int order = meets ? search_compare(by, a, b) : (int)a->verdict - (int)b->verdict;
	if (order == 0 && !meets)
		order = compare_others(a, b);
	if (order == 0)
		order = changes_of(&one->plan) - changes_of(&other->plan);
	return order != 0 ? order : memcmp(&one->plan, &other->plan, sizeof one->plan);
}

static int by_assumptions(const void *one, const void *other)
{
	return compare_found(BY_ASSUMPTIONS, one, other);
}

static int by_slack(const void *one, const void *other)
{
	return compare_found(BY_SLACK, one, other);
}

static int by_response(const void *one, const void *other)
{
	return compare_found(BY_RESPONSE, one, other);
}

static void sort(enum advise_by by, struct found *items, int count)
{
	static int (*const orders[])(const void *, const void *) = {
		[BY_ASSUMPTIONS] = by_assumptions, [BY_SLACK] = by_slack, [BY_RESPONSE] = by_response};
	if (count > 0)
		qsort(items, (size_t)count, sizeof *items, orders[by]);
}

/* ---- a batch */

struct queue {
	const struct appraising *appraising;
	const struct search_options *options;
	struct found *items;
	int next, count;
};

static bool stopped(const struct search_options *options)
{
	return options->stop != NULL && *options->stop != 0;
}

static void work(void *context, int number)
{
	struct queue *queue = context;
	(void)number;
	for (int i; (i = __atomic_fetch_add(&queue->next, 1, __ATOMIC_RELAXED)) < queue->count && !stopped(queue->options);)
		queue->items[i].appraisal = appraise(queue->appraising, &queue->items[i].plan);
}

static void run_batch(const struct appraising *appraising, const struct search_options *options, struct found *items, int count)
{
	struct queue queue = {appraising, options, items, 0, count};
	workers_run(options->threads, work, &queue);
}

static void progress(const struct search_options *options, int done, int of)
{
	if (options->progress != NULL)
		options->progress(options->context, done, of);
}

/* Those that a signal kept from being appraised are not there. */
static void drop_undone(struct findings *findings)
{
	int kept = 0;
	for (int i = 0; i < findings->count; i++)
		if (findings->items[i].appraisal.done)
			findings->items[kept++] = findings->items[i];
	findings->count = kept;
}

static void run_all(const struct appraising *appraising, const struct search_options *options, struct findings *findings)
{
	for (int done = 0; done < findings->count && !stopped(options); done += SEARCH_BATCH) {
		int count = findings->count - done < SEARCH_BATCH ? findings->count - done : SEARCH_BATCH;
		run_batch(appraising, options, findings->items + done, count);
		progress(options, done + count, findings->total);
	}
}

/* ---- more than can be tried */

static bool is_new(const struct findings *findings, int count, const struct plan *plan)
{
	for (int i = 0; i < count; i++)
		if (memcmp(&findings->items[i].plan, plan, sizeof *plan) == 0)
			return false;
	return true;
}

/* A part near the best that there is, a part anywhere. */
static int draw_batch(const struct appraising *appraising, struct random *random, struct findings *findings, int room)
{
	int count = findings->count, tries = 0;
	while (count - findings->count < room && tries++ < 50 * SEARCH_BATCH) {
		bool near = findings->count > 0 && random_chance(random, 75);
		int elite = findings->count < ELITE ? findings->count : ELITE;
		struct plan plan =
			near ? space_vary(appraising->space, random, &findings->items[random_below(random, (uint64_t)elite)].plan)
			     : space_draw(appraising->space, random);
		if (is_new(findings, count, &plan))
			findings->items[count++] = (struct found){.plan = plan};
	}
	return count - findings->count;
}

/* Those at the end that were put there; then all are in order. */
static void try_last(const struct appraising *appraising, const struct search_options *options, struct findings *findings, int count)
{
	run_batch(appraising, options, findings->items + findings->count, count);
	findings->count += count;
	drop_undone(findings);
	sort(options->by, findings->items, findings->count);
	progress(options, findings->count, options->most);
}

/* Until so many are tried. */
static void run_drawn(const struct appraising *appraising, const struct search_options *options, struct random *random,
	struct findings *findings, int until)
{
	while (findings->count < until && !stopped(options)) {
		int room = until - findings->count < SEARCH_BATCH ? until - findings->count : SEARCH_BATCH;
		int drawn = draw_batch(appraising, random, findings, room);
		if (drawn == 0)
			return;
		try_last(appraising, options, findings, drawn);
	}
}

static bool is_met(const struct findings *findings)
{
	return findings->count > 0 && verdict_meets(findings->items[0].appraisal.verdict);
}

static void run_some(
	struct arena *arena, const struct appraising *appraising, const struct search_options *options, struct findings *findings)
{
	struct random random;
	bool bounded = bounded_search_applies(appraising->space);
	random_seed(&random, options->seed, 0);
	findings->items[0] = (struct found){.plan = space_as_stated(appraising->space)};
	try_last(appraising, options, findings, 1);
	run_drawn(appraising, options, &random, findings, bounded ? (options->most + 1) / 2 : options->most);
	if (bounded && !stopped(options) && is_met(findings))
		bounded_search(arena, appraising, options, findings, try_last);
	else
		run_drawn(appraising, options, &random, findings, options->most);
	if (bounded && is_met(findings) && !findings->proved && !findings->limited)
		bounded_search_limit(arena, appraising, findings);
}

struct findings search_run(struct arena *arena, const struct appraising *appraising, const struct search_options *options)
{
	struct findings findings = {0};
	struct plan *plans = regions_list(appraising->space, options->most, &findings.total);
	findings.exhaustive = plans != NULL;
	findings.items = arena_allocate(arena, (size_t)options->most + 1, sizeof *findings.items);
	for (int i = 0; i < findings.total && plans != NULL; i++)
		findings.items[findings.count++].plan = plans[i];
	if (findings.exhaustive)
		run_all(appraising, options, &findings);
	else
		run_some(arena, appraising, options, &findings);
	drop_undone(&findings);
	findings.stopped = stopped(options);
	sort(options->by, findings.items, findings.count);
	return findings;
}
