/* A search through the states of the SM, each seen once. */
#include "kernel/every_order.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY 255
#define LONGEST_WAIT 200

struct warp {
	uint8_t place, way, at, partition, ready, waited, barrier;
};

struct state {
	struct warp warps[EVERY_WARPS]; /* place NOBODY: none */
	uint8_t rank[EVERY_PLACES];     /* 0: free; 1: the oldest */
	uint8_t shared[EVERY_UNITS], own[EVERY_UNITS][EVERY_PARTITIONS];
	uint8_t before; /* cycles that may pass until the block begins; NOBODY: it has begun */
	uint8_t others; /* that may yet come */
};

struct seen {
	struct state state;
	long value;
	bool used, open;
};

struct search {
	const struct every_system *system;
	struct seen *table;
	size_t count;
	bool full;
};

static long longest(struct search *search, const struct state *state);

/* ---- what has been seen */

static struct seen *find(struct search *search, const struct state *state)
{
	const unsigned char *bytes = (const unsigned char *)state;
	size_t size = search->system->states * 2;
	uint64_t hash = 1469598103934665603u;
	for (size_t i = 0; i < sizeof *state; i++)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	size_t at = (size_t)(hash ^ hash >> 29) % size;
	while (search->table[at].used && memcmp(&search->table[at].state, state, sizeof *state) != 0)
		at = (at + 1) % size;
	return &search->table[at];
}

/* ---- warps */

static const struct every_kernel *kernel_of(const struct search *search, const struct warp *warp)
{
	return search->system->places[warp->place];
}

static bool ended(const struct search *search, const struct warp *warp)
{
	return warp->at == kernel_of(search, warp)->ways[warp->way].count;
}

static int class_of(const struct search *search, const struct warp *warp)
{
	return kernel_of(search, warp)->ways[warp->way].classes[warp->at];
}

static uint8_t *unit_of(const struct search *search, struct state *state, const struct warp *warp)
{
	const struct issue_class *class = &kernel_of(search, warp)->classes[class_of(search, warp)];
	return class->partition ? &state->own[class->unit][warp->partition] : &state->shared[class->unit];
}

/* ---- blocks come and go */

static void remove_block(struct state *state, int place)
{
	for (int i = 0; i < EVERY_WARPS; i++)
		if (state->warps[i].place == place)
			state->warps[i] = (struct warp){.place = NOBODY};
	for (int p = 0; p < EVERY_PLACES; p++)
		state->rank[p] -= state->rank[p] > state->rank[place];
	state->rank[place] = 0;
}

static void end_blocks(const struct search *search, struct state *state)
{
	for (int place = 0; place < search->system->place_count; place++) {
		bool over = state->rank[place] > 0;
		for (int i = 0; i < EVERY_WARPS && over; i++)
			over = state->warps[i].place != place || (ended(search, &state->warps[i]) && state->warps[i].ready == 0);
		if (over)
			remove_block(state, place);
	}
}

/* choice: the first sub-partition, then a way for each warp. */
static void begin_block(const struct search *search, struct state *state, int place, int choice)
{
	const struct every_kernel *kernel = search->system->places[place];
	int first = choice % search->system->partitions, at = 0;
	choice /= search->system->partitions;
	for (int p = 0; p < EVERY_PLACES; p++)
		state->rank[place] += state->rank[p] > 0 && p != place;
	state->rank[place]++;
	for (int i = 0; i < kernel->warps; i++, choice /= kernel->way_count) {
		while (state->warps[at].place != NOBODY)
			at++;
		state->warps[at] = (struct warp){.place = (uint8_t)place,
			.way = (uint8_t)(choice % kernel->way_count),
			.partition = (uint8_t)((first + i) % search->system->partitions)};
	}
}

static int choices(const struct search *search, int place)
{
	int count = search->system->partitions;
	for (int i = 0; i < search->system->places[place]->warps; i++)
		count *= search->system->places[place]->way_count;
	return count;
}

/* ---- issue */

static void release(const struct search *search, struct state *state, int place)
{
	for (int i = 0; i < EVERY_WARPS; i++)
		if (state->warps[i].place == place && !ended(search, &state->warps[i]) && !state->warps[i].barrier)
			return;
	for (int i = 0; i < EVERY_WARPS; i++) {
		struct warp *warp = &state->warps[i];
		if (warp->place != place || !warp->barrier)
			continue;
		int after = kernel_of(search, warp)->classes[CLASS_BARRIER].latency;
		warp->ready = warp->ready < after ? (uint8_t)after : warp->ready;
		warp->barrier = 0;
	}
}

