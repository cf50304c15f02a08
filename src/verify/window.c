/* A run of consecutive operations against everybody else: (C.1) by makespans, (V.3) by volume. */
#include "verify/engines.h"

#include "model/limits.h"

enum weight { BY_MAKESPAN, BY_HIGH, BY_TOTAL, BY_COPY };

static int64_t weigh(const struct class *class, enum weight weight)
{
	const int64_t weights[] = {class->makespan, class->high, checked_add(class->volume, class->block), class->block};
	return weights[weight];
}

struct run {
	const struct engines *engines;
	const struct class *classes;
	int count, stream, level;
	int64_t kernels, own, volume; /* own: what it costs alone */
	int64_t turns;                /* of its kernels */
	int64_t copies, own_kernels, own_copies;
};

/* Instances outstanding at some time of the window: one carried in at most, no more than arrived within a response before, and of the same
 * segment no more than its order leaves. */
static int64_t outstanding(const struct run *run, const struct class *class, int64_t window)
{
	const struct class *last = &run->classes[run->count - 1];
	int64_t fresh = checked_add(bounds_arrivals(&class->arrivals, window), 1);
	int64_t all = checked_min(fresh, bounds_arrivals(&class->arrivals, checked_add(window, class->response)));
	return checked_min(all, engines_siblings(run->engines, run->classes, last, class, window));
}

static int64_t arriving(const struct run *run, const struct class *class, int64_t window)
{
	const struct class *last = &run->classes[run->count - 1];
	int64_t siblings = engines_siblings(run->engines, run->classes, last, class, window);
	return checked_min(bounds_arrivals(&class->arrivals, window), siblings);
}

static bool on_engine(const struct class *class, int engine)
{
	return class->runs == RUNS_ON_SMS || class->engine == engine;
}

/* All instances; at most one of a stream is carried in (A-ONE). */
static int64_t all_of(const struct run *run, const int *list, int engine, enum weight weight, int64_t window)
{
	int64_t each_carried = 0, fresh = 0, dearest = 0;
	for (; *list >= 0; list++) {
		const struct class *class = &run->engines->classes[*list];
		if (!on_engine(class, engine))
			continue;
		each_carried = checked_add(each_carried, checked_mul(outstanding(run, class, window), weigh(class, weight)));
		fresh = checked_add(fresh, checked_mul(arriving(run, class, window), weigh(class, weight)));
		dearest = checked_max(dearest, weigh(class, weight));
	}
	return checked_min(each_carried, checked_add(fresh, dearest));
}

/* The `most` dearest instances; the list is sorted by the weight. */
static int64_t top_of(const struct run *run, const int *list, int engine, enum weight weight, int64_t window, int64_t most)
{
	int64_t sum = 0;
	for (; *list >= 0 && most > 0; list++) {
		const struct class *class = &run->engines->classes[*list];
		if (!on_engine(class, engine))
			continue;
		int64_t count = checked_min(most, outstanding(run, class, window));
		sum = checked_add(sum, checked_mul(count, weigh(class, weight)));
		most -= count;
	}
	return sum;
}

static struct run survey(const struct engines *engines, const struct line_of_classes *line, int first, int last)
{
	struct run run = {engines, &engines->classes[line->first + first], last - first + 1, line->stream,
		engines->classes[line->first].level, 0, 0, 0, 0, 0, 0, 0};
	bool volume = claimed_kinds[engines->kind].volume;
	for (int i = 0; i < run.count; i++) {
		const struct class *class = &run.classes[i];
		run.own = checked_add(run.own, class->dependency);
		if (class->runs == RUNS_ON_COPY_ENGINE) {
			run.copies++;
			run.own_copies = checked_add(run.own_copies, class->block);
			run.own = checked_add(run.own, class->block);
		}
		if (class->runs != RUNS_ON_SMS)
			continue;
		run.kernels++;
		run.turns = checked_add(run.turns, class->turns);
		run.volume = checked_add(run.volume, class->volume);
		int64_t alone = checked_add(class->dispatch, class->block);
		if (!volume)
			alone = checked_add(class->makespan, engines->lower[class->level]);
		run.own_kernels = checked_add(run.own_kernels, alone);
		run.own = checked_add(run.own, alone);
	}
	return run;
}

static int64_t by_volume(const struct run *run, int64_t window)
{
	const struct engines *engines = run->engines;
	int64_t volume = run->volume, dispatch = 0;
	for (int i = 0; i < engines->streams.count; i++) {
		int s = engines->streams.items[i];
		if (s == run->stream)
			continue;
		volume = checked_add(volume, all_of(run, engines->kernels[s], ENGINE_NONE, BY_TOTAL, window));
		for (const int *at = engines->kernels[s]; *at >= 0; at++) {
			const struct class *class = &engines->classes[*at];
			dispatch = checked_add(dispatch, checked_mul(outstanding(run, class, window), class->dispatch));
		}
	}
	return checked_add(work_spread(volume, engines->g, engines->work->owners[engines->context].grids), dispatch);
}

/* Copies of the run on the engine of its i-th operation, counted at the first of them only. */
static int64_t copies_at(const struct run *run, int i)
{
	int64_t count = 0;
	for (int k = 0; k < run->count; k++) {
		if (run->classes[k].runs != RUNS_ON_COPY_ENGINE || run->classes[k].engine != run->classes[i].engine)
			continue;
		if (k < i)
			return 0;
		count++;
	}
	return count;
}

