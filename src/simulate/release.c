/* When jobs are released: phases, jitter, slack, arrival curves ([ARRIVALS], [FALSIFIER]). */
#include "simulate/run.h"

static int64_t jitter_of(const struct releases *releases, const struct release_options *options, int task, int64_t job)
{
	int64_t most = releases->task->arrival.jitter;
	switch (releases->task->arrival.kind == ARRIVAL_CURVE ? JITTER_NONE : options->jitter) {
	case JITTER_BURST: return job == 0 ? most : 0;
	case JITTER_UNIFORM: return random_between(releases->random, 0, most);
	case JITTER_EXTREME: return random_chance(releases->random, 50) ? most : 0;
	case JITTER_EXPLICIT:
		if (job >= options->jitter_count)
			return 0;
		return checked_max(checked_min(options->jitters_ns[task * options->jitter_count + job], most), 0);
	default: return 0;
	}
}

static int64_t phase_of(const struct releases *releases, const struct release_options *options, int task, int64_t latest)
{
	const struct task *its = releases->task;
	if (its->offset != NONE && !options->adrift)
		return its->offset;
	if (options->phases == PHASES_EXPLICIT)
		return options->phases_ns[task];
	if (options->phases == PHASES_DRAWN)
		return random_between(releases->random, 0, checked_max(its->arrival.period - 1, 0));
	return latest - releases->first_jitter;
}

static void open_history(struct releases *releases, struct arena *arena)
{
	const struct arrival *arrival = &releases->task->arrival;
	if (arrival->kind != ARRIVAL_CURVE)
		return;
	for (int i = 0; i < arrival->step_count; i++)
		releases->curve_count = checked_max(releases->curve_count, arrival->steps[i].count);
	releases->history = arena_allocate(arena, (size_t)releases->curve_count, sizeof *releases->history);
}

void releases_init(
	struct releases *all, struct arena *arena, const struct taskset *set, const struct release_options *options, struct random *random)
{
	int64_t latest = 0;
	for (int t = 0; t < set->task_count; t++) {
		all[t] = (struct releases){.task = &set->tasks[t], .random = random};
		all[t].first_jitter = jitter_of(&all[t], options, t, 0);
		latest = checked_max(latest, all[t].first_jitter);
		open_history(&all[t], arena);
	}
	for (int t = 0; t < set->task_count; t++)
		all[t].phase = phase_of(&all[t], options, t, latest);
}

/* The earliest instant that the arrival curve allows: for each step (w, c), w or more after the c-th release before. */
static int64_t curve_allows(const struct releases *releases)
{
	const struct arrival *arrival = &releases->task->arrival;
	int64_t allowed = releases->count == 0 ? releases->phase : releases->nominal;
	for (int i = 0; i < arrival->step_count; i++) {
		int64_t before = releases->count - arrival->steps[i].count;
		if (before >= 0)
			allowed = checked_max(
				allowed, checked_add(releases->history[before % releases->curve_count], arrival->steps[i].window));
	}
	return allowed;
}

/* By how much longer than its period a task that is not periodic is not released, as it is drawn: no more than its greatest distance. */
static int64_t most_between(const struct arrival *arrival)
{
	int64_t apart = arrival_apart(arrival);
	return apart == NONE ? arrival->period : checked_min(arrival->period, checked_sub(apart, arrival->period));
}

static int64_t nominal_of(const struct releases *releases, const struct release_options *options)
{
	const struct arrival *arrival = &releases->task->arrival;
	int64_t nominal = checked_add(releases->nominal, arrival->period);
	if (arrival->kind == ARRIVAL_CURVE)
		nominal = curve_allows(releases);
	else if (releases->count == 0)
		nominal = releases->phase;
	if (options->slack && arrival->kind != ARRIVAL_PERIODIC && releases->count > 0)
		nominal = checked_add(nominal, random_between(releases->random, 0, most_between(arrival)));
	return nominal;
}

/* Releases stand in order, and min_distance apart where the task has one. */
static int64_t actual_of(const struct releases *releases, int64_t jittered)
{
	int64_t distance = releases->task->arrival.min_distance == NONE ? 0 : releases->task->arrival.min_distance;
	return releases->count == 0 ? jittered : checked_max(jittered, checked_add(releases->actual, distance));
}

bool releases_next(struct releases *releases, const struct release_options *options, int task, struct release *release)
{
	if (options->jobs > 0 && releases->count >= options->jobs)
		return false;
	int64_t nominal = nominal_of(releases, options);
	if (options->horizon > 0 && nominal >= options->horizon)
		return false;
	int64_t jitter = releases->count == 0 ? releases->first_jitter : jitter_of(releases, options, task, releases->count);
	releases->actual = actual_of(releases, checked_add(nominal, jitter));
	if (releases->actual >= TIME_LIMIT)
		return false;
	releases->nominal = nominal;
	if (releases->history != NULL)
		releases->history[releases->count % releases->curve_count] = releases->actual;
	releases->count++;
	*release = (struct release){nominal, releases->actual};
	return true;
}
