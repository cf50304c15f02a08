/* Small systems over threads, and sums of their gaps. */
#include "falsify/yardstick.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#define BATCH 64
#define THOUSAND 1000

const char *const yardstick_groups[] = {"any", "known", NULL};

struct worker {
	const struct yardstick_options *options;
	int64_t *next, end; /* next: shared by all */
	struct exact *exact;
	struct yardstick part;
	pthread_t thread;
};

static bool stopped(const struct yardstick_options *options)
{
	return options->stop != NULL && *options->stop != 0;
}

/* ---- one system */

static void solve(struct arena *arena, struct exact *exact, const struct falsify_case *of, int64_t most, struct subject *subject,
	struct exact_result *result)
{
	subject_init(subject, arena, of);
	exact_run(exact, result, arena, of->platform, of->set, subject->alone, most);
}

bool yardstick_one(struct arena *arena, struct exact *exact, const struct yardstick_options *options, int64_t index,
	struct subject *subject, struct exact_result *result, int64_t *redrawn)
{
	*result = (struct exact_result){.too_large = true};
	if (options->given != NULL) {
		solve(arena, exact, options->given, EXACT_STATES, subject, result);
		return result->refusal == NULL && !result->too_large;
	}
	for (uint64_t attempt = 0; attempt < YARDSTICK_ATTEMPTS && !stopped(options); attempt++) {
		struct falsify_case drawn = generate_small(arena, options->seed, (uint64_t)index, attempt);
		if (drawn.set == NULL)
			continue;
		solve(arena, exact, &drawn, YARDSTICK_STATES, subject, result);
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

int64_t yardstick_value(const struct subject *subject, int task, int bound)
{
	int64_t value = subject->response->tasks[task].bounds[bound].value;
	return yardstick_phased(subject) ? bound_from_nominal((enum bound)bound, value, subject->set->tasks[task].arrival.jitter) : value;
}

int64_t yardstick_least(const struct subject *subject, uint64_t without, int task)
{
	int64_t least = NONE;
	for (int j = 0; j < BOUND_COUNT; j++)
		if ((without >> j & 1) == 0)
			least = checked_min(least, yardstick_value(subject, task, j));
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

static void add_system(struct yardstick *part, const struct yardstick_options *options, const struct subject *subject,
	const struct exact_result *result, int64_t index)
{
	enum yardstick_group group = yardstick_phased(subject) ? GROUP_KNOWN : GROUP_ANY;
	part->systems[group]++;
	part->states += result->states;
	part->tasks[group] += subject->set->task_count;
	for (int j = 0; j <= BOUND_COUNT; j++) {
		struct yardstick_tally *tally = &part->of[group][j];
		int64_t before = tally->tasks, below = tally->below;
		for (int i = 0; i < subject->set->task_count; i++) {
			int64_t value =
				j == YARDSTICK_LEAST ? yardstick_least(subject, options->without, i) : yardstick_value(subject, i, j);
			if (value != NONE)
				add_value(tally, value, yardstick_worst(subject, result, i), index, i);
		}
		tally->systems += tally->tasks > before;
		if (tally->below > below && (part->violation < 0 || index < part->violation))
			part->violation = index;
	}
}

/* ---- threads */

static void *work(void *context)
{
	struct worker *worker = context;
	for (int64_t index; (index = __atomic_fetch_add(worker->next, 1, __ATOMIC_RELAXED)) < worker->end && !stopped(worker->options);) {
		struct arena *arena = arena_create();
		struct subject subject;
		struct exact_result result;
		if (yardstick_one(arena, worker->exact, worker->options, index, &subject, &result, &worker->part.redrawn))
			add_system(&worker->part, worker->options, &subject, &result, index);
		arena_destroy(arena);
	}
	return NULL;
}

static void merge_tally(struct yardstick_tally *to, const struct yardstick_tally *from)
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
		for (int j = 0; j <= BOUND_COUNT; j++)
			merge_tally(&to->of[group][j], &from->of[group][j]);
		to->systems[group] += from->systems[group];
		to->tasks[group] += from->tasks[group];
	}
	to->states += from->states;
	to->redrawn += from->redrawn;
	if (from->violation >= 0 && (to->violation < 0 || from->violation < to->violation))
		to->violation = from->violation;
}

static void run_batch(struct worker *workers, const struct yardstick_options *options, int64_t first, int64_t end)
{
	int64_t next = first;
	int started = 0;
	for (int i = 0; i < options->threads; i++) {
		workers[i].next = &next;
		workers[i].end = end;
	}
	while (started + 1 < options->threads && pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
		started++;
	work(&workers[started]);
	for (int i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
}

void yardstick_run(struct yardstick *yardstick, const struct yardstick_options *options)
{
	assert(options->threads >= 1);
	struct worker *workers = memory_allocate((size_t)options->threads * sizeof *workers);
	for (int i = 0; i < options->threads; i++)
		workers[i] = (struct worker){.options = options, .exact = exact_create(), .part = {.violation = -1}};
	int64_t end = options->first + options->systems;
	for (int64_t first = options->first; first < end && !stopped(options); first += BATCH) {
		run_batch(workers, options, first, checked_min(end, first + BATCH));
		if (options->progress != NULL)
			options->progress(options->context, checked_min(end, first + BATCH) - options->first);
	}
	*yardstick = (struct yardstick){.violation = -1};
	for (int i = 0; i < options->threads; i++) {
		merge(yardstick, &workers[i].part);
		exact_destroy(workers[i].exact);
	}
	memory_free(workers);
}
