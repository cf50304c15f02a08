#include "response/several_jobs.h"

#include "base/plant.h"
#include "model/limits.h"
#include "response/window_run.h"

#define JOBS_CHAINS 64

struct jobs { /* what a stream has */
	const struct chain_of_classes *chains[JOBS_CHAINS];
	struct run each[JOBS_CHAINS];
	int count;
	bool at_once; /* nothing but kernels, each ready as the one before it is complete */
};

static void add_times(struct run *sum, const struct run *run, int64_t times)
{
	sum->kernels = checked_add(sum->kernels, checked_mul(times, run->kernels));
	sum->windows = checked_add(sum->windows, checked_mul(times, run->windows));
	sum->copies = checked_add(sum->copies, checked_mul(times, run->copies));
	for (int e = 0; e < CLASS_ENGINES; e++)
		sum->on_engine[e] = checked_add(sum->on_engine[e], checked_mul(times, run->on_engine[e]));
	sum->own = checked_add(sum->own, checked_mul(times, run->own));
	sum->own_kernels = checked_add(sum->own_kernels, checked_mul(times, run->own_kernels));
	sum->own_copies = checked_add(sum->own_copies, checked_mul(times, run->own_copies));
	sum->own_volume = checked_add(sum->own_volume, checked_mul(times, run->own_volume));
}

static bool is_at_once(const struct window *w)
{
	for (int i = 0; i < w->chain->count; i++)
		if (w->items[i].place != PLACE_EXECUTION || w->items[i].dependency > 0 || w->items[i].turns > 1)
			return false;
	return true;
}

/* False: there are too many, or one that waits for an event, or comes nobody knows how often. */
static bool find_jobs(const struct window *w, struct jobs *jobs)
{
	const struct classes *classes = w->classes;
	jobs->count = 0;
	jobs->at_once = true;
	for (int i = classes->chain_of[w->chain->stream]; i != NO_ID; i = classes->chains[i].after) {
		const struct chain_of_classes *chain = &classes->chains[i];
		const struct window of = window_of(classes, w->rules, chain);
		if (jobs->count == JOBS_CHAINS || chain->hold_count > 0 || chain->open != NULL)
			return false;
		jobs->chains[jobs->count] = chain;
		jobs->each[jobs->count++] = run_make(&of, 0, chain->count);
		jobs->at_once = jobs->at_once && is_at_once(&of);
	}
	return true;
}

/* All jobs that come in a half-open window of this length; but of the last one of the own chain what `last` has. NULL: all of it. */
static struct run run_of(const struct window *w, const struct jobs *jobs, int64_t length, const struct run *last)
{
	struct run sum = {.jobs = true, .length = length};
	for (int i = 0; i < jobs->count; i++) {
		bool own = jobs->chains[i] == w->chain && last != NULL;
		int64_t count = arrivals_in(&jobs->chains[i]->arrivals, length);
		count = planted(PLANT_TOGETHER) ? checked_min(count, 1) : count;
		add_times(&sum, &jobs->each[i], own && count != NONE ? count - 1 : count);
		if (own)
			add_times(&sum, last, 1);
	}
	sum.windows = jobs->at_once ? checked_min(1, sum.windows) : sum.windows;
	return sum;
}

static int64_t right_side(const struct window *w, const struct run *run, int64_t length)
{
	struct charges charges = run_charges(w, run, length, NULL);
	return checked_add(checked_add(run->own, charges.delay), run_lost(w, run, &charges, length, NULL));
}

/* When they are all complete; `from`: it is no earlier. */
static int64_t end_of(const struct window *w, const struct run *run, int64_t from)
{
	int64_t length = checked_max(1, checked_max(from, run->own));
	for (int i = 0; i < LIMIT_ITERATIONS && length <= w->rules->horizon && run->own > 0; i++) {
		int64_t next = right_side(w, run, length);
		if (next <= length)
			return length;
		length = next;
	}
	return run->own == 0 ? 0 : NONE;
}

/* Are they surely all complete then, and is that before the horizon? What is due within some window is complete at its end. */
static bool ends_by(const struct window *w, const struct run *run, int64_t length)
{
	return length > 0 && length <= w->rules->horizon && right_side(w, run, length) <= length;
}

/* The longest busy interval of the stream. */
static int64_t busy_length(const struct window *w, const struct jobs *jobs)
{
	int64_t length = 1;
	for (int i = 0; i < LIMIT_ITERATIONS && length <= w->rules->horizon; i++) {
		struct run run = run_of(w, jobs, length, NULL);
		int64_t next = right_side(w, &run, length);
		if (next <= length)
			return length;
		length = next;
	}
	return NONE;
}

/* The next instant after `a` at which more jobs of some chain may have come. */
static int64_t next_arrival(const struct jobs *jobs, int64_t a)
{
	int64_t next = NONE;
	for (int i = 0; i < jobs->count; i++)
		next = checked_min(next, arrivals_next(&jobs->chains[i]->arrivals, a));
	return next;
}

bool several_jobs_heads(
	const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain, int64_t *heads)
{
	const struct window w = window_of(classes, rules, chain);
	struct jobs jobs;
	int64_t length = chain->count <= LIMIT_WHOLE_RUNS && find_jobs(&w, &jobs) ? busy_length(&w, &jobs) : NONE;
	for (int l = 0; l <= chain->count && length != NONE; l++) {
		const struct run last = run_make(&w, 0, l);
		int64_t end = 0, a = 0;
		int tried = 0;
		heads[l] = 0;
		for (; a < length && tried < LIMIT_JOB_CANDIDATES && end != NONE; tried++, a = next_arrival(&jobs, a)) {
			struct run run = run_of(&w, &jobs, checked_add(a, 1), &last);
			if (heads[l] > 0 && ends_by(&w, &run, checked_add(heads[l], a))) /* this one waits no longer than another did */
				continue;
			end = end_of(&w, &run, end);
			heads[l] = checked_max(heads[l], checked_sub(end, a));
		}
		if (a < length || end == NONE)
			return false;
	}
	return length != NONE;
}

void several_jobs_terms(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain,
	int64_t response, struct terms *terms)
{
	const struct window w = window_of(classes, rules, chain);
	const struct run last = run_make(&w, 0, chain->count);
	struct jobs jobs;
	int64_t a = 0, end = 0;
	find_jobs(&w, &jobs);
	struct run run = run_of(&w, &jobs, 1, &last);
	while ((end = end_of(&w, &run, end)) != checked_add(response, a)) {
		a = next_arrival(&jobs, a);
		run = run_of(&w, &jobs, checked_add(a, 1), &last);
	}
	terms_add(terms, (struct term){.kind = TERM_WORST, .n = {a}});
	run_add_own(&w, &run, true, true, terms);
	const struct charges charges = run_charges(&w, &run, end, terms);
	run_lost(&w, &run, &charges, end, terms);
	terms_add(terms, (struct term){.kind = TERM_LATER, .amount = -a});
}

int64_t several_jobs_own(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain)
{
	const struct window w = window_of(classes, rules, chain);
	return run_own(&w);
}
