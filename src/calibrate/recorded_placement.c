/* What traces of timed kernels launched back to back show of order, priorities,
 * work conservation and stops; and the order in which an empty GPU's SMs are
 * given out, from the experiment "next": held, n blocks and then one, for every
 * n.
 *
 * Surely waiting is a kernel between its first and its last block's begin only;
 * CLOCKS are granted to SMs' clocks that differ, EMPTY to the time between a
 * block's end and the next one's begin. */
#include "calibrate/calibrate_parts.h"
#include "simulate/trace.h"

#include <stdlib.h>
#include <string.h>

#define CLOCKS 200   /* ns */
#define EMPTY 2000   /* ns */
#define STRETCH 2000 /* ns */

struct window {              /* of one kernel */
	int64_t first, last; /* begins of its first and last block */
	int64_t shortest, longest;
};

struct judge {
	struct calibration *calibration;
	const struct recording *recording;
	const struct trace_configuration *configuration;
	struct window *windows;
	int window_capacity;
	const struct trace_block **by_sm; /* the blocks, by SM and begin */
	int block_capacity;
	struct event {
		int64_t at;
		int change;
	} * events;
	int event_count, event_capacity;
	int *order, order_count; /* SMs in the order of choice, as far as known; the
				    count is -1 where they have none */
};

static int64_t warps_of(const struct trace_kernel *kernel)
{
	return checked_div_ceil(kernel->threads, THREADS_A_WARP);
}

static const char *shape(const struct judge *judge, const struct trace_kernel *kernel)
{
	return arena_format(judge->calibration->arena, "blocks of %lld warps", (long long)warps_of(kernel));
}

static void find(struct judge *judge, enum assumption assumption, bool broken, int64_t longest, const struct trace_kernel *kernel)
{
	calibrate_found(
		judge->calibration, judge->recording, assumption, 1, broken, broken ? longest : 0, broken ? shape(judge, kernel) : NULL);
}

static void set_windows(struct judge *judge)
{
	const struct trace_configuration *t = judge->configuration;
	struct arena *arena = judge->calibration->arena;
	judge->windows = arena_grow(arena, judge->windows, &judge->window_capacity, t->kernel_count, sizeof *judge->windows);
	for (int k = 0; k < t->kernel_count; k++) {
		struct window w = {NONE, 0, NONE, 0};
		for (int b = t->kernels[k].first_block; b < t->kernels[k].first_block + t->kernels[k].blocks; b++) {
			int64_t time = t->blocks[b].end - t->blocks[b].begin;
			w.first = checked_min(w.first, t->blocks[b].begin);
			w.last = checked_max(w.last, t->blocks[b].begin);
			w.shortest = checked_min(w.shortest, time);
			w.longest = checked_max(w.longest, time);
		}
		judge->windows[k] = w;
	}
}

/* ---- order, priorities, stops */

static void judge_neighbours(struct judge *judge)
{
	const struct trace_configuration *t = judge->configuration;
	for (int later = 1; later < t->kernel_count; later++) {
		int earlier = later - 1;
		while (earlier >= 0 && t->kernels[earlier].priority != t->kernels[later].priority)
			earlier--;
		if (earlier < 0)
			continue;
		int64_t overlap = judge->windows[earlier].last - judge->windows[later].first;
		find(judge, ASSUMPTION_HOL, overlap > CLOCKS, overlap, &t->kernels[earlier]);
	}
}

/* How long before the end of the high kernel's window did the first low block
 * begin that it should have kept out? */
static int64_t passed_by(const struct judge *judge, const struct window *high, int64_t priority)
{
	const struct trace_configuration *t = judge->configuration;
	int64_t longest = 0;
	for (int k = 0; k < t->kernel_count; k++)
		for (int b = t->kernels[k].first_block;
			t->kernels[k].priority < priority && b < t->kernels[k].first_block + t->kernels[k].blocks; b++)
			if (t->blocks[b].begin > high->first + CLOCKS && t->blocks[b].begin < high->last - CLOCKS)
				longest = checked_max(longest, high->last - t->blocks[b].begin);
	return longest;
}

static void judge_priorities(struct judge *judge)
{
	const struct trace_configuration *t = judge->configuration;
	for (int high = 0; high < t->kernel_count; high++) {
		bool lower = false;
		for (int k = 0; k < t->kernel_count; k++)
			lower = lower || t->kernels[k].priority < t->kernels[high].priority;
		if (!lower || judge->windows[high].last - judge->windows[high].first <= 2 * CLOCKS)
			continue;
		int64_t longest = passed_by(judge, &judge->windows[high], t->kernels[high].priority);
		find(judge, ASSUMPTION_PRIO, longest > 0, longest, &t->kernels[high]);
	}
}

