/* Systems over threads. */
#include "falsify/campaign.h"

#include "base/assert.h"
#include "base/workers.h"

#include <string.h>

#define THOUSAND 1000

struct worker {
	const struct campaign_options *options;
	int64_t *next; /* index; shared by all workers */
	int64_t end;
	struct campaign part;
};

/* ---- one system */

bool campaign_replay(struct arena *arena, const struct campaign_options *options, int64_t index, struct subject *subject, struct hunt *hunt)
{
	struct falsify_given of = {NULL, NULL};
	if (options->given != NULL) {
		of = *options->given;
	} else {
		struct falsify_case drawn = generate_case(arena, options->seed, (uint64_t)index);
		of = (struct falsify_given){drawn.platform, drawn.set};
	}
	if (of.set == NULL)
		return false;
	struct draw draw = draw_start(options->seed ^ UINT64_C(0x5bd1e995), (uint64_t)index);
	subject_init(subject, arena, of.platform, of.set);
	hunt_run(hunt, subject, &draw, options->runs);
	return true;
}

/* Of equal ratios the greater numbers, so that the order of threads does not matter. */
static void keep_greatest(struct campaign_tally *tally, int64_t observed, int64_t allowed)
{
	__int128 left = (__int128)observed * tally->allowed, right = (__int128)tally->observed * allowed;
	if (tally->allowed != 0 && (left < right || (left == right && allowed <= tally->allowed)))
		return;
	tally->observed = observed;
	tally->allowed = allowed;
}

static void tally_value(struct campaign_tally *tally, int64_t observed, int64_t allowed)
{
	int64_t ratio = checked_mul_div_floor(observed, THOUSAND, checked_max(1, allowed));
	tally->values++;
	tally->sum += checked_min(ratio, THOUSAND);
	tally->histogram[checked_min(ratio, THOUSAND)]++;
	keep_greatest(tally, observed, checked_max(1, allowed));
}

static void tally_bounds(struct campaign *part, const struct subject *subject, const struct hunt *hunt)
{
	for (int j = 0; j < BOUND_COUNT; j++) {
		bool any = false;
		for (int i = 0; i < subject->set->task_count; i++) {
			int64_t allowed = subject->response->tasks[i].bounds[j].value, observed = hunt->observed[i * BOUND_COUNT + j];
			if (allowed == NONE)
				continue;
			any = true;
			if (observed > 0)
				tally_value(&part->bounds[j], observed, allowed);
		}
		part->bounds[j].systems += any;
	}
}

/* Of a greatest it does not matter who raised it when. */
static void raise_to(int64_t *greatest, int64_t value)
{
	int64_t was = __atomic_load_n(greatest, __ATOMIC_RELAXED);
	while (was < value && !__atomic_compare_exchange_n(greatest, &was, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
}

static void tally_violation(struct campaign *part, const struct violation *violation, int64_t index)
{
	if (violation->stage == STAGE_NONE)
		return;
	if (violation->stage == STAGE_RESPONSE)
		part->bounds[violation->bound].violations++;
	else
		part->stages++;
	if (part->violation < 0 || index < part->violation)
		part->violation = index;
}

static void take(struct campaign *part, const struct campaign_options *options, int64_t index)
{
	struct arena *arena = arena_create();
	struct subject subject;
	struct hunt hunt;
	if (campaign_replay(arena, options, index, &subject, &hunt)) {
		part->systems++;
		part->without += subject.bounds == 0;
		part->refused += hunt.refusal != NULL;
		part->runs += hunt.runs;
		part->events += hunt.events;
		part->limited += hunt.limited;
		tally_bounds(part, &subject, &hunt);
		tally_violation(part, &hunt.violation, index);
		for (int i = 0; options->seen != NULL && i < subject.set->task_count * BOUND_COUNT; i++)
			raise_to(&options->seen[i], hunt.observed[i]);
	}
	arena_destroy(arena);
}

/* ---- threads */

static bool stopped(const struct campaign_options *options)
{
	return options->stop != NULL && *options->stop != 0;
}

static void work(void *context, int number)
{
	struct worker *worker = &((struct worker *)context)[number];
	for (int64_t index; (index = __atomic_fetch_add(worker->next, 1, __ATOMIC_RELAXED)) < worker->end && !stopped(worker->options);)
		take(&worker->part, worker->options, index);
}

void campaign_add(struct campaign *campaign, const struct campaign *part)
{
	for (int j = 0; j < BOUND_COUNT; j++) {
		struct campaign_tally *to = &campaign->bounds[j];
		const struct campaign_tally *from = &part->bounds[j];
		to->systems += from->systems;
		to->values += from->values;
		to->violations += from->violations;
		to->sum += from->sum;
		for (int i = 0; i < CAMPAIGN_BINS; i++)
			to->histogram[i] += from->histogram[i];
		if (from->allowed > 0)
			keep_greatest(to, from->observed, from->allowed);
	}
	campaign->systems += part->systems;
	campaign->without += part->without;
	campaign->refused += part->refused;
	campaign->runs += part->runs;
	campaign->events += part->events;
	campaign->limited += part->limited;
	campaign->stages += part->stages;
	if (part->violation >= 0 && (campaign->violation < 0 || part->violation < campaign->violation))
		campaign->violation = part->violation;
}

static void run_systems(struct campaign *campaign, const struct campaign_options *options, int64_t first, int64_t end)
{
	int64_t next = first;
	struct worker *workers = memory_allocate((size_t)options->threads * sizeof *workers);
	for (int i = 0; i < options->threads; i++) {
		workers[i] = (struct worker){.options = options, .next = &next, .end = end};
		workers[i].part.violation = -1;
	}
	int count = workers_run(options->threads, work, workers);
	for (int i = 0; i < count; i++)
		campaign_add(campaign, &workers[i].part);
	memory_free(workers);
}

/* Where a campaign ends with the first violation it ends with that one's batch, however many threads there are. */
static int64_t end_of_batch(const struct campaign *campaign, int64_t first)
{
	return first + ((campaign->violation - first) / CAMPAIGN_BATCH + 1) * CAMPAIGN_BATCH;
}

void campaign_run(struct campaign *campaign, const struct campaign_options *options)
{
	assert(options->threads >= 1);
	*campaign = (struct campaign){.violation = -1};
	int64_t end = options->first + options->systems, last;
	for (int64_t first = options->first; first < end && !stopped(options); first = last) {
		struct campaign part = {.violation = -1};
		last = checked_min(end, first + (int64_t)options->threads * CAMPAIGN_BATCH); /* threads wait for the slowest seldom */
		run_systems(&part, options, first, last);
		bool ends = part.violation >= 0 && !options->go_on;
		if (ends && end_of_batch(&part, first) < last) {
			last = end_of_batch(&part, first);
			part = (struct campaign){.violation = -1};
			run_systems(&part, options, first, last);
		}
		campaign_add(campaign, &part);
		if (options->progress != NULL)
			options->progress(options->context, last - options->first, campaign);
		if (ends)
			return;
	}
}
