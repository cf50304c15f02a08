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
	const struct class *classes; /* NULL: of several jobs */
	int count, stream, level;
	int64_t kernels, own, volume; /* own: what it costs alone */
	int64_t copies, own_kernels, own_copies;
	int64_t pieces;                            /* of its time, in each of which it wants the SMs all through */
	int engine_count, engine[DIRECTION_COUNT]; /* on which it has copies, */
	int64_t on_engine[DIRECTION_COUNT];        /* and how many */
};

/* Of its own task no more than that. */
static int64_t siblings_of(const struct run *run, const struct class *class, int64_t window)
{
	return run->classes == NULL ? NONE : engines_siblings(run->engines, run->classes, &run->classes[run->count - 1], class, window);
}

/* Instances outstanding at some time of the window: one carried in at most, no more than arrived within a response before, and of the same
 * segment no more than its order leaves. */
static int64_t outstanding(const struct run *run, const struct class *class, int64_t window)
{
	int64_t fresh = checked_add(bounds_arrivals(&class->arrivals, window), 1);
	int64_t all = checked_min(fresh, bounds_arrivals(&class->arrivals, checked_add(window, class->response)));
	return checked_min(all, siblings_of(run, class, window));
}

static int64_t arriving(const struct run *run, const struct class *class, int64_t window)
{
	return checked_min(bounds_arrivals(&class->arrivals, window), siblings_of(run, class, window));
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

static void add_copy(struct run *run, const struct class *class, int64_t times)
{
	int at = 0;
	while (at < run->engine_count && run->engine[at] != class->engine)
		at++;
	run->engine_count = at == run->engine_count ? at + 1 : run->engine_count;
	run->engine[at] = class->engine;
	run->on_engine[at] = checked_add(run->on_engine[at], times);
	run->copies = checked_add(run->copies, times);
	run->own_copies = checked_add(run->own_copies, checked_mul(times, class->block));
	run->own = checked_add(run->own, checked_mul(times, class->block));
}

/* So many times. at_once: it wants the SMs from the end of the kernel before it on. */
static void add(struct run *run, const struct class *class, int64_t times, bool at_once)
{
	run->own = checked_add(run->own, checked_mul(times, class->dependency));
	if (class->runs == RUNS_ON_COPY_ENGINE && times > 0)
		add_copy(run, class, times);
	if (class->runs != RUNS_ON_SMS)
		return;
	int64_t alone = claimed_kinds[run->engines->kind].volume ? checked_add(class->dispatch, class->block)
								 : checked_add(class->makespan, run->engines->lower[class->level]);
	run->kernels = checked_add(run->kernels, times);
	run->pieces = checked_add(run->pieces, at_once ? 0 : times);
	run->volume = checked_add(run->volume, checked_mul(times, class->volume));
	run->own_kernels = checked_add(run->own_kernels, checked_mul(times, alone));
	run->own = checked_add(run->own, checked_mul(times, alone));
}

static bool comes_at_once(const struct class *class)
{
	return class->runs == RUNS_ON_SMS && class->dependency == 0 && class[-1].runs == RUNS_ON_SMS;
}

static struct run survey(const struct engines *engines, const struct line_of_classes *line, int first, int last)
{
	struct run run = {.engines = engines,
		.classes = &engines->classes[line->first + first],
		.count = last - first + 1,
		.stream = line->stream,
		.level = engines->classes[line->first].level};
	for (int i = 0; i < run.count; i++)
		add(&run, &run.classes[i], 1, i > 0 && comes_at_once(&run.classes[i]));
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

static int64_t by_copies(const struct run *run, int stream, int64_t window)
{
	const struct engines *engines = run->engines;
	const int *list = engines->copies[stream];
	int64_t sum = 0;
	for (int e = 0; e < run->engine_count; e++)
		sum = checked_add(sum, engines->fifo ? top_of(run, list, run->engine[e], BY_COPY, window, run->on_engine[e])
						     : all_of(run, list, run->engine[e], BY_COPY, window));
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
	if (run->classes != NULL && run->count > 1 && met != 0)
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
	struct piece_of_service of_kernels = {kernels, 0, run->pieces}, of_copies = {copies, 0, run->copies};
	if (run->kernels > 0 && kernels->own != NULL)
		of_kernels.served = kernels_served(run, window);
	if (run->copies > 0 && copies->own != NULL)
		of_copies.served = copies_served(run, window);
	sum = checked_add(sum, service_others(of_kernels, of_copies, stopped, window));
	for (int e = 0; e < run->engine_count; e++)
		sum = checked_add(sum, service_foreign(copies, run->engine[e], window));
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

/* ---- all jobs of a stream, from when it was last without work: [SEVERAL-JOBS] */

/* Those that come within the length; of the last one of `own` its first `part` operations, NULL: all of each. */
static struct run gather(const struct engines *engines, struct listed lines, const struct line_of_classes *own, int part, int64_t length)
{
	const struct line_of_classes *first = &engines->lines[lines.items[0]];
	struct run run = {.engines = engines, .stream = first->stream, .level = engines->classes[first->first].level};
	bool at_once = true;
	for (int i = 0; i < lines.count; i++) {
		const struct line_of_classes *line = &engines->lines[lines.items[i]];
		int64_t jobs = bounds_arrivals(&line->arrivals, length);
		for (int k = 0; k < line->count; k++) {
			const struct class *class = &engines->classes[line->first + k];
			int64_t whole = line == own && k >= part && !checked_is_none(jobs) ? jobs - 1 : jobs;
			at_once = at_once && class->runs == RUNS_ON_SMS && class->dependency == 0;
			add(&run, class, whole, k > 0 && comes_at_once(class));
		}
	}
	if (at_once)
		run.pieces = checked_min(run.pieces, 1);
	return run;
}

/* No earlier than `from`. */
static int64_t complete_by(const struct engines *engines, const struct run *run, int64_t from)
{
	int64_t window = checked_max(from, 1);
	if (run->own == 0)
		return 0;
	for (int i = 0; i < LIMIT_ITERATIONS && window <= engines->horizon; i++) {
		int64_t next = right_side(run, window);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}

static int64_t busy_stream(const struct engines *engines, struct listed lines)
{
	int64_t window = 1;
	for (int i = 0; i < LIMIT_ITERATIONS && window <= engines->horizon; i++) {
		struct run run = gather(engines, lines, NULL, 0, window);
		int64_t next = right_side(&run, window);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}

static int64_t next_of(const struct engines *engines, struct listed lines, int64_t a)
{
	int64_t next = NONE;
	for (int i = 0; i < lines.count; i++)
		next = checked_min(next, bounds_next_arrival(&engines->lines[lines.items[i]].arrivals, a));
	return next;
}

static bool is_known(const struct engines *engines, const struct line_of_classes *line)
{
	bool known = !checked_is_none(line->arrivals.jitter) && !checked_is_none(engines->parts_within[line->part]);
	for (int k = 0; k < line->count; k++)
		known = known && line->after[k] == NULL;
	return known;
}

#define MOST_LINES 64

/* The worst of the jobs that come in a busy interval, by how long their first `part` operations are complete after they came. */
static int64_t worst_of(const struct engines *engines, struct listed lines, const struct line_of_classes *own, int part, int64_t busy)
{
	int64_t worst = 0, end = 0;
	int tried = 0;
	for (int64_t a = 0; a < busy; a = next_of(engines, lines, a)) {
		struct run run = gather(engines, lines, own, part, checked_add(a, 1));
		end = complete_by(engines, &run, end);
		if (checked_is_none(end) || tried++ == LIMIT_JOB_CANDIDATES)
			return NONE;
		worst = checked_max(worst, checked_sub(end, a));
	}
	return worst;
}

void engines_jobs(const struct engines *engines, const struct line_of_classes *own, int64_t *done)
{
	struct listed lines = lists_of(&engines->lines_of, engines->position[own->stream]);
	bool known = own->count <= LIMIT_WHOLE_RUNS && lines.count <= MOST_LINES;
	for (int i = 0; i < lines.count; i++)
		known = known && is_known(engines, &engines->lines[lines.items[i]]);
	int64_t busy = known ? busy_stream(engines, lines) : NONE, last = 0;
	for (int part = 0; part <= own->count; part++) {
		done[part] = checked_is_none(busy) || checked_is_none(last) ? NONE : worst_of(engines, lines, own, part, busy);
		last = done[part];
	}
	for (int part = 0; part < own->count && checked_is_none(last); part++) /* all of them, or none */
		done[part] = NONE;
}