static void issue(const struct search *search, struct state *state, int i)
{
	struct warp *warp = &state->warps[i];
	int class = class_of(search, warp);
	const struct issue_class *costs = &kernel_of(search, warp)->classes[class];
	*unit_of(search, state, warp) = (uint8_t)costs->occupancy;
	warp->ready = (uint8_t)costs->latency;
	warp->waited = 0;
	warp->at++;
	warp->barrier = class == CLASS_BARRIER;
	if (warp->barrier || ended(search, warp))
		release(search, state, warp->place);
}

static bool may_issue(const struct search *search, struct state *state, int i, const bool *slots)
{
	const struct warp *warp = &state->warps[i];
	return warp->place != NOBODY && !ended(search, warp) && !warp->barrier && warp->ready == 0 && !slots[warp->partition] &&
	       *unit_of(search, state, warp) == 0;
}

/* The less the earlier. */
static int order(const struct search *search, const struct state *state, int i)
{
	const struct warp *warp = &state->warps[i];
	if (search->system->others > 0)
		return 0;
	return search->system->policy == ISSUE_OLDEST ? state->rank[warp->place] : -warp->waited;
}

static long advance(struct search *search, struct state state)
{
	for (int i = 0; i < EVERY_WARPS; i++) {
		struct warp *warp = &state.warps[i];
		bool waits = warp->place != NOBODY && !ended(search, warp) && !warp->barrier && warp->ready == 0;
		warp->waited += waits && search->system->policy != ISSUE_OLDEST && warp->waited < LONGEST_WAIT;
		warp->ready -= warp->ready > 0;
	}
	for (int unit = 0; unit < EVERY_UNITS; unit++) {
		state.shared[unit] -= state.shared[unit] > 0;
		for (int p = 0; p < EVERY_PARTITIONS; p++)
			state.own[unit][p] -= state.own[unit][p] > 0;
	}
	bool begun = state.before == NOBODY;
	state.before -= !begun;
	return begun + longest(search, &state);
}

static long issue_all(struct search *search, struct state *state, const bool *slots)
{
	int first = INT32_MAX;
	long most = 0;
	for (int i = 0; i < EVERY_WARPS; i++)
		if (may_issue(search, state, i, slots) && order(search, state, i) < first)
			first = order(search, state, i);
	if (first == INT32_MAX)
		return advance(search, *state);
	for (int i = 0; i < EVERY_WARPS; i++) {
		if (!may_issue(search, state, i, slots) || order(search, state, i) != first)
			continue;
		struct state next = *state;
		bool taken[EVERY_PARTITIONS];
		memcpy(taken, slots, sizeof taken);
		taken[state->warps[i].partition] = true;
		issue(search, &next, i);
		long value = issue_all(search, &next, taken);
		most = value > most ? value : most;
	}
	return most;
}

/* ---- */

/* In the places from this one down to the first, the block's own, something begins or nothing. */
static long begin(struct search *search, const struct state *state, int place)
{
	static const bool none[EVERY_PARTITIONS];
	struct state copy = *state;
	if (place < 0)
		return issue_all(search, &copy, none);
	bool own = place == 0, must = own && state->before == 0;
	bool free = state->rank[place] == 0 && (own || search->system->others == 0 || state->others > 0);
	long most = must ? 0 : begin(search, state, place - 1);
	if (!free || (own && state->before == NOBODY))
		return most;
	for (int choice = 0; choice < choices(search, place); choice++) {
		struct state next = *state;
		begin_block(search, &next, place, choice);
		if (own)
			next.before = NOBODY;
		else if (next.others > 0)
			next.others--;
		long value = begin(search, &next, place - 1);
		most = value > most ? value : most;
	}
	return most;
}

static long longest(struct search *search, const struct state *from)
{
	struct state state = *from;
	end_blocks(search, &state);
	if (state.before == NOBODY && state.rank[0] == 0)
		return 0;
	struct seen *seen = find(search, &state);
	search->full |= seen->used && seen->open; /* it comes round: without end */
	if (seen->used)
		return seen->value;
	search->full |= ++search->count > search->system->states;
	if (search->full)
		return 0;
	*seen = (struct seen){state, 0, true, true};
	long value = begin(search, &state, search->system->place_count - 1);
	seen->value = value;
	seen->open = false;
	return value;
}

long every_order(const struct every_system *system)
{
	struct search search = {.system = system, .table = calloc(system->states * 2, sizeof *search.table)};
	struct state state;
	memset(&state, 0, sizeof state);
	for (int i = 0; i < EVERY_WARPS; i++)
		state.warps[i].place = NOBODY;
	state.before = (uint8_t)system->before;
	state.others = (uint8_t)system->others;
	long value = longest(&search, &state);
	free(search.table);
	return search.full ? -1 : value;
}