static int64_t by_copies(const struct run *run, int stream, int64_t window)
{
	const struct engines *engines = run->engines;
	int64_t sum = 0;
	for (int i = 0; i < run->count; i++) {
		int64_t own = run->classes[i].runs == RUNS_ON_COPY_ENGINE ? copies_at(run, i) : 0;
		const int *list = engines->copies[stream];
		int engine = run->classes[i].engine;
		if (own > 0)
			sum = checked_add(sum, engines->fifo ? top_of(run, list, engine, BY_COPY, window, own)
							     : all_of(run, list, engine, BY_COPY, window));
	}
	return sum;
}

/* Kernels of higher levels, and copies that nobody orders: all. Of the others no more than own operations can meet: by their numbers on
 * each engine, and by the order in which they come. */
static int64_t of_stream(const struct run *run, int stream, int64_t window)
{
	const struct engines *engines = run->engines;
	const int *kernels = engines->kernels[stream];
	int level = engines->work->check->set->streams[stream].level;
	bool makespans = run->kernels > 0 && !claimed_kinds[engines->kind].volume;
	int64_t copies = by_copies(run, stream, window), all = 0, met = 0;
	if (makespans && level < run->level)
		all = all_of(run, kernels, ENGINE_NONE, BY_HIGH, window);
	if (makespans && level == run->level)
		met = top_of(run, kernels, ENGINE_NONE, BY_MAKESPAN, window, run->kernels);
	if (!engines->fifo)
		all = checked_add(all, copies);
	else
		met = checked_add(met, copies);
	if (run->count > 1 && met != 0)
		met = checked_min(met, engines_in_order(engines, run->classes, run->count, stream, window));
	return checked_add(all, met);
}

static int64_t by_others(const struct run *run, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; i < run->engines->streams.count; i++) {
		int s = run->engines->streams.items[i];
		if (s != run->stream)
			sum = checked_add(sum, of_stream(run, s, window));
	}
	return sum;
}

/* What is served at the run's engines while it is there: no more than all that it may wait for there. */
static int64_t kernels_served(const struct run *run, int64_t window)
{
	const struct engines *engines = run->engines;
	int64_t sum = run->own_kernels;
	if (claimed_kinds[engines->kind].volume)
		return checked_add(sum, by_volume(run, window));
	for (int i = 0; i < engines->streams.count; i++) {
		int s = engines->streams.items[i];
		int level = engines->work->check->set->streams[s].level;
		if (s != run->stream && level < run->level)
			sum = checked_add(sum, all_of(run, engines->kernels[s], ENGINE_NONE, BY_HIGH, window));
		if (s != run->stream && level == run->level)
			sum = checked_add(sum, top_of(run, engines->kernels[s], ENGINE_NONE, BY_MAKESPAN, window, run->kernels));
	}
	return sum;
}

static int64_t copies_served(const struct run *run, int64_t window)
{
	int64_t sum = run->own_copies;
	for (int i = 0; i < run->engines->streams.count; i++) {
		int s = run->engines->streams.items[i];
		if (s != run->stream)
			sum = checked_add(sum, by_copies(run, s, window));
	}
	return sum;
}

/* Stops, others' turns, and copies of other contexts. */
static int64_t by_turns(const struct run *run, int64_t window)
{
	const struct service *kernels = &run->engines->kernels_by, *copies = &run->engines->copies_by;
	int64_t stopped = service_stopped(kernels, window), sum = stopped;
	struct piece_of_service of_kernels = {kernels, 0, run->turns}, of_copies = {copies, 0, run->copies};
	if (run->kernels > 0 && kernels->own != NULL)
		of_kernels.served = kernels_served(run, window);
	if (run->copies > 0 && copies->own != NULL)
		of_copies.served = copies_served(run, window);
	sum = checked_add(sum, service_others(of_kernels, of_copies, stopped, window));
	for (int i = 0; i < run->count; i++)
		if (run->classes[i].runs == RUNS_ON_COPY_ENGINE && copies_at(run, i) > 0)
			sum = checked_add(sum, service_foreign(copies, run->classes[i].engine, window));
	return sum;
}

static int64_t right_side(const struct run *run, int64_t window)
{
	int64_t sum = checked_add(run->own, by_others(run, window));
	if (run->kernels > 0 && claimed_kinds[run->engines->kind].volume)
		sum = checked_add(sum, by_volume(run, window));
	return checked_add(sum, by_turns(run, window));
}

bool engines_run_within(const struct engines *engines, const struct line_of_classes *line, int first, int last, int64_t window)
{
	struct run run = survey(engines, line, first, last);
	return window >= 1 && !checked_is_none(window) && right_side(&run, window) <= window;
}

int64_t engines_run(const struct engines *engines, const struct line_of_classes *line, int first, int last)
{
	struct run run = survey(engines, line, first, last);
	int64_t window = 1;
	for (int i = 0; i < LIMIT_ITERATIONS; i++) {
		int64_t next = right_side(&run, window);
		if (next <= window)
			return window;
		if (next > engines->horizon)
			return NONE;
		window = next;
	}
	return NONE;
}