static void judge_stretches(struct judge *judge)
{
	for (int k = 0; k < judge->configuration->kernel_count; k++) {
		int64_t more = judge->windows[k].longest - judge->windows[k].shortest;
		find(judge, ASSUMPTION_ISO, more > STRETCH, more, &judge->configuration->kernels[k]);
	}
}

/* ---- empty SMs while a kernel waits */

static int by_sm_and_begin(const void *a, const void *b)
{
	const struct trace_block *one = *(const struct trace_block *const *)a, *other = *(const struct trace_block *const *)b;
	if (one->sm != other->sm)
		return one->sm < other->sm ? -1 : 1;
	return (one->begin > other->begin) - (one->begin < other->begin);
}

static void add_event(struct judge *judge, int64_t at, int change)
{
	judge->events =
		arena_grow(judge->calibration->arena, judge->events, &judge->event_capacity, judge->event_count + 1, sizeof *judge->events);
	judge->events[judge->event_count++] = (struct event){at, change};
}

/* The kernel that surely waits from the earliest on, of those that wait in [from, to) and longer than until `counted`; -1: none. */
static int next_to_wait(const struct judge *judge, int64_t from, int64_t to, int64_t counted)
{
	int found = -1;
	for (int k = 0; k < judge->configuration->kernel_count; k++) {
		const struct window *w = &judge->windows[k];
		bool waits = checked_min(to, w->last) > checked_max(checked_max(from, w->first) + EMPTY, counted);
		if (waits && (found < 0 || w->first < judge->windows[found].first))
			found = k;
	}
	return found;
}

/* An SM was empty in [from, to): for how long of that did one kernel surely
 * wait? From EMPTY after a kernel began to wait it counts as empty, once
 * however many do. */
static int64_t empty_while_waiting(struct judge *judge, int64_t from, int64_t to)
{
	int64_t longest = 0, counted = 0;
	for (int k = 0; k < judge->configuration->kernel_count; k++)
		longest = checked_max(longest, checked_min(to, judge->windows[k].last) - checked_max(from, judge->windows[k].first));
	for (int k = next_to_wait(judge, from, to, 0); k >= 0; k = next_to_wait(judge, from, to, counted)) {
		add_event(judge, checked_max(checked_max(from, judge->windows[k].first) + EMPTY, counted), 1);
		counted = checked_min(to, judge->windows[k].last);
		add_event(judge, counted, -1);
	}
	return longest;
}

static int by_time(const void *a, const void *b)
{
	const struct event *one = a, *other = b;
	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	return one->change - other->change;
}

/* The most SMs empty at once. */
static int64_t most_empty(struct judge *judge)
{
	int64_t now = 0, most = 0;
	if (judge->event_count > 0)
		qsort(judge->events, (size_t)judge->event_count, sizeof *judge->events, by_time);
	for (int i = 0; i < judge->event_count; i++) {
		now += judge->events[i].change;
		most = checked_max(most, now);
	}
	return most;
}

static int64_t longest_empty(struct judge *judge)
{
	const struct trace_configuration *t = judge->configuration;
	int64_t longest = 0, busy = 0;
	int next = 0;
	for (int64_t sm = 0; sm < judge->recording->sms; sm++) {
		busy = 0;
		for (; next < t->block_count && judge->by_sm[next]->sm == sm; next++) {
			longest = checked_max(longest, empty_while_waiting(judge, busy, judge->by_sm[next]->begin));
			busy = checked_max(busy, judge->by_sm[next]->end);
		}
		longest = checked_max(longest, empty_while_waiting(judge, busy, NONE - 1));
	}
	return longest;
}

/* The longest time for which an SM was empty while a kernel waited; -1: none surely waited. */
static int64_t find_empty(struct judge *judge, int *waiting)
{
	const struct trace_configuration *t = judge->configuration;
	struct calibration *c = judge->calibration;
	*waiting = -1;
	for (int k = 0; k < t->kernel_count; k++)
		if (judge->windows[k].last - judge->windows[k].first > EMPTY)
			*waiting = k;
	if (*waiting < 0)
		return -1;
	judge->by_sm = arena_grow(c->arena, judge->by_sm, &judge->block_capacity, t->block_count, sizeof *judge->by_sm);
	for (int b = 0; b < t->block_count; b++)
		judge->by_sm[b] = &t->blocks[b];
	if (t->block_count > 0)
		qsort(judge->by_sm, (size_t)t->block_count, sizeof *judge->by_sm, by_sm_and_begin);
	judge->event_count = 0;
	return longest_empty(judge);
}

static void judge_conservation(struct judge *judge)
{
	struct calibration *c = judge->calibration;
	int waiting;
	int64_t longest = find_empty(judge, &waiting);
	if (longest < 0)
		return;
	find(judge, ASSUMPTION_WC, longest > EMPTY, longest, &judge->configuration->kernels[waiting]);
	c->nonempty = checked_min(c->nonempty, checked_max(0, judge->recording->sms - most_empty(judge)));
	c->nonempty_tries++;
	c->nonempty_recording = judge->recording;
}

/* ---- the order of SMs: where n blocks are, the next one goes to the n-th */

static void extend_order(struct judge *judge, int sm)
{
	for (int i = 0; i < judge->order_count; i++)
		if (judge->order[i] == sm) {
			judge->order_count = -1;
			return;
		}
	judge->order[judge->order_count++] = sm;
}

static void read_next(struct judge *judge)
{
	const struct trace_configuration *t = judge->configuration;
	if (judge->order == NULL)
		judge->order = arena_allocate(judge->calibration->arena, (size_t)judge->recording->sms + 1, sizeof *judge->order);
	bool expected = t->kernel_count == 2 && t->kernels[1].blocks == 1 && judge->order_count >= 0;
	if (expected && t->kernels[0].blocks == 1 && judge->order_count == 0)
		extend_order(judge, t->blocks[0].sm);
	if (!expected || judge->order_count != t->kernels[0].blocks || judge->order_count >= judge->recording->sms)
		judge->order_count = -1;
	else
		extend_order(judge, t->blocks[t->kernels[1].first_block].sm);
}

static void set_order(struct judge *judge)
{
	struct calibration *c = judge->calibration;
	if (judge->order_count == judge->recording->sms) {
		c->platform->order = judge->order;
		c->platform->order_source = judge->recording->source;
	} else {
		calibrate_note(c, "no one order of SMs was found: the SM that came next was one that was in use");
	}
}

/* ---- a trace */

static bool has_small_blocks(const struct trace_configuration *t, int64_t least_warps)
{
	for (int k = 0; k < t->kernel_count; k++)
		if (warps_of(&t->kernels[k]) < least_warps)
			return true;
	return false;
}

static bool known_sms(const struct judge *judge)
{
	const struct trace_configuration *t = judge->configuration;
	for (int b = 0; b < t->block_count; b++)
		if (t->blocks[b].sm >= judge->recording->sms) {
			diagnose(judge->calibration->diagnostics, DIAGNOSTIC_TRACE_SM, judge->recording->path, t->blocks[b].line,
				"SM %d of a GPU with %lld", t->blocks[b].sm, (long long)judge->recording->sms);
			return false;
		}
	return true;
}

void calibrate_placement(struct calibration *c, const struct recording *r)
{
	struct trace_configuration configuration;
	struct judge judge = {.calibration = c, .recording = r, .configuration = &configuration};
	struct trace_reader *reader = trace_open(c->diagnostics, r->path);
	if (reader == NULL)
		return;
	while (trace_next(reader, &configuration) == TRACE_READ) {
		if (strcmp(configuration.experiment, "next") == 0 && known_sms(&judge))
			read_next(&judge);
		if (configuration.mode != 1 || has_small_blocks(&configuration, c->options->least_warps))
			continue;
		if (!known_sms(&judge))
			break;
		set_windows(&judge);
		judge_neighbours(&judge);
		judge_priorities(&judge);
		judge_stretches(&judge);
		judge_conservation(&judge);
	}
	trace_close(reader);
	if (judge.order != NULL)
		set_order(&judge);
	c->order_sought |= judge.order != NULL;
}

int64_t calibrate_empty(struct calibration *c, const struct recording *r, int64_t *longest)
{
	struct trace_configuration configuration;
	struct judge judge = {.calibration = c, .recording = r, .configuration = &configuration};
	struct trace_reader *reader = trace_open(c->diagnostics, r->path);
	int64_t looked_at = 0;
	int waiting;
	while (reader != NULL && trace_next(reader, &configuration) == TRACE_READ && known_sms(&judge)) {
		set_windows(&judge);
		int64_t empty = find_empty(&judge, &waiting);
		looked_at += empty >= 0 ? r->sms : 0;
		*longest = checked_max(*longest, empty);
	}
	if (reader != NULL)
		trace_close(reader);
	return looked_at;
}
